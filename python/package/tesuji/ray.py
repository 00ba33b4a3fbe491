"""Experiments on a Ray cluster: a few games are a task, and one process, the driver, keeps them.

>>> import tesuji.ray                                                     # doctest: +SKIP
>>> tesuji.ray.run("experiments/shuss-table1.toml", store="table1.db")    # doctest: +SKIP

A game is a function of its address, so the store has the rows of a run on one machine,
even if workers die: their tasks are done again by others. The same call continues a run that
ended or was killed.

Every node needs the same version of this package. External engines and the files of
portfolios and of arms must be at the experiment's paths on every node. Time budgets are
measured on the nodes, so let Ray use no more CPUs of a node than it has cores.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tesuji
from tesuji import Campaign, Experiment
from tesuji.progress import ProgressLine

try:
    import ray
except ImportError as error:
    raise ImportError("tesuji.ray needs Ray: pip install './python[ray]'") from error

__all__ = ["run"]

# The length of a task in seconds, once the length of a game is known: much longer than Ray
# needs for a task, and short enough that little is lost with a worker.
TASK_SECONDS = 3.0

# A task has no more games than this, however short they are.
MOST_GAMES = 1000

# How long the driver waits for a task before it looks at the cluster again, in seconds.
GLANCE = 0.5

Task = tuple[int, list[int]]


def run(
    experiment: Experiment | str | os.PathLike[str],
    *,
    address: str | None = None,
    store: str | os.PathLike[str] | tesuji.Store = "tesuji.db",
    chunk: int | None = None,
    retries: int = 3,
    progress: bool | Callable[[int, int], object] = True,
    quick: bool = False,
    only: str | list[str] | None = None,
    shard: str | None = None,
    in_flight: int | None = None,
) -> dict[str, int]:
    """Run the missing games or measurements of an experiment on a Ray cluster.

    If Ray is not running yet, it is started. Ctrl-C ends the run: tasks are cancelled, and the
    store keeps all results that came back.

    Parameters
    ----------
    experiment : Experiment or path
        The experiment, the path of its file, or the name of a built-in one.
    address : str, optional
        The cluster to join. Default: Ray runs only on this machine and listens on 127.0.0.1.
    store : Store or path, default: 'tesuji.db'
        The store. A missing file is created.
    chunk : int, optional
        The number of games of a task. Default: as many as last a few seconds.
    retries : int, default: 3
        How often Ray repeats a task whose worker dies. The run ends if ``retries + 1`` tasks in a row
        are lost.
    progress : bool or callable, default: True
        ``True`` shows a line on standard error. A function is called now and then with the number of
        finished games (on bandits: runs), and of all.
    quick : bool, default: False
        Take the smaller version that the file defines.
    only : str or list of str, optional
        Take only cells that have these words, as in ``Experiment.read``.
    shard : str, optional
        A part of the games, such as ``"1/3"``.
    in_flight : int, optional
        How many tasks are out at once; default: about twice the CPUs of the cluster.

    Returns
    -------
    dict
        What ``Experiment.run`` returns.

    Raises
    ------
    ValueError
        If an argument is wrong.
    RuntimeError
        If too many tasks are lost, or an external engine fails.
    """
    if isinstance(experiment, Experiment):
        if quick or only is not None:
            raise ValueError("quick and only choose a part of a file: pass them to Experiment.read")
    else:
        experiment = Experiment.read(experiment, quick=quick, only=only)
    for name, value, least in (("chunk", chunk, 1), ("retries", retries, 0), ("in_flight", in_flight, 1)):
        if value is not None and value < least:
            raise ValueError(f"{name} is at least {least}, not {value}")
    is_ours = not ray.is_initialized()
    if is_ours:
        _start(address)
    try:
        driver = _Driver(experiment, store, shard, chunk, retries, in_flight)
        tell = _shown(experiment.kind, progress)
        return driver.drive(tell)
    finally:
        if is_ours:
            ray.shutdown()


def _start(address: str | None) -> None:
    """Joins a cluster, or starts Ray on this machine only."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"logging_level": "warning", "log_to_driver": False}
    if address is not None or "RAY_ADDRESS" in os.environ:
        ray.init(address, **quiet)
        return
    with _no_clusters():
        ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)


