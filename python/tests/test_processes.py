"""Threads, forks, signals and memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

import wug

WORDS = ["blick", "bnick", "window"]


def scores(model: wug.Model) -> list[float]:
    found: list[float] = model.score(WORDS, threads=2)["log_probability"].tolist()
    return found


def test_several_threads_at_once(model: wug.Model) -> None:
    expected = (model.sample(200), scores(model))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: (model.sample(200), scores(model)), range(12)))
    assert all(each == expected for each in found)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(model: wug.Model, method: str) -> None:
    expected = model.sample()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(wug.Model.sample, [model] * 4)) == [expected] * 4


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_uses_the_parents_model(model: wug.Model) -> None:
    """Not a copy of it, but what was there when the process forked: with threads that are gone."""
    expected = scores(model)
    child = os.fork()
    if child == 0:
        os._exit(0 if scores(model) == expected and model.sample(5) else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.05)
    if ended == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended == (child, 0)


ENDLESS = {
    "sample": "wug.load().sample(10**12, unique=True)",
    "score": "wug.load().score(wug.load().sample(5_000_000), particles=1)",
    "names": "wug.load().names(keys)",
    "measure": "wug.Lexicon.bundled().measure(keys)",
    "match": "wug.load().match(wug.load().sample(2000, unique=True), candidates=1_000_000)",
    "evaluate": "wug.evaluate(wug.load(), trajectories=10**12)",
}


@pytest.mark.parametrize("work", ENDLESS)
def test_ctrl_c_ends_work(work: str) -> None:
    code = f"import wug\nkeys = [str(key) for key in range(3_000_000)]\nprint('ready', flush=True)\n{ENDLESS[work]}"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGINT, errors
    assert errors.strip().endswith("KeyboardInterrupt")


def test_ctrl_c_ends_the_command() -> None:
    script = os.path.join(os.path.dirname(sys.executable), "wug")
    child = subprocess.Popen([script, "sample", "-n", "1e12"], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline()
    child.send_signal(signal.SIGINT)
    child.stdout.close()
    assert child.wait(60) == -signal.SIGINT


def growth(work: str, before: int, after: int) -> int:
    """How many kilobytes the largest memory of a fresh process grows by, from some rounds of work to some more."""
    code = f"""
import resource, sys
import wug
def rounds(times):
    for _ in range(times):
        {work}
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = rounds({before})
print(rounds({after}) - first)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(found.stdout)


def test_memory_is_given_back(small: wug.Model, tmp_path: Path) -> None:
    path = tmp_path / "small.safetensors"
    small.save(path)
    # Together they would be five times as much at least.
    assert 10_000 * len(small.to_bytes()) > 5 * 20_000 * 1024
    assert growth(f"wug.load({str(path)!r}).sample(1, threads=1)", 1000, 10_000) < 20_000
    # The bundled model has more than a megabyte in memory.
    assert growth("wug.load().sample(1, threads=1)", 20, 200) < 20_000


def test_tables_give_their_memory_back(small: wug.Model, tmp_path: Path) -> None:
    path = tmp_path / "small.safetensors"
    small.save(path)
    work = (
        f"table = wug.load({str(path)!r}).score(['ada'] * 20_000, columns=['word', 'surprisals', 'log_probability']); "
        "_ = (table['surprisals'], table['word'], table.__arrow_c_stream__(), table.to_dict())"
    )
    assert growth(work, 10, 40) < 20_000
