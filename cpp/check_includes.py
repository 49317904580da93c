"""Checks that the folders of the core include each other in one direction only; run by ``make lint``.

Each folder may include itself and the folders named before it here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ORDER = (
    *("util", "data", "counts", "scores", "graphs", "families", "local", "lattice", "lattice/heuristics"),
    *("ilp", "credible", "posterior", "treewidth", "independence", "effects", "models"),
    *("inference/exact", "inference/approximate"),
)
# All that a folder may include; the others may include any before them.
NEEDS = {
    "data": {"util"},
    "graphs": {"util"},
    # The heuristics need the order graph, and its searches need the heuristics: one room in two folders.
    "lattice": {"util", "graphs", "families", "lattice/heuristics"},
    "lattice/heuristics": {"util", "families", "lattice"},
    "treewidth": {"util", "counts", "scores", "families", "local"},
    "independence": {"util", "counts", "scores", "graphs"},
    "effects": {"util", "counts"},
    "models": {"util"},
    "inference/exact": {"util", "graphs", "models"},
    "inference/approximate": {"util", "graphs", "models", "inference/exact"},
}
INCLUDE = re.compile(r'#include "credenet/([a-z_/]+)/[a-z_]+\.hpp"')


def complaints(root: Path) -> list[str]:
    found = []
    for base in (root / "include" / "credenet", root / "src"):
        for path in sorted(base.rglob("*.[ch]pp")):
            folder = path.parent.relative_to(base).as_posix()
            if folder not in ORDER:
                found.append(f"{path}: the folder {folder} has no place in the order")
                continue
            allowed = NEEDS.get(folder, set(ORDER[: ORDER.index(folder)])) | {folder}
            found += [
                f"{path}:{number}: {folder} must not include {other}"
                for number, line in enumerate(path.read_text().splitlines(), 1)
                for other in INCLUDE.findall(line)
                if other not in allowed
            ]
    return found


if __name__ == "__main__":
    wrong = complaints(Path(__file__).parent)
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(1 if wrong else 0)
