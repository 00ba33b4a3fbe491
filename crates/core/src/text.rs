//! Other people's text in our sentences.

/// The text as an error can quote it: one readable line, however long it was.
///
/// ```
/// assert_eq!(tesuji_core::shortened("a1\nb2"), "a1 b2");
/// assert_eq!(tesuji_core::shortened(&"x".repeat(1000)).chars().count(), 61);
/// ```
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().map(clean).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        short.push('…');
    }
    short
}
