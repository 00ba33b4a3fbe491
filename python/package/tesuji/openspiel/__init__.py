"""Our players in OpenSpiel: a ``pyspiel.Bot`` for its games of two players without secrets.

>>> import pyspiel
>>> from tesuji.openspiel import Bot, native_spec
>>> game = pyspiel.load_game("hex(board_size=5)")
>>> native_spec(game)
'hex:5'
>>> bot = Bot(game, 0, "rave", budget=200)
>>> bot.step(game.new_initial_state()) in range(25)
True

Breakthrough, Hex, Go and their misère versions are searched by our own rules, many times
faster; ``native_spec`` returns our spec of such a game. Every other game goes through
OpenSpiel's own state, as ``StatePosition``, which ``tesuji.search`` accepts too.
"""

try:
    import pyspiel  # noqa: F401
except ImportError as error:
    raise ImportError("tesuji.openspiel needs OpenSpiel: pip install './python[openspiel]'") from error

from tesuji.openspiel.bot import Bot
from tesuji.openspiel.choice import Choice
from tesuji.openspiel.native import Follower, Translation, native_spec, translation
from tesuji.openspiel.state import StatePosition, check_game

__all__ = [
    "Bot",
    "Choice",
    "Follower",
    "StatePosition",
    "Translation",
    "check_game",
    "native_spec",
    "translation",
]
