//! Campaigns driven from outside: games in any order, lost, half lost, across a border of
//! text. What is in the store at the end is what a run here leaves.

use std::sync::atomic::AtomicBool;

use tesuji_arena::record::Game;
use tesuji_arena::{
    Campaign, Chunk, Definition, Ending, FinishedGame, MatchExperiment, RunError, RunSettings, Store, Worker,
};
use tesuji_core::Seed;

fn experiment(name: &str) -> MatchExperiment {
    let text = "title='t'\nseed=5\ngames=14\nrules={random_plies=1}\n[[grid]]\ngame='{game}'\nplayer='uct@30'\n\
        opponent='rave@20'\neach=[{name='game',values=['hex:3','domineering:4','breakthrough:4x5']}]";
    MatchExperiment::parse(Definition::built_in(name, text, &[]).unwrap()).unwrap()
}

fn games(experiment: &MatchExperiment, store: &Store) -> Vec<Game> {
    let of_cell = |cell: &tesuji_arena::Cell| store.games(experiment.address, &cell.key).unwrap();
    experiment.cells.iter().flat_map(of_cell).collect()
}

fn undisturbed(experiment: &MatchExperiment) -> Vec<Game> {
    let mut store = Store::in_memory().unwrap();
    experiment.run(&RunSettings::on_threads(2), &mut store).unwrap();
    games(experiment, &store)
}

/// Plays a chunk elsewhere: what comes back is text.
fn played(experiment: &MatchExperiment, chunk: &Chunk) -> Vec<FinishedGame> {
    let mut worker = Worker::new(experiment).of_build("elsewhere");
    let play = |index: &u64| worker.play(chunk.cell, *index, &AtomicBool::new(false));
    let finished: Vec<FinishedGame> = chunk.indices.iter().map(play).collect();
    let text = serde_json::to_string(&finished).unwrap();
    let read: Vec<FinishedGame> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, finished);
    read
}

#[test]
fn a_driver_that_loses_chunks_leaves_the_rows_of_a_run() {
    let experiment = experiment("e");
    let expected = undisturbed(&experiment);
    for seed in 0..5 {
        let mut store = Store::in_memory().unwrap();
        let mut rng = Seed::new(seed).child("campaign").rng();
        let campaign = Campaign::open(&experiment, &mut store, RunSettings::default()).unwrap();
        let mut out: Vec<Chunk> = Vec::new();
        loop {
            while out.len() < 4 {
                let most = 1 + rng.below(5) as usize;
                let Some(chunk) = campaign.chunk(most) else { break };
                assert!((1..=most).contains(&chunk.indices.len()));
                out.push(chunk);
            }
            assert_eq!(campaign.is_playing(), !out.is_empty());
            if out.is_empty() {
                break;
            }
            let chunk = out.swap_remove(rng.below(out.len() as u32) as usize);
            // Some never come back, and of some the first games do.
            let back = match rng.below(3) {
                0 => 0,
                1 => chunk.indices.len(),
                _ => rng.below(chunk.indices.len() as u32 + 1) as usize,
            };
            let (come, lost) = chunk.indices.split_at(back);
            for finished in played(&experiment, &Chunk { cell: chunk.cell, indices: come.to_vec() }) {
                campaign.take(&finished).unwrap();
            }
            lost.iter().for_each(|index| campaign.lost(chunk.cell, *index).unwrap());
        }
        let summary = campaign.summary();
        assert_eq!((summary.played, summary.missing), (expected.len() as u64, 0));
        drop(campaign);
        assert!(games(&experiment, &store) == expected, "seed {seed}");
    }
}

