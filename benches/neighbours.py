"""OLD20 and Coltheart's N of many words: `wug score` beside what else there is, in turns.

    pip install rapidfuzz numpy symspellpy editdistpy wuggy
    python benches/neighbours.py WUG WORDS [--words N] [--rounds N] > benches/results/neighbours.md

The list is the German one that comes with `wug`, which writes it. WORDS is a file with a word at the beginning of each line, such as the German
pseudowords of an experiment; if there are fewer than N, `wug sample` makes the others. `wug` measures all of them, from the start of the
process to its end, reading and writing included; the others a sample that is large enough to be timed, and nothing but the work is timed.
- rapidfuzz: all distances by `cdist`, with all threads and with one; the twenty smallest by numpy, and as N what has distance 1 and the same length.
- wuggy: OLD20 by its own function, which compares with all words by the package Levenshtein and sorts.
- symspellpy: all words within one edit. That gives N, but no OLD20: the twentieth word is two to five edits away, for which its index is too large.
Not there: `old20` is not on PyPI, and R's `vwr` needs R. Figures must agree, or the script fails.
"""
import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from symspellpy import SymSpell, Verbosity
from symspellpy.editdistance import DistanceAlgorithm, EditDistance
from wuggy.plugins.baselanguageplugin import BaseLanguagePlugin

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("wug")
parser.add_argument("file", type=Path)
parser.add_argument("--words", type=int, default=40_000)
parser.add_argument("--rounds", type=int, default=3)
options = parser.parse_args()
CORES = len(os.sched_getaffinity(0))
SAMPLES = {"rapidfuzz": 1000, "wuggy": 4, "symspellpy": 1000}


def wug(*arguments):
    return subprocess.run([options.wug, *map(str, arguments)], check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def processor():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def of_wug(threads, columns="word,old20,coltheart_n"):
    table = wug("score", "-m", "de", "--lexicon", folder / "list.txt", "-i", folder / "words.txt", "--columns", columns,
                "--threads", threads)
    return [(float(row["old20"]), int(row["coltheart_n"])) for row in csv.DictReader(table.splitlines(), delimiter="\t")]


def of_rapidfuzz(words, threads):
    found = []
    for start in range(0, len(words), 250):
        chunk = words[start:start + 250]
        # A word of the list is not its own neighbour.
        distances = cdist(chunk, known, scorer=Levenshtein.distance, dtype=np.uint8, workers=threads)
        distances[distances == 0] = 255
        nearest = np.partition(distances, 19, axis=1)[:, :20].mean(1)
        same = (distances == 1) & (np.array([len(word) for word in chunk])[:, None] == lengths)
        found += zip(nearest.tolist(), same.sum(1).tolist())
    return found


def of_wuggy(words):
    plugin = BaseLanguagePlugin()
    return [(plugin._old(word, [other for other in known if other != word], 20), None) for word in words]


def of_symspell(words):
    near = lambda word: (found.term for found in speller.lookup(word, Verbosity.ALL, max_edit_distance=1) if found.distance == 1)
    return [(None, sum(len(other) == len(word) for other in near(word))) for word in words]


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    wug("lexicon", "de", "--split", "types", "-o", folder)
    known = [line.split("\t")[0] for part in ("train", "test") for line in open(folder / f"{part}.tsv", encoding="utf-8")]
    (folder / "list.txt").write_text("\n".join(known), encoding="utf-8")
    lengths = np.array([len(word) for word in known])
    words = [line.split("\t")[0].strip() for line in open(options.file, encoding="utf-8")]
    words = [word for word in dict.fromkeys(words) if word and word != "word"][:options.words]
    own = len(words)
    if own < options.words:
        made = wug("sample", "-m", "de", "-n", options.words, "--unique", "--novel", "--seed", 1).split()
        words = [*words, *(word for word in made if word not in set(words))][:options.words]
    (folder / "words.txt").write_text("\n".join(words), encoding="utf-8")
    started = time.perf_counter()
    speller = SymSpell(max_dictionary_edit_distance=1, distance_comparer=EditDistance(DistanceAlgorithm.LEVENSHTEIN_FAST))
    for word in known:
        speller.create_dictionary_entry(word, 1)
    built = time.perf_counter() - started
    part = {name: words[::len(words) // count][:count] for name, count in SAMPLES.items()}
    contenders = {
        f"wug, {CORES} threads": (words, lambda: of_wug(CORES)),
        "wug, 1 thread": (words, lambda: of_wug(1)),
        f"rapidfuzz `cdist`, {CORES} threads": (part["rapidfuzz"], lambda: of_rapidfuzz(part["rapidfuzz"], -1)),
        "rapidfuzz `cdist`, 1 thread": (part["rapidfuzz"], lambda: of_rapidfuzz(part["rapidfuzz"], 1)),
        "wuggy, OLD20 alone": (part["wuggy"], lambda: of_wuggy(part["wuggy"])),
        "symspellpy, N alone": (part["symspellpy"], lambda: of_symspell(part["symspellpy"])),
    }
    clock, work = {name: [] for name in contenders}, {name: [] for name in contenders}
    correct = None
    for _ in range(options.rounds):
        for name, (measured, run) in contenders.items():
            used, started = processor(), time.perf_counter()
            found = run()
            clock[name].append((time.perf_counter() - started) / len(measured))
            work[name].append((processor() - used) / len(measured))
            correct = correct or dict(zip(words, found))
            for word, pair in zip(measured, found, strict=True):
                if any(one is not None and abs(one - other) > 1e-9 for one, other in zip(pair, correct[word])):
                    sys.exit(f"{name}: {word} has {pair}, not {correct[word]}")

print(f"""# Neighbours

`python benches/neighbours.py WUG WORDS --words {options.words} --rounds {options.rounds}`: {len(words):,} German words ({own:,} of the file, mean length \
{statistics.mean(map(len, words)):.1f}) against the {len(known):,} of the bundled list, medians of {options.rounds} rounds in turns, {CORES} cores. All figures agree.
symspellpy took {built:.0f} s to prepare its index.

| contender | words measured | words/s | times as long as wug with as many threads | processor time of a word, µs | times that of wug |
|---|---|---|---|---|---|""")
median = {name: (statistics.median(clock[name]), statistics.median(work[name])) for name in contenders}
for name, (measured, _) in contenders.items():
    base = median[f"wug, {CORES} threads" if f"{CORES} threads" in name else "wug, 1 thread"]
    took, used = median[name]
    print(f"| {name} | {len(measured):,} | {1 / took:,.0f} | {took / base[0]:.1f} | {used * 1e6:,.0f} | {used / base[1]:.1f} |")
