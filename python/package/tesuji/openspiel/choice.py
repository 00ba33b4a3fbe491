"""What a bot chose in a state, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tesuji._tesuji import Decision, Player


@dataclass(frozen=True)
class Arm:
    """The statistics of an action: its samples, and their mean reward for the side to move."""

    action: int
    visits: int
    mean: float


@dataclass(frozen=True)
class Choice:
    """The action that a bot chose, and the search behind it."""

    #: The action to play.
    action: int
    #: The samples that the search took, and the seconds.
    simulations: int
    seconds: float
    #: Whether it searched our own rules, not OpenSpiel's state.
    native: bool
    # Made when somebody asks: most games are played without.
    make_policy: Callable[[], list[tuple[int, float]]] = field(repr=False)
    make_text: Callable[[], str] = field(repr=False)

    @property
    def policy(self) -> list[tuple[int, float]]:
        """Every legal action with its probability."""
        return self.make_policy()

    @property
    def text(self) -> str:
        """The tables of the search."""
        return self.make_text()


def arms_of(decision: Decision[Any], action: Callable[[Any], int]) -> list[Arm]:
    """The arms of a decision, their moves as actions."""
    arms = decision.arms
    columns = zip(arms["move"].tolist(), arms["visits"].tolist(), arms["mean"].tolist(), strict=True)
    return [Arm(action(move), visits, mean) for move, visits, mean in columns]


def policy(
    player: Player, arms: Sequence[Arm], chosen: int, legal: Sequence[int]
) -> list[tuple[int, float]]:
    """The probability of every legal action.

    If a tree search plays the move with the most visits, an action's share of the visits is its
    probability. Any other root spends its samples to find the best arm and not to measure the
    others: halving samples the second best as often as the best until the very end. The policy
    of such a search is the one action that it recommends, and so is that of a search that
    proved something.
    """
    visits = {arm.action: arm.visits for arm in arms}
    total = sum(visits.values())
    if player.plays_most_visited and total > 0 and visits[chosen] == max(visits.values()):
        return [(action, visits.get(action, 0) / total) for action in legal]
    return [(action, float(action == chosen)) for action in legal]
