"""Measure how often searches that stop when sure are right: positions of games, through `tesuji analyze`.

For each position (after some random moves) it asks for
- searches with `until` at each level,
- one search with many more samples, or the exact value of every move on solved boards.

    python3 games.py TESUJI [POSITIONS [SETTINGS TO SKIP]] > games.csv
"""

import csv
import json
import random
import subprocess
import sys

LEVELS = ["80%", "90%", "95%", "99%"]
# game, random moves before, player, budget, epsilon, the truth: samples of the large search, or a solver's
SETTINGS = [
    ("hex:4", (1, 6), "sh+uct", 10_000, 0.05, "solver"),
    ("domineering:5", (1, 5), "sh+uct", 10_000, 0.05, "solver"),
    ("domineering:5", (1, 5), "flat(sh)", 10_000, 0.05, "solver"),
    ("hex:5", (9, 14), "sh+uct", 10_000, 0.05, "solver"),
    ("hex:5", (9, 14), "uct", 10_000, 0.05, "solver"),
    ("hex:7", (2, 10), "sh+uct", 5_000, 0.05, 150_000),
    ("breakthrough", (2, 20), "sh+uct", 3_000, 0.05, 90_000),
    ("go:7", (2, 12), "sh+uct", 3_000, 0.05, 90_000),
    ("hex:7", (2, 10), "flat(sh)", 5_000, 0.05, 150_000),
    ("breakthrough", (2, 20), "flat(sh)", 3_000, 0.05, 90_000),
]


class Engine:
    """`tesuji analyze` as a function from queries to reports."""

    def __init__(self, program):
        command = [program, "analyze", "-j", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **query):
        self.process.stdin.write(json.dumps({"id": "q", **query}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "report" not in answer:
            raise SystemExit(f"{query}: {answer}")
        return answer


def opening(engine, game, plies, luck):
    """Some random moves, after which the game goes on and there is a choice."""
    while True:
        moves = []
        for _ in range(luck.randint(*plies)):
            report = engine.ask(game=game, moves=moves, player="flat(uniform)", budget=200)["report"]
            if not report["arms"]:
                break
            moves.append(luck.choice(report["arms"])["move"])
        answer = engine.ask(game=game, moves=moves, player="flat(uniform)", budget=200)
        if answer["outcome"] is None and len(answer["report"]["arms"]) > 1:
            return moves, answer["to_move"]


def exact(engine, game, moves, side, mv):
    """Whether the side wins after a move, by proof."""
    answer = engine.ask(game=game, moves=[*moves, mv], player="uct+solver", budget=4_000_000, top=1)
    outcome = answer["outcome"]
    if outcome is None and answer["report"]["stop"] and answer["report"]["stop"]["reason"] == "proved":
        outcome = answer["report"]["stop"]["outcome"]
    if outcome is None and answer["report"]["stop"] and answer["report"]["stop"]["reason"] == "one_move":
        return exact(engine, game, [*moves, mv], side, answer["report"]["move"])
    return None if outcome is None else outcome == side


def main():
    engine = Engine(sys.argv[1])
    n_positions = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    out = csv.writer(sys.stdout)
    out.writerow(["game", "player", "budget", "within", "truth", "position", "level", "spent", "stopped", "confidence", "right"])
    skipped = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    for game, plies, player, budget, within, truth in SETTINGS[skipped:]:
        luck = random.Random(f"{game} {plies}")
        large = "uct" if player == "uct" else player
        for position in range(n_positions):
            moves, side = opening(engine, game, plies, luck)
            known = {}

            def right(mv):
                if mv not in known:
                    if truth == "solver":
                        win = exact(engine, game, moves, side, mv)
                        if win or win is None:
                            known[mv] = win
                        else:
                            # A losing move is right only if all lose.
                            whole = engine.ask(game=game, moves=moves, player="uct+solver", budget=4_000_000)["report"]
                            known[mv] = whole["stop"]["outcome"] != side if whole["stop"] else None
                    else:
                        if not known:
                            query = dict(game=game, moves=moves, player=large, budget=truth, seed=1000 + position)
                            arms = engine.ask(**query)["report"]
                            best = arms["move"]
                            means = {arm["move"]: arm["mean"] or 0.0 for arm in arms["arms"]}
                            known.update({mv: means[mv] >= means[best] - within for mv in means})
                return known[mv]

            for level in [None, *LEVELS]:
                query = dict(game=game, moves=moves, player=player, budget=budget, seed=position)
                stopping = {} if level is None else dict(until=level, within=within)
                report = engine.ask(**query, **stopping)["report"]
                stopped = bool(report["stop"] and report["stop"]["reason"] == "sure")
                if level and not stopped:
                    verdict = ""
                else:
                    verdict = {True: 1, False: 0, None: ""}[right(report["move"])]
                out.writerow([game, player, budget, within, truth, position, level or "", report["spent"], int(stopped), report["confidence"], verdict])
                if level and not stopped:
                    break
            sys.stdout.flush()


main()
