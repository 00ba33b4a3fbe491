"""OpenSpiel's games that we have too, and how one speaks of the other's moves.

========================= ========================================= ====================
OpenSpiel                 if the rules are the same                 ours
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
there a game is cut and counted after ``max_game_length`` plies, twice the number of points
if nobody says otherwise. So a state is searched natively while nothing that could be
played now would repeat a board, and while at least as many plies are left as the board
has points; otherwise through OpenSpiel's own state. What remains is a repetition deeper
in the tree, and random games that would have been cut: 8 % of them on 5x5, 2 % on 7x7,
0.2 % on 9x9, and none of thousands on larger boards.
"""

from functools import cache
from typing import Final

import pyspiel

from tesuji._tesuji import Position
from tesuji.own import Side

GO_COLUMNS: Final = "abcdefghjklmnopqrst"
COLUMNS: Final = "abcdefghijklmnopqrs"
MISERE: Final = "misere(game="


class Translation:
    """A game of OpenSpiel that is built in here: it translates actions into moves and back.

    Parameters
    ----------
    game : pyspiel.Game
        OpenSpiel's game.
    spec : str
        Our spec of it.
    moves : dict
        Our move for each action.
    sides : tuple of str
        Our sides of players 0 and 1.
    """

    def __init__(self, game: pyspiel.Game, spec: str, moves: dict[int, str], sides: tuple[Side, Side]) -> None:
        self._game = game
        #: Our spec of the game.
        self.spec = spec
        #: Our sides of players 0 and 1.
        self.sides = sides
        self._moves = moves
        self._actions = {move: action for action, move in moves.items()}

    def move(self, action: int) -> str:
        """Return our text of an action.

        Parameters
        ----------
        action : int
            OpenSpiel's action.

        Returns
        -------
        str
            The move.

        Raises
        ------
        ValueError
            If there is no such action.
        """
        try:
            return self._moves[action]
        except KeyError:
            raise ValueError(f"{action} is not an action of {self._game}") from None

    def action(self, move: str) -> int:
        """Return the action of a move.

        Parameters
        ----------
        move : str
            Our text of the move.

        Returns
        -------
        int
            OpenSpiel's action.

        Raises
        ------
        ValueError
            If there is no such move.
        """
        try:
            return self._actions[move]
        except KeyError:
            raise ValueError(f"{move!r} is not a move of {self.spec}") from None

    def holds(self, state: pyspiel.State, position: Position) -> bool:
        """Return whether both rules agree about what may follow soon.

        Parameters
        ----------
        state : pyspiel.State
            OpenSpiel's state.
        position : Position
            Our position for it.

        Returns
        -------
        bool
            Whether the position may be searched instead of the state.
        """
        return True


class Go(Translation):
    """Go, while nothing can be repeated and the end of OpenSpiel's patience is far."""

    def holds(self, state: pyspiel.State, position: Position) -> bool:
        left = self._game.max_game_length() - len(state.history())
        if left < len(self._moves) - 1:
            return False
        # Ours are among theirs: what we do not have would repeat a board.
        return len(position.legal_moves()) == len(state.legal_actions())


class Follower:
    """Keeps our position next to a game of OpenSpiel, so that only new actions are played.

    Parameters
    ----------
    game : pyspiel.Game
        OpenSpiel's game.
    translation : Translation
        Its translation.
    """

    def __init__(self, game: pyspiel.Game, translation: Translation) -> None:
        self._game = game
        self.translation = translation
        self.restart()

    def restart(self) -> None:
        """Go back to the start of the game."""
        self._history: list[int] = []
        self._state = self._game.new_initial_state()
        self._position = Position(self.translation.spec)

    def position(self, state: pyspiel.State) -> Position | None:
        """Return our position for a state.

        A state that did not begin at the start of the game does not say in its history what is on
        its board. So the history is played from the start, and the boards are compared.

        Parameters
        ----------
        state : pyspiel.State
            OpenSpiel's state.

        Returns
        -------
        Position or None
            The position; ``None`` if the rules would differ from here on.
        """
        history = state.history()
        if self._history != history[: len(self._history)]:
            self.restart()
        new = history[len(self._history) :]
        for action in new:
            if action not in self._state.legal_actions():
                self.restart()
                return None
            self._state.apply_action(action)
        self._position = self._position.play(*map(self.translation.move, new))
        self._history = history
        if str(self._state) != str(state) or not self.translation.holds(state, self._position):
            return None
        return self._position


@cache
def _breakthrough_moves(rows: int, columns: int) -> dict[int, str]:
    """Actions count row from the top, column, direction and whether something is taken."""
    moves = {}
    for action in range(rows * columns * 12):
        rest, takes = divmod(action, 2)
        rest, direction = divmod(rest, 6)
        row, column = divmod(rest, columns)
        # Directions 0 to 2 lead down, 3 to 5 up; each to the left, straight, to the right.
        to_row = row + (1 if direction < 3 else -1)
        to_column = column + direction % 3 - 1
        if 0 <= to_row < rows and 0 <= to_column < columns:
            sign = "x" if takes else "-"
            moves[action] = f"{COLUMNS[column]}{row + 1}{sign}{COLUMNS[to_column]}{to_row + 1}"
    return moves


@cache
def _cell_moves(size: int, columns: str, word: str) -> dict[int, str]:
    """Actions are cells, row by row, and one more that is a word."""
    cells = {row * size + column: f"{columns[column]}{row + 1}" for row in range(size) for column in range(size)}
    return {**cells, size * size: word}


def translation(game: pyspiel.Game) -> Translation | None:
    """Return the translation of a game of OpenSpiel.

    Parameters
    ----------
    game : pyspiel.Game
        The game.

    Returns
    -------
    Translation or None
        The translation; ``None`` if the game is not built in here.
    """
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
                return Translation(
                    game, twin(f"breakthrough:{columns}x{rows}"), _breakthrough_moves(rows, columns), ("white", "black")
                )
        case "hex":
            size = parameters["num_rows"]
            if 2 <= size <= 19 and parameters["num_cols"] == size:
                option = "(swap=on)" if parameters.get("swap", False) else ""
                return Translation(
                    game, twin(f"hex:{size}{option}"), _cell_moves(size, COLUMNS, "swap"), ("black", "white")
                )
        case "go":
            size, komi = parameters["board_size"], parameters["komi"]
            plain = parameters["handicap"] < 2 and abs(komi) <= 361 and (2 * komi).is_integer()
            if 2 <= size <= 19 and plain:
                spec = f"go:{size}(komi={komi:g},superko=positional,draws=half)"
                return Go(game, twin(spec), _cell_moves(size, GO_COLUMNS, "pass"), ("black", "white"))
    return None


def native_spec(game: pyspiel.Game) -> str | None:
    """Return our spec of a game of OpenSpiel.

    Parameters
    ----------
    game : pyspiel.Game
        The game.

    Returns
    -------
    str or None
        The spec; ``None`` if the game is not built in here.

    Examples
    --------
    >>> import pyspiel
    >>> native_spec(pyspiel.load_game("misere(game=breakthrough(rows=6,columns=5))"))
    'nobreakthrough:5x6'
    >>> native_spec(pyspiel.load_game("chess")) is None
    True
    """
    found = translation(game)
    return None if found is None else Position(found.spec).game.spec
