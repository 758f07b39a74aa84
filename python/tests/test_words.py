"""Making words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wug


def test_constraints_are_met(model: wug.Model) -> None:
    for word in model.sample(20, prefix="st", suffix="e", length=6):
        assert word.startswith("st") and word.endswith("e") and len(word) == 6
    words = model.sample(50, unique=True, novel=True)
    assert len(set(words)) == 50
    assert not set(words) & set(model.lexicon)


def test_words_can_be_excluded_in_every_form(model: wug.Model, tmp_path: Path) -> None:
    plain = model.sample(40)
    common = plain[0]
    path = tmp_path / "list.txt"
    path.write_text(common + "\n")
    without = [word for word in model.sample(80) if word != common][:20]
    for exclude in (path, str(path), [common], {common: 3}, wug.Lexicon([common])):
        assert model.sample(20, exclude=exclude) == without


def test_no_words_and_first_words(model: wug.Model) -> None:
    assert model.sample(0) == []
    assert model.sample(10) == model.sample(1000)[:10]


def test_giving_up_keeps_the_words_that_were_made(small: wug.Model) -> None:
    with pytest.raises(wug.GaveUpError, match="gave up after 2000 tries") as raised:
        small.sample(100_000, length=2, unique=True, max_tries=2000)
    assert len(set(raised.value.words)) == len(raised.value.words) > 0


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"prefix": "ß"}, "the letter `ß` is not one of the model's"),
        ({"pattern": "[ab"}, "has no `]` after it"),
        ({"min_length": 5, "max_length": 3}, "no word of up to"),
        ({"temperature": 1e9}, "the temperature is 1000000000; expected 0.01 to 100"),
        ({"like": "glimmer", "distance": 2}, "the distance is 2; expected 0 to 1"),
        ({"like": "glimmer", "keep": 20}, "has only 7 letters"),
        ({"noise": 0.5}, "use the temperature"),
        ({"classes": {"KK": "ptk"}}, "the name of a class is one letter"),
        ({"pattern": ["a*", "b*"]}, "no word of up to"),
        ({"syllables": (3, 2)}, "syllables `3-2`: expected 0 to 100, or two such numbers as in 2-3, the smaller first"),
        ({"without": "(a"}, "without `(a`"),
    ],
)
def test_requests_that_cannot_be_met(model: wug.Model, keywords: dict[str, object], message: str) -> None:
    with pytest.raises(wug.InputError, match=re.escape(message)):
        model.sample(3, **keywords)  # type: ignore[arg-type]


def test_wrong_types(model: wug.Model) -> None:
    for call in (
        lambda: model.sample("three"),  # type: ignore[arg-type]
        lambda: model.sample(3, 1),  # type: ignore[call-arg]
        lambda: model.sample(3, prefix=4),  # type: ignore[arg-type]
        lambda: model.between("winter"),  # type: ignore[call-arg]
        lambda: model.sample(3, exclude=7),  # type: ignore[arg-type]
        lambda: model.sample(3, exclude=[7]),  # type: ignore[list-item]
        lambda: model.sample(3, syllables=2.5),  # type: ignore[arg-type]
        lambda: model.sample(3, classes=["K"]),  # type: ignore[arg-type]
        lambda: model.sample(3, classes={"K": 3}),  # type: ignore[dict-item]
        lambda: model.names(3),  # type: ignore[arg-type]
        lambda: model.sample(3, colour="red"),  # type: ignore[call-arg]
        lambda: wug.load(3),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()


def test_numbers_out_of_range(model: wug.Model) -> None:
    for n in (-1, 2**64):
        with pytest.raises(ValueError, match=f"the number of words is {n}; expected 0 to 18446744073709551615"):
            model.sample(n)
    for call in (
        lambda: model.sample(3, seed=-1),
        lambda: model.like("winter", seed=-1),
        lambda: model.score("winter", seed=-1),
        lambda: model.noise("winter", seed=-1),
        lambda: wug.evaluate(model, metrics="oracles", seed=-1),
    ):
        with pytest.raises(ValueError, match="the seed is -1; expected 0 to 18446744073709551615"):
            call()
    with pytest.raises(ValueError, match="steps is 1000000000000000; expected 2 to 10000"):
        model.between("winter", "summer", 10**15)
    for keywords in ({"length": 0}, {"min_length": 0}, {"max_length": 101}):
        with pytest.raises(ValueError, match=": expected 1 to 100"):
            model.sample(3, **keywords)  # type: ignore[arg-type]
