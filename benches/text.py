"""Writes running text to standard output: words of a lexicon by their frequency, with capitals and punctuation.

    python3 text.py LEXICON.tsv MEGABYTES [cyrillic] > TEXT

With `cyrillic`, letters a-z become Cyrillic ones, for text that is not ASCII."""
import itertools, random, sys

rows = [line.split() for line in open(sys.argv[1], encoding="utf-8")]
words, weights = [row[0] for row in rows], list(itertools.accumulate(int(row[1]) for row in rows))
cyrillic = str.maketrans({chr(ord("a") + i): chr(ord("а") + i) for i in range(26)})
generator = random.Random(1)
left = int(sys.argv[2]) << 20
while left > 0:
    line = generator.choices(words, cum_weights=weights, k=12)
    line[0] = line[0].capitalize()
    line[5] += generator.choice([",", ";", "", " —", "-" + line[6], "'s"])
    text = " ".join(line) + generator.choice([".\n", ", \n", "\n", "!”\n"])
    text = text.translate(cyrillic) if "cyrillic" in sys.argv else text
    left -= len(text.encode())
    sys.stdout.write(text)
