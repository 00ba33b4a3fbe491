//! How sure a player must be to stop, as text: `95%` or `0.95`.

use std::str::FromStr;

use tesuji_core::shortened;
use tesuji_search::{PlayerConfig, Until};

use super::PlayerSpec;
use super::error::PlayerError;

/// A confidence at which a search may stop: above 50 % and below 100 %.
///
/// ```
/// use tesuji_catalog::ConfidenceLevel;
/// let level: ConfidenceLevel = "99.5%".parse().unwrap();
/// assert_eq!(level.level(), 0.995);
/// assert_eq!("0.995".parse(), Ok(level));
/// assert!("100%".parse::<ConfidenceLevel>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConfidenceLevel(f64);

impl ConfidenceLevel {
    /// The chance that the choice is right.
    pub fn level(self) -> f64 {
        self.0
    }

    /// A level as specs print it: `95%`.
    pub fn text(level: f64) -> String {
        // The shortest digits that are read as the same number, with the point two places on.
        let digits = format!("{level}");
        let digits = format!("{:0<2}", digits.strip_prefix("0.").unwrap_or(&digits));
        match digits.split_at(2) {
            (whole, "") => format!("{whole}%"),
            (whole, rest) => format!("{whole}.{rest}%"),
        }
    }
}

impl FromStr for ConfidenceLevel {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<ConfidenceLevel, PlayerError> {
        let number = without_percent(text.trim());
        let is_plain = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let level = number.parse::<f64>().ok().filter(|level| is_plain && Until::new(*level, 0.0).is_ok());
        level.map(ConfidenceLevel).ok_or_else(|| PlayerError::Level { word: shortened(text.trim()) })
    }
}

/// A number of per cent as a number: `95%` as `95e-2`. Other texts stay as they are.
pub(super) fn without_percent(text: &str) -> String {
    match text.strip_suffix('%').map(str::trim_end) {
        Some(number) if number.ends_with(|c: char| c.is_ascii_digit()) => format!("{number}e-2"),
        _ => text.to_owned(),
    }
}

impl PlayerSpec {
    /// When it is sure enough to stop; `None` if it spends its whole budget.
    pub fn until(&self) -> Option<Until> {
        match &self.config {
            PlayerConfig::Search(search) => search.options.until,
            PlayerConfig::Random | PlayerConfig::Greedy => None,
        }
    }

    /// Returns the player with this option if it searches and has none of its own.
    #[must_use]
    pub fn with_default_until(mut self, until: Until) -> PlayerSpec {
        if let PlayerConfig::Search(search) = &mut self.config {
            search.options.until.get_or_insert(until);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_printed() {
        for (text, level, printed) in [
            ("95%", 0.95, "95%"),
            ("0.95", 0.95, "95%"),
            (" 99.9 % ", 0.999, "99.9%"),
            ("57%", 0.57, "57%"),
            (".6", 0.6, "60%"),
            ("60.0%", 0.6, "60%"),
        ] {
            let read: ConfidenceLevel = text.parse().unwrap();
            assert_eq!((read.level(), ConfidenceLevel::text(read.level())), (level, printed.to_owned()));
        }
        for bad in ["", "%", "95", "100%", "1", "50%", "0.5", "-95%", "95%%", "nan", "inf%", "1e-1"] {
            let error = bad.parse::<ConfidenceLevel>().unwrap_err().to_string();
            assert!(error.contains("above 50% and below 100%"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_players_own_option_wins() {
        let spec = |text: &str| text.parse::<PlayerSpec>().unwrap();
        let until = Until { level: 0.9, within: 0.02 };
        let with = |text: &str| spec(text).with_default_until(until).to_string();
        assert_eq!(with("uct@100"), "uct+until(90%,within=0.02)@100");
        assert_eq!(with("uct+until(0.99)@100"), "uct+until(99%)@100");
        assert_eq!(with("random"), "random");
    }
}
