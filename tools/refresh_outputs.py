"""Runs the commands that documents show and puts their output in.

    cargo build --release && python tools/refresh_outputs.py [--check] [FILE.md …]

In a block fenced by three backticks, a line that begins with `$ wug ` is a command, and what follows up to the next command or
the end of the block is its output. Words that are printed one on a line are joined and wrapped at 120 columns. `--check` changes
nothing and ends with code 1 if some output differs.
"""
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WUG = ROOT / "target" / "release" / "wug"
DOCUMENTS = ["README.md", "docs/sampling.md"]


def output(command):
    arguments = shlex.split(command)[1:]
    lines = subprocess.run([WUG, *arguments], capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()
    if all(" " not in line for line in lines):
        lines = textwrap.wrap(" ".join(lines), 120)
    return lines


def refreshed(text):
    lines, skipping, fenced = [], False, False
    for line in text.splitlines():
        if line.startswith("```"):
            skipping, fenced = False, not fenced
        if fenced and line.startswith("$ wug "):
            lines += [line, *output(line[2:])]
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
