"""Table 2 of Eggeling and others (2019): the networks."""

from __future__ import annotations

import credenet
from measure import DATA

from ..frame import Number, Table, beside, published, table_text
from ..parts import COMMON, NETWORK_FILES
from ..sources import measures
from ..store import Cell, Job, Scale, Store

COLUMNS = {"variables": "nodes", "arcs": "arcs", "max_in_degree": "MaxIn", "parameters": "Param"}


@measures(also=NETWORK_FILES, without=COMMON)
def counted(network: str) -> Cell:
    loaded = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    dag = loaded.dag
    return {
        "variables": len(dag.variables),
        "arcs": len(dag.edges),
        "max_in_degree": max(len(dag.parents(name)) for name in dag.variables),
        "parameters": loaded.n_parameters,
    }


def table2_jobs(_: Scale) -> list[Job]:
    return [Job(counted, {"network": network}) for network in published("priors")["table2"]]


def table2_text(store: Store) -> str:
    rows, behind, different = [], [], []
    for network, paper in published("priors")["table2"].items():
        for cell in store.select(network=network):
            rows.append([network, *(f"{cell[key]} ({paper[key]})" for key in COLUMNS)])
            behind.append([cell])
            different += [f"{network}: {name}" for key, name in COLUMNS.items() if cell[key] != paper[key]]
    ending = f"Different: {', '.join(different)}; the other counts are" if different else "All counts are"
    return "\n".join(
        [
            "The network files, and in brackets the paper's numbers.\n",
            table_text(["network", *COLUMNS.values()], rows, behind),
            f"{ending} the same.\n",
        ]
    )


def table2_numbers(store: Store) -> list[Number]:
    numbers = []
    for network, paper in published("priors")["table2"].items():
        cell = next(iter(store.select(network=network)), None)
        for key, name in COLUMNS.items():
            where, printed = f"Table 2: {network}, {name}", str(paper[key])
            numbers.append(beside(where, printed, "" if cell is None else str(cell[key])))
    return numbers


TABLES = (Table("priors_table2", "Table 2: the networks", table2_jobs, table2_text, numbers=table2_numbers),)
