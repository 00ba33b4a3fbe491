use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

fn query(game: &str, moves: &str, player: &str, budget: u64) -> Query {
    let game: GameSpec = game.parse().unwrap();
    let mut position = game.start().unwrap();
    for mv in moves.split_whitespace() {
        position.play(mv).unwrap();
    }
    Query::new(game, position, player.parse().unwrap(), Budget::Samples(budget)).unwrap()
}

type Told = (u64, News);

fn teller(key: u64, sender: &Sender<Told>) -> impl FnMut(&Query, News) + Send + 'static {
    let sender = sender.clone();
    move |_, news| sender.send((key, news)).unwrap()
}

fn done(told: Told) -> (u64, Found) {
    match told {
        (key, News::Done(found)) => (key, *found),
        (key, _) => panic!("{key} is not done"),
    }
}

/// What a few queries find, by their keys, on so many workers.
fn answers(workers: usize) -> Vec<(u64, Report<String>)> {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(workers);
    let players =
        ["rave", "sh+uct", "uct(c=0.3)+solver", "shot", "random", "uct+trees(2)", "ucb(c=0.4)+rave"];
    for (key, player) in (0..).zip(players) {
        for (part, game) in (0..).zip(["hex:5", "domineering:4"]) {
            let key = 10 * key + part;
            let mut query = query(game, "", player, 500);
            query.seed = Seed::new(key);
            analysis.submit(key, query, teller(key, &sender)).unwrap();
        }
    }
    drop((analysis, sender));
    let mut answers: Vec<_> = receiver.iter().map(done).map(|(key, found)| (key, found.report)).collect();
    answers.sort_by_key(|(key, _)| *key);
    assert_eq!(answers.len(), 14);
    answers
}

#[test]
fn answers_are_the_same_on_any_number_of_workers_and_those_of_a_plain_search() {
    let one = answers(1);
    assert_eq!(one, answers(3));
    let query = query("hex:5", "", "rave", 500);
    let mut player = query.game().player(query.player().config()).unwrap();
    let plain = player.search(
        &*query.position().sight(),
        &Limits::samples(500).with_confidence(),
        Seed::new(0),
        None,
    );
    let plain = query.position().in_words(plain);
    assert_eq!(one[0], (0, plain));
}

#[test]
fn the_last_standing_is_that_of_the_report() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    for (key, player) in (0..).zip(["rave", "sh+uct", "uct+trees(3)", "hybrid-shuss(t=64)"]) {
        analysis.submit(key, query("hex:5", "", player, 400), teller(key, &sender)).unwrap();
        let (_, found) = done(receiver.recv().unwrap());
        let standing = found.standing.unwrap();
        assert_eq!(standing.visits, 400);
        for arm in &found.report.arms {
            let candidate = standing.candidates.iter().find(|candidate| candidate.mv == arm.mv).unwrap();
            assert_eq!(candidate.visits, arm.visits, "{player}");
            assert_eq!(Some(candidate.winrate).filter(|_| arm.visits > 0), arm.mean, "{player}");
            assert_eq!(candidate.line[0], arm.mv);
        }
        assert_eq!(Some(&standing.candidates[0].mv), found.report.mv().as_ref(), "{player}");
    }
}

/// Whether the worker is at a search that only a cancel will end.
fn begun(analysis: &Analysis<u64>, receiver: &Receiver<Told>) {
    let (key, news) = receiver.recv().unwrap();
    assert!(key == 0 && matches!(news, News::Progress(_)));
    assert!(!analysis.wait_for_all(Duration::from_millis(1)));
}

fn endless() -> Query {
    let mut endless = query("go:9", "", "uct", 1);
    endless.budget = Budget::Time(Duration::from_secs(3600));
    endless.every = Some(Duration::from_millis(10));
    endless
}

