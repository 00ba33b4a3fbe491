"""Simple-regret Monte Carlo search: which move is best, given a fixed number of samples.

>>> import tesuji
>>> decision = tesuji.search(tesuji.Position("hex:5"), "sh+rave", budget=2000)
>>> decision.spent
2000

Games and players are written as on the command line; ``tesuji.games()`` and
``tesuji.players()`` list them. Whatever is wrong with an argument is a ``ValueError``.
"""

from tesuji._tesuji import (
    Attempt,
    Campaign,
    Decision,
    Experiment,
    Game,
    MatchResult,
    Player,
    Position,
    Store,
    __version__,
    games,
    match,
    players,
    search,
)
from tesuji.own import OwnPosition

__all__ = [
    "Attempt",
    "Campaign",
    "Decision",
    "Experiment",
    "Game",
    "MatchResult",
    "OwnPosition",
    "Player",
    "Position",
    "Store",
    "__version__",
    "games",
    "match",
    "players",
    "search",
]
