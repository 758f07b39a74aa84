#!/usr/bin/env python3
"""Counts what a crate makes public, module by module: `tools/public_surface.py [CRATE]` (wug by default).

An item is whatever a user can name: a module, type, trait, function, constant, or a public method. Items of other
crates that are re-exported count; variants and fields do not.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("module", "struct", "enum", "union", "trait", "type_alias", "function", "constant", "static", "macro")


def kind_of(item):
    return next(iter(item["inner"]))


def main(crate):
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # The format is unstable: the stable compiler writes it only when asked like this.
    subprocess.run(
        ["cargo", "rustdoc", "-q", "-p", crate, "--lib", "--", "-Z", "unstable-options", "--output-format", "json"],
        cwd=ROOT,
        env=os.environ | {"RUSTC_BOOTSTRAP": "1"},
        check=True,
    )
    data = json.loads((target / "doc" / f"{crate.replace('-', '_')}.json").read_text())
    index, paths = data["index"], data["paths"]
    counts = collections.defaultdict(collections.Counter)

    def methods(item):
        inner = item["inner"][kind_of(item)]
        found = 0
        for block in inner.get("impls", []) if isinstance(inner, dict) else []:
            block = index[str(block)]["inner"]["impl"]
            if block["trait"] is None:
                members = (index.get(str(member)) for member in block["items"])
                found += sum(1 for member in members if member and member["visibility"] == "public")
        return found

    def visit(item, module):
        for number in item["inner"]["module"]["items"]:
            member = index.get(str(number))
            if member is None or member["visibility"] != "public":
                continue
            kind = kind_of(member)
            if kind == "use":
                goal = index.get(str(member["inner"]["use"]["id"]))
                if goal is None:
                    known = paths.get(str(member["inner"]["use"]["id"]))
                    counts[module][known["kind"] if known else "other"] += 1
                    continue
                member, kind = goal, kind_of(goal)
            if kind not in KINDS:
                continue
            counts[module][kind] += 1
            if kind == "module":
                visit(member, f"{module}::{member['name']}")
            else:
                counts[module]["method"] += methods(member)

    visit(index[str(data["root"])], crate)
    print("| module | items | with methods |\n|---|---|---|")
    items = total = 0
    for module, found in sorted(counts.items()):
        own = sum(count for kind, count in found.items() if kind != "method")
        items, total = items + own, total + own + found["method"]
        print(f"| `{module}` | {own} | {own + found['method']} |")
    print(f"| all | {items} | {total} |")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["wug"]))
