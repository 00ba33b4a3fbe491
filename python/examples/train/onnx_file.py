"""Writes a trained network as an ONNX file, without the onnx package.

The graph is small on purpose, so that a short program can run it: Conv (with bias and pads), Relu,
Add, GlobalAveragePool, Flatten, Gemm, Concat and Sigmoid. Batch norms are folded into the layers
before them. With half precision every weight is stored as FLOAT16 and followed by a Cast to FLOAT,
so the file is half as large, and the computation stays in single precision.

A message of protocol buffers is a list of fields; a field is its number and kind as one varint, and
then a varint (kind 0) or a length and bytes (kind 2). This is all that ONNX needs here.
"""

import numpy as np
import torch

import model as networks

FLOAT, INT64, FLOAT16 = 1, 7, 10
OPSET, IR_VERSION = 13, 8


def varint(number):
    """Return a number that is not negative as a varint: seven bits a byte, low bits first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """Return a field of a message: a number, a text, or the bytes of another message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    """Return a message of (number, value) pairs."""
    return b"".join(field(number, value) for number, value in fields)


def tensor_type(name, dimensions):
    """Return a ValueInfoProto: a name, FLOAT and a shape. A text is a symbolic dimension."""
    dims = [(1, message((2 if isinstance(d, str) else 1, d))) for d in dimensions]
    return message((1, name), (2, message((1, message((1, FLOAT), (2, message(*dims)))))))


