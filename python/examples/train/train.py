"""Trains a small network on positions that tesuji played, and writes it as an ONNX file."""

import argparse
import copy
import json
import math
import os
import sys
import time

try:
    import numpy  # noqa: F401
    import torch
    from torch.nn import functional as F
except ImportError as missing:
    print("error: {}; 'pip install torch numpy' installs what train.py needs".format(missing), file=sys.stderr)
    sys.exit(2)

import model as networks
from command_line import Parser, Problem, whole
from data import FORM, Positions
from onnx_file import onnx_bytes

EXAMPLES = """Examples:
  train.py gen0 --out net.onnx                                    a network of 4 blocks of 32 channels
  train.py gen0 --out net.onnx --hidden 128x4 --epochs 20         a fully connected network
  train.py gen3 gen4 gen5 --out new.onnx --checkpoint new.pt --from old.pt --minutes 20
  train.py gen0 --out net.onnx --epochs 30 --resume               goes on after it was killed

Folders are written by `tesuji export STORE --training DIR`. Next to net.onnx there are net.pt (what
--from and --resume read) and net.curve.csv (a line for each interval). Losses are of held-out games:
policy and value are cross-entropies, agreement is how often the likeliest move is the target's, and
error is the mean distance of the value from the result.
"""

LOSSES = ("policy", "value", "moves")
WARMUP, MOVE_FLOOR, CLIP, MOST_DECAY = 0.05, 0.01, 5.0, 0.999
TURNS = {"none": [0], "half-turn": [0, 2], "square": list(range(8))}
COLUMNS = ["step", "epoch", "seconds", "lr", *("train_" + name for name in LOSSES), *LOSSES, "agreement", "error"]
# What turns of the board mean the same in the encodings of tesuji, without "misere" and "no-wins". The
# planes of other games name sides of the board, or their moves name directions.
SYMMETRIES = {"hex": "half-turn", "hex with swap": "half-turn", "go": "square", "atarigo": "square", "nogo": "square"}
WITHOUT_SYMMETRIES = ("breakthrough", "knightthrough", "ataxx", "domineering")


