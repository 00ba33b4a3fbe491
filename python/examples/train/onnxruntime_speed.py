"""Measure how many positions onnxruntime values in a second on one core.

    pip install onnxruntime numpy
    python onnxruntime_speed.py net.onnx

Compare with `cargo run --release -p tesuji-net --example speed -- net.onnx`.
"""

import statistics
import sys
import time

import numpy as np
import onnxruntime

ROUNDS = 5
SECONDS = 0.3


def speed(session, planes):
    """The median of the positions valued in a second."""
    session.run(None, {"planes": planes})
    speeds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        n = 0
        while (elapsed := time.perf_counter() - start) < SECONDS:
            for _ in range(4):
                session.run(None, {"planes": planes})
            n += 4 * len(planes)
        speeds.append(n / elapsed)
    return statistics.median(speeds)


def main():
    if len(sys.argv) != 2:
        sys.exit("onnxruntime_speed.py needs the path of an ONNX file")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
    shape = session.get_inputs()[0].shape[1:]
    line = f"{'onnxruntime':20}"
    for batch in [1, 8, 32]:
        cells = np.arange(batch * int(np.prod(shape)), dtype=np.int64)
        planes = (cells * cells % 7 < 2).astype(np.float32).reshape(batch, *shape)
        line += f"  {batch:2}: {speed(session, planes):9.0f}/s"
    print(line)


if __name__ == "__main__":
    main()
