"""Models by name and by path."""

from __future__ import annotations

import os

from ._lib import Model


def load(model: str | os.PathLike[str] | None = None) -> Model:
    """Loads a model: by the name of one that comes with the package, from its file, or from the folder of its run.

    >>> load().alphabet[:3]
    ['a', 'b', 'c']
    """
    return Model.load(model)
