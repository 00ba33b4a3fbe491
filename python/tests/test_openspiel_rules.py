"""Our rules against OpenSpiel's, state by state along random games."""

import random

import pyspiel
import pytest
import tesuji
from tesuji.openspiel import Follower, Translation, native_spec, translation


def known(game: pyspiel.Game) -> Translation:
    """The translation of a game that we have."""
    found = translation(game)
    assert found is not None
    return found


def winner(state: pyspiel.State, words: Translation) -> str:
    """Our word for who has won."""
    first, second = state.returns()
    if first == second:
        return "draw"
    return words.sides[0 if first > second else 1]


def step(state: pyspiel.State, position: tesuji.Position, words: Translation) -> dict[int, str]:
    """Compares whose turn it is and what is legal. What we do not have is returned."""
    assert position.outcome() is None
    assert position.to_move == words.sides[state.current_player()]
    theirs = {action: words.move(action) for action in state.legal_actions()}
    assert all(words.action(move) == action for action, move in theirs.items())
    ours = set(position.legal_moves())
    assert ours <= set(theirs.values())
    return {action: move for action, move in theirs.items() if move not in ours}


@pytest.mark.parametrize(
    ("text", "spec", "n_games"),
    [
        ("breakthrough", "breakthrough:8", 150),
        ("breakthrough(rows=6,columns=6)", "breakthrough:6", 300),
        ("breakthrough(rows=6,columns=2)", "breakthrough:2x6", 500),
        ("breakthrough(rows=7,columns=5)", "breakthrough:5x7", 300),
        ("breakthrough(rows=8,columns=3)", "breakthrough:3x8", 300),
        ("misere(game=breakthrough(rows=6,columns=4))", "nobreakthrough:4x6", 300),
        ("hex(board_size=2)", "hex:2", 300),
        ("hex(board_size=3,swap=True)", "hex:3(swap=on)", 500),
        ("hex(num_cols=5,num_rows=5,string_rep=explicit)", "hex:5", 300),
        ("hex(board_size=7,swap=True)", "hex:7(swap=on)", 150),
        ("hex", "hex:11", 40),
        ("hex(board_size=19)", "hex:19", 4),
        ("misere(game=hex(board_size=4))", "nohex:4", 300),
        ("misere(game=hex(board_size=6,swap=True))", "nohex:6(swap=on)", 150),
        ("misere(game=misere(game=hex(board_size=4)))", "hex:4", 100),
    ],
)
def test_the_games_are_the_same(text: str, spec: str, n_games: int) -> None:
    game = pyspiel.load_game(text)
    assert native_spec(game) == spec
    words = known(game)
    draw = random.Random(text)
    for _ in range(n_games):
        state, position = game.new_initial_state(), tesuji.Position(spec)
        while not state.is_terminal():
            assert step(state, position, words) == {}
            action = draw.choice(state.legal_actions())
            position = position.play(words.move(action))
            state.apply_action(action)
        assert position.outcome() == winner(state, words)


@pytest.mark.parametrize(
    ("text", "n_games"),
    [
        ("go(board_size=2,komi=0.5)", 600),
        ("go(board_size=3,komi=1.0)", 600),
        ("go(board_size=4,komi=2.0,max_game_length=200)", 200),
        ("go(board_size=5,komi=-2.0)", 200),
        ("go(board_size=7,komi=8.5)", 60),
        ("go(board_size=9)", 30),
        ("go(board_size=13,max_game_length=600)", 4),
        ("misere(game=go(board_size=3,komi=3.0))", 300),
        ("misere(game=go(board_size=5,komi=0.5,max_game_length=150))", 150),
    ],
)
def test_go_is_the_same_until_something_is_repeated_or_the_game_is_cut(text: str, n_games: int) -> None:
    """Half of the moves are those worth searching, so that games end by themselves too."""
    game = pyspiel.load_game(text)
    words = known(game)
    draw = random.Random(text)
    n_counted = 0
    for _ in range(n_games):
        state, position = game.new_initial_state(), tesuji.Position(words.spec)
        while not state.is_terminal():
            repeats = step(state, position, words)
            for action in repeats:
                # What we forbid is what ends the game there.
                after = state.child(action)
                assert after.is_terminal()
                assert after.returns() == [0, 0]
            legal = position.legal_moves() if draw.random() < 0.5 else position.search_moves()
            if len(legal) > 1 and draw.random() < 0.9:
                legal = [move for move in legal if move != "pass"]
            move = draw.choice(legal)
            position = position.play(move)
            state.apply_action(words.action(move))
        if position.outcome() is None:
            # Cut, and counted as if both had passed.
            assert len(state.history()) == game.max_game_length()
            ended = position.play("pass")
            position = ended if ended.outcome() is not None else ended.play("pass")
        else:
            n_counted += 1
        assert position.outcome() == winner(state, words)
    assert n_counted > 0


