"""Table 2 of Eggeling and others (2019): the networks."""

from __future__ import annotations

import credenet
from measure import DATA

from ..frame import Scale, Table, published, table_text
from ..store import Cell, Job, Store

COLUMNS = {"variables": "nodes", "arcs": "arcs", "max_in_degree": "MaxIn", "parameters": "Param"}


def counted(network: str) -> Cell:
    loaded = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    dag = loaded.dag
    return {
        "variables": len(dag.variables),
        "arcs": len(dag.edges),
        "max_in_degree": max(len(dag.parents(name)) for name in dag.variables),
        "parameters": loaded.n_parameters,
    }


def run_table2(store: Store, _: Scale) -> None:
    store.run([Job(counted, {"network": network}) for network in published("priors")["table2"]])


def table2_text(store: Store) -> str:
    rows, different = [], []
    for network, paper in published("priors")["table2"].items():
        for cell in store.select(network=network):
            rows.append([network, *(f"{cell[key]} ({paper[key]})" for key in COLUMNS)])
            different += [f"{network}: {name}" for key, name in COLUMNS.items() if cell[key] != paper[key]]
    ending = f"Different: {', '.join(different)}; the other counts are" if different else "All counts are"
    return "\n".join(
        [
            "The network files, and in brackets the paper's numbers.\n",
            table_text(["network", *COLUMNS.values()], rows),
            f"{ending} the same.\n",
        ]
    )


TABLES = (Table("priors_table2", "Table 2: the networks", run_table2, table2_text),)
