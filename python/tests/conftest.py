from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wug

NAMES = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam", "donald", "leslie", "tony", "robin"]


@pytest.fixture(scope="session")
def model() -> wug.Model:
    return wug.load()


@pytest.fixture(scope="session")
def small() -> wug.Model:
    """A model of names that is trained in a blink, and is not good."""
    return wug.train(NAMES, words=2560, settings={"state": 4, "generative.hidden": [8]}, progress=False)


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def command() -> Command:
    """Runs the command `wug`: the one of the package, or the one that WUG_COMMAND names."""
    program = os.environ.get("WUG_COMMAND") or str(Path(sys.executable).with_name("wug"))

    def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        call = [program, *map(str, arguments)]
        return subprocess.run(call, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]

    return run
