"""Builds the site: ``python docs/site/build_site.py build/docs``. Warnings and loads from other hosts are errors."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx_build

from gallery import add_pictures
from loads import foreign_loads
from staging import stage

HERE = Path(__file__).parent


def main(site: Path) -> int:
    source = site.with_name(f"{site.name}_source")
    stage(source)
    add_pictures(source)
    options = ["-b", "html", "-c", str(HERE), "-d", str(site.with_name(f"{site.name}_trees")), "-W", "-j", "auto", "-q"]
    if sphinx_build([*options, str(source), str(site)]) != 0:
        return 1
    if loads := foreign_loads(site):
        print("these load from another host:", *loads, sep="\n", file=sys.stderr)
        return 1
    print(f"open {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
