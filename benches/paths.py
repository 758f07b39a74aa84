"""A build without flags against a build for this processor alone: training, scoring and sampling on every path, in turns on one core.

    python benches/paths.py                                  builds both programs first; about four minutes on an idle machine
    python benches/paths.py before=../old/target/release/wug  with another program beside them
    python benches/paths.py --rounds 1 --paths avx2,plain

A plain `cargo build --release` is run on every path that the processor has (`WUG_SIMD`), and a build with `-C target-cpu=native` on those with
vectors. All train on the same 500 words with the same seed, and score and sample with the models that they have trained themselves, so that
programs with other model files can be compared. Processor time counts, and of each the best round.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A list of a few words keeps what is not the engine's work small: reading, and the words that are held out.
WORDS = 500
TASKS = ["train, choice flow", "train, 2xTRIL", "score, 2xTRIL", "sample, choice flow"]


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def build(folder, flags):
    """The program, built with these flags."""
    command = ["cargo", "build", "--release", "--locked", "--package", "wug-cli", "--target-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, env=dict(os.environ, RUSTFLAGS=flags))
    return folder / "release" / "wug"


class Contender:
    def __init__(self, name, program, path, folder, reference=None):
        self.name, self.program, self.reference, self.times = name, program, reference or self, {}
        self.environment = dict(os.environ, **({"WUG_SIMD": path} if path else {}))
        self.folder = folder / re.sub(r"\W", "-", name)
        self.folder.mkdir()

    def seconds(self, arguments, core):
        """Processor time of one run."""
        command = [str(part) for part in (self.program, *arguments, "--threads", 1)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{' '.join(command)} ended with status {status}:\n{errors.decode()}")
        return usage.ru_utime + usage.ru_stime

    def run(self, task, lists, round_, scale, core):
        choice, particles = self.folder / f"choice-{round_}", self.folder / f"particles-{round_}"

        def train(preset, words, output):
            return ["train", lists[0], "--min-count", 1, "-q", "--preset", preset, "--words", int(words * scale), "-o", output]
        # A run has fifty reports, however short it is, of some ten milliseconds each for 2xTRIL: they must not be what is timed.
        arguments = {
            "train, choice flow": train("default", 40_000, choice),
            "train, 2xTRIL": train("2xtril-k10", 100_000, particles),
            "score, 2xTRIL": ["score", "-m", particles, "-i", lists[1]],
            "sample, choice flow": ["sample", "-m", choice, "-n", int(150_000 * scale), "--seed", 1],
        }[task]
        self.times.setdefault(task, []).append(self.seconds(arguments, core))


def paths_of(program):
    """The paths that it can use here: what it says when asked for one that there is not."""
    answer = subprocess.run([program, "sample", "-n", "1"], env=dict(os.environ, WUG_SIMD="none"), capture_output=True, text=True)
    return re.search(r"can use: (.*)", answer.stderr).group(1).split(", ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("others", nargs="*", metavar="NAME=PROGRAM")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--paths", help="of those that the processor has; those without a native build are compared with the first")
    parser.add_argument("--scale", type=float, default=1, help="times as many words")
    parser.add_argument("--no-build", action="store_true", help="take the programs as they are")
    options = parser.parse_args()
    plain, native = ROOT / "target", ROOT / "target" / "native"
    if options.no_build:
        plain, native = (folder / "release" / "wug" for folder in (plain, native))
    else:
        plain, native = build(plain, ""), build(native, "-C target-cpu=native")
    core = max(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        lists = [folder / "list.txt", folder / "scored.txt"]
        for target, count, seed in zip(lists, (WORDS, 60), (1, 2)):
            words = subprocess.run([plain, "sample", "-n", str(count), "--seed", str(seed)], capture_output=True, text=True, check=True)
            target.write_text(words.stdout)
        # Not `plain` first: the first has a native build.
        paths = sorted(options.paths.split(",") if options.paths else paths_of(plain), key="plain".__eq__)
        contenders = []
        for path in paths:
            if path != "plain":
                contenders.append(Contender(f"`-C target-cpu=native`, `{path}`", native, path, folder))
            contenders.append(Contender(f"no flags, `{path}`", plain, path, folder, contenders[-1 if path != "plain" else 0]))
        for name, program in (other.split("=", 1) for other in options.others):
            contenders.append(Contender(name, Path(program).resolve(), None, folder, contenders[0]))
        for round_ in range(options.rounds):
            for task in TASKS:
                for contender in contenders:
                    contender.run(task, lists, round_, options.scale, core)
            say(f"round {round_ + 1} of {options.rounds}")
    print("Seconds, and times those of the native build on the same path (of the first row where there is none).")
    print(f"Of {options.rounds} rounds the best; the others differ from it by {spread(contenders):.1%} in the median.\n")
    print("|", " | ".join(["", *TASKS]), "|\n|" + "---|" * (len(TASKS) + 1))
    for contender in contenders:
        cells = []
        for task in TASKS:
            best = min(contender.times[task])
            cells.append(f"{best:.2f} ({best / min(contender.reference.times[task]):.2f})")
        print("|", " | ".join([contender.name, *cells]), "|")


def spread(contenders):
    """By how much rounds are slower than the best, in the median."""
    all_times = [sorted(times) for contender in contenders for times in contender.times.values()]
    return statistics.median([time / times[0] - 1 for times in all_times for time in times[1:]] or [0])


if __name__ == "__main__":
    main()
