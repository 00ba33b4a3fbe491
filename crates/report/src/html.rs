//! A page that needs nothing but itself: no script, no style sheet, no picture
//! from elsewhere, so that it can be mailed, kept and opened in ten years.

/// The text with everything that a page could misread replaced.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A whole page. The title is text; the body is HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}</main>
</body>
</html>
"#
    )
}

const STYLE: &str = r#":root { color-scheme: light dark; --ink: #1d2125; --faint: #5c666f; --paper: #fcfcfa; --line: #d8dcd8; --stripe: #f2f4f0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7e9; --faint: #98a2aa; --paper: #16191c; --line: #33393e; --stripe: #1d2226; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin-top: 2.5rem; }
p { max-width: 46rem; }
p.origin { color: var(--faint); font-size: 0.9rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.8rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { border-bottom: 2px solid var(--faint); }
tbody tr:nth-child(even) { background: var(--stripe); }
.number { text-align: right; }
figure { margin: 2.5rem 0 1rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<b & \"c\">"), "&lt;b &amp; &quot;c&quot;&gt;");
        assert!(page("<x>", "").contains("<title>&lt;x&gt;</title>"));
    }
}
