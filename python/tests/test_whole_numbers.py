"""Whole numbers of every kind are whole numbers everywhere; flags and fractions are not."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji import portfolio

EXPERIMENT = """
title = "Small"
seed = 1
games = 2
[[grid]]
game = "hex:3"
player = "uct@20"
opponent = "random"
"""

BANDITS = """
title = "Regrets"
paper = "none"
text = "x"
seed = 1
runs = 400
quick = 200

[[panel]]
title = "T"
arms = ["1:5", "A:5"]
lines = { label = "n", values = [10, 20] }
series = [{ name = "a", policy = "sh" }, { name = "b", policy = "uniform" }]
"""

START = tesuji.Position("hex:3")
MATRIX = np.random.default_rng(1).integers(0, 2, (12, 12))


class Indexed:
    """Something that says which whole number it is."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def rewards(rows: Any, columns: Any) -> Any:
    return MATRIX[rows, columns]


def small(kind: Callable[..., Any], **part: Any) -> Any:
    return tesuji.Experiment.parse(EXPERIMENT, "small", **part)


def observed(arm: Any) -> tesuji.Allocator:
    allocator = tesuji.Allocator("uniform", 4, 4)
    allocator.next_batch()
    allocator.observe(arm, 1.0)
    return allocator


def campaign(tmp: Any, **options: Any) -> tesuji.Campaign:
    return tesuji.Campaign(small(int), tmp / "c.db", **options)


def two(**options: Any) -> tesuji.TournamentResult:
    """A small tournament."""
    return tesuji.tournament("hex:3", ["uct", "random"], **{"games_each": 2, "budget": 5, **options})


