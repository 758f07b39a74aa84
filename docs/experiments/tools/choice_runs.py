"""Trains the models of docs/experiments/0004-choice-flow.md, measures them and prints the tables.

    python docs/experiments/tools/choice_runs.py [--wug PROGRAM] [-o FOLDER] [--threads 1] [--seeds N] [GROUP…]

Without groups it makes all of them: an hour on one core. Figures go to docs/experiments/0004-runs.tsv, one line a run; what is there already is not made
again, so it can be stopped and started, and the tables come from the file alone once it is complete. A figure is the cross entropy of the test part in nats per word: exact over all words
where the memory is deterministic and the edges are hard, by a particle filter with 64 particles over all words elsewhere. Rows with several seeds end with their mean and standard deviation.
"""
import argparse
import hashlib
import json
import statistics
import struct
import subprocess
import tempfile
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "0004-runs.tsv"
SHORT = ["--words", "1500000", "--set", "patience=0"]
TYPES = ["--weighting", "types", "--set", "split=types", "--set", "dropout=0.05"]
D16 = ["--preset", "choice-d16"]


def settings(*pairs):
    return [part for pair in pairs for part in ("--set", pair)]


def short(name, *arguments, seeds=(1, 2, 3), preset="default"):
    return name, ["--preset", preset, *SHORT, *arguments], seeds


def stages(name, *softness, seeds=(1, 2)):
    """Three trainings of 500,000 words, each from the one before, with edges of their own."""
    train = ["--words", "500000", *settings("patience=0")]
    first = ["--preset", "default", *train, *settings(f"softness={softness[0]}")]
    again = ["--weighting", "tokens", *train, *settings("split=tokens", "learning_rate=0.003", "batch=256", "dropout=0")]
    return name, [first, *([str(float(own)), *again] for own in softness[1:])], seeds


def measured_with(softness, row):
    """The same models with other edges: `softness` is that of the measurement."""
    name, command, seeds = row
    return f"{name}, measured with {'hard edges' if softness == '0.0' else 'softness 1/300'}", command, seeds, softness


def noisy(noise, memory, particles):
    return settings(f"memory_noise={noise}", f"inference.memory={memory}", f"particles={particles}")


def gru(size):
    """As many parameters as a choice flow, with its settings of training."""
    return settings("kind=gru", f"state={size}")


def memories(kind, *arguments, slow=(1, 2, 3)):
    rows = [short(f"d = 16, {kind}, deterministic", *arguments, preset="choice-d16")]
    for noise in (0.01, 0.05):
        for memory, particles in (("prior", 1), ("network", 1), ("prior", 10), ("network", 10)):
            name = f"d = 16, {kind}, noise {noise}, from the {memory}, K = {particles}"
            seeds = (1, 2, 3) if particles == 1 else slow
            rows.append(short(name, *arguments, *noisy(noise, memory, particles), seeds=seeds, preset="choice-d16"))
    return rows


SOFT = {own: short(f"softness {name}", *settings(f"softness={own}"), seeds=(1, 2)) for own, name in (("0.00333333", "1/300"), ("0.02", "1/50"))}
GROUPS = {
    "seeds": [short("default"), short("teacher-forced", preset="teacher-forced-d32")],
    "full": [("default, 8 M words", ["--preset", "default"], (1, 2, 3)), ("teacher-forced, 8 M words", ["--preset", "teacher-forced-d32"], (1, 2, 3))],
    "softness": [
        short("hard edges"),
        *SOFT.values(),
        measured_with("0.0", SOFT["0.00333333"]),
        measured_with("0.00333333", SOFT["0.02"]),
        measured_with("0.0", SOFT["0.02"]),
    ],
    "growing": [stages("hard edges in three stages", 0, 0, 0), stages("softness 1/50, 1/300, hard", 0.02, 0.00333333, 0)],
    "parameters": [
        *(short(f"choice, d = {size}", preset=f"choice-d{size}") for size in (8, 16, 32)),
        *(short(f"teacher-forced, d = {size}", *settings("kind=teacher-forced"), preset=f"choice-d{size}") for size in (8, 16)),
        *(short(f"GRU, d = {size}", *gru(size)) for size in (40, 44, 81)),
        *(short(f"GRU, d = {size}, learning rate 0.006", *gru(size), *settings("learning_rate=0.006")) for size in (40, 44, 81)),
    ],
    "depth": [
        short("g: 266; A: 128", *settings("generative.hidden=[266]")),
        short("g: 128, 128; A: 128"),
        short("g: 99, 99, 99; A: 128", *settings("generative.hidden=[99, 99, 99]")),
        short("g: 128, 128; A: 70, 70", *settings("choice_hidden=[70, 70]")),
    ],
    "memory": memories("tokens", slow=(1,)),
    "schedule": [
        *(short(f"learning rate {rate}", *settings(f"learning_rate={rate}"), seeds=(1, 2)) for rate in (0.0015, 0.003, 0.006)),
        *(short(f"decays to {share} of its peak", *settings(f"final_learning_rate={0.003 * share:g}"), seeds=(1, 2)) for share in (0.1, 1)),
        *(short(f"warm-up {steps} steps", *settings(f"warmup_steps={steps}"), seeds=(1, 2)) for steps in (20, 1000)),
    ],
    "averages": [short(f"EMA {decay}", *settings(f"ema_decay={decay}"), seeds=(1, 2)) for decay in (0, 0.99, 0.999, 0.9997)],
    "batches": [
        short(f"batch {batch}, learning rate {rate}", *settings(f"batch={batch}", f"learning_rate={rate}"), seeds=(1, 2))
        for batch, rate in ((64, 0.003), (64, 0.0015), (128, 0.003), (256, 0.003), (512, 0.003), (512, 0.006))
    ],
    "types": memories("types", *TYPES, slow=(1,)),
}


