//! The one random generator, and exact samplers on it.
//!
//! The generator is xoshiro256++ (Blackman, Vigna 2021): named, portable, and
//! a few instructions a draw. Integers below a bound come from Lemire's
//! multiplication with rejection ("Fast random integer generation in an
//! interval", 2019): no division on the usual path, and exactly uniform.

use std::convert::Infallible;

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers. Only [`Seed::rng`](crate::Seed::rng) makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub(crate) fn from_state(state: [u64; 4]) -> Rng {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(state) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `bound`, each equally likely. `bound` is at least 1.
    ///
    /// ```
    /// let mut rng = tesuji_core::Seed::new(1).rng();
    /// assert!((0..100).all(|_| rng.below(3) < 3));
    /// ```
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bits = (self.bits() >> 32) as u32;
        self.below_from(bits, bound)
    }

    /// A whole number below `bound`, made of 32 random bits that the caller has
    /// already drawn: a kernel that needs two small numbers a turn makes both of
    /// one draw of [`bits`](Rng::bits). Exactly uniform: the rare rejected value
    /// (fewer than `bound` in 2³²) is drawn again.
    #[inline(always)]
    pub fn below_from(&mut self, bits: u32, bound: u32) -> u32 {
        debug_assert!(bound > 0, "no number is below 0");
        let product = u64::from(bits) * u64::from(bound);
        if (product as u32) < bound {
            let (rng, number) = self.clone().below_slowly(product, bound);
            *self = rng;
            return number;
        }
        (product >> 32) as u32
    }

    /// The rare case of [`below_from`](Rng::below_from). It accepts and returns the
    /// generator by value, so that a kernel's own copy can live in registers:
    /// a reference would tie it to memory.
    #[cold]
    #[inline(never)]
    fn below_slowly(mut self, mut product: u64, bound: u32) -> (Rng, u32) {
        // 2³² mod bound: the number of low halves that would appear once too often.
        let surplus = bound.wrapping_neg() % bound;
        while (product as u32) < surplus {
            product = (self.bits() >> 32) * u64::from(bound);
        }
        (self, (product >> 32) as u32)
    }

    /// A whole number below `bound`, at most 2¹⁵, made of 16 random bits that the
    /// caller has already drawn: one draw of [`bits`](Rng::bits) serves four small
    /// numbers. `None` if `bound` is 0; that check is on the rare path only and
    /// costs nothing. Exactly uniform: a rejected value (fewer than `bound` in 2¹⁶)
    /// is drawn again.
    #[inline(always)]
    pub fn below_from_short(&mut self, bits: u16, bound: u32) -> Option<u32> {
        debug_assert!(bound <= 1 << 15, "16 bits are too few for a bound of {bound}");
        let product = u32::from(bits) * bound;
        if product as u16 <= bound as u16 {
            if bound == 0 {
                return None;
            }
            let (rng, number) = self.clone().below_short_slowly(product, bound);
            *self = rng;
            return Some(number);
        }
        Some(product >> 16)
    }

    #[cold]
    #[inline(never)]
    fn below_short_slowly(mut self, mut product: u32, bound: u32) -> (Rng, u32) {
        let surplus = (1 << 16) % bound;
        while u32::from(product as u16) < surplus {
            product = (self.bits() >> 48) as u32 * bound;
        }
        (self, product >> 16)
    }

    /// Several whole numbers, each below its bound, independent and uniform, from
    /// one draw: the digits of one number below the product of the
    /// bounds, which is at most 2⁴⁸ (Brackett-Rozinsky, Lemire, "Batched ranged
    /// random integer generation", 2024).
    ///
    /// ```
    /// let mut rng = tesuji_core::Seed::new(1).rng();
    /// let [die, coin, card] = rng.below_each([6, 2, 52]);
    /// assert!(die < 6 && coin < 2 && card < 52);
    /// ```
    #[inline(always)]
    pub fn below_each<const N: usize>(&mut self, bounds: [u32; N]) -> [u32; N] {
        debug_assert!(bounds.iter().map(|&bound| u128::from(bound)).product::<u128>() <= 1 << 48);
        loop {
            let (numbers, rest) = digits(self.bits(), bounds);
            // The rest must be compared with the product only where it is small.
            if rest >> 48 != 0 || !is_surplus_of(rest, bounds) {
                return numbers;
            }
        }
    }

    /// 64 random bits that are fair for numbers below `n`: read as a fraction of
    /// 2⁶⁴, their product with `n` has each whole part equally often. With `n` a
    /// power, the whole part is a tuple of numbers below its root, which a kernel can
    /// take off one by one and only as far as it needs them (see
    /// [`below_each`](Rng::below_each)).
    #[inline(always)]
    pub fn fair_bits(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        loop {
            let bits = self.bits();
            let rest = bits.wrapping_mul(n);
            if rest >= n || !is_surplus(rest, n) {
                return bits;
            }
        }
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// True with this probability: the event `unit() < probability`, so that
    /// with common random numbers it is monotone in the probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts the items in random order, each order equally likely (Fisher and Yates).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// One of the items, each equally likely; `None` if there are no items.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len() as u32) as usize)
    }
}

