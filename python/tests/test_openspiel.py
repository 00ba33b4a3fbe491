"""The bot for OpenSpiel: every method of theirs, on every game of theirs that it plays."""

import copy
import doctest
import importlib
import pickle
import subprocess
import sys

import pyspiel
import pytest
from tesuji.openspiel import Bot, check_game

# All registered games that the bot plays as they are loaded without parameters.
PLAYED = """
    amazons antichess backgammon banqi breakthrough checkers chess chinese_checkers clobber
    connect_four crazyhouse cursor_go dots_and_boxes einstein_wurfelt_nicht go gomoku havannah
    hex hive lines_of_action maedn mancala mnk nim nine_mens_morris othello oware pentago pig
    quoridor shogi tic_tac_toe twixt ultimate_tic_tac_toe xiangqi y yacht
""".split()


def settled(state: pyspiel.State) -> pyspiel.State:
    """The state after its chances, each of them the first there is."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def short_game(game: pyspiel.Game, spec: str, budget: int, plies: int, *, native: bool = True) -> list[int]:
    """What two bots play in a few plies."""
    bots = [Bot(game, player, spec, budget, native=native) for player in (0, 1)]
    state = settled(game.new_initial_state())
    for _ in range(plies):
        if state.is_terminal():
            break
        bot = bots[state.current_player()]
        action = bot.step(state)
        assert action in state.legal_actions()
        choice = bot.last_choice
        assert choice is not None
        # A single move needs no search.
        assert choice.simulations == (budget if len(state.legal_actions()) > 1 else 0)
        state.apply_action(action)
        settled(state)
    history: list[int] = state.history()
    return history


def played(text: str, *actions: int) -> pyspiel.State:
    """The state after some actions."""
    state = pyspiel.load_game(text).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


# Games.


def test_which_games_are_played() -> None:
    found = []
    for kind in pyspiel.registered_games():
        # Games that are written in Python are there once somebody imports them.
        if not kind.default_loadable or kind.short_name.startswith("python_"):
            continue
        if kind.min_num_players > 2 or kind.max_num_players < 2:
            continue
        try:
            check_game(pyspiel.load_game(kind.short_name))
        except ValueError:
            continue
        found.append(kind.short_name)
    assert found == PLAYED


@pytest.mark.parametrize("name", PLAYED)
def test_a_short_game_of_each(name: str) -> None:
    game = pyspiel.load_game(name)
    assert short_game(game, "rave", 16, 3) == short_game(game, "rave", 16, 3)
    short_game(game, "sh+uct", 20, 1, native=False)


def test_games_written_in_python_are_played_too() -> None:
    importlib.import_module("open_spiel.python.games")

    assert len(short_game(pyspiel.load_game("python_tic_tac_toe"), "uct", 30, 9)) >= 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kuhn_poker", "kuhn_poker has secrets, and the bot plays games of perfect information"),
        ("phantom_go", "phantom_go has secrets, and the bot plays games of perfect information"),
        ("matrix_rps", "both players move at once in matrix_rps, and the bot plays games in which they take turns"),
        ("pig(players=3)", "pig is played by 3 here, and the bot plays games of two players"),
        ("catch", "catch is played by 1 here, and the bot plays games of two players"),
    ],
)
def test_which_games_are_not(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Bot(pyspiel.load_game(text), 0)


# The bot's interface.


def test_it_has_all_of_theirs() -> None:
    theirs = {name for name in dir(pyspiel.Bot) if not name.startswith("_")}
    assert theirs <= vars(Bot).keys()


def test_stepping() -> None:
    state = played("hex(board_size=4)", 5, 6)
    bot = Bot(state.get_game(), 0, "rave", 300)
    action = bot.step(state)
    choice = bot.last_choice
    assert choice is not None
    assert (choice.native, choice.simulations) == (True, 300)
    assert bot.step(state) == action
    assert bot.last_choice is choice
    again, text = bot.step_verbose(state)
    assert again == action
    assert text.count("\n") > 5
    assert bot.player_id() == 0
    assert bot.spec == "rave@300"
    assert repr(bot) == "<Bot rave@300 as player 0 of hex(board_size=4)>"


@pytest.mark.parametrize("native", [True, False])
def test_the_policy_of_a_tree_is_the_share_of_visits(native: bool) -> None:
    state = played("hex(board_size=4)", 5)
    bot = Bot(state.get_game(), 1, "uct", 400, native=native)
    assert bot.provides_policy()
    policy, action = bot.step_with_policy(state)
    assert policy == bot.get_policy(state)
    assert [legal for legal, _ in policy] == state.legal_actions()
    assert sum(probability for _, probability in policy) == pytest.approx(1)
    # All moves have visits, and the one that is played has the most.
    assert min(probability for _, probability in policy) > 0
    assert max(probability for _, probability in policy) == dict(policy)[action]


@pytest.mark.parametrize("spec", ["sh+uct", "hybrid-shuss(t=512)", "flat(sh)", "shot", "greedy"])
def test_the_policy_of_halving_is_what_it_recommends(spec: str) -> None:
    state = played("hex(board_size=4)", 5)
    policy, action = Bot(state.get_game(), 1, spec, 400).step_with_policy(state)
    assert policy == [(legal, float(legal == action)) for legal in state.legal_actions()]


def test_a_proved_move_has_the_whole_policy_unless_it_has_the_most_visits() -> None:
    state = played("tic_tac_toe", 0, 3, 1, 4)
    policy, action = Bot(state.get_game(), 0, "uct+solver", 500).step_with_policy(state)
    assert action == 2
    assert dict(policy)[2] == max(dict(policy).values())


def test_every_game_is_another_and_all_can_be_repeated() -> None:
    game = pyspiel.load_game("hex(board_size=5)")

    def three_games(bots: list[pyspiel.Bot]) -> list[list[int]]:
        games = []
        for _ in range(3):
            state = game.new_initial_state()
            # Theirs restarts the bots.
            pyspiel.evaluate_bots(state, bots, 1)
            games.append(state.history())
        return games

    games = three_games([Bot(game, player, "uct", 60, seed=5) for player in (0, 1)])
    assert len({tuple(actions) for actions in games}) == 3
    assert games == three_games([Bot(game, player, "uct", 60, seed=5) for player in (0, 1)])
    assert games != three_games([Bot(game, player, "uct", 60, seed=6) for player in (0, 1)])


def test_restarting_before_the_first_move_changes_nothing() -> None:
    state = played("hex(board_size=5)")
    fresh, restarted = (Bot(state.get_game(), 0, "uct", 100) for _ in range(2))
    restarted.restart()
    restarted.restart_at(state)
    assert restarted.get_policy(state) == fresh.get_policy(state)
    restarted.restart()
    assert restarted.last_choice is None
    assert restarted.get_policy(state) != fresh.get_policy(state)


def test_threads_change_nothing() -> None:
    state = played("hex(board_size=6)")
    one, two = (Bot(state.get_game(), 0, "rave+trees(2)", 500, threads=threads) for threads in (1, 2))
    assert one.get_policy(state) == two.get_policy(state)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("spec", "reuses"), [("uct", False), ("uct+reuse", True)])
def test_a_tree_is_reused_in_the_game_and_forgotten_after_it(native: bool, spec: str, reuses: bool) -> None:
    game = pyspiel.load_game("hex(board_size=3)")
    bot, newcomer = (Bot(game, 0, spec, 400, native=native) for _ in range(2))
    start = game.new_initial_state()
    later = start.clone()
    later.apply_action(bot.step(start))
    reply = later.legal_actions()[0]
    bot.inform_action(later, 1, reply)
    later.apply_action(reply)
    # Both search by the same seed; only one has been there before.
    assert (bot.get_policy(later) != newcomer.get_policy(later)) == reuses
    bot.restart()
    newcomer.restart()
    assert bot.get_policy(later) == newcomer.get_policy(later)


def test_being_forced() -> None:
    state = played("tic_tac_toe")
    bot = Bot(state.get_game(), 0, "uct", 50)
    assert bot.provides_force_action()
    bot.force_action(state, 4)
    state.apply_action(4)
    bot.inform_action(state, 1, 0)
    state.apply_action(0)
    assert bot.step(state) in state.legal_actions()
    with pytest.raises(ValueError, match="0 is not a legal action in this state"):
        bot.force_action(state, 0)


def test_a_clone_draws_other_numbers() -> None:
    state = played("hex(board_size=5)")
    bot = Bot(state.get_game(), 0, "uct", 100)
    assert bot.is_clonable()
    clones = [bot.clone() for _ in range(3)]
    policies = [tuple(one.get_policy(state)) for one in (bot, *clones, clones[0].clone())]
    assert len(set(policies)) == 5
    assert {type(clone) for clone in clones} == {Bot}
    assert {clone.spec for clone in clones} == {"uct@100"}


@pytest.mark.parametrize("text", ["hex(board_size=5)", "connect_four", "pig"])
def test_a_bot_can_be_pickled_and_goes_on_as_it_would(text: str) -> None:
    state = settled(played(text))
    bot = Bot(state.get_game(), 0, "rave", 100, seed=9)
    bot.step(state)
    for other in (pickle.loads(pickle.dumps(bot)), copy.deepcopy(bot)):
        assert other.get_policy(state) == bot.get_policy(state)
        assert other.clone().get_policy(state) == copy.deepcopy(bot).clone().get_policy(state)


def test_a_budget_is_the_players_own_or_ten_thousand() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    assert Bot(game, 0).spec == "rave@10000"
    assert Bot(game, 0, "uct@50").spec == "uct@50"
    assert Bot(game, 0, "uct@50", 60).spec == "uct@50"
    assert Bot(game, 0, "uct", 60).spec == "uct@60"
    bot = Bot(game, 0, "uct", "10ms")
    assert bot.step(game.new_initial_state()) in range(9)
    # A player that does not search has no budget, also if chance plays along.
    random = Bot(pyspiel.load_game("pig"), 0, "random")
    assert random.spec == "random"
    assert random.step(settled(pyspiel.load_game("pig").new_initial_state())) in (0, 1)


def test_bad_input() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(ValueError, match="the players of a game of two are 0 and 1, not 2"):
        Bot(game, 2)
    with pytest.raises(ValueError, match="a seed is a whole number from 0 to"):
        Bot(game, 0, seed=-1)
    with pytest.raises(ValueError, match="threads are from 1 to 1024, not 0"):
        Bot(game, 0, threads=0)
    with pytest.raises(ValueError, match="ravee"):
        Bot(game, 0, "ravee")
    with pytest.raises(ValueError, match="the budget must be a number of samples, not a time"):
        Bot(pyspiel.load_game("pig"), 0, "uct", "1s")
    bot = Bot(game, 0, "uct", 10)
    with pytest.raises(ValueError, match="the bot is player 0, and this is the turn of player 1"):
        bot.step(played("tic_tac_toe", 4))
    with pytest.raises(ValueError, match="the game is over"):
        bot.step(played("tic_tac_toe", 0, 3, 1, 4, 2))
    with pytest.raises(ValueError, match=r"the bot plays tic_tac_toe\(\), and this is a state of nim"):
        bot.restart_at(played("nim"))
    with pytest.raises(ValueError, match="one action comes at a time"):
        bot.inform_actions(played("tic_tac_toe"), [1, 2])


@pytest.mark.parametrize("module", ["", ".bot", ".native", ".state"])
def test_examples_in_the_documentation(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"tesuji.openspiel{module}")).failed == 0


def test_without_openspiel_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import tesuji.openspiel"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert answer.stderr.strip().endswith(
        "ImportError: tesuji.openspiel needs OpenSpiel: pip install './python[openspiel]'"
    )


# Strength.


def points_against_theirs(text: str, spec: str, n_games: int, budget: int) -> float:
    """Games won against OpenSpiel's own search at equal simulations, each colour equally often."""
    game = pyspiel.load_game(text)
    points = 0.0
    for number in range(n_games):
        seat = number % 2
        theirs = pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, number), 2.0, budget, 100, False, number, False
        )
        bots = [theirs, theirs]
        bots[seat] = Bot(game, seat, spec, budget, seed=number)
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        points += (state.returns()[seat] + 1) / 2
    return points


def test_rave_beats_their_search_at_breakthrough() -> None:
    # It won 75 % of 60 games. Five standard errors of 100 games are 22 points: above 53.
    assert points_against_theirs("breakthrough(rows=6,columns=6)", "rave", 100, 200) > 53


def test_rave_beats_their_search_at_hex() -> None:
    # It won all of 60 games, so it wins more than 94 %. Five standard errors of 40 games
    # are 19 points, so more than 75 % is 30.
    assert points_against_theirs("hex(board_size=7)", "rave", 40, 200) > 30


def test_worlds_beat_chance() -> None:
    """Against a random player at pig, who stops or rolls as often: nearly all of 20 games."""
    game = pyspiel.load_game("pig(winscore=30)")
    points = 0.0
    for number in range(20):
        seat = number % 2
        bots = [pyspiel.make_uniform_random_bot(player, number) for player in (0, 1)]
        bots[seat] = Bot(game, seat, "uct", 100, seed=number)
        points += pyspiel.evaluate_bots(game.new_initial_state(), bots, number)[seat] > 0
    assert points >= 15
