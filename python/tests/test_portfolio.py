"""Matrix games, portfolios and books."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linprog

import tesuji
from tesuji import portfolio

GAME = "phantom-go:3(komi=2.5)"
PLAYER = "flat(uniform)@20"


def value_by_linprog(matrix):
    """Black's value: the greatest v with x·M ≥ v for a mixture x."""
    rows, columns = matrix.shape
    solved = linprog(
        c=np.append(np.zeros(rows), -1),
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[np.append(np.ones(rows), 0)],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -solved.fun


@settings(max_examples=80, deadline=None)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 12), st.integers(1, 12)),
        elements=st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)),
    )
)
def test_equilibria_are_those_of_scipy(matrix):
    equilibrium = portfolio.solve(matrix)
    assert equilibrium.value == pytest.approx(value_by_linprog(matrix), abs=1e-7)
    assert (equilibrium.black @ matrix).min() >= equilibrium.value - 1e-8
    assert (matrix @ equilibrium.white).max() <= equilibrium.value + 1e-8
    for weights in equilibrium.black, equilibrium.white:
        assert weights.min() >= 0 and weights.sum() == pytest.approx(1)
    assert equilibrium.gap <= 1e-8


def test_methods():
    matrix = np.random.default_rng(3).integers(0, 2, (8, 8)).astype(float)
    matrix[2] = 1.0
    methods = ["nash", "uniform", "best-seed", "sparse-nash(0.75)"]
    learnt = {method: portfolio.learn(matrix, method) for method in methods}
    assert learnt["best-seed"].black.tolist() == np.eye(8)[2].tolist()
    assert learnt["uniform"].white.tolist() == [1 / 8] * 8
    np.testing.assert_array_equal(learnt["nash"].black, portfolio.solve(matrix).black)
    for made in learnt.values():
        as_black, as_white = made.black @ matrix, 1 - matrix @ made.white
        assert made.rate(matrix) == pytest.approx((as_black.mean() + as_white.mean()) / 2)
        assert made.worst_rate(matrix) == pytest.approx((as_black.min() + as_white.min()) / 2)
    one = portfolio.learn(np.full((5, 5), 0.5), "baseline", seed=4)
    np.testing.assert_array_equal(one.black, portfolio.learn(np.full((5, 5), 0.5), "baseline", seed=4).black)


def test_evaluation():
    matrix = np.random.default_rng(1).integers(0, 2, (40, 40))
    table = portfolio.evaluate(matrix, repetitions=30, threads=2)
    assert len(table) == 7 * 5 and set(table["training"]) == {24}
    np.testing.assert_array_equal(table, portfolio.evaluate(matrix, repetitions=30, threads=1))
    for method in set(table["method"]):
        # More to choose from is never worse for the opponent.
        assert (np.diff(table[table["method"] == method]["rate"]) <= 1e-12).all()
    best, nash = portfolio.evaluate(matrix, ["best-seed", "nash"], opponents=[8], repetitions=30)["rate"]
    assert nash > best


