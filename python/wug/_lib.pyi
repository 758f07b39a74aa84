# The signatures of the Rust module. python/tests/test_stubs.py compares them with the module.

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, Self, TypeAlias, TypedDict, Unpack, final, type_check_only

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encoding import Encoding
from .stimuli import Bias, Matches

__version__: str

__all__ = ["Buffer", "Lexicon", "Model", "Table", "__version__", "columns", "command", "evaluate", "ld1nn", "resume", "train"]

_Words: TypeAlias = str | Iterable[str]

@type_check_only
class _Constraints(TypedDict, total=False):
    pattern: _Words | None
    not_pattern: _Words | None
    prefix: str | None
    suffix: str | None
    containing: _Words | None
    without: _Words | None
    without_any: _Words | None
    syllables: int | tuple[int, int] | None
    length: int | tuple[int, int] | None
    min_length: int | None
    max_length: int | None
    classes: Mapping[str, str] | None

_Excluded: TypeAlias = Lexicon | str | os.PathLike[str] | Mapping[str, int] | Iterable[str]

@final
class Buffer: ...

@final
class Table:
    """A table of words: ``table["log_probability"]`` is a column as a NumPy array."""

    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> NDArray[Any]: ...
    def __iter__(self) -> Iterator[str]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]: ...
    def to_lists(self) -> dict[str, list[Any]]: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def __reduce__(self) -> NoReturn: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> Any: ...
    def _repr_html_(self) -> str: ...

@final
class Lexicon:
    """Words and how often each occurs, the most frequent first."""

    def __new__(cls, words: Mapping[str, int] | Iterable[str]) -> Self: ...
    @staticmethod
    def read(
        path: str | os.PathLike[str],
        *,
        lower_case: bool = False,
        language: str = "",
        min_length: int = 1,
        max_length: int | None = None,
        min_count: int = 1,
        letters_only: bool = False,
        word_column: str = "",
        count_column: str = "",
    ) -> Lexicon: ...
    @staticmethod
    def bundled(language: str = "en") -> Lexicon: ...
    @staticmethod
    def from_wordfreq(language: str, *, min_zipf: float = 3.0) -> Lexicon: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...
    @property
    def tokens(self) -> int: ...
    @property
    def alphabet(self) -> list[str]: ...
    @property
    def digest(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, word: str, /) -> bool: ...
    def split(self, kind: Literal["tokens", "types"] = "tokens", *, seed: int = 1) -> tuple[Lexicon, Lexicon]: ...
    def statistics(self) -> dict[str, Any]: ...
    def measure(self, words: _Words, *, threads: int | None = None) -> Table: ...
    def __reduce__(self) -> tuple[type[Lexicon], tuple[dict[str, int]]]: ...

@final
class Model:
    """A trained model of words. It never changes, can be used from several threads at once, and pickles by value."""

    @staticmethod
    def load(name: str | os.PathLike[str] | None = None) -> Model: ...
    @staticmethod
    def from_bytes(content: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @property
    def alphabet(self) -> list[str]: ...
    @property
    def kind(self) -> str: ...
    @property
    def noise_size(self) -> int: ...
    @property
    def state_size(self) -> int: ...
    @property
    def config(self) -> dict[str, Any]: ...
    @property
    def provenance(self) -> dict[str, Any]: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def parameters(self) -> dict[str, NDArray[np.float32]]: ...
    def sample(
        self,
        n: int = 20,
        *,
        seed: int = 1,
        novel: bool = False,
        exclude: _Excluded | None = None,
        unique: bool = False,
        capital: bool = False,
        max_tries: int = 1_000_000,
        noise: float = 1.0,
        temperature: float = 1.0,
        argmax: bool = False,
        like: str | None = None,
        distance: float = 0.05,
        keep: int = 0,
        threads: int | None = None,
        **constraints: Unpack[_Constraints],
    ) -> list[str]: ...
    def like(
        self,
        word: str,
        n: int = 20,
        *,
        distance: float = 0.05,
        keep: int = 0,
        seed: int = 1,
        novel: bool = False,
        unique: bool = False,
        threads: int | None = None,
    ) -> list[str]: ...
    def names(
        self,
        keys: _Words,
        *,
        threads: int | None = None,
        **constraints: Unpack[_Constraints],
    ) -> list[str]: ...
    def match(
        self,
        targets: _Words,
        per_target: int = 1,
        *,
        measures: _Words | Mapping[str, float] | None = None,
        tolerance: Mapping[str, float] | None = None,
        same: _Words | None = None,
        keep: Sequence[int] = (),
        min_edits: int = 1,
        max_edits: int | None = None,
        apart: int = 1,
        attested: int = 3,
        candidates: int | None = None,
        exclude: _Excluded | None = None,
        lexicon: Lexicon | None = None,
        other_lexicon: Lexicon | None = None,
        particles: int = 1000,
        seed: int = 1,
        threads: int | None = None,
        progress: bool | None = None,
        **constraints: Unpack[_Constraints],
    ) -> Matches: ...
    def between(
        self, first: str, last: str, steps: int = 20, *, seed: int = 1, threads: int | None = None
    ) -> list[str]: ...
    def score(
        self,
        words: _Words,
        *,
        columns: _Words | None = None,
        percentiles: bool = False,
        lexicon: Lexicon | None = None,
        other_lexicon: Lexicon | None = None,
        particles: int = 1000,
        error: float | None = None,
        seed: int = 1,
        lower_case: bool = False,
        errors: Literal["raise", "coerce"] = "raise",
        threads: int | None = None,
    ) -> Table: ...
    def encode(self, word: str, *, seed: int = 1) -> Encoding: ...
    def decode(self, noise: ArrayLike | None = None, points: ArrayLike | None = None, *, seed: int = 1) -> Encoding: ...
    def noise(self, word: str, *, seed: int = 1) -> NDArray[np.float64]: ...
    def states(
        self, noise: ArrayLike | None, points: ArrayLike | None = None, *, seed: int = 1
    ) -> NDArray[np.float32]: ...
    def letters(
        self, noise: ArrayLike | None, points: ArrayLike | None = None, *, seed: int = 1
    ) -> NDArray[np.str_]: ...
    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]: ...

def train(
    lexicon: Lexicon | str | os.PathLike[str] | Mapping[str, int] | Iterable[str],
    overrides: list[str],
    weighting: str | None,
    preset: str | None,
    output: str | os.PathLike[str] | None,
    threads: int | None,
    source: Model | None,
    observe: Callable[[dict[str, int | float | None], Model | None], bool],
) -> Model: ...
def resume(
    folder: str | os.PathLike[str],
    words: int | None,
    threads: int | None,
    observe: Callable[[dict[str, int | float | None], Model | None], bool],
) -> Model: ...
def evaluate(
    model: Model,
    lexicon: Lexicon | None,
    metrics: list[str] | None,
    trajectories: int,
    particles: int,
    draws: int,
    seed: int,
    threads: int | None,
    observe: Callable[[str, float], object],
) -> tuple[dict[str, Any], str]: ...
def columns() -> list[dict[str, Any]]: ...
def ld1nn(words: _Words, nonwords: _Words, orders: int, seed: int, threads: int | None) -> Bias: ...
def command(arguments: list[str]) -> int: ...
