"""Stimuli of an experiment: pseudowords that match words, and whether both can be told apart."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _lib

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._lib import Table


@dataclass(frozen=True, eq=False)
class Bias:
    """What the LD1NN test says about a list (Keuleers & Brysbaert, 2011).

    Odds above 1 mean that nearness in the list gives words and nonwords away, odds below 1 that neighbours tend to be of the other kind.
    """

    odds: float
    coefficient: float
    """The logarithm of the odds; the mean over the orders."""
    standard_error: float
    z: float
    p: float
    orders: int
    """Orders of presentation that were tried."""
    significant_orders: int
    """Orders in which p is below 0.05."""
    verdict: Literal["biased", "doubtful", "none-found"]
    word_probabilities: NDArray[np.float64]
    """For each stimulus, how probable the response `word` is by its neighbours."""

    def __repr__(self) -> str:
        return (
            f"<wug.Bias: {self.verdict}, odds {self.odds:.2f}, p = {self.p:.3f}, "
            f"p < 0.05 in {self.significant_orders} of {self.orders} orders>"
        )


def ld1nn(
    words: str | Iterable[str],
    nonwords: str | Iterable[str],
    *,
    orders: int = 100,
    seed: int = 1,
    threads: int | None = None,
) -> Bias:
    """Tests whether words can be told from nonwords by their neighbours in the list alone: the test of ``wug check``.

    An experiment has a random order for each participant, so the test takes the mean over `orders` random ones.

    >>> words = ["cat", "hat", "mat", "dog", "fog", "log"]
    >>> ld1nn(words, ["cag", "hag", "mot", "dag", "fot", "lat"]).orders
    100
    """
    return _lib.ld1nn(words, nonwords, orders, seed, threads)


@dataclass(frozen=True, repr=False, eq=False)
class Matches:
    """Pseudowords for a list of words, how well they match, and what to write about it. Printed, it is the report."""

    pairs: Table
    """A row for each pseudoword: its word, its distance, and the figures that both were matched on."""
    quality: list[dict[str, Any]]
    """How well each measure is matched."""
    bias: Bias | None
    """Whether words and pseudowords can be told apart by their neighbours in the list; None where the list is too short or too long."""
    shortages: list[tuple[str, str]]
    """Words with too few pseudowords or none, and why."""
    candidates: int
    """Candidates that were measured."""
    report: str
    """How well the list is matched, as a table."""
    method: str
    """How the pseudowords were made, in sentences for a paper."""
    bibtex: str
    """The references of `method`."""

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        lacking = f", {len(self.shortages)} words lack some" if self.shortages else ""
        return f"<wug.Matches: {len(self)} pseudowords{lacking}>"

    def __str__(self) -> str:
        return self.report

    def _repr_html_(self) -> str:
        return f"{self.pairs._repr_html_()}<pre>{html.escape(self.report)}</pre>"
