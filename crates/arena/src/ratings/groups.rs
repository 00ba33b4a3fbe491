//! Groups: players that are connected by games. Ratings of different groups cannot be compared.

use super::Meeting;

/// The groups, each with its players in rising order, by their first players. A player without
/// games is a group of its own.
pub(super) fn groups(n_players: usize, meetings: &[Meeting]) -> Vec<Vec<usize>> {
    // Each player points to an earlier one of its group, and the first one to itself.
    let mut earlier: Vec<usize> = (0..n_players).collect();
    for meeting in meetings.iter().filter(|meeting| meeting.n_games() > 0) {
        let ends = [meeting.player, meeting.opponent].map(|player| first_of(&earlier, player));
        earlier[ends[0].max(ends[1])] = ends[0].min(ends[1]);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![0; n_players];
    for player in 0..n_players {
        let first = first_of(&earlier, player);
        if first == player {
            place[player] = groups.len();
            groups.push(Vec::new());
        }
        groups[place[first]].push(player);
    }
    groups
}

fn first_of(earlier: &[usize], mut player: usize) -> usize {
    while earlier[player] != player {
        player = earlier[player];
    }
    player
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Count;

    #[test]
    fn players_are_connected_through_others() {
        let one = Count { wins: 1, ..Count::default() };
        let met = |player, opponent| Meeting {
            singles: [one, Count::default()],
            ..Meeting::new(player, opponent, 0)
        };
        let meetings = [met(5, 1), met(4, 2), met(1, 4), Meeting::new(0, 3, 0)];
        assert_eq!(groups(6, &meetings), [vec![0], vec![1, 2, 4, 5], vec![3]]);
    }
}
