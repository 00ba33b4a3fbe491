"""Self-play in Python: many games side by side, whose searches share the batches of a network.

Every ply is one call of `search_all` with the positions of all games that go on. The network is asked
about many positions at a time, which is what a GPU needs. What it should learn is recorded: the planes
of each position, the improved policy of its search, and the reward of the side to move. The network of
this example has random weights and needs only numpy; a training step would go after the games.

    python self_play.py [GAMES BUDGET]
"""

import sys

import numpy as np
from numpy.typing import NDArray

import tesuji

Array = NDArray[np.float32]

SIZE = 5
START = tesuji.Position(f"hex:{SIZE}")


class Network:
    """Two layers with random weights. It counts its batches."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        inputs, hidden, n_logits = 3 * SIZE * SIZE, 64, SIZE * SIZE
        self.first = rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32)
        self.last = rng.normal(0, hidden**-0.5, (hidden, n_logits + 1)).astype(np.float32)
        self.sizes: list[int] = []

    def __call__(self, planes: Array) -> tuple[Array, Array]:
        """Return the logits of the moves and the values of the positions."""
        self.sizes.append(len(planes))
        out = np.maximum(planes.reshape(len(planes), -1) @ self.first, 0) @ self.last
        return out[:, :-1], 1 / (1 + np.exp(-out[:, -1]))


def self_play(player: tesuji.Player, n_games: int) -> list[tuple[Array, Array, float]]:
    """Play the games; return planes, policy and reward of all their positions."""
    games = [START] * n_games
    seen: list[list[tuple[str, Array, Array]]] = [[] for _ in games]
    ply = 0
    while unfinished := [game for game, position in enumerate(games) if position.outcome() is None]:
        # With one seed for all, the games would be copies of one another.
        seeds = [ply * n_games + game for game in unfinished]
        decisions = player.search_all([games[game] for game in unfinished], seeds=seeds)
        for game, decision in zip(unfinished, decisions, strict=True):
            position = games[game]
            assert decision.policy is not None and decision.move is not None
            policy = np.zeros(SIZE * SIZE, np.float32)
            policy[position.search_logits()] = decision.policy
            seen[game].append((position.to_move, position.network_planes(), policy))
            games[game] = position.play(decision.move)
        ply += 1
    return [
        (planes, policy, float(side == position.outcome()))
        for position, records in zip(games, seen, strict=True)
        for side, planes, policy in records
    ]


def main() -> None:
    """Play, and report what there is to learn from."""
    n_games, budget = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (128, 32)
    network = Network()
    records = self_play(tesuji.Player("gumbel+gumbel-tree+net", budget, network=network), n_games)
    print(f"{n_games} games, {len(records)} positions to learn from")
    print(f"{np.mean(network.sizes):.1f} positions a batch, {max(network.sizes)} at most")


if __name__ == "__main__":
    main()
