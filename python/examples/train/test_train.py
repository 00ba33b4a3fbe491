"""Tests of the training: `/usr/bin/python3 -m unittest` in this folder.

If onnxruntime or onnx can be imported, the exported files are run and checked by them too; ONNX_PYTHON
may name another Python that has both.
"""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import data
import loop
import model as networks
import onnx_file
import train


def form_of(game="toy:5", planes=3, height=5, width=5, n_logits=25):
    return {
        "game": game,
        "encoding": game.split(":")[0] + "/1",
        "planes": planes,
        "height": height,
        "width": width,
        "n_logits": n_logits,
    }


def write_folder(folder, form, positions=600, games=30, seed=1):
    """Write positions that can be learnt: the right move is where the one stone of plane 0 is, and
    the side to move wins if plane 1 is full."""
    rng = np.random.default_rng(seed)
    n, cells, n_logits = positions, form["height"] * form["width"], form["n_logits"]
    stone = rng.integers(cells, size=n)
    wins = rng.integers(2, size=n)
    planes = np.zeros((n, form["planes"], cells), "<f2")
    planes[np.arange(n), 0, stone] = 1
    planes[:, 1] = wins[:, None]
    planes[:, 2:] = rng.random((n, form["planes"] - 2, cells)) < 0.3
    legal = rng.random((n, n_logits)) < 0.7
    right = stone % n_logits
    legal[np.arange(n), right] = True
    policies = legal * 0.2 / legal.sum(1, keepdims=True)
    policies[np.arange(n), right] += 0.8
    move_values = np.where(legal & (rng.random(legal.shape) < 0.5), 0.3, np.nan)
    move_values[np.arange(n), right] = 0.9
    arrays = {
        "planes": planes.reshape(n, form["planes"], form["height"], form["width"]),
        "policies": policies.astype("<f2"),
        "legal": legal,
        "move_values": move_values.astype("<f2"),
        "root_values": (0.1 + 0.8 * wins).astype("<f4"),
        "values": wins.astype("<f4"),
        "games": np.sort(rng.integers(games, size=n)).astype("<i4"),
        "plies": np.zeros(n, "<i2"),
    }
    os.makedirs(folder, exist_ok=True)
    for name, array in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), array)
    with open(os.path.join(folder, "form.json"), "w") as file:
        json.dump(dict(form, positions=n, games=len(np.unique(arrays["games"]))), file)
    return folder


