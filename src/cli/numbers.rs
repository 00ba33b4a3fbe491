//! Numbers as people read them.

use std::time::Duration;

/// A count with commas: 6,182,818.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate to three digits or so, with commas: 1,230,000.
pub(super) fn rate(per_second: f64) -> String {
    if !per_second.is_finite() {
        return "–".to_owned();
    }
    let scale = 10_f64.powi((per_second.max(1.0).log10().floor() as i32 - 2).max(0));
    grouped(((per_second / scale).round() * scale) as u64)
}

/// A duration in the unit that fits it.
pub(super) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{:.1} µs", seconds * 1e6)
    }
}

/// A share in per cent with its standard error: 52.31 ± 0.16 %.
pub(super) fn share((mean, standard_error): (f64, f64)) -> String {
    format!("{:.2} ± {:.2} %", mean * 100.0, standard_error * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 7.4, 1234.0, 1_234_567.0, f64::INFINITY].map(rate),
            ["0", "7", "1,230", "1,230,000", "–"]
        );
        assert_eq!(duration(Duration::from_micros(1500)), "1.5 ms");
        assert_eq!(share((0.5, 0.0016)), "50.00 ± 0.16 %");
    }
}
