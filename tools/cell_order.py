"""Does the order of the cells matter to words near a word? The same model with its cells by seriation and by code point.

    python tools/cell_order.py [--wug PROGRAM] [-m MODEL] [--distances 0.05,0.1,0.2] [--words 40]

With hard edges the order changes no probability, only which letters are neighbours on the line of noise, so one file serves for both: its metadata
names the order. Words that the model makes often are the centres; for each, `wug sample --like` makes 100 words. Of the words that
differ from their centre: the mean Levenshtein distance, the share at distance 1, and of those with one letter replaced by another, the share with a
vowel for a vowel or a consonant for a consonant. Then `wug between` from each centre to the next: how many words a path has between its ends, and the mean
Levenshtein distance of a step, which is smaller where neighbours in noise are alike.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--wug", default="wug")
parser.add_argument("-m", "--model", default="crates/wug-data/models/en-tokens.safetensors")
parser.add_argument("--distances", default="0.05,0.1,0.2")
parser.add_argument("--words", type=int, default=40)
parser.add_argument("--vowels", default="aeiouy")
arguments = parser.parse_args()


def run(*command):
    return subprocess.run([arguments.wug, *map(str, command)], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(before + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def reordered(path, target):
    """The same model with its cells in the order of the symbols."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    order = json.loads(header["__metadata__"]["cell_order"])
    header["__metadata__"]["cell_order"] = json.dumps(sorted(order))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    target.write_bytes(len(text).to_bytes(8, "little") + text + data[end:])


with tempfile.TemporaryDirectory() as folder:
    own, other = pathlib.Path(arguments.model), pathlib.Path(folder) / "model.safetensors"
    reordered(own, other)
    made = [word for word in run("sample", "-m", own, "-n", 5000, "--seed", 11) if 5 <= len(word) <= 9]
    centres = list(dict.fromkeys(made))[: arguments.words]
    print("| distance | order | changed | mean Levenshtein distance | at distance 1 | same kind of letter |\n|---|---|---|---|---|---|")
    for distance in arguments.distances.split(","):
        for name, model in (("seriation", own), ("code point", other)):
            distances, kinds, total = [], [], 0
            for number, word in enumerate(centres):
                for found in run("sample", "-m", model, "-n", 100, "--like", word, "--distance", distance, "--seed", number + 1):
                    total += 1
                    if found != word:
                        distances.append(levenshtein(found, word))
                        changed = [(a, b) for a, b in zip(found, word) if a != b]
                        if len(found) == len(word) and len(changed) == 1:
                            a, b = changed[0]
                            kinds.append((a in arguments.vowels) == (b in arguments.vowels))
            count = max(len(distances), 1)
            print(f"| {distance} | {name} | {100 * len(distances) / total:.0f} % | {sum(distances) / count:.2f} | "
                  f"{100 * sum(d == 1 for d in distances) / count:.0f} % | {100 * sum(kinds) / max(len(kinds), 1):.0f} % of {len(kinds)} |", flush=True)
    print("\n| order | words of a path | mean distance of a step | steps of distance 1 or 2 |\n|---|---|---|---|")
    for name, model in (("seriation", own), ("code point", other)):
        paths = [run("between", "-m", model, first, second) for first, second in zip(centres, centres[1:])]
        steps = [levenshtein(a, b) for path in paths for a, b in zip(path, path[1:])]
        near = 100 * sum(step <= 2 for step in steps) / len(steps)
        print(f"| {name} | {sum(map(len, paths)) / len(paths):.1f} | {sum(steps) / len(steps):.2f} | {near:.0f} % of {len(steps)} |", flush=True)
