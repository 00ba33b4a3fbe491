"""OpenSpiel's states as positions that every search can play.

Player 0 is Black and player 1 White. Whoever has the greater return at the end has won,
and equal returns are a draw: a search knows no other difference between results.
"""

from typing import Self

import pyspiel

from tesuji.own import Outcome, Side

SIDES: tuple[Side, Side] = ("black", "white")

# AMAF statistics can distinguish no more moves of a side.
MOST_MOVES = 32_767

# What OpenSpiel's random generators take as a seed: a C++ int that is not negative.
SEED_BITS = 31
SEED_MASK = (1 << SEED_BITS) - 1

MIX = 0x9E37_79B9_7F4A_7C15

# Games in which the players take turns from the first ply to the last: a random game
# need not say who played what, which takes as long as playing it.
TAKE_TURNS = frozenset(
    """
    antichess breakthrough chess clobber connect_four crazyhouse go gomoku havannah hex mnk
    nim othello oware pentago shogi tic_tac_toe xiangqi y
    """.split()
)


def check_game(game: pyspiel.Game) -> None:
    """Check that the bot can play a game.

    Parameters
    ----------
    game : pyspiel.Game
        The game.

    Raises
    ------
    ValueError
        If the bot cannot play it; the sentence says why.
    """
    kind = game.get_type()
    name = kind.short_name
    if game.num_players() != 2:
        raise ValueError(f"{name} is played by {game.num_players()} here, and the bot plays games of two players")
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(f"both players move at once in {name}, and the bot plays games in which they take turns")
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise ValueError(f"{name} has secrets, and the bot plays games of perfect information")
    if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
        raise ValueError(f"in {name} both may win or lose together, and the bot plays games of a constant sum")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(f"{name} does not say how likely its chances are, and the bot plays games that do")


def has_chance(game: pyspiel.Game) -> bool:
    """Whether dice or cards decide something."""
    return bool(game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC)


def outcome_of(returns: list[float]) -> Outcome:
    """Who has won a game with these returns."""
    black, white = returns
    return "black" if black > white else "white" if white > black else "draw"


class StatePosition:
    """A state of an OpenSpiel game of two players, as ``tesuji.search`` accepts it.

    Two positions are equal if the same actions led to both.

    If dice or cards decide, a position belongs to a *world* in which every chance is settled in
    advance. A search of one world knows what is coming as far as its tree reaches, so search
    several (``tesuji.openspiel.worlds``).

    Parameters
    ----------
    state : pyspiel.State
        The state, in which a player is to move or the game is over.
    world : int, default: 0
        The number that settles all chances.

    Raises
    ------
    ValueError
        If the bot cannot play the game, or chance is to move.

    Examples
    --------
    >>> import pyspiel, tesuji
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> for action in (0, 3, 1, 4):
    ...     state.apply_action(action)
    >>> tesuji.search(StatePosition(state), "uct", 500).move
    2
    """

    # Equal pictures would join more statistics, but a picture does not say what was repeated, when
    # a game will be cut short, or who may still castle; and the actions are there anyway.

    __slots__ = ("_history", "_state", "_takes_turns", "_world", "n_moves", "to_move")

    def __init__(self, state: pyspiel.State, *, world: int = 0) -> None:
        if state.is_chance_node():
            raise ValueError("nobody is to move in this state: its chance must be settled first")
        check_game(state.get_game())
        self._state = state.clone()
        self._history: tuple[int, ...] = tuple(state.history())
        self._world = world
        self._takes_turns = state.get_game().get_type().short_name in TAKE_TURNS
        self.to_move = self._side()
        self.n_moves = min(state.num_distinct_actions(), MOST_MOVES)

    def _side(self) -> Side:
        # Nobody is to move when the game is over; a side must be said nevertheless.
        return SIDES[max(0, self._state.current_player())]

    def legal_moves(self) -> list[int]:
        """Return the legal actions.

        Returns
        -------
        list of int
            The actions.
        """
        actions: list[int] = self._state.legal_actions()
        return actions

    def play(self, move: int) -> Self:
        """Play an action, and settle the chances that follow it.

        Parameters
        ----------
        move : int
            The action.

        Returns
        -------
        StatePosition
            The next position. This one stays as it is.
        """
        state = self._state.clone()
        state.apply_action(move)
        history = (*self._history, move)
        while state.is_chance_node():
            outcome = _settled(state.chance_outcomes(), self._world, len(history))
            state.apply_action(outcome)
            history = (*history, outcome)
        position = type(self).__new__(type(self))
        position._state = state
        position._history = history
        position._world = self._world
        position._takes_turns = self._takes_turns
        position.n_moves = self.n_moves
        position.to_move = position._side()
        return position

    def outcome(self) -> Outcome | None:
        """Return how the game ended.

        Returns
        -------
        str or None
            ``'black'`` (player 0), ``'white'`` (player 1), ``'draw'``, or ``None`` while the game goes on.
        """
        return outcome_of(self._state.returns()) if self._state.is_terminal() else None

    def playout(
        self, seed: int, wants_moves: bool = True
    ) -> Outcome | tuple[Outcome, list[int]] | tuple[Outcome, list[int], list[Side]]:
        """Play a random game from here, by OpenSpiel's own loop.

        Parameters
        ----------
        seed : int
            Equal seeds play equal games.
        wants_moves : bool, default: True
            Return the moves too.

        Returns
        -------
        str or tuple
            The outcome; or the outcome and the moves; or these and the sides that played them, if the
            players do not take turns.
        """
        state = self._state.clone()
        bots = [
            pyspiel.make_uniform_random_bot(0, seed & SEED_MASK),
            pyspiel.make_uniform_random_bot(1, seed >> SEED_BITS & SEED_MASK),
        ]
        chance = (seed * MIX >> SEED_BITS) & SEED_MASK
        outcome = outcome_of(pyspiel.evaluate_bots(state, bots, chance))
        if not wants_moves:
            return outcome
        if self._takes_turns:
            return outcome, state.history()[len(self._history) :]
        moves: list[int] = []
        sides: list[Side] = []
        for step in state.full_history()[len(self._history) :]:
            player = step.player
            if player >= 0:
                moves.append(step.action)
                sides.append(SIDES[player])
        return outcome, moves, sides

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StatePosition):
            return NotImplemented
        return self._history == other._history and self._world == other._world

    def __hash__(self) -> int:
        return hash((self._world, self._history))

    def __repr__(self) -> str:
        return f"<StatePosition of {self._state.get_game()} after {list(self._history)}>"


def _settled(outcomes: list[tuple[int, float]], world: int, ply: int) -> int:
    """What comes up in a world: always the same after the same number of actions.

    The dice do not depend on what was played, so that all moves are tried with the same
    luck, and their difference is seen with fewer worlds.
    """
    share = ((hash((world, ply)) * MIX) >> 11 & (1 << 53) - 1) / (1 << 53)
    for outcome, probability in outcomes:
        share -= probability
        if share < 0.0:
            return outcome
    # The probabilities add up to one but for their last digits.
    return outcomes[-1][0]
