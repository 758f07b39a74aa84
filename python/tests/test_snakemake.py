"""The Snakemake workflow, run for real on a small scale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wug

from .conftest import NAMES, Command

pytest.importorskip("snakemake")
EXAMPLE = Path(__file__).parents[2] / "examples/snakemake"
SMALL = ["shards=3", "train_words=2560", "states=[4]", "seeds=[1,2]", "reproduce_parts=2"]
REPRODUCE = "reproduce=id-id id-diag --words 2560 --set state=4"


def test_the_workflow(model: wug.Model, command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "workflow"
    shutil.copytree(EXAMPLE, folder)
    (folder / "words.txt").write_text("\n".join([*model.sample(50), *NAMES]) + "\n")
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    call = [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all", "--config", *SMALL, REPRODUCE]
    found = subprocess.run(
        call, cwd=folder, env={**os.environ, "PATH": scripts}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    whole = command("score", "-i", folder / "words.txt", "--format", "tsv").stdout
    assert sorted((folder / "scores.tsv").read_text().splitlines()) == sorted(whole.splitlines())
    grid = (folder / "grid.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in grid] == ["run", "state4-seed1", "state4-seed2"]
    assert all(float(line.split("\t")[1]) > 0 for line in grid[1:])
    assert "id-id" in (folder / "reproduce/report.md").read_text() or (folder / "reproduce/report.json").exists()
