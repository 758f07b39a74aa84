"""Draws how the cost of neighbours grows with the list and with the words' length.

python3 tools/neighbours_picture.py < benches/results/neighbours_growth.tsv > docs/pictures/neighbours.svg
"""
import csv
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 220, 64, 46, 90
INK, SOFT, LINE = "#1b1b1b", "#666666", "#b45309"


def text(x, y, content, size=12, fill=INK, anchor="middle", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui, sans-serif" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{content}</text>')


def panel(left, title, under, points, across, x_ticks, y_ticks):
    """A curve whose axes are functions from numbers to shares of the panel."""
    (x_of, y_of), bottom = across, TOP + HEIGHT
    place = lambda x, y: (left + WIDTH * x_of(x), bottom - HEIGHT * y_of(y))
    parts = [text(left, TOP - 18, title, 14, anchor="start", weight="600")]
    for y in y_ticks:
        _, at = place(points[0][0], y)
        parts.append(f'<line x1="{left}" y1="{at:.1f}" x2="{left + WIDTH}" y2="{at:.1f}" stroke="#dddddd"/>')
        parts.append(text(left - 8, at + 4, f"{y:g}", fill=SOFT, anchor="end"))
    for x in x_ticks:
        at, _ = place(x, points[0][1])
        parts.append(text(at, bottom + 18, f"{x:,}", fill=SOFT))
    parts.append(text(left + WIDTH / 2, bottom + 38, under, fill=SOFT))
    dots = [place(*point) for point in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LINE}"/>' for x, y in dots]
    return "".join(parts)


def main():
    rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
    of = lambda kind: [(int(row["x"]), float(row["microseconds"])) for row in rows if row["kind"] == kind]
    lists, lengths = of("list"), of("length")
    (least, _), (most, _) = lists[0], lists[-1]
    decades = [10 ** power for power in range(-1, 7)]
    low = max(one for one in decades if one <= min(y for _, y in lists))
    high = min(one for one in decades if one >= max(y for _, y in lists))
    share = lambda low, high: lambda value: math.log(value / low) / math.log(high / low)
    step = 10 ** math.floor(math.log10(max(y for _, y in lengths))) / 2
    top = step * math.ceil(max(y for _, y in lengths) / step)
    first, last = lengths[0][0], lengths[-1][0]
    width = 2 * (LEFT + WIDTH) + GAP - 30
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 52}" role="img" '
          f'aria-label="Microseconds for OLD20, N and the nearest words of a word, by the size of the list and by the length of the word">'
          f'<rect width="{width}" height="{TOP + HEIGHT + 52}" rx="10" fill="#ffffff"/>')
    print(panel(LEFT, "microseconds for a word", "words of the list", lists, (share(least, most), share(low, high)),
                [one for one in decades if least <= one <= most], [one for one in decades if low <= one <= high]))
    print(panel(LEFT + WIDTH + GAP, "the same, 100,000 words in the list", "letters of the word", lengths,
                (lambda x: (x - first) / (last - first), lambda y: y / top), range(first, last + 1, 2),
                [step * index for index in range(round(top / step) + 1)]))
    print("</svg>")


main()
