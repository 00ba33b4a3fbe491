"""Experiments on real Ray clusters: nodes die, drivers are ended, and the rows are those of a serial run."""

import os
import subprocess
import sys

import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster  # noqa: E402

import tesuji.ray  # noqa: E402
from tesuji import Experiment, Store  # noqa: E402

from test_experiments import BANDITS, rows  # noqa: E402

# Games that are long enough for a node to be killed in, many enough to go on for seconds.
EXPERIMENT = """
title = "Killed and resumed"
seed = 7
games = 60
rules = { random_plies = 2 }

[[grid]]
game = "{game}"
player = "{player}"
opponent = "rave@200"
each = [
  { name = "game", values = ["hex:5", "nodomineering:5"] },
  { name = "player", values = ["hybrid-shuss(t=64)@300", "vct(stop=1e-3)+uct@200"] },
]
"""

GAMES = 240


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    """The rows that a run on one thread leaves."""
    path = tmp_path_factory.mktemp("serial") / "serial.db"
    experiment = Experiment.parse(EXPERIMENT, "killed")
    assert experiment.run(path, threads=1)["played"] == GAMES
    return rows(path)


@pytest.fixture(scope="module")
def cluster():
    """A head without CPUs, and two nodes with one each; on this machine alone.

    One for all tests: it takes seconds to start. The test that kills a node leaves the other.
    """
    local = {"node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": 100 * 2**20}
    with tesuji.ray._no_clusters():
        cluster = Cluster(initialize_head=True, head_node_args={**local, "num_cpus": 0})
        cluster.nodes = [cluster.add_node(**local, num_cpus=1) for _ in range(2)]
        ray.init(
            address=cluster.address, _node_ip_address="127.0.0.1", log_to_driver=False, logging_level="warning"
        )
        yield cluster
        ray.shutdown()
        cluster.shutdown()


def test_a_node_that_dies_changes_nothing(cluster, tmp_path, serial):
    store = tmp_path / "ray.db"
    killed = []

    def kill(done, wanted):
        if done >= GAMES // 4 and not killed:
            killed.append(done)
            cluster.remove_node(cluster.nodes[0], allow_graceful=False)

    experiment = Experiment.parse(EXPERIMENT, "killed")
    summary = tesuji.ray.run(experiment, store=store, chunk=5, progress=kill)
    assert killed and killed[0] < GAMES
    assert summary == {"played": GAMES, "voids": 0, "missing": 0}
    assert rows(store) == serial


def test_runs_go_on_where_they_stopped(cluster, tmp_path, serial):
    store = tmp_path / "ray.db"

    def interrupt(done, wanted):
        if done >= 50:
            raise KeyboardInterrupt

    experiment = Experiment.parse(EXPERIMENT, "killed")
    with pytest.raises(KeyboardInterrupt):
        tesuji.ray.run(experiment, store=store, progress=interrupt)
    before = len(Store(store).games())
    assert 50 <= before < GAMES
    summary = tesuji.ray.run(experiment, store=store, progress=False)
    assert summary == {"played": GAMES - before, "voids": 0, "missing": 0}
    assert rows(store) == serial
    # Bandits on the same cluster: the rows of the same build are the same.
    bandits = Experiment.parse(BANDITS, "regrets")
    assert tesuji.ray.run(bandits, store=store, progress=False) == {"measured": 4, "missing": 0}
    bandits.run(tmp_path / "serial.db", threads=2)
    measured = [row for row in rows(store) if row[0] == "regrets"]
    assert measured == [row for row in rows(tmp_path / "serial.db") if row[0] == "regrets"]


def test_wrong_tasks_are_told_and_not_tried_for_ever(cluster, tmp_path):
    broken = Experiment.parse(
        """
        title = "Broken"
        seed = 1
        games = 4
        [[grid]]
        game = "go:5"
        player = "random"
        opponent = 'gtp("false")'
        """,
        "broken",
    )
    with pytest.raises(RuntimeError, match="void games in a row"):
        tesuji.ray.run(broken, store=tmp_path / "broken.db", progress=False)
    assert len(Store(tmp_path / "broken.db").voids()) >= 2


def test_arguments():
    experiment = Experiment.parse(EXPERIMENT, "killed")
    with pytest.raises(ValueError, match="Experiment.read"):
        tesuji.ray.run(experiment, quick=True)
    with pytest.raises(ValueError, match="chunk is at least 1, not 0"):
        tesuji.ray.run(experiment, chunk=0)


def test_without_ray_a_sentence_says_what_to_install():
    code = "import sys; sys.modules['ray'] = None\nimport tesuji.ray"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ImportError: tesuji.ray needs Ray: pip install './python[ray]'"


def test_a_tournament_that_plans_its_rounds(cluster, tmp_path):
    """The driver has nothing to hand out while the last games of a round are out."""
    from test_experiments import SWISS

    experiment = Experiment.parse(SWISS, "swiss")
    serial = tmp_path / "serial.db"
    experiment.run(serial, threads=1)
    ray_store = tmp_path / "ray.db"
    assert tesuji.ray.run(experiment, store=ray_store, chunk=1, progress=False)["missing"] == 0
    assert rows(ray_store) == rows(serial)
