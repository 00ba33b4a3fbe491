"""A game of your own: what a class must have so that every search can play it."""

from collections.abc import Hashable, Sequence
from typing import Literal, Protocol, Self, TypeVar

Side = Literal["black", "white"]
Outcome = Literal["black", "white", "draw"]

Move = TypeVar("Move", bound=Hashable)


class OwnPosition(Protocol[Move]):
    """A position of a game that is written in Python: what a class must have to be searched.

    A position never changes: ``play`` returns another one. Moves can be anything that can be
    hashed. Equal positions that can be hashed share their statistics in a search. Every game must
    come to an end.

    A class may also have

    - ``search_moves()``: the moves worth searching, if these are not all legal moves;
    - ``n_moves``: how many different moves there can be (default: 512), for searches that keep
      AMAF statistics, such as ``rave``;
    - ``playout(seed, wants_moves)``: a faster random game. It returns the outcome; if moves are
      wanted, the outcome and the list of moves, and if the sides do not take turns, also the
      list of sides;
    - ``network_planes()``, ``logit(move)`` and ``n_logits``, for players with a network: an array of shape
      (planes, height, width) from the point of view of the side to move; the number of a move
      among the logits; and how many logits there are;
    - ``_repr_svg_()`` or ``_repr_html_()``: the board for notebooks.

    Examples
    --------
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
        """The side whose turn it is: ``'black'`` or ``'white'``."""

    def legal_moves(self) -> Sequence[Move]:
        """Return all legal moves, each once, always in the same order.

        Returns
        -------
        sequence of moves
            The moves; not empty while the game goes on.
        """

    def play(self, move: Move, /) -> Self:
        """Return the position after a legal move. This one must stay as it is.

        Parameters
        ----------
        move : move
            A legal move.

        Returns
        -------
        position
            Another object.
        """

    def outcome(self) -> Outcome | None:
        """Return how the game ended.

        Returns
        -------
        str or None
            ``'black'`` or ``'white'`` for the winner, ``'draw'``, or ``None`` while the game goes on.
        """
