"""A player of ours as one of OpenSpiel's bots."""

from collections.abc import Callable
from typing import Any, Final, Self

import pyspiel

from tesuji._tesuji import Player
from tesuji.openspiel.choice import Choice, arms_of, policy
from tesuji.openspiel.native import Follower, translation
from tesuji.openspiel.seeds import derived_seed
from tesuji.openspiel.state import StatePosition, check_game, has_chance
from tesuji.openspiel.worlds import search_worlds

#: The samples of a move where nobody says how many.
BUDGET: Final = 1000

#: Seeds are whole numbers below this.
SEEDS: Final = 1 << 64

#: What a state is known by: its picture and its actions.
Seen = tuple[str, tuple[int, ...]]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """Plays one side of an OpenSpiel game.

    ``game`` is a game of two players who take turns, of perfect information and a constant
    sum; dice and cards may play along (``tesuji.openspiel.worlds``). ``player`` is a spec
    such as ``rave``, ``sh+uct`` or ``hybrid-shuss(t=512)``; ``budget`` is the number of
    samples a move, or a time such as ``"2s"``: without it the player's own, or 1000
    samples. ``threads`` are used where the game is searched natively, and change nothing
    but the time. Without ``native`` every game goes through OpenSpiel's own state.

    The same seed plays the same games, unless the budget is a time: every move draws from
    a seed that follows from the bot's, from the number of the game since the bot was made,
    and from the ply. Asked again in the same state, a bot answers the same.

    A bot can be pickled. What it learnt in the game (``+reuse``) does not travel.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        player: str = "rave",
        budget: int | str | None = None,
        *,
        seed: int = 1,
        threads: int = 1,
        native: bool = True,
    ) -> None:
        pyspiel.Bot.__init__(self)
        check_game(game)
        if player_id not in (0, 1):
            raise ValueError(f"the players of a game of two are 0 and 1, not {player_id}")
        if not 0 <= seed < SEEDS:
            raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
        if not 1 <= threads <= 1024:
            raise ValueError(f"threads are from 1 to 1024, not {threads}")
        self._game = game
        self._player_id = player_id
        self._player = Player(player, _budget(player, budget))
        self._seed = seed
        self._threads = threads
        self._native = native
        known = translation(game) if native else None
        self._follower = None if known is None else Follower(game, known)
        self._has_chance = has_chance(game)
        self._n_samples = _samples(self._player.spec)
        if self._has_chance and self._n_samples is None:
            raise ValueError("where chance plays along, the budget is a number of samples and not a time")
        self._n_games = 0
        self._n_clones = 0
        self._has_played = False
        # What was chosen last, and where.
        self._last: tuple[Seen, Choice] | None = None

    @property
    def spec(self) -> str:
        """The canonical text of the player, with its budget."""
        return self._player.spec

    @property
    def last_choice(self) -> Choice | None:
        """What was chosen last in this game, and what it was chosen by."""
        return None if self._last is None else self._last[1]

    def player_id(self) -> int:
        """Whom the bot plays."""
        return self._player_id

    # Choosing.

    def step(self, state: pyspiel.State) -> int:
        """The action that the bot plays in a state."""
        return self._choice(state).action

    def step_verbose(self, state: pyspiel.State) -> tuple[int, str]:
        """The action, and the tables of the search."""
        choice = self._choice(state)
        return choice.action, choice.text

    def provides_policy(self) -> bool:
        """It does; see ``get_policy``."""
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Every legal action with its probability.

        That is the share of visits where a tree decides at the root and plays the move
        with the most (``uct``, ``rave``, ``grave``, ``puct``). Other roots, such as halving,
        find a best arm and do not rank the rest: all is on the one that they recommend.
        The bot itself always plays the best, and does not draw from its policy.
        """
        return list(self._choice(state).policy)

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The policy and the action."""
        choice = self._choice(state)
        return list(choice.policy), choice.action

    # Keeping up with the game.

    def restart(self) -> None:
        """A new game begins. It will be another one, also against the same moves."""
        self._n_games += self._has_played
        self._has_played = False
        self._last = None
        self._player.forget()
        if self._follower is not None:
            self._follower.restart()

    def restart_at(self, state: pyspiel.State) -> None:
        """A new game begins, at any state of it."""
        self._check_own(state)
        self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Somebody else plays an action in a state.

        There is nothing to be done: a state brings all its actions along, and a player
        that reuses its tree finds in it what was played since.
        """
        self._check_own(state)

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        """Several play at once, which they do in no game that the bot plays."""
        raise ValueError("the bot plays games in which the players take turns, so one action comes at a time")

    def provides_force_action(self) -> bool:
        """It can be made to play an action."""
        return True

    def force_action(self, state: pyspiel.State, action: int) -> None:
        """The bot is taken to have played an action in a state."""
        self._check_turn(state)
        if action not in state.legal_actions():
            raise ValueError(f"{action} is not a legal action in this state")

    # Copies.

    def is_clonable(self) -> bool:
        """It is."""
        return True

    def clone(self) -> Self:
        """A bot that is in the same game and draws from a seed of its own.

        Its trees are its own too: it begins without any.
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
            raise ValueError("the game is over: there is nothing left to play")
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
            return search_worlds(self._player, self._n_samples, state, seed)
        position = None if self._follower is None else self._follower.position(state)
        action: Callable[[Any], int] = int
        if position is not None and self._follower is not None:
            decision = self._player.search(position, seed=seed, threads=self._threads)
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


def _budget(player: str, budget: int | str | None) -> int | str | None:
    """The budget to be given to a player that may have its own."""
    return BUDGET if budget is None and "@" not in player else budget


def _samples(spec: str) -> int | None:
    """The samples of a player's budget, or ``None`` where it is a time."""
    budget = spec.rpartition("@")[2]
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
