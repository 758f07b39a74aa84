"""Draws the picture of the README: how a model makes a word, with its real noise, states and probabilities.

python3 tools/picture.py MODEL [SEED] > docs/pictures/word.svg       (needs numpy)
"""
import importlib.util
import json
import pathlib
import sys
import tomllib

import numpy as np

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "sample_numpy.py"
COLUMN, LEFT, STRIP, TOP = 104, 150, 11, 44
INK, SOFT, WARM, COOL = "#1b1b1b", "#666666", (180, 83, 9), (11, 102, 168)


def example():
    """The functions of the numpy example, which knows the file format."""
    spec = importlib.util.spec_from_file_location("sample_numpy", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_word(path, seed):
    """Noise, states, probabilities and letters of one word."""
    own = example()
    metadata, tensors = own.read(path)
    config = tomllib.loads(metadata["config"])["model"]["generative"]
    letters = ["end"] + json.loads(metadata["alphabet"])
    random, h, steps = np.random.default_rng(seed), tensors["generative.start"], []
    while len(steps) < 12 and not (steps and steps[-1][3] == 0):
        noise = random.standard_normal(len(h))
        h = own.transition(tensors, config, h, noise)
        logits = tensors["generative.emission.weight"] @ h + tensors["generative.emission.bias"]
        p = np.exp(logits - logits.max())
        p /= p.sum()
        steps.append((noise, h, p, random.choice(len(p), p=p)))
    return letters, steps


def colour(value, most):
    """White at zero, warm above, cool below."""
    share = min(abs(value) / most, 1.0)
    end = WARM if value > 0 else COOL
    return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in end)


def text(x, y, content, size=13, fill=INK, anchor="middle", weight="normal"):
    family = "system-ui, sans-serif" if size < 20 else "ui-monospace, monospace"
    return (f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{content}</text>')


def strip(x, y, values, most):
    """A vector as two rows of small squares."""
    half = (len(values) + 1) // 2
    cells = []
    for index, value in enumerate(values):
        column, row = index % half, index // half
        cells.append(f'<rect x="{x + (column - half / 2) * STRIP:.1f}" y="{y + row * STRIP}" width="{STRIP}" '
                     f'height="{STRIP}" fill="{colour(value, most)}" stroke="#d4d4d4" stroke-width="0.6"/>')
    return "".join(cells)


def arrow(x1, y1, x2, y2):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{INK}" stroke-width="1.4" marker-end="url(#head)"/>'


def picture(letters, steps):
    width, height = LEFT + COLUMN * len(steps) + 10, TOP + 306
    word = "".join(letters[symbol] for *_, symbol in steps if symbol)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="The word {word} made from noise: each step draws noise, moves the state and draws a letter">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0.5 L8,4 L0,7.5 z" fill="{INK}"/></marker></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#ffffff"/>',
    ]
    for y, name, about in [(TOP + 4, "ξₜ", "white noise"), (TOP + 72, "hₜ = F(hₜ₋₁, ξₜ)", "state"),
                           (TOP + 158, "P(wₜ | hₜ)", "likely letters"), (TOP + 262, "wₜ", "letter drawn")]:
        parts.append(text(16, y, about, 14, anchor="start", weight="600"))
        parts.append(text(16, y + 16, name, 12, SOFT, "start"))
    most = np.quantile([np.abs(h) for _, h, _, _ in steps], 0.95)
    for index, (noise, h, p, symbol) in enumerate(steps):
        x = LEFT + COLUMN * (index + 0.5)
        half = (len(h) + 1) // 2 * STRIP / 2
        parts.append(strip(x, TOP - 12, noise, 2.5))
        parts.append(arrow(x, TOP + 14, x, TOP + 52))
        parts.append(strip(x, TOP + 58, h, most))
        if index + 1 < len(steps):
            parts.append(arrow(x + half + 3, TOP + 69, x + COLUMN - half - 4, TOP + 69))
        parts.append(arrow(x, TOP + 84, x, TOP + 112))
        for rank, letter in enumerate(np.argsort(-p)[:5]):
            y = TOP + 118 + 22 * rank
            chosen = letter == symbol
            fill = "#b45309" if chosen else "#9db8cc"
            parts.append(f'<rect x="{x - 26}" y="{y}" width="{max(1.5, 64 * p[letter]):.1f}" height="15" fill="{fill}"/>')
            parts.append(text(x - 30, y + 12, letters[letter], 14 if letter else 11, INK, "end", "700" if chosen else "normal"))
        parts.append(arrow(x, TOP + 230, x, TOP + 248))
        parts.append(text(x, TOP + 278, letters[symbol], 30 if symbol else 17, "#b45309", weight="700"))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    model, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    sys.stdout.write(picture(*make_word(model, seed)))
