"""Turn games.csv and bandits.jsonl into tables, and into the numbers of the figure.

    python3 table.py > tables.md      # also writes points.csv
"""

import collections
import csv
import json
import math

LEVELS = ["80%", "90%", "95%", "99%"]


def wilson(right, n):
    if n == 0:
        return 0.0, 1.0
    z, rate = 1.959964, right / n
    centre, half = rate + z * z / (2 * n), z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


points = [["panel", "series", "x", "y", "low", "high"]]


def add(panel, series, x, right, n):
    low, high = wilson(right, n)
    points.append([panel, series, x, 100 * right / n, 100 * low, 100 * high])


def percent(right, n):
    if n == 0:
        return "–"
    low, high = wilson(right, n)
    return f"{100 * right / n:.1f} ({100 * low:.1f} to {100 * high:.1f})"


rows = list(csv.DictReader(open("games.csv")))
settings = list(dict.fromkeys((row["game"], row["player"], row["budget"], row["truth"]) for row in rows))
print("| game | player | budget | truth | positions | level | stopped, % | right of them, % | samples spent, % |")
print("|---|---|---|---|---|---|---|---|---|")
for setting in settings:
    game, player, budget, truth = setting
    here = [row for row in rows if (row["game"], row["player"], row["budget"], row["truth"]) == setting]
    positions = len({row["position"] for row in here})
    base = [row for row in here if row["level"] == "" and row["right"] != ""]
    for level in LEVELS:
        stopped = [row for row in here if row["level"] == level and row["stopped"] == "1"]
        judged = [row for row in stopped if row["right"] != ""]
        right = sum(row["right"] == "1" for row in judged)
        spent = sum(int(row["spent"]) for row in stopped) + (positions - len(stopped)) * int(budget)
        print(f"| {game} | {player} | {budget} | {truth} | {positions} | {level} | {100 * len(stopped) / positions:.1f} "
              f"| {percent(right, len(judged))} | {100 * spent / positions / int(budget):.0f} |")
        if len(judged) >= 20:
            kind = "solved boards" if truth == "solver" else "larger searches"
            add(kind, f"{game} {player}", float(level[:-1]), right, len(judged))
    right = sum(row["right"] == "1" for row in base)
    print(f"| {game} | {player} | {budget} | {truth} | {positions} | whole budget | | {percent(right, len(base))} | 100 |")

print("\nConfidence at the end of the whole budget (ε = 0), all games together:\n")
print("| stated | positions | right, % |\n|---|---|---|")
bins = collections.defaultdict(list)
for row in rows:
    if row["level"] == "" and row["right"] != "" and row["confidence"]:
        bins[(row["truth"] == "solver", min(int(float(row["confidence"]) * 10), 9))].append(row["right"] == "1")
for (solved, place), these in sorted(bins.items()):
    kind = "solved" if solved else "larger search"
    print(f"| {kind}: {10 * place} to {10 * place + 10} % | {len(these)} | {percent(sum(these), len(these))} |")

print("\nBandits: the worst cells of each level\n")
print("| level | ε | cells | stopped, % | right of them, % | samples spent, % | the worst cell with 50 stops or more |")
print("|---|---|---|---|---|---|---|")
cells = collections.defaultdict(list)
for line in open("bandits.jsonl"):
    answer = json.loads(line)
    cells[(answer["level"], answer["within"])] += answer["cells"]
for (level, within), these in cells.items():
    stopped, right = sum(cell["stopped"] for cell in these), sum(cell["right"] for cell in these)
    runs = sum(cell["runs"] for cell in these)
    spent = sum(cell["spent"] / cell["budget"] for cell in these) / len(these)
    many = [cell for cell in these if cell["stopped"] >= 50]
    worst = min(many, key=lambda cell: cell["right"] / cell["stopped"])
    name = f"{worst['arms']} {worst['policy']}: {worst['right']} of {worst['stopped']}"
    print(f"| {level} | {within} | {len(these)} | {100 * stopped / runs:.1f} | {percent(right, stopped)} | {100 * spent:.0f} | {name} |")
    add("bandits", f"all cells (ε = {within})", float(level[:-1]), right, stopped)
    add("bandits", f"worst cell (ε = {within})", float(level[:-1]), worst["right"], worst["stopped"])
with open("points.csv", "w") as file:
    csv.writer(file).writerows(points)
