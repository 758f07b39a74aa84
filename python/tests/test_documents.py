"""Examples in documents and docstrings, and notebooks, are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import wug

ROOT = Path(__file__).parents[2]


def test_the_guide() -> None:
    found = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 20 and found.failed == 0


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(wug.__path__)])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"wug.{name}")).failed == 0


def test_the_package() -> None:
    found = doctest.testmod(wug)
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": path.parent}}).execute()
