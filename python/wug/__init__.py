"""Words from white noise: make, score and measure words with a deep state space model.

>>> import wug
>>> model = wug.load()
>>> words = model.sample(3, seed=1)
>>> scores = model.score(words)
>>> len(scores), scores["log_probability"].dtype
(3, dtype('float64'))

Everything that draws takes a seed, and the same seed gives the same words as the command ``wug``, to the last letter.
"""

from ._lib import Lexicon, Model, Table, __version__, columns
from .errors import (
    Error,
    FileError,
    GaveUpError,
    InputError,
    MissingFileError,
    NumericalError,
    TrainingInterrupted,
    UnknownNameError,
)
from .evaluation import Report, evaluate
from .loading import load
from .stimuli import Bias, Matches, ld1nn
from .encoding import Encoding
from .training import TrainingReport, resume, train

__all__ = [
    "Bias",
    "Error",
    "FileError",
    "GaveUpError",
    "InputError",
    "Lexicon",
    "Matches",
    "MissingFileError",
    "Model",
    "NumericalError",
    "Report",
    "Table",
    "Encoding",
    "TrainingInterrupted",
    "TrainingReport",
    "UnknownNameError",
    "__version__",
    "columns",
    "evaluate",
    "ld1nn",
    "load",
    "resume",
    "train",
]
