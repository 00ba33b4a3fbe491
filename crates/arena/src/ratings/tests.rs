use super::*;
use crate::statistics::{Strength, Tally};

fn settings(prior: f64) -> RatingSettings {
    RatingSettings { prior, bootstrap: 0, ..RatingSettings::default() }
}

/// Single games: won, drawn and lost by the player when it moved first, then the others.
fn singles(player: usize, opponent: usize, first: [u64; 3], second: [u64; 3]) -> Meeting {
    let count = |[wins, draws, losses]: [u64; 3]| Count { wins, draws, losses };
    Meeting { singles: [count(first), count(second)], ..Meeting::new(player, opponent, 0) }
}

fn rating(ratings: &Ratings, player: usize) -> Rating {
    ratings.players[player].unwrap()
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} and {expected}");
}

/// A list of five players with some of everything.
fn five() -> Vec<Meeting> {
    let mut meetings = vec![
        singles(0, 1, [7, 2, 3], [5, 1, 4]),
        singles(2, 0, [4, 0, 2], [1, 1, 6]),
        Meeting::new(1, 2, 0),
        Meeting::new(3, 4, 0),
        Meeting { game: 1, ..Meeting::new(2, 3, 0) },
    ];
    meetings[2].pairs = [[2, 0, 5], [1, 3, 0], [4, 2, 6]];
    meetings[3].pairs = [[1, 1, 7], [0, 2, 1], [9, 0, 2]];
    meetings[4].pairs = [[5, 0, 1], [2, 2, 0], [1, 1, 3]];
    meetings
}

/// Without an advantage, the most likely difference of two players is the Elo of the score, and so
/// is its error. The prior of a thousandth of a game moves it by about 0.0002 Elo.
#[test]
fn two_players_are_as_far_apart_as_their_score_says() {
    for (wins, draws, losses) in [(300, 50, 150), (420, 0, 180), (200, 500, 100)] {
        let meeting = singles(0, 1, [wins, draws, losses], [wins, draws, losses]);
        let ratings = Ratings::of(2, 1, &[meeting], &settings(0.0));
        let by_side = [Count { wins, draws, losses }; 2];
        let strength = Strength::of(&Tally { by_side, pairs: [0; 5] }).unwrap();
        let difference = ratings.difference(0, 1).unwrap();
        near(difference.elo, strength.elo, 1e-3);
        // The weak assumption about the spread, and the parabola for the logistic curve.
        near(Z_95 * difference.standard_error, strength.elo_error, 0.01 * strength.elo_error);
        near(ratings.superiority(0, 1).unwrap(), strength.los, 1e-3);
        near(ratings.advantages[0].unwrap().elo, 0.0, 1e-6);
    }
}

/// Pairs say more if openings decide, and less if they are like one game counted twice.
#[test]
fn pairs_have_the_error_of_pentanomial_results() {
    for pairs in [[[10, 5, 250], [5, 40, 15], [250, 15, 90]], [[90, 5, 30], [5, 40, 15], [30, 15, 190]]] {
        let meeting = Meeting { pairs, ..Meeting::new(0, 1, 0) };
        let ratings = Ratings::of(2, 1, &[meeting], &settings(0.0));
        let mut five = [0; 5];
        for (first, row) in pairs.iter().enumerate() {
            row.iter().enumerate().for_each(|(second, count)| five[first + second] += count);
        }
        // A tally counts pairs if they are all of its games.
        let wins = Count { wins: meeting.n_games(), ..Count::default() };
        let strength = Strength::of(&Tally { by_side: [wins, Count::default()], pairs: five }).unwrap();
        let difference = ratings.difference(0, 1).unwrap();
        near(difference.elo, strength.elo, 1e-3);
        near(Z_95 * difference.standard_error, strength.elo_error, 0.02 * strength.elo_error);
        near(rating(&ratings, 0).error, strength.elo_error / 2.0, 0.01 * strength.elo_error);
    }
}

#[test]
fn the_advantage_is_the_score_of_the_side_that_moves_first() {
    let meeting = singles(0, 1, [320, 0, 180], [180, 0, 320]);
    let ratings = Ratings::of(2, 1, &[meeting], &settings(0.0));
    let advantage = ratings.advantages[0].unwrap();
    near(advantage.elo, 400.0 * (0.64_f64 / 0.36).log10(), 1e-3);
    near(advantage.error, Z_95 * ELO / (1000.0 * 0.64_f64 * 0.36).sqrt(), 0.2);
    assert_eq!((advantage.games, advantage.draws), (1000, 0.0));
    near(ratings.difference(0, 1).unwrap().elo, 0.0, 1e-6);
}

