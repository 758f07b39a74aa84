"""Samples words from a wug model with numpy alone (see docs/model-file.md).

python sample_numpy.py MODEL [COUNT [SEED]]     words, one on each line
python sample_numpy.py MODEL --list             the words that it was trained on, with their counts
python sample_numpy.py MODEL --trace FILE       states and logits for noise given as a JSON list of vectors

MODEL is a model file or the folder of a run.
"""
import contextlib
import json
import math
import os
import pathlib
import sys
import unicodedata
import zlib

try:
    import tomllib

    import numpy as np
except ModuleNotFoundError as missing:
    sys.exit(f"error: there is no {missing.name}: use Python 3.11 or newer, and `python3 -m pip install numpy`")


@contextlib.contextmanager
def blame(message):
    """Ends with one line, the message and the reason, when what a file holds leads to an error.

    The functions below read a file as if it were right, and `check` what would go wrong unnoticed.
    """
    try:
        yield
    except (OSError, UnicodeEncodeError):
        raise  # Not the file, but standard output: see the end.
    except KeyError as error:
        sys.exit(f"error: {message}: {error} is missing")
    except Exception as error:
        sys.exit(f"error: {message}: {error}")


def check(right, reason):
    if not right:
        raise ValueError(reason)


def read_bytes(path):
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        sys.exit(f"error: cannot read {path}: {error.strerror}")


def read(path):
    """Metadata and tensors of a safetensors file, or of the model in a run's folder."""
    data = read_bytes(os.path.join(path, "model.safetensors") if os.path.isdir(path) else path)
    with blame(f"{path} is not a model file"):
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        check(isinstance(header, dict), "its header is not a JSON object")
        metadata, tensors = header.pop("__metadata__"), {}
        check(isinstance(metadata, dict), "its metadata are not a JSON object")
        check(metadata["format_version"] == "4", "this example knows version 4 of the format")
        for name, info in header.items():
            first, last = (start + offset for offset in info["data_offsets"])
            kind = {"F32": "<f4", "F16": "<f2", "U8": "u1"}.get(info["dtype"])
            check(kind, f"{name!r} is not F32, F16 or U8")
            tensor = np.frombuffer(data[first:last], kind).reshape(info["shape"])
            check(np.isfinite(tensor).all(), f"{name!r} has numbers that are not finite")
            tensors[name] = tensor.astype(float) if kind != "u1" else tensor.tobytes()
    return metadata, tensors


def read_list(metadata, key):
    """A list from the metadata."""
    try:
        found = json.loads(metadata[key])
    except ValueError:
        found = None
    check(isinstance(found, list), f"{key} is not a JSON list")
    return found


def check_setting(config, key, most):
    check(type(config[key]) in (int, float) and 0 <= config[key] <= most, f"{key} is not a number from 0 to {most}")


def unpack(stream):
    """The content of a zlib stream, which may be 16 MiB long, or 64 times as long as the stream."""
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(stream, max(16 << 20, 64 * len(stream)))
    check(unpacking.eof, "a stream that is cut off, or unpacks to too much")
    return content


def words(tensors, name="lexicon"):
    """The words that the model was trained on, with their counts; none if it was saved without them."""
    if f"{name}.words" not in tensors:
        return
    coded, counts = (unpack(tensors[f"{name}.{part}"]) for part in ("words", "counts"))
    word, at, counted = b"", 0, 0
    while at < len(coded):
        end = coded.index(b"\n", at + 1)
        word, at = word[: coded[at]] + coded[at + 1 : end], end + 1
        count, shift = 0, 0
        while counts[counted] >= 128:
            check(shift < 63, "a count that does not fit into 64 bits")
            count, shift, counted = count | (counts[counted] & 127) << shift, shift + 7, counted + 1
        count, counted = count | counts[counted] << shift, counted + 1
        yield word.decode(), count


def network(tensors, name, hidden, x):
    """Affine layers with tanh between them; `hidden` has the sizes of all but the last."""
    x = tensors[f"{name}.0.state"] @ x + tensors[f"{name}.0.bias"]
    for layer in range(1, len(hidden) + 1):
        x = tensors[f"{name}.{layer}.weight"] @ np.tanh(x) + tensors[f"{name}.{layer}.bias"]
    return x


