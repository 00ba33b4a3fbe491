"""Trains a network from nothing: self-play, training and a gate, generation after generation.

Generation 0 plays without a network. Every later generation plays with the best network so far, trains
a candidate on the positions of the last generations, and keeps it if it wins the gate, a match against
the best. Everything is done by `tesuji` and train.py; this program only calls them in turn.
"""

import argparse
import csv
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

from command_line import Parser, Problem, whole

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = """Examples:
  loop.py hex:5 --folder hex5 --generations 4 --games 500
  loop.py go:9 --folder go9 --generations 20 --games 4000 --window 5 \\
      --player 'gumbel+gumbel-tree+net("{net}")@64' --self-play-options '--threads 16' \\
      --train-options '--blocks 8 --channels 64 --minutes 10 --symmetries square'

The folder has g000, g001 and so on, each with games.db (the games), positions (what they were exported
to), net.onnx, net.pt and net.curve.csv; best.onnx is the best network, progress.csv has a line for each
generation, and state.json is how far the loop has come. The same command goes on after an interruption,
and with more --generations after the end.
"""
COLUMNS = (
    "generation games positions policy value moves agreement error "
    "score low high gate_games decision seconds"
).split()
# What a loop must not change between two calls. The rest, such as options for speed, may change.
FIXED = ("game", "first_player", "player", "games", "first_games", "seed")


def words(text):
    """Read options for another program, quoted as in a shell."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("'{}' has a quote without its end ({})".format(text, error))


def read_options(arguments):
    """Return the options of a command line."""
    parser = Parser(
        prog="loop.py",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("game", metavar="GAME", help="the game, such as hex:5 (`tesuji games` lists them)")
    add("--folder", required=True, metavar="DIR", help="where everything is kept")
    add("--generations", type=whole(1), default=4, metavar="G", help="generations after the first one [default: 4]")
    add("--games", type=whole(2), default=1000, metavar="N", help="games of self-play in a generation [default: 1000]")
    add("--first-games", type=whole(2), metavar="N", help="games of generation 0 [default: --games]")
    add("--first-player", default="rave@200", metavar="PLAYER", help="the player of generation 0 [default: rave@200]")
    add(
        "--player",
        default='gumbel+gumbel-tree+net("{net}")@32',
        metavar="PLAYER",
        help="the player with a network; {net} becomes its file "
        "[default: gumbel+gumbel-tree+net(\"{net}\")@32]",
    )
    add("--gate-player", metavar="PLAYER", help="the player of the gate [default: --player]")
    add("--gate-games", type=whole(2), default=400, metavar="N", help="the most games of a gate [default: 400]")
    add(
        "--sprt",
        type=words,
        default=["elo0=0", "elo1=30"],
        metavar="TEST",
        help="the gate's sequential test, as `tesuji match` reads it [default: elo0=0 elo1=30]",
    )
    add("--random-plies", type=whole(0), default=2, metavar="N", help="random moves at the start of games [default: 2]")
    add("--window", type=whole(1), default=4, metavar="N", help="generations to train with [default: 4]")
    add("--train-options", type=words, default=[], metavar="TEXT", help="more options for train.py")
    add("--self-play-options", type=words, default=[], metavar="TEXT", help="more options for matches of self-play")
    add("--gate-options", type=words, default=[], metavar="TEXT", help="more options for matches of the gate")
    add("--seed", type=whole(0), default=1, metavar="N", help="the seed of everything [default: 1]")
    add("--tesuji", default="tesuji", metavar="FILE", help="the program [default: tesuji on the PATH]")
    options = parser.parse_args(arguments)
    options.first_games = options.first_games or options.games
    options.gate_player = options.gate_player or options.player
    for key in ("player", "gate_player"):
        if "{net}" not in getattr(options, key):
            raise Problem("--{} has no {{net}} for the network's file".format(key.replace("_", "-")))
    found = shutil.which(options.tesuji)
    if found is None:
        raise Problem("there is no program {}: --tesuji names it".format(options.tesuji))
    options.tesuji = os.path.abspath(found)
    return options


def write_text(path, text):
    """Write a file under another name and rename it, so that a kill leaves the old one whole."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


