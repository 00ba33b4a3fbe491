"""Simple-regret Monte Carlo search: which move is best, given a fixed number of samples.

>>> import tesuji
>>> decision = tesuji.search(tesuji.Position("hex:5"), "sh+rave", budget=2000)
>>> decision.spent
2000

Games and players are written as on the command line; ``tesuji.games()`` and
``tesuji.players()`` list them. Whatever is wrong with an argument is a ``ValueError``.
"""

from tesuji import portfolio
from tesuji._tesuji import (
    Allocator,
    Attempt,
    Campaign,
    Decision,
    Experiment,
    Game,
    MatchResult,
    Player,
    Position,
    Store,
    __build__,
    __version__,
    bandit,
    games,
    match,
    players,
    policies,
    search,
)
from tesuji.arms import BestArm, best_arm
from tesuji.own import Outcome, OwnPosition, Side

__all__ = [
    "Allocator",
    "Attempt",
    "BestArm",
    "Campaign",
    "Decision",
    "Experiment",
    "Game",
    "MatchResult",
    "Outcome",
    "OwnPosition",
    "Player",
    "Position",
    "Side",
    "Store",
    "__build__",
    "__version__",
    "bandit",
    "best_arm",
    "games",
    "match",
    "players",
    "policies",
    "portfolio",
    "search",
]
