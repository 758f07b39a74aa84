"""Scoring words, and tables."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterator

import numpy as np
import pytest

import wug

WORDS = ["blick", "bnick", "window", "a"]


def test_columns_are_arrays(model: wug.Model) -> None:
    table = model.score(WORDS)
    assert list(table) == table.columns and "old20" in table and "colour" not in table
    assert list(table["word"]) == WORDS
    assert table["log_probability"].dtype == np.float64
    for place, word in enumerate(WORDS):
        surprisals = table["surprisals"][place]
        assert len(surprisals) == len(word) + 1
        assert math.isclose(-sum(surprisals), table["log_probability"][place], rel_tol=1e-9)
    assert table["log_probability"][0] > table["log_probability"][1]
    assert list(table["lexicality"]) == ["nonword", "nonword", "word", "nonword"]
    assert table["nearest"][0][0] == "black"
    with pytest.raises(KeyError, match="no column `colour`; there are word, length, log_probability"):
        table["colour"]


TYPES = {"number": np.float64, "count": np.float64, "text": np.object_, "numbers": np.object_, "texts": np.object_}


def test_every_column_has_its_type(model: wug.Model) -> None:
    described = wug.columns()
    table = model.score(WORDS, percentiles=True, other_lexicon=wug.Lexicon(["black", "bliss"]))
    assert table.columns == [column["name"] for column in described]
    for column in described:
        expected = np.int64 if column["name"] == "length" else TYPES[column["type"]]
        assert table[column["name"]].dtype == expected and column["about"], column
    assert {"old20", "zipf", "surprisal-profile"} <= {column["measure"] for column in described}
    without = {column["name"] for column in described if not column["needs_other_lexicon"]}
    assert set(model.score(WORDS, percentiles=True).columns) == without


def test_frequencies_are_those_of_the_list(model: wug.Model) -> None:
    lexicon = wug.Lexicon({"wug": 7, "blick": 1, "bnick": 2})
    table = lexicon.measure(["wug", "dax"])
    assert table["count"].tolist() == [7, 0]
    assert math.isclose(table["frequency_per_million"][0], 7e5)
    assert math.isclose(table["zipf"][0], math.log10(8 / 13e-6) + 3)
    assert model.score("wug", columns=["zipf"], lexicon=lexicon)["zipf"][0] == table["zipf"][0]


def test_numbers_are_shared_and_outlive_the_table(model: wug.Model) -> None:
    table = model.score(WORDS)
    first, second = table["log_probability"], table["log_probability"]
    assert np.shares_memory(first, second)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0
    kept = first.tolist()
    del table, second
    assert first.tolist() == kept


def test_words_in_every_form(model: wug.Model) -> None:
    expected = model.score(WORDS)["log_probability"].tolist()
    for words in (tuple(WORDS), iter(WORDS), np.array(WORDS), dict.fromkeys(WORDS)):
        assert model.score(words)["log_probability"].tolist() == expected
    assert model.score("blick")["log_probability"].tolist() == expected[:1]
    assert model.score("BLICK", lower_case=True)["log_probability"].tolist() == expected[:1]


def test_nothing_gives_an_empty_table(model: wug.Model) -> None:
    table = model.score([])
    assert len(table) == 0
    assert all(len(column) == 0 for column in table.to_dict().values())
    assert "0 rows" in repr(table)


def test_columns_as_lists(model: wug.Model) -> None:
    table = model.score([*WORDS, "naïve"], errors="coerce")
    columns = json.loads(json.dumps(table.to_lists()))
    assert list(columns) == table.columns
    for name, column in columns.items():
        for value, expected in zip(column, table[name], strict=True):
            assert value == (list(expected) if isinstance(value, list) else expected) or value != value, name


def test_words_without_a_score(model: wug.Model) -> None:
    with pytest.raises(wug.InputError, match="a word without letters"):
        model.score(["blick", ""])
    assert model.score(["", "a\nb"], errors="coerce", columns=["word"])["problem"][0] == "a word without letters"
    with pytest.raises(wug.InputError, match="the letter `ï` of `naïve` is not in the alphabet") as raised:
        model.score(["blick", "naïve"])
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, wug.Error)
    table = model.score(["blick", "naïve", "two words", "window"], errors="coerce")
    assert [bool(problem) for problem in table["problem"]] == [False, True, True, False]
    assert np.isnan(table["log_probability"]).tolist() == [False, True, True, False]
    assert table["length"].tolist() == [5, 5, 9, 6]
    assert table["log_probability"][3] == model.score("window")["log_probability"][0]
    with pytest.raises(ValueError, match="expected `raise` or `coerce`"):
        model.score("blick", errors="ignore")  # type: ignore[arg-type]


class Liar:
    """A collection of two words that says it had very many."""

    def __len__(self) -> int:
        return 2**62

    def __iter__(self) -> Iterator[str]:
        return iter(["blick", "window"])


class Failing:
    def __iter__(self) -> Iterator[str]:
        yield "blick"
        raise ZeroDivisionError("on purpose")


def test_strange_collections(model: wug.Model) -> None:
    assert len(model.score(Liar(), columns=["word"])) == 2
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        model.score(Failing())
    # A table is no list of words, though it can be gone through.
    table = model.score("blick", columns=["word"])
    assert len(model.score(table["word"], columns=["word"])) == 1
    with pytest.raises(TypeError, match="one column of a table; found Table"):
        model.score(table)


def test_wrong_types(model: wug.Model) -> None:
    with pytest.raises(TypeError, match="expected a word or words; found int"):
        model.score(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected words\[1\] to be str; found NoneType"):
        model.score(["blick", None])  # type: ignore[list-item]
    with pytest.raises(UnicodeEncodeError):
        model.score("\ud800")


def test_another_lexicon(model: wug.Model) -> None:
    lexicon = wug.Lexicon(["black", "block", "click"])
    table = model.score("blick", lexicon=lexicon)
    assert table["coltheart_n"][0] == 3
    assert np.isnan(table["old20"][0])
    assert table["log_probability"][0] == model.score("blick")["log_probability"][0]
    letters = lexicon.measure(["blick"])
    assert letters["coltheart_n"][0] == 3 and "log_probability" not in letters


def test_display(model: wug.Model) -> None:
    table = model.score(model.sample(100))
    assert "100 rows" in repr(table)
    assert table._repr_html_().count("<tr>") == 12
    with pytest.raises(TypeError, match="a table does not pickle: send its to_dict"):
        pickle.dumps(table)
