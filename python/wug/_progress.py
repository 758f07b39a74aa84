"""Progress of long work: tqdm's bar where it is installed, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol


class Bar(Protocol):
    """What shows progress."""

    def show(self, done: float, text: str) -> None: ...

    def close(self) -> None: ...


class Progress:
    """Shows how far some work has come."""

    def __init__(self, total: float, unit: str, wanted: bool | None) -> None:
        self._bar = _bar(total, unit, wanted)

    def show(self, done: float, text: str) -> None:
        """Shows how much is done of the total."""
        self._bar.show(done, text)

    def close(self) -> None:
        """Takes the bar away."""
        self._bar.close()


def _bar(total: float, unit: str, wanted: bool | None) -> Bar:
    if wanted is None:
        wanted = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    if not wanted:
        return _Silent()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines(total, unit)
    return _Tqdm(tqdm(total=total, unit=unit, unit_scale=True, leave=False))


class _Silent:
    def show(self, done: float, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class _Lines:
    """A line on standard error every few seconds."""

    def __init__(self, total: float, unit: str) -> None:
        self._total, self._unit = total, unit
        self._told = time.monotonic()

    def show(self, done: float, text: str) -> None:
        now = time.monotonic()
        if now - self._told >= 5 or done >= self._total:
            self._told = now
            print(f"{done / self._total:4.0%}  {done:,.0f} {self._unit}  {text}", file=sys.stderr)

    def close(self) -> None:
        pass


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def show(self, done: float, text: str) -> None:
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)
        if done >= self._bar.total:
            self._bar.refresh()

    def close(self) -> None:
        self._bar.close()
