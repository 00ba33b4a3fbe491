"""What matches and searches return, as plain values: it can be pickled, copied and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tesuji.own import Outcome
from tesuji.table import Table, html_table, same

if TYPE_CHECKING:
    import pandas

__all__ = ["MatchResult", "Stop", "TournamentResult"]


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


@dataclass(frozen=True, eq=False, repr=False)
class TournamentResult:
    """The result of a tournament. Printed, it is the text of ``tesuji tournament``.

    Two results are equal if they have the same games, players and results.
    """

    games: list[str]
    """The games, as their specs."""
    schedule: str
    """Who meets whom: ``"round-robin"``, ``"gauntlet"``, ``"swiss"`` or ``"widest"``."""
    played: int
    """How many games were played."""
    ratings: Table
    """The rating list: a row for each player, the strongest first. Columns: ``rank``, ``label``, ``player``,
    ``elo``, ``error`` (half of the 95 % interval), ``low``, ``high``, ``bootstrap_low``, ``bootstrap_high``,
    ``games``, ``points``, ``score``, ``opponents``, ``los``, ``group``, ``extreme``. Unknown numbers are nan."""
    by_game: dict[str, Table]
    """The rating list of each game."""
    advantages: Table
    """What moving first is worth in each game. Columns: ``game``, ``elo``, ``error``, ``games``, ``draws``."""
    crosstable: NDArray[np.float64]
    """The points of each player against each other one, in the order of ``ratings``."""
    crosstable_games: NDArray[np.uint64]
    """The number of games of each player against each other one."""
    superiority: NDArray[np.float64]
    """The probability that a row's player is stronger than a column's; nan if no games connect the two."""
    covariance: NDArray[np.float64]
    """The covariances of the ratings, in squared Elo; nan if no games connect the two players."""
    answer: str | None
    """The player that most likely answers the question of the schedule ``"widest"``."""
    doubt: float | None
    """The probability that ``answer`` is wrong is at most this."""
    notes: list[str] = field()
    """What a reader must know about the ratings, in sentences."""
    text: str = field()
    """The text of ``tesuji tournament``."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the rating list as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            A row for each player.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.ratings.to_frame()

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same games, players and results."""
        if not isinstance(other, TournamentResult):
            return NotImplemented
        is_same = (self.games, self.schedule, self.played) == (other.games, other.schedule, other.played)
        return is_same and same(self.ratings, other.ratings) and np.array_equal(self.crosstable, other.crosstable)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Return the text of ``tesuji tournament``."""
        return self.text

    def __repr__(self) -> str:
        """Return the games, how many were played, and the strongest player with its rating."""
        games = f"{', '.join(self.games)}: {len(self.ratings)} players, {self.played} games"
        first = self.ratings[0]
        elo = _with_range(first["elo"], (first["low"], first["high"]))
        return f"TournamentResult({games}, {first['label']} first, Elo {elo})" if self.played else f"TournamentResult({games})"

    def _repr_html_(self) -> str:
        heads = ["#", "player", "Elo", "95 % interval", "games", "won, %"]
        rows = []
        for row in self.ratings:
            if np.isnan(row["elo"]):
                rows.append([row["rank"], row["label"], "", "", row["games"], ""])
                continue
            elo, low, high = (f"{row[name]:z,.0f}".replace("-", "−") for name in ("elo", "low", "high"))
            rows.append([row["rank"], row["label"], elo, f"{low} to {high}", row["games"], f"{100 * row['score']:.1f}"])
        return html_table(heads, rows)


def _with_range(value: float | None, interval: tuple[float, float] | None) -> str:
    """Return a number and its interval as ``tesuji match`` writes them, such as ``52.5 (14.4 to 92.0)``."""
    if value is None or interval is None:
        return ""
    number, low, high = (f"{end:z,.1f}".replace("inf", "∞").replace("-", "−") for end in (value, *interval))
    return number if isnan(interval[0]) else f"{number} ({low} to {high})"