#[test]
fn queries_are_cancelled_while_they_run_and_while_they_wait() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    analysis.submit(0, endless(), teller(0, &sender)).unwrap();
    begun(&analysis, &receiver);
    for key in 1..=3 {
        analysis.submit(key, query("go:9", "", "uct", 100), teller(key, &sender)).unwrap();
    }
    assert_eq!(analysis.submit(2, endless(), teller(9, &sender)), Err(Taken));
    assert_eq!(analysis.submit(0, endless(), teller(9, &sender)), Err(Taken));
    assert!(analysis.cancel(&2) && !analysis.cancel(&2) && !analysis.cancel(&77));
    let is_done = |news: &News| !matches!(news, News::Progress(_));
    let next = || done(receiver.iter().find(|(_, news)| is_done(news)).unwrap());
    let (key, found) = next();
    assert_eq!((key, found.report.chosen, found.report.spent), (2, None, 0));
    assert_eq!(found.report.stop, Some(SearchStop::Cancelled));
    // The key is free again, and the others go on once the first is cancelled.
    analysis.submit(2, query("go:9", "", "uct", 100), teller(2, &sender)).unwrap();
    assert!(analysis.cancel(&0));
    let (key, found) = next();
    assert_eq!((key, found.report.stop), (0, Some(SearchStop::Cancelled)));
    assert!(found.report.chosen.is_some() && found.report.spent > 0);
    for expected in [1, 3, 2] {
        let (key, found) = next();
        assert_eq!((key, found.report.spent), (expected, 100));
    }
    assert!(analysis.wait_for_all(Duration::from_secs(60)));
    assert_eq!(analysis.cancel_all(), 0);
}

#[test]
fn all_are_cancelled_together() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    analysis.submit(0, endless(), teller(0, &sender)).unwrap();
    begun(&analysis, &receiver);
    for key in 1..100 {
        analysis.submit(key, query("go:9", "", "uct", 100), teller(key, &sender)).unwrap();
    }
    assert_eq!(analysis.cancel_all(), 100);
    drop((analysis, sender));
    let ended = receiver.iter().filter(|(_, news)| matches!(news, News::Done(_))).count();
    assert_eq!(ended, 100);
}

#[test]
fn there_is_room_for_so_many() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    analysis.submit(0, endless(), teller(0, &sender)).unwrap();
    begun(&analysis, &receiver);
    let mut heavy = query("hex:3", "", "random", 1);
    heavy.weight = MOST_WAITING;
    assert!(analysis.has_room());
    analysis.submit(1, heavy, teller(1, &sender)).unwrap();
    assert!(!analysis.has_room() && !analysis.wait_for_room(Duration::from_millis(1)));
    analysis.cancel(&0);
    assert!(analysis.wait_for_room(Duration::from_secs(60)));
}

/// One tree may be proved with its share, and the other not: with 500 samples, about every
/// second one is.
#[test]
fn trees_that_are_proved_do_not_keep_the_others_waiting() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    for seed in 0..20 {
        let mut query = query("domineering:4", "", "uct+solver+trees(2)", 1000);
        (query.seed, query.every) = (Seed::new(seed), Some(Duration::from_millis(10)));
        analysis.submit(seed, query, teller(seed, &sender)).unwrap();
    }
    drop((analysis, sender));
    assert_eq!(receiver.iter().filter(|(_, news)| matches!(news, News::Done(_))).count(), 20);
}

#[test]
fn a_position_without_moves_is_answered_too() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    analysis.submit(0, query("hex:2", "a1 b1 a2", "rave", 100), teller(0, &sender)).unwrap();
    let (_, found) = done(receiver.recv().unwrap());
    assert_eq!((found.report.chosen, found.standing), (None, None));
}

#[test]
fn who_cannot_play_the_game_is_refused() {
    let game: GameSpec = "phantom-go:5".parse().unwrap();
    let position = game.start().unwrap();
    assert!(Query::new(game, position, "rave".parse().unwrap(), Budget::Samples(1)).is_err());
}

#[test]
fn a_query_may_exclude_moves_and_focus_on_one() {
    let (sender, receiver) = channel();
    let analysis = Analysis::new(1);
    for (key, player) in (0..).zip(["rave", "sh+uct", "shot", "flat(ucb(c=0.4))"]) {
        let mut query = query("hex:4", "", player, 300);
        let only = ["b2", "c3", "d1"];
        query.steering = Steering::read(query.position(), Some(&only), &["d1"], &["c3"]).unwrap();
        query.focus_budget = Some(Budget::Samples(100));
        analysis.submit(key, query, teller(key, &sender)).unwrap();
    }
    drop((analysis, sender));
    for told in receiver.iter() {
        let (key, Found { report, standing, .. }) = done(told);
        let moves: Vec<&str> = report.arms.iter().map(|arm| arm.mv.as_str()).collect();
        assert_eq!((moves, report.spent, report.visits()), (vec!["b2", "c3"], 400, 400), "{key}");
        assert_eq!((report.focused[0].arm, report.focused[0].samples), (1, 100), "{key}");
        // The last thing that it told agrees with the report.
        let standing = standing.unwrap();
        assert_eq!(Some(&standing.candidates[0].mv), report.mv().as_ref(), "{key}");
        assert_eq!(standing.visits, 400, "{key}");
    }
}
