"""Your own network: any callable that values a batch of positions guides the search.

This one has no weights. In Hex it counts how many stones each side still needs to connect its
edges, and prefers moves on the shortest connections of both sides. With it, PUCT plays against UCT
with random playouts, both with the same number of samples.

    python network.py [SIZE GAMES]
"""

import sys

import numpy as np
from numpy.typing import NDArray

import tesuji

Array = NDArray[np.float32]

# The neighbours of a cell, as steps in rows and columns.
NEIGHBOURS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
FAR = 1000.0


def distances(own: Array, enemy: Array) -> Array:
    """Return how many stones connect each cell to row 0, its own included; shape (n, size, size)."""
    n, size, _ = own.shape
    cost = np.where(enemy > 0, FAR, 1.0 - own).astype(np.float32)
    # A frame around the board: row -1 is the edge, at distance 0.
    found = np.full((n, size + 2, size + 2), FAR, np.float32)
    found[:, 0, :] = 0
    inside = found[:, 1:-1, 1:-1]
    while True:
        steps = [found[:, 1 + y : 1 + y + size, 1 + x : 1 + x + size] for y, x in NEIGHBOURS]
        nearer = np.minimum(np.minimum.reduce(steps) + cost, inside)
        if np.array_equal(nearer, inside):
            return inside
        inside[:] = nearer


def through(own: Array, enemy: Array) -> Array:
    """Return the stones of the shortest connection from row 0 to the last row through each cell."""
    down = distances(own, enemy)
    up = distances(own[:, ::-1, ::-1], enemy[:, ::-1, ::-1])[:, ::-1, ::-1]
    # The cell itself is in both.
    return down + up - np.where(enemy > 0, FAR, 1.0 - own).astype(np.float32)


def network(planes: Array) -> tuple[Array, Array]:
    """Value Hex positions. The side to move always connects row 0 to the last row."""
    own, enemy = planes[:, 0], planes[:, 1]
    mine = through(own, enemy)
    # The enemy connects the columns.
    turned = through(enemy.transpose(0, 2, 1), own.transpose(0, 2, 1)).transpose(0, 2, 1)
    logits = -(mine + turned).reshape(len(planes), -1)
    # It is a stone ahead if both need the same: it is its turn.
    lead = turned.min(axis=(1, 2)) - mine.min(axis=(1, 2)) + 0.5
    values = 1 / (1 + np.exp(-lead.clip(-20, 20)))
    return logits, values


def main() -> None:
    """Play some games, half of them with each colour."""
    size, games = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (7, 20)
    with_network = tesuji.Player("gumbel(noise=off)+gumbel-tree+net@200", network=network)
    without = tesuji.Player("uct@200")
    wins = 0
    for game in range(games):
        position = tesuji.Position(f"hex:{size}")
        side = ("black", "white")[game % 2]
        while position.outcome() is None:
            player = with_network if position.to_move == side else without
            move = player.search(position, seed=game).move
            assert move is not None, "only a finished game has no move"
            position = position.play(move)
        wins += position.outcome() == side
    print(f"{with_network.spec} won {wins} games of {games} against {without.spec}")


if __name__ == "__main__":
    main()
