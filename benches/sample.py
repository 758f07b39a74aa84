"""Words per second: `wug sample` and a PyTorch sampler side by side, in one run.

    pip install -r benches/peers/requirements.txt
    python benches/sample.py [--rounds N] [--words N] > benches/results/sample.md

The peer samples from a recurrent language model with states and embeddings of size 8, which this script trains with `wug train
--preset gru-8d`; `wug` samples from that model, from a state space model of the same size (`wug train`), and from the bundled
one, which is larger. All write every word to /dev/null, `wug` with as many threads as there are cores, the peer also with one. `wug` is timed from
the start of the process to its end, the peer in a process that is warm already. They run in turns, so that whatever else
the machine does falls on all of them; where it does much, the best time says more than the median, and the last column
compares processor time, which other work does not add to.
"""
import argparse
import itertools
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "benches" / "peers" / "sample_torch.py"
FORMS = ("eager-table", "eager-cell", "compile")
BATCHES = (8192, 32768)


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Wug:
    def __init__(self, name, command):
        self.name, self.command, self.times, self.processor = name, command, [], []

    def round(self, words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run([*self.command, "-n", str(words)], stdout=subprocess.DEVNULL, check=True)
        self.times.append((time.perf_counter() - start) / words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.processor.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / words)

    def close(self):
        pass


class Torch:
    def __init__(self, model, variant, batch, threads):
        self.name = f"torch {variant}, batches of {batch:,}, {threads} threads"
        self.times, self.processor = [], []
        command = [sys.executable, PEER, model, variant, batch, threads]
        # Threads that wait for work must not keep others from theirs.
        environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def wait(self):
        """Waits until it is warm; returns the mean length of its words."""
        ready = self.process.stdout.readline()
        if not ready.startswith("READY"):
            sys.exit(f"{self.name} does not start")
        return float(re.search(r"length=(\S+)", ready)[1])

    def used(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def round(self, words):
        before = self.used()
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()
        self.times.append(float(self.process.stdout.readline()) / words)
        self.processor.append((self.used() - before) / words)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="turns of each")
    parser.add_argument("--words", type=int, default=1_000_000, help="words of wug in a turn; the peer makes a tenth of them")
    parser.add_argument("--forms", default=",".join(FORMS), help="forms of the peer, separated by commas")
    options = parser.parse_args()
    say("building")
    subprocess.run(["cargo", "build", "--release"], cwd=ROOT, check=True)
    wug = ROOT / "target" / "release" / "wug"
    threads = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        for preset in ("gru-8d", "default"):
            say(f"training {preset}")
            train = [wug, "train", "--preset", preset, "--words", "2M", "-o", Path(folder) / preset]
            subprocess.run(train, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        model = Path(folder) / "gru-8d" / "model.safetensors"
        sample = subprocess.run([wug, "sample", "-n", "100k", "-m", model], stdout=subprocess.PIPE, check=True, text=True)
        length = statistics.mean(map(len, sample.stdout.split()))
        contenders = [Wug("wug, state space, d = 8", [wug, "sample", "-m", Path(folder) / "default"]),
                      Wug("wug, bundled model", [wug, "sample"]), Wug("wug, recurrent, d = 8", [wug, "sample", "-m", model])]
        forms = itertools.product(options.forms.split(","), BATCHES, sorted({1, threads}))
        peers = [Torch(model, variant, batch, count) for variant, batch, count in forms]
        for peer in peers:
            say(f"waiting for {peer.name}")
            found = peer.wait()
            if abs(found - length) > 0.2:
                sys.exit(f"{peer.name} makes other words: {found} letters on average, not {length}")
        contenders += peers
        for number in range(options.rounds):
            say(f"round {number + 1}")
            for contender in contenders:
                contender.round(options.words if isinstance(contender, Wug) else options.words // 10)
        for contender in contenders:
            contender.close()
    command = shlex.join(["python", "benches/sample.py", *sys.argv[1:]])
    import torch

    print(f"Command: `{command}`. {threads} cores, torch {torch.__version__.split('+')[0]}.\n")
    print("| sampler | words/s, median | best | times slower than wug's state space model, median | best | by processor time |")
    print("|---|---|---|---|---|---|")
    figures = lambda contender: (statistics.median(contender.times), min(contender.times), min(contender.processor))
    ours = figures(contenders[0])
    for contender in sorted(contenders, key=lambda contender: min(contender.times)):
        own = figures(contender)
        ratios = " | ".join(f"{own / other:.1f}" for own, other in zip(own, ours))
        print(f"| {contender.name} | {1 / own[0]:,.0f} | {1 / own[1]:,.0f} | {ratios} |")
    best = min((contender for contender in contenders if isinstance(contender, Torch)), key=lambda c: min(c.times))
    print(f"\nBest form of torch: {best.name.removeprefix('torch ')}.")


main()
