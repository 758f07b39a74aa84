"""How well measures of words agree with people: ratings of nonwords, or reaction times to them.

    pip install numpy scipy pandas
    cargo build --release && python benches/people.py -m en ratings.tsv:word:rating more.csv:item:score
    python benches/people.py -m de --times pseudowords.tsv:word:mean_log_rt

Each data set is a table with tabs or commas and a header: FILE:ITEM:JUDGEMENT with the names of two columns. All numbers that `wug score` has for the items and n-grams
of the model's list (`wug ngram --each`) are compared with the judgements. Items that the list contains are left out and counted; `--words` measures them alone.

Ratings: Spearman's and Pearson's correlation. `--times`: the gain in R² of a linear regression over a cubic of the length, and over the same with OLD20 and N. Intervals are
those of 95 % of bootstrap samples of the items.

`--arpabet` takes items in ARPABET (`B L IH1 K`): stress is dropped and each phoneme becomes one letter. `--write-list FILE` writes the words of a pronouncing dictionary
that way, to train on:

    python benches/people.py --write-list cmudict.dict > sounds.txt && wug train sounds.txt -o sounds
    python benches/people.py -m sounds --list sounds.txt --arpabet ratings.tsv:arpabet:rating

docs/people.md tells where data are to be had and what came out.
"""
import argparse
import csv
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

ROOT = Path(__file__).resolve().parent.parent
ARPABET = ("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW "
           "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH").split()
