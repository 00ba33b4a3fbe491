"""Small networks that value a position and its moves.

A network reads the planes of a position, (N, planes, height, width), and answers three things: a
logit of every move, the expected reward of the side to move, and the expected reward after every
move. While it is trained, both rewards are logits too: their sigmoid is in the exported file.

There are two kinds. A residual network suits boards: every block has two 3x3 convolutions, and a
block with pooling adds to each channel a number that depends on the means of all channels over the
board, so that one corner knows of the other. A fully connected network suits very small boards.

Every batch norm follows a convolution or a linear layer directly, so the exported file has none.
"""

import torch
from torch import nn


def move_planes(form):
    """Return (planes, passes) if the logits are planes of the board, perhaps with a pass, else None."""
    cells = form["height"] * form["width"]
    for passes in (0, 1):
        planes, rest = divmod(form["n_logits"] - passes, cells)
        if planes > 0 and rest == 0:
            return planes, passes
    return None


class ConvNorm(nn.Module):
    """A convolution that keeps the size of the board, with its batch norm."""

    def __init__(self, n_in, n_out, size):
        super().__init__()
        self.conv = nn.Conv2d(n_in, n_out, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(n_out)

    def forward(self, x):
        return self.norm(self.conv(x))


class Pooling(nn.Module):
    """A number for each channel, linear in the means of all channels over the board.

    It is a 1x1 convolution of a 1x1 board, so that its result can be added to a board as it is.
    """

    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Conv2d(n_in, n_out, 1)

    def forward(self, x):
        return self.linear(x.mean((2, 3), keepdim=True))


class Block(nn.Module):
    """A residual block: relu(x + conv(relu(conv(x) + pooling(x))))."""

    def __init__(self, channels, pooling):
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        # Blocks begin as almost the identity, which makes the first steps calm.
        nn.init.constant_(self.second.norm.weight, 0.2)
        self.pooling = Pooling(channels, channels) if pooling else None

    def forward(self, x):
        y = self.first(x)
        if self.pooling is not None:
            y = y + self.pooling(x)
        return torch.relu(x + self.second(torch.relu(y)))


class MoveHead(nn.Module):
    """Numbers for all moves: planes of the board, perhaps with a pass, or else a linear layer."""

    def __init__(self, form, channels):
        super().__init__()
        shape = move_planes(form)
        self.planes = self.passes = self.few = self.linear = None
        if shape is None:
            self.few = ConvNorm(channels, 8, 1)
            self.linear = nn.Linear(8 * form["height"] * form["width"], form["n_logits"])
        else:
            self.planes = nn.Conv2d(channels, shape[0], 1)
            if shape[1]:
                self.passes = nn.Linear(channels, 1)

    def forward(self, x):
        if self.linear is not None:
            return self.linear(torch.relu(self.few(x)).flatten(1))
        moves = self.planes(x).flatten(1)
        if self.passes is None:
            return moves
        return torch.cat([moves, self.passes(x.mean((2, 3)))], 1)


class ValueHead(nn.Module):
    """One number, from a few planes and from the means of all channels."""

    FEW, WIDE = 4, 64

    def __init__(self, form, channels):
        super().__init__()
        self.few = ConvNorm(channels, self.FEW, 1)
        self.first = nn.Linear(self.FEW * form["height"] * form["width"] + channels, self.WIDE)
        self.second = nn.Linear(self.WIDE, 1)

    def forward(self, x):
        few = torch.relu(self.few(x)).flatten(1)
        both = torch.cat([few, x.mean((2, 3))], 1)
        return self.second(torch.relu(self.first(both)))


class ResidualNetwork(nn.Module):
    """A tower of residual blocks. `pooled` counts the blocks with pooling: the last one, the third
    last, and so on."""

    def __init__(self, form, blocks, channels, pooled):
        super().__init__()
        self.stem = ConvNorm(form["planes"], channels, 3)
        last = blocks - 1
        chosen = [last - 2 * i for i in range(pooled) if last - 2 * i >= 0]
        self.blocks = nn.ModuleList(Block(channels, i in chosen) for i in range(blocks))
        self.moves = ConvNorm(channels, channels, 1)
        self.move_pooling = Pooling(channels, channels) if pooled else None
        self.policy = MoveHead(form, channels)
        self.move_values = MoveHead(form, channels)
        self.value = ValueHead(form, channels)

    def forward(self, planes):
        x = torch.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        moves = self.moves(x)
        if self.move_pooling is not None:
            moves = moves + self.move_pooling(x)
        moves = torch.relu(moves)
        return self.policy(moves), self.value(x), self.move_values(moves)


class LinearNorm(nn.Module):
    """A linear layer with its batch norm."""

    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out, bias=False)
        self.norm = nn.BatchNorm1d(n_out)

    def forward(self, x):
        return self.norm(self.linear(x))


class FullyConnectedNetwork(nn.Module):
    """Hidden layers of one width over all numbers of all planes."""

    def __init__(self, form, width, layers):
        super().__init__()
        sizes = [form["planes"] * form["height"] * form["width"]] + [width] * layers
        self.layers = nn.ModuleList(LinearNorm(a, b) for a, b in zip(sizes, sizes[1:]))
        self.policy = nn.Linear(width, form["n_logits"])
        self.value = nn.Linear(width, 1)
        self.move_values = nn.Linear(width, form["n_logits"])

    def forward(self, planes):
        x = planes.flatten(1)
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.policy(x), self.value(x), self.move_values(x)


def build(form, architecture):
    """Return a new network. `architecture` is {"hidden": [width, layers]}, or {"blocks", "channels",
    "pooled"}."""
    if "hidden" in architecture:
        return FullyConnectedNetwork(form, *architecture["hidden"])
    return ResidualNetwork(
        form, architecture["blocks"], architecture["channels"], architecture["pooled"]
    )


def name(architecture):
    """Return the architecture in words."""
    if "hidden" in architecture:
        return "fully connected {}x{}".format(*architecture["hidden"])
    words = "{blocks} {} of {channels} channels, {pooled} with pooling"
    return words.format("block" if architecture["blocks"] == 1 else "blocks", **architecture)
