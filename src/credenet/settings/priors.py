"""Structure priors: what the edges of a network alone add to its score.

A *modular* prior is a product over families, so its log is added to each local score: a part that depends on the size
of the parent set (`log_factors`) and, for an expert's graph, a constant for every edge on which the parents differ from
it (`expert_parents`). The factors need not add up to one. ``is_equivalent`` says whether all networks of a Markov
equivalence class have the same prior; the sizes of the parent sets are the same in a class, up to their order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self, get_args

from credenet._arguments import flag, listed, real_number
from credenet.errors import ArgumentError
from credenet.settings.choices import Kind, Settings, loaded, made_by_class, real, switch
from credenet.settings.limits import (
    OTHERS,
    Limits,
    LimitsLike,
    check_wildcard,
    checked_limits,
    limited_names,
    limits_by_variable,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from credenet.graphs import DAG

ExpertParents = tuple[tuple[tuple[int, ...], ...], float]


class _Modular(Settings):
    """A prior that is a product over families; by default of a factor that depends on the number of parents only."""

    __slots__ = ()

    is_modular: ClassVar[bool] = True
    may_favour_parents: ClassVar[bool] = False

    def modular_part(self) -> Self:
        """The prior by which families are scored: the whole of it."""
        return self

    def log_penalty(self, n_variables: int, max_in_degree: int) -> float:
        """What the prior adds to a whole network besides the factors of its families: nothing."""
        return 0.0

    def log_factors(self, variables: Sequence[str], n_rows: float, max_parents: int) -> NDArray[np.float64]:
        """For every variable (row) and number of parents (column) the log factor; -inf where it is impossible.

        The array is not to be changed: rows that are equal for all variables share their memory.
        """
        import numpy as np

        if max_parents < 0:
            raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
        sizes = np.arange(min(max_parents + 1, len(variables)), dtype=np.float64)
        weights = self._log_weights(variables, n_rows, sizes)
        factors = np.full((*weights.shape[:-1], max_parents + 1), -np.inf)
        factors[..., : sizes.size] = weights
        return np.broadcast_to(factors, (len(variables), max_parents + 1))

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.zeros_like(sizes)

    def expert_parents(self, variables: Sequence[str]) -> ExpertParents | None:
        """The expert's parents of every variable and the log factor for each differing edge; None without an expert."""
        return None


@dataclass(frozen=True, slots=True)
class Uniform(_Modular):
    """All networks are equally probable."""

    short_name: ClassVar[str] = "uniform"
    is_equivalent: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Edge(_Modular):
    """A factor ``beta`` for every edge; p / (1 - p) for edges of probability p."""

    beta: float = field(default=0.1, metadata=real(above=0))

    short_name: ClassVar[str] = "edge"
    is_equivalent: ClassVar[bool] = True

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        return sizes * math.log(self.beta)


@dataclass(frozen=True, slots=True)
class Fair(_Modular):
    """All numbers of parents are equally probable, and so are all parent sets of one size."""

    short_name: ClassVar[str] = "fair"
    is_equivalent: ClassVar[bool] = True

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        others = len(variables) - 1
        return np.array([-math.log(math.comb(others, int(size))) for size in sizes])


@dataclass(frozen=True, slots=True)
class DataPrior(_Modular):
    """A penalty -(1 + tau)^s log N: it grows with the number of rows, and by a factor 1 + ``tau`` with every parent."""

    tau: float = field(default=0.5, metadata=real(least=0))

    short_name: ClassVar[str] = "data"
    is_equivalent: ClassVar[bool] = True

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        log_rows = log_of_rows(n_rows)
        if log_rows == 0:
            return np.zeros_like(sizes)
        with np.errstate(over="ignore"):  # beyond the range of a double the parent set is as good as impossible
            return np.asarray(-np.power(1 + self.tau, sizes) * log_rows)


@dataclass(frozen=True, slots=True, init=False)
class InDegreeWeights(_Modular):
    """The weight ``weights[s]`` for a family of s parents; sizes beyond the last weight are impossible."""

    weights: tuple[float, ...] = field(metadata=made_by_class("a list of positive numbers"))

    short_name: ClassVar[str] = "in_degree_weights"
    is_equivalent: ClassVar[bool] = True

    def __init__(self, weights: Iterable[float]) -> None:
        several = listed("weights", weights, "numbers")
        values = tuple(real_number(f"weights[{size}]", weight, above=0) for size, weight in enumerate(several))
        if not values:
            raise ArgumentError("weights must hold at least the weight of no parents")
        object.__setattr__(self, "weights", values)

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        factors = np.full_like(sizes, -np.inf)
        given = np.log(self.weights[: sizes.size])
        factors[: given.size] = given
        return factors


@dataclass(frozen=True, slots=True)
class Fact(_Modular):
    """The weight s! for a family of s parents; used to sample networks along orders."""

    short_name: ClassVar[str] = "fact"
    is_equivalent: ClassVar[bool] = True

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        return np.array([math.lgamma(size + 1) for size in sizes])


