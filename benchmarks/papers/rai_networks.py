"""Table 2 of Natori, Uto and Ueno (2017): the networks."""

from __future__ import annotations

import credenet
from measure import DATA

from .frame import Number, Table, beside, published, table_text
from .parts import COMMON, NETWORK_FILES
from .sources import measures
from .store import Cell, Job, Scale, Store

COLUMNS = ("variables", "edges", "states", "in-degree")


@measures(also=NETWORK_FILES, without=COMMON)
def counted(network: str) -> Cell:
    loaded = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    dag = loaded.dag
    in_degree = max(len(dag.parents(name)) for name in dag.variables)
    most = max(len(states) for states in loaded.states.values())
    return {"variables": len(dag.variables), "edges": len(dag.edges), "states": most, "in-degree": in_degree}


def jobs(_: Scale) -> list[Job]:
    return [Job(counted, {"network": network}) for network in published("rai")["networks"]]


def text(store: Store) -> str:
    rows, behind = [], []
    for network, paper in published("rai")["networks"].items():
        cells = store.select(network=network)
        shown = [f"{cell[name]} ({value})" for cell in cells for name, value in zip(COLUMNS, paper, strict=True)]
        rows.append([network, *(shown or (f"({value})" for value in paper))])
        behind.append(cells)
    return "\n".join(
        [
            "The network files, and in brackets the paper's numbers; states are the most of a variable.\n",
            table_text(("network", *COLUMNS), rows, behind),
        ]
    )


def numbers(store: Store) -> list[Number]:
    return [
        beside(
            f"Table 2: {network}, {name}",
            str(value),
            "".join(str(cell[name]) for cell in store.select(network=network)),
        )
        for network, paper in published("rai")["networks"].items()
        for name, value in zip(COLUMNS, paper, strict=True)
    ]


TABLES = (Table("rai_table2", "Table 2: the networks", jobs, text, numbers=numbers),)
