#!/usr/bin/env python3
"""Training in JAX, jit-compiled, tuned in good faith: the same model, sizes, words and optimiser as `wug train`.

    python benches/peers/jax_train.py LEXICON.tsv [--d 8 --layers 2 --K 10 --batch 128 --hidden 64]

F_g = N x TRIL, F_q = DIAG, backward GRU encoder, q sees (a_t, h_g) when K > 1, Adam. Words of one batch share their length, so
nothing is padded (one compiled step per length). Prints `READY` when all steps are compiled; then, for every number of seconds
on standard input, trains for so long and prints words, seconds and the bound, so that one driver (../train.py) can run it in
turns with others. It uses as many cores as the process may (pin it)."""
import argparse, math, sys, time
import numpy as np, jax, jax.numpy as jnp, optax

ap = argparse.ArgumentParser()
ap.add_argument("lexicon")
ap.add_argument("--d", type=int, default=8)
ap.add_argument("--layers", type=int, default=2)
ap.add_argument("--K", type=int, default=10)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--hidden", type=int, default=64)
ap.add_argument("--encoder", type=int, default=16)
ap.add_argument("--min-count", type=int, default=10)
ap.add_argument("--loop", choices=["scan", "unroll"], default="scan", help="unroll: about a tenth faster, minutes to compile")
ap.add_argument("--lr", type=float, default=3e-3)
a = ap.parse_args()
d, K, B, H, A = a.d, a.K, a.batch, a.hidden, a.encoder

# words by length, each length drawn as often as its tokens ask for
rows = [l.rstrip("\n").split("\t") for l in open(a.lexicon)]
rows = [(w, int(c)) for w, c in rows if int(c) >= a.min_count]
letters = {ch: i + 1 for i, ch in enumerate(sorted({ch for w, _ in rows for ch in w}))}
V = len(letters) + 1
bucket = {}
for w, c in rows:
    bucket.setdefault(len(w) + 1, []).append(([letters[ch] for ch in w] + [0], c))
bucket = {T: (np.array([x for x, _ in r], np.int32), np.array([c for _, c in r], float)) for T, r in bucket.items()}
mass = np.array([c.sum() for _, c in bucket.values()]); mass /= mass.sum(); lengths = np.array(list(bucket))
cum = {T: np.cumsum(c) / c.sum() for T, (_, c) in bucket.items()}
rng = np.random.default_rng(0)
def draw():
    T = int(rng.choice(lengths, p=mass))
    i = np.searchsorted(cum[T], rng.random(B)).clip(0, len(cum[T]) - 1)
    return T, bucket[T][0][i]

R, C = np.tril_indices(d)
IDX = np.full((d, d), len(R)); IDX[R, C] = np.arange(len(R)); DIAG = IDX[np.arange(d), np.arange(d)]
LOG2PI = math.log(2 * math.pi)
def linear(key, i, o, scale=1.0): return {"w": jax.random.normal(key, (i, o)) * scale / math.sqrt(i), "b": jnp.zeros(o)}
def init(key):
    k = iter(jax.random.split(key, 40))
    p = {"h0": jnp.zeros(d), "emb": jax.random.normal(next(k), (V, d)) * 0.3,
         "gx": linear(next(k), d, 3 * A), "gh": linear(next(k), A, 3 * A), "obs": linear(next(k), d, V),
         "qa": linear(next(k), A, H), "qh": linear(next(k), d, H), "qo": linear(next(k), H, 2 * d, 0.1),
         "fq": (linear(next(k), d, H), linear(next(k), H, 2 * d, 0.1)),
         "fg": [(linear(next(k), d, H), linear(next(k), H, d + len(R), 0.1)) for _ in range(a.layers)]}
    return p
def lin(p, x): return x @ p["w"] + p["b"]
def softplus1(x): return jax.nn.softplus(x + 0.54)
def tril(f, h):
    o = lin(f[1], jnp.tanh(lin(f[0], h))); g, x = o[:, :d], o[:, d:]
    diag = softplus1(x[:, DIAG]) + 0.1
    G = jnp.concatenate([x, jnp.zeros_like(x[:, :1])], 1)[:, IDX]
    return g, jnp.where(jnp.eye(d, dtype=bool), diag[:, :, None], G), jnp.log(diag).sum(-1)
