//! SVG elements, with every number in fixed decimals and every text escaped.

use maud::html;

/// A growing file.
pub(super) struct Canvas {
    text: String,
}

/// Where on a text its position is.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    /// The anchor's place, on the base line.
    pub(super) at: (f64, f64),
    pub(super) anchor: Anchor,
    /// A class of the style, which gives size and ink.
    pub(super) class: &'a str,
    /// Degrees, clockwise around the anchor.
    pub(super) turned: f64,
}

impl Canvas {
    pub(super) fn new() -> Canvas {
        Canvas { text: String::new() }
    }

    /// Adds elements as they are.
    pub(super) fn put(&mut self, elements: &str) {
        self.text.push_str(elements);
        self.text.push('\n');
    }

    /// Adds a straight line.
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(px);
        self.put(&format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// Adds text; nothing for an empty one.
    pub(super) fn words(&mut self, words: &Words) {
        if words.text.is_empty() {
            return;
        }
        let (x, y) = (px(words.at.0), px(words.at.1));
        let anchor = match words.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let turned = if words.turned == 0.0 {
            String::new()
        } else {
            format!(r#" transform="rotate({} {x} {y})""#, px(words.turned))
        };
        let (class, text) = (words.class, escaped(words.text));
        self.put(&format!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}{turned}>{text}</text>"#));
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// A length or a place, in pixels.
pub(super) fn px(number: f64) -> String {
    let text = format!("{number:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// The text as XML may hold it: most control characters cannot be in it at all.
pub(super) fn escaped(text: &str) -> String {
    let is_foreign = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    let text = text.replace(is_foreign, " ");
    html! { (text) }.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_decimal_and_no_empty_sign() {
        assert_eq!([0.0, -0.0, -0.04, -0.05001, 12.345].map(px), ["0.0", "0.0", "0.0", "-0.1", "12.3"]);
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("a<b>&\"c\"\u{0}\n"), "a&lt;b&gt;&amp;&quot;c&quot;  ");
        let mut canvas = Canvas::new();
        let (at, anchor) = ((1.0, 2.0), Anchor::End);
        canvas.words(&Words { text: "</text>", at, anchor, class: "tick", turned: -90.0 });
        canvas.words(&Words { text: "", at, anchor, class: "tick", turned: 0.0 });
        assert_eq!(
            canvas.finish(),
            "<text class=\"tick\" x=\"1.0\" y=\"2.0\" text-anchor=\"end\" transform=\"rotate(-90.0 1.0 2.0)\">\
             &lt;/text&gt;</text>\n"
        );
    }
}
