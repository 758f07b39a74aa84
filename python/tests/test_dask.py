"""The Dask example, with real workers in processes of their own."""

from __future__ import annotations

import importlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wug

distributed = pytest.importorskip("distributed")
dask_dataframe = pytest.importorskip("dask.dataframe")
pandas = pytest.importorskip("pandas")

FOLDER = Path(__file__).parents[2] / "examples/dask"
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    """The example, where workers find it too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        patch.setenv("PYTHONPATH", str(FOLDER))
        yield importlib.import_module("score_words")


@pytest.fixture(scope="module")
def client(example: Any) -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def words(model: wug.Model) -> Any:
    return pandas.DataFrame({"word": [*model.sample(100, seed=9), "naïve"]})


@pytest.fixture(scope="module")
def expected(model: wug.Model, words: Any) -> Any:
    return model.score(words["word"], errors="coerce").to_pandas()


def same(found: Any, expected: Any) -> bool:
    columns = ["word", "log_probability", "lexicon_percentile", "coltheart_n", "old20", "problem"]
    return bool(found.sort_index()[columns].equals(expected[columns]))


def test_two_workers_give_the_table_of_one_process(
    example: Any, client: Any, model: wug.Model, words: Any, expected: Any
) -> None:
    parts = dask_dataframe.from_pandas(words, npartitions=7)
    assert same(example.score_words(parts, model).compute(), expected)


def test_a_worker_that_is_killed_loses_nothing(
    example: Any, client: Any, model: wug.Model, words: Any, expected: Any
) -> None:
    parts = dask_dataframe.from_pandas(words, npartitions=10)
    pids = client.run(os.getpid)
    future = client.compute(example.score_words(parts, model))
    time.sleep(0.5)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert same(future.result(timeout=600), expected)
