//! Numbers as people read them.

use std::time::Duration;

use tesuji_arena::statistics::Interval;

pub use tesuji_core::grouped;

/// The normal quantile of a two-sided 95 %.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// Returns a number with `decimals` decimals, commas and a true minus: −1,234.50.
pub fn decimal(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    // Digits that are all zero carry no sign.
    let sign = if value < 0.0 && text.contains(|digit| matches!(digit, '1'..='9')) { "−" } else { "" };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    format!("{sign}{whole}{rest}")
}

/// Returns a number to four digits, and whole numbers below ten million in full: 0.001, 2,048,
/// 10⁻⁴, 2.5×10⁻⁶.
pub(crate) fn readable(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return decimal(value, 0);
    }
    if value.fract() == 0.0 && value.abs() < 1e7 {
        return decimal(value, 0);
    }
    // Rust rounds before it chooses the exponent, so 0.00099999 is 0.001 here too.
    let text = format!("{value:.3e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..7).contains(&exponent) {
        return without_zeros(&decimal(value, (3 - exponent).max(0) as usize)).to_owned();
    }
    let mantissa = without_zeros(mantissa).replace('-', "−");
    let power = format!("10{}", superscript(exponent));
    match mantissa.as_str() {
        "1" => power,
        "−1" => format!("−{power}"),
        _ => format!("{mantissa}×{power}"),
    }
}

/// Returns a mean with its standard error, rounded to one digit of the error, or to two if the
/// first is 1 or 2: 0.1537 ± 0.0012, 0.154 ± 0.005. Small numbers have a power of ten:
/// (4.6 ± 0.5)×10⁻⁵.
pub(crate) fn with_error(mean: f64, error: f64) -> String {
    if error <= 0.0 || !error.is_finite() {
        return readable(mean);
    }
    let decimals = |error: f64| {
        let exponent = error.log10().floor();
        let is_small = error / 10_f64.powf(exponent) < 2.95;
        (i32::from(is_small) - exponent as i32).max(0) as usize
    };
    let fixed = decimals(error);
    if fixed <= 6 {
        return format!("{} ± {}", decimal(mean, fixed), decimal(error, fixed));
    }
    let exponent = mean.abs().max(error).log10().floor() as i32;
    let scale = 10_f64.powi(-exponent);
    let digits = decimals(error * scale);
    let (mean, error) = (decimal(mean * scale, digits), decimal(error * scale, digits));
    format!("({mean} ± {error})×10{}", superscript(exponent))
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn superscript(number: i32) -> String {
    let raised = |sign: char| match sign {
        '-' => '⁻',
        // These three alone are not with the others in Unicode.
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

/// Returns a rate to about three digits, with commas: 1,230,000.
pub fn rate(per_second: f64) -> String {
    if !per_second.is_finite() {
        return "–".to_owned();
    }
    let scale = 10_f64.powi((per_second.max(1.0).log10().floor() as i32 - 2).max(0));
    grouped(((per_second / scale).round() * scale) as u64)
}

/// Returns a duration in the unit that fits it: 1.50 s, 2.0 ms, 3.1 µs.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{:.1} µs", seconds * 1e6)
    }
}

/// Returns a duration that people wait for: 40 s, 12 min, 3 h 20 min, 5 days.
pub fn long_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..100 => format!("{seconds} s"),
        100..5_400 => format!("{} min", (seconds + 30) / 60),
        5_400..172_800 => match ((seconds + 300) / 3_600, (seconds + 300) % 3_600 / 600 * 10) {
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        },
        _ => format!("{} days", (seconds + 43_200) / 86_400),
    }
}

/// Returns the date in UTC as year-month-day, given the seconds since the beginning of 1970.
///
/// Years are taken to begin in March, so that the leap day is the last day of a year (Hinnant,
/// "chrono-compatible low-level date algorithms").
pub fn date(seconds: u64) -> String {
    let day = seconds / 86_400 + 719_468; // since 1 March of year 0
    let (era, day) = (day / 146_097, day % 146_097); // of 400 years
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let (day, month_of_year) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = era * 400 + year + u64::from(month_of_year <= 2);
    format!("{year:04}-{month_of_year:02}-{day:02}")
}