@dataclass(frozen=True, slots=True)
class Expert(_Modular):
    """A factor ``kappa`` for every edge that only one of the network and the expert's ``dag`` has."""

    dag: DAG = field(metadata=loaded("credenet.graphs", "DAG"))
    kappa: float = field(metadata=real(above=0))

    short_name: ClassVar[str] = "expert"
    is_equivalent: ClassVar[bool] = False

    def expert_parents(self, variables: Sequence[str]) -> ExpertParents:
        index = {name: place for place, name in enumerate(variables)}
        for name in self.dag.variables:
            if name not in index:
                raise ArgumentError(f"the expert's dag has the variable {name!r}, which is not in the data")
        for name in variables:
            if name not in self.dag:
                raise ArgumentError(f"the expert's dag does not have the variable {name!r}")
        parents = tuple(tuple(sorted(index[parent] for parent in self.dag.parents(name))) for name in variables)
        return parents, math.log(self.kappa)


@dataclass(frozen=True, slots=True, init=False)
class InDegree(_Modular):
    """Known numbers of parents: at most ``limits``, or exactly as many with ``exact``.

    All such networks are equally probable. ``limits`` is a number, or a number for each variable with ``"*"`` for
    those not named.
    """

    limits: Limits = field(metadata=made_by_class("a whole number, or {name: number}"))
    exact: bool = field(default=False, metadata=switch())

    short_name: ClassVar[str] = "in_degree"
    is_equivalent: ClassVar[bool] = False

    def __init__(self, limits: LimitsLike, exact: bool = False) -> None:
        object.__setattr__(self, "limits", checked_limits("limits", limits, ArgumentError))
        object.__setattr__(self, "exact", flag("exact", exact))

    def _log_weights(self, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        for name in limited_names(self.limits):
            if name not in variables and name != OTHERS:
                raise ArgumentError(f"limits names the variable {name!r}, which is not in the data")
        check_wildcard("limits", limited_names(self.limits), variables, ArgumentError)
        limits = limits_by_variable(self.limits, variables)
        factors = np.zeros((len(variables), sizes.size))
        for row, limit in zip(factors, limits, strict=True):
            if limit is not None:
                row[sizes > limit] = -np.inf
                if self.exact:
                    row[sizes < limit] = -np.inf
        return factors


@dataclass(frozen=True, slots=True)
class SSP(Settings):
    """Search space penalisation: a network weighs one over the number of DAGs of at most its largest in-degree.

    With ``exclusive`` the DAGs of exactly its largest in-degree are counted, so every in-degree has the same weight.
    The prior is not a product over families: there is one optimisation for each largest in-degree, and the networks
    are compared after `log_penalty` is added.
    """

    exclusive: bool = field(default=False, metadata=switch())

    short_name: ClassVar[str] = "ssp"
    is_equivalent: ClassVar[bool] = True
    is_modular: ClassVar[bool] = False

    @property
    def may_favour_parents(self) -> bool:
        """Whether a network with a larger in-degree may weigh more than one with a smaller in-degree."""
        return self.exclusive

    def modular_part(self) -> Uniform:
        """The prior by which families are scored: none, as the penalty comes to whole networks."""
        return Uniform()

    def log_penalty(self, n_variables: int, max_in_degree: int) -> float:
        """The log prior, up to a constant, of a network on ``n_variables`` variables with this largest in-degree."""
        from credenet.families.dag_counts import count_dags

        if not 0 <= max_in_degree < max(n_variables, 1):
            raise ArgumentError(f"max_in_degree must be from 0 to {max(n_variables, 1) - 1}, got {max_in_degree}")
        total = count_dags(n_variables, max_in_degree)
        if self.exclusive and max_in_degree > 0:
            total -= count_dags(n_variables, max_in_degree - 1)
        return -math.log(total)

    def log_factors(self, variables: Sequence[str], n_rows: float, max_parents: int) -> NDArray[np.float64]:
        raise ArgumentError(
            "a family table needs a modular prior; SSP depends on the largest in-degree of the whole network, so it is "
            "no sum over families: learn with prior=SSP() from a table made with the uniform prior"
        )

    def expert_parents(self, variables: Sequence[str]) -> ExpertParents | None:
        return None


Prior = Uniform | Edge | Fair | DataPrior | InDegreeWeights | Fact | Expert | InDegree | SSP

PRIORS: Kind[Prior] = Kind("prior", get_args(Prior), also="a prior or ")


def log_factor(prior: Prior, variables: Sequence[str], variable: str, parents: Iterable[str], n_rows: float) -> float:
    """The log factor of one family under a modular prior.

    Examples
    --------
    >>> round(log_factor(Edge(0.1), ["a", "b", "c"], "c", ["a", "b"], n_rows=100), 3)
    -4.605
    """
    index = {name: place for place, name in enumerate(variables)}
    chosen = set(parents)
    for name in (variable, *sorted(chosen)):
        if name not in index:
            raise ArgumentError(f"there is no variable {name!r}")
    if variable in chosen:
        raise ArgumentError(f"variable {variable!r} cannot be its own parent")
    child = index[variable]
    factor = float(prior.log_factors(variables, n_rows, len(chosen))[child, len(chosen)])
    expert = prior.expert_parents(variables)
    if expert is not None:
        expected, log_kappa = expert
        factor += log_kappa * len({index[name] for name in chosen} ^ set(expected[child]))
    return factor


def log_of_rows(n_rows: float) -> float:
    """log N; there must be at least one row."""
    return math.log(real_number("n_rows", n_rows, least=1))