/// A store of random bits for kernels that draw many small numbers: it makes three
/// numbers of each draw of 64 bits, whereas [`Rng::below`] makes one.
#[derive(Clone, Debug)]
pub struct Pool(u64);

impl Default for Pool {
    fn default() -> Pool {
        Pool::EMPTY
    }
}

impl Pool {
    /// The marker that stands above the bits that are left.
    const EMPTY: Pool = Pool(1);

    /// A whole number below `bound`, at most 2¹⁵, each equally likely; `None` if
    /// `bound` is 0.
    #[inline(always)]
    pub fn below(&mut self, rng: &mut Rng, bound: u32) -> Option<u32> {
        if self.0 == Pool::EMPTY.0 {
            self.0 = rng.bits() >> 16 | 1 << 48;
        }
        let bits = self.0 as u16;
        self.0 >>= 16;
        rng.below_from_short(bits, bound)
    }
}

/// The whole part of `bits / 2⁶⁴ · product of the bounds` as digits in the mixed
/// base of the bounds, and the rest of that division.
#[inline(always)]
fn digits<const N: usize>(bits: u64, bounds: [u32; N]) -> ([u32; N], u64) {
    let mut rest = bits;
    let digits = bounds.map(|bound| {
        let product = u128::from(rest) * u128::from(bound);
        rest = product as u64;
        (product >> 64) as u32
    });
    (digits, rest)
}

/// Whether this rest appears once too often for numbers below `n`: there are
/// 2⁶⁴ mod n such rests, the smallest ones.
#[cold]
#[inline(never)]
fn is_surplus(rest: u64, n: u64) -> bool {
    rest < n.wrapping_neg() % n
}

/// The same for the product of these bounds.
#[cold]
#[inline(never)]
fn is_surplus_of<const N: usize>(rest: u64, bounds: [u32; N]) -> bool {
    is_surplus(rest, bounds.iter().map(|&bound| u64::from(bound)).product())
}

