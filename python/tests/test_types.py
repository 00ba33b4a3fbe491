"""Types as a checker sees them: moves are texts, or the moves of one's own game."""

import re

from mypy import api

PROGRAM = """
import numpy as np
import tesuji

class Nim:
    to_move: tesuji.Side = "black"
    def legal_moves(self) -> list[int]: return [1]
    def play(self, move: int, /) -> "Nim": return self
    def outcome(self) -> tesuji.Outcome | None: return None

reveal_type(tesuji.search("hex:5").move)
reveal_type(tesuji.Player("uct").search(tesuji.Position("hex:5"), np.int64(5)).move)
reveal_type(tesuji.search(Nim(), "uct", np.uint8(5), threads=np.int64(1)).move)
reveal_type(tesuji.Player("uct").search_all([tesuji.Position("hex:5")], seeds=np.arange(1)))
reveal_type(tesuji.search("hex:5").stop)
reveal_type(tesuji.search("hex:5").arms)
reveal_type(tesuji.match("hex:5", "uct", "rave", games=np.int64(2)).interval)
"""


def test_moves_have_the_type_of_their_game() -> None:
    said, _, code = api.run(["--strict", "-c", PROGRAM])
    assert code == 0, said
    assert re.findall(r'Revealed type is "(.*)"', said) == [
        "str | None",
        "str | None",
        "int | None",
        "list[tesuji._tesuji.Decision[str]]",
        "tuple[str, str, Literal['black'] | Literal['white'] | Literal['draw'] | None, float | None, float | None, "
        "float | None, fallback=tesuji.results.Stop] | None",
        "tesuji.table.Table",
        "tuple[float, float]",
    ]
