"""Bounded tree-width beside published numbers, one command for each table.

``python benchmarks/tree_width_tables.py table1`` (or ``slim``, ``table2``, ``table3``, ``scatter``) measures what is
missing in ``results/tree_width_tables.json``, and prints the table; Ctrl-C keeps what is done. ``report`` writes all
tables to ``reports/tree_width.md`` and draws the figures. ``--quick`` tries a command in seconds and keeps its cells
and figures in a temporary folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for the other files here, where this is run as a module

from draw_tree_width import draw_curves, draw_scatter
from measure import RESULTS
from tree_width_inference import METHODS as INFERENCE_METHODS
from tree_width_inference import run_table2, run_table3, table2_text, table3_text
from tree_width_learning import (
    DATA_SETS,
    METHODS,
    REFERENCES,
    run_scatter,
    run_slim,
    run_table1,
    scatter_points,
    scatter_text,
    slim_text,
    table1_text,
)
from tree_width_store import Store

STORE = RESULTS / "tree_width_tables.json"
ALL_METHODS = (*METHODS, *REFERENCES)
REPORTS = RESULTS.parent / "reports"
TEXTS: dict[str, Callable[[Store], str]] = {
    "table1": table1_text,
    "slim": slim_text,
    "scatter": scatter_text,
    "table2": table2_text,
    "table3": table3_text,
}
RUNS: dict[str, Callable[[Store, argparse.Namespace], None]] = {
    "table1": run_table1,
    "slim": run_slim,
    "scatter": run_scatter,
    "table2": run_table2,
    "table3": run_table3,
}


def draw(store: Store, folder: Path, table: str) -> list[Path]:
    """The figures of a table."""
    if table == "slim":
        return draw_curves(store.select("slim"), folder)
    return draw_scatter(scatter_points(store), folder) if table == "scatter" else []


def report(store: Store, folder: Path) -> None:
    lines = [
        "# Bounded tree-width",
        "",
        "Made by `python benchmarks/tree_width_tables.py report` from `results/tree_width_tables.json`; "
        "`tree_width_tables.py table1` (`slim`, `scatter`, `table2`, `table3`) measures a table. The published numbers "
        "are those of Nie, de Campos and Ji (2016), of BLIP 0.9 run on the same files, and of the authors of bn-slim. "
        "The cost of the searches is measured by `bench_tree_width.py`.",
        "",
    ]
    for table, text in TEXTS.items():
        lines.append(text(store))
        lines += [f"![{path.stem}]({path.name})\n" for path in draw(store, folder, table)]
    if (folder / "tree_width_cost.svg").exists():
        lines += ["## Cost\n", "![tree_width_cost](tree_width_cost.svg)\n"]
    (folder / "tree_width.md").write_text("\n".join(lines))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    by_name = {name: commands.add_parser(name) for name in (*RUNS, "report")}
    for name, command in by_name.items():
        if name != "report":
            command.add_argument("--quick", action="store_true", help="try it in seconds; nothing is kept")
    seconds = {"table1": 60.0, "slim": 60.0, "scatter": 60.0, "table2": 60.0, "table3": 120.0}
    for name, default in seconds.items():
        by_name[name].add_argument("--seconds", type=float, default=default, help="of each run; default %(default)s")
    by_name["table1"].add_argument("--data", nargs="+", choices=DATA_SETS, default=DATA_SETS)
    by_name["table1"].add_argument("--methods", nargs="+", choices=ALL_METHODS, default=ALL_METHODS)
    by_name["table1"].add_argument("--long", action="store_true", help="auto for 600 s on wdbc and community, too")
    by_name["table1"].add_argument("--proof-seconds", type=float, default=600.0, help="of each exact run")
    by_name["scatter"].add_argument("--data", nargs="+", choices=DATA_SETS, default=["housing", "letter", "wdbc"])
    by_name["scatter"].add_argument("--k-trees", type=int, default=1000, help="of each method")
    by_name["table2"].add_argument("--repetitions", type=int, default=5)
    by_name["table3"].add_argument(
        "--methods", nargs="+", choices=INFERENCE_METHODS, default=[m for m in INFERENCE_METHODS if m != "s2_plus"]
    )
    return parser.parse_args()


def main() -> None:
    asked = parsed()
    if asked.command == "report":
        report(Store(STORE), REPORTS)
        return
    folder = Path(tempfile.mkdtemp(prefix="tree_width_")) if asked.quick else REPORTS
    store = Store(folder / STORE.name if asked.quick else STORE)
    try:
        RUNS[asked.command](store, asked)
    except KeyboardInterrupt:
        print("stopped; what is done is kept", file=sys.stderr)
    print("\n" + TEXTS[asked.command](store))
    for path in draw(store, folder, asked.command):
        print(f"drawn: {path}")


if __name__ == "__main__":
    main()
