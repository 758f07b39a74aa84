"""Measuring models."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

from . import _lib
from ._lib import Lexicon, Model
from ._progress import Progress


class Report(dict[str, Any]):
    """What was measured, with what it depends on: the JSON of ``wug eval`` as a dictionary. Printed, it is a table."""

    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def evaluate(
    model: Model,
    lexicon: Lexicon | None = None,
    *,
    metrics: str | Iterable[str] | None = None,
    trajectories: int = 100_000,
    particles: int = 1000,
    draws: int = 10_000,
    seed: int = 1,
    threads: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Measures a model: the same as ``wug eval``.

    The words are those that the model was trained with, unless others are given. Without `metrics`, all are measured. `draws` is how many
    words of each part the particle filter measures; 0 stands for the whole part.

    >>> from wug import load
    >>> report = evaluate(load(), metrics=["oracles"])
    >>> sorted(report["metrics"])
    ['oracles']
    """
    names = [metrics] if isinstance(metrics, str) else None if metrics is None else list(metrics)
    shown = Progress(1.0, "", progress)
    try:
        report, text = _lib.evaluate(
            model, lexicon, names, trajectories, particles, draws, seed, threads, lambda name, share: shown.show(share, name)
        )
    finally:
        shown.close()
    found = Report(report)
    found.text = text
    return found
