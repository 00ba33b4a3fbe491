//! How wide words are, and what to do when they are too wide.
//!
//! An SVG file does not know the font it will be shown in. Widths here are
//! those of a wide one (DejaVu Sans), so that elsewhere there is only more room.

/// About how wide the text is at a size of font, in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' => 0.32,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.40,
        '⁰'..='⁻' | '¹' | '²' | '³' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '→' => 0.97,
        'A'..='Z' | '=' | '×' | '±' | '−' | '+' | '<' | '>' => 0.76,
        // Letters of the Far East are square.
        '\u{1100}'.. => 1.0,
        _ => 0.62,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The text, with its end replaced by an ellipsis where there is no room for it.
pub(super) fn shortened(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let shorter = format!("{}…", kept.iter().collect::<String>().trim_end());
        if width(&shorter, size) <= room {
            return shorter;
        }
    }
    "…".to_owned()
}

/// The words in lines that fit the room. A word that alone does not is shortened.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) if width(&longer, size) <= room => *line = longer,
            _ => lines.push(shortened(word, size, room)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shortened() {
        assert_eq!(shortened("knightthrough", 12.0, 200.0), "knightthrough");
        let short = shortened("knightthrough", 12.0, 60.0);
        assert!(
            short.starts_with("knight") && short.ends_with('…') && width(&short, 12.0) <= 60.0,
            "{short}"
        );
        assert_eq!(shortened("knightthrough", 12.0, 0.0), "…");
        assert_eq!(shortened("", 12.0, 0.0), "");
    }

    #[test]
    fn sentences_are_wrapped() {
        let text = "Error bars are one standard error.";
        assert_eq!(wrapped(text, 10.0, 1000.0), [text]);
        let lines = wrapped(text, 10.0, 90.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 10.0) <= 90.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert!(wrapped(" ", 10.0, 90.0).is_empty());
    }
}
