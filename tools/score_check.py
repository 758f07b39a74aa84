"""Compares `wug score` with how often the model makes its commonest words: an external check of the scores.

    python tools/score_check.py [--wug PROGRAM] [-m MODEL] [--samples 5M] [--words 300] [--particles 1000] [--seed 1]

A word that has the probability p comes up in a share p of N samples, with a standard error of sqrt(p (1 − p) / N). `wug sample` never
makes the empty word, so shares are of words with a letter: a score is lower by −log P(not empty), which is nothing for a trained
model. Words are the commonest ones that the model's list has, and the commonest that it has not. For each set: the mean of score
minus logarithm of the share, corrected for what the logarithm of a small count is too low on average, and how many words lie beyond two and four standard errors, that of the score included.
"""
import argparse
import collections
import json
import math
import subprocess

parser = argparse.ArgumentParser()
parser.add_argument("--wug", default="wug")
parser.add_argument("-m", "--model")
parser.add_argument("--samples", default="5M")
parser.add_argument("--words", type=int, default=300)
parser.add_argument("--particles", default="1000")
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
model = ["-m", arguments.model] if arguments.model else []


def sample(seed):
    """How often each word comes up."""
    counts = collections.Counter()
    command = [arguments.wug, "sample", *model, "-n", arguments.samples, "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            counts[line.rstrip("\n")] += 1
    return counts


# Words that came up often in one sample came up too often in it: they are chosen by one and counted in another.
choosing, counts = sample(arguments.seed), sample(arguments.seed + 1)
total = sum(counts.values())
columns = "word,log_probability,standard_error,lexicality"
scored = [arguments.wug, "score", *model, "--particles", arguments.particles, "--columns", columns, "--format", "json"]
common = [word for word, _ in choosing.most_common(50 * arguments.words) if word]
output = subprocess.run(scored, input="\n".join(common) + "\n", capture_output=True, text=True, check=False).stdout
rows = [json.loads(line) for line in output.splitlines()]
for kind in ("word", "nonword"):
    chosen = [row for row in rows if row["lexicality"] == kind][: arguments.words]
    errors, beyond = [], [0, 0]
    for row in chosen:
        # The mean logarithm of a count that is n on average is log n − 1/(2 n), to first order.
        count = max(counts[row["word"]], 0.5)
        share = count / total
        error = math.hypot(math.sqrt((1 - share) / (share * total)), row["standard_error"])
        difference = row["log_probability"] - math.log(share) - 1 / (2 * count)
        errors.append(difference)
        beyond = [number + (abs(difference) > limit * error) for number, limit in zip(beyond, (2, 4))]
    if chosen:
        least = min(counts[row["word"]] for row in chosen)
        print(f"{len(chosen)} {kind}s, each made at least {least} times of {total}: score minus log share {sum(errors) / len(errors):+.4f} nats on average, "
              f"{100 * beyond[0] / len(chosen):.1f} % beyond 2 standard errors, {100 * beyond[1] / len(chosen):.1f} % beyond 4")