def test_what_cannot_be():
    for call, sentence in [
        (lambda: portfolio.solve([[0.5, 1.5]]), "the entry in row 0 and column 1 is 1.5"),
        (lambda: portfolio.solve([0.5, 1]), "a matrix has 2 dimensions, not 1"),
        (lambda: portfolio.solve(np.empty((0, 3))), "at least one row"),
        (lambda: portfolio.learn([[1]], "best"), "'best' is not a method"),
        (lambda: portfolio.learn([[1]]).rate([[1, 0]]), "the matrix is 1 x 2, but the portfolio is for a matrix of 1 x 1"),
        (lambda: portfolio.evaluate(np.zeros((4, 4))), "need a matrix of at least"),
        (lambda: portfolio.seed_matrix("hex:3", "uct@10", 0), "seeds are from 1 to 31622, not 0"),
        (lambda: portfolio.seed_matrix("hex:3", "uct@1s", 3), "a seed must always play the same"),
        (lambda: portfolio.seed_matrix("hex:3", "uct@10", 3, komi=1.5), "hex:3 has no komi"),
        (lambda: portfolio.Book.read("nowhere.json"), "nowhere.json is not a portfolio"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()


def test_seeds_play_once(tmp_path):
    store = tmp_path / "seeds.db"
    told = []
    small = portfolio.seed_matrix(GAME, PLAYER, 3, store=store, progress=lambda *now: told.append(now))
    assert small.shape == (3, 3) and told[-1] == (9, 9)
    told.clear()
    game = tesuji.Game(GAME)
    large = portfolio.seed_matrix(game, PLAYER, 5, store=store, progress=lambda *now: told.append(now))
    assert told[0][0] == 9 and told[-1] == (25, 25)
    np.testing.assert_array_equal(large[:3, :3], small)
    np.testing.assert_array_equal(large, portfolio.seed_matrix(GAME, PLAYER, 5, threads=1))
    np.testing.assert_array_equal(small, portfolio.seed_matrix(GAME, PLAYER, 3, store=store))

    def fails(done, wanted):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        portfolio.seed_matrix(GAME, PLAYER, 40, progress=fails)


def test_a_book(tmp_path):
    book = portfolio.Book.learn(GAME, PLAYER, 5, method="nash")
    matrix = portfolio.seed_matrix(GAME, PLAYER, 5)
    learnt = portfolio.learn(matrix, "nash")
    weights = np.zeros(5)
    weights[book.black["number"]] = book.black["weight"]
    np.testing.assert_array_equal(weights, learnt.black)
    assert book.learnt["training"] == learnt.rate(matrix)
    assert (book.learnt["seeds"], book.learnt["games"]) == (5, 25)
    path = tmp_path / "book.json"
    book.save(path)
    assert portfolio.Book.read(path) == book
    assert json.loads(path.read_text()) == json.loads(book.to_json())
    openings = book.openings("black", moves=2)
    assert len(openings) == len(book.black) and len(openings[0]) == 2
    assert str(book.game.spec) == GAME and book.player == PLAYER and not book.symmetries
    turned = portfolio.Book.learn(GAME, PLAYER, 3, method="best-seed", turn=True)
    assert turned.symmetries and turned.learnt["training"] is None and len(turned.black) == 1
    with pytest.raises(OSError, match="cannot write"):
        book.save(tmp_path / "no" / "book.json")
    with pytest.raises(ValueError, match="not a side"):
        book.openings("grey")


def test_a_fair_komi_is_found():
    book = portfolio.Book.learn("phantom-go:3", PLAYER, 2, komi_games=6)
    assert "komi=" in book.game.spec


def test_too_many_repetitions_are_refused():
    with pytest.raises(ValueError, match="there are at most 10000000 repetitions"):
        portfolio.evaluate(np.eye(20), opponents=[1], repetitions=10**12)


def test_a_games_own_komi_is_kept():
    by_text = portfolio.seed_matrix("go:3(komi=7.5)", "flat(uniform)@3", 3)
    by_game = portfolio.seed_matrix(tesuji.Game("go:3(komi=7.5)"), "flat(uniform)@3", 3)
    assert (by_text == by_game).all()


@pytest.mark.parametrize("algorithm", ["double-oracle", "grigoriadis", "exp3"])
def test_lazy_learners_play_some_games(algorithm):
    luck = np.random.default_rng(2)
    skill = luck.normal(size=(80, 1)) - luck.normal(size=(1, 80))
    matrix = 1 / (1 + np.exp(-2 * skill))
    asked = set()

    def play(rows, columns):
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
        assert not asked & set(pairs) and len(set(pairs)) == len(pairs)
        asked.update(pairs)
        return matrix[rows, columns]

    learnt = portfolio.learn_lazily(play, 80, 80, algorithm, exploitability=0.1, games=4000)
    assert learnt.games == len(asked)
    black, white = learnt.portfolio.black, learnt.portfolio.white
    assert black.sum() == pytest.approx(1) and (white >= 0).all()
    gap = (matrix @ white).max() - (black @ matrix).min()
    assert gap <= learnt.gap + 1e-9
    if algorithm == "double-oracle":
        assert learnt.games < 3200 and gap <= 0.2
    assert learnt == portfolio.learn_lazily(lambda i, j: matrix[i, j], 80, 80, algorithm, exploitability=0.1, games=4000)


def test_lazy_learners_say_what_is_wrong():
    def play(rows, columns):
        raise LookupError("no such game")

    with pytest.raises(LookupError, match="no such game"):
        portfolio.learn_lazily(play, 5, 5)
    for call, sentence in [
        (lambda: portfolio.learn_lazily(play, 5, 5, "fictitious"), "'fictitious' is not a lazy algorithm: there are double"),
        (lambda: portfolio.learn_lazily(play, 0, 5), "n_rows is from 1 to 100,000, not 0"),
        (lambda: portfolio.learn_lazily(play, 5, 5, exploitability=2), "exploitability is from 0 to 1, not 2"),
        (lambda: portfolio.learn_lazily(lambda i, j: [0.5], 5, 5), "must return a reward for each of the .* pairs, and returned 1"),
        (lambda: portfolio.learn_lazily(lambda i, j: i + 7.0, 5, 5), "a reward is from 0 to 1"),
        (lambda: portfolio.Book.learn(GAME, PLAYER, 5, lazy="exp3", method="best-seed"), "leave out method"),
        (lambda: portfolio.Book.learn(GAME, PLAYER, 5, games=5), "games is for lazy algorithms"),
        (lambda: portfolio.Portfolio([0.5], [1.0]), "Black's probabilities are not negative and their sum is 1, not 0.5"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()


def test_a_lazy_book_is_that_of_the_command_line(tmp_path):
    script = (Path(__file__).parents[2] / "tests" / "cmd" / "portfolio.trycmd").read_text()
    command = "--player 'flat(uniform)@20' --seeds 20 --store lazy.db --lazy double-oracle --exploitability 0.2"
    printed = script.partition(command)[2]
    games, gap = re.search(r"(\d+) of 400 games .* exploitability at most ([\d.]+)", printed).groups()
    black, white = re.search(r"Seeds in the book: (\d+) for Black, (\d+) for White", printed).groups()
    store = tmp_path / "seeds.db"
    game, player = "phantom-go:3(komi=2.5)", "flat(uniform)@20"
    book = portfolio.Book.learn(game, player, 20, lazy="double-oracle", exploitability=0.2, store=store)
    assert (book.learnt["seeds"], book.learnt["games"]) == (20, int(games))
    assert (len(book.black), len(book.white)) == (int(black), int(white))
    assert f"{book.learnt['gap'] / 2:.3f}" == gap
    assert book.method == "double-oracle" and book.learnt["training"] is None
    with tesuji.Store(store) as games:
        assert len(games.games()) == book.learnt["games"]
    few = portfolio.Book.learn(GAME, PLAYER, 30, lazy="exp3", games=40)
    assert 40 <= few.learnt["games"] < 900 and few.method == "exp3"
