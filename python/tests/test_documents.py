"""Examples in documents and docstrings, and notebooks, are run."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
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


def test_the_recipe_for_r(tmp_path: Path) -> None:
    """Where R and reticulate are installed."""
    program = shutil.which("Rscript")
    if program is None or subprocess.run([program, "-e", "library(reticulate)"], capture_output=True, check=False).returncode:
        pytest.skip("there is no R with reticulate")
    through, alone = re.findall(r"```r\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL)
    checks = 'stopifnot(is.numeric(scores$log_probability), is.character(pairs$pseudoword), length(words) == 20)\ncat("done")\n'
    for name in ("stimuli.txt", "nouns.txt"):
        (tmp_path / name).write_text("window\ngarden\nwinter\ncastle\n")
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": scripts, "RETICULATE_PYTHON": sys.executable}
    for recipe in (through, alone):
        (tmp_path / "recipe.R").write_text(recipe + checks)
        found = subprocess.run([program, "recipe.R"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert found.returncode == 0 and found.stdout.endswith("done"), found.stdout + found.stderr


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": path.parent}}).execute()
