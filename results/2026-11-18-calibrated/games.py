#!/usr/bin/env python3
"""Win rates of Hybrid-SHUSS against RAVE: constants t' and calibrated.

usage: games.py PUBLISHED.csv STORE... > games.md

PUBLISHED.csv is experiments/published/shuss_table1.csv. Each STORE is a store of `tesuji run`; games that several stores
contain count once.
"""

import csv
import math
import re
import sqlite3
import sys

GAMES = [
    "atarigo:7", "atarigo:9", "ataxx:8", "breakthrough:8", "domineering:8", "go:7", "go:9", "hex:11", "knightthrough:8",
    "noataxx:8", "nobreakthrough:8", "nodomineering:8", "nogo:7", "nogo:9", "nohex:11", "noknightthrough:8",
]
CONSTANTS = ["0", "256", "1024", "4096", "inf"]
PLAYERS = {f"shuss(t={t},score=amaf)+rave": t for t in CONSTANTS}
PLAYERS["shuss(score=amaf)+rave"] = "calibrated"
PLAYERS["shuss(negligible=0,score=amaf)+rave"] = "no early cuts"
COLUMNS = CONSTANTS + ["calibrated", "no early cuts"]
CELL = re.compile(r"^(\w+:\d+)(?:\(cap=2000\))?: (.*)@10000 against rave@10000$")
FEW = 50  # Cells with fewer games are shown, not counted.


def key(cell):
    """Return (game, column) of a cell, or None if the table has no place for it."""
    found = CELL.match(cell)
    if found is None or found[2] not in PLAYERS:
        return None
    return found[1], PLAYERS[found[2]]


def load(paths):
    """Return {(game, column): {index: points}} and {(game, column): number of paused games}."""
    games, paused = {}, {}
    for path in paths:
        store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        for experiment, cell, index, points in store.execute("SELECT experiment, cell, game_index, points FROM games"):
            if key(cell):
                mine = games.setdefault(key(cell), {})
                if mine.setdefault(index, points) != points:
                    sys.exit(f"{path}: game {index} of {cell} ended differently in another store")
        for cell, index in store.execute("SELECT cell, game_index FROM paused"):
            if key(cell):
                paused.setdefault(key(cell), set()).add(index)
        store.close()
    left = {cell: len(indices - games.get(cell, {}).keys()) for cell, indices in paused.items()}
    return games, {cell: number for cell, number in left.items() if number}


