"""The answer that the explorer shows at one time: credible networks, or one network, and the joined pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from credenet._text import count
from credenet.credible.output import wording
from credenet.explorer.contract import Mark, Notice, Pair, Shares, ShownKind
from credenet.graphs._base import IndexPair
from credenet.graphs.arguments import edges_by_kind
from credenet.knowledge.equivalence import class_given
from credenet.structures.edges import Edge
from credenet.structures.pairs import PairProbabilities, arrows

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.graphs import DAG, PDAG
    from credenet.knowledge.knowledge import Knowledge
    from credenet.settings.priors import Prior

UNSURE = "the best network found so far"
"""What edges are those of where networks are missing that may be better."""


@dataclass(frozen=True)
class ExplorerAnswer:
    """Credible networks, or one network.

    Attributes
    ----------
    credible
        The credible set; one without networks where the best score was not proven.
    best
        The network that is shown if there are no credible ones.
    score
        Its score, if it was learned.
    prior
        The prior by which it was learned.
    """

    kind: ShownKind
    variables: tuple[str, ...]
    knowledge: Knowledge
    credible: CredibleSet | None = None
    best: DAG | None = None
    score: float = -math.inf
    prior: Prior | None = None
    notices: tuple[tuple[str, str], ...] = ()
    summary: tuple[tuple[str, str], ...] = ()

    def with_notices(self, notices: Sequence[tuple[str, str]]) -> ExplorerAnswer:
        """The answer with other notices."""
        return replace(self, notices=tuple(notices))

    @property
    def networks(self) -> CredibleSet | None:
        """The credible networks; None if there are none."""
        return self.credible if self.kind == "credible" else None

    @property
    def weighted_networks(self) -> CredibleSet | None:
        """The credible networks if their shares are probabilities, as no better network may be missing; else None."""
        credible = self.networks
        return credible if credible is not None and credible.has_probabilities else None

    @cached_property
    def dag(self) -> DAG | None:
        """The best network."""
        return self.best if self.networks is None else self.networks.best

    @cached_property
    def graph(self) -> DAG | PDAG | None:
        """The network that was opened, or the class of the best one: its networks that obey the knowledge."""
        if self.dag is None or self.kind == "network":
            return self.dag
        if self.networks is not None:
            return self.networks.class_of(self.dag)
        return class_given(self.dag, self.knowledge, self.prior)

    @cached_property
    def _joined_pairs(self) -> dict[Edge, Shares | None]:
        """The joined pairs in the order of the variables, with shares if known."""
        if self.weighted_networks is not None:
            return {pair: _shares(known) for pair, known in self.weighted_networks.pair_probabilities().items()}
        if self.graph is None:
            return {}
        place = {name: at for at, name in enumerate(self.variables)}
        return {(min(edge, key=place.__getitem__), max(edge, key=place.__getitem__)): None for edge in self.graph.edges}

    @cached_property
    def arrows(self) -> tuple[Edge, ...]:
        """The edges that are drawn with an arrow head."""
        if self.weighted_networks is not None:
            return arrows(self.variables, self.weighted_networks.pair_probabilities())
        return () if self.graph is None else tuple(edges_by_kind(self.graph)[0])

    @cached_property
    def pairs(self) -> list[Pair]:
        """The joined pairs, the more probable first."""
        place = {name: at for at, name in enumerate(self.variables)}
        heads = set(self.arrows)
        pairs: list[Pair] = []
        for (a, b), shares in self._joined_pairs.items():
            mark: Mark = "forward" if (a, b) in heads else "backward" if (b, a) in heads else "undirected"
            pairs.append({"a": place[a], "b": place[b], "mark": mark, "shares": shares})
        return sorted(pairs, key=lambda pair: -_joined_share(pair))

    def main_edges(self, threshold: float) -> tuple[list[IndexPair], list[IndexPair]]:
        """The edges that decide the layout: those with an arrow head, which form no cycle, and the others."""
        directed: list[IndexPair] = []
        undirected: list[IndexPair] = []
        for pair in self.pairs:
            if _joined_share(pair) >= threshold:
                ends = pair["a"], pair["b"]
                if pair["mark"] == "undirected":
                    undirected.append(ends)
                else:
                    directed.append(ends if pair["mark"] == "forward" else ends[::-1])
        return directed, undirected

    @property
    def headline(self) -> str:
        """A line that describes the answer."""
        variables = count(len(self.variables), "variable")
        if self.networks is not None:
            networks = self.networks
            number = wording.how_many(networks, networks.n_networks, "network", "networks")
            classes = f" in {classes_text(networks.classes.n_classes)}" if networks.diagram.has_quick_classes else ""
            if self.weighted_networks is None:
                return f"{number}{classes} of {variables}; others are missing. Shown is the best network found so far"
            share = networks.share_told()
            held = "" if share is None else f"; they hold {wording.percent(share)} of the posterior"
            limit = wording.limit_text(networks, networks.listing.slack)
            return f"{number}{classes} of {variables}, within {limit} of the best{held}"
        if self.best is None:
            return f"no network of {variables} yet"
        what = "network" if self.kind == "network" else "best network found so far"
        return f"{what}: {variables}, {count(self.best.n_edges, 'edge')}"

    @property
    def share(self) -> str:
        """The name of shares of the networks; empty if there are none."""
        return "" if self.weighted_networks is None else "probability"

    @property
    def among(self) -> str:
        """A phrase for the networks that probabilities refer to; empty without probabilities."""
        return "" if self.weighted_networks is None else self.weighted_networks.among

    @property
    def edges_of(self) -> str:
        """A phrase for the network that the edges belong to, if there are no shares."""
        if self.weighted_networks is not None or self.dag is None:
            return ""
        return "this network" if self.kind == "network" else UNSURE

    def list_notices(self) -> list[Notice]:
        return [{"level": level, "text": text} for level, text in self.notices]  # type: ignore[typeddict-item]


def _shares(known: PairProbabilities) -> Shares:
    return {
        "joined": known.joined,
        "forward": known.forward,
        "backward": known.backward,
        "undetermined": known.undetermined,
    }


def _joined_share(pair: Pair) -> float:
    return 1.0 if pair["shares"] is None else pair["shares"]["joined"]


def classes_text(number: int) -> str:
    """``1 class``, ``2 classes``."""
    return f"{number:,} {'class' if number == 1 else 'classes'}"
