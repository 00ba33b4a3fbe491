"""Games written in Python: every search plays them, and finds what ours find."""

import gc
import weakref
from dataclasses import dataclass
from typing import Any

import pytest

import tesuji
from tesuji.own import Outcome, Side

from tictactoe import TicTacToe

PLAYERS = [
    "random",
    "greedy",
    "uct",
    "uct+solver",
    "uct+reuse",
    "uct+no-transpositions",
    "uct+trees(3)",
    "rave",
    "grave",
    "puct(prior=amaf)",
    "puct(prior=leaf)+prior(sh,16)",
    "uct+prior(sh,16)",
    "voi+uct",
    "sh+uct",
    "shuss(t=64,score=amaf)+rave",
    "gumbel+uct",
    "ect+uct",
    "anytime-sh+uct",
    "shot",
    "h-mcts",
    "flat(sh)",
    "flat(ucb(c=0.4))",
    "hybrid-shuss(t=64)",
]


@pytest.mark.parametrize("player", PLAYERS)
def test_every_search_plays_it(player: str) -> None:
    # Black wins at once by 2, or White does by 5 next.
    position = TicTacToe("xx.oo....", "black")
    decision = tesuji.search(position, player, 600)
    assert decision.move in position.legal_moves()
    if player != "random":
        assert decision.move == 2
    assert decision.arms["move"].tolist() == [2, 5, 6, 7, 8]
    again = tesuji.search(position, player, 600)
    assert again.arms["visits"].tolist() == decision.arms["visits"].tolist()


class Ours:
    """One of our positions, hidden behind what a class in Python must have."""

    def __init__(self, position: tesuji.Position):
        self.position = position
        self.to_move: Side = position.to_move

    def legal_moves(self) -> list[str]:
        return self.position.search_moves()

    def play(self, move: str) -> "Ours":
        return Ours(self.position.play(move))

    def outcome(self) -> Outcome | None:
        return self.position.outcome()


@pytest.mark.parametrize("player", ["uct", "rave", "sh+uct"])
def test_it_is_searched_like_ours(player: str) -> None:
    position = tesuji.Position("nogo:3", "a1 c1")
    budget = 3000
    ours = tesuji.search(position, player, budget, seed=1)
    own = tesuji.search(Ours(position), player, budget, seed=2)
    assert own.arms["move"].tolist() == ours.arms["move"].tolist()
    # Means of moves that both sampled a good deal, four standard errors of their difference.
    for a, b in zip(ours.arms, own.arms, strict=True):
        if min(a["visits"], b["visits"]) >= 100:
            error = (0.25 / a["visits"] + 0.25 / b["visits"]) ** 0.5
            assert abs(a["mean"] - b["mean"]) < 4 * error + 0.1


def test_our_positions_are_positions_of_the_protocol() -> None:
    position: tesuji.OwnPosition[str] = tesuji.Position("hex:3")
    assert position.outcome() is None


@dataclass(frozen=True)
class Pile:
    """Nim with one pile: equal piles are equal positions."""

    left: int
    to_move: Side = "black"

    def legal_moves(self) -> range:
        return range(1, min(3, self.left) + 1)

    def play(self, move: int) -> "Pile":
        return Pile(self.left - move, "white" if self.to_move == "black" else "black")

    def outcome(self) -> Outcome | None:
        if self.left > 0:
            return None
        return "white" if self.to_move == "black" else "black"


def test_equal_positions_share_statistics() -> None:
    # 21 piles and two sides: however long it searches, there are no more positions.
    decision = tesuji.search(Pile(21), "uct", 5000)
    assert decision.move == 1
    assert decision.nodes <= 2 * 22
    assert tesuji.search(Pile(21), "uct+no-transpositions", 5000).nodes > 100


def test_proofs_reach_the_end() -> None:
    decision = tesuji.search(Pile(10), "uct+solver", 20000)
    assert decision.move == 2 and str(decision.stop) == "it is proved: Black wins"


class WithPlayout(Pile):
    """The same with playouts of its own."""

    def play(self, move: int) -> "WithPlayout":
        return WithPlayout(self.left - move, "white" if self.to_move == "black" else "black")

    def playout(self, seed: int, wants_moves: bool) -> tuple[Outcome, list[int], list[Side]]:
        moves: list[int] = []
        sides: list[Side] = []
        position: Pile = self
        while (outcome := position.outcome()) is None:
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            move = position.legal_moves()[(seed >> 33) % len(position.legal_moves())]
            moves.append(move)
            sides.append(position.to_move)
            position = Pile.play(position, move)
        return outcome, moves, sides


@pytest.mark.parametrize("player", ["uct", "rave", "flat(sh)"])
def test_playouts_of_its_own(player: str) -> None:
    decision = tesuji.search(WithPlayout(9), player, 3000)
    assert decision.spent == 3000
    # All moves look alike to AMAF in this game.
    if player != "rave":
        assert decision.move == 1


