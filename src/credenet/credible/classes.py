"""A Markov equivalence class of credible networks."""

from __future__ import annotations

from dataclasses import dataclass, field

from credenet.graphs import DAG, PDAG
from credenet.knowledge.equivalence import NO_RULES, ClassRules


@dataclass(frozen=True, slots=True)
class EquivalenceClass:
    """Credible networks that are Markov equivalent.

    Attributes
    ----------
    dag
        The best of them.
    score
        Its score; with a score or a prior that is not the same for equivalent networks others may score lower.
    members
        The number of credible networks in the class.
    probability
        Their weight among all credible networks.
    """

    dag: DAG
    score: float
    members: int
    probability: float
    _rules: ClassRules = field(default=NO_RULES, repr=False, compare=False)

    @property
    def cpdag(self) -> PDAG:
        """The class as a graph: an edge is directed if all its networks that obey the knowledge have it so."""
        return self._rules.directed(self.dag)

    @property
    def size(self) -> int:
        """The number of all networks in the class that obey the knowledge, credible or not."""
        return self._rules.class_size(self.dag)
