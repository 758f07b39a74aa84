"""The stubs say what the module is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
ROOT = Path(__file__).parents[2]


def run(*arguments: str, folder: Path) -> None:
    environment = {**os.environ, "MYPY_CACHE_DIR": str(folder)}
    found = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    run("mypy.stubtest", "wug._lib", "--ignore-disjoint-bases", folder=tmp_path)


def test_types_are_strict(tmp_path: Path) -> None:
    run("mypy", "--config-file", "pyproject.toml", folder=tmp_path)
