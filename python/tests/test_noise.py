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
        # The numbers of all networks, and the letters that the counts look at.
        assert model.states(noise).shape[0] == len(word) + 1 and model.states(noise).shape[1] > model.state_size


def test_an_encoding_has_everything(model: wug.Model) -> None:
    encoding = model.encode("winter", seed=3)
    assert encoding.word == "winter" and encoding.letters == [*"winter", ""]
    assert np.allclose(encoding.probabilities.sum(axis=1), 1)
    inside = (encoding.intervals[:, 0] <= encoding.points) & (encoding.points <= encoding.intervals[:, 1])
    assert inside.all()
    widths = encoding.intervals[:, 1] - encoding.intervals[:, 0]
    assert np.isclose(np.log(widths).sum(), encoding.log_probability)
    # Scores leave a word of the list out of the counts; another one has the probability that it is made with.
    assert np.isclose(model.encode("blick").log_probability, model.score("blick")["log_probability"][0], atol=1e-4)
    assert np.array_equal(encoding.noise, model.noise("winter", seed=3))
    again = model.decode(encoding.noise)
    assert again.word == "winter" and np.array_equal(again.states, encoding.states)


def test_noise_can_be_changed(model: wug.Model) -> None:
    noise = model.noise("winter")
    noise[2:] = np.random.default_rng(1).normal(size=noise[2:].shape)
    word = model.decode(noise).word
    assert word.startswith("wi") and word != "winter"
    # Points alone choose the letters.
    assert model.decode(points=model.encode("winter").points).word == "winter"
    assert model.decode(seed=4).word == model.decode([], seed=4).word


def test_noise_that_does_not_fit(model: wug.Model) -> None:
    for noise, message in (
        (np.zeros((3, model.noise_size + 1)), "step 1 of the noise has"),
        (np.full((3, model.noise_size), np.nan), "step 1 of the noise has NaN"),
        (np.zeros((2, 2, 2)), "expected a row of numbers for each step"),
        (["a"], "expected a row of numbers for each step"),
    ):
        with pytest.raises(ValueError, match=message):
            model.decode(noise)
    with pytest.raises(wug.InputError, match="not in the alphabet"):
        model.noise("naïve")
    with pytest.raises(wug.InputError, match="expected 1 to"):
        model.encode("")


def test_the_picture_is_well_formed(model: wug.Model) -> None:
    encoding = model.encode("winter")
    root = ElementTree.fromstring(encoding._repr_svg_())
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 7
    assert repr(encoding).startswith("<wug.Encoding of 'winter': 7 steps")
