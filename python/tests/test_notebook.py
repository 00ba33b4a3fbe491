"""Boards, decisions and tables draw themselves in notebooks, and nobody's text becomes markup."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import numpy as np
import pytest

import tesuji
from tesuji.table import Table, html_table

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert("x")</script>&'


@pytest.mark.parametrize("name", [game["name"] for game in tesuji.games()])
def test_every_board_is_drawn(name: str) -> None:
    position = tesuji.Position(name)
    position = position.play(*position.search_moves()[:1])
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.tag == f"{SVG}svg"
    width, height = position.game.board
    texts = [text.text for text in root.iter(f"{SVG}text")]
    # The coordinates, and a line below.
    assert len(texts) == width + height + 1
    assert texts[-1] is not None and texts[-1].startswith(f"{position.to_move.capitalize()} to move")
    pieces = position.planes("black")[:2].sum() if not position.game.is_hidden else 1
    drawn = [shape for shape in root.iter() if shape.get("opacity") == "1"]
    assert len(drawn) == pieces
    assert any(ring.get("stroke-dasharray") == "none" for ring in root.iter())


def test_a_side_of_a_phantom_game_is_shown_what_it_knows() -> None:
    position = tesuji.Position("phantom-go:5").play("c3")
    stones = [position.svg(side).count('opacity="1"') for side in (None, "black", "white")]
    assert stones == [1, 1, 0]
    assert "What" not in position.svg() and "what White knows" in position.svg("white")
    # The last move of the enemy is a secret too.
    assert "stroke-dasharray" not in position.svg("white")
    with pytest.raises(ValueError, match="not a side"):
        position.svg("grey")


def test_a_decision_is_a_board_and_a_table() -> None:
    decision = tesuji.search("hex:4", "sh+uct", 500)
    html = decision._repr_html_()
    assert html.count("<svg") == 1 and html.count("<table") == 1
    assert f"{decision.move} ◀" in html
    # The move that is proposed.
    assert html.count('stroke-dasharray="5 3"') == 1
    over = tesuji.search(tesuji.Position("hex:2", "a1 b1 a2"))
    assert over.move is None and "<svg" in over._repr_html_()


@dataclass(frozen=True)
class Hostile:
    """A game whose every text is markup."""

    left: int = 3

    @property
    def to_move(self) -> str:
        return "black" if self.left % 2 else "white"

    def legal_moves(self) -> list[str]:
        return [HOSTILE, f"{HOSTILE}{HOSTILE}"]

    def play(self, move: str) -> "Hostile":
        return Hostile(self.left - 1)

    def outcome(self) -> str | None:
        return "draw" if self.left == 0 else None

    def __str__(self) -> str:
        return HOSTILE


def is_harmless(html: str) -> bool:
    return "<script" not in html and "&lt;script&gt;" in html


def test_hostile_names_stay_texts(tmp_path) -> None:
    assert is_harmless(tesuji.search(Hostile(), "uct", 50)._repr_html_())
    table = np.array([(HOSTILE, 1.0)], dtype=[(HOSTILE, "U60"), ("x", "f8")]).view(Table)
    assert is_harmless(table._repr_html_())
    assert is_harmless(html_table([HOSTILE], [[HOSTILE]]))
    # A store keeps names that others wrote.
    experiment = tesuji.Experiment.parse(
        'title = "t"\nseed = 1\ngames = 1\n[[grid]]\ngame = "hex:3"\nplayer = "random"\nopponent = "random"',
        name=HOSTILE,
    )
    experiment.run(tmp_path / "s.db")
    assert is_harmless(tesuji.Store(tmp_path / "s.db")._repr_html_())


def test_own_positions_may_draw_themselves() -> None:
    class Drawn(Hostile):
        def _repr_svg_(self) -> str:
            return "<svg>mine</svg>"

    assert "<svg>mine</svg>" in tesuji.search(Drawn(), "uct", 50)._repr_html_()


def test_tables_are_arrays_and_more() -> None:
    table = tesuji.bandit("1:4", ["sh", "uniform"], [40, 80], runs=200)
    assert isinstance(table, Table) and isinstance(table, np.ndarray)
    assert type(table["regret"]) is np.ndarray and type(table["regret"].sum()) is np.float64
    assert type(table[table["budget"] == 40]) is Table
    html = table._repr_html_()
    assert html is not None and html.count("<tr>") == 5 and "<th>regret_se</th>" in html
    many = np.zeros(200, dtype=[("x", "i8")]).view(Table)._repr_html_()
    assert many is not None and many.count("<tr>") == 51 and "The first 50 of 200 rows." in many
    # What is nan is left open.
    assert "nan" not in html


def test_results_are_tables() -> None:
    result = tesuji.match("hex:3", "uct@50", "random", games=6)
    html = result._repr_html_()
    assert "<td" in html and re.search(r"\d % \(\d", html)
    found = tesuji.best_arm(lambda arm, n: [arm / 3] * n, 3, 30)
    assert "<td" in (found._repr_html_() or "")
