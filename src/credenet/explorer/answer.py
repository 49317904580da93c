"""What is known at one time: credible networks, or one network, and how its variables are joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from credenet._text import count
from credenet.explorer.contract import Kind, Notice, Pair
from credenet.graphs._base import IndexPair
from credenet.structures.edges import consensus

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.graphs import DAG
    from credenet.knowledge.knowledge import Knowledge


@dataclass(frozen=True)
class Answer:
    """Credible networks, or one network.

    Attributes
    ----------
    credible
        The credible set; one without networks where the best score was not proven.
    best
        The network that is shown if there are no credible ones.
    score
        Its score, if it was learned.
    """

    kind: Kind
    variables: tuple[str, ...]
    knowledge: Knowledge
    credible: CredibleSet | None = None
    best: DAG | None = None
    score: float = -math.inf
    notices: tuple[tuple[str, str], ...] = ()
    summary: tuple[tuple[str, str], ...] = ()

    def with_notices(self, notices: Sequence[tuple[str, str]]) -> Answer:
        """The same with other notices."""
        return replace(self, notices=tuple(notices))

    @property
    def networks(self) -> CredibleSet | None:
        """The credible networks, where there are any."""
        return self.credible if self.kind == "credible" else None

    @cached_property
    def dag(self) -> DAG | None:
        """The best network."""
        return self.best if self.networks is None else self.networks.best

    @cached_property
    def shares(self) -> dict[tuple[str, str], float]:
        """For each edge (parent, child) the share of the networks that have it.

        An edge that the class of a learned network leaves open has one half in each direction.
        """
        if self.networks is not None:
            return self.networks.edge_probabilities()
        if self.best is None:
            return {}
        if self.kind == "network":
            return dict.fromkeys(self.best.edges, 1.0)
        cpdag = self.best.cpdag()
        open_ends = [ends for a, b in cpdag.undirected for ends in ((a, b), (b, a))]
        return dict.fromkeys(cpdag.directed, 1.0) | dict.fromkeys(open_ends, 0.5)

    @cached_property
    def pairs(self) -> list[Pair]:
        """The joined pairs, the more probable first."""
        place = {name: at for at, name in enumerate(self.variables)}
        pairs: dict[IndexPair, Pair] = {}
        for (parent, child), share in self.shares.items():
            tail, head = place[parent], place[child]
            a, b = min(tail, head), max(tail, head)
            pair = pairs.setdefault((a, b), {"a": a, "b": b, "forward": 0.0, "backward": 0.0})
            if tail == a:
                pair["forward"] = share
            else:
                pair["backward"] = share
        return sorted(pairs.values(), key=lambda pair: -(pair["forward"] + pair["backward"]))

    def main_edges(self, threshold: float) -> tuple[list[IndexPair], list[IndexPair]]:
        """The edges that decide the layout: directed ones without a cycle, and others."""
        place = {name: at for at, name in enumerate(self.variables)}
        if self.networks is not None:
            certain = consensus(self.variables, self.shares, 0.5).edges
        elif self.best is None or self.kind == "network":
            certain = () if self.best is None else self.best.edges
        else:
            certain = self.best.cpdag().directed
        directed = [(place[a], place[b]) for a, b in certain]
        known = {frozenset(edge) for edge in directed}
        likely = [(pair["a"], pair["b"]) for pair in self.pairs if pair["forward"] + pair["backward"] >= threshold]
        return directed, [edge for edge in likely if frozenset(edge) not in known]

    @property
    def headline(self) -> str:
        """What is shown, in a line."""
        variables = count(len(self.variables), "variable")
        if self.networks is not None:
            networks = self.networks
            number = networks._how_many(networks.n_networks, "network", "networks")
            classes = f" in {classes_text(networks.n_classes)}" if networks.has_quick_classes else ""
            return f"{number}{classes} of {variables}, within {networks._limit()} of the best"
        if self.best is None:
            return f"no network of {variables} yet"
        what = "network" if self.kind == "network" else "best network found"
        return f"{what}: {variables}, {count(self.best.n_edges, 'edge')}"

    @property
    def share(self) -> str:
        """What shares of the networks are called."""
        if self.networks is None:
            return "share"
        return "probability" if self.networks.has_probabilities else "share of the networks found"

    def told(self) -> list[Notice]:
        return [{"level": level, "text": text} for level, text in self.notices]  # type: ignore[typeddict-item]


def classes_text(number: int) -> str:
    """``1 class``, ``2 classes``."""
    return f"{number:,} {'class' if number == 1 else 'classes'}"
