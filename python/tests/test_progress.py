"""Long calls say how far along they are, and Ctrl-C ends them at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tictactoe import TicTacToe

import tesuji
from tesuji import portfolio
from tesuji.progress import ProgressLine

MATRIX = np.random.default_rng(1).integers(0, 2, (120, 120))
SMALL = 'title = "Small"\nseed = 1\ngames = 8\n[[grid]]\ngame = "hex:3"\nplayer = "uct@20"\nopponent = "random"'


def rewards(rows: Any, columns: Any) -> Any:
    return MATRIX[rows, columns]


CALLS: dict[str, tuple[Callable[[Any, Any], object], int | None]] = {
    "search": (lambda progress, _: tesuji.search("hex:5", "uct", 3000, progress=progress), 3000),
    "a halving search": (lambda progress, _: tesuji.search("hex:5", "sh+uct", 3000, progress=progress), 3000),
    "Player.search": (lambda progress, _: tesuji.Player("uct@500").search("hex:5", progress=progress), 500),
    "search_all": (
        lambda progress, _: tesuji.Player("uct@500").search_all([tesuji.Position("hex:5")] * 30, progress=progress),
        30,
    ),
    "an own game": (lambda progress, _: tesuji.search(TicTacToe(), "uct", 500, progress=progress), 500),
    "match": (lambda progress, _: tesuji.match("hex:3", "random", "random", games=30, progress=progress), 30),
    "run": (lambda progress, tmp: tesuji.Experiment.parse(SMALL).run(tmp / "s.db", progress=progress), 8),
    "bandit": (lambda progress, _: tesuji.bandit(["1:4", "N:4"], ["sh", "uniform"], 40, runs=500, progress=progress), 2000),
    "perft": (lambda progress, _: tesuji.perft("hex:4", 4, progress=progress), 16),
    "solve": (lambda progress, _: portfolio.solve(MATRIX, progress=progress), None),
    "learn": (lambda progress, _: portfolio.learn(MATRIX, progress=progress), None),
    "learn_lazily": (lambda progress, _: portfolio.learn_lazily(rewards, 120, 120, games=4000, progress=progress), None),
    "evaluate": (
        lambda progress, _: portfolio.evaluate(MATRIX, ["uniform", "best-seed"], repetitions=30, progress=progress),
        30,
    ),
    "seed_matrix": (lambda progress, _: portfolio.seed_matrix("hex:3", "uct@20", 5, progress=progress), 25),
    "Book.learn": (lambda progress, _: portfolio.Book.learn("hex:3", "uct@20", 5, progress=progress), 25),
    "a lazy book": (
        lambda progress, _: portfolio.Book.learn("hex:3", "uct@20", 30, lazy="double-oracle", progress=progress),
        None,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_progress_is_told(name: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    call, total = CALLS[name]
    told: list[tuple[int, int | None]] = []
    for place in "abcde":
        (tmp_path / place).mkdir()
    watched = call(lambda done, total: told.append((done, total)), tmp_path / "a")
    done = [so_far for so_far, _ in told]
    assert done == sorted(done) and told[-1][0] == told[-1][1]
    assert total is None or told[-1] == (total, total)
    assert len(set(told)) == len(told)
    # Watching changes nothing, and so does a line on standard error.
    for progress, place in ((None, "b"), (False, "c"), (True, "d")):
        alone = call(progress, tmp_path / place)
        if isinstance(alone, np.ndarray):
            assert alone.tobytes() == watched.tobytes()  # type: ignore[attr-defined]
        elif isinstance(alone, tesuji.Decision):
            assert alone.report() == watched.report()  # type: ignore[attr-defined]
        else:
            assert alone == watched
    assert capsys.readouterr().out == ""

    def fails(done: int, total: int | None) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        call(fails, tmp_path / "e")
    with pytest.raises(TypeError, match="True, False, or a function"):
        call(7, tmp_path / "e")


def test_the_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    line = ProgressLine("games")
    for now, done in ((0.1, 1), (5.0, 100), (11.0, 250), (15.0, 400), (30.0, 1000)):
        line(done, 1000)
    assert capsys.readouterr().err.splitlines() == [
        "250 of 1,000 games; 22.6 per second; 33 s left",
        "1,000 of 1,000 games; 33.3 per second; 0 s left",
    ]
    line, now = ProgressLine("pivots"), 45.0
    line(7, None)
    assert capsys.readouterr().err == "7 pivots\n"
    # What is over at once says nothing.
    line = ProgressLine("games")
    line(1, 2)
    line(2, 2)
    assert capsys.readouterr().err == ""


LONG = {
    "search": "tesuji.search('go:9', 'uct', 10_000_000)",
    "search_all": "tesuji.Player('uct', 10_000_000).search_all([tesuji.Position('go:9')] * 20)",
    "search_all with a network": "tesuji.Player('puct+net', 10_000_000, network=lambda planes: "
    "(np.zeros((len(planes), 82)), np.full(len(planes), 0.5))).search_all([tesuji.Position('go:9')] * 20)",
    "perft": "tesuji.perft('go:9', 30)",
    "solve": "portfolio.solve(np.random.default_rng(1).random((3000, 3000)))",
    "learn": "portfolio.learn(np.random.default_rng(1).random((3000, 3000)), 'sparse-nash(0.5)')",
    "learn_lazily": "portfolio.learn_lazily(lambda i, j: np.random.default_rng(1).random(len(i)), 3000, 3000, 'exp3', exploitability=0)",
    "bandit": "tesuji.bandit('N:80', 'ucb1', 10_000, runs=10_000_000)",
    "evaluate": "portfolio.evaluate(np.random.default_rng(1).random((200, 200)), repetitions=1_000_000)",
    "Book.learn": "portfolio.Book.learn('go:9', 'flat(uniform)@100', 300)",
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_it(name: str) -> None:
    program = f"""
import sys, time
import numpy as np, tesuji
from tesuji import portfolio
print("ready", flush=True)
try:
    {LONG[name]}
except KeyboardInterrupt:
    print(time.time())
"""
    with subprocess.Popen([sys.executable, "-P", "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        assert process.poll() is None, "it must be a long call"
        begin = time.time()
        os.kill(process.pid, signal.SIGINT)
        ended, _ = process.communicate(timeout=60)
    # At once by people's measure; a busy machine is slow.
    assert float(ended) - begin < 1.5, name
