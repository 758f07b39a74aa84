"""How the cost of OLD20, N and the nearest words grows with the list and with the words' length.

    python benches/neighbours_growth.py WUG > benches/results/neighbours_growth.tsv
    python3 tools/neighbours_picture.py < benches/results/neighbours_growth.tsv > docs/pictures/neighbours.svg

`wug sample` makes German words. The last of them are measured on one thread, next to more and more of the first ones, and by length next to
100,000 of them. Figures are processor time, that of one word next to the same list taken off, so that reading the list does not count.
"""
import collections
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
BESIDE, MEASURED, OF_ONE_LENGTH, FEWEST, ROUNDS = 100_000, 5000, 2000, 1000, 3
# Shorter words take less than can be measured so.
SHORTEST = 4
wug = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)


def processor(*arguments):
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = used()
    subprocess.run([wug, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return used() - before


def microseconds(folder, words):
    def score(measured):
        (folder / "words.txt").write_text("\n".join(measured), encoding="utf-8")
        return min(processor("score", "-m", "de", "--lexicon", folder / "list.txt", "-i", folder / "words.txt", "--threads", 1,
                             "--columns", "word,old20,coltheart_n,nearest") for _ in range(ROUNDS))
    return (score(words) - score(words[:1])) / (len(words) - 1) * 1e6


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    made = subprocess.run([wug, "sample", "-m", "de", "-n", str(SIZES[-1] + MEASURED), "--unique", "--seed", "1"], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.split()
    print("kind\tx\tmicroseconds", flush=True)
    for size in SIZES:
        (folder / "list.txt").write_text("\n".join(made[:size]), encoding="utf-8")
        print(f"list\t{size}\t{microseconds(folder, made[-MEASURED:]):.1f}", flush=True)
    (folder / "list.txt").write_text("\n".join(made[:BESIDE]), encoding="utf-8")
    lengths = collections.defaultdict(list)
    for word in made[BESIDE:]:
        lengths[len(word)].append(word)
    for length in sorted(length for length, words in lengths.items() if length >= SHORTEST and len(words) >= FEWEST):
        print(f"length\t{length}\t{microseconds(folder, lengths[length][:OF_ONE_LENGTH]):.1f}", flush=True)