def run(*arguments):
    """Run train.py here and return (exit code, output, errors)."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = train.main(list(arguments) + ["--device", "cpu", "--threads", "1"])
    return code, out.getvalue(), errors.getvalue()


class Training(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.positions = write_folder(self.path("gen0"), form_of())

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def curve(self, name="net"):
        with open(self.path(name + ".curve.csv")) as file:
            return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]

    def train(self, *options, name="net", folders=None):
        folders = folders or [self.positions]
        code, out, errors = run(*folders, "--out", self.path(name + ".onnx"), "--batch", "64", *options)
        self.assertEqual((code, errors), (0, ""))
        return out

    def assert_learns(self, *options):
        out = self.train("--lr", "0.01", *options)
        rows = self.curve()
        for name in ("policy", "value", "moves"):
            self.assertLess(rows[-1][name], rows[0][name])
        self.assertGreater(rows[-1]["agreement"], 0.8)
        self.assertLess(rows[-1]["error"], 0.2)
        self.assertIn("held out", out)

    def test_a_residual_network_learns(self):
        self.assert_learns("--blocks", "2", "--channels", "16", "--epochs", "20")

    def test_a_fully_connected_network_learns(self):
        self.assert_learns("--hidden", "64x2", "--epochs", "40")

    def test_equal_seeds_give_equal_files(self):
        options = ["--blocks", "1", "--channels", "4", "--epochs", "2", "--symmetries", "square"]
        files = []
        for name, seed in [("a", "3"), ("b", "3"), ("c", "4")]:
            self.train(*options, "--seed", seed, name=name)
            with open(self.path(name + ".onnx"), "rb") as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])
        self.assertNotEqual(files[0], files[2])

    def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(self):
        options = ["--blocks", "1", "--channels", "4", "--epochs", "4"]
        self.train(*options, name="whole")
        step = train.Trainer.train_step

        def interrupted(trainer):
            if trainer.step == 20:
                raise KeyboardInterrupt
            return step(trainer)

        train.Trainer.train_step = interrupted
        try:
            out = self.path("parts.onnx")
            code, _, errors = run(self.positions, "--out", out, "--batch", "64", *options)
        finally:
            train.Trainer.train_step = step
        self.assertEqual(code, 130)
        self.assertIn("--resume", errors)
        self.train(*options, "--resume", name="parts")
        contents = []
        for name in ("whole", "parts"):
            with open(self.path(name + ".onnx"), "rb") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        steps = [row["step"] for row in self.curve("parts")]
        self.assertEqual(steps, [row["step"] for row in self.curve("whole")])

    def test_a_run_that_dies_while_it_saves_is_whole_in_the_end(self):
        options = ["--blocks", "1", "--channels", "4", "--epochs", "4"]
        self.train(*options, name="whole")
        writes = train.write_file
        for ending in (".curve.csv", ".onnx", ".pt"):
            name = "dies" + ending.replace(".", "-")
            last = self.path(name + ending)
            total = 0

            def counted(path, write):
                nonlocal total
                total += path == last
                # Ten intervals: it dies in the last one, before the file is there.
                if total == 10 and path == last:
                    raise KeyboardInterrupt
                writes(path, write)

            train.write_file = counted
            try:
                code, _, _ = run(self.positions, "--out", self.path(name + ".onnx"), "--batch", "64", *options)
            finally:
                train.write_file = writes
            self.assertEqual(code, 130)
            self.train(*options, "--resume", name=name)
            contents = []
            for done in ("whole", name):
                with open(self.path(done + ".onnx"), "rb") as file:
                    contents.append(file.read())
            self.assertEqual(contents[0], contents[1], ending)
            steps = [row["step"] for row in self.curve(name)]
            self.assertEqual(steps, [row["step"] for row in self.curve("whole")], ending)

    def test_turns_that_are_no_symmetries_of_a_game_are_refused(self):
        for encoding, symmetries, allowed in [
            ("hex/1", "square", "use none or half-turn"),
            ("misere hex with swap/1", "square", "use none or half-turn"),
            ("domineering/1", "half-turn", "use none"),
            ("no-wins breakthrough/1", "half-turn", "use none"),
        ]:
            form = dict(form_of(), encoding=encoding)
            folder = write_folder(self.path(encoding.replace("/", "-")), form)
            code, _, errors = run(folder, "--out", self.path("x.onnx"), "--symmetries", symmetries)
            self.assertEqual(code, 2, errors)
            self.assertIn("would teach wrong moves of " + encoding, errors)
            self.assertIn(allowed, errors)

    def test_a_checkpoint_begins_the_next_run_with_several_folders(self):
        self.train("--blocks", "1", "--channels", "8", "--epochs", "10", "--lr", "0.01", name="first")
        more = write_folder(self.path("gen1"), form_of(), seed=2)
        self.train(
            "--from", self.path("first.pt"), "--epochs", "1", name="second", folders=[self.positions, more]
        )
        self.assertLess(self.curve("second")[-1]["policy"], self.curve("first")[0]["policy"])
        with open(self.path("second.onnx"), "rb") as file:
            self.assertIn(b"run 2", file.read())

    def test_time_ends_a_run(self):
        self.train("--blocks", "1", "--channels", "4", "--minutes", "0.02")
        self.assertLess(self.curve()[-1]["seconds"], 10)

    def test_held_out_games_share_no_game_with_the_others(self):
        positions = data.Positions([self.positions], "cpu")
        games = np.load(os.path.join(self.positions, "games.npy"))
        inside, outside = games[positions.training.numpy()], games[positions.validation.numpy()]
        self.assertTrue(len(outside) > 0)
        self.assertFalse(set(inside) & set(outside))
        self.assertEqual(len(inside) + len(outside), len(games))

    def test_turned_boards_keep_stone_and_move_together(self):
        form = form_of(n_logits=26)
        folder = write_folder(self.path("passes"), form, positions=40, games=5)
        positions = data.Positions([folder], "cpu")
        batch = positions.batch(positions.training)
        for turn in range(8):
            turned = train.turned_batch(batch, turn, form)
            stones = turned["planes"][:, 0].flatten(1).argmax(1)
            self.assertTrue(torch.equal(turned["policies"].argmax(1), stones))
            self.assertTrue(torch.equal(turned["legal"][:, 25], batch["legal"][:, 25]))

    def assert_problem(self, words, *arguments):
        code, _, errors = run(*arguments)
        self.assertEqual(code, 2, errors)
        self.assertIn(words, errors)
        self.assertEqual(errors.count("\n"), 1, errors)

    def test_bad_input_is_one_sentence(self):
        out = ["--out", self.path("net.onnx")]
        self.assert_problem("there is no folder", self.path("nothing"), *out)
        self.assert_problem("has no form.json", self.folder.name, *out)
        other = write_folder(self.path("other"), form_of(game="hex:5"))
        self.assert_problem("train with folders of one form", self.positions, other, *out)
        self.assert_problem("WIDTHxLAYERS", self.positions, *out, "--hidden", "128")
        self.assert_problem("excludes", self.positions, *out, "--hidden", "8x1", "--blocks", "2")
        self.assert_problem("0 to 1", self.positions, *out, "--value-mix", "2")
        self.assert_problem("whole number from 2", self.positions, *out, "--batch", "1")
        self.assert_problem("--out", self.positions)
        self.assert_problem("no folder for", self.positions, "--out", self.path("a/b.onnx"))
        self.assert_problem("there is no file", self.positions, *out, "--from", self.path("no.pt"))
        with open(self.path("bad.pt"), "w") as file:
            file.write("nonsense")
        self.assert_problem("is not a checkpoint", self.positions, *out, "--from", self.path("bad.pt"))
        single = write_folder(self.path("single"), form_of(), games=1)
        self.assert_problem("a single game", single, *out)
        os.remove(os.path.join(other, "values.npy"))
        self.assert_problem("there is no file", other, *out)
        np.save(os.path.join(other, "values.npy"), np.zeros(3, "<f4"))
        self.assert_problem("of shape (3,)", other, *out)
        np.save(os.path.join(other, "values.npy"), np.full(600, 2, "<f4"))
        self.assert_problem("values outside 0 to 1", other, *out)

    def test_an_architecture_belongs_to_its_checkpoint(self):
        self.train("--hidden", "8x1", "--epochs", "1")
        start = ["--out", self.path("b.onnx"), "--from", self.path("net.pt")]
        self.assert_problem("contradicts", self.positions, *start, "--blocks", "3")
        go = write_folder(self.path("go"), form_of("go:4", 3, 4, 4, 17))
        self.assert_problem("but the positions have", go, *start)

    def test_help_has_examples(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), self.assertRaises(SystemExit) as end:
            train.main(["--help"])
        self.assertEqual(end.exception.code, 0)
        self.assertIn("Examples:", out.getvalue())


NETWORKS = {
    "plain": (form_of(), {"blocks": 2, "channels": 8, "pooled": 0}),
    "pooled with a pass": (form_of("go:7", 4, 7, 7, 50), {"blocks": 3, "channels": 8, "pooled": 2}),
    "planes of moves": (form_of("breakthrough:6", 3, 6, 5, 90), {"blocks": 1, "channels": 8, "pooled": 1}),
    "other moves": (form_of("other:5", 3, 5, 5, 37), {"blocks": 1, "channels": 8, "pooled": 1}),
    "fully connected": (form_of("toy:5", 3, 5, 5, 26), {"hidden": [16, 2]}),
}


def random_network(form, architecture):
    """Return a network whose batch norms are all different, and planes."""
    torch.manual_seed(7)
    net = networks.build(form, architecture)
    planes = torch.randn(64, form["planes"], form["height"], form["width"])
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if ".norm." in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
        net.train()
        for _ in range(20):
            net(planes)
    return net.eval(), planes


def folded_by_the_file(content):
    """Return the fields of a message as (number, value): a reader for this test alone."""
    fields, i = [], 0

    def varint():
        nonlocal i
        value = shift = 0
        while True:
            byte = content[i]
            i += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while i < len(content):
        key = varint()
        if key & 7 == 0:
            fields.append((key >> 3, varint()))
        else:
            size = varint()
            fields.append((key >> 3, content[i : i + size]))
            i += size
    return fields


CHECKER = """
import sys, numpy, onnx, onnxruntime
for name in sys.argv[1:]:
    model = onnx.load(name + ".onnx")
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(name + ".onnx", providers=["CPUExecutionProvider"])
    planes = numpy.load(name + ".planes.npy")
    for n in (1, 5, len(planes)):
        outputs = session.run(["logits", "value", "move_values"], {"planes": planes[:n]})
        for output, key in zip(outputs, ("logits", "value", "move_values")):
            wanted = numpy.load(name + "." + key + ".npy")[:n]
            assert output.shape == wanted.shape, (name, key, output.shape, wanted.shape)
            limit = 5e-3 if name.endswith("half") else 1e-4
            worst = abs(output - wanted).max()
            assert worst < limit, (name, key, worst)
            if n > 5: print(name.split("/")[-1], key, "%.1e" % worst)
