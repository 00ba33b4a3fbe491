"""Your own game: write a class with four members, and every search can play it.

Chomp: the sides take turns biting a rectangle of chocolate. A bite takes a square and everything
above and to the right of it. The square at the lower left is poisoned: whoever must take it loses.
The first player can always win, but nobody knows the strategy in general. Do the searches find it?

    python own_game.py [WIDTH HEIGHT]
"""

import sys
from dataclasses import dataclass

import tesuji


@dataclass(frozen=True)
class Chomp:
    """The heights of the columns, from the left. Equal positions are equal objects."""

    columns: tuple[int, ...]
    to_move: tesuji.Side = "black"

    def legal_moves(self) -> list[tuple[int, int]]:
        """Return the squares that are left; the poisoned one only if it is the last."""
        squares = [(x, y) for x, height in enumerate(self.columns) for y in range(height)]
        return squares[1:] or squares

    def play(self, move: tuple[int, int]) -> "Chomp":
        """Return the chocolate after a bite at column x, row y."""
        x, y = move
        columns = self.columns[:x] + tuple(min(height, y) for height in self.columns[x:])
        return Chomp(columns, "white" if self.to_move == "black" else "black")

    def outcome(self) -> tesuji.Outcome | None:
        """Return the winner: whoever has just taken the poison has lost."""
        return self.to_move if self.columns[0] == 0 else None


def main() -> None:
    """Let some searches look at it, and then let two of them play."""
    width, height = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (5, 4)
    start = Chomp((height,) * width)
    for player in ["flat(sh)", "uct", "sh+uct", "rave", "uct+solver"]:
        decision = tesuji.search(start, player, budget=5000)
        proved = f", {decision.stop}" if decision.stop else ""
        print(f"{player:12} bites at {decision.move}: {decision.spent / decision.seconds:8,.0f} samples/s{proved}")
    position = start
    while position.outcome() is None:
        player = "uct+solver" if position.to_move == "black" else "random"
        move = tesuji.search(position, player, 2000).move
        assert move is not None, "only a finished game has no move"
        position = position.play(move)
    print(f"{position.outcome()} has won")


if __name__ == "__main__":
    main()
