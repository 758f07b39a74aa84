"""The reference step with this engine, JAX and PyTorch side by side, in one run.

    pip install -r benches/peers/requirements.txt
    python benches/step.py                          all forms of every peer; about half an hour, most of it compiling
    python benches/step.py --quick                  only the forms that were best where they were first measured
    python benches/step.py --peers jax --rounds 40

One process for each implementation, all pinned to one core with one thread. They must agree on the loss and on the norm of the
gradient; then they run in turns, a few steps each, so that whatever else the machine does falls on all of them; where it does
much, the best time says more than the median. Then the engine alone: one thread and two, and its cost against words, steps and
particles.
The tables go to standard output as Markdown, everything else to standard error.
"""
import argparse
import importlib.metadata
import json
import os
import re
import select
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "benches" / "peers"
SIZES = [(128, 8, 64), (128, 32, 128)]
JAX = [f"{loop}-{form}" for loop in ("unroll", "scan") for form in ("split-lib", "split-sub", "soa-sub")]
VARIANTS = {"jax": JAX, "torch": ["compile-split-lib", "compile-cat-lib", "eager-split-lib", "eager-cat-lib"]}
QUICK = {"jax": ["unroll-split-lib", "scan-split-lib"], "torch": ["compile-split-lib", "eager-cat-lib"]}
TOLERANCE = 1e-5


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Contender:
    """A process that runs steps when told to and answers with their times."""

    def __init__(self, name, command, cores, patience):
        environment = dict(os.environ, OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", JAX_PLATFORMS="cpu")
        self.name, self.times = name, []
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, preexec_fn=lambda: os.sched_setaffinity(0, cores), start_new_session=True)
        self.ready = self.wait(patience)

    def wait(self, patience):
        """The line that says it is ready, or None if it fails or takes too long."""
        end = time.monotonic() + patience
        errors = []
        streams = [self.process.stdout, self.process.stderr]
        while (left := end - time.monotonic()) > 0 and streams:
            for stream in select.select(streams, [], [], left)[0]:
                line = stream.readline().decode(errors="replace")
                if not line:
                    streams.remove(stream)
                elif stream is self.process.stderr:
                    errors = (errors + [line.rstrip()])[-3:]
                elif line.startswith("READY"):
                    return dict(re.findall(r"(\w+)=([-+.\w]+)", line))
        say(f"  {self.name} left out:", "not ready in time" if streams else " / ".join(errors))
        self.close()
        return None

    def ask(self, count):
        self.process.stdin.write(f"{count}\n".encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        if not line:
            sys.exit(f"{self.name} ended with code {self.process.wait()}")
        return [float(number) for number in line]

    def steps(self, count):
        self.times += [nanoseconds / 1e6 for nanoseconds in self.ask(count)]

    def median(self):
        return statistics.median(self.times)

    def best(self):
        return min(self.times)

    def close(self):
        # With the processes that it started to compile.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def build():
    """The benchmark's program."""
    command = ["cargo", "bench", "-p", "tilegrad", "--bench", "step", "--no-run", "--message-format=json"]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    messages = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    found = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "step"]
    return found[-1]


def rounds_of(contenders, rounds, steps, between=lambda: None):
    for contender in contenders:
        contender.ask(2)
    for _ in range(rounds):
        between()
        for contender in contenders:
            contender.steps(steps)


def start(name, command, cores, patience=60.0):
    contender = Contender(name, command, cores, patience)
    if contender.ready is None:
        sys.exit(f"{name} does not start")
    return contender