LETTERS = dict(zip(ARPABET, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def spelled(transcription):
    """One letter for each phoneme; none if there is another symbol."""
    letters = [LETTERS.get(re.sub(r"\d", "", phoneme)) for phoneme in transcription.split()]
    return "".join(letters) if letters and all(letters) else None


def dictionary(lines):
    """The different transcriptions of a dictionary with `word PH ON EM` lines, `;;;` and `#` being comments."""
    lines = (line.split("#")[0].split(maxsplit=1) for line in lines if not line.startswith(";;;"))
    found = {spelled(parts[1]) for parts in lines if len(parts) == 2 and parts[0][0].isalpha()}
    return sorted(found - {None})


def read_items(where, arpabet):
    """Items and their mean judgements."""
    path, item, judgement = where.rsplit(":", 2)
    data = pd.read_csv(path, sep=None, engine="python", keep_default_na=False, na_values=[""])
    lacks = {item, judgement} - set(data.columns)
    if lacks:
        sys.exit(f"{path} has no column {', '.join(sorted(lacks))}; there are {', '.join(data.columns)}")
    items = data[item].astype(str)
    data = pd.DataFrame({"item": items.map(spelled) if arpabet else items.str.strip(), "judgement": pd.to_numeric(data[judgement], errors="coerce")})
    kept = data.dropna()
    if len(kept) < len(data):
        print(f"{path}: {len(data) - len(kept)} rows without item or judgement left out", file=sys.stderr)
    return kept.groupby("item").judgement.mean()


def table(options, *arguments):
    """What the command prints as a table of words."""
    found = subprocess.run([options.wug, *arguments, "--format", "tsv"], stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if found.returncode not in (0, 3):
        sys.exit(f"wug {arguments[0]} ended with status {found.returncode}")
    data = pd.read_csv(io.StringIO(found.stdout), sep="\t", keep_default_na=False, na_values=[""], quoting=csv.QUOTE_NONE, dtype={"word": str})
    return data.drop_duplicates("word").set_index("word")


def predictors(options, items):
    """All numbers for each item, and whether the list has it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "items.txt"
        file.write_text("".join(f"{item}\n" for item in items), encoding="utf-8")
        own = ["--lexicon", options.list] if options.list else []
        scores = table(options, "score", "-m", options.model, *own, "-i", file)
        # The command names words that the model cannot spell, and leaves them out.
        file.write_text("".join(f"{item}\n" for item in scores.index), encoding="utf-8")
        ngrams = table(options, "ngram", *own, *options.ngram, "--weighting", "types", "--each", "-i", file)
    known = scores.lexicality == "word"
    scores = scores.select_dtypes("number").join(ngrams)
    constant = [name for name in scores if scores[name].nunique() < 2]
    return scores.drop(columns=constant), known


def correlation(x, y):
    """Pearson's, over the last axis."""
    x, y = (values - values.mean(-1, keepdims=True) for values in (x, y))
    return (x * y).sum(-1) / np.sqrt((x * x).sum(-1) * (y * y).sum(-1))


def interval(samples):
    low, high = np.nanpercentile(samples, [2.5, 97.5])
    return low, high


def agreement(x, y, samples):
    """Spearman's and Pearson's correlation, each with its interval; `samples` are rows of places."""
    with np.errstate(invalid="ignore"):
        rows = [(correlation(rankdata(x), rankdata(y)), correlation(rankdata(x[samples], axis=1), rankdata(y[samples], axis=1))),
                (correlation(x, y), correlation(x[samples], y[samples]))]
    return {name: (value, *interval(all)) for name, (value, all) in zip(("spearman", "pearson"), rows)}


def r_squared(columns, y):
    design = np.column_stack([(values - values.mean()) / (values.std() or 1) for values in columns])
    y = y - y.mean()
    rest = y - design @ np.linalg.lstsq(design.T @ design, design.T @ y, rcond=None)[0]
    return 1 - rest.var() / y.var()


def gain(x, base, y):
    """How much more of the variance a regression explains with x than without."""
    return r_squared([*base, x], y) - r_squared(base, y)


def gains(x, bases, y, samples):
    found = {}
    for name, base in bases.items():
        all = [gain(x[rows], [values[rows] for values in base], y[rows]) for rows in samples]
        found[name] = (gain(x, base, y), *interval(all))
    return found


def cubic(length):
    length = (length - length.mean()) / length.std()
    return [length, length**2, length**3]


def compare(options, judgements):
    """A row for each measure, the best first."""
    numbers, known = predictors(options, judgements.index)
    chosen = numbers[known == options.words]
    chosen = chosen.assign(judgement=judgements.reindex(chosen.index)).dropna(axis=1, thresh=len(chosen) // 2)
    print(f"{len(judgements)} items, {len(numbers)} in the model's letters, {known.sum()} in its list; {len(chosen)} measured", file=sys.stderr)
    rng = np.random.default_rng(options.seed)
    rows = {}
    for name in chosen.columns.drop("judgement"):
        if options.times and name == "length":
            continue
        part = chosen.dropna(subset=[name, "old20", "coltheart_n"] if options.times else [name])
        x, y = part[name].to_numpy(float), part.judgement.to_numpy(float)
        if part[name].nunique() < 2:
            continue
        samples = rng.integers(len(part), size=(options.samples, len(part)))
        if options.times:
            bases = {"over length": cubic(part.length.to_numpy(float))}
            if name not in ("old20", "coltheart_n"):
                bases["over length, OLD20, N"] = bases["over length"] + [part.old20.to_numpy(float), part.coltheart_n.to_numpy(float)]
            found = gains(x, bases, y, samples)
        else:
            found = agreement(x, y, samples)
        rows[name] = {"items": len(part)}
        for key, (value, low, high) in found.items():
            rows[name] |= {key: value, f"{key} 95 %": f"{low:.3f} to {high:.3f}"}
    rows = pd.DataFrame.from_dict(rows, orient="index")
    return rows.sort_values("over length" if options.times else "spearman", key=lambda values: -values.abs())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", metavar="FILE:ITEM:JUDGEMENT")
    parser.add_argument("-m", "--model", default="en", help="a bundled model, a file, or the folder of a run")
    parser.add_argument("--list", help="the list for n-grams and classical measures [default: the model's for measures, the bundled English one for n-grams]")
    parser.add_argument("--ngram", nargs="*", default=[], metavar="OPTION", help="options of `wug ngram`, such as `filter=paper`")
    parser.add_argument("--times", action="store_true", help="judgements are reaction times (or their logarithms)")
    parser.add_argument("--words", action="store_true", help="the items that the list has, instead of the others")
    parser.add_argument("--arpabet", action="store_true", help="items are in ARPABET")
    parser.add_argument("--write-list", type=Path, metavar="DICTIONARY", help="only write the transcriptions of a dictionary as a list")
    parser.add_argument("--samples", type=int, default=1000, help="bootstrap samples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wug", default=str(ROOT / "target" / "release" / "wug"))
    options = parser.parse_args()
    options.ngram = [part for option in options.ngram for part in ("--" + option).split("=")]
    return options


def main():
    options = arguments()
    if options.write_list:
        with open(options.write_list, encoding="utf-8") as lines:
            sys.stdout.writelines(f"{word}\n" for word in dictionary(lines))
    for where in options.data:
        print(f"# {where}")
        print(compare(options, read_items(where, options.arpabet)).to_csv(sep="\t", float_format="%.3f", index_label="measure"), flush=True)


if __name__ == "__main__":
    main()
