"""Searches side by side: the decisions of searches one by one, with batches that are shared."""

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tesuji

from tictactoe import TicTacToe

Array = NDArray[np.float32]
START = tesuji.Position("hex:4")
POSITIONS = [START, *(START.play(move) for move in START.legal_moves()[:7]), START.play("b2", "c3"), START.played_out()]


class Network:
    """Every answer depends on its position alone: on sums of whole numbers, which have no order."""

    def __init__(self, pause: float = 0) -> None:
        self.pause = pause
        self.sizes: list[int] = []
        self.threads: set[int] = set()

    def __call__(self, planes: Array) -> tuple[Array, Array, Array]:
        self.sizes.append(len(planes))
        self.threads.add(threading.get_ident())
        time.sleep(self.pause)
        n, _, height, width = planes.shape
        cells = np.arange(height * width)
        lead = ((planes[:, 0] - planes[:, 1]).reshape(n, -1) * (cells % 5 + 1)).sum(axis=1)
        logits = np.cos(cells + lead[:, None]).astype(np.float32)
        return logits, (0.5 + lead / 128).astype(np.float32), np.abs(logits)


@pytest.mark.parametrize(
    "player",
    [
        "puct+net",
        "gumbel(noise=off)+gumbel-tree+net",
        "gumbel+gumbel-tree+net",
        "shuss(score=value)+puct+net",
        "shuss(score=q)+puct+net",
        "rave+net(mix=0.5)",
        "puct+net+reuse",
        "puct+net@90x1,40",
    ],
)
def test_decisions_are_those_of_searches_one_by_one(player: str) -> None:
    seeds = range(5, 5 + len(POSITIONS))
    network = Network()
    found = tesuji.Player(player, 60, network=network).search_all(POSITIONS, seeds=seeds)
    alone = [
        tesuji.Player(player, 60, network=Network()).search(position, seed=seed, threads=1)
        for position, seed in zip(POSITIONS, seeds, strict=True)
    ]
    assert found == alone
    assert [decision.report() for decision in found] == [decision.report() for decision in alone]
    assert max(network.sizes) > 1


@pytest.mark.parametrize("player", ["uct", "sh+rave", "uct+reuse", "ect(stop=1e-3)+uct", "random", "rave+until(90%)"])
@pytest.mark.parametrize("together", [1, 3, 64])
def test_players_without_a_network_search_side_by_side_too(player: str, together: int) -> None:
    found = tesuji.Player(player).search_all(POSITIONS, 300, seed=7, together=together)
    assert found == [tesuji.Player(player).search(position, 300, seed=7) for position in POSITIONS]


def test_shipped_networks_and_phantom_games() -> None:
    start = tesuji.Position("go:7")
    positions = [start, start.play("d4"), start.play("c3", "e5")]
    found = tesuji.Player("puct+net@50").search_all(positions)
    assert found == [tesuji.search(position, "puct+net@50") for position in positions]
    hidden = tesuji.Position("phantom-go:5").play("c3").attempt("c3").position
    assert tesuji.Player("flat(sh)@200").search_all([hidden] * 2) == [tesuji.search(hidden, "flat(sh)@200")] * 2


def test_batches_are_shared() -> None:
    # While a batch is valued, all others wait for the next one: about half of them are in each batch.
    network = Network(pause=0.005)
    player = tesuji.Player("puct+net", 30, network=network)
    found = player.search_all([START] * 32, seeds=range(32), together=32)
    assert [decision.spent for decision in found] == [30] * 32
    assert np.mean(network.sizes) > 4 and max(network.sizes) <= 32
    assert sum(network.sizes) > 32 * 20
    # The callable's thread is the caller's.
    assert network.threads == {threading.get_ident()}
    network.sizes.clear()
    assert player.search_all([START] * 3, seeds=range(3), together=1) == found[:3]
    assert set(network.sizes) == {1}


def test_decisions_have_the_order_of_the_positions() -> None:
    # The first searches end last.
    positions = [START.played_out(seed=3).moves[:ply] for ply in range(12)]
    found = tesuji.Player("uct@400").search_all(START.play(*moves) for moves in positions)
    assert [decision.position.moves for decision in found] == positions  # type: ignore[union-attr]
    assert tesuji.Player("uct").search_all([]) == []
    assert tesuji.Player("puct+net", network=Network()).search_all(iter(())) == []


def test_seeds_are_one_for_all_or_one_for_each() -> None:
    player = tesuji.Player("flat(uniform)@50")
    same = player.search_all([START] * 3)
    assert same[0] == same[1] == same[2] == tesuji.search(START, "flat(uniform)@50", seed=1)
    digits = "0123456789abcdef" * 2
    each = player.search_all([START] * 3, seeds=np.array([1, 2, 3]))
    assert each[0] == same[0] and each[1] != each[2]
    assert player.search_all([START] * 2, seeds=[digits, 2]) == [player.search(START, seed=digits), each[1]]
    assert player.search_all([START], seed=digits) == [player.search(START, seed=digits)]


def endless() -> Any:
    while True:
        yield 1


