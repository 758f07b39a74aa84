#!/usr/bin/env python3
"""What a trial tells of a run's end, from runs that differ in their seed alone.

    python tools/seeds.py RUN...

Each RUN is a folder of `wug train` with one start that also holds `eval.json`, which `wug eval -m RUN --metrics particle-filter
--format json` prints. For trials of some lengths: the correlation of the mean bound over their second half with the end, and what the
best of N starts would have come to, over all choices of N runs.
"""
import itertools
import json
import statistics
import sys
from pathlib import Path


def read(folder):
    """Bounds by words seen, and the cross entropy of the test part at the end."""
    lines = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    report = json.loads((folder / "eval.json").read_text())
    return {line["words"]: line["bound"] for line in lines}, report["metrics"]["particle-filter"]["test"]["mean"]


def main(folders):
    runs = [read(Path(folder)) for folder in folders]
    ends = [end for _, end in runs]
    print(f"{len(runs)} runs end at {statistics.mean(ends):.3f} ± {statistics.stdev(ends):.3f}, at worst {max(ends):.3f}")
    print("| words of a trial | correlation | best of 2 | best of 4 |")
    print("|---|---|---|---|")
    for trial in list(runs[0][0])[1:10:2]:
        judged = [words for words in runs[0][0] if trial / 2 < words <= trial]
        scores = [statistics.mean(bounds[words] for words in judged) for bounds, _ in runs]
        row = [f"{trial:,}", f"{-statistics.correlation(scores, ends):.2f}"]
        for count in (2, 4):
            chosen = [max(some, key=lambda run: scores[run]) for some in itertools.combinations(range(len(runs)), count)]
            got = [ends[run] for run in chosen]
            row.append(f"{statistics.mean(got):.3f} ± {statistics.stdev(got):.3f}, at worst {max(got):.3f}")
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__.strip())
    main(sys.argv[1:])