class Affine:
    """The paper's model with the flows id, add, diag and tril, and copies of them: noise moves the state, the state makes symbols likely."""

    def __init__(self, metadata, tensors, config, symbols):
        self.tensors, self.config = tensors, config["generative"]
        config = self.config
        self.start = tensors["generative.start"]
        self.noise_size = len(self.start)
        copies, _, self.family = config["flow"].rpartition("x")
        known = self.family in ("id", "add", "diag", "tril")
        check(known, f"its flow is {config['flow']!r}: this example knows id, add, diag and tril")
        check(not copies or 1 <= int(copies) <= 64, "flow is not 1 to 64 copies")
        self.names = [f"generative.flow.{i}" for i in range(int(copies))] if copies else ["generative.flow"]
        check(config["direction"] in ("forward", "inverse"), "direction is not forward or inverse")
        check_setting(config, "delta", 0.5)

    def step(self, h, seen, x, u):
        """h_t = F_g(h_{t-1}, x), the logits of the symbol, and the symbol that u picks."""
        h = self.transition(h, x)
        logits = self.tensors["generative.emission.weight"] @ h + self.tensors["generative.emission.bias"]
        return h, logits, pick(logits, range(len(logits)), u)

    def transition(self, h, x):
        inverse, delta, d = self.config["direction"] == "inverse", self.config["delta"], len(h)
        for name in reversed(self.names) if inverse else self.names:
            if self.family == "id":
                continue
            shift, matrix = h, np.eye(d)
            if self.family in ("diag", "tril"):
                out = network(self.tensors, name, self.config["hidden"], h)
                shift, offset = out[:d], np.log(np.expm1(1 - delta))
                matrix = np.diag(delta + np.logaddexp(0, out[d : 2 * d] + offset))
                if self.family == "tril":
                    matrix[np.tril_indices(d, -1)] = out[2 * d :]
            x = np.linalg.solve(matrix, x - shift) if inverse else shift + matrix @ x
        return x


def first_random(seed, purpose, keys):
    """The first 64 random bits of ChaCha with 8 rounds for each key, whose 32 bytes are seed, purpose and key."""
    raw = b"".join(seed.to_bytes(8, "little") + purpose + key.to_bytes(16, "little") for key in keys)
    words = np.frombuffer(raw, "<u4").reshape(len(keys), 8).T
    constant = np.frombuffer(b"expand 32-byte k", "<u4")[:, None].repeat(len(keys), 1)
    start = np.concatenate([constant, words, np.zeros((4, len(keys)), "u4")]).astype("u4")
    x = start.copy()
    for turn in range(8):
        for i in range(4):
            a, b, c, d = i, *(4 * row + (i + (row if turn % 2 else 0)) % 4 for row in (1, 2, 3))
            for to, by, mixed, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] += x[by]
                x[mixed] ^= x[to]
                x[mixed] = x[mixed] << np.uint32(bits) | x[mixed] >> np.uint32(32 - bits)
    x += start
    return x[0].astype("u8") | x[1].astype("u8") << np.uint64(32)


def training_part(listed, seed):
    """The words that a model learnt: all but the tenth with the smallest random numbers."""

    def key(word):
        value = 0x6C62272E07BB014262B821756295C58D
        for byte in word.encode():
            value = (value ^ byte) * 0x0000000001000000000000000000013B % (1 << 128)
        return value

    random = first_random(seed, b"types\0\0\0", [key(word) for word, _ in listed])
    ordered = sorted(range(len(listed)), key=lambda index: (random[index], listed[index][0]))
    held_out = (len(listed) + 5) // 10
    return [listed[index] for index in ordered[held_out:] or ordered]