class Graph:
    """A graph that grows node by node. Values are named; every method returns the name of its result."""

    def __init__(self, half):
        self.half = half
        self.nodes, self.initializers = [], []
        self.count = 0

    def node(self, op, inputs, output=None, **attributes):
        """Add a node. An attribute is a number or a list of numbers."""
        if output is None:
            output = "{}_{}".format(op.lower(), self.count)
            self.count += 1
        fields = [(1, name) for name in inputs] + [(2, output), (3, "node_" + output), (4, op)]
        for name, value in attributes.items():
            if isinstance(value, int):
                fields.append((5, message((1, name), (3, value), (20, 2))))
            else:
                fields.append((5, message((1, name), *[(8, v) for v in value], (20, 7))))
        self.nodes.append((1, message(*fields)))
        return output

    def weight(self, name, tensor):
        """Add a constant, as FLOAT16 with a Cast behind it if the graph is in half precision."""
        array = tensor.detach().cpu().double().numpy()
        stored = name + "_half" if self.half else name
        limit = float(np.finfo(np.float16).max)
        raw = np.clip(array, -limit, limit).astype("<f2") if self.half else array.astype("<f4")
        kind = FLOAT16 if self.half else FLOAT
        dims = [(1, d) for d in array.shape]
        self.initializers.append((5, message(*dims, (2, kind), (8, stored), (9, raw.tobytes()))))
        return self.node("Cast", [stored], name, to=FLOAT) if self.half else name

    def conv(self, x, name, weight, bias):
        size = weight.shape[2]
        inputs = [x, self.weight(name + ".weight", weight), self.weight(name + ".bias", bias)]
        return self.node("Conv", inputs, kernel_shape=[size, size], pads=[size // 2] * 4)

    def gemm(self, x, name, weight, bias, output=None):
        """Add a linear layer; its weight is (outputs, inputs), as torch has it."""
        inputs = [x, self.weight(name + ".weight", weight), self.weight(name + ".bias", bias)]
        return self.node("Gemm", inputs, output, transB=1)

    def relu(self, x):
        return self.node("Relu", [x])

    def pooled(self, x):
        """Add the mean of each channel over the board: (N, channels, 1, 1)."""
        return self.node("GlobalAveragePool", [x])

    def flat(self, x, output=None):
        return self.node("Flatten", [x], output, axis=1)


def folded(weight, norm):
    """Return weight and bias of a layer without bias and the batch norm behind it, as one layer."""
    weight, scale = weight.double(), norm.weight.double()
    scale = scale / torch.sqrt(norm.running_var.double() + norm.eps)
    bias = norm.bias.double() - norm.running_mean.double() * scale
    return weight * scale.reshape([-1] + [1] * (weight.dim() - 1)), bias


def add_conv_norm(graph, x, name, layer):
    return graph.conv(x, name, *folded(layer.conv.weight, layer.norm))


def add_pooling(graph, x, name, layer, target):
    """Add the pooling of `x` to the board `target`."""
    bias = graph.conv(graph.pooled(x), name, layer.linear.weight, layer.linear.bias)
    return graph.node("Add", [target, bias])


def add_linear(graph, x, name, layer, output=None):
    return graph.gemm(x, name, layer.weight, layer.bias, output)


def add_move_head(graph, x, name, head, output):
    if head.linear is not None:
        few = graph.relu(add_conv_norm(graph, x, name + ".few", head.few))
        return add_linear(graph, graph.flat(few), name + ".linear", head.linear, output)
    planes = graph.conv(x, name + ".planes", head.planes.weight, head.planes.bias)
    if head.passes is None:
        return graph.flat(planes, output)
    passes = add_linear(graph, graph.flat(graph.pooled(x)), name + ".pass", head.passes)
    return graph.node("Concat", [graph.flat(planes), passes], output, axis=1)


def add_residual(graph, net):
    """Add a residual network; its rewards are still logits."""
    x = graph.relu(add_conv_norm(graph, "planes", "stem", net.stem))
    for i, block in enumerate(net.blocks):
        name = "blocks.{}".format(i)
        y = add_conv_norm(graph, x, name + ".first", block.first)
        if block.pooling is not None:
            y = add_pooling(graph, x, name + ".pooling", block.pooling, y)
        y = add_conv_norm(graph, graph.relu(y), name + ".second", block.second)
        x = graph.relu(graph.node("Add", [x, y]))
    moves = add_conv_norm(graph, x, "moves", net.moves)
    if net.move_pooling is not None:
        moves = add_pooling(graph, x, "move_pooling", net.move_pooling, moves)
    moves = graph.relu(moves)
    add_move_head(graph, moves, "policy", net.policy, "logits")
    few = graph.flat(graph.relu(add_conv_norm(graph, x, "value.few", net.value.few)))
    both = graph.node("Concat", [few, graph.flat(graph.pooled(x))], axis=1)
    hidden = graph.relu(add_linear(graph, both, "value.first", net.value.first))
    add_linear(graph, hidden, "value.second", net.value.second, "value_logit")
    add_move_head(graph, moves, "move_values", net.move_values, "move_value_logits")


def add_fully_connected(graph, net):
    """Add a fully connected network; its rewards are still logits."""
    x = graph.flat("planes")
    for i, layer in enumerate(net.layers):
        weight, bias = folded(layer.linear.weight, layer.norm)
        x = graph.relu(graph.gemm(x, "layers.{}".format(i), weight, bias))
    add_linear(graph, x, "policy", net.policy, "logits")
    add_linear(graph, x, "value", net.value, "value_logit")
    add_linear(graph, x, "move_values", net.move_values, "move_value_logits")


def onnx_bytes(net, form, training, half=False):
    """Return a network as the bytes of an ONNX file. `training` is one line on how it was trained."""
    graph = Graph(half)
    with torch.no_grad():
        is_residual = isinstance(net, networks.ResidualNetwork)
        (add_residual if is_residual else add_fully_connected)(graph, net)
    graph.node("Sigmoid", ["value_logit"], "value")
    graph.node("Sigmoid", ["move_value_logits"], "move_values")
    planes = ["N", form["planes"], form["height"], form["width"]]
    results = [("logits", form["n_logits"]), ("value", 1), ("move_values", form["n_logits"])]
    body = message(
        *graph.nodes,
        (2, "tesuji"),
        *graph.initializers,
        (11, tensor_type("planes", planes)),
        *[(12, tensor_type(name, ["N", n])) for name, n in results],
    )
    properties = {
        "tesuji.encoding": form["encoding"],
        "tesuji.game": form["game"],
        "tesuji.planes": form["planes"],
        "tesuji.height": form["height"],
        "tesuji.width": form["width"],
        "tesuji.logits": form["n_logits"],
        "tesuji.training": training,
    }
    return message(
        (1, IR_VERSION),
        (2, "tesuji"),
        (7, body),
        (8, message((1, ""), (2, OPSET))),
        *[(14, message((1, key), (2, str(value)))) for key, value in properties.items()],
    )
