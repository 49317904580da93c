"""Runs every benchmark of this folder, each in a process of its own: ``python benchmarks/run.py [NAME…]``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    folder = Path(__file__).parent
    wanted = sys.argv[1:] or sorted(path.stem.removeprefix("bench_") for path in folder.glob("bench_*.py"))
    for name in wanted:
        subprocess.run([sys.executable, str(folder / f"bench_{name}.py")], check=True)


if __name__ == "__main__":
    main()
