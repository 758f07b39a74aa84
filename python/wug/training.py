"""Training models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _lib
from ._lib import Lexicon, Model
from ._progress import Progress
from .loading import load


@dataclass(frozen=True)
class TrainingReport:
    """How training went since the last report; there are about fifty in a run."""

    step: int
    words: int
    """Words seen so far."""
    total_words: int
    learning_rate: float
    bound: float
    """Mean bound on the log-probability since the last report, in nats per word."""
    held_out: float | None
    """Cross entropy of held-out words, in nats per word; None if it would have to be estimated or nothing is held out."""
    gradient_norm: float
    information: float | None
    """What the noise decides, in bits."""
    symbol_entropy: float | None
    model: Model
    """The model so far."""


def train(
    lexicon: Lexicon | str | os.PathLike[str] | Mapping[str, int] | Iterable[str],
    *,
    words: int | str | None = None,
    seed: int | None = None,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    weighting: str | None = None,
    store_list: bool = True,
    output: str | os.PathLike[str] | None = None,
    start_from: Model | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    callback: Callable[[TrainingReport], object] | None = None,
) -> Model:
    """Trains a model: the same as ``wug train``, to the last bit.

    `lexicon` is the path of a list, the code of a language, a `Lexicon`, a mapping from words to counts, or words. The size of the model
    and the length of training follow from it, unless they are set: `words` is how many words to train on, such as ``500_000`` or
    ``"1.5M"``, and `settings` are those of ``wug train --set``. A `preset` sets everything. All words have the same weight
    (``"types"``), or as much as they occur (``weighting="tokens"``). With `start_from`, training begins with what another model
    knows. With `output`, the run has a folder with checkpoints, and `resume` continues it. Without `store_list`, the model's file does not
    give the words away. `callback` gets about fifty reports and stops training by returning True.

    >>> names = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam"]
    >>> model = train(names, words=1280, settings={"state": 4})
    >>> model.state_size
    4
    """
    overrides = [f"{key}={_value(value)}" for key, value in (settings or {}).items()]
    overrides += [f"train.words={words}"] if words is not None else []
    overrides += [f"train.seed={seed}"] if seed is not None else []
    overrides += [] if store_list else ["data.store_list=false"]
    source = start_from if start_from is None or isinstance(start_from, Model) else load(start_from)
    with _Observer(progress, callback) as observer:
        return _lib.train(lexicon, overrides, weighting, preset, output, threads, source, observer)


def resume(
    output: str | os.PathLike[str],
    *,
    words: int | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    callback: Callable[[TrainingReport], object] | None = None,
) -> Model:
    """Continues the run in a folder; `words` is a new total."""
    with _Observer(progress, callback) as observer:
        return _lib.resume(output, words, threads, observer)


def _value(value: Any) -> object:
    """A setting as the command takes it; NumPy's numbers and arrays become Python's."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        return [_value(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else value


class _Observer:
    """Shows progress, and tells the callback."""

    def __init__(self, progress: bool | None, callback: Callable[[TrainingReport], object] | None) -> None:
        self._wanted, self._callback = progress, callback
        self._progress: Progress | None = None

    def __call__(self, told: dict[str, int | float | None], model: Model | None) -> bool:
        if self._progress is None:
            self._progress = Progress(told["total_words"] or 0, "words", self._wanted)
        self._progress.show(told["words"] or 0, f"bound {told['bound']:.2f}")
        if model is None or self._callback is None:
            return False
        answer = self._callback(TrainingReport(**told, model=model))  # type: ignore[arg-type]
        # Comparisons of NumPy's numbers give a truth of its own.
        return answer is True or (type(answer).__module__ == "numpy" and bool(answer))

    def __enter__(self) -> _Observer:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._progress is not None:
            self._progress.close()
