"""The documents in docs/ as a site with search: target/book. Usage: python3 tools/book.py

Needs mdBook: cargo install mdbook --version 0.5.4 --locked --no-default-features --features search

Documents link to files outside of docs/ too. On the site these links lead to the repository: to $REPOSITORY/FILE if that is set
(https://…/blob/COMMIT), else to this checkout. A link that leads nowhere is an error.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "target" / "book"
REFERENCE = re.compile(r'\b(href|src)="([^"]*)"')


def main():
    subprocess.run(["mdbook", "build", "docs"], cwd=ROOT, check=True)
    # The folder 404.html is looked at from is not known.
    pages = {page: page.read_text() for page in SITE.rglob("*.html") if page.name not in ("404.html", "toc.html")}
    names = {page: set(re.findall(r'\b(?:id|name)="([^"]*)"', text)) for page, text in pages.items()}
    missing = []

    def led(page, match):
        """A link as it is to be on the site."""
        kind, link = match.groups()
        path, hash_, heading = link.partition("#")
        if re.match(r"[a-z]+:|//", path):
            return match.group()
        target = Path(os.path.normpath(page.parent / path)) if path else page
        if target.exists() and target.is_relative_to(SITE):
            if heading and target in names and heading not in names[target]:
                missing.append(f"{page.relative_to(SITE)}: {link}")
            return match.group()
        # The same link, followed from the document: mdBook takes the ending .md for one of its own.
        source = Path(os.path.normpath(ROOT / "docs" / page.relative_to(SITE).parent / path))
        found = next((file for file in (source, source.with_suffix(".md")) if file.exists()), None)
        if found is None or not found.is_relative_to(ROOT):
            missing.append(f"{page.relative_to(SITE)}: {link}")
            return match.group()
        inside = found.relative_to(ROOT).as_posix()
        base = os.environ.get("REPOSITORY") or os.path.relpath(ROOT, page.parent)
        return f'{kind}="{base}/{inside}{hash_}{heading}"'

    for page, text in pages.items():
        page.write_text(REFERENCE.sub(lambda match: led(page, match), text))
    if missing:
        sys.exit("links that lead nowhere:\n" + "\n".join(sorted(set(missing))))
    print(f"{len(pages)} pages in {SITE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
