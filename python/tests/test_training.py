"""Training, saving, pickling."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import time
import types
from pathlib import Path

import numpy as np
import pytest

import wug

from .conftest import NAMES

FAST = {"state": 4, "generative.hidden": [8]}


def test_every_form_of_words_gives_the_same_model(small: wug.Model, tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("\n".join(NAMES))
    forms = (dict.fromkeys(NAMES, 1), wug.Lexicon(NAMES), iter(NAMES), path, str(path))
    for form in forms:
        model = wug.train(form, words=2560, settings=FAST, progress=False)
        assert model.sample(20) == small.sample(20)


def test_reports_and_stopping() -> None:
    reports: list[wug.TrainingReport] = []

    def callback(report: wug.TrainingReport) -> bool:
        reports.append(report)
        return len(report.model.sample(3)) == 3 and len(reports) == 5

    model = wug.train(NAMES, words=25_600, settings=FAST, progress=False, callback=callback)
    assert len(reports) == 5
    assert model.provenance["words_seen"] == reports[-1].words < 25_600
    assert model.sample(10) == reports[-1].model.sample(10)
    assert reports[-1].bound > reports[0].bound
    stopped = wug.train(NAMES, words=25_600, settings=FAST, progress=False, callback=lambda _: np.float64(2) > 1)
    assert stopped.provenance["words_seen"] < 25_600


def test_settings_in_every_form(small: wug.Model) -> None:
    forms: list[dict[str, object]] = [
        {"state": np.int64(4), "generative.hidden": np.array([8]), "lower_case": np.bool_(False)},
        {"state": "4", "generative.hidden": (8,), "lower_case": False},
    ]
    for settings in forms:
        model = wug.train(NAMES, words=np.int64(2560), settings=settings, progress=False)  # type: ignore[arg-type]
        assert model.to_bytes() == small.to_bytes()


def test_a_failing_callback_ends_training() -> None:
    def callback(_: wug.TrainingReport) -> None:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        wug.train(NAMES, words=25_600, settings=FAST, progress=False, callback=callback)


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], with_tqdm: bool) -> None:
    if with_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    wug.train(NAMES, words=2560, settings=FAST, progress=True)
    shown = capsys.readouterr().err
    assert "100%" in shown and "bound" in shown
    wug.train(NAMES, words=640, settings=FAST, progress=False)
    assert capsys.readouterr().err == ""


def test_a_run_of_words_in_memory_can_be_resumed(tmp_path: Path) -> None:
    short = wug.train(NAMES, words=1280, settings=FAST, output=tmp_path / "run", progress=False)
    again = wug.resume(tmp_path / "run", progress=False)
    assert again.to_bytes() == short.to_bytes() == wug.load(tmp_path / "run").to_bytes()
    longer = wug.resume(tmp_path / "run", words=2560, progress=False)
    assert longer.provenance["words_seen"] == 2560


def test_a_model_without_its_list(small: wug.Model) -> None:
    model = wug.train(NAMES, words=640, settings=FAST, store_list=False, progress=False)
    assert len(model.sample(3)) == 3
    assert model.score(NAMES, columns=["word", "log_probability"])["log_probability"].max() < 0
    assert model.score("ada", lexicon=wug.Lexicon(NAMES))["lexicality"][0] == "word"
    for call in (lambda: model.sample(3, novel=True), lambda: model.score("ada"), lambda: model.lexicon):
        with pytest.raises(wug.InputError, match="list"):
            call()


def interrupt_soon() -> None:
    def wait() -> None:
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=wait).start()


def test_ctrl_c_keeps_the_model_so_far() -> None:
    interrupt_soon()
    with pytest.raises(wug.TrainingInterrupted, match="stopped after .* words") as raised:
        wug.train(NAMES, words="1e12", settings=FAST, progress=False)
    assert isinstance(raised.value, KeyboardInterrupt)
    assert raised.value.model.provenance["words_seen"] > 0


def test_ctrl_c_in_a_folder_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("\n".join(NAMES))
    interrupt_soon()
    with pytest.raises(wug.TrainingInterrupted, match="continue with wug.resume") as raised:
        wug.train(path, words="1e12", settings=FAST, output=tmp_path / "run", progress=False)
    seen = raised.value.model.provenance["words_seen"]
    model = wug.resume(tmp_path / "run", words=seen + 2560, progress=False)
    assert seen < model.provenance["words_seen"] <= seen + 5120
    with pytest.raises(wug.InputError, match="already holds a run"):
        wug.train(path, words=2560, settings=FAST, output=tmp_path / "run", progress=False)


def test_mistakes_say_what_to_do(tmp_path: Path) -> None:
    for keywords, error, message in (
        ({"settings": {"sate": 3}}, wug.InputError, "there is no setting `sate`; did you mean `model.state`"),
        ({"settings": {"state": 0}}, wug.InputError, "expected 1 to 4096"),
        ({"preset": "larg"}, wug.UnknownNameError, "there is no preset `larg`"),
        ({"words": 0}, wug.InputError, "expected 1 to"),
    ):
        with pytest.raises(error, match=message):
            wug.train(NAMES, progress=False, **keywords)
    with pytest.raises(KeyError):
        wug.train(NAMES, preset="larg")
    with pytest.raises(wug.InputError, match="there are no words: give at least one"):
        wug.train([])
    with pytest.raises(TypeError, match="expected a word or words; found NoneType"):
        wug.train(None)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="no/such/list"):
        wug.train("no/such/list")
    with pytest.raises(TypeError, match=r"expected words\[0\] to be str"):
        wug.train([1, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="the count of `a` is -3"):
        wug.train({"a": -3})


def test_models_travel_by_value(small: wug.Model, tmp_path: Path) -> None:
    copy = pickle.loads(pickle.dumps(small))
    assert copy.sample(20) == small.sample(20)
    small.save(tmp_path / "small.safetensors")
    assert wug.load(tmp_path / "small.safetensors").to_bytes() == small.to_bytes()
    lexicon = wug.Lexicon({"wug": 12, "blick": 7})
    assert pickle.loads(pickle.dumps(lexicon)).digest == lexicon.digest


def test_what_a_model_is(model: wug.Model) -> None:
    assert model.alphabet == list("abcdefghijklmnopqrstuvwxyz")
    assert model.kind == "choice flow"
    assert model.config["model"]["state"] == model.state_size
    assert model.provenance["lexicon"] == "en"
    assert all(array.dtype == np.float32 for array in model.parameters.values())
    assert repr(model).startswith("<wug.Model: choice flow")


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("nothing\n")
    with pytest.raises(wug.InputError, match="is text and no model"):
        wug.load(path)
    with pytest.raises(wug.MissingFileError) as raised:
        wug.load(tmp_path / "none")
    assert isinstance(raised.value, FileNotFoundError) and raised.value.errno == 2
    with pytest.raises(wug.InputError):
        wug.Model.from_bytes(b"nothing")
    with pytest.raises(wug.FileError):
        wug.load().save(tmp_path / "no" / "folder" / "model.safetensors")


def test_lexicons(model: wug.Model) -> None:
    lexicon = wug.Lexicon({"wug": 12, "blick": 7, "never": 0})
    assert lexicon.words == ["wug", "blick"] and lexicon.counts.tolist() == [12, 7]
    assert len(lexicon) == 2 and "wug" in lexicon and "never" not in lexicon and list(lexicon) == lexicon.words
    first, second = lexicon.split("tokens", seed=1)
    assert first.tokens + second.tokens == lexicon.tokens == 19
    assert len(model.lexicon) == 89_263
    assert model.lexicon.statistics()["types"] == 89_263
    with pytest.raises(ValueError, match="split"):
        lexicon.split("letters")  # type: ignore[arg-type]
    assert wug.Lexicon(["nai\u0308ve"]).words == ["na\u00efve"]
    with pytest.raises(wug.InputError, match="there are no words: give at least one"):
        wug.Lexicon([])
    with pytest.raises(wug.InputError, match="has a space in it"):
        wug.Lexicon(["two words"])


def test_errors_travel_by_value(small: wug.Model) -> None:
    for call in (
        lambda: small.sample(1000, length=1, unique=True, max_tries=100),
        lambda: wug.load("no/such/model"),
        lambda: wug.load("xx"),
        lambda: small.score("\u00ef"),
    ):
        with pytest.raises(wug.Error) as raised:
            call()
        copy = pickle.loads(pickle.dumps(raised.value))
        assert type(copy) is type(raised.value) and str(copy) == str(raised.value)


def test_damaged_models_are_refused(small: wug.Model) -> None:
    content = small.to_bytes()
    for place in range(0, len(content), max(1, len(content) // 300)):
        for damaged in (content[:place], content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :]):
            # A changed parameter is another model; everything else is an error that is one of ours.
            try:
                wug.Model.from_bytes(damaged).sample(1, threads=1)
            except (wug.Error, ValueError) as error:
                assert str(error)


def test_wordfreq_is_read_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the package, whose lists are not under a licence to have here."""
    frequencies = {"huis": 1e-4, "zeldzaam": 2e-6, "raar": 1e-8, "a1": 1e-3}
    monkeypatch.setitem(sys.modules, "wordfreq", types.SimpleNamespace(get_frequency_dict=lambda language: frequencies))
    lexicon = wug.Lexicon.from_wordfreq("nl")
    assert (lexicon.words, lexicon.counts.tolist()) == (["huis", "zeldzaam"], [100_000, 2_000])
    assert wug.Lexicon.from_wordfreq("nl", min_zipf=1).words == ["huis", "zeldzaam", "raar"]
    with pytest.raises(ValueError, match="smaller min_zipf"):
        wug.Lexicon.from_wordfreq("nl", min_zipf=9)
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(ModuleNotFoundError, match="pip install wordfreq"):
        wug.Lexicon.from_wordfreq("nl")
