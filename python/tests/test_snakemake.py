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
SMALL = ["sample=50", "shards=3", "train_words=640", "states=[3,4]", "seeds=[1,2]", "grid_parts=2", "reproduce_parts=2"]
REPRODUCE = "id-id id-diag --words 2560 --set state=4"


def test_the_workflow(model: wug.Model, command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "workflow"
    shutil.copytree(EXAMPLE, folder)
    (folder / "words.txt").write_text("\n".join([*model.sample(50), *NAMES]) + "\n")
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    call = [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all", "--config", *SMALL, f"reproduce={REPRODUCE}"]
    found = subprocess.run(
        call, cwd=folder, env={**os.environ, "PATH": scripts}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    # Parts add up to what one process makes, exactly.
    assert (folder / "sampled.txt").read_text() == command("sample", "-n", 50).stdout
    assert (folder / "scores.tsv").read_text() == command("score", "-i", folder / "words.txt", "--format", "tsv").stdout
    grid = [line.split("\t") for line in (folder / "grid.tsv").read_text().splitlines()]
    assert [row[0] for row in grid] == ["run", "state3-seed1", "state3-seed2", "state4-seed1", "state4-seed2"]
    assert all(float(row[1]) > 0 for row in grid[1:])
    options = ["--words", 640, "--set", "state=4", "--seed", 2, "-o", tmp_path / "single"]
    assert command("train", folder / "words.txt", *options).returncode == 0
    single, part = (wug.load(path) for path in (tmp_path / "single", folder / "grid/state4-seed2"))
    assert single.sample(50) == part.sample(50)
    whole = command("reproduce", *REPRODUCE.split(), "-o", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    for report in ("report.md", "report.json"):
        assert (folder / "reproduce" / report).read_text() == (tmp_path / "whole" / report).read_text()
