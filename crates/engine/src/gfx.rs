//! Halving rounds as GoGui's graphics: which moves go on, and which are cut.
//!
//! A command colours or labels a list of cells: `COLOR #00a000 E5 C3`, `LABEL E5 1`.
//! `TEXT` goes to the status line. A move is shown at the cell at which it ends. A move
//! without a cell, a pass, is left out; of several that end at one cell, the best is shown.

use std::collections::BTreeSet;

use tesuji_core::Round;

use crate::vertices::Vertices;

/// The best move.
const BEST: Colour = [0x2e, 0xa0, 0x43];
/// Moves that go on.
const ON: Colour = [0x7b, 0xc9, 0x6f];
/// Moves that are cut first; moves cut later have a colour between this and `ON`.
const CUT: Colour = [0xd8, 0xd8, 0xd8];

/// Red, green, blue.
type Colour = [u8; 3];

/// A cell with its colour and label.
struct ColouredCell {
    cell: String,
    colour: Colour,
    label: Option<String>,
}

/// A round that has ended, with its number from 0. Moves that go on are labelled with their rank.
/// `moves` are the texts of the arms.
pub(crate) fn round(index: usize, round: &Round, moves: &[String], vertices: Vertices) -> String {
    let looks = round.ranking.iter().enumerate().map(|(rank, ranked)| match rank {
        0 => (ranked.arm, BEST, Some("1".to_owned())),
        _ if rank < round.kept => (ranked.arm, ON, Some((rank + 1).to_string())),
        _ => (ranked.arm, CUT, None),
    });
    let n_arms = round.ranking.len();
    let text =
        format!("round {}: {} of {n_arms} go on, {} samples each", index + 1, round.kept, round.samples_each);
    commands(&shown(looks, moves, vertices), &text)
}

/// All rounds of a search. Moves that went on to the end are labelled with their rank, the others
/// with the round in which they were cut: `r2`. `moves` are the texts of the arms.
pub(crate) fn rounds(rounds: &[Round], moves: &[String], vertices: Vertices) -> String {
    let survivors = rounds.last().into_iter().flat_map(|last| {
        let kept = last.ranking.iter().take(last.kept).enumerate();
        kept.map(|(rank, ranked)| {
            (ranked.arm, if rank == 0 { BEST } else { ON }, Some((rank + 1).to_string()))
        })
    });
    // The last round first: a move that was cut later was better.
    let cut = rounds.iter().enumerate().rev().flat_map(|(index, round)| {
        let colour = between(CUT, ON, index as f64 / rounds.len() as f64);
        let cut = round.ranking.iter().skip(round.kept);
        cut.map(move |ranked| (ranked.arm, colour, Some(format!("r{}", index + 1))))
    });
    let list = |number: fn(&Round) -> u64| {
        rounds.iter().map(|round| number(round).to_string()).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "{} rounds of {} moves with {} samples each",
        rounds.len(),
        list(|round| round.ranking.len() as u64),
        list(|round| round.samples_each)
    );
    commands(&shown(survivors.chain(cut), moves, vertices), &text)
}

/// The cells of the arms, the best first, each cell once.
fn shown(
    looks: impl Iterator<Item = (usize, Colour, Option<String>)>,
    moves: &[String],
    vertices: Vertices,
) -> Vec<ColouredCell> {
    let mut seen = BTreeSet::new();
    let with_cell = looks.filter_map(|(arm, colour, label)| {
        let cell = vertices.shown_at(moves.get(arm)?)?;
        seen.insert(cell.clone()).then_some(ColouredCell { cell, colour, label })
    });
    with_cell.collect()
}

/// The commands for these cells, one line for each colour.
fn commands(cells: &[ColouredCell], text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for group in cells.chunk_by(|one, other| one.colour == other.colour) {
        let [red, green, blue] = group[0].colour;
        let names: Vec<&str> = group.iter().map(|shown| shown.cell.as_str()).collect();
        lines.push(format!("COLOR #{red:02x}{green:02x}{blue:02x} {}", names.join(" ")));
    }
    let label = |shown: &ColouredCell| shown.label.as_ref().map(|label| format!("{} {label}", shown.cell));
    let labels: Vec<String> = cells.iter().filter_map(label).collect();
    if !labels.is_empty() {
        lines.push(format!("LABEL {}", labels.join(" ")));
    }
    lines.push(format!("TEXT {text}"));
    lines.join("\n")
}

/// A colour between two, from 0 for the first to 1 for the second.
fn between(first: Colour, second: Colour, share: f64) -> Colour {
    let mix = |index: usize| {
        let [first, second] = [first[index], second[index]].map(f64::from);
        (first + share * (second - first)).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use tesuji_core::Ranked;

    use super::*;

    fn made(arms: &[usize], kept: usize, samples_each: u64) -> Round {
        let ranked = |&arm: &usize| Ranked { arm, q: 0.5, mean: 0.5, bonus: 0.0 };
        Round {
            samples_each,
            ranking: arms.iter().map(ranked).collect(),
            kept,
            comebacks: 0,
            calibration: None,
        }
    }

    fn moves() -> Vec<String> {
        ["a1", "i2", "pass", "c3", "a1-b2"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_round_shows_who_goes_on() {
        let text = round(1, &made(&[3, 0, 2, 4, 1], 2, 62), &moves(), Vertices::PLAIN);
        let wanted = "\
COLOR #2ea043 C3
COLOR #7bc96f A1
COLOR #d8d8d8 B2 I2
LABEL C3 1 A1 2
TEXT round 2: 2 of 5 go on, 62 samples each";
        assert_eq!(text, wanted);
    }

    #[test]
    fn all_rounds_show_when_a_move_was_cut() {
        let all = [made(&[3, 0, 1, 4], 2, 10), made(&[0, 3], 1, 20)];
        let text = rounds(&all, &moves(), Vertices::PLAIN);
        let wanted = "\
COLOR #2ea043 A1
COLOR #aad1a4 C3
COLOR #d8d8d8 I2 B2
LABEL A1 1 C3 r2 I2 r1 B2 r1
TEXT 2 rounds of 4, 2 moves with 10, 20 samples each";
        assert_eq!(text, wanted);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let text = round(0, &made(&[2, 9], 1, 5), &moves(), Vertices::PLAIN);
        assert_eq!(text, "TEXT round 1: 1 of 2 go on, 5 samples each");
        assert_eq!(rounds(&[], &[], Vertices::PLAIN), "TEXT 0 rounds of  moves with  samples each");
        let twice = round(
            0,
            &made(&[4, 5], 1, 5),
            &["a1", "", "", "", "a1-b2", "b2"].map(str::to_owned),
            Vertices::PLAIN,
        );
        assert_eq!(twice, "COLOR #2ea043 B2\nLABEL B2 1\nTEXT round 1: 1 of 2 go on, 5 samples each");
    }
}
