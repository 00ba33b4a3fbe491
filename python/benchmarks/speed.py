"""What Python costs: the same searches from here and from the command line, in turns, and a
game written in Python.

    python speed.py PATH/TO/tesuji [ROUNDS]

Wall times on a machine that does other things are noise; taken in turns, the ratio of the
two is worth something. Medians are printed.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import tesuji

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from tictactoe import TicTacToe  # noqa: E402

SEARCHES = [
    ("go:9", "uct", 20_000),
    ("go:9", "hybrid-shuss(t=256)", 20_000),
    ("hex:11", "rave", 20_000),
    ("breakthrough:8", "sh+uct", 20_000),
    ("hex:5", "uct", 1_000),
]


def from_command_line(program: str, game: str, player: str, budget: int) -> tuple[str, float]:
    """The move, and the seconds of the search alone."""
    words = [program, "search", game, "--player", player, "--budget", str(budget), "--threads", "1", "--json"]
    found = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return found["report"]["move"], found["seconds"]


def from_python(game: str, player: str, budget: int) -> tuple[str, float, float]:
    """The same, and the seconds of the whole call: position and player made, the decision read,
    and the tree freed, which a program at the command line leaves to its end."""
    begin = time.perf_counter()
    decision = tesuji.search(tesuji.Position(game), player, budget, threads=1)
    decision.arms
    return decision.move, decision.seconds, time.perf_counter() - begin


def main() -> None:
    """Measures and prints."""
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    print(f"{'game':16}{'player':22}{'samples':>8}{'command line':>14}{'Python':>10}{'ratio':>8}{'whole call':>12}")
    for game, player, budget in SEARCHES:
        theirs, ours, whole = [], [], []
        for _ in range(rounds):
            move, seconds = from_command_line(program, game, player, budget)
            same, here, call = from_python(game, player, budget)
            assert move == same
            theirs.append(seconds)
            ours.append(here)
            whole.append(call)
        ratio = statistics.median(here / there for here, there in zip(ours, theirs, strict=True))
        there, here, call = (1e3 * statistics.median(times) for times in (theirs, ours, whole))
        print(f"{game:16}{player:22}{budget:8,}{there:11.1f} ms{here:7.1f} ms{ratio:8.3f}{call:9.1f} ms")
    print()
    print(f"{'tic-tac-toe in Python':38}{'samples':>8}{'samples per CPU second':>24}")
    for player in ["uct", "rave", "sh+uct", "hybrid-shuss(t=128)", "flat(sh)", "shot"]:
        for budget in [1_000, 20_000]:
            rates = []
            for seed in range(5):
                begin = time.process_time()
                tesuji.search(TicTacToe(), player, budget, seed=seed)
                rates.append(budget / (time.process_time() - begin))
            print(f"{player:38}{budget:8,}{statistics.median(rates):24,.0f}")


if __name__ == "__main__":
    main()
