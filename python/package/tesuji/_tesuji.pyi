"""The native half of the package. Its docstrings are in the library itself."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GenericAlias, TracebackType
from typing import Any, Generic, Literal, Self, SupportsIndex, TypedDict, final, overload, type_check_only

import numpy as np
import pandas
from numpy.typing import ArrayLike, NDArray

from tesuji.own import Move, Outcome, OwnPosition, Side
from tesuji.results import MatchResult, Stop, TournamentResult
from tesuji.table import Table

__all__ = [
    "DEFAULT_BUDGET",
    "Allocator",
    "Attempt",
    "Book",
    "Campaign",
    "Decision",
    "Equilibrium",
    "Experiment",
    "Game",
    "LazyPortfolio",
    "NetworkForm",
    "Player",
    "Portfolio",
    "Position",
    "Store",
    "__build__",
    "__version__",
    "bandit",
    "evaluate",
    "games",
    "learn",
    "learn_lazily",
    "match",
    "perft",
    "players",
    "policies",
    "search",
    "seed_matrix",
    "solve",
    "tournament",
]

DEFAULT_BUDGET: str
__build__: str
__version__: str

_Path = str | os.PathLike[str]
_Task = tuple[int, list[int]]
_Progress = bool | Callable[[int, int], object] | None
# The total of the second kind may be unknown.
_OpenProgress = bool | Callable[[int, int | None], object] | None
_Budget = SupportsIndex | str | None
_Seed = SupportsIndex | str
_Float = float | np.floating[Any]
# The answer is checked when it comes: (logits, values) or (logits, values, move_values).
_Network = Callable[[NDArray[np.float32]], Sequence[Any]] | None

# Games and positions.

@type_check_only
class _GameEntry(TypedDict):
    name: str
    misere: str | None
    rules: str
    boards: str
    options: list[str]

@final
class Game:
    def __new__(cls, spec: str) -> Self: ...
    @property
    def spec(self) -> str: ...
    @property
    def rules(self) -> str: ...
    @property
    def board(self) -> tuple[int, int]: ...
    @property
    def shape(self) -> Literal["goban", "hexagons", "squares"]: ...
    @property
    def is_misere(self) -> bool: ...
    @property
    def is_hidden(self) -> bool: ...
    def start(self) -> Position: ...
    def position(self, text: str) -> Position: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def games() -> list[_GameEntry]: ...
@final
class Position:
    def __new__(cls, game: Game | str, moves: str = "") -> Self: ...
    @property
    def game(self) -> Game: ...
    @property
    def to_move(self) -> Side: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def text(self) -> str | None: ...
    @property
    def margin(self) -> float | None: ...
    def outcome(self) -> Outcome | None: ...
    def legal_moves(self) -> list[str]: ...
    def search_moves(self) -> list[str]: ...
    def play(self, *moves: str) -> Position: ...
    def attempt(self, move: str) -> Attempt: ...
    def played_out(self, *, seed: SupportsIndex = 1) -> Position: ...
    def planes(self, side: Side | None = None) -> NDArray[np.float32]: ...
    def network_form(self) -> NetworkForm | None: ...
    def network_planes(self, *, seed: SupportsIndex = 1) -> NDArray[np.float32]: ...
    def logit(self, move: str) -> int: ...
    def search_logits(self) -> NDArray[np.int64]: ...
    def seen_by(self, side: Side) -> str: ...
    def svg(self, side: Side | None = None, *, proposed: str | None = None) -> str: ...
    def _repr_svg_(self) -> str: ...
    def perft(self, depth: SupportsIndex, *, progress: _Progress = None) -> int: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @classmethod
    def _of(cls, spec: str, from_: str | None, moves: list[str]) -> Position: ...

@final
class NetworkForm:
    @property
    def encoding(self) -> str: ...
    @property
    def planes(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def n_logits(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def _of(encoding: str, planes: int, height: int, width: int, n_logits: int) -> NetworkForm: ...

@final
class Attempt:
    @property
    def position(self) -> Position: ...
    @property
    def accepted(self) -> bool: ...
    @property
    def announcement(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    @staticmethod
    def _of(position: Position, accepted: bool, announcement: str | None) -> Attempt: ...

def perft(position: Position | Game | str, depth: SupportsIndex, *, progress: _Progress = None) -> int: ...

# Searches.

@type_check_only
class _PartEntry(TypedDict):
    name: str
    kind: str
    meaning: str
    source: str
    example: str

@final
class Decision(Generic[Move]):
    @property
    def move(self) -> Move | None: ...
    @property
    def position(self) -> Position | OwnPosition[Move]: ...
    @property
    def chosen(self) -> int | None: ...
    @property
    def arms(self) -> Table: ...
    @property
    def rounds(self) -> Table: ...
    def report(self) -> dict[str, Any]: ...
    def ranking(self) -> list[int]: ...
    @property
    def budget(self) -> int: ...
    @property
    def spent(self) -> int: ...
    @property
    def focused(self) -> list[tuple[Move, int]]: ...
    @property
    def stop(self) -> Stop | None: ...
    @property
    def policy(self) -> NDArray[np.float64] | None: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    def to_frame(self) -> pandas.DataFrame: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    @classmethod
    def _of(cls, state: dict[str, Any]) -> Decision[Any]: ...
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

@final
class Player:
    def __new__(cls, spec: str, budget: _Budget = None, network: _Network = None) -> Self: ...
    @property
    def spec(self) -> str: ...
    @property
    def network(self) -> _Network: ...
    @property
    def plays_most_visited(self) -> bool: ...
    @overload
    def search(
        self,
        position: Position | Game | str,
        budget: _Budget = None,
        *,
        only: str | Sequence[str] | None = None,
        avoid: str | Sequence[str] | None = None,
        focus: str | Sequence[str] | None = None,
        focus_budget: _Budget = None,
        seed: _Seed = 1,
        threads: SupportsIndex | None = None,
        until: float | None = None,
        within: float | None = None,
        progress: _Progress = None,
    ) -> Decision[str]: ...
    @overload
    def search(
        self,
        position: OwnPosition[Move],
        budget: _Budget = None,
        *,
        only: Iterable[Move] | None = None,
        avoid: Iterable[Move] | None = None,
        focus: Iterable[Move] | None = None,
        focus_budget: _Budget = None,
        seed: _Seed = 1,
        threads: SupportsIndex | None = None,
        until: float | None = None,
        within: float | None = None,
        progress: _Progress = None,
    ) -> Decision[Move]: ...
    def search_all(
        self,
        positions: Iterable[Position],
        budget: _Budget = None,
        *,
        seed: _Seed = 1,
        seeds: Iterable[_Seed] | None = None,
        together: SupportsIndex = 64,
        progress: _Progress = None,
    ) -> list[Decision[str]]: ...
    def forget(self) -> None: ...

@overload
def search(
    position: Position | Game | str,
    player: str = "rave",
    budget: _Budget = None,
    *,
    only: str | Sequence[str] | None = None,
    avoid: str | Sequence[str] | None = None,
    focus: str | Sequence[str] | None = None,
    focus_budget: _Budget = None,
    seed: _Seed = 1,
    threads: SupportsIndex | None = None,
    until: float | None = None,
    within: float | None = None,
    progress: _Progress = None,
    network: _Network = None,
) -> Decision[str]: ...
@overload
def search(
    position: OwnPosition[Move],
    player: str = "rave",
    budget: _Budget = None,
    *,
    only: Iterable[Move] | None = None,
    avoid: Iterable[Move] | None = None,
    focus: Iterable[Move] | None = None,
    focus_budget: _Budget = None,
    seed: _Seed = 1,
    threads: SupportsIndex | None = None,
    until: float | None = None,
    within: float | None = None,
    progress: _Progress = None,
    network: _Network = None,
) -> Decision[Move]: ...
def players() -> list[_PartEntry]: ...

# Experiments, campaigns, stores, matches.

@final
class Experiment:
    @staticmethod
    def read(
        path: _Path,
        *,
        quick: bool = False,
        only: str | Sequence[str] | None = None,
        games: SupportsIndex | None = None,
        runs: SupportsIndex | None = None,
    ) -> Experiment: ...
    @staticmethod
    def parse(
        text: str,
        name: str = "experiment",
        *,
        quick: bool = False,
        only: str | Sequence[str] | None = None,
        games: SupportsIndex | None = None,
        runs: SupportsIndex | None = None,
    ) -> Experiment: ...
    @staticmethod
    def _again(
        name: str,
        text: str,
        beside: dict[str, str],
        folder: _Path,
        part: tuple[bool, list[str], int | None, int | None],
    ) -> Experiment: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> Literal["matches", "bandits"]: ...
    @property
    def address(self) -> str: ...
    @property
    def games(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def cells(self) -> Table: ...
    def run(
        self,
        store: _Path | Store,
        *,
        threads: SupportsIndex | None = None,
        shard: str | None = None,
        time: _Float | None = None,
        progress: _Progress = None,
    ) -> dict[str, int]: ...
    def work_on(self, task: _Task, paused: bytes | None = None) -> bytes: ...

@final
class Campaign:
    def __new__(
        cls,
        experiment: Experiment,
        store: _Path | Store,
        *,
        shard: str | None = None,
        workers: SupportsIndex = 1,
        most_voids: SupportsIndex = 2,
    ) -> Campaign: ...
    def next(self, most: SupportsIndex = 1, *, seconds: _Float | None = None) -> _Task | None: ...
    def paused(self, task: _Task) -> bytes | None: ...
    def take(self, task: _Task, result: bytes) -> None: ...
    def lost(self, task: _Task) -> None: ...
    @property
    def progress(self) -> tuple[int, int]: ...
    @property
    def summary(self) -> dict[str, int]: ...

@final
class Store:
    def __new__(cls, path: _Path) -> Store: ...
    @property
    def path(self) -> str: ...
    def experiments(self) -> Table: ...
    def cells(self, experiment: str | None = None) -> Table: ...
    def games(self, experiment: str | None = None) -> Table: ...
    def voids(self, experiment: str | None = None) -> Table: ...
    def regrets(self, experiment: str | None = None) -> Table: ...
    def report(self, experiment: str | None = None) -> dict[str, Any]: ...
    def merge(self, *paths: _Path) -> list[dict[str, int]]: ...
    def close(self) -> None: ...
    def _repr_html_(self) -> str: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

def match(
    game: str | Game,
    player: str,
    opponent: str,
    *,
    games: SupportsIndex = 100,
    budget: _Budget = None,
    seed: SupportsIndex = 1,
    threads: SupportsIndex | None = None,
    store: _Path | Store | None = None,
    random_plies: SupportsIndex | None = None,
    openings: Sequence[str] | _Path | None = None,
    progress: _Progress = None,
) -> MatchResult: ...

def tournament(
    games: str | Game | Sequence[str | Game],
    players: Sequence[str] | Mapping[str, str],
    *,
    games_each: SupportsIndex = 100,
    schedule: str = "round-robin",
    rounds: SupportsIndex | None = None,
    total: SupportsIndex | None = None,
    ask: str | None = None,
    until: str | None = None,
    within: _Float | None = None,
    anchor: str | None = None,
    anchor_elo: _Float | None = None,
    budget: _Budget = None,
    seed: SupportsIndex = 1,
    threads: SupportsIndex | None = None,
    store: _Path | Store | None = None,
    random_plies: SupportsIndex | None = None,
    openings: Sequence[str] | _Path | None = None,
    progress: _Progress = None,
) -> TournamentResult: ...

# Policies on arms: allocator.rs, bandit.rs.

@final
class Allocator:
    def __getnewargs_ex__(self) -> tuple[tuple[str, int, int], dict[str, str]]: ...
    def __new__(cls, policy: str, n_arms: SupportsIndex, budget: SupportsIndex, *, seed: _Seed = 1) -> Allocator: ...
    def next_batch(self) -> Table | None: ...
    def __iter__(self) -> Allocator: ...
    def __next__(self) -> Table: ...
    @property
    def pending(self) -> Table: ...
    def observe(self, arm: SupportsIndex, rewards: ArrayLike) -> None: ...
    def observe_all(self, rewards: ArrayLike | Sequence[ArrayLike]) -> None: ...
    def set_scores(self, scores: ArrayLike, counts: ArrayLike | None = None) -> None: ...
    def recommend(self) -> int: ...
    def confidence(self, within: float = 0.0) -> float | None: ...
    @property
    def arms(self) -> Table: ...
    @property
    def rounds(self) -> Table: ...
    @property
    def spent(self) -> int: ...
    @property
    def budget(self) -> int: ...
    @property
    def n_arms(self) -> int: ...
    @property
    def policy(self) -> str: ...
    @property
    def stop(self) -> Stop | None: ...
    @property
    def is_done(self) -> bool: ...

def bandit(
    arms: str | Sequence[str] | Sequence[float] | NDArray[np.float64],
    policies: str | Sequence[str],
    budgets: SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer[Any]],
    *,
    runs: SupportsIndex = 10_000,
    seed: _Seed = 1,
    threads: SupportsIndex | None = None,
    score_noise: _Float | None = None,
    score_rate: _Float | None = None,
    score_slope: _Float = 1.0,
    score_uneven: _Float = 0.0,
    progress: _Progress = None,
) -> Table: ...
def policies() -> list[dict[str, Any]]: ...

# Matrix games and books: portfolio.rs, book.rs.

@final
class Equilibrium:
    @property
    def value(self) -> float: ...
    @property
    def black(self) -> NDArray[np.float64]: ...
    @property
    def white(self) -> NDArray[np.float64]: ...
    @property
    def gap(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    @staticmethod
    def _of(value: float, black: list[float], white: list[float], gap: float) -> Equilibrium: ...

@final
class Portfolio:
    def __new__(cls, black: ArrayLike, white: ArrayLike) -> Self: ...
    @property
    def black(self) -> NDArray[np.float64]: ...
    @property
    def white(self) -> NDArray[np.float64]: ...
    def rate(self, matrix: ArrayLike) -> float: ...
    def worst_rate(self, matrix: ArrayLike) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class LazyPortfolio:
    @property
    def portfolio(self) -> Portfolio: ...
    @property
    def games(self) -> int: ...
    @property
    def gap(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    @staticmethod
    def _of(portfolio: Portfolio, games: int, gap: float) -> LazyPortfolio: ...

def solve(matrix: ArrayLike, *, progress: _OpenProgress = None) -> Equilibrium: ...
def learn(
    matrix: ArrayLike, method: str = "nash", *, seed: _Seed = 1, progress: _OpenProgress = None
) -> Portfolio: ...
def learn_lazily(
    play: Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike],
    n_rows: SupportsIndex,
    n_columns: SupportsIndex,
    algorithm: str = "double-oracle",
    *,
    exploitability: _Float = 0.05,
    games: SupportsIndex | None = None,
    seed: _Seed = 1,
    progress: _Progress = None,
) -> LazyPortfolio: ...
def evaluate(
    matrix: ArrayLike,
    methods: Sequence[str] | None = None,
    *,
    training: SupportsIndex | None = None,
    opponents: SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer[Any]] = (1, 2, 4, 8, 16),
    repetitions: SupportsIndex = 1000,
    seed: _Seed = 1,
    threads: SupportsIndex | None = None,
    progress: _Progress = None,
) -> Table: ...
def seed_matrix(
    game: str | Game,
    player: str = "flat(uniform)@400",
    seeds: SupportsIndex = 100,
    *,
    komi: _Float | None = None,
    komi_games: SupportsIndex = 200,
    symmetries: bool = False,
    seed: SupportsIndex = 1,
    store: _Path | Store | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress = None,
) -> NDArray[np.float64]: ...

@final
class Book:
    @staticmethod
    def learn(
        game: str | Game,
        player: str = "flat(uniform)@400",
        seeds: SupportsIndex = 100,
        *,
        method: str = "nash",
        lazy: str | None = None,
        exploitability: _Float = 0.05,
        games: SupportsIndex | None = None,
        komi: _Float | None = None,
        komi_games: SupportsIndex = 200,
        symmetries: bool = False,
        turn: bool = False,
        seed: SupportsIndex = 1,
        store: _Path | Store | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress = None,
    ) -> Book: ...
    @staticmethod
    def read(path: _Path) -> Book: ...
    @staticmethod
    def from_json(text: str) -> Book: ...
    def save(self, path: _Path) -> None: ...
    @property
    def game(self) -> Game: ...
    @property
    def player(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def symmetries(self) -> bool: ...
    @property
    def black(self) -> Table: ...
    @property
    def white(self) -> Table: ...
    @property
    def learnt(self) -> dict[str, Any]: ...
    def openings(self, side: Side, moves: SupportsIndex = 3) -> list[list[str]]: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
