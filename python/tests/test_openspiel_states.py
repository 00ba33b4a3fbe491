"""OpenSpiel's states as positions of ours, and the chances in them."""

import itertools

import pyspiel
import pytest
import tesuji
from tesuji.openspiel import StatePosition
from tesuji.openspiel.state import TAKE_TURNS


def settled(state: pyspiel.State) -> pyspiel.State:
    """The state after its chances, each of them the first there is."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def played(text: str, *actions: int) -> pyspiel.State:
    """The state after some actions."""
    state = pyspiel.load_game(text).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_a_state_is_a_position() -> None:
    state = played("tic_tac_toe", 0, 3, 1, 4)
    position = StatePosition(state)
    assert position.to_move == "black"
    assert position.legal_moves() == [2, 5, 6, 7, 8]
    assert position.outcome() is None
    assert position.play(2).outcome() == "black"
    assert position.play(8).play(5).outcome() == "white"
    for spec in ("uct", "rave", "sh+uct", "hybrid-shuss(t=512)", "flat(sh)", "uct+solver", "shot"):
        assert tesuji.search(position, spec, 300).move == 2
    # It is a copy: what happens to the state does not matter.
    state.apply_action(8)
    assert len(position.legal_moves()) == 5


def test_positions_are_equal_where_the_same_was_played() -> None:
    start = StatePosition(played("tic_tac_toe"))
    assert start.play(0).play(1) == start.play(0).play(1)
    assert hash(start.play(0).play(1)) == hash(start.play(0).play(1))
    assert start.play(0).play(1).play(2) != start.play(2).play(1).play(0)
    assert start != "start"


@pytest.mark.parametrize(("text", "n_parts"), [("dots_and_boxes", 3), ("connect_four", 2)])
def test_a_random_game_says_what_was_played(text: str, n_parts: int) -> None:
    position = StatePosition(played(text, 0, 2, 5))
    different = set()
    for seed in range(50):
        answer = position.playout(seed)
        assert answer == position.playout(seed)
        assert not isinstance(answer, str)
        assert len(answer) == n_parts
        outcome, moves, *sides = answer
        after, players = position, []
        for move in moves:
            assert after.outcome() is None
            players.append(after.to_move)
            after = after.play(int(move))
        assert after.outcome() == outcome
        if sides:
            assert players == sides[0]
        else:
            assert players == (["white", "black"] * len(moves))[: len(moves)]
        different.add(tuple(moves))
    assert len(different) > 40


@pytest.mark.parametrize("name", sorted(TAKE_TURNS))
def test_who_takes_turns(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    for seed in range(3):
        ended = state.clone()
        pyspiel.evaluate_bots(ended, [pyspiel.make_uniform_random_bot(player, seed) for player in (0, 1)], seed)
        players = [step.player for step in ended.full_history()]
        assert all(player == 1 - before for before, player in itertools.pairwise(players))


def test_random_games_without_moves_end_the_same() -> None:
    state = played("connect_four", 3)
    for seed in range(20):
        answer = StatePosition(state).playout(seed)
        assert StatePosition(state).playout(seed, wants_moves=False) == answer[0]


def test_a_world_rolls_the_same_dice_whatever_is_played() -> None:
    state = settled(pyspiel.load_game("pig").new_initial_state())
    worlds = [StatePosition(state, world=world) for world in range(40)]
    rolled = [repr(world.play(0)) for world in worlds]
    assert rolled == [repr(world.play(0)) for world in worlds]
    # Six faces, all of which come up in 40 worlds but once in 250.
    assert len(set(rolled)) == 6


def test_chance_must_be_settled_before_a_search() -> None:
    with pytest.raises(ValueError, match="nobody is to move in this state: its chance must be settled first"):
        StatePosition(pyspiel.load_game("backgammon").new_initial_state())
