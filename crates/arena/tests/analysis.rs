//! The searches of stored games are made again, and a game that does not come out again is named.

use std::sync::atomic::AtomicBool;

use tesuji_arena::record::Game;
use tesuji_arena::{AnalysisError, AnalysisSource, Definition, GameAnalysis, MatchExperiment};

fn experiment(rules: &str, game: &str, player: &str, opponent: &str) -> MatchExperiment {
    let text = format!(
        "title = \"\"\nseed = 1\ngames = 4\nrules = {{ {rules} }}\n[[grid]]\ngame = '{game}'\n\
         player = '{player}'\nopponent = '{opponent}'\n"
    );
    MatchExperiment::parse(Definition::built_in("analysis", &text, &[]).unwrap()).unwrap()
}

fn analyse(experiment: &MatchExperiment, game: &Game) -> Result<GameAnalysis, AnalysisError> {
    let cancel = AtomicBool::new(false);
    experiment.analyse(&experiment.cells[0], game, None, AnalysisSource::Again, &cancel)
}

#[test]
fn every_searched_move_is_found_again() {
    for (rules, game, player, opponent) in [
        ("random_plies = 2, resign_below = 0.3, claim_above = 0.8", "breakthrough:4x5", "uct@60", "rave@40"),
        ("most_moves = 9", "go:5", "uct+reuse@30", "vct(stop=0.05)+uct@60"),
        ("", "phantom-go:4", "flat(sh)@20", "flat(uniform)@16"),
        ("", "dark-hex:3", "flat(uniform)@8", "random"),
        ("pairing = \"seeds\"", "go:5", "turned(3,uct@20)", "rave@20"),
    ] {
        let experiment = experiment(rules, game, player, opponent);
        for index in 0..experiment.games {
            let played = experiment.replay(&experiment.cells[0], index).unwrap();
            let analysis = analyse(&experiment, &played).unwrap();
            assert_eq!(analysis.n_unknown, 0);
            let moves: Vec<&str> = played.moves.split(' ').filter(|word| !word.starts_with('?')).collect();
            let mut last = None;
            for one in &analysis.moves {
                assert!(one.ply >= played.opening as usize && last < Some(one.ply), "{game}: {one:?}");
                assert_eq!(moves[one.ply], one.mv, "{game}");
                assert!(one.visits() > Some(0));
                last = Some(one.ply);
            }
            // The samples of the record are those of its moves. In phantom games a player that is
            // refused everything searches once more for the same move.
            if opponent != "random" && !experiment.cells[0].game.info().is_hidden && !player.contains("reuse")
            {
                let visits: u64 = analysis.moves.iter().filter_map(|one| one.visits()).sum();
                assert_eq!(visits, played.samples.iter().sum::<u64>(), "{game}");
            }
        }
    }
}

#[test]
fn a_game_that_was_changed_is_named() {
    let experiment = experiment("", "hex:4", "uct@30", "uct@20");
    let played = experiment.replay(&experiment.cells[0], 0).unwrap();
    let mut moves: Vec<&str> = played.moves.split(' ').collect();
    let last = moves.len() - 1;
    moves.swap(last, last - 2);
    let changed = Game { moves: moves.join(" "), ..played.clone() };
    let error = analyse(&experiment, &changed).unwrap_err().to_string();
    let id = experiment.cells[0].game_id(0);
    let expected = format!(
        "game {id} came out differently at move {}: it has {}, and the search now chooses {}",
        last - 1,
        moves[last - 2],
        moves[last]
    );
    assert_eq!(error, expected);
    // A game that stops earlier may have ended by resignation.
    let shorter = Game { moves: moves[..4].join(" "), ..played };
    assert_eq!(analyse(&experiment, &shorter).unwrap().moves.len(), 4);
}

#[test]
fn an_analysis_can_be_cancelled() {
    let experiment = experiment("", "hex:4", "uct@30", "uct@20");
    let played = experiment.replay(&experiment.cells[0], 0).unwrap();
    let cell = &experiment.cells[0];
    let analysis = experiment.analyse(cell, &played, None, AnalysisSource::Again, &AtomicBool::new(true));
    assert!(matches!(analysis, Err(AnalysisError::Cancelled)));
}
