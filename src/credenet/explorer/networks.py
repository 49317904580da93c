"""The credible networks and classes, best first; how their scores fall; and what tells the classes apart."""

from __future__ import annotations

from itertools import islice

from credenet.credible.credible_set import CredibleSet
from credenet.drawing.score_curves import FACTORS, deviations
from credenet.errors import ArgumentError
from credenet.explorer.answer import classes_text
from credenet.explorer.contract import Curve, Distinctions, EdgeCode, Listing, ListingRow
from credenet.explorer.distinctions import decision_tree
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import edges_by_kind

MOST_ROWS = 200  # Rows of one answer at most.
_MOST_TOLD_APART = 600  # Classes that are all examined at most, or networks that are sampled.
_MOST_RANKS = 10**12


def curve(credible: CredibleSet) -> Curve:
    """Ranks and how much less than the best the networks at these ranks score."""
    ranks, values = deviations(credible, limit=_MOST_RANKS)
    kept = [at for at in range(len(ranks)) if at in (0, len(ranks) - 1) or values[at] != values[at - 1]]
    return {
        "ranks": [float(ranks[at]) for at in kept],
        "deviations": [round(float(values[at]), 6) for at in kept],
        "factors": list(FACTORS),
    }


def list_networks(credible: CredibleSet, start: int, number: int) -> Listing:
    """Networks from a rank on."""
    place = {name: at for at, name in enumerate(credible.variables)}
    rows: list[ListingRow] = [
        {
            "rank": rank,
            "score": one.score,
            "probability": one.probability if credible.has_probabilities else None,
            "edges": edge_codes(one.dag, place),
        }
        for rank, one in enumerate(islice(credible.listing.networks(start), min(number, MOST_ROWS)), start)
    ]
    return {"total": f"{credible.n_networks:,}", "rows": rows}


def list_classes(credible: CredibleSet, start: int, number: int) -> Listing:
    """Classes from a rank on."""
    if not credible.diagram.has_quick_classes:
        raise ArgumentError(f"there are too many networks to tell their classes: {credible.n_networks:,}")
    classes = credible.classes
    place = {name: at for at, name in enumerate(credible.variables)}
    rows: list[ListingRow] = []
    for rank, one in enumerate(classes[start : start + min(number, MOST_ROWS)], start):
        rows.append(
            {
                "rank": rank,
                "score": one.score,
                "probability": one.probability if credible.has_probabilities else None,
                "members": f"{one.members:,}",
                "size": f"{one.size:,}",
                "edges": edge_codes(one.cpdag, place),
            }
        )
    return {"total": f"{classes.n_classes:,}", "rows": rows}


def distinctions(credible: CredibleSet) -> Distinctions:
    """A decision tree of all classes if they are few, else of networks drawn by their probabilities."""
    if not credible.has_probabilities:
        return {"among": "Networks are missing, so it is not known how probable the classes are.", "tree": None}
    if credible.diagram.has_quick_classes and credible.classes.n_classes <= _MOST_TOLD_APART:
        classes = list(credible.classes)
        graphs, weights = [one.cpdag for one in classes], [one.probability for one in classes]
        among = f"all {classes_text(len(classes))} of {credible.among}" if len(classes) > 1 else "the only class"
    else:
        drawn: dict[PDAG, float] = {}
        for dag in credible.sample(_MOST_TOLD_APART):
            graph = credible.class_of(dag)
            drawn[graph] = drawn.get(graph, 0.0) + 1.0
        graphs, weights = list(drawn), list(drawn.values())
        among = f"the {classes_text(len(graphs))} of {_MOST_TOLD_APART} networks drawn of {credible.among}"
    return {"among": among, "tree": decision_tree(graphs, weights) if graphs else None}


def edge_codes(graph: DAG | PDAG, place: dict[str, int]) -> list[EdgeCode]:
    directed, undirected = edges_by_kind(graph)
    return [(place[a], place[b], 1) for a, b in directed] + [(place[a], place[b], 0) for a, b in undirected]