class Loop:
    """A loop and how far it has come."""

    def __init__(self, options):
        self.options = options
        self.folder = options.folder
        settings = {key: getattr(options, key) for key in FIXED}
        self.state = {"settings": settings, "best": None, "rows": [], "doing": {}}
        path = os.path.join(self.folder, "state.json")
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(path):
            try:
                with open(path, encoding="utf-8") as file:
                    self.state = json.load(file)
                theirs = self.state["settings"]
                self.state["best"], self.state["rows"], self.state["doing"]
            except (ValueError, KeyError, TypeError):
                raise Problem("{} is not the state of a loop".format(path))
            for key in FIXED:
                if theirs.get(key) != settings[key]:
                    raise Problem(
                        "{} is a loop with --{} {}, not {}: another --folder begins another loop".format(
                            self.folder, key.replace("_", "-"), theirs.get(key), settings[key]
                        )
                    )

    def keep(self):
        """Write the state."""
        write_text(os.path.join(self.folder, "state.json"), json.dumps(self.state, indent=2) + "\n")

    def path(self, generation, name):
        """Return the path of a generation's file. It is relative to the folder: programs run there, so
        stores and player texts name no places of this machine."""
        return "g{:03}/{}".format(generation, name)

    def here(self, generation, name):
        """Return the path of a generation's file for this program."""
        return os.path.join(self.folder, self.path(generation, name))

    def call(self, command, is_json=False):
        """Run a program in the folder; its progress stays on the screen. Return its JSON, if it has one."""
        print("$ " + " ".join(shlex.quote(word) for word in command), file=sys.stderr, flush=True)
        try:
            done = subprocess.run(
                command, cwd=self.folder, stdout=subprocess.PIPE if is_json else sys.stderr, text=True
            )
        except OSError as error:
            raise Problem("{} cannot be run: {}".format(command[0], error))
        name = os.path.basename(command[1] if command[0] == sys.executable else command[0])
        if done.returncode:
            raise Problem("{} ended with exit code {}".format(name, done.returncode))
        if is_json:
            try:
                return json.loads(done.stdout)
            except ValueError:
                raise Problem("{} printed no JSON".format(name))

    def match(self, player, opponent, games, seed, store, more):
        """Play a match. Its games are in a store, so the same call goes on after an interruption."""
        options = self.options
        command = [options.tesuji, "match", options.game, player, opponent, "--games", str(games)]
        command += ["--seed", str(seed), "--random-plies", str(options.random_plies)]
        return self.call(command + ["--store", store, "--json"] + more, is_json=True)

    def player(self, text, generation):
        """Return a player's text with the network of a generation."""
        return text.replace("{net}", self.path(generation, "net.onnx"))

    def stage(self, name, work):
        """Do a stage of the current generation, unless it is done; return its result."""
        doing = self.state["doing"]
        if name not in doing:
            start = time.monotonic()
            result = work()
            doing[name] = {"result": result, "seconds": round(time.monotonic() - start, 1)}
            self.keep()
        return doing[name]["result"]

    def self_play(self, generation):
        """Play the games of a generation; return their number."""
        options, best = self.options, self.state["best"]
        is_first = best is None
        player = options.first_player if is_first else self.player(options.player, best)
        games = options.first_games if is_first else options.games
        more = ["--record-policies"] + options.self_play_options
        seed = options.seed + generation
        store = self.path(generation, "games.db")
        report = self.match(player, player, games, seed, store, more)
        return sum(report["count"].values())

    def export(self, generation):
        """Export the positions of a generation; return their number."""
        target, part = self.here(generation, "positions"), self.here(generation, "positions.part")
        for folder in (target, part):
            shutil.rmtree(folder, ignore_errors=True)
        store = self.path(generation, "games.db")
        name = self.path(generation, "positions.part")
        self.call([self.options.tesuji, "export", store, "--training", name])
        os.rename(part, target)
        with open(os.path.join(target, "form.json"), encoding="utf-8") as file:
            return json.load(file)["positions"]

    def train(self, generation):
        """Train a candidate; return the last line of its curve."""
        first = max(0, generation - self.options.window + 1)
        command = [sys.executable, os.path.join(HERE, "train.py")]
        command += [self.path(g, "positions") for g in range(first, generation + 1)]
        command += ["--out", self.path(generation, "net.onnx"), "--resume"]
        if generation > 0:
            command += ["--from", self.path(generation - 1, "net.pt")]
        command += ["--seed", str(self.options.seed + generation)] + self.options.train_options
        self.call(command)
        with open(self.here(generation, "net.curve.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))[-1]

    def gate(self, generation):
        """Play the candidate against the best network; return the score and the decision.

        If the test decides for neither hypothesis, or not in time, a candidate that scored more than
        half is accepted.
        """
        options, best = self.options, self.state["best"]
        if best is None:
            return {"decision": "first"}
        report = self.match(
            self.player(options.gate_player, generation),
            self.player(options.gate_player, best),
            options.gate_games,
            options.seed + generation,
            self.path(generation, "gate.db"),
            ["--sprt"] + options.sprt + options.gate_options,
        )
        decision = (report.get("sprt") or {}).get("decision")
        is_better = decision == "alternative" or (
            decision in (None, "between") and report["rate"] > 0.5
        )
        return {
            "score": report["rate"],
            "low": report["interval"]["low"],
            "high": report["interval"]["high"],
            "gate_games": sum(report["count"].values()),
            "decision": "accepted" if is_better else "rejected",
        }

    def generation(self, generation):
        """Do a whole generation."""
        os.makedirs(self.here(generation, ""), exist_ok=True)
        row = {"generation": generation}
        row["games"] = self.stage("self_play", lambda: self.self_play(generation))
        row["positions"] = self.stage("export", lambda: self.export(generation))
        curve = self.stage("train", lambda: self.train(generation))
        row.update({key: curve[key] for key in ("policy", "value", "moves", "agreement", "error")})
        gate = self.stage("gate", lambda: self.gate(generation))
        row.update({k: round(v, 4) if isinstance(v, float) else v for k, v in gate.items()})
        row["seconds"] = round(sum(stage["seconds"] for stage in self.state["doing"].values()), 1)
        if row["decision"] != "rejected":
            shutil.copyfile(self.here(generation, "net.onnx"), os.path.join(self.folder, "best.onnx.part"))
            os.replace(
                os.path.join(self.folder, "best.onnx.part"), os.path.join(self.folder, "best.onnx")
            )
            self.state["best"] = generation
        self.state["rows"].append(row)
        self.state["doing"] = {}
        self.keep()

    def report(self):
        """Write progress.csv and return a summary in plain text."""
        lines = [",".join(COLUMNS)]
        for row in self.state["rows"]:
            lines.append(",".join(str(row.get(column, "")) for column in COLUMNS))
        write_text(os.path.join(self.folder, "progress.csv"), "\n".join(lines) + "\n")
        text = ["generation  positions  policy   value  agreement  gate                              seconds"]
        for row in self.state["rows"]:
            gate = row["decision"]
            if "score" in row:
                gate += " {:.1%} ({:.1%} to {:.1%}), {} games".format(
                    row["score"], row["low"], row["high"], row["gate_games"]
                )
            text.append(
                "{:10}  {:9}  {:6.3f}  {:6.3f}  {:9.1%}  {:38} {:>7}".format(
                    row["generation"],
                    row["positions"],
                    float(row["policy"]),
                    float(row["value"]),
                    float(row["agreement"]),
                    gate,
                    "{:.0f}".format(row["seconds"]),
                )
            )
        text.append("best network: generation {}, in best.onnx".format(self.state["best"]))
        return "\n".join(text)

    def run(self):
        """Do all generations that are left."""
        while len(self.state["rows"]) <= self.options.generations:
            self.generation(len(self.state["rows"]))
            print(self.report(), flush=True)
        write_text(os.path.join(self.folder, "summary.txt"), self.report() + "\n")


def main(arguments=None):
    """Run, and return the exit code."""
    try:
        Loop(read_options(arguments)).run()
    except (Problem, OSError) as problem:
        print("error: {}".format(problem), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
