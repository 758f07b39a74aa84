"""Cross entropy from shared trajectories: `wug eval` against one matrix formulation in numpy and in JAX.

    python benches/eval.py WUG MODEL LEXICON.tsv [TRAJECTORIES]        numpy 2.4, jax 0.10

With X the words as rows of zeros and ones (a column for each pair of position and symbol) and L the log-probabilities of
these pairs along the trajectories, log P(w|h^(k)) is X L and log P̂(w) the mean over its columns in the exponential. That is
computed for blocks of 1,000 trajectories with made-up numbers; blocks are alike, so a few of them are timed and scaled up.
`wug eval` also makes the trajectories, and everything is timed with the start of the process. The list must be the one that
the model was trained on (at least 10 occurrences).
"""
import json
import subprocess
import sys
import time

import numpy as np

if len(sys.argv) < 4:
    sys.exit(__doc__)
wug, model, lexicon = sys.argv[1:4]
trajectories = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
BLOCK, BLOCKS = 1000, 3

rows = [line.rstrip("\n").split("\t") for line in open(lexicon, encoding="utf-8")]
words = [word for word, count in rows if int(count) >= 10]
symbols = {letter: number for number, letter in enumerate(sorted(set("".join(words))), 1)}
V, T = len(symbols) + 1, max(map(len, words)) + 1
X = np.zeros((len(words), T * V), np.float32)
for row, word in enumerate(words):
    for position, symbol in enumerate([symbols[letter] for letter in word] + [0]):
        X[row, position * V + symbol] = 1
random = np.random.default_rng(1)


def log_probabilities():
    logits = random.normal(size=(T, V, BLOCK)).astype(np.float32) * 2
    return (logits - np.log(np.exp(logits).sum(1, keepdims=True))).reshape(T * V, BLOCK)


def numpy_block(L):
    product = X @ L
    largest = product.max(1, keepdims=True)
    return largest[:, 0] + np.log(np.exp(product - largest).sum(1))


def measure(block):
    block(log_probabilities())
    times = []
    for _ in range(BLOCKS):
        L = log_probabilities()
        start = time.perf_counter()
        block(L)
        times.append(time.perf_counter() - start)
    return min(times) * trajectories / BLOCK


def jax_seconds():
    import jax
    from jax.scipy.special import logsumexp

    resident = jax.device_put(X)
    block = jax.jit(lambda L: logsumexp(resident @ L, axis=1))
    return measure(lambda L: block(L).block_until_ready())


start = time.perf_counter()
command = [wug, "eval", "-m", model, "--metrics", "cross-entropy", "--trajectories", str(trajectories), "--format", "json"]
report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
own = time.perf_counter() - start
print(f"{report['lexicon']['types']:,} words ({len(words):,} here), {trajectories:,} trajectories")
print(f"wug    {own:8.2f} s   H = {report['metrics']['cross-entropy']['test']:.3f} nats")
for name, seconds in [("numpy", measure(numpy_block)), ("jax", jax_seconds())]:
    print(f"{name:6} {seconds:8.2f} s   {seconds / own:.0f}×")