#[test]
fn a_campaign_goes_on_where_another_stopped() {
    let experiment = experiment("e");
    let mut store = Store::in_memory().unwrap();
    let campaign = Campaign::open(&experiment, &mut store, RunSettings::default()).unwrap();
    let first = campaign.chunk(4).unwrap();
    played(&experiment, &first).iter().for_each(|finished| campaign.take(finished).unwrap());
    // Given out, and never back.
    campaign.chunk(4).unwrap();
    drop(campaign);
    let campaign = Campaign::open(&experiment, &mut store, RunSettings::default()).unwrap();
    assert_eq!(campaign.summary().missing, 3 * 14 - 4);
    while let Some(chunk) = campaign.chunk_lasting(0.5, 100) {
        played(&experiment, &chunk).iter().for_each(|finished| campaign.take(finished).unwrap());
    }
    drop(campaign);
    assert!(games(&experiment, &store) == undisturbed(&experiment));
}

#[test]
fn chunks_grow_with_what_is_known_and_shrink_towards_the_end() {
    let experiment = experiment("e");
    let settings = RunSettings::on_threads(2);
    let campaign = Campaign::open(&experiment, Store::in_memory().unwrap(), settings).unwrap();
    let mut sizes = Vec::new();
    while let Some(chunk) = campaign.chunk_lasting(1e6, 100) {
        sizes.push(chunk.indices.len());
        played(&experiment, &chunk).iter().for_each(|finished| campaign.take(finished).unwrap());
    }
    // One game of each cell tells how long its games take.
    assert!(sizes.iter().filter(|size| **size == 1).count() >= 3, "{sizes:?}");
    assert_eq!(sizes[0], 1);
    assert!(*sizes.iter().max().unwrap() > 5 && *sizes.last().unwrap() <= 2, "{sizes:?}");
    assert_eq!(sizes.iter().sum::<usize>(), 3 * 14);
}

#[test]
fn strays_are_refused() {
    let (experiment, other) = (experiment("e"), experiment("other"));
    let campaign = Campaign::open(&experiment, Store::in_memory().unwrap(), RunSettings::default()).unwrap();
    let chunk = campaign.chunk(2).unwrap();
    let stray = &played(&other, &chunk)[0];
    assert!(matches!(campaign.take(stray), Err(RunError::Stray { .. })));
    let beyond = FinishedGame { cell: 9, index: 0, ending: Ending::Cancelled };
    assert!(matches!(campaign.take(&beyond), Err(RunError::Stray { .. })));
    // A game that was let go is given out again.
    campaign
        .take(&FinishedGame { cell: chunk.cell, index: chunk.indices[1], ending: Ending::Cancelled })
        .unwrap();
    campaign.lost(chunk.cell, chunk.indices[0]).unwrap();
    assert!(matches!(campaign.lost(chunk.cell, chunk.indices[0]), Err(RunError::Stray { .. })));
    let mut again = campaign.chunk(2).unwrap();
    again.indices.sort_unstable();
    assert_eq!(again, chunk);
}

/// A network whose values are out of range in the middle of games.
#[test]
fn a_network_that_fails_ends_the_run() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/networks/late.onnx");
    let text = format!(
        "title='t'\nseed=5\ngames=4\n[[grid]]\ngame='hex:3'\nplayer='{{player}}'\nopponent='random'\n\
         each=[{{name='player',values=['uct@20','puct+net(\"{file}\")@300']}}]"
    );
    let experiment = MatchExperiment::parse(Definition::built_in("n", &text, &[]).unwrap()).unwrap();
    for threads in [1, 3] {
        let mut store = Store::in_memory().unwrap();
        // With one thread, the games of the first cell are played before.
        let error = experiment.run(&RunSettings::on_threads(threads), &mut store).unwrap_err();
        assert!(matches!(error, RunError::Network(_)), "{error}");
        assert!(error.to_string().ends_with("late.onnx' failed: the value 2 is not a reward from 0 to 1; a head that ends in tanh has values from -1 to 1, one that ends in a sigmoid from 0 to 1"), "{error}");
        let n_stored = games(&experiment, &store).len();
        assert!(n_stored <= 4 && (threads > 1 || n_stored > 0), "{n_stored}");
    }
}
