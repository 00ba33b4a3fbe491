"""A game of your own: what a class must have so that every search can play it."""

from collections.abc import Hashable, Sequence
from typing import Literal, Protocol, Self, TypeVar

Side = Literal["black", "white"]
Outcome = Literal["black", "white", "draw"]

Move = TypeVar("Move", bound=Hashable)


class OwnPosition(Protocol[Move]):
    """A position of a game that is written in Python.

    It never changes: ``play`` gives another one. Moves are anything that can be hashed.
    Positions that can be hashed and are equal share their statistics in a search; those
    that cannot are all taken for different. Every game must come to an end.

    A class may also have

    - ``search_moves()``, the moves worth searching, where those are not all legal ones;
    - ``n_moves``, how many different moves there can be (512 where it is not there), for
      searches that keep AMAF statistics, such as ``rave``;
    - ``playout(seed, wants_moves)``, where that can be done faster than move by move: it
      plays at random to the end and returns the outcome; where the search wants to know
      the moves, the outcome and the list of the moves, or those and the list of the sides
      that made them, where these do not take turns.

    >>> import tesuji
    >>> class Nim:
    ...     '''Take one to three; whoever takes the last wins.'''
    ...     def __init__(self, left=5, to_move="black"):
    ...         self.left, self.to_move = left, to_move
    ...     def legal_moves(self):
    ...         return range(1, min(3, self.left) + 1)
    ...     def play(self, move):
    ...         return Nim(self.left - move, "white" if self.to_move == "black" else "black")
    ...     def outcome(self):
    ...         if self.left == 0:
    ...             return "white" if self.to_move == "black" else "black"
    >>> tesuji.search(Nim(), "uct", 1000).move
    1
    """

    @property
    def to_move(self) -> Side:
        """Whose turn it is."""

    def legal_moves(self) -> Sequence[Move]:
        """All legal moves, each once, always in the same order."""

    def play(self, move: Move, /) -> Self:
        """The position after a legal move. This one stays as it is."""

    def outcome(self) -> Outcome | None:
        """Who has won, or ``"draw"``; ``None`` while the game goes on."""
