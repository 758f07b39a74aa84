"""Draws the picture of the README: how the choice flow makes a word, with its real noise and probabilities.

python3 tools/picture.py MODEL [SEED] > docs/pictures/word.svg       (needs numpy)
"""
import importlib.util
import pathlib
import sys

import numpy as np

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "sample_numpy.py"
COLUMN, LEFT, TOP, BAR, TALL = 96, 150, 58, 34, 250
INK, SOFT, CHOSEN = "#1b1b1b", "#666666", "#b45309"
SHADES = ("#d6e4ef", "#b9d0e2")


def example():
    """The functions of the numpy example, which knows the file format."""
    spec = importlib.util.spec_from_file_location("sample_numpy", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_word(path, seed):
    """For each step the probabilities in the order of the cells, the noise as a number between 0 and 1, and the cell."""
    model, letters = example().load(path)
    if not hasattr(model, "order"):
        sys.exit(f"{path} is not a choice flow")
    names = ["end" if not letter else letter for letter in letters]
    random, h, steps = np.random.default_rng(seed), model.start, []
    while len(steps) < 12 and not (steps and model.order[steps[-1][2]] == 0):
        p = model.probabilities(h)[model.order]
        h = model.step(h, random.standard_normal(model.noise_size))
        cell = int(h[0])
        steps.append((p, p[:cell].sum() + (h[0] - cell) * p[cell], cell))
    return [names[symbol] for symbol in model.order], steps


def text(x, y, content, size=13, fill=INK, anchor="middle", weight="normal"):
    family = "system-ui, sans-serif" if size < 20 else "ui-monospace, monospace"
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-family="{family}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{content}</text>')


def bar(x, p, u, cell, names):
    """The unit interval from top to bottom, cut into the letters' probabilities, and the point that falls into one."""
    parts, top = [], TOP
    for index, share in enumerate(p):
        tall = share * TALL
        fill = CHOSEN if index == cell else SHADES[index % 2]
        parts.append(f'<rect x="{x - BAR / 2:.1f}" y="{top:.1f}" width="{BAR}" height="{tall:.2f}" fill="{fill}"/>')
        if tall > 11:
            size = 15 if len(names[index]) == 1 else 10
            parts.append(text(x, top + tall / 2 + 4.5, names[index], size, "#ffffff" if index == cell else INK,
                              weight="700" if index == cell else "normal"))
        top += tall
    y = TOP + u * TALL
    parts.append(f'<line x1="{x - BAR / 2 - 16}" y1="{y:.1f}" x2="{x + BAR / 2 + 4}" y2="{y:.1f}" stroke="{INK}" stroke-width="1.2"/>')
    parts.append(f'<circle cx="{x - BAR / 2 - 17}" cy="{y:.1f}" r="4.5" fill="{INK}"/>')
    return "".join(parts)


def picture(names, steps):
    width, height = LEFT + COLUMN * len(steps) + 10, TOP + TALL + 74
    word = "".join(names[cell] for *_, cell in steps if names[cell] != "end")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="The word {word} made from noise: at each step a point of noise falls into the share of one letter">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0.5 L8,4 L0,7.5 z" fill="{INK}"/></marker></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#ffffff"/>',
    ]
    for y, about, name in [(TOP + 40, "letters", "each as tall as"), (TOP + 56, "", "it is probable"),
                           (TOP + 120, "●  noise", "where it falls,"), (TOP + 136, "", "there is the letter"),
                           (TOP + TALL + 44, "word", "")]:
        parts.append(text(16, y, about, 14, anchor="start", weight="600"))
        parts.append(text(16, y + 16, name, 12, SOFT, "start"))
    for index, (p, u, cell) in enumerate(steps):
        x = LEFT + COLUMN * (index + 0.5)
        parts.append(text(x, TOP - 18, f"{-np.log(p[cell]):.1f} nats", 11, SOFT))
        parts.append(bar(x, p, u, cell, names))
        if index + 1 < len(steps):
            y = TOP - 36
            parts.append(f'<line x1="{x + 8}" y1="{y}" x2="{x + COLUMN - 10}" y2="{y}" stroke="{INK}" stroke-width="1.3" marker-end="url(#head)"/>')
            parts.append(text(x + COLUMN / 2, y - 5, "state", 10, SOFT))
        end = names[cell] == "end"
        parts.append(text(x, TOP + TALL + 48, names[cell], 17 if end else 30, CHOSEN, weight="700"))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.stdout.write(picture(*make_word(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