@contextmanager
def _no_clusters() -> Iterator[None]:
    """Ray puts the machine's own address in the place of 127.0.0.1, and then listens to the
    world, unless it believes that there are no clusters here."""
    from ray._private import ray_constants

    clusters = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = clusters


class _Driver:
    """Hands out tasks, and stores what comes back."""

    def __init__(
        self,
        experiment: Experiment,
        store: str | os.PathLike[str] | tesuji.Store,
        shard: str | None,
        chunk: int | None,
        retries: int,
        in_flight: int | None,
    ) -> None:
        workers = max(1, int(_cpus()))
        self.campaign = Campaign(experiment, store, shard=shard, workers=workers)
        self.chunk = chunk
        self.retries = retries
        self.in_flight = in_flight
        # Once in the object store, and not with every task.
        self.experiment = ray.put(experiment)
        self.work = ray.remote(_work).options(num_cpus=1, max_retries=retries)
        self.tasks: dict[Any, Task] = {}
        self.lost_in_a_row = 0

    def drive(self, tell: Callable[[int, int], object]) -> dict[str, int]:
        tell(*self.campaign.progress)
        try:
            while self.fill():
                done, _ = ray.wait(list(self.tasks), num_returns=1, timeout=GLANCE)
                # All results that are there by now are written before new tasks go out.
                more, _ = ray.wait(list(self.tasks), num_returns=len(self.tasks), timeout=0)
                for reference in dict.fromkeys([*done, *more]):
                    self.take(reference)
                tell(*self.campaign.progress)
        finally:
            for reference in self.tasks:
                ray.cancel(reference, force=False)
        return self.campaign.summary

    def fill(self) -> bool:
        """Hands out tasks up to the bound. Returns whether any are out."""
        # Clusters grow and shrink.
        bound = self.in_flight or max(2, int(2 * _cpus()))
        while len(self.tasks) < bound:
            if self.chunk is None:
                task = self.campaign.next(MOST_GAMES, seconds=TASK_SECONDS)
            else:
                task = self.campaign.next(self.chunk)
            if task is None:
                break
            paused = self.campaign.paused(task)
            self.tasks[self.work.remote(self.experiment, task, paused, tesuji.__version__)] = task
        return bool(self.tasks)

    def take(self, reference: Any) -> None:
        """Stores the result of a task, or hands its games out again."""
        task = self.tasks.pop(reference)
        try:
            result: bytes = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            # The task itself raised, and would again.
            self.campaign.lost(task)
            raise error.as_instanceof_cause() from None
        except ray.exceptions.RayError as error:
            self.campaign.lost(task)
            self.lost_in_a_row += 1
            if self.lost_in_a_row > self.retries:
                raise RuntimeError(
                    f"stopped after {self.lost_in_a_row} tasks in a row that were lost with their workers: {error}"
                ) from error
            return
        self.lost_in_a_row = 0
        self.campaign.take(task, result)


def _work(experiment: Experiment, task: Task, paused: bytes | None, version: str) -> bytes:
    """A task, on a worker."""
    if version != tesuji.__version__:
        raise RuntimeError(
            f"a worker has tesuji {tesuji.__version__}, and the driver {version}: install one version everywhere"
        )
    return experiment.work_on(task, paused)


def _cpus() -> float:
    """The CPUs of the cluster."""
    return float(ray.cluster_resources().get("CPU", 1))


def _shown(kind: str, progress: bool | Callable[[int, int], object]) -> Callable[[int, int], object]:
    """Return the function that shows the progress."""
    if callable(progress):
        return progress
    if not progress:
        return lambda done, wanted: None
    return ProgressLine("games" if kind == "matches" else "runs")
