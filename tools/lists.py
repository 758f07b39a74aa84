#!/usr/bin/env python3
"""Measures models of lists against n-grams: the figures of docs/experiments/0006-lists.md.

    python3 tools/names.py names.tsv
    python3 tools/lists.py names.tsv [--wug target/release/wug] [--from MODEL] [--sizes 30,100,300,1000,3000] [--seeds 1,2,3]

A tenth of the names is set aside before anything else. Lists of the given sizes are drawn from the others, and `wug train LIST` is run on each
without any settings, and again with --from if a model is given. Each model, and Witten-Bell n-grams of the same list, are measured on the names
that were set aside and can be spelt with the letters of the list: cross entropy in nats per word, each name once. New words
of the model are compared with the list: how many have a trigram that the list has fewer than three times, how many are at edit distance 1.
A seed decides what is set aside, which lists are drawn, and everything in training.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import subprocess
import tempfile

NEW_WORDS = 2000


def run(wug, *arguments):
    command = [str(wug), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def cross_entropy(wug, model, words):
    rows = [line.split("\t") for line in run(wug, "score", "-m", model, "-i", words, "--format", "tsv").splitlines()]
    column = rows[0].index("log_probability")
    scores = [-float(row[column]) for row in rows[1:]]
    return sum(scores) / len(scores)


def best_ngram(wug, names, words):
    report = json.loads(run(wug, "ngram", "--lexicon", names, "-i", words, "--weighting", "types", "--format", "json"))
    return min((fit["cross_entropy"], fit["order"]) for fit in report["orders"])


def trigrams(word):
    padded = f"^{word}$"
    return [padded[i : i + 3] for i in range(len(padded) - 2)]


def neighbours(word, letters):
    """All strings at edit distance 1."""
    for i in range(len(word) + 1):
        if i < len(word):
            yield word[:i] + word[i + 1 :]
        for letter in letters:
            yield word[:i] + letter + word[i:]
            if i < len(word):
                yield word[:i] + letter + word[i + 1 :]


def describe(new, names):
    """Shares of new words with a rare trigram, and at edit distance 1 from the list."""
    counts = collections.Counter(trigram for name in names for trigram in trigrams(name))
    known, letters = set(names), sorted(set("".join(names)))
    rare = sum(any(counts[trigram] < 3 for trigram in trigrams(word)) for word in new)
    near = sum(any(other in known for other in neighbours(word, letters)) for word in new)
    return rare / len(new), near / len(new)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", type=pathlib.Path)
    parser.add_argument("--wug", type=pathlib.Path, default=pathlib.Path("target/release/wug"))
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--sizes", default="30,100,300,1000,3000")
    parser.add_argument("--seeds", default="1")
    arguments = parser.parse_args()
    names = [line.split("\t")[0] for line in arguments.names.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for size, seed in itertools.product(arguments.sizes.split(","), arguments.seeds.split(",")):
            shuffled = random.Random(int(seed)).sample(names, len(names))
            aside, own = shuffled[: len(names) // 10], shuffled[len(names) // 10 :][: int(size)]
            letters = set("".join(own))
            (folder / "list.txt").write_text("\n".join(own) + "\n")
            (folder / "aside.txt").write_text("".join(f"{name}\n" for name in aside if set(name) <= letters))
            found, order = best_ngram(arguments.wug, folder / "list.txt", folder / "aside.txt")
            print(f"{len(own)} names, seed {seed}: best n-gram {found:.3f} (order {order})", flush=True)
            for source in [None, arguments.source] if arguments.source else [None]:
                model = folder / f"{size}-{seed}-{'from' if source else 'alone'}"
                options = ["--from", source] if source else []
                run(arguments.wug, "train", folder / "list.txt", "-q", "--seed", seed, "-o", model, *options)
                seconds = json.loads((model / "metrics.jsonl").read_text().splitlines()[-1])["seconds"]
                new = run(arguments.wug, "sample", "-m", model, "-n", NEW_WORDS, "--novel").split()
                rare, near = describe(new, own)
                print(
                    f"  {'with --from' if source else 'alone':11} {cross_entropy(arguments.wug, model, folder / 'aside.txt'):.3f} nats; "
                    f"{rare:.1%} of new words with a rare trigram, {near:.1%} at distance 1; {seconds:.0f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
