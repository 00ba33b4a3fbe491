//! Which moves are one move to AMAF statistics.

/// What tells moves of pieces apart in their AMAF codes. A move of other games is a point and
/// a colour, so there is nothing to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Codes {
    /// Everything: colour, the square left, the square entered, and whether it captures. In Ataxx
    /// a clone has no square that it leaves.
    #[default]
    Full,
    /// Colour and both squares, whether it captures or not.
    Squares,
    /// Colour and the square entered.
    To,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tesuji_core::{Code, Game, Seed};

    use super::Codes;
    use crate::{Ataxx, AtaxxRules, Breakthrough, Knightthrough, Piece, Race};

    /// Plays random games of `full`: in the same playouts `coarse` records the codes that its
    /// positions give to the moves. Calls `visit` at every position on the way, with the texts and
    /// the coarse codes of all moves.
    fn playouts_record<G: Game>(full: &G, coarse: &G, mut visit: impl FnMut(&[(String, Code)])) {
        for index in 0..60 {
            let seed = Seed::new(7).child(index);
            let (mut fine, mut recorded) = (Vec::new(), Vec::new());
            full.playout(&mut seed.rng(), &mut fine);
            coarse.playout(&mut seed.rng(), &mut recorded);
            assert_eq!(fine.len(), recorded.len());
            let (mut full, mut coarse) = (full.clone(), coarse.clone());
            for (fine, code) in fine.into_iter().zip(recorded) {
                let moves = full.moves();
                let all: Vec<_> = moves.iter().map(|&mv| (full.move_text(mv), coarse.code(mv))).collect();
                visit(&all);
                let mv = moves.into_iter().find(|&mv| full.code(mv) == fine).expect("a legal move");
                assert_eq!(coarse.code(mv), code, "{}", full.move_text(mv));
                full.play_unchecked(mv);
                coarse.play_unchecked(mv);
            }
        }
    }

    /// Moves with equal codes have equal names, where `name` makes a name of a move's text.
    fn codes_are_names(names: &mut BTreeMap<Code, String>, moves: &[(String, Code)], name: fn(&str) -> &str) {
        for (text, code) in moves {
            let name = name(text);
            assert_eq!(names.entry(*code).or_insert_with(|| name.to_owned()), name, "{text} has code {code}");
        }
    }

    fn races<P: Piece>(start: Race<P>) {
        let squares = start.with_codes(Codes::Squares);
        let to = start.with_codes(Codes::To);
        let mut names = BTreeMap::new();
        playouts_record(&start, &to, |moves| {
            codes_are_names(&mut names, moves, |text| text.rsplit(['-', 'x']).next().unwrap());
        });
        // Each square once for White, who comes from below, and once for Black.
        let rows = start.height() - 1;
        assert!(names.len() <= 2 * start.width() * rows && names.len() > start.width() * rows, "{names:?}");
        let mut pairs = BTreeMap::new();
        playouts_record(&start, &squares, |moves| {
            for (text, code) in moves {
                let quiet = text.replace('x', "-");
                assert_eq!(pairs.entry(*code).or_insert_with(|| quiet.clone()), &quiet);
            }
            let different: std::collections::BTreeSet<_> = moves.iter().map(|(_, code)| code).collect();
            assert_eq!(different.len(), moves.len(), "no two moves of a position have the same squares");
        });
    }

    #[test]
    fn races_can_leave_out_captures_and_sources() {
        races(Breakthrough::default());
        races(Breakthrough::new(3, 5).unwrap());
        races(Knightthrough::default());
        races(Knightthrough::new(5, 6).unwrap());
    }

    #[test]
    fn what_is_left_out_survives_a_position_and_a_mirror() {
        let start = Breakthrough::default().with_codes(Codes::To);
        let again = start.parse_position(&start.position_text().unwrap()).unwrap();
        assert_eq!(again, start);
        assert_eq!(start.transformed(start.symmetries()[1]), start);
    }

    #[test]
    fn ataxx_can_leave_out_where_a_jump_comes_from() {
        let rules = AtaxxRules { size: 5, ply_cap: 80, ..AtaxxRules::default() };
        let start = Ataxx::new(rules).unwrap();
        let coarse = Ataxx::new(AtaxxRules { codes: Codes::To, ..rules }).unwrap();
        let mut names = BTreeMap::new();
        playouts_record(&start, &coarse, |moves| {
            codes_are_names(&mut names, moves, |text| text.rsplit('-').next().unwrap());
        });
        assert!(names.len() <= 2 * 25 + 2 && names.len() > 25, "{names:?}");
    }
}
