#!/usr/bin/env python3
"""Draw ratios to the best constant t' over the kinds of scores: calibrated SHUSS against five constants.

usage: figure.py LAB.json OUT.svg

Settings with a best regret below 0.002 are left out, as in the summary of ratios.md.
"""

import math
import sys

from ratios import SMALL, mean, name, ratio, read, reference, useless

CONSTANTS = ["0", "24", "94", "376", "1500"]
LOW, HIGH = 0.4, 8.0
TICKS = [0.5, 1, 1.2, 2, 4, 8]
LEFT, RIGHT, TOP, BOTTOM = 124, 846, 82, 440
WIDTH, HEIGHT = 960, 550
STYLE = """
svg { --paper: #ffffff; --ink: #1f2328; --faint: #6b7280; --rule: #e3e6ea; --own: #c2410c;
  --c0: #8a94a3; --c1: #3aa3a0; --c2: #2f7fc1; --c3: #5b5bd0; --c4: #8b3fb5; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0f1419; --ink: #e6e8eb; --faint: #9aa3ad; --rule: #2a313a; --own: #ff8a4c;
    --c0: #8d97a5; --c1: #4fc3bf; --c2: #62a8ea; --c3: #9696ff; --c4: #c98bea; }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.faint { fill: var(--faint); }
.small { font-size: 12px; }
.title { font-size: 16px; font-weight: 600; }
"""


def y(value):
    share = math.log(value / LOW) / math.log(HIGH / LOW)
    return BOTTOM - share * (BOTTOM - TOP)


def spread(labels, gap=15):
    """Move the labels, [position, text, colour], apart so that none touches the next one."""
    labels.sort()
    for _ in range(200):
        for upper, lower in zip(labels, labels[1:]):
            short = gap - (lower[0] - upper[0])
            if short > 0:
                upper[0] -= short / 2
                lower[0] += short / 2
    return labels


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    table = read(sys.argv[1])
    arms_list = list(dict.fromkeys(arms for arms, _ in table))
    series_list = list(dict.fromkeys(series for _, series in table))

    # One group for each first word of the names; lines are not drawn from one group to the next.
    kinds, x, at = {}, {}, 0.0
    for series in series_list:
        kind = series.split()[0].rstrip(",")
        if kind not in kinds and kinds:
            at += 0.75
        kinds.setdefault(kind, []).append(series)
        x[series] = at
        at += 1
    scale = (RIGHT - LEFT) / (at - 1)
    x = {series: LEFT + value * scale for series, value in x.items()}

    ratios = {}
    for t in CONSTANTS + ["calibrated"]:
        for arms, series in table:
            best = reference(table, arms, series)[1]
            if useless(series) or best[0] >= SMALL:
                ratios.setdefault((t, series), []).append((ratio(table[arms, series][t], best)[0], arms))
    means = {key: mean(value for value, _ in rows) for key, rows in ratios.items()}

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="Ratios of regret to the best constant">',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper)"/>',
        '<text class="title" x="24" y="26">Calibrated SHUSS and constant weights t\', on scores of all kinds</text>',
        '<text class="faint" x="24" y="46">Regret divided by that of the best constant of each setting; for useless scores, by that of '
        "plain halving.</text>",
        '<text class="faint" x="24" y="64">Lines: means over the kinds of arms. Dots: calibrated, one for each kind of arms.</text>',
    ]
    for tick in TICKS:
        strong = tick in (1, 1.2)
        dash = ' stroke-dasharray="5 4"' if tick == 1.2 else ""
        colour = "var(--faint)" if strong else "var(--rule)"
        out.append(f'<line x1="{LEFT - 14}" x2="{RIGHT + 14}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="{colour}"{dash}/>')
        shift = {1: 7, 1.2: 1}.get(tick, 4)
        out.append(f'<text class="faint small" x="42" y="{y(tick) + shift:.1f}" text-anchor="end">{tick}</text>')

    lines = [(t, f"var(--c{i})", 1.6) for i, t in enumerate(CONSTANTS)] + [("calibrated", "var(--own)", 4)]
    for t, colour, thick in lines:
        if t == "calibrated":
            for series in series_list:
                for value, arms in ratios[t, series]:
                    shift = (arms_list.index(arms) - (len(arms_list) - 1) / 2) * 2.4
                    out.append(
                        f'<circle cx="{x[series] + shift:.1f}" cy="{y(value):.1f}" r="2.4" fill="{colour}" fill-opacity="0.5">'
                        f"<title>{arms}, {series}: {value:.2f}</title></circle>"
                    )
        for members in kinds.values():
            points = " ".join(f"{x[series]:.1f},{y(min(means[t, series], HIGH)):.1f}" for series in members)
            out.append(
                f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{thick}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )

    for side, series in ((-1, series_list[0]), (1, series_list[-1])):
        labels = [
            [y(min(means[t, series], HIGH)), "calibrated" if t == "calibrated" else f"t' = {name(t)}", colour]
            for t, colour, _ in lines
        ]
        for place, text, colour in spread(labels):
            weight = "; font-weight: 600" if text == "calibrated" else ""
            if side < 0 and text == "calibrated":
                continue  # The right end names it.
            out.append(
                f'<text class="small" x="{x[series] + side * 19:.1f}" y="{place + 4:.1f}" style="fill: {colour}{weight}" '
                f'text-anchor="{"end" if side < 0 else "start"}">{text}</text>'
            )

    for kind, members in kinds.items():
        middle = (x[members[0]] + x[members[-1]]) / 2
        for series in members:
            text = series.replace("useless, ", "").replace(kind, "", 1).lstrip(", ") or "prior"
            out.append(f'<text class="small" x="{x[series]:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{text.replace("rate ", "")}</text>')
        label = {"sharpening": "sharpening, rate", "uneven": "uneven, rate", "useless": "useless, rate"}.get(kind, kind)
        out.append(f'<text x="{middle:.1f}" y="{BOTTOM + 42}" text-anchor="middle" style="font-weight: 600">{label}</text>')
    missing = {series: len(arms_list) - len(ratios["calibrated", series]) for series in series_list}
    number = sum(missing.values())
    most = max(missing, key=missing.get)
    out.append(
        f'<text class="faint small" x="24" y="{HEIGHT - 38}">Settings with a best regret below {SMALL} are left out '
        f"({number} of {len(table)}; {missing[most]} of them at {most}).</text>"
    )
    out.append(f'<text class="faint small" x="24" y="{HEIGHT - 20}">10,000 runs a setting, 2,048 samples a run.</text>')
    out.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
