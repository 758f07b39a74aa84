"""Pseudowords for a list of words, and the test for bias."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wug

from .conftest import Command

TARGETS = ["window", "garden", "winter", "castle", "hamper", "kitchen", "village", "blanket"]


@pytest.fixture(scope="module")
def matches(model: wug.Model) -> wug.Matches:
    return model.match(TARGETS, candidates=400, seed=3)


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stimuli") / "targets.txt"
    path.write_text("\n".join(TARGETS) + "\n")
    return path


def test_matches_are_those_of_the_command(matches: wug.Matches, command: Command, targets: Path) -> None:
    options = ["--candidates", 400, "--seed", 3]
    found = command("match", targets, *options, "--format", "json", f"--method={targets}.method")
    expected = json.loads(found.stdout)
    pairs = [(own["target"]["word"], each) for own in expected["targets"] for each in own["pseudowords"]]
    assert list(matches.pairs["word"]) == [word for word, _ in pairs]
    assert list(matches.pairs["pseudoword"]) == [each["word"] for _, each in pairs]
    for column, name in (("match_distance",) * 2, ("pseudoword_old20", "old20"), ("pseudoword_log_probability", "log_probability")):
        assert matches.pairs[column].tolist() == [each[name] for _, each in pairs]
    assert matches.quality == expected["quality"]
    assert matches.shortages == [tuple(each) for each in expected["shortages"]]
    assert f"{matches.method}\n{matches.bibtex}" == Path(f"{targets}.method").read_text()
    assert str(matches) in command("match", targets, *options).stdout
    header, *rows = [line.split("\t") for line in command("match", targets, *options, "--format", "tsv").stdout.splitlines()]
    assert matches.pairs.columns == header
    for name, cells in zip(header, zip(*rows, strict=True), strict=True):
        if name not in ("word", "pseudoword", "skeleton", "nearest"):
            assert np.allclose(matches.pairs[name], [float(cell or "nan") for cell in cells], atol=6e-5, rtol=0, equal_nan=True), name
    assert 0 < matches.pairs["pseudoword_old20_percentile"].max() <= 100


def test_every_option_is_that_of_the_command(model: wug.Model, command: Command, targets: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("fenster\ngarten\nwinter\n")
    options: list[object] = [
        *("-n", 2, "--measures", "old20:2,coltheart-n,other-old20,surprisal-profile", "--tolerance", "log-probability=9"),
        *("--same", "first-letter,syllables", "--keep=-1", "--min-edits", 2, "--max-edits", 6, "--apart", 2, "--attested", 1),
        *("--candidates", 60, "--other-lexicon", other, "--without", "z", "--class", "K=ptk", "--not-pattern", "KK*", "--seed", 5),
    ]
    expected = json.loads(command("match", targets, *options, "--format", "json").stdout)
    found = model.match(
        TARGETS,
        2,
        measures={"old20": 2, "coltheart_n": 1, "other-old20": 1, "surprisal_profile": 1},
        tolerance={"log_probability": 9},
        same=["first-letter", "syllables"],
        keep=[-1],
        min_edits=2,
        max_edits=6,
        apart=2,
        attested=1,
        candidates=60,
        other_lexicon=wug.Lexicon(["fenster", "garten", "winter"]),
        without="z",
        classes={"K": "ptk"},
        not_pattern="KK*",
        seed=5,
    )
    pairs = [(own["target"]["word"], each["word"]) for own in expected["targets"] for each in own["pseudowords"]]
    assert list(zip(found.pairs["word"], found.pairs["pseudoword"], strict=True)) == pairs
    for word, pseudoword in pairs:
        assert word[0] == pseudoword[0] and word[-1] == pseudoword[-1] and "z" not in pseudoword
    assert found.shortages == [tuple(each) for each in expected["shortages"]]


def test_pseudowords_are_new_and_differ(matches: wug.Matches, model: wug.Model) -> None:
    pseudowords = list(matches.pairs["pseudoword"])
    assert len(set(pseudowords)) == len(pseudowords) == len(matches) == len(TARGETS)
    assert not set(pseudowords) & set(model.lexicon)
    assert [len(word) for word in pseudowords] == matches.pairs["length"].tolist() == list(map(len, matches.pairs["word"]))
    assert "8 pseudowords" in repr(matches) and "LD1NN" in matches._repr_html_()
    assert matches.candidates >= 400


def test_a_word_without_pseudowords_is_told(model: wug.Model) -> None:
    found = model.match(["window", "naïve"], candidates=50)
    assert [word for word, _ in found.shortages] == ["naïve"]
    assert "not in the alphabet" in found.shortages[0][1]
    assert "1 words lack some" in repr(found) and found.bias is None
    with pytest.raises(wug.InputError, match="has no `]` after it"):
        model.match(["window"], pattern="[ab")
    with pytest.raises(wug.InputError, match="there is no word to match"):
        model.match([])


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"measures": "colour"}, "`colour` is none of log-probability"),
        ({"same": "colour"}, "`colour` is none of first-letter"),
        ({"tolerance": {"old20": -1}}, "not negative"),
        ({"measures": {"old20": float("nan")}}, "not negative"),
        ({"measures": "other-old20"}, "needs another lexicon"),
        ({"measures": []}, "one measure to match on"),
        ({"per_target": 0}, "per_target is 0; expected 1 to 1000"),
        ({"per_target": 10**15}, "per_target is 1000000000000000; expected 1 to 1000"),
        ({"candidates": 10**15}, "candidates is 1000000000000000; expected 1 to 1000000"),
        ({"seed": -1}, "the seed is -1; expected 0 to 18446744073709551615"),
        ({"keep": [0]}, "places to keep are"),
        ({"min_edits": 3, "max_edits": 2}, "min_edits is more than max_edits"),
        ({"particles": 0}, "particles is 0; expected 1 to 1000000"),
    ],
)
def test_requests_that_are_wrong(model: wug.Model, keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.match(TARGETS, **keywords)


def test_wrong_types(model: wug.Model) -> None:
    for keywords in ({"measures": 3}, {"tolerance": 3}, {"same": 3}, {"keep": "a"}, {"lexicon": ["a"]}, {"colour": 1}):
        with pytest.raises(TypeError):
            model.match(TARGETS, **keywords)


def test_ld1nn_is_that_of_check(command: Command, tmp_path: Path) -> None:
    words = ["cat", "hat", "mat", "dog", "fog", "log", "pen", "ten", "men"]
    nonwords = ["cag", "hag", "mot", "dag", "fot", "lat", "pon", "tun", "min"]
    path = tmp_path / "stimuli.tsv"
    kinds = [(word, "word") for word in words] + [(word, "nonword") for word in nonwords]
    path.write_text("".join(f"{word}\t{kind}\n" for word, kind in kinds))
    expected = json.loads(command("check", path, "--orders", 30, "--seed", 2, "--format", "json").stdout)
    found = wug.ld1nn(words, nonwords, orders=30, seed=2)
    for name in ("odds", "coefficient", "standard_error", "z", "p", "orders", "significant_orders", "verdict"):
        assert getattr(found, name) == expected[name], name
    assert found.word_probabilities.tolist() == [each["word_probability"] for each in expected["stimuli"]]
    assert np.all((found.word_probabilities >= 0) & (found.word_probabilities <= 1))
    with pytest.raises(wug.InputError, match="the test needs some of each"):
        wug.ld1nn(words, [])
    with pytest.raises(ValueError, match="orders is 1000000000000; expected 1 to 10000"):
        wug.ld1nn(words, nonwords, orders=10**12)
    with pytest.raises(TypeError, match=r"expected words\[0\] to be str; found int"):
        wug.ld1nn(words, [3])  # type: ignore[list-item]
