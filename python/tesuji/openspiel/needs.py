"""What a player needs to be told."""

from functools import cache

from tesuji._tesuji import Player
from tesuji.own import Outcome, Side


class _TwoMoves:
    """A game of two moves. Its random games do not say what was played in them."""

    n_moves = 2

    def __init__(self, moves: tuple[Outcome, ...] = ()) -> None:
        self._moves = moves
        self.to_move: Side = "white" if moves else "black"

    def legal_moves(self) -> list[Outcome]:
        return ["black", "white"]

    def play(self, move: Outcome) -> "_TwoMoves":
        return _TwoMoves((*self._moves, move))

    def outcome(self) -> Outcome | None:
        return self._moves[1] if len(self._moves) == 2 else None

    def playout(self, seed: int) -> Outcome:
        return "draw"


@cache
def needs_moves(spec: str) -> bool:
    """Whether a player looks at the moves of random games, which take time to tell.

    Only the player knows, so it is asked: it refuses random games without moves.
    """
    try:
        Player(spec).search(_TwoMoves(), 8)
    except ValueError:
        return True
    return False
