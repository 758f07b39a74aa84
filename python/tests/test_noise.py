"""From words to noise and back."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import wug


def test_noise_gives_the_word_back(model: wug.Model) -> None:
    for word in ["winter", "blick", "a", *model.sample(20)]:
        noise = model.noise(word)
        assert noise.shape == (len(word) + 1, model.noise_size)
        assert "".join(model.letters(noise)) == word
        assert model.states(noise).shape == (len(word) + 1, model.state_size)


def test_a_trace_has_everything(model: wug.Model) -> None:
    trace = model.trace("winter", seed=3)
    assert trace.word == "winter" and trace.letters == [*"winter", ""]
    assert np.allclose(trace.probabilities.sum(axis=1), 1)
    inside = (trace.intervals[:, 0] <= trace.points) & (trace.points <= trace.intervals[:, 1])
    assert inside.all()
    widths = trace.intervals[:, 1] - trace.intervals[:, 0]
    assert np.isclose(np.log(widths).sum(), trace.log_probability)
    assert np.isclose(trace.log_probability, model.score("winter")["log_probability"][0], atol=1e-4)
    assert np.array_equal(trace.noise, model.noise("winter", seed=3))
    again = model.unfold(trace.noise)
    assert again.word == "winter" and np.array_equal(again.states, trace.states)


def test_noise_can_be_changed(model: wug.Model) -> None:
    noise = model.noise("winter")
    noise[2:] = np.random.default_rng(1).normal(size=noise[2:].shape)
    word = model.unfold(noise).word
    assert word.startswith("wi") and word != "winter"
    # Points alone choose the letters.
    assert model.unfold(points=model.trace("winter").points).word == "winter"
    assert model.unfold(seed=4).word == model.unfold([], seed=4).word


def test_noise_that_does_not_fit(model: wug.Model) -> None:
    for noise, message in (
        (np.zeros((3, model.noise_size + 1)), "step 1 of the noise has"),
        (np.full((3, model.noise_size), np.nan), "step 1 of the noise has NaN"),
        (np.zeros((2, 2, 2)), "expected a row of numbers for each step"),
        (["a"], "expected a row of numbers for each step"),
    ):
        with pytest.raises(ValueError, match=message):
            model.unfold(noise)
    with pytest.raises(wug.InputError, match="not in the alphabet"):
        model.noise("naïve")
    with pytest.raises(wug.InputError, match="expected 1 to"):
        model.trace("")


def test_the_picture_is_well_formed(model: wug.Model) -> None:
    trace = model.trace("winter")
    root = ElementTree.fromstring(trace._repr_svg_())
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 7
    assert repr(trace).startswith("<wug.Trace of 'winter': 7 steps")