/// On the first board openings decide both games of most pairs, on the second one the games of a
/// pair are independent: the quarters of a pair's four results.
#[test]
fn each_board_has_its_own_dispersion() {
    let mut meetings = [Meeting::new(0, 1, 0), Meeting { game: 1, ..Meeting::new(0, 1, 0) }];
    meetings[0].pairs = [[10, 0, 90], [0, 0, 0], [90, 0, 10]];
    meetings[1].pairs = [[50, 0, 50], [0, 0, 0], [50, 0, 50]];
    let ratings = Ratings::of(2, 2, &meetings, &settings(0.0));
    let [decided, independent] = [0, 1].map(|game| ratings.advantages[game].unwrap());
    // A tenth of the pairs has a sum other than 1, against a half. The weak assumption of a factor
    // of 1 has a weight of four pairs of 200.
    near(decided.dispersion, 0.2, 0.03);
    near(independent.dispersion, 1.0, 0.03);
    near(ratings.dispersion(), 0.6, 0.03);
    // The advantage depends on the difference: nine tenths, against a half.
    near(decided.error / independent.error, 1.8_f64.sqrt(), 0.03);
    let plan = ratings.plan();
    let gain = |game| plan.gain(Question::List, 0, 1, game, 2);
    assert!(gain(0) > 4.0 * gain(1), "{} and {}", gain(0), gain(1));
}

#[test]
fn groups_have_their_own_zeros() {
    let meetings = [singles(1, 3, [5, 0, 3], [4, 0, 4]), singles(2, 5, [2, 1, 0], [0, 0, 1])];
    let anchor = Some(Anchor { player: 5, elo: 2000.0 });
    let ratings = Ratings::of(6, 1, &meetings, &RatingSettings { anchor, ..RatingSettings::default() });
    assert_eq!(ratings.groups, [vec![0], vec![1, 3], vec![2, 5], vec![4]]);
    assert_eq!((ratings.players[0], ratings.players[4]), (None, None));
    near(rating(&ratings, 1).elo + rating(&ratings, 3).elo, 0.0, 1e-9);
    let anchored = rating(&ratings, 5);
    let interval = Interval { low: 2000.0, high: 2000.0 };
    assert_eq!((anchored.elo, anchored.error, anchored.interval), (2000.0, 0.0, interval));
    assert_eq!(anchored.bootstrap, Some(interval));
    assert_eq!((ratings.superiority(1, 2), ratings.superiority(0, 1)), (None, None));
    assert!(ratings.superiority(2, 5) > Some(0.5));
    // The group with more games is first, players without games are last.
    assert_eq!(ratings.order(), [1, 3, 2, 5, 0, 4]);
    assert_eq!(ratings.answer(Question::First, 0.5), None);
    assert!(!ratings.is_within(1e9));
}

/// Everything is finite, and in the right order.
#[test]
fn extreme_results() {
    let lists = [
        vec![singles(0, 1, [10, 0, 0], [10, 0, 0]), singles(1, 2, [3, 0, 3], [3, 1, 3])],
        vec![singles(0, 1, [1, 0, 0], [0, 0, 0])],
        vec![singles(0, 1, [0, 9, 0], [0, 9, 0]), singles(1, 2, [0, 9, 0], [0, 9, 0])],
        // The player that moved first won every game, and two players always had the same side.
        vec![singles(0, 1, [20, 0, 0], [0, 0, 0]), singles(1, 2, [20, 0, 0], [0, 0, 0])],
        // Two players won all games against the others and half of those against each other.
        vec![
            singles(0, 1, [5, 0, 5], [5, 0, 5]),
            singles(2, 3, [5, 0, 5], [5, 0, 5]),
            singles(0, 2, [500, 0, 0], [500, 0, 0]),
        ],
    ];
    for (index, list) in lists.iter().enumerate() {
        for prior in [0.0, 1.0] {
            let n_players =
                1 + list.iter().map(|meeting| meeting.opponent.max(meeting.player)).max().unwrap();
            let settings = RatingSettings { prior, bootstrap: 20, ..RatingSettings::default() };
            let ratings = Ratings::of(n_players, 1, list, &settings);
            for rating in ratings.players.iter().flatten() {
                let Rating { elo, error, interval, opponents, .. } = *rating;
                let numbers = [elo, error, interval.low, interval.high, opponents];
                assert!(numbers.iter().all(|number| number.is_finite()), "{index}: {rating:?}");
                assert!(error > 0.0, "{index}: {rating:?}");
            }
            let advantage = ratings.advantages[0].unwrap();
            assert!(advantage.elo.is_finite() && advantage.error.is_finite(), "{advantage:?}");
            assert!(ratings.superiority(0, 1) >= Some(0.49), "{index}: {ratings:?}");
        }
    }
    let ratings = Ratings::of(3, 1, &lists[0], &RatingSettings::default());
    assert_eq!(rating(&ratings, 0).extreme, Some(Extreme::AllWon));
    assert_eq!(rating(&ratings, 0).bootstrap, None);
    assert_eq!(rating(&ratings, 1).extreme, None);
    let draws = Ratings::of(3, 1, &lists[2], &RatingSettings::default());
    for rating in draws.players.iter().flatten() {
        // Independent games without draws have errors of 80 Elo and more.
        assert!(rating.elo.abs() < 1e-9 && (10.0..60.0).contains(&rating.error), "{rating:?}");
    }
    assert_eq!(draws.advantages[0].unwrap().draws, 1.0);
}

