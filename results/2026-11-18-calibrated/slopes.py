#!/usr/bin/env python3
"""What calibrated searches learn about the AMAF scores of each game.

usage: slopes.py TESUJI STORE... > slopes.md

TESUJI is the program. Searches the start and 25 positions of stored games of each game with 10,000 samples, and averages the
reported calibrations of the first, the middle and the last round.
"""

import json
import math
import sqlite3
import subprocess
import sys

from games import CONSTANTS, FEW, GAMES, key, load, name

PLAYER = "shuss(score=amaf)+rave"
SHARES = 5 * [0.1, 0.2, 0.35, 0.5, 0.65]  # The positions: these shares of the moves of games that were stored.
FIELDS = ["slope", "residual_variance", "spread", "correlation", "samples"]


def positions(paths):
    """Return {game: (as the cells write it, [moves])}: the start, and one position of each of 25 games."""
    found = {}
    for path in paths:
        store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows = store.execute("SELECT cell, moves FROM games WHERE game_index < 8 ORDER BY cell, game_index")
        for cell, moves in rows:
            if key(cell):
                text = cell.split(": ")[0]
                found.setdefault(key(cell)[0], (text, []))[1].append(moves.split())
        store.close()
    result = {}
    for game, (text, lines) in found.items():
        step = max(1, len(lines) // len(SHARES))
        chosen = [lines[min(i * step, len(lines) - 1)] for i in range(len(SHARES))]
        result[game] = text, [[]] + [moves[: int(share * len(moves))] for share, moves in zip(SHARES, chosen)]
    return result


def search(program, game, moves):
    """Return (number of arms, [calibration and samples of an arm that was never cut, for each round]) of one search."""
    command = [program, "search", game, "--player", PLAYER, "--budget", "10000", "-j", "1", "--json", "--moves", " ".join(moves)]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        print(f"{game} after {len(moves)} moves: {answer.stderr.strip()}", file=sys.stderr)
        return None
    report = json.loads(answer.stdout)["report"]
    rounds, samples = [], 0
    for played in report["rounds"]:
        samples += played["samples_each"]
        if played.get("calibration"):
            rounds.append(played["calibration"] | {"samples": samples})
    return len(report["arms"]), rounds


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    stored, _ = load(sys.argv[2:])
    rates = {cell: 100 * sum(ended.values()) / len(ended) for cell, ended in stored.items() if len(ended) >= FEW}
    places = positions(sys.argv[2:])

    print("# What the searches learn about AMAF\n")
    print(f"Written by `slopes.py`. {1 + len(SHARES)} positions of each game: the start, and positions after 10 to 65 % of the moves of stored games. One search")
    print(f"of `{PLAYER}` with 10,000 samples each, seed 1. Means over positions of the calibration of the first, the middle and the last")
    print("round.\n")
    print("- Slope: value for each unit of score.")
    print("- τ: square root of the mean residual variance, that is, what the score leaves unknown of a value.")
    print("- Spread: standard deviation of the values of the moves. Correlation: of scores and values.")
    print("- t': the constant that would rank alike, a geometric mean over positions.")
    print("- n: samples so far of a move that was never cut. Share: t'/(t' + n), the weight of the score in the ranking, a mean over positions.")
    print("- Best constant and calibrated: win rates against RAVE from games.md; - if there are fewer than 50 games.\n")
    print("| game | moves | round | slope | τ | spread | correlation | t' | n | share | best constant | calibrated |")
    print("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for game in GAMES:
        if game not in places:
            continue
        text, lines = places[game]
        found = [answer for answer in (search(sys.argv[1], text, moves) for moves in lines) if answer and answer[1]]
        if not found:
            continue
        arms = sum(number for number, _ in found) / len(found)
        best = max((t for t in CONSTANTS if (game, t) in rates), key=lambda t: rates[game, t], default=None)
        own = next((c for c in ("calibrated", "no early cuts") if (game, c) in rates), None)
        for label, pick in (("first", lambda n: 0), ("middle", lambda n: n // 2), ("last", lambda n: n - 1)):
            picked = [rounds[pick(len(rounds))] for _, rounds in found]
            mean = {field: sum(c[field] for c in picked) / len(picked) for field in FIELDS}
            weights = [c["weight"] for c in picked if 0 < c["weight"] < math.inf]
            weight = math.exp(sum(map(math.log, weights)) / len(weights)) if weights else 0
            row = [
                f"{game} ({len(found)})" if label == "first" else "",
                f"{arms:.0f}" if label == "first" else "",
                label,
                f"{mean['slope']:.2f}",
                f"{math.sqrt(mean['residual_variance']):.3f}",
                f"{mean['spread']:.3f}",
                f"{mean['correlation']:.2f}",
                f"{weight:.0f}",
                f"{mean['samples']:.0f}",
                f"{sum(c['weight'] / (c['weight'] + c['samples']) for c in picked) / len(picked):.2f}",
                ("-" if best is None else f"{name(best)}: {rates[game, best]:.1f}") if label == "first" else "",
                "" if label != "first" else "-" if own is None else f"{rates[game, own]:.1f}" + ("" if own == "calibrated" else " (no early cuts)"),
            ]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
