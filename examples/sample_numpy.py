"""Samples words from a wug model file with numpy alone (see docs/model-file.md).

python sample_numpy.py MODEL [COUNT [SEED]]     words, one on each line
python sample_numpy.py MODEL --trace FILE       states and logits for noise given as a JSON list of vectors
"""
import json
import sys
import tomllib

import numpy as np


def read(path):
    """Metadata and tensors of a safetensors file."""
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata, tensors = header.pop("__metadata__"), {}
    for name, info in header.items():
        first, last = (start + offset for offset in info["data_offsets"])
        tensors[name] = np.frombuffer(data[first:last], "<f4").reshape(info["shape"]).astype(float)
    return metadata, tensors


def network(tensors, name, x):
    """Affine layers with tanh between them."""
    x = tensors[f"{name}.0.state"] @ x + tensors[f"{name}.0.bias"]
    layer = 1
    while f"{name}.{layer}.weight" in tensors:
        x = tensors[f"{name}.{layer}.weight"] @ np.tanh(x) + tensors[f"{name}.{layer}.bias"]
        layer += 1
    return x


def transition(tensors, config, h, x):
    """h_t = F_g(h_{t-1}, x)."""
    copies, _, family = config["flow"].rpartition("x")
    names = [f"generative.flow.{i}" for i in range(int(copies))] if copies else ["generative.flow"]
    inverse, d = config["direction"] == "inverse", len(h)
    for name in reversed(names) if inverse else names:
        if family == "id":
            continue
        shift, matrix = h, np.eye(d)
        if family in ("diag", "tril"):
            out = network(tensors, name, h)
            shift, offset = out[:d], np.log(np.expm1(1 - config["delta"]))
            matrix = np.diag(config["delta"] + np.logaddexp(0, out[d : 2 * d] + offset))
            if family == "tril":
                matrix[np.tril_indices(d, -1)] = out[2 * d :]
        elif family != "add":
            sys.exit(f"{config['flow']}: this example knows id, add, diag and tril")
        x = np.linalg.solve(matrix, x - shift) if inverse else shift + matrix @ x
    return x


def main(path, *arguments):
    metadata, tensors = read(path)
    config = tomllib.loads(metadata["config"])["model"]["generative"]
    letters = [""] + json.loads(metadata["alphabet"])
    start, weight = tensors["generative.start"], tensors["generative.emission.weight"]
    bias = tensors["generative.emission.bias"]
    if arguments[:1] == ("--trace",):
        h, trace = start, {"states": [], "logits": []}
        for noise in json.load(open(arguments[1])):
            h = transition(tensors, config, h, np.array(noise))
            trace["states"].append(h.tolist())
            trace["logits"].append((weight @ h + bias).tolist())
        return print(json.dumps(trace))
    count, seed = (int(x) for x in (*arguments, *("10", "1")[len(arguments) :]))
    random = np.random.default_rng(seed)
    for _ in range(count):
        h, word, symbol = start, "", None
        while symbol != 0 and len(word) < 60:
            h = transition(tensors, config, h, random.standard_normal(len(h)))
            logits = weight @ h + bias
            p = np.exp(logits - logits.max())
            symbol = random.choice(len(p), p=p / p.sum())
            word += letters[symbol]
        print(word)


if __name__ == "__main__":
    main(*sys.argv[1:])