#[test]
fn nothing_at_all() {
    let none = Ratings::of(0, 0, &[], &RatingSettings::default());
    assert_eq!((none.order(), none.answer(Question::First, 0.05)), (vec![], None));
    let empty = Ratings::of(2, 1, &[Meeting::new(0, 1, 0)], &RatingSettings::default());
    assert_eq!((&empty.players, &empty.advantages), (&vec![None; 2], &vec![None]));
    assert_eq!(empty.dispersion(), 1.0);
    let json = serde_json::to_string(&empty).unwrap();
    assert_eq!(json, r#"{"players":[null,null],"advantages":[null],"groups":[[0],[1]]}"#);
}

/// Neither the order of the players nor that of the meetings matters, nor who is the player of a
/// meeting.
#[test]
fn players_may_be_in_any_order() {
    const PLACES: [usize; 5] = [3, 0, 4, 2, 1];
    let before = Ratings::of(5, 2, &five(), &settings(1.0));
    let mut meetings: Vec<Meeting> = five().into_iter().rev().collect();
    for meeting in &mut meetings {
        (meeting.player, meeting.opponent) = (PLACES[meeting.opponent], PLACES[meeting.player]);
        let turned = |count: Count| Count { wins: count.losses, draws: count.draws, losses: count.wins };
        meeting.singles = [turned(meeting.singles[1]), turned(meeting.singles[0])];
        let pairs = meeting.pairs;
        for (first, row) in pairs.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                meeting.pairs[2 - second][2 - first] = count;
            }
        }
    }
    let after = Ratings::of(5, 2, &meetings, &settings(1.0));
    for (player, &place) in PLACES.iter().enumerate() {
        let (left, right) = (rating(&before, player), rating(&after, place));
        near(left.elo, right.elo, 1e-6);
        near(left.error, right.error, 1e-6);
        near(left.opponents, right.opponents, 1e-6);
        assert_eq!((left.games, left.points), (right.games, right.points));
    }
    let order: Vec<usize> = before.order().into_iter().map(|player| PLACES[player]).collect();
    assert_eq!(order, after.order());
    near(before.advantages[1].unwrap().elo, after.advantages[1].unwrap().elo, 1e-6);
}

#[test]
fn an_anchor_shifts_a_list_and_changes_no_difference() {
    let free = Ratings::of(5, 2, &five(), &settings(1.0));
    let anchor = Some(Anchor { player: 2, elo: 1500.0 });
    let anchored = Ratings::of(5, 2, &five(), &RatingSettings { anchor, ..settings(1.0) });
    near(free.players.iter().flatten().map(|rating| rating.elo).sum(), 0.0, 1e-9);
    assert_eq!(rating(&anchored, 2).elo, 1500.0);
    for player in 0..5 {
        let difference = free.difference(player, 2).unwrap();
        near(rating(&anchored, player).elo - 1500.0, difference.elo, 1e-9);
        near(rating(&anchored, player).error, Z_95 * difference.standard_error, 1e-9);
        let opponents = rating(&free, player).opponents + 1500.0 - rating(&free, 2).elo;
        near(rating(&anchored, player).opponents, opponents, 1e-9);
        let other = (player + 1) % 5;
        near(anchored.superiority(player, other).unwrap(), free.superiority(player, other).unwrap(), 1e-12);
    }
}