"""


class Export(unittest.TestCase):
    def test_the_file_says_what_it_is(self):
        form, architecture = NETWORKS["pooled with a pass"]
        net, _ = random_network(form, architecture)
        sizes = []
        for half in (False, True):
            content = onnx_file.onnx_bytes(net, form, "one line", half)
            sizes.append(len(content))
            fields = folded_by_the_file(content)
            self.assertEqual(dict(fields)[1], 8)
            entries = [dict(folded_by_the_file(value)) for number, value in fields if number == 14]
            properties = {entry[1].decode(): entry[2].decode() for entry in entries}
            self.assertEqual(properties["tesuji.game"], "go:7")
            self.assertEqual(properties["tesuji.logits"], "50")
            self.assertEqual(properties["tesuji.training"], "one line")
            graph = folded_by_the_file(dict(fields)[7])
            ops = {dict(folded_by_the_file(v))[4].decode() for number, v in graph if number == 1}
            allowed = "Conv Relu Add GlobalAveragePool Flatten Gemm Concat Sigmoid Cast".split()
            self.assertFalse(ops - set(allowed))
            self.assertEqual("Cast" in ops, half)
        self.assertLess(sizes[1], 0.85 * sizes[0])
        # On a GPU weights lie in memory in another order; the file must not.
        other = net.to(memory_format=torch.channels_last)
        self.assertEqual(onnx_file.onnx_bytes(other, form, "one line", True), content)

    def test_folding_keeps_the_function(self):
        layer = networks.ConvNorm(3, 4, 3)
        layer.norm.running_mean.normal_()
        layer.norm.running_var.uniform_(0.5, 2)
        layer.eval()
        x = torch.randn(2, 3, 5, 5)
        weight, bias = onnx_file.folded(layer.conv.weight, layer.norm)
        same = torch.nn.functional.conv2d(x, weight.float(), bias.float(), padding=1)
        self.assertLess(float((same - layer(x)).abs().max()), 1e-5)

    def test_onnxruntime_computes_the_same(self):
        python = os.environ.get("ONNX_PYTHON", sys.executable)
        probe = subprocess.run([python, "-c", "import onnx, onnxruntime"], capture_output=True)
        if probe.returncode:
            self.skipTest("onnx and onnxruntime are not installed")
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for label, (form, architecture) in NETWORKS.items():
                net, planes = random_network(form, architecture)
                with torch.no_grad():
                    logits, value, moves = net(planes)
                outputs = {"logits": logits, "value": value.sigmoid(), "move_values": moves.sigmoid()}
                for half in (False, True):
                    name = os.path.join(folder, label.replace(" ", "-") + ("-half" if half else ""))
                    names.append(name)
                    with open(name + ".onnx", "wb") as file:
                        file.write(onnx_file.onnx_bytes(net, form, "one line", half))
                    np.save(name + ".planes.npy", planes.numpy())
                    for key, tensor in outputs.items():
                        np.save("{}.{}.npy".format(name, key), tensor.numpy())
            done = subprocess.run([python, "-c", CHECKER] + names, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            if os.environ.get("ONNX_PYTHON"):
                print(done.stdout)


# A program that answers as tesuji does: matches leave a store, exports write positions.
FAKE = """#!{python}
import json, os, sys
sys.path.insert(0, {here!r})
import test_train
words = sys.argv[1:]
with open("calls.txt", "a") as file:
    file.write(json.dumps(words) + "\\n")
