//! Series as bars, side by side in groups.

use super::canvas::{Anchor, Canvas, Words, escaped, px};
use super::legend::Legend;
use super::panel::{Frame, Ground, value};
use super::style::TICK;
use super::text::{shortened, width, wrapped};
use super::{Point, Scale, Series};

/// The share of a group's width that is left free.
const FREE: f64 = 0.2;
/// A bar alone in a wide panel is no wider than this.
const WIDEST: f64 = 44.0;
/// Labels too wide for their group are turned by so many degrees: by the first that leaves
/// room for all of them, or else by the last.
const TURNED: [f64; 2] = [-38.0, -64.0];
/// A turned label takes so much at most, along itself.
const LONGEST: f64 = 120.0;

/// Which group the point is in, if it is in any.
pub(super) fn group(point: &Point, n_groups: usize) -> Option<usize> {
    let is_group = point.x.fract() == 0.0 && point.x >= 0.0 && point.x < n_groups as f64;
    is_group.then_some(point.x as usize)
}

/// Draws the bars, and gives their number.
pub(super) fn draw(
    canvas: &mut Canvas,
    ground: &Ground,
    (groups, series): (&[String], &[Series]),
    legend: &Legend,
) -> usize {
    let group_width = ground.frame.width / groups.len().max(1) as f64;
    let bar_width = (group_width * (1.0 - FREE) / series.len().max(1) as f64).min(WIDEST);
    let base = match ground.y.scale() {
        Scale::Linear => ground.frame.y(ground.y.share_or_end(0.0)),
        Scale::Log => ground.frame.bottom(),
    };
    let mut n_drawn = 0;
    for (i, one) in series.iter().enumerate() {
        let ink = legend.ink(&one.name, one.look);
        let offset = (i as f64 - (series.len() - 1) as f64 / 2.0) * bar_width;
        let (mut bars, mut errors) = (String::new(), String::new());
        for point in &one.points {
            let (Some(group), true) = (group(point, groups.len()), can_stand(ground, point)) else {
                continue;
            };
            let x = ground.frame.left + (group as f64 + 0.5) * group_width + offset;
            let end = ground.frame.y(ground.y.share_or_end(point.y));
            let (top, height) = (end.min(base), (end - base).abs());
            // A hair between neighbours keeps them apart without a border.
            let (left, wide) = (px(x - bar_width * 0.46), px(bar_width * 0.92));
            let note = escaped(&format!("{}, {}: {}", one.name, groups[group], value(point)));
            bars += &format!(
                r#"<rect class="bar" x="{left}" y="{}" width="{wide}" height="{}"{}><title>{note}</title></rect>"#,
                px(top),
                px(height),
                ink.bar(),
            );
            bars.push('\n');
            errors += &ground.error_bar(x, point, (bar_width * 0.25).clamp(1.5, 4.0));
            n_drawn += 1;
        }
        if bars.is_empty() {
            continue;
        }
        canvas.put(&format!("<g class=\"{}\">\n{bars}</g>", ink.class()));
        if !errors.is_empty() {
            canvas.put(&format!(r#"<path class="whisker" d="{errors}"/>"#));
        }
    }
    if base < ground.frame.bottom() {
        canvas.line("axis", (ground.frame.left, base), (ground.frame.right(), base));
    }
    n_drawn
}

/// A bar may reach beyond the axis, and is cut there; but on a log axis it
/// cannot be nothing or less.
fn can_stand(ground: &Ground, point: &Point) -> bool {
    super::range::is_shown(ground.y.scale(), point.y)
}

/// Writes the groups' labels, level if they have the room and turned if not,
/// and gives the height they take.
pub(super) fn labels(canvas: &mut Canvas, frame: &Frame, groups: &[String]) -> f64 {
    let group_width = frame.width / groups.len().max(1) as f64;
    let middle = |group: usize| frame.left + (group as f64 + 0.5) * group_width;
    if let Some(level) = level(groups, group_width - 6.0) {
        for (group, lines) in level.iter().enumerate() {
            for (i, line) in lines.iter().enumerate() {
                let at = (middle(group), frame.bottom() + TICK + 6.0 + i as f64 * TICK * 1.2);
                canvas.words(&Words { text: line, at, anchor: Anchor::Middle, class: "tick", turned: 0.0 });
            }
        }
        let n_lines = level.iter().map(Vec::len).max().unwrap_or(0);
        return if n_lines == 0 { 0.0 } else { TICK * 1.2 * n_lines as f64 + 8.0 };
    }
    let every = |turned: f64| {
        let sine = turned.to_radians().abs().sin();
        (TICK * 1.25 / sine / group_width).ceil().max(1.0) as usize
    };
    let turned = TURNED.into_iter().find(|turned| every(*turned) == 1).unwrap_or(TURNED[1]);
    let (sine, cosine) = turned.to_radians().abs().sin_cos();
    let every = every(turned);
    let mut height = 0.0_f64;
    for (group, label) in groups.iter().enumerate().step_by(every) {
        let at = (middle(group) + 4.0, frame.bottom() + TICK + 3.0);
        let room = LONGEST.min((at.0 - frame.left + frame.room_left) / cosine);
        let text = shortened(label, TICK, room);
        canvas.words(&Words { text: &text, at, anchor: Anchor::End, class: "tick", turned });
        height = height.max(TICK + 6.0 + width(&text, TICK) * sine);
    }
    height
}

/// The labels in one or two lines each, if all of them fit.
fn level(groups: &[String], room: f64) -> Option<Vec<Vec<String>>> {
    let fits = |label: &&String| label.split_whitespace().all(|word| width(word, TICK) <= room);
    groups
        .iter()
        .map(|label| Some(wrapped(Some(label).filter(fits)?, TICK, room)).filter(|lines| lines.len() <= 2))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_belong_to_whole_groups_only() {
        let of = |x| group(&Point { x, y: 1.0, ..Point::default() }, 3);
        assert_eq!([0.0, 2.0, 3.0, 0.5, -1.0, f64::NAN].map(of), [Some(0), Some(2), None, None, None, None]);
    }

    #[test]
    fn labels_are_level_only_if_all_fit() {
        let groups = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            level(&groups(&["go 9x9", "hex"]), 40.0),
            Some(vec![groups(&["go 9x9"]), groups(&["hex"])])
        );
        assert_eq!(
            level(&groups(&["go 9x9", "hex"]), 30.0),
            Some(vec![groups(&["go", "9x9"]), groups(&["hex"])])
        );
        assert_eq!(level(&groups(&["go 9x9", "knightthrough"]), 30.0), None);
        assert_eq!(level(&groups(&["a b c d"]), 10.0), None);
    }
}
