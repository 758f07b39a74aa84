"""Tables in pandas, polars and Arrow."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import wug

WORDS = ["blick", "bnick", "naïve", "window", "x"]


def test_pandas(model: wug.Model) -> None:
    pandas = pytest.importorskip("pandas")
    frame = model.score(pandas.Series(WORDS), errors="coerce").to_pandas()
    assert list(frame["word"]) == WORDS
    assert frame["log_probability"].isna().tolist() == [False, False, True, False, False]
    assert frame["length"].tolist() == [5, 5, 5, 6, 1]
    with pytest.raises(TypeError, match="one column of a table; found DataFrame"):
        model.score(frame)


def test_polars(model: wug.Model) -> None:
    polars = pytest.importorskip("polars")
    table = model.score(polars.Series(WORDS), errors="coerce")
    frame = table.to_polars()
    assert frame["word"].to_list() == WORDS
    assert frame["log_probability"].is_null().to_list() == [False, False, True, False, False]
    assert frame["surprisals"].list.len().to_list() == [6, 6, 0, 7, 2]
    assert frame["nearest"][0].to_list() == list(table["nearest"][0])
    kept = frame["log_probability"].to_list()
    del table
    gc.collect()
    assert frame["log_probability"].to_list() == kept
    # An unread stream is given back, too.
    for _ in range(100):
        frame = model.score(["blick"]).__arrow_c_stream__()
    assert model.score([]).to_polars().height == 0


def test_large_tables_agree(model: wug.Model) -> None:
    polars = pytest.importorskip("polars")
    table = model.score(model.sample(3000))
    frame = table.to_polars()
    for name in ("log_probability", "old20", "length"):
        assert np.array_equal(frame[name].to_numpy(), table[name])
    assert frame["word"].to_list() == list(table["word"])
