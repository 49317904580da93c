"""Tries an installed credenet as a new user does: the lines of the README, then ``credenet learn`` on a CSV.

It needs nothing but the package and its dependencies: ``python smoke.py --readme README.md`` in an empty folder.
"""

from __future__ import annotations

import argparse
import doctest
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--readme", type=Path, required=True, help="the file whose first lines of Python are run")
    options = parser.parse_args()
    import credenet
    from credenet import _core

    print(f"credenet {credenet.__version__} of {Path(credenet.__file__).parent}, {Path(_core.__file__ or '').name}")
    if not run_readme(options.readme):
        return 1
    with tempfile.TemporaryDirectory() as folder:
        learn_table(Path(folder))
    print("the README's lines run, and the command line learns")
    return 0


def run_readme(readme: Path) -> bool:
    """Whether the first block of Python of the README gives what it shows."""
    text = readme.read_text(encoding="utf-8")
    block = text.split("```python\n", 1)[1].split("```", 1)[0]
    test = doctest.DocTestParser().get_doctest(block, {}, readme.name, str(readme), 0)
    if not test.examples:
        print(f"{readme} has no lines of Python", file=sys.stderr)
        return False
    return doctest.DocTestRunner().run(test).failed == 0


def learn_table(folder: Path) -> None:
    """Learns from a CSV by the command that the wheel installs, and checks what it says."""
    command = Path(sysconfig.get_path("scripts")) / ("credenet.exe" if os.name == "nt" else "credenet")
    table = folder / "patients.csv"
    with table.open("w", encoding="utf-8") as file:
        print("rain,wet,coin", file=file)
        for number in range(200):
            for rain in ("yes", "no"):
                print(rain, rain if number % 10 else "no", "ab"[number // 10 % 2], sep=",", file=file)
    words = [str(command), "learn", str(table), "--json", "-o", str(folder / "learned.bif")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"credenet learn ended with {done.returncode}: {done.stderr}")
    result = json.loads(done.stdout)
    pairs = {frozenset(edge[:2]) for edge in result["edges"]}
    if result["status"] != "optimal" or pairs != {frozenset(("rain", "wet"))}:
        raise SystemExit(f"credenet learn gave {done.stdout}")
    if "rain" not in (folder / "learned.bif").read_text(encoding="utf-8"):
        raise SystemExit("credenet learn wrote no network")


if __name__ == "__main__":
    sys.exit(main())
