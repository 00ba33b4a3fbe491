"""Results can be pickled, copied, compared, and made into frames in one line."""

import builtins
import copy
import pickle
from typing import Any

import numpy as np
import pandas
import pytest
from tictactoe import TicTacToe

import tesuji
from tesuji import portfolio
from tesuji.table import Table

MATRIX = np.random.default_rng(1).random((7, 9))



class Equal(TicTacToe):
    """Positions of own games are compared by their own equality."""

    def play(self, move: int) -> "Equal":
        after = super().play(move)
        return Equal(after.cells, after.to_move)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(self.cells)


RESULTS = {
    "a decision of a tree": lambda: tesuji.search("hex:4", "rave", 300),
    "a decision of a halving root": lambda: tesuji.search("hex:4", "sh+rave", 300),
    "a decision that is proved": lambda: tesuji.search("hex:2", "uct+solver", 300),
    "a decision about one move": lambda: tesuji.search(tesuji.Position("domineering:2x2", "a1-a2"), "uct", 10),
    "a decision when nothing is worth its cost": lambda: tesuji.search("hex:3", "voi(stop=0.5)+uct", 300),
    "a decision after the end": lambda: tesuji.search(tesuji.Position("hex:2", "a1 b1 a2")),
    "a decision of a phantom game": lambda: tesuji.search(tesuji.Position("phantom-go:3", "b2"), "flat(sh)", 200),
    "a decision of an own game": lambda: tesuji.search(Equal(), "rave", 200),
    "a position": lambda: tesuji.Position("phantom-go:5", "c3").attempt("c3").position,
    "a refused attempt": lambda: tesuji.Position("phantom-go:5", "c3").attempt("c3"),
    "an attempt with an announcement": lambda: tesuji.Position("phantom-go:3", "b1 a1").attempt("a2"),
    "a match": lambda: tesuji.match("hex:3", "uct@20", "random", games=4),
    "a table": lambda: tesuji.bandit("1:4", "sh", 40, runs=100),
    "a best arm": lambda: tesuji.best_arm(lambda arm, n: [arm / 3] * n, 3, 30),
    "a best arm of one": lambda: tesuji.best_arm(lambda arm, n: [arm / 3] * n, 1, 30),
    "an equilibrium": lambda: portfolio.solve(MATRIX),
    "a portfolio": lambda: portfolio.learn(MATRIX, "sparse-nash(0.5)"),
    "a lazy portfolio": lambda: portfolio.learn_lazily(lambda rows, columns: MATRIX[rows, columns], 7, 9),
    "a book": lambda: portfolio.Book.learn("phantom-go:3(komi=2.5)", "flat(uniform)@5", 4),
}


def is_same(one: Any, other: Any) -> bool:
    return tesuji.table.same(one, other) if isinstance(one, Table) else bool(one == other)


@pytest.mark.parametrize("name", RESULTS)
def test_a_copy_is_equal(name: str) -> None:
    result = RESULTS[name]()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(result, protocol))
        assert type(again) is type(result) and is_same(again, result)
    assert is_same(copy.copy(result), result) and is_same(copy.deepcopy(result), result)
    assert repr(again) == repr(result) and str(again) == str(result)
    # Equal calls have equal results.
    assert is_same(RESULTS[name](), result)


def test_all_of_a_decision_comes_back() -> None:
    for name in (name for name in RESULTS if name.startswith("a decision")):
        decision = RESULTS[name]()
        again = pickle.loads(pickle.dumps(decision))
        assert again.report() == decision.report(), name
        assert (again.move, again.stop, again.seconds) == (decision.move, decision.stop, decision.seconds)
        assert again.position == decision.position
        assert tesuji.table.same(again.arms, decision.arms) and tesuji.table.same(again.rounds, decision.rounds)


def test_what_differs_is_not_equal() -> None:
    decision = tesuji.search("hex:4", "rave", 300)
    assert decision != tesuji.search("hex:4", "rave", 300, seed=2)
    assert decision != tesuji.search("hex:4", "rave", 301) and decision != "a1"
    assert portfolio.solve(MATRIX) != portfolio.solve(MATRIX[::-1])
    match = tesuji.match("hex:3", "random", "random", games=4)
    assert match != tesuji.match("hex:3", "random", "random", games=4, seed=2) and match != 4


def test_a_stop_is_the_one_of_json() -> None:
    decision = RESULTS["a decision when nothing is worth its cost"]()
    stop, written = decision.stop, decision.report()["stop"]
    assert {name: value for name, value in stop._asdict().items() if value is not None} == written
    assert stop.reason == "not_worth_it" and str(stop) == written["text"] == f"{stop}"
    assert tesuji.search("hex:4", "uct", 50).stop is None


def test_frames_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = tesuji.search("hex:3", "sh+rave", 200)
    frame = decision.to_frame()
    assert list(frame["move"]) == decision.position.search_moves() and frame.visits.sum() == 200
    assert list(decision.rounds.to_frame()["round"].unique()) == [1, 2, 3, 4]
    assert len(tesuji.match("hex:3", "random", "random", games=4).to_frame()) == 4
    assert list(tesuji.best_arm(lambda arm, n: [arm / 3] * n, 3, 30).to_frame()["arm"]) == [0, 1, 2]
    table = tesuji.bandit("1:4", "sh", [40, 80], runs=100)
    pandas.testing.assert_frame_equal(table.to_frame(), pandas.DataFrame(table), check_dtype=False)

    real = builtins.__import__

    def without_pandas(name: str, *rest: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(ImportError, match="needs pandas: pip install pandas"):
        decision.to_frame()
