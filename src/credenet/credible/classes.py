"""A Markov equivalence class of credible networks."""

from __future__ import annotations

from dataclasses import dataclass, field

from credenet.graphs import DAG, PDAG
from credenet.knowledge.equivalence import NO_RULES, ClassRules


@dataclass(frozen=True, slots=True)
class EquivalenceClass:
    """The credible networks of one Markov equivalence class.

    Attributes
    ----------
    dag
        The best network of the class.
    score
        The score of ``dag``; other members may score lower if the score or prior differs among equivalent networks.
    members
        The number of credible networks in the class.
    probability
        The probability of the class among all credible networks.

    Examples
    --------
    >>> import credenet
    >>> first = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3).classes[0]
    >>> first.members <= first.size, first.cpdag.n_edges == first.dag.n_edges
    (True, True)
    """

    dag: DAG
    score: float
    members: int
    probability: float
    _rules: ClassRules = field(default=NO_RULES, repr=False, compare=False)

    @property
    def cpdag(self) -> PDAG:
        """The class as a graph: an edge is directed if all members that obey the knowledge agree on its direction."""
        return self._rules.direct(self.dag)

    @property
    def size(self) -> int:
        """The number of networks in the class that obey the knowledge, credible or not."""
        return self._rules.class_size(self.dag)
