"""The methods for the posterior over all networks: exact sums, or Markov chains with their settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from credenet._arguments import same_name
from credenet.settings.choices import ChoiceKind, Settings, real, whole

_MOST_CHAINS = 1000

SumName = Literal["auto", "exact", "order"]


@dataclass(frozen=True, slots=True)
class MCMC(Settings):
    """Markov chains over networks, started from different networks and run in parallel until they agree.

    Parameters
    ----------
    chains
        The number of chains.
    max_rhat
        The chains go on until R-hat of the score and of every edge is at most this. Edges on which the chains differ
        by at most three times ``max_error`` do not count.
    max_error
        They also go on until the standard error of each edge probability is at most this. With the default, every
        probability is known to about 0.01, which is three standard errors.
    max_iterations
        The most sweeps of a chain, each of which visits every variable. By default only time ends chains that do not
        agree.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.sprinkler(200)
    >>> posterior = credenet.posterior(data, method=credenet.methods.MCMC(chains=2, max_error=0.01))
    >>> posterior.is_exact
    False
    """

    chains: int = field(default=4, metadata=whole(least=2, most=_MOST_CHAINS))
    max_rhat: float = field(default=1.01, metadata=real(above=1))
    max_error: float = field(default=0.0033, metadata=real(above=0))
    max_iterations: int | None = field(default=None, metadata=whole(least=1))

    short_name: ClassVar[str] = "mcmc"


POSTERIOR_METHODS: ChoiceKind[MCMC] = ChoiceKind(
    "method", (MCMC,), also="a method with its settings or ", words=("auto", "exact", "order")
)


def posterior_method(method: MCMC | str) -> MCMC | SumName:
    """The chains with their settings; ``auto``, ``exact`` and ``order`` stay names.

    Examples
    --------
    >>> posterior_method("mcmc(chains=8)")
    MCMC(chains=8, max_rhat=1.01, max_error=0.0033, max_iterations=None)
    """
    words: tuple[SumName, ...] = ("auto", "exact", "order")
    return next((word for word in words if same_name(word, method)), None) or POSTERIOR_METHODS.get(method)