# Every parameter of the interface that is a whole number, and a call with one for it.
CALLS: dict[str, tuple[int, Callable[[Any, Any], object]]] = {
    "Position.played_out seed": (3, lambda n, _: tesuji.Position("hex:3").played_out(seed=n)),
    "Position.network_planes seed": (3, lambda n, _: tesuji.Position("phantom-go:5").network_planes(seed=n)),
    "Position.perft depth": (2, lambda n, _: tesuji.Position("hex:3").perft(n)),
    "perft depth": (2, lambda n, _: tesuji.perft("hex:3", n)),
    "Player budget": (5, lambda n, _: tesuji.Player("uct", n).spec),
    "Player.search budget": (5, lambda n, _: tesuji.Player("uct").search("hex:3", n)),
    "Player.search focus_budget": (5, lambda n, _: tesuji.Player("uct@9").search("hex:3", focus="a1", focus_budget=n)),
    "Player.search seed": (5, lambda n, _: tesuji.Player("uct@9").search("hex:3", seed=n)),
    "Player.search threads": (2, lambda n, _: tesuji.Player("uct@9").search("hex:3", threads=n)),
    "Player.search_all budget": (5, lambda n, _: tesuji.Player("uct").search_all([START] * 2, n)),
    "Player.search_all seed": (5, lambda n, _: tesuji.Player("uct@9").search_all([START] * 2, seed=n)),
    "Player.search_all seeds": (5, lambda n, _: tesuji.Player("uct@9").search_all([START] * 2, seeds=[n, 1])),
    "Player.search_all together": (2, lambda n, _: tesuji.Player("uct@9").search_all([START] * 2, together=n)),
    "search budget": (5, lambda n, _: tesuji.search("hex:3", "uct", n)),
    "search focus_budget": (5, lambda n, _: tesuji.search("hex:3", "uct", 9, focus="a1", focus_budget=n)),
    "search seed": (5, lambda n, _: tesuji.search("hex:3", "uct", 9, seed=n)),
    "search threads": (2, lambda n, _: tesuji.search("hex:3", "uct", 9, threads=n)),
    "match games": (2, lambda n, _: tesuji.match("hex:3", "random", "random", games=n)),
    "match budget": (9, lambda n, _: tesuji.match("hex:3", "uct", "random", games=2, budget=n)),
    "match seed": (9, lambda n, _: tesuji.match("hex:3", "random", "random", games=2, seed=n)),
    "match threads": (2, lambda n, _: tesuji.match("hex:3", "random", "random", games=2, threads=n)),
    "match random_plies": (2, lambda n, _: tesuji.match("hex:3", "random", "random", games=2, random_plies=n)),
    "tournament games_each": (2, lambda n, _: two(games_each=n)),
    "tournament rounds": (2, lambda n, _: two(schedule="swiss", rounds=n)),
    "tournament total": (4, lambda n, _: two(schedule="widest", total=n)),
    "tournament budget": (9, lambda n, _: two(budget=n)),
    "tournament seed": (9, lambda n, _: two(seed=n)),
    "tournament threads": (2, lambda n, _: two(threads=n)),
    "tournament random_plies": (2, lambda n, _: two(random_plies=n)),
    "Experiment.parse games": (3, lambda n, _: small(int, games=n).games),
    "Experiment.parse runs": (9, lambda n, _: tesuji.Experiment.parse(BANDITS, runs=n).games),
    "Experiment.read games": (3, lambda n, _: tesuji.Experiment.read("shuss-table1", games=n).games),
    "Experiment.read runs": (3, lambda n, _: tesuji.Experiment.read("voi-figure1", runs=n).games),
    "Experiment.run threads": (2, lambda n, tmp: small(int).run(tmp / "r.db", threads=n)["missing"]),
    "Campaign workers": (2, lambda n, tmp: campaign(tmp, workers=n).progress),
    "Campaign most_voids": (2, lambda n, tmp: campaign(tmp, most_voids=n).progress),
    "Campaign.next most": (2, lambda n, tmp: campaign(tmp).next(n)),
    "Allocator n_arms": (3, lambda n, _: tesuji.Allocator("sh", n, 30).n_arms),
    "Allocator budget": (30, lambda n, _: tesuji.Allocator("sh", 3, n).budget),
    "Allocator seed": (30, lambda n, _: tesuji.Allocator("ttts", 3, 9, seed=n).recommend()),
    "Allocator.observe arm": (2, lambda n, _: observed(n).spent),
    "best_arm n_arms": (3, lambda n, _: tesuji.best_arm(lambda arm, k: [0.5] * k, n, 30)),
    "best_arm budget": (30, lambda n, _: tesuji.best_arm(lambda arm, k: [0.5] * k, 3, n)),
    "best_arm seed": (30, lambda n, _: tesuji.best_arm(lambda arm, k: [0.5] * k, 3, 30, seed=n)),
    "bandit budgets": (20, lambda n, _: tesuji.bandit("1:4", "sh", n, runs=10).tobytes()),
    "bandit several budgets": (20, lambda n, _: tesuji.bandit("1:4", "sh", [n], runs=10).tobytes()),
    "bandit runs": (20, lambda n, _: tesuji.bandit("1:4", "sh", 20, runs=n).tobytes()),
    "bandit seed": (20, lambda n, _: tesuji.bandit("1:4", "sh", 20, runs=10, seed=n).tobytes()),
    "bandit threads": (2, lambda n, _: tesuji.bandit("1:4", "sh", 20, runs=10, threads=n).tobytes()),
    "learn seed": (7, lambda n, _: portfolio.learn(MATRIX, "best-seed", seed=n)),
    "evaluate training": (6, lambda n, _: portfolio.evaluate(MATRIX, ["nash"], training=n, opponents=[1], repetitions=3)),
    "evaluate opponents": (2, lambda n, _: portfolio.evaluate(MATRIX, ["nash"], opponents=[n], repetitions=3)),
    "evaluate repetitions": (3, lambda n, _: portfolio.evaluate(MATRIX, ["nash"], opponents=[1], repetitions=n)),
    "evaluate seed": (3, lambda n, _: portfolio.evaluate(MATRIX, ["nash"], opponents=[1], repetitions=3, seed=n)),
    "evaluate threads": (2, lambda n, _: portfolio.evaluate(MATRIX, ["nash"], opponents=[1], repetitions=3, threads=n)),
    "learn_lazily n_rows": (12, lambda n, _: portfolio.learn_lazily(rewards, n, 12)),
    "learn_lazily n_columns": (12, lambda n, _: portfolio.learn_lazily(rewards, 12, n)),
    "learn_lazily games": (20, lambda n, _: portfolio.learn_lazily(rewards, 12, 12, games=n)),
    "learn_lazily seed": (20, lambda n, _: portfolio.learn_lazily(rewards, 12, 12, seed=n)),
    "seed_matrix seeds": (2, lambda n, _: portfolio.seed_matrix("hex:3", "uct@5", n).tobytes()),
    "seed_matrix komi_games": (2, lambda n, _: portfolio.seed_matrix("hex:3", "uct@5", 2, komi_games=n).tobytes()),
    "seed_matrix seed": (2, lambda n, _: portfolio.seed_matrix("hex:3", "uct@5", 2, seed=n).tobytes()),
    "seed_matrix threads": (2, lambda n, _: portfolio.seed_matrix("hex:3", "uct@5", 2, threads=n).tobytes()),
    "Book.learn seeds": (2, lambda n, _: portfolio.Book.learn("hex:3", "uct@5", n)),
    "Book.learn komi_games": (2, lambda n, _: portfolio.Book.learn("hex:3", "uct@5", 2, komi_games=n)),
    "Book.learn seed": (2, lambda n, _: portfolio.Book.learn("hex:3", "uct@5", 2, seed=n)),
    "Book.learn threads": (2, lambda n, _: portfolio.Book.learn("hex:3", "uct@5", 2, threads=n)),
    "Book.learn games": (4, lambda n, _: portfolio.Book.learn("hex:3", "uct@5", 2, lazy="exp3", games=n)),
    "Book.openings moves": (2, lambda n, _: portfolio.Book.learn("dark-hex:3", "flat(uniform)@5", 2).openings("black", n)),
}

