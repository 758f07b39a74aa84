"""A word and the noise that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, repr=False, eq=False)
class Encoding:
    """A word and the noise that made it, step by step: a step for each letter, and one for the end."""

    word: str
    log_probability: float
    """The sum of the steps' logarithms: log P(w) where noise does nothing but choose letters, else log P(w | states)."""
    symbols: list[str]
    """The symbols in the order of `probabilities`; the end is the empty text."""
    letters: list[str]
    """The letter of each step; the last one is the empty text."""
    noise: NDArray[np.float64]
    """Steps × numbers of noise."""
    points: NDArray[np.float64]
    """Where in the unit interval the number falls that chooses each symbol."""
    intervals: NDArray[np.float64]
    """Steps × 2: the part of the unit interval that belongs to the symbol."""
    probabilities: NDArray[np.float64]
    """Steps × symbols."""
    states: NDArray[np.float32]
    """Steps × numbers of a state."""

    def __repr__(self) -> str:
        return f"<wug.Encoding of {self.word!r}: {len(self.letters)} steps, log-probability {self.log_probability:.3f}>"

    def to_svg(self) -> str:
        """The picture of the word being made."""
        from ._display import encoding_svg

        return encoding_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()
