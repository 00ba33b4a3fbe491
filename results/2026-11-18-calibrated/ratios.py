#!/usr/bin/env python3
"""Regret of calibrated SHUSS divided by the regret of the best constant t'.

usage: ratios.py LAB.json > ratios.md

LAB.json is the output of `tesuji run experiments/calibrated.toml --json`, or the compact copy of it in this folder.
"""

import json
import math
import sys

SMALL = 0.002  # Ratios to best regrets below this one are listed apart.
NEAR = 1.2
ADDED = 0.0005  # Added to both regrets where ratios to regrets near zero are counted after all.


def read(path):
    """Return {(arms, series): {group: (regret, standard error)}} in the order of the file."""
    table = {}
    with open(path, encoding="utf-8") as file:
        for panel in json.load(file)["panels"]:
            for cell in panel["cells"]:
                groups = table.setdefault((cell["arms"], cell["series"]), {})
                groups[cell["group"]] = (cell["regret"], cell["se"])
    return table


def useless(series):
    return series.startswith("useless")


def reference(table, arms, series):
    """Return the group and (regret, se) that a setting is compared with: its best constant, or plain halving."""
    if useless(series):
        return "0", table[arms, "useless"]["0"]
    constants = {t: cell for t, cell in table[arms, series].items() if t != "calibrated"}
    best = min(constants, key=lambda t: constants[t][0])
    return best, constants[best]


def ratio(a, b):
    """Return a / b and its standard error by the delta method, with a and b independent. `b` has to be above 0."""
    value = a[0] / b[0]
    return value, math.hypot(a[1] / b[0], value * b[1] / b[0])


def name(t):
    return {"inf": "∞", "calibrated": "calibrated"}.get(t, t)


