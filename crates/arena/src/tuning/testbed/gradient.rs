//! SPSA: stochastic approximation by simultaneous perturbation (Spall 1992, 1998), as fishtest uses it
//! for chess engines.
//!
//! Iteration k moves all parameters at once by ±c_k, each sign at random; the two sides play a pair of
//! games against each other, and the parameters move towards the winner:
//!
//! ```text
//! c_k = c/k^γ,   a_k = a/(A + k)^α,   α = 0.602, γ = 0.101, A = N/10
//! θ ← θ + a_k/c_k · (points of θ + c_kΔ less those of θ − c_kΔ) · Δ
//! ```

use tesuji_core::Seed;

use super::Surface;
use crate::tuning::Point;

/// The gains of SPSA, as shares of a parameter's range.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The perturbation in the last iteration.
    pub last_step: f64,
    /// How far a won game moves the parameters in the last iteration, in perturbations.
    pub rate: f64,
}

/// Whom the two sides of an iteration play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rival {
    /// Each other, as in fishtest. It measures a difference in strength with a quarter of the games, and
    /// supposes that strength against itself is strength against the opponent.
    Itself,
    /// The opponent, a pair of games each.
    Opponent,
}

/// The point at which SPSA ends after this number of pairs. Parameters with words keep their start.
pub(super) fn spsa(surface: &Surface, pairs: u64, rival: Rival, gains: Gains, seed: Seed) -> Point {
    let pairs = if rival == Rival::Opponent { (pairs / 2).max(1) } else { pairs };
    let (alpha, gamma) = (0.602, 0.101);
    let n = pairs as f64;
    let offset = 0.1 * n;
    // As in fishtest, c_k and r_k = a_k/c_k² are given for the last iteration.
    let c = gains.last_step * libm::pow(n, gamma);
    let a = gains.rate * gains.last_step * gains.last_step * libm::pow(offset + n, alpha);
    let mut rng = seed.rng();
    let is_words: Vec<bool> =
        surface.space.parameters.iter().map(|parameter| parameter.range.is_words()).collect();
    // People start somewhere in the range, not at the optimum.
    let mut place: Vec<f64> = is_words.iter().map(|_| 0.1 + 0.8 * rng.unit()).collect();
    let mut signs = vec![0.0; place.len()];
    let mut sides = [Point(place.clone()), Point(place.clone())];
    for k in 1..=pairs {
        let c_k = c / libm::pow(k as f64, gamma);
        let a_k = a / libm::pow(offset + k as f64, alpha);
        for (sign, is_words) in signs.iter_mut().zip(&is_words) {
            *sign = match is_words {
                true => 0.0,
                false if rng.chance(0.5) => 1.0,
                false => -1.0,
            };
        }
        for (Point(side), by) in sides.iter_mut().zip([c_k, -c_k]) {
            let coordinates = place.iter().zip(&signs).map(|(at, sign)| (at + by * sign).clamp(0.0, 1.0));
            side.iter_mut().zip(coordinates).for_each(|(to, from)| *to = from);
        }
        let [plus, minus] = &sides;
        // The points of both games, from −2 to 2.
        let result = match rival {
            Rival::Itself => 4.0 * surface.duel(plus, minus, &mut rng) - 2.0,
            Rival::Opponent => 2.0 * (surface.pair(plus, &mut rng) - surface.pair(minus, &mut rng)),
        };
        for (at, sign) in place.iter_mut().zip(&signs) {
            *at = (*at + a_k / c_k * result * sign).clamp(0.0, 1.0);
        }
    }
    Point(place)
}
