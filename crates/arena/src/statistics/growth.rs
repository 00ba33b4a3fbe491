//! How strongly results speak against an expected score.
//!
//! A gambler who doubts that results have the mean m bets on each of them: a share b of the
//! capital on a ticket that pays a/m for a result of a points, the rest on a ticket that pays
//! (1 − a)/(1 − m). Both tickets are fair if the mean is m, so capital that grows speaks against
//! m. [`growth`] is the logarithm of the capital under the best constant b, chosen afterwards.
//!
//! Two facts make it useful here:
//!
//! - It is the empirical likelihood ratio: the log-likelihood of the measured distribution less
//!   that of the most likely distribution with mean m (M. Van den Bergh, "Comments on Normalized
//!   Elo", proposition 1.1, with θ = (b − m) / (m (1 − m))).
//! - Nobody knows the best b beforehand, but Cover's universal portfolio, a fair gambler, has at
//!   least the best capital divided by 2 √(n + 1) after n results (T. Cover, E. Ordentlich,
//!   "Universal portfolios with side information", 1996). By Ville's inequality a fair
//!   gambler multiplies the capital by 1/α at some time with a probability of at most α. So the
//!   growth at the true mean exceeds [`bound`] at some time, however long the match, with a
//!   probability of at most α, whatever the distribution of results (F. Orabona, K.-S. Jun,
//!   "Tight concentrations and confidence sequences from the regret of universal portfolio",
//!   2024).

/// The logarithm of the best capital against the mean `mean`, between 0 and 1, after results with
/// these points, each with how often it came. It is 0 at the measured mean, and convex in `mean`.
pub(super) fn growth(kinds: &[(f64, f64)], mean: f64) -> f64 {
    // What a unit of capital becomes after a result with these points.
    let factor =
        |share: f64, points: f64| share * (points / mean) + (1.0 - share) * ((1.0 - points) / (1.0 - mean));
    let (mut low, mut high) = (0.0, 1.0);
    let (mut share, mut step) = (mean, 1.0_f64);
    // Newton's method on the derivative, which falls; a bisection if a step leaves the bounds or
    // does not halve. Of 60 bisections nothing is left.
    for _ in 0..200 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &(points, n) in kinds.iter().filter(|(_, n)| *n > 0.0) {
            let ratio = (points / mean - (1.0 - points) / (1.0 - mean)) / factor(share, points);
            slope += n * ratio;
            curvature += n * ratio * ratio;
        }
        *(if slope > 0.0 { &mut low } else { &mut high }) = share;
        let newton = share + slope / curvature;
        let is_quick = low < newton && newton < high && (newton - share).abs() < step / 2.0;
        let next = if is_quick { newton } else { low + (high - low) / 2.0 };
        step = (next - share).abs();
        share = next;
        if step <= f64::EPSILON * share.min(1.0 - share) {
            break;
        }
    }
    let capital = |share: f64| {
        let kinds = kinds.iter().filter(|(_, n)| *n > 0.0);
        kinds.map(|&(points, n)| n * libm::log(factor(share, points))).sum::<f64>()
    };
    // Results that are all wins, or all losses, make an end the best.
    capital(share).max(capital(0.0)).max(capital(1.0))
}

/// The growth that the true mean exceeds at some time with a probability of at most `error`, after
/// `n` results.
pub(super) fn bound(error: f64, n: f64) -> f64 {
    libm::log(2.0 * (n + 1.0).sqrt()) - libm::log(error)
}

/// The growth per result that one of two means, the first below the second, has at least, whatever
/// the results: that of two coins after results with the mean between them that is as far from one
/// as from the other, Chernoff's information.
pub(super) fn least_growth(low: f64, high: f64) -> f64 {
    let coin = |mean: f64, of: f64| {
        mean * libm::log(mean / of) + (1.0 - mean) * libm::log((1.0 - mean) / (1.0 - of))
    };
    let heads = libm::log(high / low);
    let tails = libm::log((1.0 - low) / (1.0 - high));
    let between = (tails / (heads + tails)).clamp(low, high);
    coin(between, low).min(coin(between, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_coins() {
        // The best share of 30 heads in 40 is ¾.
        let coin = |mean: f64| 30.0 * (0.75 / mean).ln() + 10.0 * (0.25 / (1.0 - mean)).ln();
        for mean in [1e-5, 0.1, 0.5, 0.75, 0.9, 1.0 - 1e-5] {
            let found = growth(&[(0.0, 10.0), (1.0, 30.0)], mean);
            assert!((found - coin(mean)).abs() < 1e-9, "{mean}: {found}");
        }
    }

    #[test]
    fn of_equal_results() {
        for (points, mean, expected) in [
            (1.0, 0.25, 4.0_f64.ln()),
            (0.0, 0.25, (4.0_f64 / 3.0).ln()),
            (0.5, 0.25, 2.0_f64.ln()),
            (0.5, 0.5, 0.0),
            (0.25, 0.5, 1.5_f64.ln()),
        ] {
            let found = growth(&[(points, 7.0)], mean);
            assert!((found - 7.0 * expected).abs() < 1e-12, "{points} {mean}: {found}");
        }
    }

    /// Against a search of all shares by thousandths, which is never better, and never much worse.
    #[test]
    fn no_share_is_better() {
        let kinds = [(0.0, 3.0), (0.25, 1e-3), (0.5, 40.0), (0.75, 2.0), (1.0, 1e-3)];
        for mean in [0.001, 0.2, 0.49, 0.51, 0.7, 0.999] {
            let capital = |share: f64| {
                let factor = |a: f64| share * a / mean + (1.0 - share) * (1.0 - a) / (1.0 - mean);
                kinds.iter().map(|&(a, n)| n * factor(a).ln()).sum::<f64>()
            };
            let best = (1..10_000).map(|i| capital(f64::from(i) / 1e4)).fold(f64::NEG_INFINITY, f64::max);
            let found = growth(&kinds, mean);
            assert!(found >= best - 1e-9 && found < best + 0.01, "{mean}: {found} and {best}");
        }
    }

    /// Whatever the results, one of two means is contradicted by at least so much.
    #[test]
    fn the_least_growth() {
        for (low, high) in [(0.49, 0.51), (1e-5, 0.5), (0.3, 0.9), (1e-5, 1.0 - 1e-5)] {
            let least = least_growth(low, high);
            assert!(least > 0.0);
            for wins in 0..=20_u32 {
                for draws in 0..=20 - wins {
                    let losses = f64::from(20 - wins - draws);
                    let kinds = [(0.0, losses), (0.5, f64::from(draws)), (1.0, f64::from(wins))];
                    let most = growth(&kinds, low).max(growth(&kinds, high));
                    assert!(most >= 20.0 * least - 1e-9, "{low} {high}: {kinds:?}");
                }
            }
        }
    }
}
