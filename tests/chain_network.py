"""A small network with what is made from it, by the names that advice and tables of calls use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import credenet

GRAPH = credenet.DAG([("x", "y"), ("y", "z")])
NETWORK = credenet.BayesianNetwork(
    {name: ["no", "yes"] for name in "xyz"},
    GRAPH,
    {"x": [0.5, 0.5], "y": [[0.9, 0.1], [0.2, 0.8]], "z": [[0.7, 0.3], [0.1, 0.9]]},
)
DATA = NETWORK.sample(200, seed=1)
NAMES: dict[str, Any] = {
    "credenet": credenet,
    "graph": GRAPH,
    "network": NETWORK,
    "data": DATA,
    "result": credenet.learn(DATA, order=["x", "y", "z"]),
    "credible": credenet.credible_networks(DATA, bayes_factor=3),
}


def write_files(folder: Path) -> None:
    """Write the rows and the network under the names that the calls have."""
    DATA.save(folder / "data.csv")
    NETWORK.save(folder / "network.bif")
