#!/usr/bin/env python3
"""Win rates against RAVE of variants of calibrated SHUSS, by build.

usage: variants.py STORE... > variants.md
"""

import math
import sqlite3
import sys

from games import CELL


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cells, opened = {}, set()
    for path in sys.argv[1:]:
        store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        query = "SELECT cell, build, game_index, points FROM games JOIN plays USING (experiment, cell, game_index)"
        paused = {cell for (cell,) in store.execute("SELECT DISTINCT cell FROM paused")}
        for cell, build, index, points in store.execute(query):
            found = CELL.match(cell)
            if found is None or "(t=" in cell:
                continue
            words = build.split()
            variant = f"{words[2]}, {words[4][:8]}", found[2]
            cells.setdefault(variant, {}).setdefault(found[1], {})[index] = points
            if cell in paused:
                opened.add((variant, found[1]))
        store.close()
    done = {
        variant: {game: ended for game, ended in games.items() if (variant, game) not in opened and len(ended) == 200}
        for variant, games in cells.items()
    }
    shared = sorted(set.intersection(*(set(games) for games in done.values())))
    print("# Variants\n")
    print("Written by `variants.py`. Win rates against RAVE in %, 200 games a cell, 10,000 samples a move; only finished cells. Builds are named by")
    print("commit and digest of the sources: the same options mean different grids and defaults in different builds.")
    print(f"The mean is over the {len(shared)} games that all variants have, ± one standard error.\n")
    print("| build | player | " + " | ".join(shared) + " | mean |")
    print("|---|---|" + "--:|" * (len(shared) + 1))
    for (build, player), games in sorted(done.items()):
        rates = [100 * sum(games[game].values()) / len(games[game]) for game in shared]
        error = math.sqrt(sum(rate * (100 - rate) / len(games[game]) for rate, game in zip(rates, shared))) / len(shared)
        mean = sum(rates) / len(shared)
        print(f"| {build} | `{player}` | " + " | ".join(f"{rate:.1f}" for rate in rates) + f" | {mean:.1f} ± {error:.1f} |")


if __name__ == "__main__":
    main()
