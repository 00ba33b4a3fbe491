"""OpenSpiel's games that we have too, and how one speaks of the other's moves.

========================= ========================================= ====================
OpenSpiel                 where the rules are the same              ours
========================= ========================================= ====================
``breakthrough``          6 to 8 rows, 2 to 8 columns               ``breakthrough:WxH``
``hex``                   square, 2 to 19; with and without swap    ``hex:N``
``go``                    2 to 19, no handicap, komi in halves      ``go:N``
``misere(game=...)``      of one of these                           ``misere(...)``
========================= ========================================= ====================

**Breakthrough** below 6 rows has one row of pawns a side there and two here. OpenSpiel's
player 0 begins at the top and goes down; here White begins, at the bottom. So player 0 is
White, and rows are counted from the other end.

**Go** is the same game (area scoring, no suicide, simple ko, two passes end it) but for
two rules. Who repeats a board there ends the game as a draw; here that is illegal. And
there a game is cut and counted after ``max_game_length`` plies. So a state is searched
natively while nothing that could be played now would repeat a board, and while at least
as many plies are left as the board has points, which random games seldom need; otherwise
through OpenSpiel's own state. What remains is a repetition deeper in the tree, which our
search takes for illegal and OpenSpiel for a draw.
"""

import re
from abc import ABC, abstractmethod
from typing import Final

import pyspiel

from tesuji._tesuji import Position
from tesuji.own import Side

GO_COLUMNS: Final = "abcdefghjklmnopqrst"
COLUMNS: Final = "abcdefghijklmnopqrs"
MISERE: Final = "misere(game="


class Translation(ABC):
    """One of OpenSpiel's games as one of ours: actions as moves and back."""

    #: Our spec of the game.
    spec: str
    #: Our sides of players 0 and 1.
    sides: tuple[Side, Side] = ("black", "white")

    def __init__(self, game: pyspiel.Game, spec: str) -> None:
        self._game = game
        self.spec = spec

    @abstractmethod
    def move(self, action: int) -> str:
        """Our text of an action."""

    @abstractmethod
    def action(self, move: str) -> int:
        """The action that our text means."""

    def holds(self, state: pyspiel.State) -> bool:
        """Whether our rules are OpenSpiel's in what may follow soon."""
        return True

    def position(self, state: pyspiel.State) -> Position | None:
        """Our position for a state, or ``None`` where our rules would differ from there on.

        States that did not begin where the game begins have no history that would say
        what is on their board, so the history is played again and compared.
        """
        history = state.history()
        again = self._game.new_initial_state()
        for action in history:
            again.apply_action(action)
        if str(again) != str(state) or not self.holds(state):
            return None
        position = Position(self.spec, " ".join(map(self.move, history)))
        legal = {self.move(action) for action in state.legal_actions()}
        return position if legal == set(position.legal_moves()) else None


class Breakthrough(Translation):
    """Actions count row from the top, column, direction and whether something is taken."""

    sides = ("white", "black")

    def __init__(self, game: pyspiel.Game, spec: str, columns: int) -> None:
        super().__init__(game, spec)
        self._columns = columns

    def move(self, action: int) -> str:
        rest, takes = divmod(action, 2)
        rest, direction = divmod(rest, 6)
        row, column = divmod(rest, self._columns)
        # Directions 0 to 2 lead down, 3 to 5 up; each to the left, straight, to the right.
        to_row = row + (1 if direction < 3 else -1)
        to_column = column + direction % 3 - 1
        sign = "x" if takes else "-"
        return f"{COLUMNS[column]}{row + 1}{sign}{COLUMNS[to_column]}{to_row + 1}"

    def action(self, move: str) -> int:
        parts = re.fullmatch(r"([a-h])([1-8])([-x])([a-h])([1-8])", move)
        if parts is None:
            raise ValueError(f"{move!r} is not a move of Breakthrough, which is written as a2-a3 or a2xb3")
        column, to_column = COLUMNS.index(parts[1]), COLUMNS.index(parts[4])
        row, to_row = int(parts[2]) - 1, int(parts[5]) - 1
        direction = (0 if to_row > row else 3) + to_column - column + 1
        return ((row * self._columns + column) * 6 + direction) * 2 + (parts[3] == "x")


class Cells(Translation):
    """Actions are cells, row by row, and one more that is a word."""

    def __init__(self, game: pyspiel.Game, spec: str, size: int, columns: str, word: str) -> None:
        super().__init__(game, spec)
        self._size = size
        self._columns = columns
        self._word = word

    def move(self, action: int) -> str:
        if action == self._size * self._size:
            return self._word
        row, column = divmod(action, self._size)
        return f"{self._columns[column]}{row + 1}"

    def action(self, move: str) -> int:
        if move == self._word:
            return self._size * self._size
        parts = re.fullmatch(r"([a-t])(\d+)", move)
        if parts is None or parts[1] not in self._columns:
            raise ValueError(f"{move!r} is not a move here: it is a cell such as b2, or {self._word}")
        return (int(parts[2]) - 1) * self._size + self._columns.index(parts[1])


class Go(Cells):
    """Go, until the end of OpenSpiel's patience is near."""

    def holds(self, state: pyspiel.State) -> bool:
        left = self._game.max_game_length() - len(state.history())
        return bool(left >= self._size * self._size)


def translation(game: pyspiel.Game) -> Translation | None:
    """How to speak of an OpenSpiel game as one of ours, or ``None`` where we do not have it."""
    rules, flips = game, 0
    while (text := str(rules)).startswith(MISERE):
        # The wrapper does not tell the other parameters of what it wraps.
        rules, flips = pyspiel.load_game(text[len(MISERE) : -1]), flips + 1

    def twin(spec: str) -> str:
        return f"misere({spec})" if flips % 2 else spec

    parameters = rules.get_parameters()
    match rules.get_type().short_name:
        case "breakthrough":
            rows, columns = parameters["rows"], parameters["columns"]
            if 6 <= rows <= 8 and 2 <= columns <= 8:
                return Breakthrough(game, twin(f"breakthrough:{columns}x{rows}"), columns)
        case "hex":
            size = parameters["num_rows"]
            if 2 <= size <= 19 and parameters["num_cols"] == size:
                option = "(swap=on)" if parameters["swap"] else ""
                return Cells(game, twin(f"hex:{size}{option}"), size, COLUMNS, "swap")
        case "go":
            size, komi = parameters["board_size"], parameters["komi"]
            plain = parameters["handicap"] < 2 and abs(komi) <= 361 and (2 * komi).is_integer()
            if 2 <= size <= 19 and plain:
                spec = f"go:{size}(komi={komi:g},superko=positional,draws=half)"
                return Go(game, twin(spec), size, GO_COLUMNS, "pass")
    return None


def native_spec(game: pyspiel.Game) -> str | None:
    """The spec of our game that is this one, or ``None`` where we do not have it.

    >>> import pyspiel
    >>> native_spec(pyspiel.load_game("misere(game=breakthrough(rows=6,columns=5))"))
    'nobreakthrough:5x6'
    >>> native_spec(pyspiel.load_game("chess")) is None
    True
    """
    found = translation(game)
    return None if found is None else Position(found.spec).game.spec
