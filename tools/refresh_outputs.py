"""Runs the commands that documents show and puts their output in.

    cargo build --release && python tools/refresh_outputs.py [--check] [FILE.md …]

In a block fenced by three backticks, a line that begins with `$ ` is a command, and what follows up to the next command or the
end of the block is its output. The commands of a document run one after the other in an empty folder that has `examples/`, with
`wug` from `target/release`. Words that are printed one on a line are joined and wrapped at 120 columns. `--check` changes nothing
and ends with code 1 if some output differs.
"""
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = f"{ROOT / 'target' / 'release'}{os.pathsep}{os.environ['PATH']}"
DOCUMENTS = ["README.md", "docs/sampling.md", *sorted(f"docs/guides/{file.name}" for file in (ROOT / "docs/guides").glob("*.md"))]


def output(command, folder):
    environment = {**os.environ, "PATH": PATH}
    run = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=folder, env=environment)
    if run.returncode != 0:
        sys.exit(f"{command}\n{run.stderr}")
    lines = run.stdout.splitlines()
    if not any(sign in line for line in lines for sign in " \t"):
        lines = textwrap.wrap(" ".join(lines), 120)
    return lines


def refreshed(text):
    lines, skipping, fenced = [], False, False
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", os.path.join(folder, "examples"))
        for line in text.splitlines():
            if line.startswith("```"):
                skipping, fenced = False, not fenced
            if fenced and line.startswith("$ "):
                lines += [line, *output(line[2:], folder)]
                skipping = True
            elif not skipping:
                lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    files = [Path(file) for file in arguments if not file.startswith("-")] or [ROOT / file for file in DOCUMENTS]
    differing = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        new = refreshed(text)
        if new != text:
            differing.append(str(file))
            if not check:
                file.write_text(new, encoding="utf-8")
    for file in differing:
        print("differs:" if check else "refreshed:", file)
    sys.exit(1 if check and differing else 0)


main()