@pytest.mark.parametrize(
    "text",
    [
        "breakthrough(rows=5,columns=5)",  # one row of pawns there, two here
        "breakthrough(rows=6,columns=9)",
        "hex(num_rows=4,num_cols=5)",
        "hex(board_size=20)",
        "go(handicap=2)",
        "go(komi=0.25)",
        "tic_tac_toe",
        "misere(game=tic_tac_toe())",
    ],
)
def test_what_is_not_the_same_game_is_not_ours(text: str) -> None:
    assert native_spec(pyspiel.load_game(text)) is None


def test_words_that_mean_nothing() -> None:
    words = known(pyspiel.load_game("hex(board_size=3)"))
    with pytest.raises(ValueError, match=r"'d1' is not a move of hex:3"):
        words.action("d1")
    with pytest.raises(ValueError, match=r"77 is not an action of hex\(board_size=3\)"):
        words.move(77)


def test_a_follower_goes_anywhere_in_the_game() -> None:
    game = pyspiel.load_game("hex(board_size=4)")
    follower = Follower(game, known(game))
    state = game.new_initial_state()
    states = [state.clone()]
    for action in (5, 6, 9, 2):
        state.apply_action(action)
        states.append(state.clone())
    draw = random.Random(1)
    for _ in range(30):
        at = draw.choice(states)
        position = follower.position(at)
        assert position is not None
        assert [follower.translation.action(move) for move in position.moves] == at.history()


def test_a_follower_does_not_follow_what_is_not_the_game() -> None:
    """In some games a state can begin anywhere, and then its actions do not say where it is."""
    game, other = (pyspiel.load_game(f"breakthrough(rows=6,columns={columns})") for columns in (2, 3))
    follower = Follower(game, known(game))
    state = other.new_initial_state()
    assert follower.position(state) is None
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        assert follower.position(state) is None
    assert follower.position(game.new_initial_state()) is not None


def test_go_goes_back_to_their_rules_where_ours_differ() -> None:
    # The end is near once fewer plies are left than there are points.
    game = pyspiel.load_game("go(board_size=3,komi=0.5,max_game_length=11)")
    follower = Follower(game, known(game))
    state = game.new_initial_state()
    for action, natively in ((4, True), (1, True), (3, True), (5, False)):
        assert (follower.position(state) is not None) == natively
        state.apply_action(action)

    # On the smallest board something could be repeated all the time.
    game = pyspiel.load_game("go(board_size=2,komi=0.5,max_game_length=1000)")
    follower = Follower(game, known(game))
    draw = random.Random(1)
    n_differ = 0
    for _ in range(100):
        state = game.new_initial_state()
        while not state.is_terminal():
            position = follower.position(state)
            after = [state.child(action) for action in state.legal_actions()]
            # With this komi there is no other draw.
            repeats = any(end.is_terminal() and end.returns() == [0, 0] for end in after)
            assert (position is None) == repeats
            n_differ += repeats
            state.apply_action(draw.choice(state.legal_actions()))
    assert n_differ > 0
