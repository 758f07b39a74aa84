"""Training end to end, `wug train` and JAX in turns, on one core and on two.

    pip install -r benches/peers/requirements.txt
    cargo build --release && python benches/train.py [--rounds 5] [--seconds 15]

`wug train` is timed as a user meets it: a new process that reads the list, draws words and noise, takes steps with Adam, writes
checkpoints and the model. JAX is timed without its start and its compilation (about a minute). Both train 2xTRIL / DIAG, d = 8,
K = 10, hidden layers of 64, batches of 128, on the bundled words that occur at least ten times. The last lines are `wug train`
alone: its largest resident memory, and its time against the number of words. The tables go to standard output as Markdown.
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
WUG = ROOT / "target" / "release" / "wug"
SETTINGS = "state=8 generative.flow=2xtril generative.hidden=[64] inference.flow=diag inference.flow_hidden=[64] " \
    "inference.hidden=[64] inference.encoder=16 inference.embedding=8 inference.condition=data bound.peek=true bound.particles=10 batch=128 learning_rate=3e-3 warmup_steps=0".split()


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def wug(words, cores, seed):
    """Seconds of a whole run, and its largest resident memory in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [WUG, "train", "-o", Path(folder) / "run", "--words", str(words), "--seed", str(seed),
                   "--threads", str(len(cores))]
        command += [part for setting in SETTINGS for part in ("--set", setting)]
        start = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: os.sched_setaffinity(0, cores))
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"wug train ended with status {status}")
        return time.perf_counter() - start, usage.ru_maxrss / 1024


class Jax:
    """A process that trains when told to."""

    def __init__(self, lexicon, cores):
        command = [sys.executable, ROOT / "benches" / "peers" / "jax_train.py", lexicon]
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=dict(os.environ, JAX_PLATFORMS="cpu"), text=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, cores))
        self.version = self.answer()[1].removeprefix("version=")

    def answer(self):
        line = self.process.stdout.readline().split()
        return line or sys.exit(f"jax_train.py ended with code {self.process.wait()}")

    def rate(self, seconds):
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        words, seconds, _ = map(float, self.answer())
        return words / seconds

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.NamedTemporaryFile(suffix=".tsv") as lexicon:
        subprocess.run(["zstd", "-dc", ROOT / "crates/wug-data/lists/en.tsv.zst"], stdout=lexicon, check=True)
        print("| cores | `wug train`, words/s, median | best | JAX, median | best | times faster, median | best |")
        print("|---|---|---|---|---|---|---|")
        for count in range(1, len(cores) + 1):
            own = set(cores[:count])
            say(f"{count} core(s): JAX compiles")
            jax = Jax(lexicon.name, own)
            words = round(options.seconds * 30_000 * count, -3)
            rates = []
            for number in range(options.rounds):
                seconds, _ = wug(int(words), own, number + 1)
                rates.append((words / seconds, jax.rate(options.seconds)))
                say(f"  wug {rates[-1][0]:,.0f}  JAX {rates[-1][1]:,.0f} words/s")
            jax.close()
            mine, other = zip(*rates)
            middle, best = statistics.median, max
            print(f"| {count} | {middle(mine):,.0f} | {best(mine):,.0f} | {middle(other):,.0f} | {best(other):,.0f} | "
                  f"{middle(mine) / middle(other):.1f} | {best(mine) / best(other):.1f} |", flush=True)
        print(f"\nJAX {jax.version}.\n\n| words | seconds on {len(cores)} core(s) | resident, MB |\n|---|---|---|")
        for words in (250_000, 500_000, 1_000_000, 2_000_000):
            seconds, memory = wug(words, set(cores), 1)
            print(f"| {words:,} | {seconds:.1f} | {memory:.0f} |", flush=True)


main()
