"""What matches and searches return, as plain values: it can be pickled, copied and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from tesuji.own import Outcome
from tesuji.table import Table, html_table, same

if TYPE_CHECKING:
    import pandas

__all__ = ["MatchResult", "Stop"]


class Stop(NamedTuple):
    """Why a search or a policy stopped before its budget was spent.

    ``str(stop)`` is the sentence. The fields are those of ``stop`` in ``tesuji search --json``.

    Parameters
    ----------
    reason : str
        The reason in a word: ``"one_arm"``, ``"one_move"``, ``"not_worth_it"``, ``"certain"``,
        ``"floors"``, ``"proved"``, ``"cancelled"``, ``"time"`` or ``"sure"``.
    text : str
        The reason in a sentence.
    outcome : str, optional
        How the game ends, if that is proved.
    value : float, optional
        The value of the most valuable sample, if no sample was worth its cost.
    cost : float, optional
        The cost of a sample, if no sample was worth it.
    confidence : float, optional
        The chance that the choice is right, if the search was sure enough.

    Examples
    --------
    >>> import tesuji
    >>> stop = tesuji.search("domineering:2", "uct+solver", 100).stop
    >>> stop.reason, str(stop)
    ('proved', 'it is proved: White wins')
    """

    reason: str
    text: str
    outcome: Outcome | None = None
    value: float | None = None
    cost: float | None = None
    confidence: float | None = None

    def __str__(self) -> str:
        """Return the sentence."""
        return self.text


@dataclass(frozen=True, eq=False, repr=False)
class MatchResult:
    """The result of a match. Printed, it is the text of ``tesuji match``.

    Two results are equal if they have the same players, games and moves; times do not count.
    """

    game: str
    """The game, as its spec."""
    player: str
    """The player whose wins are counted."""
    opponent: str
    """The player's opponent."""
    wins: int
    """How many games the player won."""
    losses: int
    """How many games the player lost."""
    draws: int
    """How many games were drawn."""
    rate: float | None
    """The player's points per game, from 0 to 1; ``None`` if there are no games."""
    interval: tuple[float, float]
    """Wilson's 95 % interval of ``rate``."""
    elo: float | None
    """The difference in Elo; infinite if one of the two won all points."""
    elo_error: float | None
    """Half the width of ``elo_interval``; nan if all results were equal."""
    elo_interval: tuple[float, float] | None
    """The 95 % interval of ``elo``; its ends are nan if all results were equal."""
    nelo: float | None
    """The difference in normalised Elo; infinite if all results were equal and one side is ahead."""
    nelo_interval: tuple[float, float] | None
    """The 95 % interval of ``nelo``; its ends are nan if all results were equal."""
    los: float | None
    """The likelihood that the player is the stronger one."""
    games: Table = field()
    """The games, with the columns of ``Store.games``."""
    text: str = field()
    """The text of ``tesuji match``."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the games as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            A row for each game.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.games.to_frame()

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same games of the same players."""
        if not isinstance(other, MatchResult):
            return NotImplemented
        names = [name for name in self.games.dtype.names or () if "seconds" not in name and name != "began"]
        is_same = (self.game, self.player, self.opponent) == (other.game, other.player, other.opponent)
        return is_same and same(self.games[names], other.games[names])

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Return the text of ``tesuji match``."""
        return self.text

    def __repr__(self) -> str:
        """Return the players, the score, and the difference in Elo with its 95 % interval."""
        score = f"+{self.wins} -{self.losses} ={self.draws}"
        elo = _with_range(self.elo, self.elo_interval)
        score += f", Elo {elo}" if elo else ""
        return f"MatchResult({self.game}: {self.player} against {self.opponent}, {score})"

    def _repr_html_(self) -> str:
        low, high = self.interval
        rate = "" if self.rate is None else f"{100 * self.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        elo = _with_range(self.elo, self.elo_interval)
        return html_table(
            ["game", "player", "opponent", "won", "lost", "drawn", "points (95 % interval)", "Elo (95 % interval)"],
            [[self.game, self.player, self.opponent, self.wins, self.losses, self.draws, rate, elo]],
        )


def _with_range(value: float | None, interval: tuple[float, float] | None) -> str:
    """Return a number and its interval as ``tesuji match`` writes them, such as ``52.5 (14.4 to 92.0)``."""
    if value is None or interval is None:
        return ""
    number, low, high = (f"{end:z,.1f}".replace("inf", "∞").replace("-", "−") for end in (value, *interval))
    return number if isnan(interval[0]) else f"{number} ({low} to {high})"
