"""Draws the training of the networks: `python3 curves.py > training-curves.svg`, in this folder."""

import csv
import os

NETWORKS = [("Hex 7x7", "hex-7"), ("Breakthrough 8x8", "breakthrough-8"), ("Go 7x7", "go-7")]
LOSSES = [("policy", "loss of the policy"), ("value", "loss of the value")]
COLOURS = {"train": "#9a6a1c", "held out": "#1f5fa8"}
WIDTH, HEIGHT, LEFT, GAP = 250, 150, 62, 62
STYLE = """
.curves { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; max-width: 100%; height: auto; }
.curves text { fill: #1d2125; font-size: 12.5px; }
.curves .title { font-size: 18px; font-weight: 600; }
.curves .panel { font-size: 14px; font-weight: 600; }
.curves .tick { font-size: 11.5px; fill: #5c666f; }
"""


def read(name):
    """Return the curve of a network's final training, without its first line, which is far above the rest."""
    with open(os.path.join("training", name, "final.curve.csv"), encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)][1:]


def steps(low, high):
    """Return three or four round numbers between two."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2) if (high - low) / step < 4.5)
    first = int(low / step)
    return [n * step for n in range(first, first + 8) if low - 1e-9 <= n * step <= high + 1e-9]


def panel(rows, loss, x, y):
    """Return a plot of a loss, on the games trained with and on those held out."""
    series = {"train": "train_" + loss, "held out": loss}
    values = [row[key] for row in rows for key in series.values()]
    low, high = min(values), max(values)
    margin = 0.08 * (high - low)
    low, high, last = low - margin, high + margin, rows[-1]["epoch"]
    across = lambda epoch: x + WIDTH * epoch / last
    up = lambda value: y + HEIGHT * (high - value) / (high - low)
    out = []
    for value in steps(low, high):
        out.append(f'<path d="M{x} {up(value):.1f}h{WIDTH}" stroke="#e4e7e3"/>')
        out.append(f'<text class="tick" x="{x - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    for epoch in range(0, round(last) + 1, 2):
        out.append(f'<text class="tick" x="{across(epoch):.1f}" y="{y + HEIGHT + 16}" text-anchor="middle">{epoch}</text>')
    for name, key in series.items():
        points = " ".join(f"{across(row['epoch']):.1f},{up(row[key]):.1f}" for row in rows)
        dashes = ' stroke-dasharray="5 3"' if name == "train" else ""
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dashes}/>')
    return out


def main():
    """Print the figure."""
    networks = [(title, read(name)) for title, name in NETWORKS]
    width = LEFT + len(networks) * (WIDTH + GAP)
    height = 84 + len(LOSSES) * (HEIGHT + 44)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" class="curves" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
    print("<title>The final training of three networks</title>")
    print("<desc>Losses of the policy and the value by epoch, on the games trained with and on games held out.</desc>")
    print(f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fcfcfa"/>')
    print('<text class="title" x="16" y="28">The final training of three networks</text>')
    for index, (name, colour) in enumerate(COLOURS.items()):
        at = 400 + 130 * index
        dashes = ' stroke-dasharray="5 3"' if name == "train" else ""
        print(f'<path d="M{at} 23h24" stroke="{colour}" stroke-width="2"{dashes}/><text x="{at + 30}" y="27">{name}</text>')
    for column, (title, rows) in enumerate(networks):
        x = LEFT + column * (WIDTH + GAP)
        print(f'<text class="panel" x="{x}" y="56">{title}</text>')
        for row, (loss, words) in enumerate(LOSSES):
            y = 82 + row * (HEIGHT + 44)
            print(f'<text class="tick" x="{x}" y="{y - 8}">{words}</text>')
            print("\n".join(panel(rows, loss, x, y)))
        print(f'<text class="tick" x="{x + WIDTH}" y="{height - 10}" text-anchor="end">epochs</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
