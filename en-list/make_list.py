"""Makes the English list that `en` learns from: python make_list.py /usr/share/dict/scowl classics-en.tsv > list.txt"""
import re
import sys
from collections import Counter
from pathlib import Path

CATEGORIES = {"english", "american", "british", "british_z", "canadian", "australian"}
ROMAN = re.compile("m{0,4}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")


def scowl(folder, kinds, size, every_variant=False):
    """The words of SCOWL's files of some kinds up to a size, as they are spelt."""
    words = set()
    for file in Path(folder).iterdir():
        category, _, kind = file.stem.partition("-")
        if kind in kinds and int(file.suffix[1:]) <= size and (every_variant or category in CATEGORIES):
            words |= set(file.read_text("latin-1").split())
    return words


def ascii_words(words, shortest):
    return {word for word in words if re.fullmatch("[a-z]{%d,}" % shortest, word)}


def onset(word):
    return "y" if word.startswith("y") else re.match("[^aeiouy]*", word)[0]


def coda(word):
    return re.search("[^aeiouy]*$", word)[0]


folder, classics = sys.argv[1:]
counts = dict(line.split("\t") for line in open(classics, encoding="utf-8").read().splitlines())
dictionary = {word for word in ascii_words(scowl(folder, ["words"], 60), 2) if re.search("[aeiouy]", word)}
names = ascii_words({word.lower() for word in scowl(folder, ["upper", "proper-names"], 80, True)}, 3)
novels = ascii_words({word for word, count in counts.items() if int(count) >= 10}, 3)
abbreviations = scowl(folder, ["abbreviations"], 95, True)
onsets, codas = Counter(map(onset, dictionary)), Counter(map(coda, dictionary))
legal = {word for word in names | novels if re.search("[aeiouy]", word) and onsets[onset(word)] >= 5 and codas[coda(word)] >= 5
         and word not in abbreviations and not ROMAN.fullmatch(word)}
sys.stdout.writelines(f"{word}\n" for word in sorted(dictionary | legal))