def mul(G, x): return jnp.einsum("brc,bkc->bkr", G, x)
def solve(G, y): return jnp.swapaxes(jax.scipy.linalg.solve_triangular(G, jnp.swapaxes(y, 1, 2), lower=True), 1, 2)

def bound(p, key, w, T):
    def gru(s, gx):
        xr, xz, xn = jnp.split(gx, 3, -1); hr, hz, hn = jnp.split(lin(p["gh"], s), 3, -1)
        r, z = jax.nn.sigmoid(xr + hr), jax.nn.sigmoid(xz + hz)
        s = (1 - z) * jnp.tanh(xn + r * hn) + z * s
        return s, s
    def step(h, inputs):
        enc, w_t, k = inputs
        k1, k2, k3 = jax.random.split(k, 3)
        flows = [tril(f, h) for f in p["fg"]]
        pre = lin(p["qa"], enc)[:, None]
        if K > 1:
            x = jax.random.normal(k1, (B, K, d))
            for g, G, _ in flows: x = g[:, None] + mul(G, x)
            pre = pre + (x.reshape(B * K, d) @ p["qh"]["w"]).reshape(B, K, H)
        o = lin(p["qo"], jnp.tanh(pre)); mu, sd = o[..., :d], softplus1(o[..., d:]) + 1e-3
        e = jax.random.normal(k2, (B, K, d))
        oq = lin(p["fq"][1], jnp.tanh(lin(p["fq"][0], h))); gq, dq = oq[:, :d], softplus1(oq[:, d:]) + 0.1
        hk = gq[:, None] + dq[:, None] * (mu + sd * e)
        logq = (-0.5 * (e * e + LOG2PI) - jnp.log(sd)).sum(-1) - jnp.log(dq).sum(-1)[:, None]
        z, logdet = hk, 0.0
        for g, G, ld in reversed(flows): z = solve(G, z - g[:, None]); logdet = logdet + ld
        logp = -0.5 * (z * z + LOG2PI).sum(-1) - logdet[:, None]
        logits = lin(p["obs"], hk)
        ll = (logits * jax.nn.one_hot(w_t, V)[:, None]).sum(-1) - jax.nn.logsumexp(logits, -1)
        om = ll + logp - logq
        i = jax.random.categorical(k3, jax.lax.stop_gradient(om), -1) if K > 1 else jnp.zeros(B, int)
        return jnp.take_along_axis(hk, i[:, None, None], 1)[:, 0], jax.nn.logsumexp(om, -1) - math.log(K)
    unroll = T if a.loop == "unroll" else 1
    _, enc = jax.lax.scan(gru, jnp.zeros((B, A)), lin(p["gx"], p["emb"][w.T]), reverse=True, unroll=unroll)
    _, bounds = jax.lax.scan(step, jnp.broadcast_to(p["h0"], (B, d)), (enc, w.T, jax.random.split(key, T)), unroll=unroll)
    return bounds.sum(0).mean()

opt = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(a.lr))
def make(T):
    @jax.jit
    def step(p, s, key, w):
        l, g = jax.value_and_grad(lambda p: -bound(p, key, w, T))(p)
        u, s = opt.update(g, s, p)
        return optax.apply_updates(p, u), s, l
    return step
key = jax.random.PRNGKey(0); p = init(key); s = opt.init(p)
steps = {int(T): make(int(T)) for T in lengths}
for T in steps:                                             # compile outside the clock
    w = bucket[T][0][rng.integers(0, len(bucket[T][0]), B)]
    jax.block_until_ready(steps[T](p, s, key, w))
print("READY", f"version={jax.__version__}", flush=True)
for line in sys.stdin:
    n, t0, losses, seconds = 0, time.perf_counter(), [], float(line)
    while time.perf_counter() - t0 < seconds:
        T, w = draw(); key, k = jax.random.split(key); p, s, l = steps[T](p, s, k, w); n += B; losses.append(l)
        if len(losses) % 50 == 0: jax.block_until_ready(l)
    jax.block_until_ready(p)
    print(n, time.perf_counter() - t0, -np.mean([float(x) for x in losses[-200:]]), flush=True)
