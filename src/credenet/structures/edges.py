"""Edges with probabilities: their order, and the consensus network."""

from __future__ import annotations

from collections.abc import Mapping

from credenet.graphs import DAG

Edge = tuple[str, str]


def most_probable_first(names: tuple[str, ...], shares: Mapping[Edge, float]) -> dict[Edge, float]:
    """The edges in the order of their probabilities, then of the variables; values above 1 by rounding become 1."""
    place = {name: at for at, name in enumerate(names)}
    ordered = sorted(shares.items(), key=lambda item: (-item[1], place[item[0][0]], place[item[0][1]]))
    return {edge: min(share, 1.0) for edge, share in ordered}


def consensus(names: tuple[str, ...], shares: Mapping[Edge, float], threshold: float) -> DAG:
    """The network of the edges above a threshold, added most probable first unless they close a cycle."""
    dag = DAG(names)
    for (parent, child), share in most_probable_first(names, shares).items():
        if share > threshold and child not in dag.ancestors(parent):
            dag = dag.with_edge(parent, child)
    return dag
