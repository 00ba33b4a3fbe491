"""The best of some arms that can be sampled: a loop around ``Allocator``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tesuji._tesuji import Allocator


@dataclass(frozen=True, eq=False)
class BestArm:
    """What came of ``best_arm``."""

    arm: int
    """The arm that is best as far as is known."""
    means: NDArray[np.float64]
    """The mean reward of each arm; nan where it was never sampled."""
    counts: NDArray[np.uint64]
    """How often each arm was sampled."""
    rounds: NDArray[Any]
    """Who was cut when, as ``Allocator.rounds`` has it."""
    spent: int
    """The samples that were taken."""
    stop: str | None
    """Why that is less than the budget, in words."""


def best_arm(
    sample: Callable[[int, int], ArrayLike],
    n_arms: int,
    budget: int,
    policy: str = "sh",
    *,
    seed: int | str = 1,
    scores: Sequence[float] | NDArray[np.float64] | None = None,
) -> BestArm:
    """Finds the best of some arms with a budget of samples.

    ``sample(arm, n)`` gives n rewards of an arm, each from 0 to 1, as an array (or a number
    where n is 1). ``scores`` are priors, for policies that use them: ``shuss(t=...)``, ``gumbel``.
    Whatever ``sample`` raises comes through.

    >>> import numpy as np
    >>> luck = np.random.default_rng(1)
    >>> found = best_arm(lambda arm, n: luck.random(n) < (0.3, 0.4, 0.8)[arm], 3, budget=300)
    >>> found.arm, int(found.counts.sum())
    (2, 300)
    """
    allocator = Allocator(policy, n_arms, budget, seed=seed)
    if scores is not None:
        allocator.set_scores(scores)
    for batch in allocator:
        for arm, samples in batch.tolist():
            rewards = np.asarray(sample(arm, samples), dtype=float)
            if rewards.size != samples:
                raise ValueError(
                    f"sample({arm}, {samples}) must give {samples} rewards, and gave {rewards.size}"
                )
            allocator.observe(arm, rewards)
    arms = allocator.arms
    return BestArm(
        arm=allocator.recommend(),
        means=arms["mean"].copy(),
        counts=arms["count"].copy(),
        rounds=allocator.rounds,
        spent=allocator.spent,
        stop=allocator.stop,
    )