def wilson(points, games):
    z = 1.959964
    share = points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def name(column):
    return {"inf": "∞"}.get(column, column)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    published = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(file):
            published[f"{row['game']}:{row['board'].split('x')[0]}"] = row
    games, paused = load(sys.argv[2:])

    rates, marked = {}, set()
    for cell, ended in games.items():
        rates[cell] = 100 * sum(ended.values()) / len(ended)
        # Rates of unfinished cells favour short games.
        if len(ended) < FEW or cell in paused:
            marked.add(cell)

    def sound(cell):
        return cell in rates and cell not in marked

    print("# Win rates against RAVE\n")
    print("Written by `games.py`. Win rate of Hybrid-SHUSS in % at 10,000 samples a move for both sides, the 95 % Wilson interval and the")
    print("number of games. `calibrated` is `shuss(score=amaf)+rave`; `no early cuts` is `shuss(negligible=0,score=amaf)+rave`.")
    print("Second line of a cell: the published rate of that t' (500 games). Cells with * are unfinished or have fewer than")
    print(f"{FEW} games; they are not counted. The best constant of a game is in bold.\n")
    print("| game | " + " | ".join(("t' = " if column == "0" else "") + name(column) for column in COLUMNS) + " |")
    print("|---" + "|--:" * len(COLUMNS) + "|")
    best = {}
    for game in GAMES:
        if all(len(games.get((game, t), ())) >= FEW for t in CONSTANTS):
            best[game] = max(CONSTANTS, key=lambda t: rates[game, t])
        cells = []
        for column in COLUMNS:
            cell = game, column
            text = "-"
            if cell in rates:
                number = len(games[cell])
                low, high = wilson(sum(games[cell].values()), number)
                text = f"{rates[cell]:.1f}"
                if game in best and column in CONSTANTS and rates[cell] == rates[game, best[game]]:
                    text = f"**{text}**"
                text += f" [{100 * low:.0f}, {100 * high:.0f}] {number}" + ("*" if cell in marked else "")
            if f"t={column}" in published[game]:
                text += f"<br>{float(published[game]['t=' + column]):.1f}"
            cells.append(text)
        print(f"| {game} | " + " | ".join(cells) + " |")

    print("\n## Counts\n")
    print("Games in which a column wins more than 50 %, and in which it wins more than another column. Differences of a few points")
    print("are chance: the interval of 200 games is ± 7 points.\n")
    for column in ("calibrated", "no early cuts"):
        have = [game for game in GAMES if sound((game, column))]
        above = [game for game in have if rates[game, column] > 50]
        print(f"### {column}: {len(have)} games\n")
        print(f"- above 50 %: {len(above)} ({', '.join(above)})")
        sure = [game for game in have if wilson(sum(games[game, column].values()), len(games[game, column]))[0] > 0.5]
        worse = [game for game in have if wilson(sum(games[game, column].values()), len(games[game, column]))[1] < 0.5]
        print(f"- whole interval above 50 %: {len(sure)} ({', '.join(sure) or '-'}); below: {len(worse)} ({', '.join(worse) or '-'})")
        for t in CONSTANTS:
            both = [game for game in have if sound((game, t))]
            won = sum(rates[game, column] > rates[game, t] for game in both)
            equal = sum(rates[game, column] == rates[game, t] for game in both)
            print(f"- above t' = {name(t)}: {won} of {len(both)}" + (f", {equal} equal" if equal else ""))
        both = [game for game in have if game in best]
        won = [game for game in both if rates[game, column] > rates[game, best[game]]]
        print(f"- above the best constant of the game: {len(won)} of {len(both)} ({', '.join(won)})")
        lost = [f"{game} {rates[game, column] - rates[game, best[game]]:+.1f}" for game in both if rates[game, column] < rates[game, best[game]]]
        print(f"- below it: {len(lost)} ({', '.join(lost)})\n")

    print("## Averages\n")
    print("Averages over games, each game with equal weight, ± one standard error from the numbers of games.\n")
    sets = {
        "all constants and no early cuts": [g for g in GAMES if all(sound((g, c)) for c in CONSTANTS + ["no early cuts"])],
        "all columns": [g for g in GAMES if all(sound((g, c)) for c in COLUMNS)],
    }
    print("| games that have | number | " + " | ".join(name(column) for column in COLUMNS) + " | best of each game |")
    print("|---|--:" + "|--:" * (len(COLUMNS) + 1) + "|")
    for label, members in sets.items():
        cells = []
        for column in COLUMNS:
            if not all(sound((game, column)) for game in members):
                cells.append("-")
                continue
            average = sum(rates[game, column] for game in members) / len(members)
            variance = sum(rates[g, column] * (100 - rates[g, column]) / len(games[g, column]) for g in members)
            cells.append(f"{average:.1f} ± {math.sqrt(variance) / len(members):.1f}")
        top = sum(rates[game, best[game]] for game in members) / len(members)
        print(f"| {label} | {len(members)} | " + " | ".join(cells) + f" | {top:.1f} |")
    members = sets["all columns"]
    averages = {t: sum(rates[game, t] for game in members) / len(members) for t in CONSTANTS}
    column = max(averages, key=averages.get)
    won = [game for game in members if rates[game, "calibrated"] > rates[game, column]]
    print(f"\nThe best constant on average is t' = {name(column)}. Calibrated is above it in {len(won)} of {len(members)} games.")
    print("\nThe best of each game is the highest of five measured rates, so chance lifts it by a few points.")
    if paused:
        print("\nGames still open: " + "; ".join(f"{g}, {name(c)}: {n}" for (g, c), n in sorted(paused.items())) + ".")


if __name__ == "__main__":
    main()
