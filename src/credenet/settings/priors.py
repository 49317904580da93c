"""Structure priors: what the edges of a network alone add to its score.

A *modular* prior is a product over families, so its log is added to each local score: a part that depends on the size
of the parent set and, for an expert's graph, a constant for every edge on which the parents differ from it. The factors
need not add up to one. ``is_equivalent`` says whether all networks of a Markov
equivalence class have the same prior; the sizes of the parent sets are the same in a class, up to their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Self, get_args

from credenet._arguments import flag, list_values, real_number
from credenet.errors import ArgumentError
from credenet.settings.choices import ChoiceKind, Settings, leave_to_class, load_graphs, names, real, switch
from credenet.settings.limits import (
    Limits,
    LimitsLike,
    check_limits,
)

if TYPE_CHECKING:
    from credenet.graphs import DAG


Complexity = Literal["in_degree", "edges", "tree_width"]
_SAYS_COMPLEXITY: dict[Complexity, str] = {
    "in_degree": "the largest in-degree",
    "edges": "the number of edges",
    "tree_width": "the tree-width",
}


class ModularPrior(Settings):
    """A prior that is a product over families."""

    __slots__ = ()

    is_modular: ClassVar[Literal[True]] = True
    may_favour_parents: ClassVar[bool] = False

    def modular_part(self) -> Self:
        """The prior by which families are scored: the whole of it."""
        return self


@dataclass(frozen=True, slots=True)
class Uniform(ModularPrior):
    """All networks are equally probable.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia(500)
    >>> credenet.learn(data, prior=credenet.priors.Uniform()).dag == credenet.learn(data).dag
    True
    """

    short_name: ClassVar[str] = "uniform"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Edge(ModularPrior):
    """A factor ``beta`` for every edge; p / (1 - p) for edges of probability p.

    Examples
    --------
    >>> import credenet
    >>> few = credenet.learn(credenet.datasets.asia(500), prior=credenet.priors.Edge(0.01))
    >>> few.dag.n_edges <= credenet.learn(credenet.datasets.asia(500)).dag.n_edges
    True
    """

    beta: float = field(default=0.1, metadata=real(above=0))

    short_name: ClassVar[str] = "edge"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Fair(ModularPrior):
    """All numbers of parents are equally probable, and so are all parent sets of one size.

    Examples
    --------
    >>> import credenet
    >>> fair = credenet.learn(credenet.datasets.asia(500), prior="fair")
    >>> fair.dag.n_edges <= credenet.learn(credenet.datasets.asia(500)).dag.n_edges
    True
    """

    short_name: ClassVar[str] = "fair"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class DataPrior(ModularPrior):
    """A penalty -(1 + tau)^s log N: it grows with the number of rows, and by a factor 1 + ``tau`` with every parent.

    Examples
    --------
    >>> import credenet
    >>> few = credenet.learn(credenet.datasets.asia(500), prior=credenet.priors.DataPrior(tau=1))
    >>> few.dag.n_edges <= credenet.learn(credenet.datasets.asia(500)).dag.n_edges
    True
    """

    tau: float = field(default=0.5, metadata=real(least=0))

    short_name: ClassVar[str] = "data"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, init=False)
class InDegreeWeights(ModularPrior):
    """The weight ``weights[s]`` for a family of s parents; sizes beyond the last weight are impossible.

    Examples
    --------
    >>> import credenet
    >>> prior = credenet.priors.InDegreeWeights([1, 0.1])
    >>> credenet.learn(credenet.datasets.asia(500), prior=prior).dag.max_in_degree <= 1
    True
    """

    weights: tuple[float, ...] = field(metadata=leave_to_class("a list of positive numbers"))

    short_name: ClassVar[str] = "in_degree_weights"
    is_equivalent: ClassVar[bool] = True

    def __init__(self, weights: Iterable[float]) -> None:
        several = list_values("weights", weights, "numbers")
        values = tuple(real_number(f"weights[{size}]", weight, above=0) for size, weight in enumerate(several))
        if not values:
            raise ArgumentError("weights must hold at least the weight of no parents")
        object.__setattr__(self, "weights", values)


@dataclass(frozen=True, slots=True)
class Fact(ModularPrior):
    """The weight s! for a family of s parents; used to sample networks along orders.

    Examples
    --------
    >>> import credenet
    >>> credenet.score_families(credenet.datasets.asia(500), prior=credenet.priors.Fact()).made.prior
    'fact'
    """

    short_name: ClassVar[str] = "fact"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Expert(ModularPrior):
    """A factor ``kappa`` for every edge that only one of the network and the expert's ``dag`` has.

    Examples
    --------
    >>> import credenet
    >>> expert = credenet.textbook.asia().dag
    >>> prior = credenet.priors.Expert(expert, kappa=0.1)
    >>> near, far = (credenet.learn(credenet.datasets.asia(500), prior=chosen).dag for chosen in (prior, "uniform"))
    >>> credenet.compare(expert, near).shd_dag <= credenet.compare(expert, far).shd_dag
    True
    """

    dag: DAG = field(metadata=load_graphs("DAG"))
    kappa: float = field(metadata=real(above=0))

    short_name: ClassVar[str] = "expert"
    is_equivalent: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, init=False)
class InDegree(ModularPrior):
    """Known numbers of parents: at most ``limits``, or exactly as many with ``exact``.

    All such networks are equally probable. ``limits`` is a number, or a number for each variable with ``"*"`` for
    those not named.

    Examples
    --------
    >>> import credenet
    >>> prior = credenet.priors.InDegree({"*": 2, "asia": 0})
    >>> credenet.learn(credenet.datasets.asia(500), prior=prior).dag.parents("asia")
    ()
    """

    limits: Limits = field(metadata=leave_to_class("a whole number, or {name: number}"))
    exact: bool = field(default=False, metadata=switch())

    short_name: ClassVar[str] = "in_degree"
    is_equivalent: ClassVar[bool] = False

    def __init__(self, limits: LimitsLike, exact: bool = False) -> None:
        object.__setattr__(self, "limits", check_limits("limits", limits, ArgumentError))
        object.__setattr__(self, "exact", flag("exact", exact))


@dataclass(frozen=True, slots=True)
class SSP(Settings):
    """Search space penalisation: a network weighs one over the number of DAGs that are at most as complex.

    The ``complexity`` of a network is its largest in-degree, its number of edges, or the tree-width of its moral graph;
    the last is for at most five variables, as no formula counts these networks. With ``exclusive`` the DAGs of
    exactly its complexity are counted, so every complexity has the same weight. The prior is not a product over
    families: there are several optimisations, and the networks are compared after the log of the prior is added.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(500), prior=credenet.priors.SSP(exclusive=True)).status
    'optimal'
    >>> credenet.learn(credenet.datasets.asia(500), prior="ssp(complexity=edges)").status
    'optimal'
    """

    exclusive: bool = field(default=False, metadata=switch())
    complexity: Complexity = field(default="in_degree", metadata=names(*get_args(Complexity)))

    short_name: ClassVar[str] = "ssp"
    is_equivalent: ClassVar[bool] = True
    is_modular: ClassVar[Literal[False]] = False

    @property
    def may_favour_parents(self) -> bool:
        """Whether a more complex network may weigh more than a less complex one."""
        return self.exclusive

    @property
    def says_complexity(self) -> str:
        """The complexity in words."""
        return _SAYS_COMPLEXITY[self.complexity]

    def modular_part(self) -> Uniform:
        """The prior by which families are scored: none, as the penalty comes to whole networks."""
        return Uniform()


Prior = Uniform | Edge | Fair | DataPrior | InDegreeWeights | Fact | Expert | InDegree | SSP

PRIORS: ChoiceKind[Prior] = ChoiceKind("prior", get_args(Prior), also="a prior or ")
