"""Probabilities given evidence: their average over the credible networks, and their range.

A few networks represent all: one of each class if classes are few, else networks sampled by their probabilities. Each
is fitted to the data once and keeps its clique tree while evidence changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from credenet._text import count
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contract import Bars
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.fitting import fit

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset
    from credenet.graphs import DAG, PDAG
    from credenet.inference.inference import Inference

MOST_NETWORKS = 20


class AveragedInference:
    """Inference in a few networks at once."""

    def __init__(self, networks: list[tuple[BayesianNetwork, float]], among: str) -> None:
        self.among = among
        self._weights = np.array([weight for _, weight in networks])
        self._variables = networks[0][0].variables
        self._inferences: list[Inference] = [network.infer() for network, _ in networks]

    @classmethod
    def from_answer(cls, answer: ExplorerAnswer, data: Dataset) -> AveragedInference:
        """The networks of an answer, fitted to data."""
        chosen, among = _choose_networks(answer)
        return cls([(fit(data, dag), weight) for dag, weight in chosen], among)

    def bars(self, evidence: Mapping[str, str]) -> Bars:
        """Mean, smallest and largest probability of every state."""
        start = perf_counter()
        before = {name: str(state) for name, state in self._inferences[0].evidence.items()}
        change: dict[str, str | None] = {name: None for name in before if name not in evidence}
        change |= {name: state for name, state in evidence.items() if before.get(name) != state}
        updated = [each.update(change) for each in self._inferences] if change else self._inferences
        answers = [each.marginals() for each in updated]
        self._inferences = updated  # Impossible evidence has raised an error before this line.
        bars = []
        for name in self._variables:
            table = np.array([list(answer[name].values()) for answer in answers])
            mean, low, high = self._weights @ table, table.min(axis=0), table.max(axis=0)
            bars.append([(round(m, 6), round(a, 6), round(b, 6)) for m, a, b in zip(mean, low, high, strict=True)])
        return {"bars": bars, "among": self.among, "n_networks": len(answers), "seconds": perf_counter() - start}


def are_few(credible: CredibleSet) -> bool:
    """Whether every class is used."""
    return credible.diagram.has_quick_classes and credible.classes.n_classes <= MOST_NETWORKS


def _choose_networks(answer: ExplorerAnswer) -> tuple[list[tuple[DAG, float]], str]:
    """Networks with weights that add up to 1, and a phrase that says what they represent."""
    credible = answer.weighted_networks
    if credible is None:
        assert answer.dag is not None
        return [(answer.dag, 1.0)], "the best network found so far"
    if are_few(credible):
        classes = list(credible.classes)
        total = sum(one.probability for one in classes)
        return [
            (one.dag, one.probability / total) for one in classes
        ], f"all classes ({len(classes)}) of {credible.among}"
    drawn: dict[PDAG, tuple[DAG, float]] = {}
    for dag in credible.sample(MOST_NETWORKS):
        first, weight = drawn.setdefault(dag.cpdag(), (dag, 0.0))
        drawn[dag.cpdag()] = first, weight + 1.0 / MOST_NETWORKS
    return list(drawn.values()), f"{count(MOST_NETWORKS, 'network')} drawn by their probabilities from {credible.among}"
