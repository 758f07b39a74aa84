"""Samples words from a wug model with numpy alone (see docs/model-file.md).

python sample_numpy.py MODEL [COUNT [SEED]]     words, one on each line
python sample_numpy.py MODEL --list             the words that it was trained on, with their counts
python sample_numpy.py MODEL --trace FILE       states and logits for noise given as a JSON list of vectors

MODEL is a model file or the folder of a run.
"""
import json
import math
import pathlib
import sys
import tomllib
import zlib

import numpy as np


def read(path):
    """Metadata and tensors of a safetensors file, or of the model in a run's folder."""
    path = pathlib.Path(path)
    path = path / "model.safetensors" if path.is_dir() else path
    try:
        data = path.read_bytes()
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        metadata, tensors = header.pop("__metadata__"), {}
        for name, info in header.items():
            first, last = (start + offset for offset in info["data_offsets"])
            kind = {"F32": "<f4", "F16": "<f2", "U8": "u1"}[info["dtype"]]
            tensor = np.frombuffer(data[first:last], kind).reshape(info["shape"])
            tensors[name] = tensor.astype(float) if kind != "u1" else tensor.tobytes()
    except OSError as error:
        sys.exit(f"cannot read {path}: {error.strerror}")
    except (ValueError, KeyError):
        sys.exit(f"{path} is not a model file")
    return metadata, tensors


def words(tensors, name="lexicon"):
    """The words that the model was trained on, with their counts; none if it was saved without them."""
    if f"{name}.words" not in tensors:
        return
    coded, counts = (zlib.decompress(tensors[f"{name}.{part}"]) for part in ("words", "counts"))
    word, at, counted = b"", 0, 0
    while at < len(coded):
        end = coded.index(b"\n", at + 1)
        word, at = word[: coded[at]] + coded[at + 1 : end], end + 1
        count, shift = 0, 0
        while counts[counted] >= 128:
            count, shift, counted = count | (counts[counted] & 127) << shift, shift + 7, counted + 1
        count, counted = count | counts[counted] << shift, counted + 1
        yield word.decode(), count


def network(tensors, name, x):
    """Affine layers with tanh between them."""
    x = tensors[f"{name}.0.state"] @ x + tensors[f"{name}.0.bias"]
    layer = 1
    while f"{name}.{layer}.weight" in tensors:
        x = tensors[f"{name}.{layer}.weight"] @ np.tanh(x) + tensors[f"{name}.{layer}.bias"]
        layer += 1
    return x


class Affine:
    """The flows id, add, diag and tril, and copies of them: noise moves the state, the state makes symbols likely."""

    def __init__(self, metadata, tensors, config):
        self.tensors, self.config = tensors, config
        self.start = tensors["generative.start"]
        self.noise_size = len(self.start)

    def step(self, h, x):
        """h_t = F_g(h_{t-1}, x)."""
        copies, _, family = self.config["flow"].rpartition("x")
        names = [f"generative.flow.{i}" for i in range(int(copies))] if copies else ["generative.flow"]
        inverse, delta, d = self.config["direction"] == "inverse", self.config["delta"], len(h)
        for name in reversed(names) if inverse else names:
            if family == "id":
                continue
            shift, matrix = h, np.eye(d)
            if family in ("diag", "tril"):
                out = network(self.tensors, name, h)
                shift, offset = out[:d], np.log(np.expm1(1 - delta))
                matrix = np.diag(delta + np.logaddexp(0, out[d : 2 * d] + offset))
                if family == "tril":
                    matrix[np.tril_indices(d, -1)] = out[2 * d :]
            elif family != "add":
                sys.exit(f"{self.config['flow']}: this example knows choice, id, add, diag and tril")
            x = np.linalg.solve(matrix, x - shift) if inverse else shift + matrix @ x
        return x

    def logits(self, h):
        return self.tensors["generative.emission.weight"] @ h + self.tensors["generative.emission.bias"]


