#!/usr/bin/env python3
"""Counts lines of Rust for each crate: code, comments, and tests apart.

    python3 tools/lines.py [COMMIT [COMMIT]]    of commits, side by side; of the working tree without any

Code and comments are those of `src` without tests: a documentation comment is a comment, an empty line is nothing. Tests are what is in folders `tests`, in files
`tests.rs` and in modules `#[cfg(test)]`, lines of any kind but empty ones. Examples and benches count as tests.
"""
import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["code", "comments", "tests"]


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


def files(commit):
    """Paths and contents."""
    if commit is None:
        for path in git("ls-files", "crates").splitlines():
            if path.endswith(".rs") and (ROOT / path).exists():
                yield path, (ROOT / path).read_text(encoding="utf-8")
        return
    for path in git("ls-tree", "-r", "--name-only", commit, "crates").splitlines():
        if path.endswith(".rs"):
            yield path, git("show", f"{commit}:{path}")


def count(path, text):
    """Lines of each kind in a file."""
    found, parts = collections.Counter(), pathlib.PurePath(path).parts
    is_test = parts[2] != "src" or "tests" in parts or parts[-1] == "tests.rs"
    module, cfg = None, False
    for line in text.splitlines():
        content = line.strip()
        if not content:
            continue
        if module is None and content.startswith("#[cfg(") and "test" in content:
            cfg = True
        elif cfg and module is None:
            # A module ends with a brace as far to the left as it begins; another item is one line, or a declaration.
            cfg = content.startswith("#[")
            module = len(line) - len(content) if content.startswith("mod ") and content.endswith("{") else None
            found["tests"] += 1
            continue
        kind = "comments" if content.startswith(("//", "/*", "*")) and not content.startswith("*/") else "code"
        found["tests" if is_test or cfg or module is not None else kind] += 1
        if module is not None and content == "}" and len(line) - 1 == module:
            module = None
    return found


def table(commit):
    crates = collections.defaultdict(collections.Counter)
    for path, text in files(commit):
        crates[path.split("/")[1]].update(count(path, text))
    return crates


def main():
    commits = sys.argv[1:3] or [None]
    tables = [table(commit) for commit in commits]
    names = sorted({name for counted in tables for name in counted})
    print(f"{'':16}" + "".join(f"{(commit or 'now')[:9]:>36}" for commit in commits))
    print(f"{'crate':16}" + "".join(f"{kind:>12}" for _ in commits for kind in KINDS))
    for name in [*names, "all"]:
        rows = [sum(counted.values(), collections.Counter()) if name == "all" else counted[name] for counted in tables]
        print(f"{name:16}" + "".join(f"{row[kind]:12,}" for row in rows for kind in KINDS))


if __name__ == "__main__":
    main()