class Counts:
    """How often each symbol follows each context in the list, and the gate that mixes that with the network."""

    def __init__(self, tensors, config, data, letters):
        self.order = config["order"]
        part = ("hidden", "hidden.bias", "linear", "output", "bias")
        self.gate = [tensors[f"counts.gate.{name}"] for name in part]
        check(data["split"] == "types", "it counts a list that is divided by tokens, which this example does not do")
        self.contexts = {}
        symbol_of = {unicodedata.normalize("NFC", letter): symbol for symbol, letter in enumerate(letters)}
        longest = max(map(len, letters))
        for word, count in training_part(list(words(tensors)), data["split_seed"]):
            text, at, word = [0], 0, unicodedata.normalize("NFC", word)
            while at < len(word):
                size = next((size for size in range(longest, 0, -1) if word[at : at + size] in symbol_of), 0)
                check(size, f"its list has {word!r}, which is not of its letters")
                text, at = text + [symbol_of[word[at : at + size]]], at + size
            weight = 1 if data["weighting"] == "types" else count
            for end in range(1, len(text) + 1):
                for length in range(min(self.order, end + 1)):
                    followers = self.contexts.setdefault(tuple(text[end - length : end]), {})
                    follower = text[end] if end < len(text) else 0
                    followers[follower] = followers.get(follower, 0) + weight

    def mix(self, seen, p):
        """The network's probabilities p, mixed with those of the contexts that the symbols seen so far end with."""
        found = [self.contexts[()]]
        while len(found) < self.order and len(found) <= len(seen):
            longer = self.contexts.get(tuple(seen[-len(found) :]))
            if longer is None:
                break
            found.append(longer)
        known = np.array([[sum(followers.values()), len(followers)] for followers in found], float)
        missing = self.order - len(known)
        # The whole beginning of the word stands for the longer contexts, too.
        more = known[-1:] if len(found) == len(seen) + 1 else np.zeros((1, 2))
        known = np.concatenate([known, more.repeat(missing, 0)])
        share = known[:, 0] / np.maximum(known.sum(1), 1)
        left = np.append(np.cumprod(1 - share[:0:-1])[::-1], 1)
        prior = np.concatenate([[1], left[:1], left[1:] * share[1:]])
        features = (np.log1p(known) / 4).T.ravel()
        hidden, hidden_bias, linear, output, bias = self.gate
        learnt = linear @ features + output @ np.tanh(hidden @ features + hidden_bias) + bias
        weights = np.exp(learnt - learnt.max()) * np.maximum(prior, 1e-9)
        weights /= weights.sum()
        mixed = weights[0] * p
        for order, followers in enumerate(found):
            last = order + 1 == len(found)
            weight = weights[order + 1 :].sum() if last else weights[order + 1]
            for symbol, count in followers.items():
                mixed[symbol] += weight * count / known[order, 0]
        return mixed


class Choice:
    """The choice flow: noise picks the symbol, and the symbol moves the state, which is called the memory."""

    def __init__(self, metadata, tensors, config, symbols):
        self.order = read_list(metadata, "cell_order")
        whole = all(type(symbol) is int for symbol in self.order) and sorted(self.order) == list(range(symbols))
        check(whole, f"cell_order does not have each of the numbers 0 to {symbols - 1} once")
        self.networks = [Network(tensors, config["generative"], number) for number in range(config["networks"])]
        self.start, self.noise_size = np.concatenate([network.start for network in self.networks]), 1
        letters = [""] + read_list(metadata, "alphabet")
        mixed = config["counts"]["order"] > 0 and "lexicon.words" in tensors
        data = tomllib.loads(metadata["config"])["data"]
        self.counts = Counts(tensors, config["counts"], data, letters) if mixed else None

    def step(self, m, seen, x, u):
        """The next memory, the logits of the symbol, and the symbol that the noise picks; u does nothing."""
        memories = np.split(m, len(self.networks))
        logits = sum(network.logits(seen[-1], m) for network, m in zip(self.networks, memories)) / len(memories)
        if self.counts:
            p = np.exp(logits - logits.max())
            logits = np.log(self.counts.mix(seen, p / p.sum()))
        symbol = pick(logits, self.order, 0.5 * math.erfc(-x[0] / math.sqrt(2)))
        new = [network.next(symbol, m) for network, m in zip(self.networks, memories)]
        return np.concatenate(new), logits, symbol


class Network:
    """One of the networks whose logits are averaged."""

    def __init__(self, tensors, config, number):
        prefix = f"networks.{number}." if number else ""
        self.start, self.config = tensors[f"{prefix}generative.start"], config
        prefix += "generative.flow."
        self.tensors = {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}

    def layer(self, name, last, m):
        return self.tensors[f"{name}.seen"][last] + self.tensors[f"{name}.memory"] @ m

    def hidden(self, name, last, m):
        x = np.tanh(self.layer(f"{name}.0", last, m))
        for layer in range(1, len(self.config["choice_hidden" if name == "choice" else "hidden"])):
            more = np.tanh(self.affine(f"{name}.{layer}", x))
            x = x + more if len(x) == len(more) else more
        return x

    def affine(self, name, x):
        return self.tensors[f"{name}.weight"] @ x + self.tensors[f"{name}.bias"]

    def logits(self, last, m):
        return self.layer("choice.linear", last, m) + self.tensors["choice.output"] @ self.hidden("choice", last, m)

    def next(self, symbol, m):
        hidden = self.hidden("memory", symbol, m)
        new, gate = np.tanh(self.affine("memory.new", hidden)), 1 / (1 + np.exp(-self.affine("memory.gate", hidden)))
        return new + gate * (m - new)


