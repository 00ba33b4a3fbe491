"""The best of some arms that can be sampled: a loop around ``Allocator``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tesuji._tesuji import Allocator
from tesuji.results import Stop
from tesuji.table import Table, same

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class BestArm:
    """The result of ``best_arm``. It can be pickled and compared."""

    arm: int
    """The best arm as far as is known, from 0."""
    means: NDArray[np.float64]
    """The mean reward of each arm; nan if it was never sampled."""
    counts: NDArray[np.uint64]
    """How often each arm was sampled."""
    rounds: Table
    """Which arms were cut when, with the columns of ``Allocator.rounds``."""
    spent: int
    """The number of samples that were taken."""
    stop: Stop | None
    """Why that is less than the budget; ``None`` if it is not."""
    confidence: float | None = None
    """The chance that the arm is the best, or within ``within`` of the best; ``None`` without samples."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the arms as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            A row for each arm, with its ``count`` and ``mean``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self._table().to_frame()

    def _table(self) -> Table:
        kinds = [("arm", "i8"), ("count", "u8"), ("mean", "f8")]
        table = np.empty(len(self.means), dtype=kinds).view(Table)
        table["arm"], table["count"], table["mean"] = np.arange(len(self.means)), self.counts, self.means
        return table

    def _repr_html_(self) -> str | None:
        return self._table()._repr_html_()

    def __eq__(self, other: object) -> bool:
        """Return whether both found the same with the same samples."""
        if not isinstance(other, BestArm):
            return NotImplemented
        is_same = (self.arm, self.spent, self.stop) == (other.arm, other.spent, other.stop)
        return is_same and same(self._table(), other._table()) and same(self.rounds, other.rounds)

    __hash__ = None  # type: ignore[assignment]


def best_arm(
    sample: Callable[[int, int], ArrayLike],
    n_arms: SupportsIndex,
    budget: SupportsIndex,
    policy: str = "sh",
    *,
    seed: SupportsIndex | str = 1,
    scores: Sequence[float] | NDArray[np.float64] | None = None,
    until: float | None = None,
    within: float = 0.0,
) -> BestArm:
    """Find the best of some arms with a budget of samples.

    Parameters
    ----------
    sample : callable
        ``sample(arm, n)`` returns n rewards of an arm, each from 0 to 1, as an array (or a number if
        n is 1). Its exceptions are passed on.
    n_arms : int
        How many arms there are.
    budget : int
        How many samples are taken.
    policy : str, default: 'sh'
        The policy that spends the budget; ``policies()`` lists them.
    seed : int or str, default: 1
        For the policy's own random choices.
    scores : array of float, optional
        A prior for each arm, for policies that use scores: ``shuss(t=...)``, ``gumbel``.
    until : float, optional
        Stop between two batches of the policy once the arm is right with this chance, such as 0.95.
    within : float, default: 0.0
        An arm is right if its value is at most this far below the best.

    Returns
    -------
    BestArm
        The best arm, and the statistics of all arms.

    Raises
    ------
    ValueError
        If an argument or a reward is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> luck = np.random.default_rng(1)
    >>> found = best_arm(lambda arm, n: luck.random(n) < (0.3, 0.4, 0.8)[arm], 3, budget=300)
    >>> found.arm, int(found.counts.sum())
    (2, 300)
    """
    if until is not None and not 0.5 < until < 1:
        raise ValueError(
            f"{until} is not a confidence to stop at: it is above 0.5 and below 1, such as 0.95"
        )
    allocator = Allocator(policy, n_arms, budget, seed=seed)
    if scores is not None:
        allocator.set_scores(scores)
    stop, look = None, max(32, 4 * len(allocator.arms))
    for batch in allocator:
        # Looked at after an eighth more samples each time, as searches do.
        if until is not None and allocator.spent >= look:
            look = allocator.spent + allocator.spent // 8
            sure = allocator.confidence(within)
            if sure is not None and sure >= until:
                percent = math.floor(1000 * sure) / 10
                stop = Stop("sure", f"it is {percent}% sure of its choice", confidence=sure)
                break
        for arm, samples in batch.tolist():
            rewards = np.asarray(sample(arm, samples), dtype=float)
            if rewards.size != samples:
                raise ValueError(
                    f"sample({arm}, {samples}) must return {samples} rewards, and returned {rewards.size}"
                )
            allocator.observe(arm, rewards)
    arms = allocator.arms
    return BestArm(
        arm=allocator.recommend(),
        means=arms["mean"].copy(),
        counts=arms["count"].copy(),
        rounds=allocator.rounds,
        spent=allocator.spent,
        stop=stop or allocator.stop,
        confidence=allocator.confidence(within),
    )
