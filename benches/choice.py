"""Training of the choice flow, `wug train` and JAX in turns on one core: words per second of processor time.

    pip install -r benches/peers/requirements.txt
    cargo build --release && python benches/choice.py [--rounds 3] [--seconds 8]

Both train the same networks on the bundled words in batches of 256. `wug train` is a new process that reads the list, draws words, takes steps with Adam
and writes the model; JAX is timed without its start and its compilation. Processor time counts, so that other work on the machine disturbs
little. Then `wug train` alone, against the number of words, the size of the hidden layers and the length of the words: its time should be linear in
words and length and in the square of the hidden size.
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


def wug(program, words, settings, core, lexicon=()):
    """Words per second of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "train", *lexicon, "-q", "-o", Path(folder) / "run", "--words", str(words), "--threads", "1"]
        command += [part for setting in settings for part in ("--set", setting)]
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"wug train ended with status {status}")
        return words / (usage.ru_utime + usage.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wug", default=ROOT / "target" / "release" / "wug")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--words", type=int, default=500_000)
    options = parser.parse_args()
    core = min(os.sched_getaffinity(0))
    with tempfile.NamedTemporaryFile(suffix=".tsv") as lexicon:
        subprocess.run(["zstd", "-dc", ROOT / "crates/wug/data/classics-en.tsv.zst"], stdout=lexicon, check=True)
        print("| d | hidden | `wug train`, words/s | JAX, words/s | times faster |\n|---|---|---|---|---|")
        for state, hidden in ((8, 64), (32, 128)):
            settings = [f"state={state}", f"generative.hidden=[{hidden}, {hidden}]", f"choice_hidden=[{hidden}]"]
            peer = subprocess.Popen([sys.executable, PEER, lexicon.name, "--state", str(state), "--hidden", str(hidden)],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ, JAX_PLATFORMS="cpu"),
                                    preexec_fn=lambda: os.sched_setaffinity(0, {core}))
            peer.stdout.readline()
            own, other = [], []
            for _ in range(options.rounds):
                own.append(wug(options.wug, options.words, settings, core))
                peer.stdin.write(f"{options.seconds}\n")
                peer.stdin.flush()
                seen, seconds, _ = map(float, peer.stdout.readline().split())
                other.append(seen / seconds)
            peer.stdin.close()
            peer.wait()
            own, other = statistics.median(own), statistics.median(other)
            print(f"| {state} | {hidden} | {own:,.0f} | {other:,.0f} | {own / other:.1f} |", flush=True)
    print("\n| what | words/s |\n|---|---|")
    for words in (options.words // 2, options.words, 2 * options.words):
        print(f"| {words:,} words, d = 32, hidden 128 | {wug(options.wug, words, [], core):,.0f} |", flush=True)
    for hidden in (64, 128, 256):
        settings = [f"generative.hidden=[{hidden}, {hidden}]", f"choice_hidden=[{hidden}]"]
        print(f"| hidden {hidden} | {wug(options.wug, options.words // 2, settings, core):,.0f} |", flush=True)
    for length in (3, 6, 12):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as lexicon:
            lexicon.write("\n".join("".join("abcdefgh"[(number * 7 + place * place * 3) % 8] for place in range(length)) for number in range(8)))
            lexicon.flush()
            print(f"| words of {length + 1} symbols | {wug(options.wug, options.words // 2, [], core, [lexicon.name]):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