def side_by_side(binary, folder, size, options, core):
    say(f"size {size}")
    ours = start("tilegrad", [binary, folder, *size], {core})
    peak = start("peak", [binary, "peak"], {core})
    contenders = [ours]
    for peer in options.peers:
        for variant in (QUICK if options.quick else VARIANTS)[peer]:
            say(f"  starting {peer} {variant}")
            command = [sys.executable, PEERS / f"step_{peer}.py", folder, *size, variant]
            contender = Contender(f"{peer} {variant}", command, {core}, options.patience)
            if contender.ready:
                contenders.append(contender)
    for contender in contenders[1:]:
        for what in ("loss", "gnorm"):
            own, theirs = float(ours.ready[what]), float(contender.ready[what])
            if abs(own - theirs) > TOLERANCE * abs(own):
                sys.exit(f"{contender.name} disagrees at {size}: {what} {theirs}, not {own}")
    peaks = []
    rounds_of(contenders, options.rounds, 3, lambda: peaks.extend(peak.ask(1)))
    best_peak, flops = max(peaks), float(ours.ready["flops"])
    words, d, hidden = size
    print(f"\n{words} words, d = {d}, hidden {hidden}; peak of the core {best_peak:.0f} GFLOP/s\n")
    print("| engine | ms/step, median | best | times ours, median | best | share of peak, median | best |")
    print("|---|---|---|---|---|---|---|")
    for contender in sorted(contenders, key=Contender.best):
        cells = [(figure(contender), figure(contender) / figure(ours)) for figure in (Contender.median, Contender.best)]
        (median, median_ratio), (best, ratio) = cells
        shares = [f"{flops / (time * 1e-3) / (best_peak * 1e9):.0%}" for time in (median, best)]
        print(f"| {contender.name} | {median:.2f} | {best:.2f} | {median_ratio:.2f} | {ratio:.2f} |", " | ".join(shares), "|")
    for peer in options.peers:
        own = [contender for contender in contenders if contender.name.startswith(peer)]
        if own:
            print(f"\nBest form of {peer}: {min(own, key=Contender.best).name.split()[1]}.")
    sys.stdout.flush()
    for contender in [*contenders, peak]:
        contender.close()


def threads(binary, folder, rounds, cores):
    print("\n| words, d, hidden | one thread, ms, median | best | two threads, median | best | times faster, median | best |")
    print("|---|---|---|---|---|---|---|")
    for size in [(128, 8, 64), (1024, 8, 64), (128, 32, 128)]:
        pair = [start("tilegrad", [binary, folder, *size, "-", count], cores) for count in (1, 2)]
        rounds_of(pair, rounds, 5)
        medians, bests = [c.median() for c in pair], [c.best() for c in pair]
        times = [f"{median:.2f} | {best:.2f}" for median, best in zip(medians, bests)]
        faster = f"{medians[0] / medians[1]:.2f} | {bests[0] / bests[1]:.2f}"
        print(f"| {size} |", " | ".join(times), f"| {faster} |", flush=True)
        for contender in pair:
            contender.close()


def growth(binary, rounds, core):
    sweeps = [("words", 0, [64, 128, 256, 512, 1024]), ("T", 3, [2, 4, 8, 16, 32]), ("K", 4, [5, 10, 20, 40, 80])]
    for name, position, values in sweeps:
        contenders = []
        for value in values:
            size = [128, 8, 64, 8, 10]
            size[position] = value
            contenders.append(start(f"{name} {value}", [binary, "size", *size], {core}))
        rounds_of(contenders, rounds, 2)
        print(f"\n| {name} | ms/step, median | best | ms for each further one (best) |\n|---|---|---|---|")
        previous = None
        for value, contender in zip(values, contenders):
            best = contender.best()
            slope = f"{(best - previous[1]) / (value - previous[0]):.4f}" if previous else ""
            print(f"| {value} | {contender.median():.2f} | {best:.2f} | {slope} |", flush=True)
            previous = (value, best)
            contender.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="jax,torch", help="which to run, separated by commas; empty for none")
    parser.add_argument("--rounds", type=int, default=20, help="turns of each implementation")
    parser.add_argument("--quick", action="store_true", help="only the forms that were best")
    parser.add_argument("--patience", type=float, default=600, help="seconds a peer may take to compile")
    options = parser.parse_args()
    options.peers = [peer for peer in options.peers.split(",") if peer]
    for peer in options.peers:
        if peer not in VARIANTS:
            parser.error(f"--peers: `{peer}` is none of {', '.join(VARIANTS)}")
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    if not hasattr(os, "sched_setaffinity"):
        sys.exit("this benchmark pins processes to cores, which needs Linux")
    cores = sorted(os.sched_getaffinity(0))
    say("building")
    binary = build()
    versions = [f"{peer} {importlib.metadata.version(peer)}" for peer in options.peers]
    command = shlex.join(["python", "benches/step.py", *sys.argv[1:]])
    print(f"Command: `{command}`. Peers: {', '.join(versions) or 'none'}.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, PEERS / "step_data.py", folder], check=True)
        for size in SIZES:
            side_by_side(binary, folder, size, options, cores[-1])
        if len(cores) > 1:
            threads(binary, folder, options.rounds, set(cores[-2:]))
    growth(binary, options.rounds, cores[-1])


if __name__ == "__main__":
    main()
