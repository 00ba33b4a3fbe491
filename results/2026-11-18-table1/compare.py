"""How far three readings of SHUSS Table 1 are from the published rates, chance taken off.

Usage: python3 compare.py PUBLISHED.csv STORE… > compare.md

For each game: the root of the mean of (measured − published)² less the variance that chance gives it, in points, with
one standard error; numbers of games differ between readings, so χ² cannot be compared and this can.
"""
import csv, re, sqlite3, sys

PUBLISHED, *STORES = sys.argv[1:]
WEIGHTS = ["0", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "inf"]
READINGS = ["ours", "alone", "entered"]
FIT = ["go:7", "hex:11", "noknightthrough:8", "ataxx:8"]
published = {}
for row in csv.DictReader(open(PUBLISHED)):
    for t in WEIGHTS:
        published[row["game"] + ":" + row["board"].split("x")[0], t] = float(row["t=" + t])
rates = {}
cells = "select game, player, count(*), sum(points) from games join cells using (experiment, cell) group by 1, 2"
for file in STORES:
    for game, player, games, points in sqlite3.connect(f"file:{file}?mode=ro", uri=True).execute(cells):
        match = re.fullmatch(r"shuss\(t=(\w+),score=amaf(,recall=0)?\)\+rave@10000", player)
        if match:
            reading = "entered" if "codes=to" in game else "alone" if match[2] else "ours"
            rates[game.split("(")[0], match[1], reading] = (games, 100 * points / games)


def distance(game, reading):
    """The sum of squared differences less chance, its variance, and the number of cells."""
    total = variance = n = 0
    for t in WEIGHTS:
        games, rate = rates.get((game, t, reading), (0, 0))
        if games < 20:
            continue
        paper = published[game, t]
        pooled = (games * rate + 500 * paper) / (games + 500)
        chance = pooled * (100 - pooled) * (1 / games + 1 / 500)
        total += (rate - paper) ** 2 - chance
        variance += 2 * chance**2 + 4 * chance * max((rate - paper) ** 2 - chance, 0)
        n += 1
    return total, variance, n


def shown(parts):
    if any(n == 0 for _, _, n in parts):
        return "–"
    total, variance, n = (sum(column) for column in zip(*parts))
    mean, error = total / n, variance**0.5 / n
    root = max(mean, 0) ** 0.5
    return f"{root:.1f} ± {error / (2 * max(root, error**0.5)):.1f}"


games = sorted({game for game, _ in published})
print("# Distance from the published rates\n")
print("Written by `compare.py`. Points, root mean square over the ten t', what chance explains taken off, ± one standard error;")
print("0 would be the authors' program. Games above the line chose between the readings, those below judge.\n")
print("| game | AMAF of all rounds | AMAF of the round alone | of all rounds, by the square entered |\n|---|--:|--:|--:|")
line = lambda name, chosen: print(f"| {name} | " + " | ".join(shown([distance(g, reading) for g in chosen]) for reading in READINGS) + " |")
for game in FIT:
    line(game, [game])
line("**these four**", FIT)
others = [game for game in games if game not in FIT and game != "noataxx:8"]
for game in others:
    line(game, [game])
line("**these eleven**", others)
line("without nohex:11", [game for game in others if game != "nohex:11"])