/// For distributions of other crates.
impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, is_surplus, is_surplus_of};
    use crate::Seed;

    /// Published results depend on these values: they never change.
    #[test]
    fn samplers_are_stable() {
        let mut rng = Seed::new(1).rng();
        let bits = [rng.bits(), rng.bits()];
        let below: Vec<u32> = (0..8).map(|_| rng.below(100)).collect();
        let unit = [rng.unit(), rng.unit()];
        let chances: Vec<u8> = (0..8).map(|_| u8::from(rng.chance(0.5))).collect();
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        rng.shuffle(&mut items);
        let chosen = *rng.choose(&items).unwrap();
        assert_eq!(
            format!("{bits:x?} {below:?} {unit:?} {chances:?} {items:?} {chosen}"),
            "[2d0c07c6fac65281, 342acbf63b39d994] [13, 98, 70, 58, 13, 96, 7, 71] [0.4341782229669088, 0.8139222857109546] \
             [1, 0, 1, 0, 1, 1, 0, 0] [1, 6, 4, 3, 0, 7, 2, 5] 5"
        );
    }

    #[test]
    fn pools_are_stable() {
        let mut rng = Seed::new(1).rng();
        let mut pool = Pool::default();
        let drawn: Vec<u32> = (1..12).map(|bound| pool.below(&mut rng, bound * bound).unwrap()).collect();
        assert_eq!(format!("{drawn:?}"), "[0, 0, 1, 3, 19, 7, 38, 10, 10, 4, 60]");
    }

    #[test]
    fn pools_are_exactly_uniform() {
        // With a bound of 3·2¹³ the plain multiplication would give one value in
        // three twice as often as the others.
        let mut rng = Seed::new(3).rng();
        let mut pool = Pool::default();
        let mut counts = [0_i32; 3];
        for _ in 0..30_000 {
            counts[(pool.below(&mut rng, 3 << 13).unwrap() % 3) as usize] += 1;
        }
        // Binomial(30,000, 1/3): standard deviation 81.6; five of them.
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 408), "{counts:?}");
    }

    #[test]
    fn below_rejects_what_would_be_drawn_once_too_often() {
        let mut rng = Seed::new(1).rng();
        // For bound 3 the low half 0 is the single surplus value (2³² mod 3 = 1),
        // so 32 zero bits must be drawn again; other bits decide by themselves.
        let expected = rng.clone().below(3);
        assert_eq!(rng.below_from(0, 3), expected);
        let before = rng.clone();
        assert_eq!(rng.below_from(u32::MAX, 3), 2);
        assert_eq!(rng, before);
    }

    #[test]
    fn short_draws_give_every_number_equally_often() {
        for bound in [1_u32, 2, 3, 7, 22, 48, 63, 64, 1000, 1 << 15] {
            let mut rng = Seed::new(1).rng();
            let before = rng.clone();
            let mut counts = vec![0; bound as usize];
            for bits in 0..=u16::MAX {
                let number = rng.below_from_short(bits, bound).expect("the bound is not 0");
                if rng == before {
                    counts[number as usize] += 1;
                }
                rng = before.clone();
            }
            assert!(counts.iter().all(|&count| count == (1 << 16) / bound), "{bound}: {counts:?}");
        }
        let mut rng = Seed::new(1).rng();
        let before = rng.clone();
        assert!((0..=u16::MAX).all(|bits| rng.below_from_short(bits, 0).is_none()));
        assert_eq!(rng, before);
    }

    #[test]
    fn numbers_from_one_draw_are_the_digits_of_one() {
        let bounds = [61, 7, 2, 100];
        let mut rng = Seed::new(3).rng();
        let mut same = rng.clone();
        for _ in 0..1000 {
            let [a, b, c, d] = rng.below_each(bounds);
            let product = 61 * 7 * 2 * 100;
            let whole = (u128::from(same.bits()) * product) >> 64;
            assert_eq!(u128::from(((a * 7 + b) * 2 + c) * 100 + d), whole);
        }
    }

    #[test]
    fn numbers_from_one_draw_are_drawn_again_where_one_would_be() {
        // 2⁶⁴ mod 81 = 52.
        assert!(is_surplus_of(51, [3; 4]));
        assert!(!is_surplus_of(52, [3; 4]));
        // A power of two divides 2⁶⁴.
        assert!(!is_surplus_of(0, [256; 4]));
        // 2⁶⁴ mod 3⁷ = 619.
        assert!(is_surplus(618, 2187) && !is_surplus(619, 2187));
    }

    #[test]
    fn large_bounds_are_uniform_too() {
        // With a bound of 3·2³⁰, the plain multiplication would give one value
        // in three twice as often as the others.
        let bound = 3 << 30;
        let mut rng = Seed::new(2).rng();
        let draws = 30_000;
        let mut counts = [0_i32; 3];
        for _ in 0..draws {
            counts[(rng.below(bound) % 3) as usize] += 1;
        }
        // Binomial(30,000, 1/3): standard deviation 81.6; five of them.
        assert!(counts.iter().all(|count| (count - draws / 3).abs() < 408), "{counts:?}");
    }
}