/// The score that the ratings expect is the measured one: for each player if the prior is next to
/// nothing. It is what the derivatives of the likelihood say, computed another way.
#[test]
fn expected_scores_are_measured_scores() {
    let meetings = five();
    let ratings = Ratings::of(5, 2, &meetings, &settings(0.0));
    for player in 0..5 {
        let mut expected_points = 0.0;
        for meeting in &meetings {
            let sign = match player {
                _ if player == meeting.player => 1.0,
                _ if player == meeting.opponent => -1.0,
                _ => continue,
            };
            let advantage = ratings.advantages[meeting.game].unwrap().elo;
            let elo = ratings.difference(meeting.player, meeting.opponent).unwrap().elo;
            let games = [meeting.singles[0].games(), meeting.singles[1].games()];
            for (games, side) in games.into_iter().zip([1.0, -1.0]) {
                let score = 1.0 / (1.0 + 10.0_f64.powf(-(sign * (elo + side * advantage)) / 400.0));
                expected_points += (games + meeting.n_pairs()) as f64 * score;
            }
        }
        near(expected_points, rating(&ratings, player).points, 2e-3);
    }
}

/// The first pairs go to players without games, one after the other.
#[test]
fn a_plan_connects_all_players_first() {
    let meetings: Vec<Meeting> =
        (0..6).flat_map(|a| (a + 1..6).map(move |b| Meeting::new(a, b, 0))).collect();
    let ratings = Ratings::of(6, 1, &meetings, &settings(1.0));
    for question in [Question::List, Question::First] {
        let mut plan = ratings.plan();
        let mut planned = meetings.clone();
        for _ in 0..5 {
            let best = plan.best(question, &meetings, 2).unwrap();
            let Meeting { player, opponent, game, .. } = meetings[best];
            assert!(plan.gain(question, player, opponent, game, 2).is_finite());
            plan.add(player, opponent, game, 2);
            planned[best].pairs[2][0] += 1;
        }
        assert_eq!(groups::groups(6, &planned).len(), 1, "{question:?}");
    }
    let first = ratings.plan().best(Question::List, &meetings, 2);
    assert_eq!(first, Some(0));
    let of_two = |a, b| ratings.gain(Question::Ahead(0, 1), a, b, 0, 2);
    assert!(of_two(0, 1) > of_two(0, 2) && of_two(0, 2) > of_two(3, 4));
    assert_eq!(of_two(3, 4), 0.0);
}

/// What a plan expects of games is what they do, except for the change of scores and dispersion:
/// hence 5 %.
#[test]
fn gains_are_what_the_games_bring() {
    let mut meetings: Vec<Meeting> =
        (0..4).flat_map(|a| (a + 1..4).map(move |b| Meeting::new(a, b, 0))).collect();
    meetings.iter_mut().for_each(|meeting| meeting.pairs = [[20, 0, 25], [0, 0, 0], [25, 0, 30]]);
    let before = Ratings::of(4, 1, &meetings, &settings(1.0));
    let gain = before.gain(Question::Ahead(0, 1), 0, 1, 0, 200);
    let of_list = before.gain(Question::List, 0, 1, 0, 200);
    meetings[0].pairs.iter_mut().flatten().for_each(|count| *count *= 2);
    let after = Ratings::of(4, 1, &meetings, &settings(1.0));
    let variance = |ratings: &Ratings| ratings.difference(0, 1).unwrap().standard_error.powi(2);
    let reduction = variance(&before) - variance(&after);
    near(gain, reduction, 0.05 * reduction);
    let sum = |ratings: &Ratings| {
        ratings.players.iter().flatten().map(|rating| (rating.error / Z_95).powi(2)).sum::<f64>()
    };
    let reduction = sum(&before) - sum(&after);
    near(of_list, reduction, 0.05 * reduction);
}

#[test]
fn answers_come_when_they_are_sure() {
    let list = |pairs: u64| {
        let mut meetings = [Meeting::new(0, 1, 0), Meeting::new(1, 2, 0), Meeting::new(2, 0, 0)];
        meetings[0].pairs = [[pairs, 0, pairs], [0, 0, 0], [pairs, 0, 3 * pairs]];
        meetings[1].pairs = [[pairs, 0, pairs], [0, 0, 0], [pairs, 0, 3 * pairs]];
        meetings[2].pairs = [[3 * pairs, 0, pairs], [0, 0, 0], [pairs, 0, pairs]];
        Ratings::of(3, 1, &meetings, &settings(1.0))
    };
    assert_eq!(list(1).answer(Question::First, 0.05), None);
    assert_eq!(list(30).answer(Question::First, 0.05).map(|answer| answer.player), Some(0));
    assert_eq!(list(30).answer(Question::Ahead(2, 1), 0.05).map(|answer| answer.player), Some(1));
    assert_eq!(list(30).answer(Question::List, 0.05), None);
    assert!(
        list(3).likely_answer(Question::First).unwrap().doubt
            > list(5).likely_answer(Question::First).unwrap().doubt
    );
    let error = rating(&list(30), 1).error;
    assert!(list(30).is_within(error + 5.0) && !list(30).is_within(error - 5.0));
}