class Choice:
    """The choice flow: the state is (z, m), and the first number of the noise decides in which symbol's cell z falls."""

    def __init__(self, metadata, tensors, config):
        self.tensors = {name.removeprefix("generative.flow."): tensor for name, tensor in tensors.items()}
        self.order, self.config = np.array(json.loads(metadata["cell_order"])), config
        self.start = tensors["generative.start"]
        self.noise_size = len(self.start) if config["memory_noise"] > 0 else 1

    def shares(self, z):
        """e(z): how much of a point belongs to each symbol."""
        shares, cell = np.zeros(len(self.order)), min(int(z), len(self.order) - 1)
        inside, softness = z - cell, self.config["softness"]
        other, distance = (cell - 1, inside) if inside < 0.5 else (cell + 1, 1 - inside)
        if softness > 0 and 0 <= other < len(self.order):
            shares[self.order[other]] = 1 / (1 + math.exp(2 * distance / softness))
        shares[self.order[cell]] = 1 - shares.sum()
        return shares

    def layer(self, name, z, m):
        return self.shares(z) @ self.tensors[f"{name}.seen"] + self.tensors[f"{name}.memory"] @ m

    def hidden(self, name, z, m):
        x, layer = np.tanh(self.layer(f"{name}.0", z, m)), 1
        while f"{name}.{layer}.weight" in self.tensors:
            more = np.tanh(self.affine(f"{name}.{layer}", x))
            x, layer = x + more if len(x) == len(more) else more, layer + 1
        return x

    def affine(self, name, x):
        return self.tensors[f"{name}.weight"] @ x + self.tensors[f"{name}.bias"]

    def probabilities(self, h):
        """pi: the probabilities of the next symbol."""
        z, m = h[0], h[1:]
        logits = self.layer("choice.linear", z, m) + self.tensors["choice.output"] @ self.hidden("choice", z, m)
        p = np.exp(logits - logits.max())
        return p / p.sum()

    def step(self, h, x):
        """h_t = F_g(h_{t-1}, x)."""
        u = 0.5 * math.erfc(-x[0] / math.sqrt(2))
        p = self.probabilities(h)[self.order]
        ends = p.cumsum()
        cell = min(int(np.searchsorted(ends, u, side="right")), len(p) - 1)
        z = cell + min((u - ends[cell] + p[cell]) / p[cell], 1 - 1e-9)
        hidden = self.hidden("memory", z, h[1:])
        new, gate = np.tanh(self.affine("memory.new", hidden)), 1 / (1 + np.exp(-self.affine("memory.gate", hidden)))
        m, least = new + gate * (h[1:] - new), self.config["memory_noise"]
        if least > 0:
            m = m + (least + np.logaddexp(0, self.affine("memory.scale", hidden) + np.log(np.expm1(least)))) * x[1:]
        return np.concatenate([[z], m])

    def logits(self, h):
        shares = self.shares(h[0])
        return np.where(shares > 0, np.log(np.where(shares > 0, shares, 1)), -1e4)


def load(path):
    """A model that makes states from noise, and its letters, of which the first is the end of the word."""
    metadata, tensors = read(path)
    if metadata.get("format_version") != "3":
        sys.exit(f"{path} is not a model file that this example knows")
    try:
        config = tomllib.loads(metadata["config"])["model"]
        letters = [""] + json.loads(metadata["alphabet"])
    except (KeyError, ValueError):
        sys.exit(f"{path} is not a whole model file")
    if config["kind"] != "state-space":
        sys.exit(f"{path} is a recurrent baseline: this example knows models that make words from noise")
    family = Choice if config["generative"]["flow"] == "choice" else Affine
    return family(metadata, tensors, config["generative"]), letters


def read_noise(arguments, size):
    """The noise of each step, from a file."""
    if len(arguments) != 1:
        sys.exit("--trace takes the name of a file")
    try:
        noise = [np.array(step, float) for step in json.loads(pathlib.Path(arguments[0]).read_text())]
    except OSError as error:
        sys.exit(f"cannot read {arguments[0]}: {error.strerror}")
    except (ValueError, TypeError):
        sys.exit(f"{arguments[0]} is not a JSON list of vectors")
    if any(step.shape != (size,) or not np.isfinite(step).all() for step in noise):
        sys.exit(f"{arguments[0]}: expected vectors of {size} finite numbers")
    return noise


def main(*arguments):
    if not arguments or arguments[0] in ("-h", "--help") or len(arguments) > 3:
        sys.exit(__doc__)
    if arguments[1:] == ("--list",):
        for word, count in words(read(arguments[0])[1]):
            print(word, count, sep="\t")
        return None
    model, letters = load(arguments[0])
    if arguments[1:2] == ("--trace",):
        h, trace = model.start, {"states": [], "logits": []}
        for noise in read_noise(arguments[2:], model.noise_size):
            h = model.step(h, noise)
            trace["states"].append(h.tolist())
            trace["logits"].append(model.logits(h).tolist())
        return print(json.dumps(trace))
    try:
        count, seed = (int(x) for x in (*arguments[1:], *("10", "1")[len(arguments) - 1 :]))
    except ValueError:
        sys.exit("COUNT and SEED are whole numbers")
    if count < 0 or seed < 0:
        sys.exit("COUNT and SEED are not negative")
    random = np.random.default_rng(seed)
    for _ in range(count):
        h, word, symbol = model.start, "", None
        while symbol != 0 and len(word) < 60:
            h = model.step(h, random.standard_normal(model.noise_size))
            logits = model.logits(h)
            p = np.exp(logits - logits.max())
            symbol = random.choice(len(p), p=p / p.sum())
            word += letters[symbol]
        print(word)


if __name__ == "__main__":
    main(*sys.argv[1:])
