from collections.abc import Sequence
import os
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, Literal, final, overload

import numpy as np
from numpy.typing import NDArray

from tesuji.own import OwnPosition, Side, Outcome

__version__: str

@final
class Game:
    def __new__(cls, spec: str) -> Game: ...

# Experiments, campaigns, stores, matches.

_Path = str | os.PathLike[str]
_Task = tuple[int, list[int]]
_Progress = Callable[[int, int], object]

@final
class Experiment:
    @staticmethod
    def read(path: _Path, *, quick: bool = False, only: str | Sequence[str] | None = None) -> Experiment: ...
    @staticmethod
    def parse(
        text: str,
        name: str = "experiment",
        *,
        quick: bool = False,
        only: str | Sequence[str] | None = None,
    ) -> Experiment: ...
    @staticmethod
    def _again(
        name: str, text: str, beside: dict[str, str], folder: _Path, quick: bool, only: Sequence[str]
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
    def cells(self) -> NDArray[np.void]: ...
    def run(
        self,
        store: _Path | Store,
        *,
        threads: int | None = None,
        shard: str | None = None,
        time: float | None = None,
        progress: _Progress | None = None,
    ) -> dict[str, int]: ...
    def work_on(self, task: _Task) -> bytes: ...

@final
class Campaign:
    def __new__(
        cls,
        experiment: Experiment,
        store: _Path | Store,
        *,
        shard: str | None = None,
        hands: int = 1,
        most_voids: int = 2,
    ) -> Campaign: ...
    def next(self, most: int = 1, *, seconds: float | None = None) -> _Task | None: ...
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
    def experiments(self) -> NDArray[np.void]: ...
    def cells(self, experiment: str | None = None) -> NDArray[np.void]: ...
    def games(self, experiment: str | None = None) -> NDArray[np.void]: ...
    def voids(self, experiment: str | None = None) -> NDArray[np.void]: ...
    def regrets(self, experiment: str | None = None) -> NDArray[np.void]: ...
    def report(self, experiment: str | None = None) -> dict[str, Any]: ...
    def merge(self, *paths: _Path) -> list[dict[str, int]]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class MatchResult:
    @property
    def wins(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def rate(self) -> float | None: ...
    @property
    def interval(self) -> tuple[float, float]: ...
    @property
    def elo(self) -> float | None: ...
    @property
    def elo_error(self) -> float | None: ...
    @property
    def los(self) -> float | None: ...
    @property
    def games(self) -> NDArray[np.void]: ...

def match(
    game: str | Game,
    player: str,
    opponent: str,
    *,
    games: int = 100,
    budget: int | str | None = None,
    seed: int = 1,
    threads: int | None = None,
    store: _Path | Store | None = None,
    random_plies: int | None = None,
    openings: Sequence[str] | _Path | None = None,
    progress: _Progress | None = None,
) -> MatchResult: ...
