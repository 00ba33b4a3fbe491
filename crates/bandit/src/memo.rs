//! Values of a function of a whole number, computed once.
//!
//! Policies that sample one arm at a time need the same logarithms and roots of
//! counts again and again, millions of times in an experiment. A table costs
//! one load where the function costs tens of instructions.

/// The longest table: 512 KiB. Above it the function is computed: searches with that
/// many samples do not notice.
const LONGEST: u64 = 1 << 16;

/// Values of one function at 0, 1, 2, …
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    values: Vec<f64>,
}

impl Memo {
    /// Extends the table so that it holds the value at `last`, as far as tables
    /// go. The function is the same in all calls, and is not asked at 0.
    pub(crate) fn extend(&mut self, last: u64, function: impl Fn(u64) -> f64) {
        let wanted = last.saturating_add(1).min(LONGEST);
        let known = self.values.len() as u64;
        if wanted > known {
            let more = (known..wanted).map(|number| if number == 0 { 0.0 } else { function(number) });
            self.values.extend(more);
        }
    }

    /// The function's value at `number`.
    #[inline]
    pub(crate) fn at(&self, number: u64, function: impl Fn(u64) -> f64) -> f64 {
        debug_assert!(number > 0, "not asked at 0");
        match usize::try_from(number).ok().and_then(|number| self.values.get(number)) {
            Some(&value) => value,
            None => function(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_gives_what_the_function_gives() {
        let mut memo = Memo::default();
        let function = |number: u64| libm::log(number as f64);
        for last in [3, 2, 100, LONGEST + 5] {
            memo.extend(last, function);
            for number in [1, 2, 3, 50, 100, 101, LONGEST - 1, LONGEST, LONGEST + 9] {
                assert_eq!(memo.at(number, function), function(number), "{number}");
            }
        }
        assert_eq!(memo.values.len() as u64, LONGEST);
    }
}
