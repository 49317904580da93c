"""Runs published tables and figures again, by their names or ``all``; ``page`` makes docs/results.md of what is stored.

Cells are kept in ``benchmarks/results/papers`` as they are measured, so that a run that is stopped (Ctrl-C) goes on
where it ended; the cells as CSV and the figures are written beside them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .frame import Scale, Table, all_tables
from .page import PAGE, page_text
from .store import FOLDER


def run(table: Table, scale: Scale, folder: Path) -> None:
    """Measures what is missing, and prints the table."""
    store = table.store(folder)
    try:
        table.run(store, scale)
    finally:
        if store.cells:
            write_files(table, folder)
            print(f"\n## {table.title}\n\n{table.text(store)}")


def write_files(table: Table, folder: Path) -> None:
    """The cells as CSV, and the figures."""
    store = table.store(folder)
    if store.cells:
        written = [store.write_csv(), *(table.draw(store, folder) if table.draw else [])]
        print(*(f"written: {path}" for path in written), sep="\n", file=sys.stderr)


def main() -> None:
    tables = all_tables()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="+", choices=[*tables, "all", "page"], metavar="NAME", help=", ".join(tables))
    parser.add_argument("--scale", choices=("quick", "full"), default="quick", help="default %(default)s")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the cells, CSVs and figures")
    asked = parser.parse_args()
    try:
        for name in tables if "all" in asked.name else asked.name:
            if name != "page":
                run(tables[name], asked.scale, asked.folder)
    except KeyboardInterrupt:
        sys.exit("stopped; what is done is kept")
    if "page" in asked.name:
        for table in tables.values():
            write_files(table, asked.folder)
        PAGE.write_text(page_text(tables.values(), asked.folder))


if __name__ == "__main__":
    main()
