"""A long short-term memory beside the default model: how well both predict words that neither has seen, with and without counts of the list.

    pip install -r benches/peers/requirements.txt
    wug lexicon classics-en --filter paper --split types -o parts
    python benches/lstm.py parts/train.tsv parts/test.tsv --hidden 148 --dropout 0.2 [--seed 1] [--epochs 40] [--only-validation]

The network is the usual one (Zaremba, Sutskever & Vinyals 2014): an embedding, one LSTM layer, dropout before and after it, a softmax; Adam with a cosine
schedule, words of one batch padded to the longest. A tenth of the training words is set aside, as in `wug train`: the epoch with the best figure on these is kept, and dropout
is chosen by them (`--only-validation` leaves the test part unread). The gate is that of `wug`: n-grams of up to eight symbols without the word at hand, a
layer of 16 units that sees how often each context occurs and with how many continuations, fitted on the words set aside.

Prints nats per word, each word once.
"""
import argparse
import math
import random
import time
from collections import defaultdict

import jax
import jax.numpy as jnp
import numpy as np
import optax

ORDERS = 8


def read(path):
    return [line.split("\t")[0] for line in open(path, encoding="utf-8").read().splitlines()]


def encode(words, letters):
    """Symbols with the end, 0, before and after each word, and which of them are to be predicted."""
    longest = max(map(len, words)) + 2
    symbols = np.zeros((len(words), longest), np.int32)
    mask = np.zeros((len(words), longest - 1), np.float32)
    for row, word in enumerate(words):
        symbols[row, 1 : len(word) + 1] = [letters[letter] for letter in word]
        mask[row, : len(word) + 1] = 1
    return symbols, mask


def initial(key, symbols, embedding, hidden):
    keys = jax.random.split(key, 4)
    scale = 1 / math.sqrt(hidden)
    bias = jnp.zeros(4 * hidden).at[hidden : 2 * hidden].set(1.0)
    return {
        "embedding": 0.3 * jax.random.normal(keys[0], (symbols, embedding)),
        "input": jax.random.normal(keys[1], (embedding, 4 * hidden)) / math.sqrt(embedding),
        "state": scale * jax.random.normal(keys[2], (hidden, 4 * hidden)),
        "bias": bias,
        "output": 0.3 * scale * jax.random.normal(keys[3], (hidden, symbols)),
        "output_bias": jnp.zeros(symbols),
    }


def drop(key, x, rate):
    return x if key is None or rate == 0 else x * jax.random.bernoulli(key, 1 - rate, x.shape) / (1 - rate)