/// Returns a number of bytes in the unit that fits it: 999 bytes, 2.3 MB.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// Returns a number with its 95 % interval, both with `decimals` decimals: 10.0 (1.8 to 40.4).
pub fn with_interval(value: f64, interval: Interval, decimals: usize) -> String {
    format!("{} ({})", decimal(value, decimals), range(interval, decimals))
}

/// Returns an interval with `decimals` decimals: 1.8 to 40.4.
pub fn range(interval: Interval, decimals: usize) -> String {
    format!("{} to {}", decimal(interval.low, decimals), decimal(interval.high, decimals))
}

/// Returns a number of games or runs to two digits: 1,400 of 1,389.
pub fn about(count: u64) -> String {
    let scale = 10_u64.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    grouped(count.div_ceil(scale) * scale)
}

/// Returns a share in per cent with its standard error: 52.31 ± 0.16 %.
pub fn share(mean: f64, standard_error: f64) -> String {
    format!("{:.2} ± {:.2} %", mean * 100.0, standard_error * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_how_many_digits_count() {
        assert_eq!(with_error(0.153_71, 0.001_23), "0.1537 ± 0.0012");
        assert_eq!(with_error(-0.000_2, 0.000_045), "−0.00020 ± 0.00005");
        assert_eq!(with_error(0.000_045_8, 0.000_004_6), "0.000046 ± 0.000005");
        assert_eq!(with_error(0.000_008_34, 0.000_001_6), "(8.3 ± 1.6)×10⁻⁶");
        assert_eq!(with_error(1234.5, 67.0), "1,234 ± 67");
        assert_eq!(with_error(0.25, 0.0), "0.25");
        assert_eq!(with_error(0.25, f64::INFINITY), "0.25");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 7.4, 1234.0, 1_234_567.0, f64::INFINITY].map(rate),
            ["0", "7", "1,230", "1,230,000", "–"]
        );
        assert_eq!(duration(Duration::from_micros(1500)), "1.5 ms");
        assert_eq!(share(0.5, 0.0016), "50.00 ± 0.16 %");
        assert_eq!(
            [999, 1_000, 2_340_000, 7_000_000_000].map(bytes),
            ["999 bytes", "1.0 kB", "2.3 MB", "7.0 GB"]
        );
    }

    #[test]
    fn intervals_are_ranges() {
        assert_eq!(with_interval(10.0, Interval { low: 1.79, high: 40.4 }, 1), "10.0 (1.8 to 40.4)");
        assert_eq!([7, 99, 101, 1_389, 24_991].map(about), ["7", "99", "110", "1,400", "25,000"]);
    }

    #[test]
    fn days_have_dates() {
        let dates = [0, 58, 59, 365, 11_016, 11_017, 20_772].map(|day| date(day * 86_400));
        let known = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "1971-01-01",
            "2000-02-29",
            "2000-03-01",
            "2026-11-15",
        ];
        assert_eq!(dates, known);
    }

    #[test]
    fn waiting_is_told_in_words() {
        let words = |seconds| long_duration(Duration::from_secs(seconds));
        assert_eq!(
            [0, 99, 100, 720, 5_399, 5_400, 12_000, 86_400, 432_000].map(words),
            ["0 s", "99 s", "2 min", "12 min", "90 min", "1 h 30 min", "3 h 20 min", "24 h", "5 days"]
        );
    }

    #[test]
    fn decimals_have_commas_and_a_sign() {
        let two = |value| decimal(value, 2);
        assert_eq!(
            [0.0, -0.001, -1234.5, 999.999, 1e6, f64::NAN].map(two),
            ["0.00", "0.00", "−1,234.50", "1,000.00", "1,000,000.00", "–"]
        );
        assert_eq!(decimal(2048.0, 0), "2,048");
    }

    #[test]
    fn readable_numbers_change_form_with_their_size() {
        assert_eq!(
            [0.0, 0.1, 0.001, 0.00099999, 0.0001, 2.5e-6, -1e-12, -0.00327].map(readable),
            ["0", "0.1", "0.001", "0.001", "10⁻⁴", "2.5×10⁻⁶", "−10⁻¹²", "−0.00327"]
        );
        assert_eq!(
            [1.0, 2048.0, 2336.25, 1_234_567.0, 1e7, 3.45e30].map(readable),
            ["1", "2,048", "2,336", "1,234,567", "10⁷", "3.45×10³⁰"]
        );
    }
}
