"""Writes CITATION.cff from pyproject.toml, which has the version, and CHANGELOG.md, which has the day of its release.

``--check`` writes nothing and fails if the file is not what would be written; ``--tag v0.2.0`` fails for another
version.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CITATION = ROOT / "CITATION.cff"
TEMPLATE = """\
# Made by packaging/citation.py from pyproject.toml and CHANGELOG.md.
cff-version: 1.2.0
message: "To cite credenet, cite this software with the version that you used."
type: software
title: credenet
abstract: "{description}"
authors:
  - name: "The credenet developers"
version: "{version}"
date-released: {released}
license: {license}
keywords:
  - Bayesian networks
  - structure learning
  - credible networks
  - model averaging
  - probabilistic graphical models
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="fail if the file is not what would be written")
    parser.add_argument("--tag", help="fail if this is not the version with a v before it")
    options = parser.parse_args()
    if options.tag is not None and options.tag != f"v{project()['version']}":
        print(f"the tag {options.tag} is not the version {project()['version']} of pyproject.toml", file=sys.stderr)
        return 1
    if not options.check:
        CITATION.write_text(citation(), encoding="utf-8")
    elif CITATION.read_text(encoding="utf-8") != citation():
        print("CITATION.cff is not that of pyproject.toml: run python packaging/citation.py", file=sys.stderr)
        return 1
    return 0


def project() -> dict[str, str]:
    """The table ``project`` of pyproject.toml."""
    table: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def release_day(version: str) -> str:
    """The day in the heading of a version, such as that of the 19th of November 2026."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {re.escape(version)} \u2013 (\d{{4}}-\d\d-\d\d)$", changes, re.MULTILINE)
    if heading is None:
        raise SystemExit(f"CHANGELOG.md has no heading of version {version} with its day")
    return heading[1]


def citation() -> str:
    """The contents of CITATION.cff."""
    table = project()
    return TEMPLATE.format(
        description=table["description"],
        version=table["version"],
        released=release_day(table["version"]),
        license=table["license"],
    )


if __name__ == "__main__":
    sys.exit(main())
