"""Networks written in Python: what they are given, what they may answer, and what comes of it."""

import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tesuji

from tictactoe import TicTacToe

Array = NDArray[np.float32]
PLAYERS = [
    "puct+net",
    "uct+net",
    "rave+net(mix=0.5)",
    "sh+puct+net",
    "shuss(score=logits)+puct+net",
    "shuss(score=value)+puct+net",
    "shuss(score=q)+puct+net",
    "gumbel(noise=off)+gumbel-tree+net",
    "shot+net",
]


class Centre:
    """Likes the centre of the board, whatever its size. Every answer depends on its position alone."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.threads: set[int] = set()

    def __call__(self, planes: Array) -> tuple[Array, Array, Array]:
        assert planes.dtype == np.float32 and planes.flags.c_contiguous
        self.shapes.append(planes.shape)
        self.threads.add(threading.get_ident())
        n, _, height, width = planes.shape
        y, x = np.mgrid[:height, :width]
        logits = -((y - height // 2) ** 2 + (x - width // 2) ** 2).astype(np.float32).reshape(-1)
        lead = (planes[:, 0] - planes[:, 1]).reshape(n, -1) * np.exp(logits / 4)
        values = np.array([0.5 + 0.4 * np.tanh(row.sum()) for row in lead], np.float32)
        return np.tile(logits, (n, 1)), values, np.tile(np.exp(logits / 4), (n, 1))


def plain(planes: Array) -> tuple[Array, Array]:
    n, _, height, width = planes.shape
    return np.zeros((n, height * width), np.float32), np.full(n, 0.5, np.float32)


@pytest.mark.parametrize("player", PLAYERS)
def test_every_search_uses_it(player: str) -> None:
    network = Centre()
    decision = tesuji.search("hex:5", player, 200, network=network, threads=1)
    assert decision.spent == 200
    assert decision.move in tesuji.Position("hex:5").legal_moves()
    assert {shape[1:] for shape in network.shapes} == {(3, 5, 5)}
    assert sum(shape[0] for shape in network.shapes) <= 200
    assert (decision.policy is not None) == player.startswith("gumbel")


def test_it_guides_the_search() -> None:
    assert tesuji.search("hex:5", "puct+net", 100, network=Centre()).move == "c3"


def test_arms_share_batches() -> None:
    network = Centre()
    tesuji.search("hex:5", "sh+puct+net", 400, network=network, threads=1)
    assert max(shape[0] for shape in network.shapes) == 25


@pytest.mark.parametrize("player", [player for player in PLAYERS if "mix" not in player])
def test_threads_change_nothing(player: str) -> None:
    one, four = Centre(), Centre()
    decision = tesuji.search("hex:4", player, 300, network=one, threads=1)
    assert tesuji.search("hex:4", player, 300, network=four, threads=4) == decision
    if player.startswith("sh+"):
        assert len(four.threads) > 1
        assert sorted(one.shapes) != sorted(four.shapes)


def test_a_player_keeps_its_network_from_game_to_game() -> None:
    player = tesuji.Player("puct+net+reuse", 50, network=plain)
    assert player.network is plain
    assert player.spec.startswith("puct+net")
    for game in ["hex:3", "hex:4", "hex:3"]:
        assert player.search(game).spent == 50
    assert pickle.loads(pickle.dumps(player)).network is plain
    assert tesuji.Player("uct").network is None


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda n: None, "returned a NoneType"),
        (lambda n: np.zeros((n, 9)), "returned a ndarray"),
        (lambda n: (np.zeros((n, 9)),), "returned a tuple of 1"),
        (lambda n: (np.zeros((n, 8)), np.zeros(n)), r"logits are an array of shape \(1, 9\), .* shape \(1, 8\)"),
        (lambda n: (np.zeros((n, 9)), np.zeros((n, 1))), r"values are an array of shape \(1,\), .* shape \(1, 1\)"),
        (lambda n: (np.zeros((n, 9)), 0.5), r"values .* has shape \(\)"),
        (lambda n: (np.zeros((n, 9)), np.zeros(n), np.zeros(n)), r"move values are an array of shape \(1, 9\)"),
        (lambda n: ("logits", np.zeros(n)), "numpy cannot convert its str"),
        (lambda n: (np.zeros((n, 9)), [object()]), "numpy cannot convert its list"),
        (lambda n: (np.full((n, 9), np.nan), np.zeros(n)), "logits are numbers, and one of them is nan"),
        (lambda n: (np.zeros((n, 9)), np.full(n, np.nan)), "values are numbers, and one of them is nan"),
        (lambda n: (np.zeros((n, 9)), np.full(n, -0.5)), "from 0 to 1, and one of them is -0.5"),
    ],
)
def test_a_wrong_answer_is_a_sentence(answer: Callable[[int], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as raised:
        tesuji.search("hex:3", "puct+net", 100, network=lambda planes: answer(len(planes)))
    assert "\n" not in str(raised.value)


def test_what_is_not_a_network_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="only for players whose spec has one, such as 'puct\\+net'"):
        tesuji.Player("uct", network=plain)
    with pytest.raises(ValueError, match="only for players"):
        tesuji.search("hex:3", "random", network=plain)
    with pytest.raises(TypeError, match="expected a network"):
        tesuji.Player("puct+net", network=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="score=q needs the values of moves"):
        tesuji.search("hex:3", "shuss(score=q)+puct+net", 100, network=plain)


class Trouble(Exception):
    """What no library raises."""


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("player", ["puct+net", "sh+puct+net", "shot+net"])
def test_what_it_raises_is_raised(player: str, threads: int, capfd: pytest.CaptureFixture[str]) -> None:
    raised = Trouble("here")
    n_calls = 0

    def network(planes: Array) -> tuple[Array, Array]:
        nonlocal n_calls
        n_calls += 1
        if n_calls >= 5:
            raise raised
        return plain(planes)

    thinker = tesuji.Player(player, network=network)
    for _ in range(2):
        with pytest.raises(Trouble) as caught:
            thinker.search("hex:4", 1_000_000, threads=threads)
        assert caught.value is raised
    assert n_calls < 20
    n_calls = -(10**9)
    assert thinker.search("hex:4", 100, threads=threads).spent == 100
    assert capfd.readouterr().err == ""


def test_lists_and_masks_are_fine() -> None:
    def network(planes: Array) -> list[Any]:
        logits = np.where(planes[:, :2].sum(axis=1) > 0, -np.inf, 0).reshape(len(planes), -1)
        return [logits.tolist(), [1.00001] * len(planes), None]

    assert tesuji.search("hex:3", "puct+net", 50, network=network).spent == 50


def test_positions_show_what_a_network_sees() -> None:
    seen: list[Array] = []

    def network(planes: Array) -> tuple[Array, Array]:
        seen.append(planes)
        return plain(planes)

    position = tesuji.Position("hex:4", "b1 c3")
    tesuji.search(position, "gumbel(noise=off)+gumbel-tree+net", 10, network=network, threads=1)
    np.testing.assert_array_equal(seen[0][0], position.network_planes())
    form = position.network_form()
    assert form is not None
    assert (form.encoding, form.planes, form.height, form.width, form.n_logits) == ("hex/1", 3, 4, 4, 16)
    assert pickle.loads(pickle.dumps(form)) == form == tesuji.Position("hex:4").network_form()
    assert hash(form) == hash(position.network_form())
    assert form != tesuji.Position("hex:5").network_form()


@pytest.mark.parametrize("game", ["hex:5", "go:5", "breakthrough:4", "ataxx:4", "phantom-go:5", "domineering:4x5"])
def test_moves_have_numbers(game: str) -> None:
    position = tesuji.Position(game).play(tesuji.Position(game).search_moves()[1])
    form = position.network_form()
    assert form is not None
    numbers = position.search_logits()
    assert numbers.dtype == np.int64
    assert numbers.tolist() == [position.logit(move) for move in position.search_moves()]
    assert len(set(numbers.tolist())) == len(numbers)
    assert numbers.min() >= 0 and numbers.max() < form.n_logits
    assert position.network_planes().shape == (form.planes, form.height, form.width)
    with pytest.raises(ValueError):
        position.logit("nowhere")


def test_a_decision_keeps_its_policy() -> None:
    decision = tesuji.search("hex:3", "gumbel(noise=off)+gumbel-tree+net", 60, network=Centre())
    policy = decision.policy
    assert policy is not None
    assert policy.shape == (9,) and abs(policy.sum() - 1) < 1e-6
    assert decision.arms["policy"].tolist() == policy.tolist()
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert again.policy.tolist() == policy.tolist()
    without = tesuji.search("hex:3", "uct", 60)
    assert without.policy is None and np.isnan(without.arms["policy"]).all()


class Seen(TicTacToe):
    """Tic-tac-toe that networks see."""

    n_logits = 9

    def play(self, move: int) -> "Seen":
        after = super().play(move)
        return Seen(after.cells, after.to_move)

    def network_planes(self) -> Array:
        own = "x" if self.to_move == "black" else "o"
        planes = [[mark == own for mark in self.cells], [mark not in (own, ".") for mark in self.cells]]
        return np.array(planes, np.float32).reshape(2, 3, 3)

    def logit(self, move: int) -> int:
        return move


@pytest.mark.parametrize("player", PLAYERS)
def test_own_games_have_networks(player: str) -> None:
    network = Centre()
    decision = tesuji.search(Seen("xx.oo...."), player, 300, network=network)
    assert decision.move == 2
    assert {shape[1:] for shape in network.shapes} == {(2, 3, 3)}


def test_own_games_share_batches_and_raise() -> None:
    network = Centre()
    player = tesuji.Player("sh+puct+net", 90, network=network)
    start = Seen()
    assert player.search(start) == player.search(start)
    assert max(shape[0] for shape in network.shapes) == 9
    raised = Trouble("here")

    def fail(planes: Array) -> tuple[Array, Array]:
        raise raised

    with pytest.raises(Trouble) as caught:
        tesuji.search(Seen(), "puct+net", 1000, network=fail)
    assert caught.value is raised


class Blind(Seen):
    """Has a logit that is none."""

    def logit(self, move: int) -> int:
        return 9


class Flat(Seen):
    """Has planes that are none."""

    def network_planes(self) -> Array:
        return super().network_planes().reshape(-1)


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (TicTacToe(), "networks cannot see TicTacToe: .* network_planes is missing"),
        (Blind(), "below n_logits, which is 9, not 9"),
        (Flat(), r"shape \(planes, height, width\), and this one has shape \(18,\)"),
    ],
)
def test_own_games_without_it_are_sentences(position: TicTacToe, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        tesuji.search(position, "puct+net", 50, network=plain)