if words[0] == "match":
    if "--record-policies" in words and os.path.exists("stop"):
        os.remove("stop")
        sys.exit(2)
    open(words[words.index("--store") + 1], "w").close()
    report = {{"count": {{"wins": 6, "draws": 0, "losses": 4}}, "rate": 0.6}}
    report["interval"] = {{"low": 0.3, "high": 0.8}}
    if "--sprt" in words:
        report["sprt"] = {{"decision": "null" if "g002/net.onnx" in words[2] else "alternative"}}
    print(json.dumps(report))
else:
    test_train.write_folder(words[3], test_train.form_of(), positions=200, seed=len(words[1]))
"""


class Generations(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "loop")
        self.fake = os.path.join(folder.name, "fake")
        with open(self.fake, "w") as file:
            file.write(FAKE.format(python=sys.executable, here=HERE))
        os.chmod(self.fake, 0o755)

    def run_loop(self, *more):
        """Run loop.py and return (exit code, output, errors)."""
        options = ["--folder", self.folder, "--tesuji", self.fake, "--games", "10", "--window", "2"]
        options += ["--train-options", "--hidden 8x1 --epochs 1 --batch 32 --device cpu --threads 1"]
        command = [sys.executable, os.path.join(HERE, "loop.py"), "toy:5"] + options + list(more)
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def calls(self):
        with open(os.path.join(self.folder, "calls.txt")) as file:
            return [json.loads(line) for line in file]

    def test_a_loop_stops_and_goes_on(self):
        os.makedirs(self.folder)
        open(os.path.join(self.folder, "stop"), "w").close()
        code, _, errors = self.run_loop("--generations", "1")
        self.assertEqual(code, 2)
        self.assertIn("error: fake ended with exit code 2", errors)
        code, out, errors = self.run_loop("--generations", "1")
        self.assertEqual(code, 0, errors)
        self.assertIn("best network: generation 1", out)
        code, out, errors = self.run_loop("--generations", "3")
        self.assertEqual(code, 0, errors)
        with open(os.path.join(self.folder, "progress.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["decision"] for row in rows], ["first", "accepted", "rejected", "accepted"])
        players = [call[2] for call in self.calls() if "--record-policies" in call]
        self.assertEqual(players[:2], ["rave@200"] * 2)
        nets = [player.split('"')[1] for player in players[2:]]
        self.assertEqual(nets, ["g000/net.onnx", "g001/net.onnx", "g001/net.onnx"])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "best.onnx")))
        code, _, errors = self.run_loop("--seed", "2")
        self.assertEqual(code, 2)
        self.assertIn("another --folder", errors)

    def test_bad_options_are_one_sentence(self):
        for more in (["--player", "rave"], ["--games", "x"], ["--tesuji", "no-such-program"]):
            code, _, errors = self.run_loop(*more)
            self.assertEqual((code, errors.count("\n")), (2, 1), errors)


if __name__ == "__main__":
    unittest.main()
