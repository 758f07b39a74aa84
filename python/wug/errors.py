"""What can go wrong. The texts are those of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._lib import Model


class Error(Exception):
    """Everything that wug raises, but for wrong types and Ctrl-C."""


class InputError(Error, ValueError):
    """What was asked for cannot be done, or a list or a file is not what it should be."""


class UnknownNameError(InputError, KeyError):
    """There is no language, preset or metric of that name."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


class FileError(Error, OSError):
    """The system refused a file, memory or a thread."""

    def __str__(self) -> str:
        return str(self.strerror)


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class GaveUpError(Error):
    """Words that meet all conditions did not come up; those that were made before are good."""

    def __init__(self, message: str, words: list[str] | None = None) -> None:
        super().__init__(message, words or [])
        self.words: list[str] = words or []
        """The words that were made."""

    def __str__(self) -> str:
        return str(self.args[0])


class NumericalError(Error, ArithmeticError):
    """Numbers became NaN or infinite."""


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C while a model was trained."""

    def __init__(self, message: str, model: Model) -> None:
        super().__init__(message, model)
        self.model: Model = model
        """The model so far."""

    def __str__(self) -> str:
        return str(self.args[0])
