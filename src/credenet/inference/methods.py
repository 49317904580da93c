"""The ways to approximate the answers of a model, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from credenet.errors import ArgumentError

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
        _check_least("samples", self.samples, 2)


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
        _check_least("samples", self.samples, 2)
        _check_i_bound(self.i_bound)
        _check_least("iterations", self.iterations, 1)


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
        _check_least("restarts", self.restarts, 1)
        _check_least("samples", self.samples, max(2, self.restarts))
        _check_least("burn_in", self.burn_in, 0)
        _check_least("thin", self.thin, 1)


ApproximateMethod = LoopyBP | IJGP | LikelihoodWeighting | ImportanceSampling | Gibbs


def approximate_method(method: ApproximateMethod | str) -> ApproximateMethod:
    """The method that a name stands for, or the method itself."""
    if isinstance(method, ApproximateMethod):
        return method
    for kind in get_args(ApproximateMethod):
        if method == kind.short_name:
            made: ApproximateMethod = kind()
            return made
    names = ", ".join(repr(name) for name in ("exact", "auto", *get_args(MethodName)))
    raise ArgumentError(f"method must be one of {names} or a method with its settings, got {method!r}")


def _check_least(name: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{name} must be an integer and at least {least}, got {value!r}")


def _check_i_bound(i_bound: int | None) -> None:
    if i_bound is not None:
        _check_least("i_bound", i_bound, 1)


def _check_propagation(damping: float, max_iterations: int, tolerance: float) -> None:
    if not 0 <= damping < 1:
        raise ArgumentError(f"damping must be at least 0 and below 1, got {damping}")
    _check_least("max_iterations", max_iterations, 1)
    if not tolerance > 0:
        raise ArgumentError(f"tolerance must be positive, got {tolerance}")