def pick(logits, order, u):
    """The symbol whose part of the unit interval the number u falls into, when their parts lie side by side in some order."""
    p = np.exp(logits - logits.max())[list(order)]
    return order[min(int(np.searchsorted(p.cumsum() / p.sum(), u, side="right")), len(p) - 1)]


def load(path):
    """A model that makes states from noise, and its letters, of which the first is the end of the word."""
    metadata, tensors = read(path)
    with blame(f"{path} is not a model that this example can use"):
        config = tomllib.loads(metadata["config"])["model"]
        family = {"choice": Choice, "state-space": Affine}.get(config["kind"])
        check(family, "a recurrent baseline does not make words from noise")
        letters = [""] + read_list(metadata, "alphabet")
        check(all(isinstance(letter, str) and letter for letter in letters[1:]), "alphabet has what is not a letter")
        model = family(metadata, tensors, config, len(letters))
        # One step uses all tensors: it shows that none is missing, and that they fit together.
        size = (config["state"] - 1) * config["networks"] if family is Choice else config["state"]
        check(model.start.shape == (size,), "generative.start does not have the size of the state")
        h, logits, _ = follow(model, model.start, [0], np.zeros(model.noise_size), 0.5)
        check(h.shape == model.start.shape, "a step changes the size of the state")
        check(logits.shape == (len(letters),), "there is not one logit for each symbol")
    return model, letters


def follow(model, h, seen, noise, u):
    """The next state, the logits of its symbol, and the symbol, from a state and the symbols seen so far, the end of the word before first."""
    with np.errstate(all="ignore"):
        h, logits, symbol = model.step(h, seen, noise, u)
    check(np.isfinite(h).all() and np.isfinite(logits).all(), "its states become too large to be computed")
    return h, logits, symbol


def read_noise(path, size):
    """The noise of each step, from a file."""
    data = read_bytes(path)
    with blame(f"{path} is not a JSON list of vectors"):
        steps = json.loads(data)
        check(isinstance(steps, list), "it is not a list")
        noise = [np.array(step, float) for step in steps]
        right = all(step.shape == (size,) and np.isfinite(step).all() for step in noise)
        check(right, f"expected vectors of {size} finite numbers")
    return noise


def make_word(model, letters, random):
    h, seen = model.start, [0]
    while len(seen) <= 60:
        h, _, symbol = follow(model, h, seen, random.standard_normal(model.noise_size), random.random())
        if symbol == 0:
            break
        seen.append(symbol)
    return "".join(letters[symbol] for symbol in seen)


def wrong_usage(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def main(*arguments):
    if arguments[:1] in (("-h",), ("--help",)):
        return print(__doc__)
    if not 1 <= len(arguments) <= 3:
        wrong_usage(__doc__)
    path, *rest = arguments
    if rest == ["--list"]:
        _, tensors = read(path)
        with blame(f"the list in {path} is damaged"):
            for word, count in words(tensors):
                print(word, count, sep="\t")
        return None
    if rest[:1] == ["--trace"]:
        if len(rest) != 2:
            wrong_usage("error: --trace takes the name of a file")
        model, _ = load(path)
        h, seen, trace = model.start, [0], {"states": [], "logits": []}
        with blame(f"{path} cannot follow this noise"):
            for noise in read_noise(rest[1], model.noise_size):
                h, logits, symbol = follow(model, h, seen, noise, 1.0)
                seen.append(symbol)
                trace["states"].append(h.tolist())
                trace["logits"].append(logits.tolist())
        return print(json.dumps(trace))
    try:
        count, seed = (int(x) for x in (*rest, *("10", "1")[len(rest) :]))
    except ValueError:
        wrong_usage("error: COUNT and SEED are whole numbers")
    if count < 0 or seed < 0:
        wrong_usage("error: COUNT and SEED are not negative")
    model, letters = load(path)
    random = np.random.default_rng(seed)
    with blame(f"{path} cannot make words"):
        for _ in range(count):
            print(make_word(model, letters, random))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
        print(end="", flush=True)
    except (OSError, UnicodeEncodeError) as error:
        # What is left cannot be written either: Python would try when it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(0)  # Whoever reads has enough, as with `wug`.
        sys.exit(f"error: cannot write to standard output: {getattr(error, 'strerror', error)}")
