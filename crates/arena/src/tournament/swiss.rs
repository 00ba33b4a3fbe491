//! The pairings of a Swiss tournament.
//!
//! Players are ranked by points, then by the points of their opponents, then in the order in which
//! they were named. In the first round the upper half meets the lower half. Afterwards each player
//! meets the next one in the ranking whom it has not met. If the number of players is odd, the last
//! player with the fewest byes has a bye, which counts as a won meeting.

/// A player in the ranking of a Swiss tournament.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Standing {
    /// The share of points in each meeting, added up; 1 for a bye.
    pub(super) points: f64,
    /// The opponents so far, with repetitions.
    pub(super) opponents: Vec<usize>,
    /// The number of byes.
    pub(super) byes: u32,
}

/// The pairs of a round.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Pairings {
    /// The pairs, best players first.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The player without an opponent.
    pub(super) bye: Option<usize>,
}

/// The steps of the search for a round without repeated meetings. It needs a handful, except if
/// nearly everybody has met everybody.
const MOST_STEPS: u32 = 100_000;

/// The pairs of the next round.
pub(super) fn pairings(players: &[Standing]) -> Pairings {
    let mut ranking = ranking(players);
    let is_first_round = players.iter().all(|player| player.opponents.is_empty() && player.byes == 0);
    let bye = match players.len() % 2 {
        0 => None,
        _ => {
            let fewest = players.iter().map(|player| player.byes).min().unwrap_or(0);
            ranking
                .iter()
                .rposition(|&player| players[player].byes == fewest)
                .map(|place| ranking.remove(place))
        }
    };
    let half = ranking.len() / 2;
    if is_first_round {
        return Pairings {
            pairs: (0..half).map(|place| (ranking[place], ranking[place + half])).collect(),
            bye,
        };
    }
    // The fewest repeated meetings: none, else those of players who met least.
    for most_met in 0.. {
        let met = |a: usize, b: usize| players[a].opponents.iter().filter(|&&other| other == b).count();
        let allowed = |a: usize, b: usize| met(a, b) <= most_met;
        let (mut pairs, mut steps) = (Vec::new(), 0);
        let mut rest = ranking.clone();
        if pair_off(&mut rest, &allowed, &mut pairs, &mut steps) {
            return Pairings { pairs, bye };
        }
    }
    unreachable!("any two players may meet often enough")
}

/// Pairs the players with each other from the top of the ranking, if that is possible.
fn pair_off(
    rest: &mut Vec<usize>,
    allowed: &dyn Fn(usize, usize) -> bool,
    pairs: &mut Vec<(usize, usize)>,
    steps: &mut u32,
) -> bool {
    if rest.is_empty() {
        return true;
    }
    let first = rest.remove(0);
    for place in 0..rest.len() {
        *steps += 1;
        if *steps > MOST_STEPS {
            break;
        }
        let second = rest[place];
        if allowed(first, second) {
            rest.remove(place);
            pairs.push((first, second));
            if pair_off(rest, allowed, pairs, steps) {
                return true;
            }
            pairs.pop();
            rest.insert(place, second);
        }
    }
    rest.insert(0, first);
    false
}

/// The players, best first.
fn ranking(players: &[Standing]) -> Vec<usize> {
    let strength_of_opponents = |player: &Standing| -> f64 {
        player.opponents.iter().map(|&opponent| players[opponent].points).sum()
    };
    let key = |place: usize| (players[place].points, strength_of_opponents(&players[place]));
    let mut places: Vec<usize> = (0..players.len()).collect();
    places.sort_by(|&a, &b| key(b).partial_cmp(&key(a)).expect("points are numbers").then(a.cmp(&b)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a tournament in which the player named earlier always wins.
    fn played(n: usize, rounds: usize) -> Vec<(Standing, Vec<Pairings>)> {
        let mut players = vec![Standing::default(); n];
        let mut all = Vec::new();
        for _ in 0..rounds {
            let round = pairings(&players);
            for &(a, b) in &round.pairs {
                players[a.min(b)].points += 1.0;
                players[a].opponents.push(b);
                players[b].opponents.push(a);
            }
            if let Some(bye) = round.bye {
                players[bye].points += 1.0;
                players[bye].byes += 1;
            }
            all.push(round);
        }
        players.into_iter().map(|player| (player, all.clone())).collect()
    }

    #[test]
    fn everybody_plays_once_a_round_and_nobody_meets_twice() {
        for n in 2..=17 {
            for rounds in 1..n {
                let played = played(n, rounds);
                for round in &played[0].1 {
                    let mut seen: Vec<usize> =
                        round.pairs.iter().flat_map(|&(a, b)| [a, b]).chain(round.bye).collect();
                    seen.sort_unstable();
                    assert_eq!(seen, (0..n).collect::<Vec<_>>(), "{n} players, {rounds} rounds");
                }
                let byes = played.iter().map(|(player, _)| player.byes);
                assert!(byes.clone().max().unwrap() - byes.min().unwrap() <= 1);
                // As long as fewer rounds are played than half the players, repetitions can be avoided.
                if rounds <= n / 2 {
                    for (player, _) in &played {
                        let mut opponents = player.opponents.clone();
                        opponents.sort_unstable();
                        opponents.dedup();
                        assert_eq!(opponents.len(), player.opponents.len(), "{n} players, {rounds} rounds");
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_player_is_first_after_enough_rounds() {
        let played = played(16, 4);
        let best = played.iter().map(|(player, _)| player.points).fold(0.0, f64::max);
        assert_eq!((played[0].0.points, best), (4.0, 4.0));
        assert_eq!(played.iter().filter(|(player, _)| player.points == 4.0).count(), 1);
    }

    #[test]
    fn the_first_round_is_the_upper_half_against_the_lower() {
        let round = pairings(&vec![Standing::default(); 5]);
        assert_eq!(round, Pairings { pairs: vec![(0, 2), (1, 3)], bye: Some(4) });
    }

    #[test]
    fn two_players_meet_as_often_as_there_are_rounds() {
        let played = played(2, 5);
        assert_eq!(played[0].0.opponents, [1; 5]);
    }
}