def parameters(folder):
    """How many numbers the model has."""
    with open(folder / "model.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    count = 0
    for name, tensor in header.items():
        if name != "__metadata__" and not name.startswith("lexicon."):
            size = 1
            for length in tensor["shape"]:
                size *= length
            count += size
    return count


def with_softness(source, target, softness):
    """A copy of a model file with other edges."""
    data = source.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    lines = header["__metadata__"]["config"].split("\n")
    header["__metadata__"]["config"] = "\n".join(f"softness = {softness}" if line.startswith("softness = ") else line for line in lines)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    target.write_bytes(len(text).to_bytes(8, "little") + text + data[end:])


def train(options, command, seed):
    """The folder of a training, of one stage or several."""
    folder, key = None, str(seed)
    for stage in command if isinstance(command[0], list) else [command]:
        key += " ".join(stage)
        before, folder = folder, options.output / hashlib.sha256(key.encode()).hexdigest()[:16]
        if (folder / "done").exists():
            continue
        with tempfile.TemporaryDirectory() as place:
            arguments = ["--resume"] if (folder / "checkpoint.safetensors").exists() else [*stage, "--seed", str(seed)]
            if before and arguments != ["--resume"]:
                softness, *arguments = arguments
                with_softness(before / "model.safetensors", Path(place) / "model.safetensors", softness)
                arguments += ["--from", Path(place) / "model.safetensors"]
            command_line = [options.wug, "train", *arguments, "-o", folder, "-q", "--threads", str(options.threads)]
            subprocess.run(command_line, stdout=subprocess.DEVNULL, check=True)
        (folder / "done").touch()
    return folder


def measure(options, command, seed, softness=None):
    """Cross entropy and number of parameters of one training."""
    key = json.dumps([command, seed, softness])
    known = dict(line.rstrip("\n").split("\t", 1) for line in RESULTS.open()) if RESULTS.exists() else {}
    if key not in known:
        folder = train(options, command, seed)
        with tempfile.TemporaryDirectory() as place:
            model = folder / "model.safetensors"
            if softness is not None:
                model = Path(place) / "model.safetensors"
                with_softness(folder / "model.safetensors", model, softness)
            evaluate = [options.wug, "eval", "-m", model, "--metrics", "log-probability", "--draws", "all", "--particles", "64", "--format", "json"]
            found = subprocess.run([*evaluate, "--threads", str(options.threads)], capture_output=True, text=True, check=True).stdout
        test = json.loads(found)["metrics"]["log-probability"]["test"]["mean"]
        known[key] = f"{test:.4f}\t{parameters(folder)}"
        with RESULTS.open("a") as results:
            results.write(f"{key}\t{known[key]}\n")
    test, count = known[key].split("\t")
    return float(test), int(count)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--wug", default="wug")
    parser.add_argument("-o", "--output", type=Path, default=Path("choice-runs"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, help="the first so many seeds of each row only")
    options = parser.parse_args()
    if unknown := set(options.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    for group in options.groups or GROUPS:
        print(f"\n{group}\n\n| what | parameters | test, by seed | mean | standard deviation |\n|---|---|---|---|---|", flush=True)
        for name, command, seeds, *softness in GROUPS[group]:
            found = [measure(options, command, seed, *softness) for seed in seeds[: options.seeds]]
            values = [value for value, _ in found]
            spread = f"{statistics.stdev(values):.3f}" if len(values) > 1 else ""
            each = ", ".join(f"{value:.3f}" for value in values)
            print(f"| {name} | {found[0][1]:,} | {each} | {statistics.mean(values):.3f} | {spread} |", flush=True)


if __name__ == "__main__":
    main()
