"""docs/results.md, made from the stored cells of all tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .credible.incomplete import incomplete_sets
from .findings import FOUND_DIFFERENT, NOT_MET, PAPERS
from .frame import Table, table_text
from .store import FOLDER, Store

PAGE = Path(__file__).parents[2] / "docs" / "results.md"
HEAD = """# Results beside published ones

Tables and figures of the papers that credenet builds on, run again: the published number, ours, and their ratio or
difference. This page is made by `python -m benchmarks.papers page` from `benchmarks/results/papers`; each table has the
command that measures it, with `--scale quick` (a few minutes) or `--scale full`. What is stored is not measured again.
"""


def page_text(tables: Iterable[Table], folder: Path = FOLDER) -> str:
    parts = [HEAD, "## What we found different\n", table_text(("where", "what", "evidence"), FOUND_DIFFERENT)]
    by_paper: dict[str, list[Table]] = {paper: [] for paper in PAPERS}
    for table in tables:
        by_paper[table.name.partition("_")[0]].append(table)
    for paper, some in by_paper.items():
        if some:
            parts.append(f"## {PAPERS[paper]}\n")
            parts += [section(table, folder) for table in sorted(some, key=place)]
    parts += ["## Aims that are not met\n", "\n".join(f"- {aim}" for aim in not_met(folder)) + "\n"]
    return "\n".join(parts)


def not_met(folder: Path) -> list[str]:
    """The aims that are not met, those of credible sets by the stored cells."""
    stores = [Store(folder / f"credible_table{number}.json") for number in (1, 2)]
    sets = incomplete_sets(cell for store in stores for cell in store.cells.values())
    return [*([] if sets is None else [sets]), *NOT_MET]


def place(table: Table) -> tuple[bool, str]:
    """The key for sorting: tables come before figures and others."""
    return "_table" not in table.name, table.name


def section(table: Table, folder: Path) -> str:
    store = table.store(folder)
    lines = [f"### {table.title}\n", f"`python -m benchmarks.papers {table.name}`{measured_by(store)}\n"]
    lines.append(table.text(store) if store.cells else "Not measured yet.\n")
    drawn = [path for path in sorted(folder.glob(f"{table.name}*.svg")) if is_of(path, table)]
    return "\n".join(lines + [f"![{path.stem}](../benchmarks/results/papers/{path.name})\n" for path in drawn])


def is_of(path: Path, table: Table) -> bool:
    return path.stem == table.name or path.stem.startswith(f"{table.name}_")


def measured_by(store: Store) -> str:
    """The machines and versions, as one line."""
    told = [
        f"{one['cpu']}, {one['cores']} cores, {one['system']}, Python {one['python']}, credenet {one['credenet']}"
        for one in store.machines
    ]
    return f"; measured on {' and '.join(told)}." if told else ""