KINDS = [np.int64, np.uint8, np.int16, np.array, Indexed]


@pytest.mark.parametrize("name", CALLS)
def test_whole_numbers_of_every_kind(name: str, tmp_path: Any) -> None:
    number, call = CALLS[name]
    places = (tmp_path / str(index) for index in range(100))

    def called(value: Any) -> object:
        place = next(places)
        place.mkdir()
        return call(value, place)

    wanted = called(number)
    for kind in KINDS:
        found = called(kind(number))
        is_same = (found == wanted) if not isinstance(found, np.ndarray) else found.tolist() == wanted.tolist()  # type: ignore[attr-defined]
        assert is_same, f"{name} with {kind.__name__}"
    for wrong in (True, np.True_, 2.0, np.float64(2.0), [[1, 2]], object()):
        with pytest.raises(TypeError, match="whole number"):
            called(wrong)


def test_no_whole_number_is_left_out() -> None:
    """Every parameter that the docstrings call an int has a call above."""
    documented = set()
    for module, prefix in ((tesuji, ""), (portfolio, "")):
        for word in module.__all__:
            thing = getattr(module, word)
            # Those of OpenSpiel and Ray have tests of their own; these are results.
            if word in ("portfolio", "Table", "OwnPosition", "Stop", "MatchResult", "TournamentResult", "BestArm", "LazyPortfolio"):
                continue
            parts = [(word, thing)]
            if isinstance(thing, type):
                parts += [(f"{word}.{name}", value) for name, value in vars(thing).items() if not name.startswith("_")]
            for name, value in parts:
                text = getattr(value, "__doc__", "") or ""
                section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE)
                for parameter, kind in re.findall(r"^(\w+) : (.+)$", section[1] if section else "", re.MULTILINE):
                    if re.search(r"\bint\b", kind):
                        documented.add(f"{prefix}{name} {parameter}")
    assert documented - set(CALLS) == set()


def test_fractions_of_numpy_are_numbers() -> None:
    half = np.float32(0.5)
    assert portfolio.learn_lazily(rewards, 12, 12, exploitability=half).games <= 144
    table = tesuji.bandit("1:4", "sh", 20, runs=10, score_noise=np.float64(0.1), score_rate=half)
    assert len(table) == 1
    matrix = portfolio.seed_matrix("go:3", "flat(uniform)@3", 2, komi=np.float64(2.5))
    assert matrix.shape == (2, 2)
