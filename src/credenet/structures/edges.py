"""Edges with probabilities: their order, and the network that most agree on."""

from __future__ import annotations

from collections.abc import Mapping

from credenet.graphs import DAG

Edge = tuple[str, str]


def most_probable_first(names: tuple[str, ...], shares: Mapping[Edge, float]) -> dict[Edge, float]:
    """The edges in the order of their probabilities, then of the variables; sums that rounding took above 1 are 1."""
    place = {name: at for at, name in enumerate(names)}
    ordered = sorted(shares.items(), key=lambda item: (-item[1], place[item[0][0]], place[item[0][1]]))
    return {edge: min(share, 1.0) for edge, share in ordered}


def consensus(names: tuple[str, ...], shares: Mapping[Edge, float], threshold: float) -> DAG:
    """The edges above a threshold, most probable first, as far as they close no cycle."""
    dag = DAG(names)
    for (parent, child), share in most_probable_first(names, shares).items():
        if share > threshold and child not in dag.ancestors(parent):
            dag = dag.with_edge(parent, child)
    return dag
