#!/usr/bin/env python3
"""Training of the choice flow in JAX, jit-compiled: the same networks, sizes, words and optimiser as `wug train`, for ../choice.py.

    python benches/peers/choice_jax.py LEXICON.tsv [--state 32] [--hidden 128] [--batch 256]

The memory is deterministic, so the bound is the log-probability of the word's choices. Cells have soft edges, through which the networks see
a mixture of two letters; batches are padded to the longest word, both as is natural in JAX. Prints `READY` when the step is compiled; then, for every
number of seconds of processor time on standard input, trains for so long and prints words, seconds of processor time and the bound.
"""
import argparse
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

parser = argparse.ArgumentParser()
parser.add_argument("lexicon")
parser.add_argument("--state", type=int, default=32)
parser.add_argument("--hidden", type=int, default=128)
parser.add_argument("--batch", type=int, default=256)
parser.add_argument("--rate", type=float, default=3e-3)
parser.add_argument("--kappa", type=float, default=50.0)
parser.add_argument("--min-count", type=int, default=10)
arguments = parser.parse_args()

rows = [line.rstrip("\n").split("\t") for line in open(arguments.lexicon)]
rows = [(word, int(count)) for word, count in rows if int(count) >= arguments.min_count and 2 <= len(word) <= 12 and word.isascii() and word.isalpha()]
SYMBOLS, STEPS, MEMORY = 27, max(len(word) for word, _ in rows) + 1, arguments.state - 1
words = np.zeros((len(rows), STEPS), np.int32)
for row, (word, _) in enumerate(rows):
    words[row, : len(word)] = [ord(letter) - 96 for letter in word]
lengths = np.array([len(word) + 1 for word, _ in rows], np.int32)
cumulative = np.cumsum([count for _, count in rows], dtype=float)
cumulative /= cumulative[-1]


def initial(key):
    keys = iter(jax.random.split(key, 8))

    def weight(inputs, outputs, gain=1.0):
        return jax.random.normal(next(keys), (inputs, outputs)) * gain / np.sqrt(inputs)

    seen, hidden = MEMORY + SYMBOLS, arguments.hidden
    return {
        "start": jnp.zeros(MEMORY),
        "linear": weight(seen, SYMBOLS, 0.3), "linear_bias": jnp.zeros(SYMBOLS),
        "choice": weight(seen, hidden), "choice_bias": jnp.zeros(hidden), "output": weight(hidden, SYMBOLS, 0.3),
        "first": weight(seen, hidden), "first_bias": jnp.zeros(hidden),
        "second": weight(hidden, hidden), "second_bias": jnp.zeros(hidden),
        "next": weight(hidden, 2 * MEMORY, 0.5), "next_bias": jnp.zeros(2 * MEMORY),
    }


def log_choice(p, memory, seen):
    x = jnp.concatenate([memory, seen], -1)
    hidden = jnp.tanh(x @ p["choice"] + p["choice_bias"])
    return jax.nn.log_softmax(x @ p["linear"] + p["linear_bias"] + hidden @ p["output"])


def remember(p, memory, seen):
    hidden = jnp.tanh(jnp.concatenate([memory, seen], -1) @ p["first"] + p["first_bias"])
    hidden = hidden + jnp.tanh(hidden @ p["second"] + p["second_bias"])
    new, gate = jnp.split(hidden @ p["next"] + p["next_bias"], 2, -1)
    new, gate = jnp.tanh(new), jax.nn.sigmoid(gate)
    return new + gate * (memory - new)


def bound(p, batch, lengths, key):
    size = batch.shape[0]

    def step(carry, inputs):
        memory, seen = carry
        symbol, key = inputs
        own = jnp.take_along_axis(log_choice(p, memory, seen), symbol[:, None], -1)[:, 0]
        place = symbol + jax.random.uniform(key, (size,))
        shares = jax.nn.log_softmax(-arguments.kappa * (place[:, None] - jnp.arange(SYMBOLS) - 0.5) ** 2)
        own += jnp.take_along_axis(shares, symbol[:, None], -1)[:, 0]
        seen = jnp.exp(shares)
        return (remember(p, memory, seen), seen), own

    carry = jnp.broadcast_to(p["start"], (size, MEMORY)), jnp.zeros((size, SYMBOLS))
    _, gains = jax.lax.scan(step, carry, (batch.T, jax.random.split(key, STEPS)))
    return (gains * (jnp.arange(STEPS)[:, None] < lengths)).sum(0)


optimiser = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(arguments.rate))


@jax.jit
def update(p, state, batch, lengths, key):
    loss, gradient = jax.value_and_grad(lambda p: -bound(p, batch, lengths, key).mean())(p)
    change, state = optimiser.update(gradient, state)
    return optax.apply_updates(p, change), state, loss


p, number, rng = initial(jax.random.PRNGKey(1)), 0, np.random.default_rng(1)
state = optimiser.init(p)


def train():
    global p, state, number
    index = np.searchsorted(cumulative, rng.random(arguments.batch)).clip(0, len(rows) - 1)
    p, state, loss = update(p, state, words[index], lengths[index], jax.random.PRNGKey(number))
    number += 1
    return loss


train().block_until_ready()
print(f"READY version={jax.__version__}", flush=True)
for line in sys.stdin:
    begun, seen = time.process_time(), 0
    while time.process_time() - begun < float(line):
        loss = train()
        loss.block_until_ready()
        seen += arguments.batch
    print(seen, time.process_time() - begun, -float(loss), flush=True)
