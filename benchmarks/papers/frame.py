"""A published table or figure that is run again, and what the texts of all of them need."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from credenet._files.files import atomic_writer

from .store import FOLDER, Cell, Job, Scale, Store, made_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HERE = Path(__file__).parent


class Number(NamedTuple):
    """A number that a paper prints, and ours beside it or the reason why there is none."""

    where: str
    printed: str
    ours: str = ""
    reason: str = ""

    @property
    def is_answered(self) -> bool:
        return bool(self.ours or self.reason)


NOT_MEASURED = "not measured yet"


def beside(where: str, printed: str, ours: str, reason: str = NOT_MEASURED) -> Number:
    """A printed number with ours, or with the reason where there is none."""
    return Number(where, printed, ours, "" if ours else reason)


@dataclass(frozen=True, slots=True)
class Table:
    """A table or figure. Its name begins with that of its paper: ``treewidth_table1``.

    ``jobs`` are the cells of a scale: quick takes a few minutes on two cores, paper is what the paper ran, as far as it
    says so. ``text`` is Markdown made from the stored cells alone: the published value, ours, their ratio or
    difference, who made the cells, and a sentence on what is not the same. ``draw`` writes figures, ``NAME.svg`` or
    ``NAME_….svg``, into a folder. Tables with the same ``cells`` share what is measured; without it a table has its
    own. ``numbers`` lists the numbers that the paper prints, and ``aims`` says which of them are not reached.
    """

    name: str
    title: str
    jobs: Callable[[Scale], list[Job]]
    text: Callable[[Store], str]
    draw: Callable[[Store, Path], list[Path]] | None = None
    cells: str = ""
    numbers: Callable[[Store], list[Number]] | None = None
    aims: Callable[[Store], list[str]] | None = None

    def store(self, folder: Path = FOLDER) -> Store:
        return Store(folder / f"{self.cells or self.name}.json")


def all_tables() -> dict[str, Table]:
    """The tables of all modules of this package by name."""
    assert __package__ is not None
    found: list[Table] = []
    for module in pkgutil.walk_packages([str(HERE)], f"{__package__}."):
        if not module.name.endswith("__main__"):
            found += getattr(importlib.import_module(module.name), "TABLES", ())
    return {table.name: table for table in sorted(found, key=lambda table: table.name)}


def published(name: str) -> dict[str, Any]:
    """The numbers of a paper: published/NAME.json."""
    numbers: dict[str, Any] = json.loads((HERE / "published" / f"{name}.json").read_text())
    return numbers


def table_text(
    columns: Sequence[str], rows: Sequence[Sequence[str]], cells: Sequence[Iterable[Cell]] | None = None
) -> str:
    """A table in Markdown; with the cells of each row, a last column says who made them and whether they are stale."""
    if cells is not None:
        columns = [*columns, "made by"]
        rows = [[*row, made_text(of_row)] for row, of_row in zip(rows, cells, strict=True)]
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def number(value: float | None, digits: int = 3) -> str:
    """A number with some digits after the point; empty for None."""
    return "" if value is None else f"{value:.{digits}f}"


def save_figure(figure: Figure, path: Path) -> Path:
    """An SVG that is the same for the same drawing."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": path.stem}), atomic_writer(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    return path
