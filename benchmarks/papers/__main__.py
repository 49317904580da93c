"""Runs published tables and figures again, by their names or ``all``; ``status`` says what is missing or stale at a
scale and how long it would take; ``page`` makes docs/results.md and the pages below docs/results of what is stored.

Cells are kept in ``benchmarks/results/papers`` as they are measured, so that a run that is stopped (Ctrl-C) goes on
where it ended; the cells as CSV and the figures are written beside them. A run measures what is missing and what is
stale, the best value per hour first. What is measured after its sources were edited is
stored as stale.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor
from importlib import import_module
from pathlib import Path

from measure import N_THREADS

from .frame import Table, all_tables
from .page import pages
from .planning import Plan, status_text
from .running import OldCoreError, run
from .store import FOLDER, SCALES


def write_files(table: Table, folder: Path) -> None:
    """The cells as CSV, and the figures."""
    store = table.store(folder)
    if store.cells:
        written = [store.write_csv(), *(table.draw(store, folder) if table.draw else [])]
        print(*(f"written: {path}" for path in written), sep="\n", file=sys.stderr)


def write_pages(tables: dict[str, Table], folder: Path) -> None:
    for table in tables.values():
        write_files(table, folder)
    for path, text in pages(tables.values(), folder).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def made_executor(name: str) -> Executor:
    """What MODULE:NAME returns when it is called."""
    module, _, function = name.partition(":")
    executor = getattr(import_module(module), function)()
    if not isinstance(executor, Executor):
        raise TypeError(f"{name} must return a concurrent.futures.Executor, got {type(executor).__name__}")
    return executor


def measure(tables: list[Table], asked: argparse.Namespace) -> None:
    plan = Plan(tables, asked.scale, asked.folder)
    executor = None if asked.executor is None else made_executor(asked.executor)
    try:
        run(plan, asked.scale, workers=asked.workers, executor=executor, hours=asked.hours)
    except KeyboardInterrupt:
        sys.exit("stopped; what is done is kept")
    except OldCoreError as error:
        sys.exit(str(error))
    finally:
        for table in tables:
            write_files(table, asked.folder)
    for table in tables:
        store = table.store(asked.folder)
        if store.cells:
            print(f"\n## {table.title}\n\n{table.text(store)}")


def main() -> None:
    tables = all_tables()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*tables, "all", "status", "page"]
    parser.add_argument("name", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--scale", choices=SCALES, help="quick, or what the paper ran; default quick, for status paper")
    parser.add_argument("--hours", type=float, help="no cell begins after so many hours")
    parser.add_argument("--workers", type=int, default=N_THREADS, help="cells at a time; default %(default)s")
    parser.add_argument(
        "--executor", metavar="MODULE:NAME", help="a function that returns a concurrent.futures.Executor"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the cells, CSVs and figures")
    asked = parser.parse_args()
    named = list(tables) if "all" in asked.name else [name for name in asked.name if name in tables]
    if "status" in asked.name:
        some = [tables[name] for name in named or tables]
        print(status_text(some, asked.scale or "paper", asked.folder), end="")
    elif named:
        asked.scale = asked.scale or "quick"
        measure([tables[name] for name in named], asked)
    if "page" in asked.name:
        write_pages(tables, asked.folder)


if __name__ == "__main__":
    main()
