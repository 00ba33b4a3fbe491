"""Prints the comparison of roots as tables: `tesuji show networks.db --json | python3 table.py`."""

import json
import math
import sys

BUDGETS = ["2", "4", "8", "16", "32", "64", "200"]


def cells(node):
    """Yield every cell of the JSON."""
    if isinstance(node, dict):
        if "row" in node and "column" in node:
            yield node
        for value in node.values():
            yield from cells(value)
    elif isinstance(node, list):
        for value in node:
            yield from cells(value)


def error(cell):
    """The standard error of a rate, in points, with two games of each result added."""
    n = sum(cell["count"].values())
    rate = (cell["rate"] * n + 2) / (n + 4)
    return 100 * math.sqrt(rate * (1 - rate) / (n + 4))


def main():
    """Print a table for each game and opponent."""
    tables = {}
    for cell in cells(json.load(sys.stdin)):
        if not sum(cell["count"].values()):
            continue
        opponent = "Gumbel" if cell["opponent"].startswith("gumbel") else "PUCT"
        rows = tables.setdefault((cell["panel"], opponent), {})
        rows.setdefault(cell["row"], {})[cell["column"]] = cell
    for (game, opponent), rows in tables.items():
        print(f"### {game}, against {opponent}\n")
        print("| player | " + " | ".join(BUDGETS) + " |")
        print("|---|" + "--:|" * len(BUDGETS))
        for row, columns in rows.items():
            texts = []
            for budget in BUDGETS:
                cell = columns.get(budget)
                texts.append(f"{100 * cell['rate']:.1f} ± {error(cell):.1f}" if cell else "")
            print(f"| {row} | " + " | ".join(texts) + " |")
        counts = [
            {sum(columns[budget]["count"].values()) for columns in rows.values() if budget in columns}
            for budget in BUDGETS
        ]
        texts = [f"{min(n)} to {max(n)}" if len(n) > 1 else f"{min(n)}" if n else "" for n in counts]
        print("| *games* | " + " | ".join(texts) + " |\n")


if __name__ == "__main__":
    main()
