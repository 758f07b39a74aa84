#!/usr/bin/env python3
"""Makes the list of Finnish words that docs/experiments/0006-lists.md measures on.

    python3 docs/experiments/tools/finnish.py finnish.txt [--words 40000]

Fetches wordfreq 3.1.1 and msgpack with `pip` into a temporary folder (the data of wordfreq are under CC BY-SA 4.0: the list is for measuring, not
for passing on). Writes the most frequent words of three letters or more that have Finnish letters alone, without counts, most frequent first.
"""

import argparse
import gzip
import importlib
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGES = ["wordfreq==3.1.1", "msgpack==1.1.0"]
WORD = re.compile("[a-zåäö]{3,}")


def buckets(folder):
    """Words of like frequency, the most frequent first."""
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, *PACKAGES]
    subprocess.run(install, check=True)
    sys.path.insert(0, folder)
    msgpack = importlib.import_module("msgpack")
    packed = (pathlib.Path(folder) / "wordfreq/data/large_fi.msgpack.gz").read_bytes()
    return msgpack.unpackb(gzip.decompress(packed))[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--words", type=int, default=40_000, help="how many, the most frequent first")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [word for bucket in buckets(folder) for word in bucket if WORD.fullmatch(word)]
    arguments.output.write_text("".join(f"{word}\n" for word in words[: arguments.words]), encoding="utf-8")
    print(f"{min(arguments.words, len(words))} of {len(words)} words")


if __name__ == "__main__":
    main()
