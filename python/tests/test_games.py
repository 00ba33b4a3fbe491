"""Games and positions: rules through the border, copies, texts, planes, pickles."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji

SPECS = [
    "breakthrough:5",
    "knightthrough:6",
    "domineering:4x5",
    "atarigo:5",
    "nogo:5",
    "hex:5",
    "ataxx:5",
    "go:5",
    "nohex:4",
    "misere(go:5)",
    "phantom-go:5",
]


@given(spec=st.sampled_from(SPECS), seed=st.integers(0, 2**64 - 1), keep=st.floats(0, 1))
@settings(max_examples=150, deadline=None)
def test_a_position_is_what_was_played(spec: str, seed: int, keep: float) -> None:
    end = tesuji.Position(spec).played_out(seed=seed)
    assert end.outcome() in ("black", "white", "draw")
    if not end.game.is_hidden:
        assert end.legal_moves() == []
    # The same moves again, some of them in one go, some one by one.
    position = tesuji.Position(spec)
    for move in end.moves[: int(keep * len(end.moves))]:
        before, moves = position, position.moves
        if move.startswith("?"):
            answer = position.attempt(move[1:])
            assert not answer.accepted
            position = answer.position
        else:
            assert move in position.legal_moves()
            position = position.play(move)
        assert before.moves == moves
        assert position != before
    if not end.game.is_hidden:
        assert position.play(*end.moves[len(position.moves) :]) == end
    # Copies and pickles are the same position.
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert hash(twin) == hash(position)
        assert (twin.to_move, twin.legal_moves()) == (position.to_move, position.legal_moves())
    if position.text is not None:
        read = position.game.position(position.text)
        assert read.text == position.text
        assert pickle.loads(pickle.dumps(read)) == read
    planes = position.planes()
    width, height = position.game.board
    assert planes.shape == (3, height, width)
    assert planes.dtype == np.float32
    assert not (planes[0] * planes[1]).any()
    assert (planes[2] == (position.to_move == "black")).all()


def test_planes_of_both_sides() -> None:
    position = tesuji.Position("go:5", "c3 a1")
    black, white = position.planes("black"), position.planes("white")
    assert black[0, 2, 2] == 1 and black[1, 0, 0] == 1 and black[:2].sum() == 2
    assert (black[0] == white[1]).all() and (black[1] == white[0]).all()


def test_a_phantom_position_tells_no_secret() -> None:
    position = tesuji.Position("phantom-go:5").play("c3")
    assert position.to_move == "white"
    assert "c3" in position.legal_moves()
    assert position.planes()[:2].sum() == 0
    answer = position.attempt("c3")
    assert not answer.accepted and answer.position.to_move == "white"
    assert answer.position.planes()[1, 2, 2] == 1
    assert pickle.loads(pickle.dumps(answer.position)) == answer.position
    with pytest.raises(ValueError, match="the referee refuses it"):
        position.play("c3")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: tesuji.Game("chess"), "'chess' is not a game: there are atarigo, ataxx"),
        (lambda: tesuji.Position("hex:99"), "hex is not played on size '99': "),
        (lambda: tesuji.Position("hex:3", "z9"), "'z9' is not a legal move here: 9 moves are legal: a1"),
        (lambda: tesuji.Position("hex:3").planes("green"), "'green' is not a side: black, white"),  # type: ignore[arg-type]
        (lambda: tesuji.Game("hex:3").position("x"), "'x' is not a position of this game: "),
    ],
)
def test_errors_are_the_command_lines_sentences(make: object, sentence: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value).startswith(sentence)


def test_perft_and_lists() -> None:
    assert tesuji.Position("breakthrough").perft(2) == 22 * 22
    assert {"go", "hex", "ataxx"} <= {game["name"] for game in tesuji.games()}
    assert "prior" in {part["name"] for part in tesuji.players()}
    assert tesuji.Game("HEX:5") == tesuji.Game("hex:5") != tesuji.Game("hex:6")
    assert len({tesuji.Game("hex:5"), tesuji.Game("Hex:5")}) == 1
