#!/usr/bin/env python3
"""Trains, kills, resumes, samples, scores, measures and damages files at random, and checks after each step that nothing is lost.

    cargo build && tools/soak.py --minutes 5

Needs Python 3.9 and a Unix. The development build has checks that the release build has not. The random choices follow from --seed, the moments of signals do not. Exit code 1 and the
place of the evidence if something is wrong.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

DEADLINE = 120
SMALL = ["state=3", "generative.hidden=[4]", "choice_hidden=[4]", "inference.hidden=[4]", "flow_hidden=[4]", "embedding=2", "encoder=3", "batch=16"]
KINDS = [[], ["kind=gru"], ["kind=teacher-forced"], ["generative.flow=diag"], ["generative.flow=tril", "inference.flow=tril"],
         ["generative.flow=tril", "resampling=all"]]
PRESETS = ["default", "tril", "tril-k2", "2xtril-k2", "nvp", "gru-8d", "2xtril-k10-bidi"]
LISTS = {
    "names.txt": "ada\nalan\nbarbara\nedsger\ngrace\njohn\nkurt\nnoam\nann\nbo\ncy\ndee\n",
    "counts.tsv": "the\t30\nof\t20\nand\t10\nto\t9\nwug\t3\nzoë\t2\nblick\t1\nglim\t1\n",
    "one.txt": "wug\n",
    "letters.txt": "слово\nжук\nдом\nкот\nмир\nлес\n",
}


class Wrong(Exception):
    """Something that must not be."""


class Soak:
    """A place with runs in it, and what has been done to them."""

    def __init__(self, wug, place, seed):
        self.wug, self.place = wug, place
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.runs = {}
        self.number = 0
        for name, text in LISTS.items():
            (place / name).write_text(text, encoding="utf-8")

    def start(self, arguments):
        """Begins a command in a group of its own."""
        command = [str(self.wug), *arguments]
        return subprocess.Popen(command, cwd=self.place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def finish(self, process, arguments, allowed):
        """Waits for the end, which must be one of those that are allowed."""
        try:
            out, err = process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"{arguments}: still at work after {DEADLINE} s") from None
        text = err.decode("utf-8", "replace")
        if process.returncode == 101 or "panicked" in text:
            raise Wrong(f"{arguments}: {text}")
        if process.returncode not in allowed:
            raise Wrong(f"{arguments}: exit code {process.returncode}, expected {allowed}: {text}")
        if process.returncode in (1, 2, 3) and not text.strip():
            raise Wrong(f"{arguments}: exit code {process.returncode} without a message")
        return process.returncode, out, text

    def call(self, arguments, allowed=(0,)):
        """Runs a command to its end."""
        return self.finish(self.start(arguments), arguments, allowed)

    # The folder of a run.

    def step_of(self, run):
        """The steps of the checkpoint, which must be whole; none if there is none."""
        path = self.place / run / "checkpoint.safetensors"
        if not path.exists():
            return None
        return json.loads(header(path)["__metadata__"]["counters"])["step"]

    def check(self, run):
        """All files of a run are whole, and no step that was saved is lost."""
        folder = self.place / run
        step = self.step_of(run)
        before = self.runs[run]
        if before is not None and (step is None or step < before):
            raise Wrong(f"{run}: a checkpoint of {before} steps became one of {step}")
        self.runs[run] = step
        if (folder / "model.safetensors").exists():
            header(folder / "model.safetensors")
            self.call(["sample", "-m", run, "-n", "2", "--max-tries", "1000"], allowed=(0, 3))
        self.counts["checks of a folder"] += 1

    # What is done at random.

    def new_arguments(self, run):
        """A training that takes seconds: small on a small list, or a preset on the bundled one."""
        choose = self.random
        arguments = ["train", "-o", run, "--seed", str(choose.randrange(1000))]
        settings = [f"checkpoint_seconds={choose.choice([0, 0.05, 0.5])}"]
        if choose.random() < 0.75:
            arguments += [choose.choice(list(LISTS)), "--words", str(choose.choice([100, 5000, 50000]))]
            arguments += ["--threads", str(choose.choice([1, 2, 3]))]
            settings += SMALL + [f"particles={choose.choice([1, 2, 5])}", f"ema_decay={choose.choice([0, 0.9])}"]
            settings += choose.choice(KINDS)
        else:
            arguments += ["--words", str(choose.choice([2000, 20000])), "--preset", choose.choice(PRESETS)]
        return arguments + [part for setting in settings for part in ("--set", setting)]

    def train(self):
        """A new run, mostly killed or interrupted."""
        self.number += 1
        run = f"run{self.number}"
        self.runs[run] = None
        self.disturb(run, self.new_arguments(run))

    def resume(self):
        """Goes on with a run, mostly killed or interrupted."""
        run = self.pick()
        if run and self.runs[run] is not None:
            self.disturb(run, ["train", "--resume", "-o", run])

    def disturb(self, run, arguments):
        """Runs a training and perhaps ends it at a random moment."""
        process = self.start(arguments)
        kind = self.random.choice([None, signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        if kind is None:
            self.finish(process, arguments, (0,))
            self.counts["trainings to the end"] += 1
        else:
            time.sleep(self.random.choice([0.02, 0.1, 0.3, 1]) * self.random.random())
            process.send_signal(kind)
            # Before a signal is listened to it ends the process by itself.
            self.finish(process, arguments, (0, 1, -kind))
            self.counts[f"trainings ended by {kind.name}"] += 1
        self.check(run)

    def together(self):
        """Two processes in one folder: one is refused, or comes when the other is done."""
        run = self.pick()
        if not run or self.runs[run] is None:
            return
        arguments = ["train", "--resume", "-o", run]
        first, second = self.start(arguments), self.start(arguments)
        ends = [self.finish(first, arguments, (0, 1)), self.finish(second, arguments, (0, 1))]
        if all(code == 1 for code, _, _ in ends):
            raise Wrong(f"{run}: two processes refused each other: {ends}")
        for code, _, text in ends:
            if code == 1 and "is in use" not in text:
                raise Wrong(f"{run}: refused for another reason: {text}")
        self.counts["two at once"] += 1
        self.counts["two at once, one refused"] += any(code == 1 for code, _, _ in ends)
        self.check(run)

    def use(self):
        """Samples, scores, measures."""
        run = self.pick()
        if not run or not (self.place / run / "model.safetensors").exists():
            return
        words = ["ada", "the", "wug", "кот"]
        arguments = self.random.choice([
            ["sample", "-m", run, "-n", "20", "--max-tries", "5000"],
            ["sample", "-m", run, "-n", "3", "--novel", "--unique", "--max-length", "6", "--max-tries", "5000"],
            ["sample", "-n", "5", "--pattern", "?a*", "--seed", str(self.random.randrange(99))],
            ["score", "-m", run, "--particles", "50", *words],
            ["score", "--particles", "50", *words],
            ["eval", "-m", run, "--trajectories", "200", "--draws", "20", "--particles", "20"],
            ["between", "-m", run, "a", "o", "--steps", "5"],
        ])
        # A model may lack a letter, and a short list may have no test part.
        self.call(arguments, allowed=(0, 1, 2, 3))
        self.counts[arguments[0]] += 1

    def damage(self):
        """A damaged copy of a file is refused or means something else; the run itself is as it was."""
        run = self.pick()
        if not run or self.runs[run] is None:
            return
        copy = self.place / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.place / run, copy)
        path = self.random.choice([path for path in copy.iterdir() if path.stat().st_size > 0])
        data = bytearray(path.read_bytes())
        kind = self.random.choice(["cut", "flipped", "filled", "doubled"])
        if kind == "cut":
            del data[self.random.randrange(len(data)):]
        elif kind == "flipped":
            for _ in range(self.random.choice([1, 1, 5, 100])):
                data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        elif kind == "filled":
            start = self.random.randrange(len(data))
            data[start:start + 64] = bytes([self.random.choice([0, 0xff])]) * len(data[start:start + 64])
        else:
            data = data * 2
        path.write_bytes(data)
        arguments = ["train", "--resume", "-o", "damaged"]
        process = self.start(arguments)
        time.sleep(self.random.random())
        process.send_signal(signal.SIGINT)
        # Damaged settings may be wrong usage, or may ask for any number of steps.
        self.finish(process, arguments, (0, 1, 2, -signal.SIGINT))
        if (copy / "model.safetensors").exists():
            self.call(["sample", "-m", "damaged", "-n", "2", "--max-tries", "1000"], allowed=(0, 1, 3))
            self.call(["score", "-m", "damaged", "--particles", "8", "a", "wug"], allowed=(0, 1, 2, 3))
        self.counts[f"files {kind}"] += 1

    def finish_all(self):
        """Every run that can be resumed comes to its end, and the lock of no dead process is in the way."""
        for run, step in self.runs.items():
            if step is not None:
                self.call(["train", "--resume", "-o", run])
                self.check(run)
                left = [path.name for path in (self.place / run).iterdir() if path.name.endswith(".partial")]
                if left:
                    raise Wrong(f"{run}: left behind: {left}")
                self.counts["runs brought to their end"] += 1

    def pick(self):
        """One of the last runs."""
        return self.random.choice(list(self.runs)[-6:]) if self.runs else None

    def go_on(self, minutes):
        """Does something at random for some minutes."""
        actions = [self.train, self.resume, self.resume, self.together, self.use, self.use, self.damage, self.damage]
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            self.random.choice(actions)()
            self.counts["steps"] += 1
        self.finish_all()


def header(path):
    """The header of a safetensors file, which must be whole."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    content = json.loads(data[8:8 + length])
    ends = [tensor["data_offsets"][1] for name, tensor in content.items() if name != "__metadata__"]
    if max(ends) + 8 + length != len(data):
        raise Wrong(f"{path} is not whole")
    return content


def main():
    """Parses the arguments and prints what was done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wug", default="target/debug/wug", help="the program")
    arguments = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="wug-soak-"))
    soak = Soak(pathlib.Path(arguments.wug).resolve(strict=True), place, arguments.seed)
    wrong = None
    begin = time.monotonic()
    try:
        soak.go_on(arguments.minutes)
    except (Wrong, OSError, ValueError, KeyError) as error:
        wrong = error
    print(f"{time.monotonic() - begin:.0f} s, seed {arguments.seed}")
    for what, count in sorted(soak.counts.items()):
        print(f"{count:6}  {what}")
    if wrong is not None:
        print(f"wrong: {wrong!r}\nthe files are in {place}")
        sys.exit(1)
    shutil.rmtree(place)
    print("nothing lost, no panic, no hang")


if __name__ == "__main__":
    main()
