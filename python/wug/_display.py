"""How things look: tables as text and HTML, the picture of a word being made."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._lib import Table
    from .encoding import Encoding

_ROWS = 10
"""Rows that are shown; of a longer table, the first and the last half of them."""


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return "–" if value != value else f"{value:.3f}"
    if hasattr(value, "__len__"):
        return " ".join(_cell(item) for item in value)  # type: ignore[attr-defined]
    return f"{value:.3f}" if hasattr(value, "dtype") and value.dtype.kind == "f" else str(value)


def _shown(table: Table) -> tuple[list[list[str]], bool]:
    """The rows to show, and whether some are left out between them."""
    count = len(table)
    is_cut = count > _ROWS
    places = [*range(_ROWS // 2), *range(count - _ROWS // 2, count)] if is_cut else list(range(count))
    columns = [[_cell(column[place]) for place in places] for column in table.to_dict().values()]
    return [list(row) for row in zip(*columns, strict=True)], is_cut


def _summary(table: Table) -> str:
    rows, columns = len(table), len(table.columns)
    return f"{rows} row{'s' * (rows != 1)} × {columns} column{'s' * (columns != 1)}"


def table_text(table: Table) -> str:
    """A table for a terminal: as many columns as fit into a line."""
    rows, is_cut = _shown(table)
    lines = [list(table.columns), *rows]
    widths = [min(max(len(line[place]) for line in lines), 24) for place in range(len(table.columns))]
    fitting, used = 0, 0
    while fitting < len(widths) and used + widths[fitting] + 2 <= 120:
        used += widths[fitting] + 2
        fitting += 1

    def fit(text: str, width: int) -> str:
        return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"

    text = ["  ".join(fit(cell, width) for cell, width in zip(line[:fitting], widths, strict=False)).rstrip() for line in lines]
    if is_cut:
        text.insert(1 + _ROWS // 2, "…")
    left_out = f", {len(widths) - fitting} not shown" if fitting < len(widths) else ""
    return "\n".join([*text, f"{_summary(table)}{left_out}"])


def table_html(table: Table) -> str:
    """A table for a notebook."""
    rows, is_cut = _shown(table)

    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = [line(row, "td") for row in rows]
    if is_cut:
        body.insert(_ROWS // 2, line(["…"] * len(table.columns), "td"))
    head = line(list(table.columns), "th")
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table><p>{_summary(table)}</p>"


_WIDTH, _HEIGHT, _TOP, _LEFT = 84, 320, 46, 34
"""Pixels of a step and of the unit interval, and the place around them."""
_INK, _CHOSEN, _CELLS = "#1f2937", "#f59e0b", ("#e5e7eb", "#f3f4f6")


def encoding_svg(encoding: Encoding) -> str:
    """A column for each step: the unit interval divided among the symbols, and the point that fell on one of them."""
    width, height = _LEFT + _WIDTH * len(encoding.letters), _TOP + _HEIGHT + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" role="img"><title>{_xml(encoding.word)}, letter by letter</title>'
    ]
    for label in (0, 0.5, 1):
        y = _TOP + _HEIGHT * (1 - label)
        parts.append(_text(_LEFT - 8, y + 4, f"{label:g}", 11, anchor="end"))
    points = []
    for step, letter in enumerate(encoding.letters):
        left = _LEFT + _WIDTH * step
        middle = left + _WIDTH / 2 - 8
        parts += _cells(encoding, step, left)
        parts.append(_text(middle, _TOP - 16, letter or "end", 22 if letter else 13, weight="bold"))
        y = _TOP + _HEIGHT * (1 - float(encoding.points[step]))
        points.append((middle, y))
        parts.append(_text(middle, _TOP + _HEIGHT + 18, f"u = {encoding.points[step]:.3f}", 11))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{_INK}" stroke-width="1" stroke-dasharray="3 3"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{_INK}" stroke="white" stroke-width="1.5"/>' for x, y in points]
    return "".join([*parts, "</svg>"])


def _cells(encoding: Encoding, step: int, left: float) -> list[str]:
    """The symbols' parts of the unit interval, from the bottom."""
    parts, end = [], 0.0
    for place, symbol in enumerate(encoding.symbols):
        share = float(encoding.probabilities[step, place])
        start, end = end, end + share
        if share * _HEIGHT < 0.25:
            continue
        fill = _CHOSEN if symbol == encoding.letters[step] else _CELLS[place % 2]
        y = _TOP + _HEIGHT * (1 - end)
        parts.append(
            f'<rect x="{left:.1f}" y="{y:.2f}" width="{_WIDTH - 16}" height="{share * _HEIGHT:.2f}" fill="{fill}">'
            f"<title>{_xml(symbol or 'end')} {share:.3f}</title></rect>"
        )
        if share * _HEIGHT >= 11:
            parts.append(_text(left + 10, _TOP + _HEIGHT * (1 - (start + end) / 2) + 4, symbol or "end", 11))
    return parts


def _text(x: float, y: float, text: str, size: int, *, anchor: str = "middle", weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" fill="{_INK}">'
        f"{_xml(text)}</text>"
    )


def _xml(text: str) -> str:
    return html.escape(text)
