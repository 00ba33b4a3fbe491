"""What Ray costs a game: the same experiment on this machine's threads, and as tasks of several sizes.

    python ray_overhead.py [GAMES]

The driver's CPU time is what bounds a cluster: it alone hands out every task and writes every game.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

try:
    import ray
except ImportError:
    sys.exit("This benchmark needs Ray: pip install './python[ray]'")

import tesuji
import tesuji.ray

EXPERIMENT = """
title = "Overhead"
seed = 7
games = {games}
[[grid]]
game = "hex:5"
player = "uct@100"
opponent = "rave@100"
"""


def cpu_seconds() -> float:
    """What this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measures and prints."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    experiment = tesuji.Experiment.parse(EXPERIMENT.format(games=games), "overhead")
    folder = Path(tempfile.mkdtemp())
    wall, used = time.monotonic(), cpu_seconds()
    experiment.run(folder / "here.db", threads=2)
    wall, used = time.monotonic() - wall, cpu_seconds() - used
    print(f"{games} games on 2 threads: {wall:.2f} s, {1e3 * used / games:.3f} ms of CPU time a game")
    wall = time.monotonic()
    ray.init(address="local", num_cpus=2, include_dashboard=False, logging_level="warning")
    tesuji.ray.run(experiment, store=folder / "warm.db", progress=False)
    print(f"Ray starts, and plays them a first time: {time.monotonic() - wall:.1f} s")
    for chunk in (1, 10, 100, None):
        wall, used = time.monotonic(), cpu_seconds()
        tesuji.ray.run(experiment, store=folder / f"{chunk}.db", chunk=chunk, progress=False)
        wall, used = time.monotonic() - wall, cpu_seconds() - used
        size = "as many as suit" if chunk is None else f"{chunk:15}"
        print(f"{size} games a task: {wall:6.2f} s, the driver {1e3 * used / games:.3f} ms of CPU time a game")
    ray.shutdown()


if __name__ == "__main__":
    main()
