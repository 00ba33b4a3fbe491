"""Our players as OpenSpiel's bots."""

from collections.abc import Callable
from operator import index
from typing import Any, Final, Self, SupportsIndex

import pyspiel

from tesuji._tesuji import DEFAULT_BUDGET, Decision, Player
from tesuji.openspiel.choice import Choice, arms_of, policy
from tesuji.openspiel.native import Follower, translation
from tesuji.openspiel.seeds import derived_seed
from tesuji.openspiel.state import StatePosition, check_game, has_chance
from tesuji.openspiel.worlds import search_worlds

#: Seeds are whole numbers below this.
SEEDS: Final = 1 << 64

#: What a state is known by: its picture and its actions.
Seen = tuple[str, tuple[int, ...]]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays one side of an OpenSpiel game.

    The same seed plays the same games, unless the budget is a time. The seed of a move depends
    on the bot's seed, the number of the game since the bot was made, and the ply. A bot that is
    asked again in the same state returns the same action.

    A bot can be pickled. Its trees (``+reuse``) do not travel.

    Parameters
    ----------
    game : pyspiel.Game
        A game of two players who take turns, of perfect information and a constant sum. It may
        have dice or cards (``tesuji.openspiel.worlds``).
    player_id : int
        The side: 0 or 1.
    player : str, default: 'rave'
        The player, such as ``"rave"``, ``"sh+uct"`` or ``"hybrid-shuss(t=512)"``.
    budget : int or str, optional
        A number of samples for each move, or a time such as ``"2s"``. The player's own budget, after
        the ``@`` of its spec, wins. If neither has a budget: 10,000 samples.
    seed : int, default: 1
        Equal seeds play equal games.
    threads : int, default: 1
        How many threads search a built-in game. The moves do not depend on it.
    native : bool, default: True
        Search built-in games by our own rules, which is much faster. ``False``: search every game
        through OpenSpiel's state.

    Raises
    ------
    ValueError
        If the bot cannot play the game, or another argument is wrong.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        player: str = "rave",
        budget: SupportsIndex | str | None = None,
        *,
        seed: SupportsIndex = 1,
        threads: SupportsIndex = 1,
        native: bool = True,
    ) -> None:
        pyspiel.Bot.__init__(self)
        check_game(game)
        if player_id not in (0, 1):
            raise ValueError(f"the players of a game of two are 0 and 1, not {player_id}")
        seed, threads = index(seed), index(threads)
        if not 0 <= seed < SEEDS:
            raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
        if not 1 <= threads <= 1024:
            raise ValueError(f"threads are from 1 to 1024, not {threads}")
        self._game = game
        self._player_id = player_id
        self._player = Player(player, DEFAULT_BUDGET if budget is None else budget)
        self._seed = seed
        self._threads = threads
        self._native = native
        known = translation(game) if native else None
        self._follower = None if known is None else Follower(game, known)
        self._has_chance = has_chance(game)
        self._n_samples = _samples(self._player.spec)
        # A budget of its own would win over the share of a world.
        self._world_player = Player(_without_budget(self._player.spec))
        if self._has_chance and self._n_samples is None:
            raise ValueError("in a game with chance the budget must be a number of samples, not a time")
        self._n_games = 0
        self._n_clones = 0
        self._has_played = False
        # What was chosen last, and where.
        self._last: tuple[Seen, Choice] | None = None

    @property
    def spec(self) -> str:
        """The canonical text of the player, with its budget if it searches."""
        return self._player.spec

    @property
    def last_choice(self) -> Choice | None:
        """The last choice in this game, with the search behind it; ``None`` before the first."""
        return None if self._last is None else self._last[1]

    def player_id(self) -> int:
        """Return the side that the bot plays.

        Returns
        -------
        int
            0 or 1.
        """
        return self._player_id

    # Choosing.

    def step(self, state: pyspiel.State) -> int:
        """Choose an action.

        Parameters
        ----------
        state : pyspiel.State
            A state in which the bot is to move.

        Returns
        -------
        int
            The action.
        """
        return self._choice(state).action

    def step_verbose(self, state: pyspiel.State) -> tuple[int, str]:
        """Choose an action, and say why.

        Parameters
        ----------
        state : pyspiel.State
            A state in which the bot is to move.

        Returns
        -------
        tuple of int and str
            The action, and the tables of the search.
        """
        choice = self._choice(state)
        return choice.action, choice.text

    def provides_policy(self) -> bool:
        """Return whether the bot has a policy: it has.

        Returns
        -------
        bool
            ``True``.
        """
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Return the probability of every legal action.

        If a tree decides at the root and plays the move with the most visits (``uct``, ``rave``,
        ``grave``, ``puct``), it is the share of visits. Other roots, such as halving, find a best
        arm and do not rank the rest: its probability is 1. The bot itself always plays the best
        action, and does not draw from its policy.

        Parameters
        ----------
        state : pyspiel.State
            A state in which the bot is to move.

        Returns
        -------
        list of tuple
            Pairs of an action and its probability.
        """
        return list(self._choice(state).policy)

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """Choose an action, and return the policy too.

        Parameters
        ----------
        state : pyspiel.State
            A state in which the bot is to move.

        Returns
        -------
        tuple
            The policy, as ``get_policy`` returns it, and the action.
        """
        choice = self._choice(state)
        return list(choice.policy), choice.action

    # Keeping up with the game.

    def restart(self) -> None:
        """Begin a new game. It has other random numbers than the last one."""
        self._n_games += self._has_played
        self._has_played = False
        self._last = None
        self._player.forget()
        if self._follower is not None:
            self._follower.restart()

    def restart_at(self, state: pyspiel.State) -> None:
        """Begin a new game at some state.

        Parameters
        ----------
        state : pyspiel.State
            The state.
        """
        self._check_own(state)
        self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Hear of another player's action. Nothing is to be done: states know all their actions.

        Parameters
        ----------
        state : pyspiel.State
            The state before the action.
        player_id : int
            Who plays.
        action : int
            The action.
        """
        self._check_own(state)

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        """Raise: nobody plays at the same time in a game that the bot plays.

        Parameters
        ----------
        state : pyspiel.State
            The state before the actions.
        actions : list of int
            The actions.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError("the bot plays games in which the players take turns, so one action comes at a time")

    def provides_force_action(self) -> bool:
        """Return whether the bot can be made to play an action: it can.

        Returns
        -------
        bool
            ``True``.
        """
        return True

    def force_action(self, state: pyspiel.State, action: int) -> None:
        """Treat an action as the bot's own.

        Parameters
        ----------
        state : pyspiel.State
            A state in which the bot is to move.
        action : int
            The action.

        Raises
        ------
        ValueError
            If the action is not legal.
        """
        self._check_turn(state)
        if action not in state.legal_actions():
            raise ValueError(f"{action} is not a legal action in this state")

    # Copies.

    def is_clonable(self) -> bool:
        """Return whether the bot can be cloned: it can.

        Returns
        -------
        bool
            ``True``.
        """
        return True

    def clone(self) -> Self:
        """Return a bot in the same game, with a seed of its own and no trees yet.

        Returns
        -------
        Bot
            The clone.
        """
        self._n_clones += 1
        seed = derived_seed(self._seed, "clone", self._n_clones)
        copy = type(self)(*self._arguments(), seed=seed, threads=self._threads, native=self._native)
        copy._n_games, copy._has_played = self._n_games, self._has_played
        return copy

    def _arguments(self) -> tuple[pyspiel.Game, int, str]:
        return self._game, self._player_id, self._player.spec

    def __reduce__(self) -> tuple[object, ...]:
        made_of = (*self._arguments(), self._seed, self._threads, self._native)
        counts = (self._n_games, self._n_clones, self._has_played)
        return _unpickled, (type(self), made_of, counts)

    def __repr__(self) -> str:
        return f"<Bot {self.spec} as player {self._player_id} of {self._game}>"

    # The search.

    def _check_own(self, state: pyspiel.State) -> None:
        game = state.get_game()
        if str(game) != str(self._game):
            raise ValueError(f"the bot plays {self._game}, and this is a state of {game}")

    def _check_turn(self, state: pyspiel.State) -> None:
        self._check_own(state)
        if state.is_terminal():
            raise ValueError("the game is over: no move is left to play")
        if state.current_player() != self._player_id:
            raise ValueError(
                f"the bot is player {self._player_id}, and this is the turn of player {state.current_player()}"
            )

    def _choice(self, state: pyspiel.State) -> Choice:
        """What the bot chooses: searched for once, then remembered until it chooses again."""
        self._check_turn(state)
        # States that did not begin where the game begins may have the same actions.
        seen: Seen = str(state), tuple(state.history())
        if self._last is not None and self._last[0] == seen:
            return self._last[1]
        choice = self._searched(state, derived_seed(self._seed, self._n_games, len(seen[1])))
        self._last, self._has_played = (seen, choice), True
        return choice

    def _searched(self, state: pyspiel.State, seed: int) -> Choice:
        if self._has_chance:
            assert self._n_samples is not None
            return search_worlds(self._world_player, self._n_samples, state, seed)
        position = None if self._follower is None else self._follower.position(state)
        action: Callable[[Any], int] = int
        if position is not None and self._follower is not None:
            decision: Decision[Any] = self._player.search(position, seed=seed, threads=self._threads)
            action = self._follower.translation.action
        else:
            decision = self._player.search(StatePosition(state), seed=seed, threads=1)
        chosen = action(decision.move)
        player, legal = self._player, state.legal_actions()
        return Choice(
            action=chosen,
            simulations=decision.spent,
            seconds=decision.seconds,
            native=position is not None,
            make_policy=lambda: policy(player, arms_of(decision, action), chosen, legal),
            make_text=lambda: str(decision),
        )


def _without_budget(spec: str) -> str:
    """Return a player's spec without its budget."""
    name, at, _ = spec.rpartition("@")
    return name if at else spec


def _samples(spec: str) -> int | None:
    """Return the samples of a player's budget, or ``None`` if it is a time.

    A player that does not search has no budget. It looks at the worlds of the default budget.
    """
    _, at, own = spec.rpartition("@")
    budget = own if at else DEFAULT_BUDGET
    return int(budget) if budget.isdecimal() else None


def _unpickled(
    kind: type[Bot],
    made_of: tuple[pyspiel.Game, int, str, int, int, bool],
    counts: tuple[int, int, bool],
) -> Bot:
    game, player_id, spec, seed, threads, native = made_of
    bot = kind(game, player_id, spec, seed=seed, threads=threads, native=native)
    bot._n_games, bot._n_clones, bot._has_played = counts
    return bot