class Broken(Pile):
    """Whose methods go wrong in some way."""

    def __init__(self, methods: dict[str, Any], left: int = 5, to_move: Side = "black"):
        super().__init__(left, to_move)
        self.__dict__.update(methods, methods=methods)

    def play(self, move: int) -> "Broken":
        after = super().play(move)
        return Broken(self.__dict__["methods"], after.left, after.to_move)


def fail(*_: object) -> None:
    raise KeyError("my own mistake")


@pytest.mark.parametrize("player", ["uct", "sh+rave", "flat(uniform)", "shot", "greedy"])
@pytest.mark.parametrize("method", ["legal_moves", "play", "outcome"])
def test_what_it_raises_comes_out(player: str, method: str) -> None:
    with pytest.raises(KeyError, match="my own mistake"):
        tesuji.search(Broken({method: fail}), player, 100)


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        ({"to_move": "red"}, "'red' is not a side: black, white"),
        ({"to_move": lambda: "black"}, "to_move of a position is 'black' or 'white' (not a method"),
        ({"outcome": lambda: 1}, "an outcome is 'black', 'white', 'draw', or None while the game goes on, not 1"),
        ({"legal_moves": list}, "a game that is not over has a legal move, and this one has none"),
        ({"play": lambda move: None}, "play(move) must return the next position"),
        ({"n_moves": 0}, "n_moves of a game is a whole number from 1 to 32767"),
        ({"n_moves": 2}, "the game has more than 2 different moves"),
        ({"playout": lambda seed, wants_moves: None}, "a playout goes on until the game is over"),
        ({"playout": lambda seed, wants_moves: "black"}, "this search needs the moves of playouts"),
    ],
)
def test_mistakes_are_explained(methods: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        tesuji.search(Broken(methods), "rave", 100)
    assert str(error.value).startswith(sentence)


def test_something_else_is_not_a_game() -> None:
    with pytest.raises(ValueError, match="int is not a game: .* and legal_moves is missing"):
        tesuji.search(7)  # type: ignore[arg-type]


def test_moves_that_cannot_be_hashed_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        tesuji.search(Broken({"legal_moves": lambda: [[1], [2]]}), "uct", 10)


def test_a_player_goes_on_after_a_mistake() -> None:
    player = tesuji.Player("uct+reuse")
    with pytest.raises(KeyError):
        player.search(Broken({"play": fail}), 100)
    assert player.search(Pile(5), 500).move == 1
    assert player.search(tesuji.Position("hex:3"), 50).spent == 50


def test_nothing_is_kept_after_a_search() -> None:
    position = TicTacToe()
    seen = weakref.ref(position)
    tesuji.search(position, "uct", 200)
    del position
    gc.collect()
    assert seen() is None


def test_a_position_that_changes_itself_is_noticed() -> None:
    class Changing(Pile):
        def play(self, move: int) -> "Changing":
            object.__setattr__(self, "left", self.left - move)
            return self

    with pytest.raises(ValueError, match="it returned the same object again"):
        tesuji.search(Changing(5), "uct", 50)


def test_errors_in_hashes_come_out() -> None:
    class Unhashable(Pile):
        __hash__ = None  # type: ignore[assignment]

    class Failing(Pile):
        def __hash__(self) -> int:
            raise KeyError("my own mistake")

    assert tesuji.search(Unhashable(5), "uct", 500).move == 1
    with pytest.raises(KeyError, match="my own mistake"):
        tesuji.search(Failing(5), "uct", 50)


def test_a_player_that_reuses_trees_changes_games() -> None:
    class Few(Pile):
        n_moves = 3

        def search_moves(self) -> range:
            return self.legal_moves()

        def play(self, move: int) -> "Few":
            after = super().play(move)
            return Few(after.left, after.to_move)

    player = tesuji.Player("rave+reuse", 200)
    player.search(Few(5))
    assert player.search(TicTacToe("xx.oo....", "black")).move == 2


@pytest.mark.parametrize("player", ["uct", "sh+uct", "flat(sh)", "shot"])
def test_a_search_of_an_own_game_is_steered(player: str) -> None:
    position = TicTacToe()
    moves = list(position.legal_moves())
    decision = tesuji.search(position, player, 100, only=moves[:3], avoid=moves[:1], focus=moves[2:3])
    assert list(decision.arms["move"]) == moves[1:3]
    assert decision.focused == [(moves[2], 100)] and decision.spent == 200
    with pytest.raises(ValueError, match="'nowhere' is not a move of this position"):
        tesuji.search(position, player, 100, only=["nowhere"])
    with pytest.raises(ValueError, match="no move is left to search"):
        tesuji.search(position, player, 100, avoid=moves)
    with pytest.raises(ValueError, match="cannot be focused on"):
        tesuji.search(position, player, 100, avoid=moves[:1], focus=moves[:1])
