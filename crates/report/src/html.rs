//! A page that needs nothing but itself: no script, no style sheet, no picture
//! from elsewhere, so that it can be mailed, kept and opened in ten years.

/// The text with everything that a page could misread replaced.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The class that colours a verdict, given in words.
pub(crate) fn verdict_class(verdict: &str) -> &'static str {
    match verdict {
        "agrees" => "agrees",
        "off" | "near" => "off",
        "DIFFERS" => "differs",
        "too few" | "too few runs" => "few",
        "other budget" | "other K" => "other",
        _ => "none",
    }
}

/// Words in a paragraph of that class; nothing for none.
pub(crate) fn paragraph(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<p{class}>{}</p>\n", escaped(words))
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

const STYLE: &str = r#":root {
  color-scheme: light dark; --ink: #1d2125; --faint: #5c666f; --paper: #fcfcfa; --line: #d8dcd8; --stripe: #f2f4f0;
  --link: #0b5ea8; --good: #dcefe2; --off: #fbeec2; --bad: #f6cfc6; --weak: #e9ebee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e7e9; --faint: #98a2aa; --paper: #16191c; --line: #33393e; --stripe: #1d2226;
    --link: #7dbcf2; --good: #1d3b2b; --off: #4a3d10; --bad: #5c2620; --weak: #2a3035;
  }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
a { color: var(--link); }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.8rem 0 0.6rem; }
p { max-width: 46rem; }
p.origin, p.paper, p.key { color: var(--faint); font-size: 0.9rem; }
p.verdict { border-left: 3px solid var(--faint); padding-left: 0.8rem; }
section { border-top: 1px solid var(--line); margin-top: 3rem; }
section h2 { font-size: 1.3rem; margin: 1.5rem 0 0.3rem; }
section p.paper { margin-top: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.8rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--faint); }
tbody tr:nth-child(even) { background: var(--stripe); }
.number { text-align: right; }
.pivot th, .pivot td { padding: 0.25rem 0.4rem; }
.pivot tbody th { font-weight: normal; position: sticky; left: 0; background: var(--paper); }
.pivot tbody tr { background: none; }
.pivot i { display: inline-block; min-width: 2.6em; margin-left: 0.3em; font-style: normal; }
.pivot small { display: block; margin-right: 2.9em; color: var(--faint); font-size: inherit; }
.pivot td { border-left: 2px solid var(--paper); font-size: 0.82rem; }
.pivot td b { font-size: 0.95rem; }
.key span { padding: 0.05rem 0.5rem; border-radius: 0.2rem; color: var(--ink); }
.agrees { background: var(--good); }
.off { background: var(--off); }
.differs { background: var(--bad); }
.few, .other { background: var(--weak); }
.command, code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 0.8rem; }
.command { user-select: all; }
pre { overflow-x: auto; background: var(--stripe); border-radius: 0.3rem; padding: 0.6rem 0.8rem; line-height: 1.4; }
details { margin: 1rem 0; }
details th, details td { padding: 0.2rem 0.5rem; font-size: 0.82rem; }
summary { cursor: pointer; color: var(--link); }
dl { max-width: 46rem; }
dt { font-weight: 600; margin-top: 0.9rem; }
dd { margin: 0.1rem 0 0; }
nav ol { padding-left: 1.4rem; }
nav span { color: var(--faint); font-size: 0.9rem; }
figure { margin: 0 0 1rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
@media (max-width: 44rem) {
  main { padding-top: 1rem; }
  figure .tesuji-figure { max-width: none; width: 46rem; }
  .pivot tbody th { white-space: normal; }
}
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
