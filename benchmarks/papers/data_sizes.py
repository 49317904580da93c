"""Sizes of the data sets that two papers print, beside those of our files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import credenet
from measure import DATA

from .credible.runs import NO_DATA
from .credible.runs import PUBLISHED as CREDIBLE
from .frame import NOT_MEASURED, Number, Table, beside, table_text
from .parts import BOUNDED, COMMON, TESTED
from .sources import measures
from .store import Cell, Job, Scale, Store
from .treewidth.runs import PUBLISHED as TREEWIDTH

Sizes = Mapping[str, Mapping[str, int]]
"""For each data set the sizes that a paper prints."""

OF_CREDIBLE: Sizes = {
    data: {name: paper[name] for name in ("variables", "rows")} for data, paper in CREDIBLE["table1"].items()
}
OF_TREEWIDTH: Sizes = {data: {"variables": number} for data, number in TREEWIDTH["table1, variables"].items()}
WHY_NOT = {**dict.fromkeys(NO_DATA, "no data"), **TREEWIDTH["no data"]}


@measures(also=("io.reading",), without=(*COMMON, *BOUNDED, *TESTED))
def sized(folder: str, data: str) -> Cell:
    """The numbers of variables and rows of a file."""
    suffix = "csv" if folder == "datasets" else "dat"
    rows = credenet.read(next((DATA / folder).glob(f"{data}.{suffix}*")))
    return {"variables": rows.n_variables, "rows": len(rows)}


def table_of(name: str, title: str, where: str, sizes: Sizes, missing: Sequence[str], folder: str) -> Table:
    """The table of the sizes of one paper."""
    known = [data for data in sizes if data not in missing]

    def cells_of(store: Store, data: str) -> list[Cell]:
        return store.select(data=data) if data in known else []

    def jobs(_: Scale) -> list[Job]:
        return [Job(sized, {"folder": folder, "data": data}) for data in known]

    def numbers(store: Store) -> list[Number]:
        return [
            beside(
                f"{where}: {data}, {what}",
                f"{value:,}",
                "".join(f"{cell[what]:,}" for cell in cells_of(store, data)),
                WHY_NOT[data] if data in missing else NOT_MEASURED,
            )
            for data, paper in sizes.items()
            for what, value in paper.items()
        ]

    def text(store: Store) -> str:
        rows = []
        for data, paper in sizes.items():
            shown = [f"{cell[what]:,} ({value:,})" for cell in cells_of(store, data) for what, value in paper.items()]
            rows.append([data, *(shown or (f"({value:,})" for value in paper.values()))])
        columns = ("data", *next(iter(sizes.values())))
        behind = [cells_of(store, data) for data in sizes]
        return f"Our files, and in brackets the paper's numbers.\n\n{table_text(columns, rows, behind)}"

    def aims(store: Store) -> list[str]:
        others = [
            f"{number.where.removeprefix(f'{where}: ')} {number.ours} (published {number.printed})"
            for number in numbers(store)
            if number.ours not in ("", number.printed)
        ]
        return [f"Data sets of other sizes than the published ones: {'; '.join(others)}."] if others else []

    return Table(name, title, jobs, text, numbers=numbers, aims=aims)


TABLES = (
    table_of(
        "credible_data",
        "Sizes of the data of Tables 1 and 2",
        "Tables 1 and 2",
        OF_CREDIBLE,
        NO_DATA,
        "datasets",
    ),
    table_of(
        "treewidth_data",
        "Sizes of the data of Table 1",
        "Table 1",
        OF_TREEWIDTH,
        [data for data in OF_TREEWIDTH if data in TREEWIDTH["no data"]],
        "treewidth",
    ),
)
