#!/usr/bin/env python3
"""How often Finnish words break vowel harmony: those of a list, new words of its n-grams, new words of a model.

    python3 docs/experiments/tools/finnish.py finnish.txt
    wug train finnish.txt -o finnish
    python3 docs/experiments/tools/harmony.py finnish.txt -m finnish [--wug target/release/wug] [--order 4] [--new 5000]

A word breaks the harmony if it has a back vowel (a o u) and a front vowel (ä ö y); e and i go with both. Compounds and loans break it too, so the
list has a share of its own. The n-grams are interpolated Witten-Bell ones, as `wug ngram` has them, counted from all words of the list, each once.
New words are those that the list does not have, each once.
"""

import argparse
import collections
import math
import pathlib
import random
import subprocess

END = "\n"


def is_broken(word):
    return bool(set(word) & set("aou")) and bool(set(word) & set("äöy"))


class WittenBell:
    """p(z|h) = (c(hz) + n(h) p(z|h')) / (c(h) + n(h)), down to a uniform floor."""

    def __init__(self, words, order):
        self.order = order
        self.symbols = sorted(set("".join(words))) + [END]
        self.followers = collections.defaultdict(collections.Counter)
        for word in words:
            padded = " " * (order - 1) + word + END
            for end in range(order - 1, len(padded)):
                for length in range(order):
                    self.followers[padded[end - length : end]][padded[end]] += 1
        self.known = {}

    def distribution(self, context):
        if context not in self.known:
            lower = self.distribution(context[1:]) if context else [1 / len(self.symbols)] * len(self.symbols)
            counts = self.followers.get(context, {})
            total, kinds = sum(counts.values()), len(counts)
            weights = [counts.get(symbol, 0) + kinds * p for symbol, p in zip(self.symbols, lower)]
            self.known[context] = [weight / (total + kinds) for weight in weights] if counts else lower
        return self.known[context]

    def draw(self, generator):
        word = " " * (self.order - 1)
        while not word.endswith(END):
            word += generator.choices(self.symbols, self.distribution(word[len(word) - self.order + 1 :]))[0]
        return word.strip()


def report(name, words):
    share = sum(map(is_broken, words)) / len(words)
    print(f"{name:20} {share:6.2%} of {len(words)} words, ± {math.sqrt(share * (1 - share) / len(words)):.2%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("-m", "--model", action="append", default=[])
    parser.add_argument("--wug", default="target/release/wug")
    parser.add_argument("--order", type=int, action="append", help="symbols of an n-gram; may be given several times [default: 4]")
    parser.add_argument("--new", type=int, default=5000)
    arguments = parser.parse_args()
    words = arguments.list.read_text(encoding="utf-8").split()
    known = set(words)
    report("the list", words)
    for order in arguments.order or [4]:
        ngrams, generator, new = WittenBell(words, order), random.Random(1), set()
        while len(new) < arguments.new:
            new |= {ngrams.draw(generator)} - known
        report(f"new, {order}-gram", new)
    for model in arguments.model:
        command = [arguments.wug, "sample", "-m", model, "-n", str(arguments.new), "--novel", "--unique"]
        report(f"new, {model}", subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


if __name__ == "__main__":
    main()
