"""Tic-tac-toe as anybody would write it: for tests, and to measure how fast such a game is."""

from tesuji.own import Outcome, Side

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Black has the crosses and begins."""

    def __init__(self, cells: str = "." * 9, to_move: Side = "black"):
        self.cells = cells
        self.to_move: Side = to_move

    def legal_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.cells) if mark == "."]

    def play(self, move: int) -> "TicTacToe":
        mark = "x" if self.to_move == "black" else "o"
        cells = self.cells[:move] + mark + self.cells[move + 1 :]
        return TicTacToe(cells, "white" if self.to_move == "black" else "black")

    def outcome(self) -> Outcome | None:
        for a, b, c in LINES:
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return "black" if self.cells[a] == "x" else "white"
        return None if "." in self.cells else "draw"