def thousandths(cell):
    return f"{1000 * cell[0]:.2f} ± {1000 * cell[1]:.2f}"


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = read(sys.argv[1])
    arms_list = list(dict.fromkeys(arms for arms, _ in table))
    series_list = list(dict.fromkeys(series for _, series in table))
    groups = list(dict.fromkeys(t for cells in table.values() for t in cells))
    constants = [t for t in groups if t != "calibrated"]

    # Settings for the summary: (arms, series), split by how much the best constant leaves to lose.
    informative = [key for key in table if not useless(key[1])]
    counted = [key for key in informative if reference(table, *key)[1][0] >= SMALL]
    apart = [key for key in informative if key not in counted]
    noisy = [key for key in counted if key[1] != "noise 0.01"]
    without = [key for key in table if useless(key[1])]

    def of(t, keys, added=0.0):
        """Return [(ratio, standard error, setting)] of column t, with `added` in both regrets."""
        pairs = [(table[key][t], reference(table, *key)[1], key) for key in keys]
        return [(*ratio((a[0] + added, a[1]), (b[0] + added, b[1])), key) for a, b, key in pairs]

    def line(label, keys, added=0.0):
        rows = of("calibrated", keys, added)
        worst = max(rows)
        average_error = math.sqrt(sum(error**2 for _, error, _ in rows)) / len(rows)
        near = sum(value <= NEAR for value, _, _ in rows)
        return (
            f"| {label} | {len(rows)} | {mean(row[0] for row in rows):.3f} ± {average_error:.3f} | "
            f"{worst[0]:.2f} ± {worst[1]:.2f} ({worst[2][0]}, {worst[2][1]}) | {near} of {len(rows)} |"
        )

    print("# Ratios to the best constant\n")
    print("Written by `ratios.py lab.json`. A setting is a kind of arms with a kind of scores. Regrets are in thousandths, ± one")
    print("standard error. A ratio is the regret of calibrated SHUSS divided by the regret of the best of the 15 constants t' of")
    print("that setting; for useless scores, divided by the regret of plain halving (t' = 0 of the series `useless`).\n")
    print("## Summary\n")
    print(f"| settings | number | mean ratio | worst ratio | within {NEAR} |")
    print("|---|--:|--:|--:|--:|")
    print(line(f"best regret ≥ {SMALL}", counted))
    print(line("the same without noise 0.01", noisy))
    print(line("priors of noise 0.01 to 0.4 only", [key for key in counted if key[1].startswith("noise")]))
    print(line("priors, sharpening and uneven scores, no slopes", [key for key in counted if not key[1].startswith("slope")]))
    print(line(f"all but useless, {ADDED} added to both regrets", informative, ADDED))
    print(line(f"all but useless and noise 0.01, {ADDED} added", [key for key in informative if key[1] != "noise 0.01"], ADDED))
    print(line("useless scores, against plain halving", without))
    print("\nThe model does not see the unit of scores: with the slopes 0.1, 0.3 and 3 calibrated SHUSS does to the digit what it does with noise")
    print("0.05, so the slopes repeat one setting; only the constants differ. The best of 15 measured regrets is a little too low by chance.")
    print("\nMean ratio by kind of scores, over the kinds of arms that the summary counts:\n")
    print("| scores | settings | mean | worst |")
    print("|---|--:|--:|--:|")
    for series in series_list:
        rows = of("calibrated", [key for key in counted + without if key[1] == series])
        print(f"| {series} | {len(rows)} | {mean(row[0] for row in rows):.3f} | {max(rows)[0]:.2f} ({max(rows)[2][0]}) |")
    print("\nMean ratio by kind of arms:\n")
    print("| arms | settings | mean | worst | useless: mean |")
    print("|---|--:|--:|--:|--:|")
    for arms in arms_list:
        rows = of("calibrated", [key for key in counted if key[0] == arms])
        rest = of("calibrated", [key for key in without if key[0] == arms])
        measured = f"{mean(row[0] for row in rows):.3f} | {max(rows)[0]:.2f} ({max(rows)[2][1]})" if rows else "- | -"
        print(f"| {arms} | {len(rows)} | {measured} | {mean(row[0] for row in rest):.3f} |")

    print("\n## No constant is good everywhere\n")
    print(f"Each column of the experiment, in the {len(counted)} settings of the first line above and in the {len(without)} with useless scores.\n")
    print(f"| t' | within {NEAR} | mean ratio | worst ratio | useless: within {NEAR} | mean | worst |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for t in groups:
        rows, rest = of(t, counted), of(t, without)
        cells = [
            name(t),
            str(sum(row[0] <= NEAR for row in rows)),
            f"{mean(row[0] for row in rows):.2f}",
            f"{max(rows)[0]:.2f}",
            str(sum(row[0] <= NEAR for row in rest)),
            f"{mean(row[0] for row in rest):.2f}",
            f"{max(rest)[0]:.2f}",
        ]
        mark = "**" if t == "calibrated" else ""
        print("| " + " | ".join(mark + cell + mark for cell in cells) + " |")

    print(f"\n## Settings with a best regret below {SMALL}\n")
    print("Ratios of regrets near zero say nothing, so these are differences, in thousandths.\n")
    print("| arms | scores | best t' | its regret | calibrated | difference | plain |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for arms, series in apart:
        best, cell = reference(table, arms, series)
        own = table[arms, series]["calibrated"]
        difference = (own[0] - cell[0], math.hypot(own[1], cell[1]))
        print(
            f"| {arms} | {series} | {name(best)} | {thousandths(cell)} | {thousandths(own)} | {thousandths(difference)} | "
            f"{thousandths(table[arms, 'useless']['0'])} |"
        )

    print("\n## Every setting\n")
    print(f"Ratios in brackets: the best regret is below {SMALL}.")
    for arms in arms_list:
        print(f"\n### {arms}\n")
        print("| scores | best t' | its regret | calibrated | ratio | plain |")
        print("|---|--:|--:|--:|--:|--:|")
        for series in series_list:
            best, cell = reference(table, arms, series)
            own = table[arms, series]["calibrated"]
            text = "-"
            if cell[0] > 0:
                value, error = ratio(own, cell)
                text = f"{value:.2f} ± {error:.2f}"
            if (arms, series) in apart:
                text = f"({text})"
            print(
                f"| {series} | {name(best)} | {thousandths(cell)} | {thousandths(own)} | {text} | "
                f"{thousandths(table[arms, 'useless']['0'])} |"
            )


if __name__ == "__main__":
    main()
