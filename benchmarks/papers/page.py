"""docs/results.md and a page for each paper below docs/results, made from the stored cells of all tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .findings import FOUND_DIFFERENT, PAPERS
from .frame import Number, Table, table_text
from .planning import status_text
from .store import FOLDER, Cell, Store
from .summary import SUMMARIES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "results.md"
PICTURES = "../../benchmarks/results/papers"
OF_TEXT = "Text"  # The beginning of the name of a number that stands in no table.
HEAD = """# Results beside published ones

Tables and figures of the papers that credenet builds on, run again: the published number, ours, and their ratio or
difference. One row for each paper; its page has all tables, what we found different, the aims that are not met, and the
published numbers that have none of ours beside them, with the reason.
"""
HOW = """## What is stored

`python -m benchmarks.papers page` makes these pages from `benchmarks/results/papers`. `python -m benchmarks.papers all`
measures the tables, or some by name, with `--scale quick` (a few minutes) or `--scale paper`: what the paper ran, with
its repetitions, sizes, numbers of parents and limits of time. A run stores each cell when it is done and goes on where
it ended. The best value per hour comes first, each cell on one core, at the lowest priority; `--hours 6` ends it.

A cell knows the commit, machine, settings and scale that made it, and has a digest of the sources that it depends on.
It is *stale* when they are no longer the same; comments, docstrings and layout do not count. Cells from before digests
were kept are stale, too, and their commit, settings and scale are unknown. A run measures stale cells anew.
`python -m benchmarks.papers status` prints this table:
"""
AFTER = """Cells that several tables share count for each of them. Other cells are those that this scale does not ask
for. Core-hours are guessed from the stored cells that are most alike; what a limit ended before counts as
its whole limit.
"""


def pages(tables: Iterable[Table], folder: Path = FOLDER) -> dict[Path, str]:
    """The text of each page by its path."""
    every = list(tables)
    found = {PAGE: overview(every, folder)}
    for paper in PAPERS:
        found[DOCS / "results" / f"{paper}.md"] = paper_text(paper, of_paper(every, paper), folder)
    return found


def of_paper(tables: Iterable[Table], paper: str) -> list[Table]:
    """The tables of a paper, before its figures and others."""
    some = (table for table in tables if table.name.partition("_")[0] == paper)
    return sorted(some, key=lambda table: ("_table" not in table.name, table.name))


def overview(tables: Sequence[Table], folder: Path) -> str:
    rows, behind = [], []
    for paper, title in PAPERS.items():
        some = of_paper(tables, paper)
        numbers = numbers_of(some, folder)
        answered = sum(bool(number.ours) for number in numbers)
        aims = len(aims_of(some, folder))
        name = f"[{title.partition(':')[0]}](results/{paper}.md)"
        rows.append([name, *SUMMARIES[paper](folder), f"{answered:,} of {len(numbers):,}", str(aims)])
        behind.append(cells_of(some, folder))
    columns = ("paper", "claims", "found", "ratio", "numbers with ours", "aims not met")
    return "\n".join([HEAD, table_text(columns, rows, behind), HOW, status_text(tables, "paper", folder), AFTER])


def paper_text(paper: str, tables: Sequence[Table], folder: Path) -> str:
    claim, found, ratio = SUMMARIES[paper](folder)
    parts = [f"# {PAPERS[paper]}\n", "[All papers](../results.md), and how these pages are made.\n"]
    parts.append(f"The paper: {claim}\n\n{f'Found: {found} Ratio: {ratio}.' if found else 'Not measured yet.'}\n")
    if paper in FOUND_DIFFERENT:
        parts += ["## What we found different\n", table_text(("where", "what", "evidence"), FOUND_DIFFERENT[paper])]
    aims = aims_of(tables, folder)
    parts += ["## Aims that are not met\n", "\n".join(f"- {aim}" for aim in aims or ["None."]) + "\n"]
    parts += [section(table, folder) for table in tables]
    numbers = numbers_of(tables, folder)
    parts += in_text(numbers, any(is_stale(table.store(folder)) for table in tables))
    parts += ["## Published numbers without ours\n", without_ours(numbers)]
    return "\n".join(parts)


def numbers_of(tables: Iterable[Table], folder: Path) -> list[Number]:
    return [number for table in tables if table.numbers is not None for number in table.numbers(table.store(folder))]


def aims_of(tables: Iterable[Table], folder: Path) -> list[str]:
    """The aims that are not met by the stored cells, with the table that shows them and whether its cells are stale."""
    found: list[str] = []
    for table in tables:
        store = table.store(folder)
        where = f"(`{table.name}`{', of *stale* cells' if is_stale(store) else ''})"
        found += [f"{aim} {where}" for aim in (table.aims(store) if table.aims is not None else ())]
    return found


def is_stale(store: Store) -> bool:
    return any(entry.made.is_stale for entry in store.entries.values())


def cells_of(tables: Iterable[Table], folder: Path) -> list[Cell]:
    """The cells of some tables; files that several tables share count once."""
    stores = {store.path: store for store in (table.store(folder) for table in tables)}
    return [cell for store in stores.values() for cell in store.cells.values()]


def section(table: Table, folder: Path) -> str:
    store = table.store(folder)
    lines = [f"## {table.title}\n", f"`python -m benchmarks.papers {table.name}`\n", made_by(store)]
    lines.append(table.text(store) if store.cells else "Not measured yet.\n")
    drawn = [path for path in sorted(folder.glob(f"{table.name}*.svg")) if is_of(path, table)]
    mark = "\n\nDrawn of cells that are *stale*, or some of them." if is_stale(store) else ""
    return "\n".join(lines + [f"![{path.stem}]({PICTURES}/{path.name}){mark}\n" for path in drawn])


def made_by(store: Store) -> str:
    """A line for each scale, commit, machine and settings: how many cells these made, and how many are stale."""
    counted: Counter[tuple[str, str]] = Counter()
    stale: Counter[tuple[str, str]] = Counter()
    for entry in store.entries.values():
        who = entry.made.label, entry.made.told
        counted[who] += 1
        stale[who] += entry.made.is_stale
    return "".join(
        f"- {label}: {n:,} cells{f', {stale[label, told]:,} of them *stale*' if stale[label, told] else ''}; {told}\n"
        for (label, told), n in counted.items()
    )


def is_of(path: Path, table: Table) -> bool:
    return path.stem == table.name or path.stem.startswith(f"{table.name}_")


def in_text(numbers: Sequence[Number], are_stale: bool) -> list[str]:
    """The section of the numbers that a paper prints in its text, not in a table; none if there are none."""
    rows = [
        [number.where.removeprefix(OF_TEXT).lstrip(":, "), number.printed, number.ours or number.reason]
        for number in numbers
        if number.where.startswith(OF_TEXT)
    ]
    if not rows:
        return []
    made = f"Ours are made of the cells of the tables above{', some of which are *stale*' if are_stale else ''}.\n"
    return ["## Numbers in the text\n", made, table_text(("what", "published", "ours, or why there is none"), rows)]


def without_ours(numbers: Sequence[Number]) -> str:
    """The published numbers that have none of ours beside them, a row for each place, and why."""
    places: dict[tuple[str, str], list[str]] = {}
    for number in numbers:
        if not number.ours:
            where, _, what = number.where.rpartition(", ")
            places.setdefault((where or number.where, number.reason), []).append(
                f"{what}: {number.printed}" if where else number.printed
            )
    if not places:
        return (
            f"All {len(numbers):,} have ours beside them.\n" if numbers else "The paper prints none for these tables.\n"
        )
    rows = [[where, "; ".join(printed), reason] for (where, reason), printed in places.items()]
    answered = sum(bool(number.ours) for number in numbers)
    return f"{answered:,} of {len(numbers):,} have ours beside them; these have not:\n\n" + table_text(
        ("where", "published", "why"), rows
    )