@pytest.mark.parametrize(
    ("positions", "arguments", "error", "sentence"),
    [
        ("hex:4", {}, TypeError, "expected positions of a built-in game, as a list or another iterable, not str"),
        (START, {}, TypeError, "expected positions of a built-in game, as a list or another iterable, not Position"),
        ([START, "hex:4"], {}, TypeError, "expected a Position as position 1, not str"),
        (
            [START, TicTacToe()],
            {},
            TypeError,
            "expected a Position of a built-in game as position 1, since games written in Python are searched one "
            "position at a time, not TicTacToe",
        ),
        (
            [START, START, tesuji.Position("hex:5")],
            {},
            ValueError,
            "the positions are of one game, and position 2 is of hex:5, not of hex:4",
        ),
        ([START], {"together": 0}, ValueError, "together is from 1 to 1024, not 0"),
        ([START], {"together": 2.5}, TypeError, "expected a whole number, not float"),
        ([START], {"seed": 1, "seeds": [1]}, ValueError, "searches have 'seed' or 'seeds', not both"),
        ([START] * 2, {"seeds": [1]}, ValueError, "every position has one seed, and there are fewer seeds than 2"),
        ([START] * 2, {"seeds": endless()}, ValueError, "every position has one seed, and there are more seeds than 2"),
        ([START], {"seeds": "1"}, TypeError, "expected seeds, one for each position, as a list or another iterable"),
        ([START], {"seeds": [None]}, TypeError, "expected a seed: a whole number, or its 32 digits, not NoneType"),
        ([START], {"seeds": [-1]}, ValueError, "a seed is a whole number from 0 to 2**64 - 1, not -1"),
        ([START], {"budget": "much"}, ValueError, "much"),
        ([tesuji.Position("phantom-go:5")], {}, ValueError, "only random and flat(POLICY) play games"),
    ],
)
def test_a_wrong_argument_is_a_sentence(
    positions: Any, arguments: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=re.escape(sentence)) as raised:
        tesuji.Player("uct").search_all(positions, **arguments)
    assert type(raised.value) is error and "\n" not in str(raised.value)


def test_a_network_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="no network ships for this game and size"):
        tesuji.Player("puct+net").search_all([START])


class Trouble(Exception):
    """What no library raises."""


@pytest.mark.parametrize("player", ["puct+net", "sh+puct+net", "shot+net"])
def test_what_the_network_raises_is_raised_once(player: str, capfd: pytest.CaptureFixture[str]) -> None:
    raised = Trouble("here")
    network = Network()
    n_calls, fails = 0, True

    def failing(planes: Array) -> tuple[Array, Array, Array]:
        nonlocal n_calls
        n_calls += 1
        if fails and n_calls >= 5:
            raise raised
        return network(planes)

    thinker = tesuji.Player(player, network=failing)
    with pytest.raises(Trouble) as caught:
        thinker.search_all([START] * 100, 1_000_000, seeds=range(100))
    assert caught.value is raised and n_calls == 5
    fails = False
    assert [decision.spent for decision in thinker.search_all([START] * 5, 100)] == [100] * 5
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda n: None, "returned a NoneType"),
        (lambda n: (np.zeros((n, 9)), np.zeros(n)), r"logits are an array of shape \(\d+, 16\), .* \(\d+, 9\)"),
        (lambda n: (np.zeros((n, 16)), np.full(n, 2.0)), "from 0 to 1, and one of them is 2"),
        (lambda n: (np.zeros((n, 16)), np.zeros(n)), "score=q needs the values of moves"),
    ],
)
def test_a_wrong_answer_is_a_sentence(answer: Callable[[int], Any], sentence: str) -> None:
    player = tesuji.Player("shuss(score=q)+puct+net", 100, network=lambda planes: answer(len(planes)))
    with pytest.raises(ValueError, match=sentence):
        player.search_all([START] * 20)


def test_two_answers_suffice_where_moves_need_no_values() -> None:
    def network(planes: Array) -> tuple[Array, Array]:
        return np.zeros((len(planes), 16), np.float32), np.full(len(planes), 0.5, np.float32)

    player = tesuji.Player("sh+puct+net", 50, network=network)
    assert player.search_all([START] * 4) == [player.search(START, threads=1)] * 4


def test_a_network_may_search_and_threads_may_share_a_player() -> None:
    inner = tesuji.Player("puct+net", 5, network=Network())

    def network(planes: Array) -> tuple[Array, Array, Array]:
        assert inner.search_all([START] * 2, seeds=[1, 2]) == expected
        assert tesuji.search("hex:2", "sh+uct", 3000, threads=2).spent == 3000
        return Network()(planes)

    expected = inner.search_all([START] * 2, seeds=[1, 2])
    player = tesuji.Player("puct+net", 20, network=network)
    found: dict[int, list[tesuji.Decision[str]]] = {}

    def search(thread: int) -> None:
        found[thread] = player.search_all([START] * 6, seeds=range(thread, thread + 6))

    threads = [threading.Thread(target=search, args=(thread,)) for thread in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0][1:] == found[1][:-1] and found[1][1:] == found[2][:-1]


def test_the_player_keeps_its_own_tree() -> None:
    player, other = (tesuji.Player("uct+reuse@2000") for _ in range(2))
    start = tesuji.Position("hex:3")
    first = player.search(start)
    assert first.move is not None
    reply = start.play(first.move)
    reply = reply.play(reply.legal_moves()[0])
    assert player.search_all([start, reply]) == [first, tesuji.search(reply, "uct+reuse@2000")]
    assert other.search(start) == first
    assert player.search(reply) == other.search(reply) != tesuji.search(reply, "uct+reuse@2000")
