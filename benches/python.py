"""The Python package beside the command: a million words made and a million scored, in turns.

    cargo build --release && cargo xtask wheel && pip install target/python/wheels/*.whl
    python benches/python.py [--rounds 3] [--words 1000000] [--threads 2]

Each time is that of a whole process, from its start to its end: the command writes its words or its table to a file, Python has them as a list or as
columns, and has read the list of words to score before. Wall-clock time counts what a user waits for, processor time is hardly disturbed by other work.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = "word,log_probability,surprisals"
SAMPLE = "import sys, wug; assert len(wug.load().sample(int(sys.argv[1]), threads=int(sys.argv[2]))) == int(sys.argv[1])"
SCORE = f"""
import sys, wug
words = open(sys.argv[1]).read().split()
table = wug.load().score(words, columns={COLUMNS!r}.split(","), threads=int(sys.argv[2]))
assert len(table) == len(words) and table["log_probability"].max() < 0
"""


def timed(command, output):
    """Seconds that a process takes: by the clock, and of processor time."""
    start = time.perf_counter()
    with open(output, "w") as file:
        process = subprocess.Popen([str(part) for part in command], stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} ended with status {status}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wug", default=ROOT / "target" / "release" / "wug")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    words, threads = options.words, options.threads
    with tempfile.TemporaryDirectory() as folder:
        made, scored = Path(folder) / "words.txt", Path(folder) / "scores.tsv"
        sample = [options.wug, "sample", "-q", "-n", words, "--threads", threads]
        score = [options.wug, "score", "-q", "-i", made, "--columns", COLUMNS, "--threads", threads]
        timed(sample, made)
        python = [sys.executable, "-c"]
        calls = {
            "sample": (sample, [*python, SAMPLE, words, threads]),
            "score": (score, [*python, SCORE, made, threads]),
        }
        print("| what | command, s | Python, s | ratio | command, CPU s | Python, CPU s | ratio |\n|---|---|---|---|---|---|---|")
        for name, pair in calls.items():
            rounds = [[timed(command, scored) for command in pair] for _ in range(options.rounds)]
            clock, processor = (
                [statistics.median(found[side][kind] for found in rounds) for side in (0, 1)] for kind in (0, 1)
            )
            print(
                f"| {name} {words:,} | {clock[0]:.2f} | {clock[1]:.2f} | {clock[1] / clock[0]:.2f} "
                f"| {processor[0]:.2f} | {processor[1]:.2f} | {processor[1] / processor[0]:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