def log_probabilities(p, symbols, rate=0.0, key=None):
    """Of every symbol after the first, given those before it."""
    keys = (None, None) if key is None else jax.random.split(key)
    seen = drop(keys[0], p["embedding"][symbols[:, :-1]], rate) @ p["input"] + p["bias"]
    size = p["state"].shape[0]

    def step(carry, x):
        h, c = carry
        i, f, o, g = jnp.split(x + h @ p["state"], 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    start = jnp.zeros((symbols.shape[0], size))
    _, h = jax.lax.scan(step, (start, start), jnp.swapaxes(seen, 0, 1))
    logits = drop(keys[1], jnp.swapaxes(h, 0, 1), rate) @ p["output"] + p["output_bias"]
    return jnp.take_along_axis(jax.nn.log_softmax(logits), symbols[:, 1:, None], -1)[..., 0]


evaluate = jax.jit(log_probabilities)


def per_word(parameters, symbols, mask):
    parts = range(0, len(symbols), 1024)
    log_p = np.concatenate([evaluate(parameters, symbols[i : i + 1024]) for i in parts])
    return log_p, -(log_p * mask).sum() / len(symbols)


def train(options, learn, aside):
    rng = np.random.default_rng(options.seed)
    parameters = initial(jax.random.PRNGKey(options.seed), options.symbols, options.embedding, options.hidden)
    print(f"{sum(x.size for x in parameters.values()):,} parameters", flush=True)
    steps = options.epochs * (len(learn[0]) // options.batch)
    schedule = optax.warmup_cosine_decay_schedule(0.0, options.rate, 200, steps)
    optimiser = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(schedule))
    state = optimiser.init(parameters)

    def loss(p, symbols, mask, key):
        return -(log_probabilities(p, symbols, options.dropout, key) * mask).sum() / symbols.shape[0]

    @jax.jit
    def update(p, state, symbols, mask, key):
        gradient = jax.grad(loss)(p, symbols, mask, key)
        change, state = optimiser.update(gradient, state)
        return optax.apply_updates(p, change), state

    best, key = (math.inf, None), jax.random.PRNGKey(options.seed + 1)
    for epoch in range(options.epochs):
        order = rng.permutation(len(learn[0]))
        for first in range(0, len(order) - options.batch + 1, options.batch):
            rows = order[first : first + options.batch]
            key, own = jax.random.split(key)
            parameters, state = update(parameters, state, learn[0][rows], learn[1][rows], own)
        figure = per_word(parameters, *aside)[1]
        if figure < best[0]:
            best = (figure, parameters)
        print(f"epoch {epoch + 1}: {figure:.3f} on the words set aside", flush=True)
    return best


def count(words):
    """How often each letter follows each context of the words; `$` is the end before and after each."""
    followers = defaultdict(lambda: defaultdict(int))
    for word in words:
        text = f"${word}$"
        for end in range(1, len(text)):
            for length in range(min(ORDERS, end + 1)):
                followers[text[end - length : end]][text[end]] += 1
    return followers


def experts(words, followers, letters, leave_out):
    """Of each symbol: features of its contexts, the logarithms of Witten and Bell's weights, and of what each order gives to it."""
    rows = []
    for word in words:
        own = count([word]) if leave_out else {}
        text = f"${word}$"
        for end in range(1, len(text)):
            totals, kinds, shares = np.zeros(ORDERS), np.zeros(ORDERS), np.full(ORDERS, 1 / letters)
            for length in range(ORDERS):
                context = text[max(end - length, 0) : end]
                mine = own.get(context, {})
                left = {a: n - mine.get(a, 0) for a, n in followers.get(context, {}).items() if n > mine.get(a, 0)}
                if not left:
                    shares[length:] = shares[length - 1]
                    break
                totals[length], kinds[length] = sum(left.values()), len(left)
                shares[length] = left.get(text[end], 0) / totals[length]
            bell = totals / np.maximum(totals + kinds, 1)
            rest = np.append(np.cumprod(1 - bell[:0:-1])[::-1], 1)
            prior = np.concatenate([[1], rest[:1], rest[1:] * bell[1:]])
            features = np.concatenate([np.log1p(totals), np.log1p(kinds)]) / 4
            rows.append((features, np.log(np.maximum(prior, 1e-9)), np.log(np.maximum(shares, 1e-13))))
    return [jnp.array(part) for part in map(np.stack, zip(*rows))]


def mixture(p, features, prior, shares, network):
    hidden = jnp.tanh(features @ p["hidden"] + p["hidden_bias"])
    gate = jax.nn.log_softmax(features @ p["linear"] + hidden @ p["output"] + p["bias"] + prior)
    return jax.nn.logsumexp(gate + jnp.concatenate([network[:, None], shares], 1), axis=1)


def fit_gate(seed, data):
    """On the words set aside."""
    keys = jax.random.split(jax.random.PRNGKey(seed), 2)
    p = {
        "hidden": jax.random.normal(keys[0], (2 * ORDERS, 16)) / 4, "hidden_bias": jnp.zeros(16),
        "linear": jnp.zeros((2 * ORDERS, ORDERS + 1)), "output": jnp.zeros((16, ORDERS + 1)), "bias": jnp.zeros(ORDERS + 1),
    }
    optimiser = optax.adam(optax.cosine_decay_schedule(0.02, 600))
    state = optimiser.init(p)

    @jax.jit
    def update(p, state):
        gradient = jax.grad(lambda p: -mixture(p, *data).mean())(p)
        change, state = optimiser.update(gradient, state)
        return optax.apply_updates(p, change), state

    for _ in range(600):
        p, state = update(p, state)
    return p


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--hidden", type=int, default=148)
    parser.add_argument("--embedding", type=int, default=32)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-validation", action="store_true")
    options = parser.parse_args()
    began = time.time()
    words, test = read(options.train), read(options.test)
    letters = {letter: number for number, letter in enumerate(sorted(set("".join(words))), 1)}
    options.symbols = len(letters) + 1
    aside = set(random.Random(options.seed).sample(sorted(words), len(words) // 10))
    learnt, aside = [word for word in words if word not in aside], sorted(aside)
    known = [word for word in test if all(letter in letters for letter in word)]
    parts = {"learnt": encode(learnt, letters), "aside": encode(aside, letters), "test": encode(known, letters)}
    figure, parameters = train(options, parts["learnt"], parts["aside"])
    print(f"words set aside: {figure:.3f} nats per word, network alone; {time.time() - began:.0f} s")
    if options.only_validation:
        return
    followers = count(words)
    mixed = {}
    for part, own, leave_out in (("aside", aside, True), ("test", known, False)):
        symbols, mask = parts[part]
        log_p, alone = per_word(parameters, symbols, mask)
        mixed[part] = (*experts(own, followers, options.symbols, leave_out), jnp.array(log_p[mask > 0]))
    gate = fit_gate(options.seed, mixed["aside"])
    with_counts = -float(mixture(gate, *mixed["test"]).sum()) / len(known)
    print(f"test part: {alone:.3f} nats per word, network alone; {with_counts:.3f} with counts; {time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
