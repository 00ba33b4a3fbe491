//! Fused multiply-add on processors without an instruction for it.
//!
//! The library's function is slow. The product of two floats is exact in a double, and rounding the sum to a
//! double and then to a float is nearly always rounding it once. Where it is not, the double is rounded to
//! odd (Boldo, Melquiond 2008), so that the bits are always those of a single rounding.

/// Whether the compiler makes one instruction of [`f32::mul_add`].
const HAS_INSTRUCTION: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// `a * b + c` of each lane, rounded once.
#[inline(always)]
pub(super) fn mul_add<const N: usize>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
    if HAS_INSTRUCTION {
        return std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]));
    }
    let sums: [f64; N] =
        std::array::from_fn(|lane| f64::from(a[lane]) * f64::from(b[lane]) + f64::from(c[lane]));
    // Two roundings differ from one only if the first ends halfway between two floats. For normal floats
    // these are the doubles whose last 29 bits are 1, 0, 0, …
    let mut is_rare = false;
    for sum in sums {
        let is_halfway = sum.to_bits() as u32 & 0x1fff_ffff == 0x1000_0000;
        is_rare |= is_halfway | (sum.abs() < f64::from(f32::MIN_POSITIVE)) & (sum != 0.0);
    }
    match is_rare {
        false => sums.map(|sum| sum as f32),
        true => by_doubles_each(a, b, c),
    }
}

#[cold]
#[inline(never)]
fn by_doubles_each<const N: usize>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
    std::array::from_fn(|lane| by_doubles(a[lane], b[lane], c[lane]))
}

#[inline(always)]
fn by_doubles(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // What rounding took from the sum, exactly: Knuth's sum of two numbers.
    let of_c = sum - product;
    let error = (product - (sum - of_c)) + (c - of_c);
    // Of the two doubles around the exact sum, the odd one. Infinities have an error that is no number.
    let is_inexact = error.abs() > 0.0;
    let bits = sum.to_bits();
    let is_even = bits & 1 == 0;
    let away_from_0 = (error > 0.0) == (sum > 0.0);
    let step = if away_from_0 { 1 } else { u64::MAX };
    let odd = bits.wrapping_add(if is_inexact & is_even { step } else { 0 });
    f64::from_bits(odd) as f32
}

#[cfg(test)]
mod tests {
    use super::{by_doubles, mul_add};
    use tesuji_core::{Rng, Seed};

    #[track_caller]
    fn check(a: f32, b: f32, c: f32) {
        let expected = a.mul_add(b, c);
        for found in [by_doubles(a, b, c), mul_add([a], [b], [c])[0]] {
            let is_same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
            assert!(is_same, "{a:e} * {b:e} + {c:e} is {expected:e}, not {found:e}");
        }
    }

    /// A float with few or many bits, near 1 or anywhere.
    fn float(rng: &mut Rng) -> f32 {
        let bits = rng.bits() as u32;
        let fraction = bits & 0x7f_ffff & (u32::MAX << rng.below(24));
        let exponent = if rng.chance(0.5) { 120 + rng.below(16) } else { rng.below(256) };
        f32::from_bits(bits & 0x8000_0000 | exponent << 23 | fraction)
    }

    #[test]
    fn doubles_have_the_bits_of_one_rounding() {
        let mut rng = Seed::new(1).rng();
        for _ in 0..3_000_000 {
            let (a, b, c) = (float(&mut rng), float(&mut rng), float(&mut rng));
            check(a, b, c);
            // A sum near a float, halfway between two, and one that cancels.
            check(a, b, -(a * b));
            let halfway = f32::from_bits(0x3380_0000 + (rng.below(3)));
            check(c, 1.0 + halfway, c * halfway);
            check(a * 1e-30, b * 1e-10, c * 1e-38);
        }
    }

    #[test]
    fn halfway_below_the_normal_floats_too() {
        // 2^-127 + 2^-150 + 2^-197: just above the middle of two floats below the normal ones.
        let tiny = f32::from_bits(1);
        check(tiny, 0.5 + f32::EPSILON / 4.0, f32::from_bits(0x40_0000));
        check(tiny * 1024.0, 0.5 / 1024.0 * (1.0 + f32::EPSILON), f32::from_bits(0x40_0000));
        let special = [0.0, -0.0, 1.0, f32::MAX, f32::MIN, tiny, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for a in special {
            for b in special {
                special.iter().for_each(|&c| check(a, b, c));
            }
        }
    }
}
