"""Scores a table of words on every worker of a Dask cluster.

    python score_words.py words.txt scores.parquet [scheduler-address]

Without an address a cluster is started on this machine. Words are divided into partitions, each partition is a task, and a task
that is lost with its worker is run again elsewhere: a word's figures do not depend on which others it is scored with, so the table
is the same whatever happens on the way.
"""

from __future__ import annotations

import sys
from typing import Any

import dask
import dask.dataframe
import pandas
from dask.distributed import Client

import wug


def score_partition(words: pandas.DataFrame, model: wug.Model) -> pandas.DataFrame:
    """The scores of a partition's words, with its index. Workers are processes: one thread each is enough."""
    scores = model.score(words["word"], errors="coerce", threads=1).to_pandas()
    return scores.set_index(words.index)


def score_words(words: Any, model: wug.Model) -> Any:
    """A Dask table of scores for a Dask table with a column `word`. The model travels to the workers by value."""
    empty = score_partition(pandas.DataFrame({"word": pandas.Series([], dtype=object)}), model)
    # Delayed, it is sent to each worker once, not with each partition.
    return words.map_partitions(score_partition, dask.delayed(model), meta=empty)


def main(source: str, destination: str, scheduler: str | None = None) -> None:
    """Reads words, scores them, and writes a table."""
    with Client(scheduler) as client:
        print(f"{len(client.scheduler_info()['workers'])} workers, {client.dashboard_link}", file=sys.stderr)
        words = dask.dataframe.read_csv(source, names=["word"], blocksize="4MB", keep_default_na=False)
        score_words(words, wug.load()).to_parquet(destination)


if __name__ == "__main__":
    main(*sys.argv[1:])
