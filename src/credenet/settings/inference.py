"""The approximate inference methods, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from credenet._arguments import same_name, whole_number
from credenet.settings.choices import ChoiceKind, Settings, real, whole

_MOST_SAMPLES = 100_000_000
_MOST_ITERATIONS = 100_000_000  # Rounds of messages, or sweeps of a Gibbs chain, at most.
_MOST_CHAINS = 100_000
_LARGEST_BOUND = 1000

MethodName = Literal["loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling", "gibbs"]

_DAMPING = real(least=0, below=1)
_ITERATIONS = whole(least=1, most=_MOST_ITERATIONS)
_TOLERANCE = real(above=0)
_I_BOUND = whole(least=1, most=_LARGEST_BOUND)
_SAMPLES = whole(least=2, most=_MOST_SAMPLES)


@dataclass(frozen=True, slots=True)
class LoopyBP(Settings):
    """Loopy belief propagation on the factor graph; exact on trees.

    Parameters
    ----------
    damping
        The weight of the old message in the new one, on the log scale; more damping helps against oscillation.
    max_iterations
        The largest number of messages that each variable and factor sends, on average.
    tolerance
        A message has converged when its log changes by less than this.

    Examples
    --------
    >>> import credenet
    >>> tree = credenet.textbook.cancer()
    >>> answers = tree.infer({"xray": "positive"}, method="loopy_bp")
    >>> credenet.marginal_errors(tree.infer({"xray": "positive"}), answers).max_absolute_error < 1e-6
    True
    """

    damping: float = field(default=0.0, metadata=_DAMPING)
    max_iterations: int = field(default=1000, metadata=_ITERATIONS)
    tolerance: float = field(default=1e-6, metadata=_TOLERANCE)

    short_name: ClassVar[str] = "loopy_bp"


@dataclass(frozen=True, slots=True)
class IJGP(Settings):
    """Iterative join-graph propagation: `LoopyBP` between clusters of variables; exact if i_bound >= tree-width.

    Parameters
    ----------
    i_bound
        Clusters have at most ``i_bound`` + 1 variables, unless a factor has more. By default the largest bound that
        keeps all clusters together below about a million cells.
    damping, max_iterations, tolerance
        As for `LoopyBP`.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.asia()
    >>> answers = network.infer({"xray": "yes"}, method=credenet.methods.IJGP(i_bound=2))
    >>> exact = network.infer({"xray": "yes"})
    >>> credenet.marginal_errors(exact, answers).max_absolute_error < 1e-6
    True
    """

    i_bound: int | None = field(default=None, metadata=_I_BOUND)
    damping: float = field(default=0.0, metadata=_DAMPING)
    max_iterations: int = field(default=100, metadata=_ITERATIONS)
    tolerance: float = field(default=1e-6, metadata=_TOLERANCE)

    short_name: ClassVar[str] = "ijgp"


@dataclass(frozen=True, slots=True)
class LikelihoodWeighting(Settings):
    """Forward samples of a Bayesian network, weighted by the evidence; works well if the evidence is not rare.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.asia()
    >>> answers = network.infer({"smoke": "yes"}, method=credenet.methods.LikelihoodWeighting(5000))
    >>> exact = network.infer({"smoke": "yes"})
    >>> credenet.marginal_errors(exact, answers).max_absolute_error < 0.02
    True
    """

    samples: int = field(default=10_000, metadata=_SAMPLES)

    short_name: ClassVar[str] = "likelihood_weighting"


@dataclass(frozen=True, slots=True)
class ImportanceSampling(Settings):
    """Importance sampling with a proposal from `IJGP` and backtracking (SampleSearch).

    Parameters
    ----------
    i_bound
        As for `IJGP`.
    iterations
        The largest number of rounds of messages for the proposal.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.asia()
    >>> answers = network.infer({"xray": "yes"}, method="importance_sampling(samples=5000)")
    >>> answers.effective_sample_size > 1000
    True
    """

    samples: int = field(default=10_000, metadata=_SAMPLES)
    i_bound: int | None = field(default=None, metadata=_I_BOUND)
    iterations: int = field(default=20, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "importance_sampling"


@dataclass(frozen=True, slots=True)
class Gibbs(Settings):
    """Gibbs sampling: chains that draw one variable at a time given all others.

    Parameters
    ----------
    samples
        The number of samples of all chains together.
    burn_in
        Sweeps over all variables before the first sample of a chain.
    restarts
        The number of chains, each from its own initial state.
    thin
        Sweeps from one sample to the next.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.sprinkler()
    >>> answers = network.infer({"rain": "true"}, method=credenet.methods.Gibbs(samples=5000))
    >>> answers.exact
    False
    """

    samples: int = field(default=10_000, metadata=_SAMPLES)
    burn_in: int = field(default=500, metadata=whole(most=_MOST_ITERATIONS))
    restarts: int = field(default=8, metadata=whole(least=1, most=_MOST_CHAINS))
    thin: int = field(default=1, metadata=_ITERATIONS)

    short_name: ClassVar[str] = "gibbs"

    def _check_together(self) -> None:
        whole_number("samples", self.samples, least=self.restarts)


ApproximateMethod = LoopyBP | IJGP | LikelihoodWeighting | ImportanceSampling | Gibbs

INFERENCE_METHODS: ChoiceKind[ApproximateMethod] = ChoiceKind(
    "method", get_args(ApproximateMethod), also="a method with its settings or ", words=("exact", "auto")
)


def inference_method(method: ApproximateMethod | str) -> ApproximateMethod | Literal["exact", "auto"]:
    """The method itself, or the method of a name in any case; ``exact`` and ``auto`` stay names.

    Examples
    --------
    >>> inference_method("Loopy-BP")
    LoopyBP(damping=0.0, max_iterations=1000, tolerance=1e-06)
    """
    if same_name("exact", method):
        return "exact"
    return "auto" if same_name("auto", method) else INFERENCE_METHODS.get(method)


RowSampler = Gibbs | ImportanceSampling
RowSamplerName = Literal["auto", "exact", "gibbs", "importance_sampling"]

SAMPLERS: ChoiceKind[RowSampler] = ChoiceKind(
    "sampler", get_args(RowSampler), also="a method with its settings or ", words=("auto", "exact")
)
ROW_METHODS: ChoiceKind[RowSampler] = ChoiceKind(
    "method", SAMPLERS.choices, also="Gibbs(...) or ", words=SAMPLERS.words
)


def row_sampler(kind: ChoiceKind[RowSampler], value: RowSampler | str) -> RowSampler | Literal["exact", "auto"]:
    """The way in which rows are drawn, for an argument of that kind; ``exact`` and ``auto`` stay names.

    Examples
    --------
    >>> row_sampler(SAMPLERS, "gibbs(burn_in=5000)").burn_in
    5000
    """
    if same_name("exact", value):
        return "exact"
    return "auto" if same_name("auto", value) else kind.get(value)
