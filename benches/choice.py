"""Training of the choice flow on tokens, `wug train` and JAX in turns on one core: words per second of processor time.

    pip install -r benches/peers/requirements.txt
    cargo build --release && python benches/choice.py [--rounds 3] [--seconds 8] [--peak GFLOPS]

Both train the same networks on the bundled words, drawn as often as they occur, in batches of 256. `wug train` is a new process that reads the
list, draws words, takes steps with Adam, reports fifty times and writes the model; JAX is timed without its start and its compilation, and reports nothing. So
there are two figures: a whole run of 2 N words, and its steps alone, for which the time of a run of N words is taken from that of the longer one. Processor time
counts, so that other work on the machine disturbs little.

Then the steps of `wug train` alone, against the number of words, the size of the hidden layers and the length of the words. If training is linear in words, length and the square of the
hidden size, multiply-adds per second stay the same. `--peak` is the core's peak, as `cargo bench -p tilegrad --bench step -- peak` measures it; the last
column is the share of it that matrix products use, everything else included in the time.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "benches" / "peers" / "choice_jax.py"
SYMBOLS = 27


def seconds(options, words, settings, lexicon=()):
    """Processor time of a training."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.wug, "train", *lexicon, "--preset", "default", "-q", "-o", Path(folder) / "run", "--words", str(words), "--threads", "1"]
        command += [part for setting in settings for part in ("--set", setting)]
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {options.core}))
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"wug train ended with status {status}")
        return usage.ru_utime + usage.ru_stime


def sizes(state, hidden):
    return ["patience=0", f"state={state}", f"generative.hidden=[{hidden}, {hidden}]", f"choice_hidden=[{hidden}]"]


def multiply_adds(state, hidden, letters, symbols):
    """Of matrices, for a word with its end and its gradient: what is seen of the letter before is a row of a table and costs none."""
    memory = state - 1
    choice = memory * hidden + memory * symbols + hidden * symbols
    remember = memory * hidden + hidden * hidden + 2 * hidden * memory
    return 3 * ((letters + 1) * choice + letters * remember)


def row(options, name, words, state, hidden, letters, symbols=SYMBOLS, lexicon=()):
    """Prints words per second, operations per second and their share of the peak, of words between N and 2 N."""
    settings = sizes(state, hidden)
    times = [min(seconds(options, count, settings, lexicon) for _ in range(options.rounds)) for count in (words, 2 * words)]
    rate = words / (times[1] - times[0])
    flops = 2e-9 * rate * multiply_adds(state, hidden, letters, symbols)
    share = f"{flops / options.peak:.0%}" if options.peak else ""
    print(f"| {name} | {times[0]:.2f} s, {times[1]:.2f} s | {rate:,.0f} | {flops:.1f} | {share} |", flush=True)


def compare(options, state, hidden, lexicon):
    """Prints the words per second of both, in turns."""
    peer = subprocess.Popen([sys.executable, PEER, lexicon, "--state", str(state), "--hidden", str(hidden)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ, JAX_PLATFORMS="cpu"),
                            preexec_fn=lambda: os.sched_setaffinity(0, {options.core}))
    peer.stdout.readline()
    whole, steps, other = [], [], []
    for _ in range(options.rounds):
        once, twice = (seconds(options, count, sizes(state, hidden)) for count in (options.words, 2 * options.words))
        whole.append(2 * options.words / twice)
        steps.append(options.words / (twice - once))
        peer.stdin.write(f"{options.seconds}\n")
        peer.stdin.flush()
        seen, time, _ = map(float, peer.stdout.readline().split())
        other.append(seen / time)
    peer.stdin.close()
    peer.wait()
    whole, steps, other = map(statistics.median, (whole, steps, other))
    print(f"| {state} | {hidden} | {whole:,.0f} | {steps:,.0f} | {other:,.0f} | {whole / other:.1f}, {steps / other:.1f} |", flush=True)


def letters(lexicon):
    """The mean length of a token, of those that are trained on."""
    rows = (line.rstrip("\n").split("\t") for line in open(lexicon))
    rows = [(len(word), int(count)) for word, count in rows if int(count) >= 10 and 2 <= len(word) <= 12 and word.isalpha()]
    return sum(length * count for length, count in rows) / sum(count for _, count in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wug", default=ROOT / "target" / "release" / "wug")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--words", type=int, default=500_000)
    parser.add_argument("--peak", type=float, help="the core's peak in 10⁹ operations per second")
    parser.add_argument("--part", choices=["jax", "alone"], help="one of the two parts")
    options = parser.parse_args()
    options.core = min(os.sched_getaffinity(0))
    with tempfile.NamedTemporaryFile(suffix=".tsv") as lexicon:
        subprocess.run(["zstd", "-dc", ROOT / "crates/wug-data/lists/en.tsv.zst"], stdout=lexicon, check=True)
        mean = letters(lexicon.name)
        if options.part != "alone":
            print("| d | hidden | `wug train`, words/s | its steps alone | JAX, words/s | times faster |\n|---|---|---|---|---|---|")
            for state, hidden in ((8, 64), (32, 128)):
                compare(options, state, hidden, lexicon.name)
    if options.part == "jax":
        return
    print(f"\nA word has {mean:.2f} letters and its end.\n\n| what | N and 2 N words | words/s | GFLOP/s | of the peak |\n|---|---|---|---|---|")
    few = options.words // 4
    for words in (options.words // 2, options.words):
        row(options, f"N = {words:,}", words, 32, 128, mean)
    for state, hidden in ((8, 64), (32, 64), (32, 256)):
        row(options, f"d = {state}, hidden {hidden}", few, state, hidden, mean)
    for length in (3, 6, 12):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as lexicon:
            lexicon.write("\n".join("".join("abcdefgh"[(number * 7 + place * place * 3) % 8] for place in range(length)) for number in range(8)))
            lexicon.flush()
            row(options, f"words of {length} letters", few, 32, 128, length, 9, [lexicon.name])


if __name__ == "__main__":
    main()
