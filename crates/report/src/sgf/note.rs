//! What a search said of a position, as properties of its node that other programs read.
//!
//! - `LZ`, of Lizzie and LizzieYzy (`rules/SGFParser.java`, `formatNodeData`, and
//!   `rules/BoardData.java`, `bestMovesToString`, of featurecat/lizzie): the program; the win rate in
//!   per cent of the side that does not move; the samples; and on a second line the moves, as Leela
//!   Zero reports them to the side that moves, each with ` info ` behind it. Written for Go without
//!   hidden stones alone, since Lizzie shows no other game.
//! - `SBKV`, of Sabaki (`modules/sabaki.js` of SabakiHQ/Sabaki): Black's win rate in per cent, to two
//!   decimals.
//! - A comment for people.
//!
//! All of them belong to the node of the position that was searched, so to the one before the move
//! that the search chose.

use std::fmt::Write as _;

use tesuji_arena::{MoveAnalysis, MoveNumbers, RecordedMove, SearchedMove};
use tesuji_catalog::GameSpec;
use tesuji_core::grouped;

use crate::numbers::decimal;
use crate::search::order;

/// The moves in a comment.
const COMMENTED: usize = 5;

/// What is written at the node of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// The number of moves before the position: 0 for the root.
    pub ply: usize,
    /// The text of the property `LZ`, if it is written.
    pub lizzie: Option<String>,
    /// The text of the property `SBKV`, if the win rate is known.
    pub sabaki: Option<String>,
    /// A comment in lines of text.
    pub comment: String,
}

impl Note {
    /// What the search by `player` said that chose a move.
    pub fn of(game: &GameSpec, player: &str, analysis: &MoveAnalysis) -> Note {
        let is_plain_go = game.info().name == "go" && !game.is_misere();
        let lizzie = match &analysis.numbers {
            MoveNumbers::Searched(searched) if is_plain_go => lizzie(analysis, searched),
            _ => None,
        };
        let sabaki = analysis.mean_of_black().map(|mean| format!("{}", (mean * 1e4).round() / 1e2));
        Note { ply: analysis.ply, lizzie, sabaki, comment: comment(player, analysis) }
    }
}

/// The value of the property `LZ`.
fn lizzie(analysis: &MoveAnalysis, searched: &SearchedMove) -> Option<String> {
    let vertex = |mv: &str| if mv == "pass" { mv.to_owned() } else { mv.to_ascii_uppercase() };
    let (mean, report) = (analysis.mean()?, &searched.report);
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("tesuji-{version} {:.1} {}\n", 100.0 - 100.0 * mean, report.visits());
    for arm in order(report) {
        let arm = &report.arms[arm];
        let Some(mean) = arm.mean.filter(|_| arm.visits > 0) else { continue };
        let line: Vec<String> = line(searched, &arm.mv).iter().map(|mv| vertex(mv)).collect();
        let (mv, visits, winrate) = (vertex(&arm.mv), arm.visits, (mean * 1e4).round());
        let _ = write!(text, "move {mv} visits {visits} winrate {winrate} pv {} info ", line.join(" "));
    }
    Some(text)
}

/// The moves that the search expected, beginning with this one.
fn line<'a>(searched: &'a SearchedMove, mv: &'a str) -> Vec<&'a str> {
    let candidates = searched.standing.iter().flat_map(|standing| &standing.candidates);
    let line = candidates.into_iter().find(|candidate| candidate.mv == mv);
    line.map_or_else(|| vec![mv], |candidate| candidate.line.iter().map(String::as_str).collect())
}

fn percent(share: f64) -> String {
    format!("{} %", decimal(100.0 * share, 1))
}

fn comment(player: &str, analysis: &MoveAnalysis) -> String {
    let side = if analysis.side == tesuji_core::Side::Black { "Black" } else { "White" };
    let mv = &analysis.mv;
    let expects = match analysis.mean() {
        Some(mean) => format!("expects {} of {mv}", percent(mean)),
        None => format!("plays {mv}, which got no samples"),
    };
    let mut text = format!("{side} ({player}) {expects}");
    let samples = |visits: u64| match visits {
        1 => "1 sample".to_owned(),
        visits => format!("{} samples", grouped(visits)),
    };
    match &analysis.numbers {
        MoveNumbers::Searched(searched) => {
            let report = &searched.report;
            let _ = writeln!(text, "; {}", samples(report.visits()));
            let sampled = order(report).into_iter().map(|arm| &report.arms[arm]);
            let moves: Vec<String> = sampled
                .filter_map(|arm| Some(format!("{} {}, {}", arm.mv, percent(arm.mean?), samples(arm.visits))))
                .take(COMMENTED)
                .collect();
            text += &moves.join("; ");
            let line = line(searched, mv);
            if line.len() > 1 {
                let _ = write!(text, "\nLine: {}", line.join(" "));
            }
        }
        MoveNumbers::Recorded(moves) => {
            text += "; as it was recorded\n";
            let mut by_share: Vec<&RecordedMove> = moves.iter().filter(|one| one.share > 0.0).collect();
            by_share.sort_by(|a, b| b.share.total_cmp(&a.share));
            let one = |one: &&RecordedMove| {
                let mean = one.mean.map_or(String::new(), |mean| format!(" {},", percent(mean.into())));
                format!("{}{mean} policy {}", one.mv, percent(one.share.into()))
            };
            text += &by_share.iter().take(COMMENTED).map(one).collect::<Vec<_>>().join("; ");
        }
    }
    text
}
