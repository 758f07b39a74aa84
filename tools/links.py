"""Links within the repository's Markdown: files that exist, headings that exist. Usage: python3 tools/links.py

A crate's README is read where the rest of the repository is not: its links stay in the crate.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(file):
    """Its text without blocks and pieces of code."""
    return re.sub(r"```.*?```|`[^`\n]*`", "`", file.read_text(), flags=re.S)


def headings(file):
    """The names by which links call its headings."""
    text = re.sub(r"```.*?```", "", file.read_text(), flags=re.S)
    titles = re.findall(r"^#+ (.*)$", text, flags=re.M)
    words = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in titles)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in words}


def problems(file):
    """What is wrong with the links of a file."""
    crate = file.parent if file.name == "README.md" and file.parent.parent == ROOT / "crates" else ROOT
    for link in LINK.findall(prose(file)):
        path, _, heading = link.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (file.parent / path).resolve() if path else file
        if not target.exists():
            yield f"{link}: there is no such file"
        elif not target.is_relative_to(crate):
            yield f"{link}: leads out of the package"
        elif heading and target.suffix == ".md" and heading not in headings(target):
            yield f"{link}: there is no such heading"


def main():
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    found = [f"{file.relative_to(ROOT)}: {problem}" for file in files for problem in problems(file)]
    print("\n".join(found) or f"links of {len(files)} files: good", file=sys.stderr if found else sys.stdout)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