def number(least, most=math.inf, above=False):
    """Return a reader of numbers of a range, without its lower end if `above`."""

    def read(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (least < value if above else least <= value) or not value <= most or math.isinf(value):
            words = "above {}".format(least) if above else "from {}".format(least)
            words += "" if math.isinf(most) else " to {}".format(most)
            raise argparse.ArgumentTypeError("'{}' is not a number {}".format(text, words))
        return value

    return read


def hidden(text):
    """Read WIDTHxLAYERS."""
    parts = text.split("x")
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise argparse.ArgumentTypeError("'{}' is not WIDTHxLAYERS, such as 128x4".format(text))
    return [int(p) for p in parts]


def read_options(arguments):
    """Return the options of a command line."""
    parser = Parser(
        prog="train.py",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("folders", nargs="+", metavar="DIR", help="a folder of positions; several are joined")
    add("--out", required=True, metavar="FILE", help="the ONNX file to write")
    add("--checkpoint", metavar="FILE", help="the checkpoint to write [default: --out as .pt]")
    add("--from", dest="start", metavar="FILE", help="begin with the weights of this checkpoint")
    add("--resume", action="store_true", help="go on from --checkpoint if it is there: an interrupted run")
    add("--blocks", type=whole(1), metavar="N", help="residual blocks [default: 4]")
    add("--channels", type=whole(1), metavar="N", help="channels of a block [default: 32]")
    add(
        "--pooled",
        type=whole(0),
        metavar="N",
        help="blocks with pooling over the board [default: half of them on boards from 7x7, else 0]",
    )
    add("--hidden", type=hidden, metavar="WxL", help="a fully connected network instead, such as 128x4")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--epochs", type=number(0, above=True), metavar="E", help="times to see each position [default: 10]"
    )
    length.add_argument(
        "--minutes", type=number(0, above=True), metavar="M", help="train for this time instead"
    )
    add("--batch", type=whole(2), default=1024, metavar="N", help="positions of a step [default: 1024]")
    add("--lr", type=number(0, 1, True), default=2e-3, metavar="X", help="the highest learning rate [default: 0.002]")
    add("--decay", type=number(0), default=0.01, metavar="X", help="the weight decay of AdamW [default: 0.01]")
    add(
        "--value-mix",
        type=number(0, 1),
        default=0.5,
        metavar="X",
        help="the target of the value: 0 is the result, 1 the search's estimate [default: 0.5]",
    )
    add("--value-weight", type=number(0), default=1.0, metavar="X", help="the weight of the value's loss [default: 1]")
    add(
        "--move-weight",
        type=number(0),
        default=0.5,
        metavar="X",
        help="the weight of the loss of the moves' values [default: 0.5]",
    )
    add(
        "--symmetries",
        choices=sorted(TURNS),
        default="none",
        help="turn boards at random: square has all eight (Go), half-turn two (Hex); planes and moves "
        "must not name directions [default: none]",
    )
    add("--half", action="store_true", help="store weights in half precision: a file of half the size")
    add("--seed", type=whole(0), default=1, metavar="N", help="the seed of weights and order [default: 1]")
    add("--device", default="auto", metavar="NAME", help="cpu, cuda or auto [default: auto]")
    add("--threads", type=whole(1), metavar="N", help="threads on the CPU [default: as torch chooses]")
    options = parser.parse_args(arguments)
    if options.hidden and (options.blocks or options.channels or options.pooled is not None):
        raise Problem("--hidden excludes --blocks, --channels and --pooled; see --help")
    if options.minutes is None and options.epochs is None:
        options.epochs = 10.0
    if options.device not in ("auto", "cpu") and options.device.split(":")[0] != "cuda":
        raise Problem("'{}' is not a device: there are cpu, cuda and auto".format(options.device))
    if options.device == "auto":
        options.device = "cuda" if torch.cuda.is_available() else "cpu"
    if options.device.startswith("cuda") and not torch.cuda.is_available():
        raise Problem("there is no GPU that torch can use; --device cpu trains without one")
    stem = os.path.splitext(options.out)[0]
    options.checkpoint = options.checkpoint or stem + ".pt"
    options.curve = stem + ".curve.csv"
    if len({os.path.abspath(p) for p in (options.out, options.checkpoint, options.curve)}) < 3:
        raise Problem("--out and --checkpoint name the same file")
    for path in (options.out, options.checkpoint):
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise Problem("there is no folder for {}".format(path))
    return options


def write_file(path, write):
    """Write a file under another name and rename it, so that a kill leaves the old one whole."""
    temporary = "{}.part".format(path)
    with open(temporary, "wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_checkpoint(path, form):
    """Return a checkpoint that belongs to this form."""
    if not os.path.isfile(path):
        raise Problem("there is no file {}".format(path))
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        checkpoint.update(json.loads(checkpoint.pop("header")))
        theirs = {key: checkpoint["form"][key] for key in FORM}
        checkpoint["architecture"], checkpoint["model"], checkpoint["average"]
    except Exception as error:  # torch raises many kinds for damaged files
        raise Problem("{} is not a checkpoint of train.py ({})".format(path, type(error).__name__))
    for key in FORM:
        if theirs[key] != form[key]:
            raise Problem(
                "{} is of a network with {} {}, but the positions have {}".format(
                    path, key, theirs[key], form[key]
                )
            )
    return checkpoint


def choose_architecture(options, form, checkpoint):
    """Return the architecture: the checkpoint's, if there is one, which options must not contradict."""
    if checkpoint is not None:
        found = checkpoint["architecture"]
        for key in ("hidden", "blocks", "channels", "pooled"):
            wanted = getattr(options, key)
            if wanted is not None and wanted != found.get(key):
                raise Problem(
                    "--{} contradicts the checkpoint, which has {}".format(key, networks.name(found))
                )
        return found
    if options.hidden:
        return {"hidden": options.hidden}
    blocks = options.blocks or 4
    pooled = options.pooled
    if pooled is None:
        pooled = (blocks + 1) // 2 if min(form["height"], form["width"]) >= 7 else 0
    if pooled > (blocks + 1) // 2:
        raise Problem("--pooled {} is more than every other of {} blocks".format(pooled, blocks))
    return {"blocks": blocks, "channels": options.channels or 32, "pooled": pooled}


def learning_rate(progress):
    """Return the share of the highest learning rate: a short rise, then half a cosine down to 0."""
    if progress < WARMUP:
        return progress / WARMUP + 1e-3
    return 0.5 + 0.5 * math.cos(math.pi * min(1.0, (progress - WARMUP) / (1 - WARMUP)))


def turned(tensor, turn):
    """Turn boards by `turn` quarters; from 4 on, mirror them first."""
    if turn >= 4:
        tensor = tensor.flip(-1)
    return torch.rot90(tensor, turn % 4, (-2, -1))


def turned_batch(batch, turn, form):
    """Turn the boards of a batch, and the moves with them."""
    if turn == 0:
        return batch
    height, width = form["height"], form["width"]
    out = dict(batch, planes=turned(batch["planes"], turn).contiguous())
    for name in ("policies", "legal", "move_values"):
        moves = batch[name]
        board = moves[:, : height * width].reshape(-1, height, width)
        out[name] = torch.cat([turned(board, turn).flatten(1), moves[:, height * width :]], 1)
    return out


def losses(outputs, batch, value_mix):
    """Return the loss of policy, value and moves, and the logits of legal moves.

    The loss of moves weighs each visited move by its share in the target plus a small constant, so
    that moves which the search rejected count too.
    """
    logits, value, move_values = (output.float() for output in outputs)
    logits = logits.masked_fill(~batch["legal"], -1e9)
    target = batch["policies"]
    target = target / target.sum(1, keepdim=True).clamp(min=1e-6)
    policy = -(target * F.log_softmax(logits, 1)).sum(1).mean()
    goal = (1 - value_mix) * batch["values"] + value_mix * batch["root_values"]
    value = F.binary_cross_entropy_with_logits(value.squeeze(1), goal)
    visited = ~torch.isnan(batch["move_values"])
    weight = (target + MOVE_FLOOR) * visited
    goal = torch.where(visited, batch["move_values"], torch.full_like(target, 0.5))
    moves = F.binary_cross_entropy_with_logits(move_values, goal, reduction="none")
    moves = (moves * weight).sum() / weight.sum().clamp(min=1e-6)
    return torch.stack([policy, value, moves]), logits


class Trainer:
    """A training run: the network, its average over the last steps, and the optimizer."""

    def __init__(self, options, positions):
        self.options, self.positions, self.form = options, positions, positions.form
        self.device = positions.device
        self.on_gpu = self.device.type == "cuda"
        resumed = options.resume and os.path.exists(options.checkpoint)
        source = options.checkpoint if resumed else options.start
        checkpoint = read_checkpoint(source, self.form) if source else None
        self.architecture = choose_architecture(options, self.form, checkpoint)
        self.choose_turns()
        torch.manual_seed(options.seed)
        self.model = networks.build(self.form, self.architecture).to(self.device)
        self.average = copy.deepcopy(self.model)
        groups = [{"params": [], "weight_decay": options.decay}, {"params": [], "weight_decay": 0.0}]
        for parameter in self.model.parameters():
            groups[parameter.dim() < 2]["params"].append(parameter)
        self.optimizer = torch.optim.AdamW(groups, lr=options.lr)
        self.step, self.seconds, self.before = 0, 0.0, []
        if checkpoint is not None:
            self.restore(checkpoint, resumed, source)
        if self.on_gpu:
            torch.backends.cudnn.benchmark = True
            torch.backends.cudnn.allow_tf32 = True
            self.model = self.model.to(memory_format=torch.channels_last)
            self.average = self.average.to(memory_format=torch.channels_last)
        n = len(positions.training)
        self.batch = min(options.batch, n)
        if self.batch < 2:
            raise Problem("there is a single position to train with, but a step needs two at least")
        self.steps_per_epoch = n // self.batch
        self.steps = None
        if options.epochs is not None:
            self.steps = max(1, round(options.epochs * self.steps_per_epoch))
        self.order, self.order_epoch = None, None

    def choose_turns(self):
        """Keep the symmetries that are asked for, if the form has them."""
        self.turns = TURNS[self.options.symmetries]
        shape = networks.move_planes(self.form)
        is_square = self.form["height"] == self.form["width"]
        encoding = self.form["encoding"]
        kind = encoding.split("/")[0]
        for word in ("misere ", "no-wins "):
            kind = kind[len(word) :] if kind.startswith(word) else kind
        # Games of the user's own may have any symmetries.
        known = "none" if kind in WITHOUT_SYMMETRIES else SYMMETRIES.get(kind, "square")
        if len(self.turns) > len(TURNS[known]):
            allowed = " or ".join(["none"] + ([known] if known != "none" else []))
            raise Problem(
                "--symmetries {} would teach wrong moves of {}: use {}".format(
                    self.options.symmetries, encoding, allowed
                )
            )
        if len(self.turns) > 1 and (shape is None or shape[0] != 1):
            raise Problem("--symmetries needs a game with one logit a cell, perhaps with a pass")
        if len(self.turns) == 8 and not is_square:
            raise Problem("--symmetries square needs a square board")

    def restore(self, checkpoint, resumed, source):
        """Take the weights of a checkpoint, and all the rest if its run goes on."""
        try:
            self.model.load_state_dict(checkpoint["model"])
            self.average.load_state_dict(checkpoint["average"])
            self.before = list(checkpoint["history"])
            if resumed:
                state = dict(self.optimizer.state_dict(), state=checkpoint["optimizer"])
                self.optimizer.load_state_dict(state)
                self.step, self.seconds = checkpoint["step"], checkpoint["seconds"]
                self.before = list(checkpoint["before"])
        except (RuntimeError, ValueError, KeyError) as error:
            raise Problem(
                "{} does not fit this program: {}".format(source, str(error).splitlines()[0])
            )

    def progress(self):
        """Return how much of the run is done, from 0 to 1."""
        if self.steps is not None:
            return min(1.0, self.step / self.steps)
        return min(1.0, self.seconds / (60 * self.options.minutes))

    def generator(self, *address):
        """Return a generator of its own for each address, so that a resumed run is the same run."""
        seed = self.options.seed
        for part in address:
            seed = (seed * 1000003 + part + 12345) % (1 << 62)
        return torch.Generator().manual_seed(seed)

    def next_batch(self):
        """Return the batch of the current step."""
        epoch, i = divmod(self.step, self.steps_per_epoch)
        if epoch != self.order_epoch:
            order = torch.randperm(len(self.positions.training), generator=self.generator(0, epoch))
            self.order = self.positions.training[order.to(self.positions.home)]
            self.order_epoch = epoch
        batch = self.positions.batch(self.order[i * self.batch : (i + 1) * self.batch])
        if len(self.turns) > 1:
            generator = self.generator(1, self.step)
            turn = self.turns[int(torch.randint(len(self.turns), (1,), generator=generator))]
            batch = turned_batch(batch, turn, self.form)
        return batch

    def run_model(self, model, planes):
        """Return the outputs of a model, computed in bfloat16 on a GPU."""
        if not self.on_gpu:
            return model(planes)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return model(planes.contiguous(memory_format=torch.channels_last))

    def train_step(self):
        """Take one step and return its losses, still on the device."""
        options = self.options
        batch = self.next_batch()
        rate = options.lr * learning_rate(self.progress())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        parts, _ = losses(self.run_model(self.model, batch["planes"]), batch, options.value_mix)
        loss = parts[0] + options.value_weight * parts[1] + options.move_weight * parts[2]
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        self.step += 1
        # The average looks back over a ninth of the run so far, and over 1000 steps at most.
        keep = min(MOST_DECAY, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            average, current = list(self.average.parameters()), list(self.model.parameters())
            torch._foreach_mul_(average, keep)
            torch._foreach_add_(average, [p.detach() for p in current], alpha=1 - keep)
        return parts.detach()

    def refresh_average(self):
        """Measure the batch norms of the averaged network, which never trained, on a few batches."""
        norms = [m for m in self.average.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # a plain mean over the batches
        self.average.train()
        n = len(self.positions.training)
        order = torch.randperm(n, generator=self.generator(2))[: 16 * self.batch]
        order = self.positions.training[order.to(self.positions.home)]
        with torch.no_grad():
            for i in range(0, len(order) - self.batch + 1, self.batch):
                planes = self.positions.batch(order[i : i + self.batch])["planes"]
                self.average(planes)
        self.average.eval()

    def validate(self):
        """Return losses, agreement and error of the averaged network on the held-out games."""
        indices = self.positions.validation
        sums = torch.zeros(5, dtype=torch.float64)
        with torch.no_grad():
            for i in range(0, len(indices), 4096):
                chosen = indices[i : i + 4096]
                batch = self.positions.batch(chosen)
                outputs = self.average(batch["planes"])
                parts, logits = losses(outputs, batch, self.options.value_mix)
                agreed = (logits.argmax(1) == batch["policies"].argmax(1)).float().mean()
                value = torch.sigmoid(outputs[1].float().squeeze(1))
                error = (value - batch["values"]).abs().mean()
                row = torch.cat([parts, torch.stack([agreed, error])]).double().cpu()
                sums += row * len(chosen)
        return [float(x) for x in sums / len(indices)]

    def save(self, result, rows):
        """Write the curve, the network and the checkpoint.

        The checkpoint is the last: a run that is killed in between goes on from the one before, and
        writes the others again.
        """
        policy, value, moves, agreement, error = result
        epochs = self.step / self.steps_per_epoch
        here = (
            "{} positions of {} games, {:.4g} epochs, {} steps of {}: policy {:.4f}, value {:.4f}, "
            "moves {:.4f}, agreement {:.3f}, error {:.3f}"
        ).format(
            len(self.positions.training) + len(self.positions.validation),
            self.positions.n_games,
            epochs,
            self.step,
            self.batch,
            policy,
            value,
            moves,
            agreement,
            error,
        )
        history = self.before + [here]
        line = networks.name(self.architecture) + "; " + here
        if self.before:
            line += "; run {}".format(len(history))
        data = onnx_bytes(self.average, self.form, line, self.options.half)
        # All but tensors is JSON: a checkpoint can then be read without running code that it might hold.
        header = {
            "form": {key: self.form[key] for key in FORM + ("game",)},
            "architecture": self.architecture,
            "step": self.step,
            "seconds": self.seconds,
            "before": self.before,
            "history": history,
        }
        checkpoint = {
            "header": json.dumps(header),
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict()["state"],
        }
        text = "\n".join([",".join(COLUMNS)] + rows) + "\n"
        write_file(self.options.curve, lambda file: file.write(text.encode()))
        write_file(self.options.out, lambda file: file.write(data))
        write_file(self.options.checkpoint, lambda file: torch.save(checkpoint, file))

    def rows_so_far(self):
        """Return the lines of the curve of an interrupted run up to this step."""
        rows = []
        if self.step and os.path.exists(self.options.curve):
            with open(self.options.curve, encoding="utf-8") as file:
                for row in file.read().splitlines()[1:]:
                    first = row.split(",")[0]
                    if first.isdigit() and int(first) <= self.step:
                        rows.append(row)
        return rows

    def train(self, say):
        """Train until the end, and save at every tenth of the way, and every minute."""
        rows = self.rows_so_far()
        sums, count = torch.zeros(3, device=self.device), 0
        tenth = int(10 * self.progress())
        clock = saved = time.monotonic()
        self.model.train()
        while self.progress() < 1:
            sums += self.train_step()
            count += 1
            if self.on_gpu and self.step % 50 == 0:
                torch.cuda.synchronize()  # so that clocks count work that is done
            now = time.monotonic()
            self.seconds += now - clock
            clock = now
            if int(10 * self.progress()) == tenth and now - saved < 60:
                continue
            tenth = int(10 * self.progress())
            trained = [float(x) for x in sums / count]
            if not all(math.isfinite(x) for x in trained):
                raise Problem(
                    "the losses are not finite after step {}: a lower --lr helps".format(self.step)
                )
            sums, count = torch.zeros(3, device=self.device), 0
            self.refresh_average()
            result = self.validate()
            epoch = self.step / self.steps_per_epoch
            rate = self.optimizer.param_groups[0]["lr"]
            say(
                "step {:6}  epoch {:6.2f}  {:6.0f} s  train {:.4f} {:.4f} {:.4f}  held out: policy {:.4f}  "
                "value {:.4f}  moves {:.4f}  agreement {:5.1%}  error {:.3f}".format(
                    self.step, epoch, self.seconds, *trained, *result
                )
            )
            row = [self.step, "{:.3f}".format(epoch), "{:.1f}".format(self.seconds), "{:.6f}".format(rate)]
            rows.append(",".join(map(str, row + ["{:.5f}".format(x) for x in trained + result])))
            self.save(result, rows)
            # The clock goes on meanwhile: --minutes is all the time until the end.
            saved = time.monotonic()
        if not os.path.exists(self.options.out):
            self.refresh_average()
            self.save(self.validate(), rows)


def main(arguments=None):
    """Run, and return the exit code."""
    try:
        options = read_options(arguments)
        if options.threads:
            torch.set_num_threads(options.threads)
        positions = Positions(options.folders, options.device)
        trainer = Trainer(options, positions)
        form = positions.form
        print(
            "{} ({}): {} positions to train with, {} held out; {}; {} weights, on {}".format(
                form["game"],
                form["encoding"],
                len(positions.training),
                len(positions.validation),
                networks.name(trainer.architecture),
                sum(p.numel() for p in trainer.model.parameters()),
                options.device,
            ),
            flush=True,
        )
        trainer.train(lambda line: print(line, flush=True))
    except Problem as problem:
        print("error: {}".format(problem), file=sys.stderr)
        return 2
    except OSError as problem:
        print("error: {}".format(problem), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the last interval is saved, and --resume goes on", file=sys.stderr)
        return 130
    print("wrote {}, {} and {}".format(options.out, options.checkpoint, options.curve))
    return 0


if __name__ == "__main__":
    sys.exit(main())
