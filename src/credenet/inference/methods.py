"""The ways to approximate the answers of a model, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from credenet._arguments import choice, real_number, whole_number

_MOST_SAMPLES = 100_000_000
_MOST_ITERATIONS = 100_000_000  # of messages, and sweeps of a chain
_MOST_CHAINS = 100_000
_LARGEST_BOUND = 1000

MethodName = Literal["loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling", "gibbs"]


@dataclass(frozen=True, slots=True)
class LoopyBP:
    """Belief propagation between variables and factors as if there were no loops; exact on trees.

    Parameters
    ----------
    damping
        The share of the old message that is kept, by logs; more of it settles what swings to and fro.
    max_iterations
        The most messages that each variable and factor sends, on average.
    tolerance
        The change of the log of a message below which it has settled.
    """

    damping: float = 0.0
    max_iterations: int = 1000
    tolerance: float = 1e-6

    short_name: ClassVar[str] = "loopy_bp"

    def __post_init__(self) -> None:
        _check_propagation(self.damping, self.max_iterations, self.tolerance)


@dataclass(frozen=True, slots=True)
class IJGP:
    """Iterative join-graph propagation: as `LoopyBP`, between clusters of variables; exact from the tree-width on.

    Parameters
    ----------
    i_bound
        Clusters have at most one variable more than this, unless a factor has. By default as many as keep all clusters
        together below about a million cells.
    damping, max_iterations, tolerance
        As of `LoopyBP`.
    """

    i_bound: int | None = None
    damping: float = 0.0
    max_iterations: int = 100
    tolerance: float = 1e-6

    short_name: ClassVar[str] = "ijgp"

    def __post_init__(self) -> None:
        _check_propagation(self.damping, self.max_iterations, self.tolerance)
        _check_i_bound(self.i_bound)


@dataclass(frozen=True, slots=True)
class LikelihoodWeighting:
    """Samples along the arcs of a Bayesian network, weighted by the evidence; good while evidence is not improbable."""

    samples: int = 10_000

    short_name: ClassVar[str] = "likelihood_weighting"

    def __post_init__(self) -> None:
        whole_number("samples", self.samples, least=2, most=_MOST_SAMPLES)


@dataclass(frozen=True, slots=True)
class ImportanceSampling:
    """Weighted samples from what `IJGP` says of each variable given those before it, with backtracking (SampleSearch).

    Parameters
    ----------
    i_bound
        As of `IJGP`.
    iterations
        The most rounds of messages for the proposal.
    """

    samples: int = 10_000
    i_bound: int | None = None
    iterations: int = 20

    short_name: ClassVar[str] = "importance_sampling"

    def __post_init__(self) -> None:
        whole_number("samples", self.samples, least=2, most=_MOST_SAMPLES)
        _check_i_bound(self.i_bound)
        whole_number("iterations", self.iterations, least=1, most=_MOST_ITERATIONS)


@dataclass(frozen=True, slots=True)
class Gibbs:
    """Chains in which one variable at a time is drawn given all others.

    Parameters
    ----------
    samples
        Of all chains together.
    burn_in
        Sweeps over all variables before a chain's first sample.
    restarts
        The number of chains, each with a start of its own.
    thin
        Sweeps from one sample to the next.
    """

    samples: int = 10_000
    burn_in: int = 500
    restarts: int = 8
    thin: int = 1

    short_name: ClassVar[str] = "gibbs"

    def __post_init__(self) -> None:
        whole_number("restarts", self.restarts, least=1, most=_MOST_CHAINS)
        whole_number("samples", self.samples, least=max(2, self.restarts), most=_MOST_SAMPLES)
        whole_number("burn_in", self.burn_in, most=_MOST_ITERATIONS)
        whole_number("thin", self.thin, least=1, most=_MOST_ITERATIONS)


ApproximateMethod = LoopyBP | IJGP | LikelihoodWeighting | ImportanceSampling | Gibbs

_NAMED: dict[str, type[ApproximateMethod]] = {kind.short_name: kind for kind in get_args(ApproximateMethod)}


def inference_method(method: ApproximateMethod | str) -> ApproximateMethod | Literal["exact", "auto"]:
    """The method itself, or the one that a name stands for, in any case; ``exact`` and ``auto`` stay names.

    Examples
    --------
    >>> inference_method("Loopy-BP")
    LoopyBP(damping=0.0, max_iterations=1000, tolerance=1e-06)
    """
    if isinstance(method, ApproximateMethod):
        return method
    name = choice("method", method, ("exact", "auto", *_NAMED), also="a method with its settings or ")
    if name in _NAMED:
        return _NAMED[name]()
    return "exact" if name == "exact" else "auto"


def _check_i_bound(i_bound: int | None) -> None:
    if i_bound is not None:
        whole_number("i_bound", i_bound, least=1, most=_LARGEST_BOUND)


def _check_propagation(damping: float, max_iterations: int, tolerance: float) -> None:
    real_number("damping", damping, least=0, below=1)
    whole_number("max_iterations", max_iterations, least=1, most=_MOST_ITERATIONS)
    real_number("tolerance", tolerance, above=0)
