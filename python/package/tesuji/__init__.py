"""Simple-regret Monte Carlo search: which move is best, given a fixed number of samples.

>>> import tesuji
>>> decision = tesuji.search("hex:5", "sh+rave", budget=2000)
>>> decision.spent
2000

Games and players are written as on the command line; ``tesuji.games()`` and
``tesuji.players()`` list them. A wrong argument raises a ``ValueError`` with one sentence.
"""

from tesuji import portfolio
from tesuji._tesuji import (
    Allocator,
    Attempt,
    Campaign,
    Decision,
    Experiment,
    Game,
    NetworkForm,
    Player,
    Position,
    Store,
    __build__,
    __version__,
    bandit,
    games,
    match,
    perft,
    players,
    policies,
    search,
    tournament,
)
from tesuji.arms import BestArm, best_arm
from tesuji.own import Outcome, OwnPosition, Side
from tesuji.results import MatchResult, Stop, TournamentResult
from tesuji.table import Table

__all__ = [
    "Allocator",
    "Attempt",
    "BestArm",
    "Campaign",
    "Decision",
    "Experiment",
    "Game",
    "MatchResult",
    "NetworkForm",
    "Outcome",
    "OwnPosition",
    "Player",
    "Position",
    "Side",
    "Stop",
    "Store",
    "Table",
    "TournamentResult",
    "__build__",
    "__version__",
    "bandit",
    "best_arm",
    "games",
    "match",
    "perft",
    "players",
    "policies",
    "portfolio",
    "search",
    "tournament",
]
