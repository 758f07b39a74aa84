"""Everything that can be had both ways is the same both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wug

from .conftest import NAMES, Command


def same(value: Any, expected: Any) -> bool:
    """Whether a value of a column is that of JSON."""
    if expected is None:
        return bool(value != value)
    return list(value) == expected if isinstance(expected, list) else bool(value == expected)


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ("", {}),
        ("-n 1000 --seed 7", {"n": 1000, "seed": 7}),
        ("-n 50 --seed 18446744073709551615", {"n": 50, "seed": 2**64 - 1}),
        ("-n 30 --novel --unique", {"n": 30, "novel": True, "unique": True}),
        ("-n 10 --prefix wu --max-length 6", {"n": 10, "prefix": "wu", "max_length": 6}),
        ("-n 10 --suffix ing --min-length 6", {"n": 10, "suffix": "ing", "min_length": 6}),
        ("-n 10 --pattern [!aeiou][aeiou]?*k", {"n": 10, "pattern": "[!aeiou][aeiou]?*k"}),
        ("-n 10 --length 5 --temperature 0.5", {"n": 10, "length": 5, "temperature": 0.5}),
        ("-n 10 --pattern (C|CC)VC{1,2} --novel", {"n": 10, "pattern": "(C|CC)VC{1,2}", "novel": True}),
        ("-n 10 --class K=ptk --pattern KVKV*", {"n": 10, "classes": {"K": "ptk"}, "pattern": "KVKV*"}),
        ("-n 10 --syllables 2-3 --not-pattern C*", {"n": 10, "syllables": (2, 3), "not_pattern": "C*"}),
        (
            "-n 10 --syllables 2 --containing oo --without s|[qx] --without t",
            {"n": 10, "syllables": 2, "containing": "oo", "without": ["s|[qx]", "t"]},
        ),
        ("-n 10 --like glimmer --distance 0.1 --keep 2", {"n": 10, "like": "glimmer", "distance": 0.1, "keep": 2}),
    ],
)
def test_sample(model: wug.Model, command: Command, options: str, keywords: dict[str, Any]) -> None:
    found = command("sample", *options.split())
    assert found.returncode == 0, found.stderr
    assert model.sample(**keywords) == found.stdout.splitlines()


def test_strings_that_stand_nowhere(model: wug.Model, command: Command, tmp_path: Path) -> None:
    strings = ["th", "er", "in"]
    (tmp_path / "strings.txt").write_text("\n".join(strings))
    found = command("sample", "-n", 50, "--without-file", tmp_path / "strings.txt").stdout.splitlines()
    assert model.sample(50, without_any=strings) == found
    assert not any(string in word for string in strings for word in found)


def test_names(model: wug.Model, command: Command) -> None:
    keys = ["server-1", "server-2", "Ωmega"]
    assert model.names(keys) == command("name", *keys).stdout.splitlines()
    found = command("name", *keys, "--syllables", 2, "--max-length", 7, "--prefix", "s").stdout.splitlines()
    assert model.names(keys, syllables=2, max_length=7, prefix="s") == found


def test_threads_change_nothing(model: wug.Model) -> None:
    assert model.sample(500, threads=1) == model.sample(500, threads=3)
    words = model.sample(40)
    one, three = (model.score(words, threads=threads) for threads in (1, 3))
    assert (one["log_probability"] == three["log_probability"]).all()


def test_between_and_like(model: wug.Model, command: Command) -> None:
    found = command("between", "winter", "summer", "--steps", 30, "--seed", 2).stdout.splitlines()
    assert model.between("winter", "summer", 30, seed=2) == found
    assert model.like("winter", 5, seed=3) == model.sample(5, like="winter", seed=3)


def test_score(model: wug.Model, command: Command) -> None:
    words = ["blick", "bnick", "window", "a", "xylophonist", *model.sample(100, seed=5)]
    expected = rows(command("score", "--format", "json", *words).stdout)
    table = model.score(words)
    assert len(table) == len(expected) == len(words)
    columns = table.to_dict()
    for place, row in enumerate(expected):
        for name, column in columns.items():
            assert same(column[place], row[name]), (row["word"], name)


def test_columns_are_those_of_the_command(model: wug.Model, command: Command) -> None:
    words = ["blick", "window", "a"]
    header = command("score", "--format", "tsv", *words).stdout.splitlines()[0].split("\t")
    assert [name for name in model.score(words).columns if name in header] == header
    for names in ("word,log_probability", "surprisals,length", "word,lexicon_percentile", "old20,log_probability,nearest"):
        expected = rows(command("score", "--columns", names, "--format", "json", *words).stdout)
        table = model.score(words, columns=names.split(","))
        assert table.columns == names.split(",")
        for name in table:
            for value, row in zip(table[name], expected, strict=True):
                assert same(value, row[name]), (name, value, row[name])


def test_score_next_to_another_lexicon(model: wug.Model, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(model.sample(3000, seed=11, unique=True)))
    expected = rows(command("score", "--lexicon", path, "--lower-case", "--format", "json", "Blick", "WINDOW").stdout)
    table = model.score(["Blick", "WINDOW"], lexicon=wug.Lexicon.read(path), lower_case=True)
    for name in ("word", "lexicon_percentile", "coltheart_n", "old20", "rarest_trigram"):
        assert table[name].tolist() == [row[name] for row in expected]


def test_percentiles_and_a_second_lexicon(model: wug.Model, command: Command) -> None:
    words, french = ["blick", "window", "maison"], wug.Lexicon.bundled("fr")
    expected = rows(command("score", "--percentiles", "--other-lexicon", "fr", "--format", "json", *words).stdout)
    table = model.score(words, percentiles=True, other_lexicon=french)
    assert {"old20_percentile", "other_nearest", "other_old20_percentile"} <= set(table.columns)
    for name, column in table.to_dict().items():
        for value, row in zip(column, expected, strict=True):
            assert same(value, row.get(name)), (row["word"], name)
    few = model.score(words, columns=["word", "old20_percentile"])
    assert few["old20_percentile"].tolist() == table["old20_percentile"].tolist()
    with pytest.raises(wug.UnknownNameError, match="needs another lexicon"):
        model.score(words, columns=["other_old20"])


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        (["--weighting", "tokens"], {"weighting": "tokens"}),
        (["--weighting", "types", "--without-list"], {"weighting": "types", "store_list": False}),
        (["--preset", "default"], {"preset": "default"}),
        (["--lower-case", "--min-length", "4"], {"settings": {"lower_case": True, "min_length": 4}}),
    ],
)
def test_settings_follow_from_the_list(command: Command, tmp_path: Path, options: list[str], keywords: dict[str, Any]) -> None:
    counts = {name.capitalize(): 3 * place + 1 for place, name in enumerate(NAMES)}
    path = tmp_path / "names.tsv"
    path.write_text("".join(f"{name}\t{count}\n" for name, count in counts.items()))
    small = ["--words", "640", "--set", "state=4"]
    found = command("train", path, *small, *options, "-o", tmp_path / "run", "--threads", 1)
    assert found.returncode == 0, found.stderr
    trained = wug.load(tmp_path / "run")
    settings = {"state": 4, **keywords.pop("settings", {})}
    from_path = wug.train(path, words=640, settings=settings, progress=False, **keywords)
    assert from_path.config == trained.config
    assert from_path.to_bytes() == trained.to_bytes()
    in_memory = wug.train(counts, words=640, settings=settings, progress=False, **keywords)
    assert in_memory.config["train"] == trained.config["train"] and in_memory.sample(30) == trained.sample(30)


def test_training_from_a_model(command: Command, small: wug.Model, tmp_path: Path) -> None:
    small.save(tmp_path / "small.safetensors")
    (tmp_path / "names.txt").write_text("\n".join(reversed(NAMES)))
    options = ["--from", tmp_path / "small.safetensors", "--words", 640, "-o", tmp_path / "run"]
    found = command("train", tmp_path / "names.txt", *options)
    assert found.returncode == 0, found.stderr
    expected = wug.load(tmp_path / "run").sample(30)
    for source in (small, tmp_path / "small.safetensors"):
        assert wug.train(NAMES, words=640, start_from=source, progress=False).sample(30) == expected


def test_train_and_load(command: Command, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("\n".join(NAMES))
    options = ["--words", "2560", "--set", "state=4", "--seed", "3", "-o", "command", "--threads", "1"]
    found = command("train", "names.txt", *options, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    trained = wug.load(tmp_path / "command")
    again = wug.train(NAMES, words="2560", settings={"state": 4}, seed=3, progress=False)
    assert trained.sample(50) == again.sample(50)
    assert {name: array.tolist() for name, array in trained.parameters.items()} == {
        name: array.tolist() for name, array in again.parameters.items()
    }
    # … and the other way round.
    again.save(tmp_path / "python.safetensors")
    found = command("sample", "-m", tmp_path / "python.safetensors", "-n", 50)
    assert found.stdout.splitlines() == again.sample(50)


def test_evaluate(model: wug.Model, command: Command) -> None:
    options = ["--metrics", "cross-entropy,oracles", "--trajectories", "500"]
    expected = json.loads(command("eval", *options, "--format", "json").stdout)
    report = wug.evaluate(model, metrics=["cross-entropy", "oracles"], trajectories=500, progress=False)
    assert report == expected
    assert str(report) == command("eval", *options).stdout


def test_lexicon(command: Command) -> None:
    assert json.loads(command("lexicon", "en", "--format", "json").stdout)["sha256"] == wug.Lexicon.bundled().digest


def test_messages(model: wug.Model, command: Command) -> None:
    # There are 676 words of two letters.
    found = command("sample", "--length", "2", "--unique", "--max-tries", "1000", "-n", "1000")
    assert found.returncode == 3
    with pytest.raises(wug.GaveUpError) as raised:
        model.sample(1000, length=2, unique=True, max_tries=1000)
    assert str(raised.value) in found.stderr
    assert raised.value.words == found.stdout.splitlines()
    found = command("score", "naïve")
    with pytest.raises(wug.InputError) as refused:
        model.score("naïve")
    assert str(refused.value) in found.stderr
    found = command("sample", "-m", "no/such/model")
    with pytest.raises(wug.FileError) as missing:
        wug.load("no/such/model")
    assert found.stderr.strip() == f"error: {missing.value}"


def test_exit_codes_and_help(command: Command) -> None:
    assert command("--version").stdout == f"wug {wug.__version__}\n"
    assert command("sample", "--no-such-option").returncode == 2
    assert command("sample", "--prefix", "ß").returncode == 2
    assert command("sample", "--help").returncode == 0
