//! Who sits at a table, and what they may see of it.

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Side;

use crate::bounds::Bounds;
use crate::error::Refusal;
use crate::player::player;

/// Who plays each side, by [`Side::index`]; a person where there is no player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Seats(pub(super) [Option<PlayerSpec>; 2]);

impl Seats {
    /// Players as they are typed.
    pub(super) fn read(texts: [Option<&str>; 2], game: &GameSpec, bounds: &Bounds) -> Result<Seats, Refusal> {
        let [black, white] = texts.map(|text| text.map(|text| player(text, game, bounds)).transpose());
        Ok(Seats([black?, white?]))
    }

    pub(super) fn player(&self, side: Side) -> Option<&PlayerSpec> {
        self.0[side.index()].as_ref()
    }

    pub(super) fn is_person(&self, side: Side) -> bool {
        self.player(side).is_none()
    }

    pub(super) fn has_person(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_person(side))
    }

    /// Their names.
    pub(super) fn names(&self) -> [String; 2] {
        let name = |player: &Option<PlayerSpec>| {
            player.as_ref().map_or("a person".to_owned(), PlayerSpec::to_string)
        };
        [name(&self.0[0]), name(&self.0[1])]
    }

    /// Whose view of a phantom game that goes on may be shown; nothing where everything may
    /// be. Two persons at one screen see that of the side to move.
    pub(super) fn viewer(&self, to_move: Side) -> Option<Side> {
        match (self.is_person(Side::Black), self.is_person(Side::White)) {
            (true, true) => Some(to_move),
            (true, false) => Some(Side::Black),
            (false, true) => Some(Side::White),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_see_their_own_side() {
        let game = "phantom-go:5".parse().unwrap();
        let viewer = |black, white, to_move| {
            Seats::read([black, white], &game, &Bounds::of(1)).unwrap().viewer(to_move)
        };
        let program = Some("flat(sh)");
        assert_eq!(viewer(None, program, Side::White), Some(Side::Black));
        assert_eq!(viewer(program, None, Side::Black), Some(Side::White));
        assert_eq!(viewer(None, None, Side::White), Some(Side::White));
        assert_eq!(viewer(program, program, Side::White), None);
    }
}
