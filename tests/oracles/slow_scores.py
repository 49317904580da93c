"""Every local score and every modular structure prior by its formula, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from functools import cache
from itertools import product
from typing import Literal

from scipy.stats import chi2

from credenet import Dataset
from credenet.networks.pseudo_counts import pseudo_counts
from credenet.settings.limits import Limits
from credenet.settings.priors import (
    SSP,
    DataPrior,
    Edge,
    Expert,
    Fact,
    Fair,
    InDegree,
    InDegreeWeights,
    Prior,
    Uniform,
)
from credenet.settings.scores import (
    AIC,
    BIC,
    K2,
    MDL,
    MIT,
    BDe,
    BDeu,
    BDs,
    CustomScore,
    Jeffreys,
    LogLikelihood,
    Score,
    fNML,
    qNML,
)
from precise_gamma import precise_log_rising

Counts = Mapping[tuple[int, ...], Sequence[float]]


def slow_local_score(
    score: Score,
    counts_by_parent_state: Counts,
    n_states: int,
    parent_n_states: Sequence[int],
    n_rows: float,
    n_variables: int,
    pseudo_counts: Counts | None = None,
) -> float:
    """The score of one family; parent states without rows may be left out. BDe takes its pseudo-counts."""
    counts = {state: row for state, row in counts_by_parent_state.items() if sum(row) > 0}
    n_parent_states = math.prod(parent_n_states)
    likelihood = slow_log_likelihood(counts)
    n_parameters = (n_states - 1) * n_parent_states
    half_log_rows = math.log(n_rows) / 2 if n_rows > 0 else 0.0
    match score:
        case LogLikelihood():
            return likelihood
        case BIC():
            return likelihood - half_log_rows * n_parameters
        case AIC():
            return likelihood - n_parameters
        case MDL(name_parents):
            naming = len(parent_n_states) * math.log(n_variables) if name_parents else 0.0
            return likelihood - half_log_rows * n_parameters - naming
        case BDeu(ess):
            return slow_dirichlet(counts, dict.fromkeys(counts, [ess / (n_states * n_parent_states)] * n_states))
        case BDs(ess):
            return slow_dirichlet(counts, dict.fromkeys(counts, [ess / (n_states * max(len(counts), 1))] * n_states))
        case K2():
            return slow_dirichlet(counts, dict.fromkeys(counts, [1.0] * n_states))
        case Jeffreys():
            return slow_dirichlet(counts, dict.fromkeys(counts, [0.5] * n_states))
        case BDe():
            assert pseudo_counts is not None
            return slow_dirichlet(counts, pseudo_counts)
        case fNML():
            return likelihood - math.fsum(
                math.log(slow_nml_regret(n_states, whole(sum(row)))) for row in counts.values()
            )
        case qNML():
            family = math.log(slow_nml_regret(n_states * n_parent_states, whole(n_rows)))
            return likelihood - (family - math.log(slow_nml_regret(n_parent_states, whole(n_rows))))
        case MIT(alpha):
            return 2 * slow_information(counts, n_rows) - slow_chance(alpha, n_states, parent_n_states)
        case CustomScore():
            raise TypeError("the function of a custom score is its own formula")


def slow_log_prior(
    prior: Prior, variables: Sequence[str], variable: str, parents: Sequence[str], n_rows: float
) -> float:
    """The log factor of one family."""
    size, others = len(parents), len(variables) - 1
    match prior:
        case Uniform():
            return 0.0
        case Edge(beta):
            return size * math.log(beta)
        case Fair():
            return -math.log(math.comb(others, size))
        case DataPrior(tau):
            return -((1 + tau) ** size) * math.log(n_rows)
        case InDegreeWeights(weights):
            return math.log(weights[size]) if size < len(weights) and weights[size] > 0 else -math.inf
        case Fact():
            return math.log(math.factorial(size))
        case Expert(dag, kappa):
            return math.log(kappa) * len(set(parents) ^ set(dag.parents(variable)))
        case InDegree(limits, exact):
            limit = slow_limit(limits, variable)
            is_allowed = limit is None or size == limit or (size < limit and not exact)
            return 0.0 if is_allowed else -math.inf
        case SSP():
            raise TypeError("SSP is no sum over families")


def slow_limit(limits: Limits, variable: str) -> int | None:
    """The in-degree that a prior names for a variable: a number for all, or by name, with * for all others."""
    if isinstance(limits, int):
        return limits
    by_name = dict(limits)
    return by_name.get(variable, by_name.get("*"))


def slow_log_likelihood(counts: Counts) -> float:
    return math.fsum(n * math.log(n / sum(row)) for row in counts.values() for n in row if n > 0)


def slow_dirichlet(counts: Counts, pseudo_counts: Counts) -> float:
    terms = []
    for state, row in counts.items():
        alphas = pseudo_counts[state]
        if any(alpha == 0 and n > 0 for n, alpha in zip(row, alphas, strict=True)):
            return -math.inf
        terms += [precise_log_rising(alpha, n) for n, alpha in zip(row, alphas, strict=True) if n > 0]
        terms.append(-precise_log_rising(sum(alphas), sum(row)))
    with localcontext(prec=60):
        return float(sum(terms, Decimal(0)))


@cache
def slow_nml_regret(n_states: int, n_rows: int) -> float:
    """C(K, N), by the sum for K = 2 and the recurrence above."""
    if n_rows == 0:
        return 1.0
    # 0**0 is 1, as it should be here.
    powers = (math.comb(n_rows, h) * h**h * (n_rows - h) ** (n_rows - h) for h in range(n_rows + 1))
    regrets: list[float] = [1.0, sum(powers) / n_rows**n_rows]
    for k in range(1, n_states - 1):
        regrets.append(regrets[k] + n_rows / k * regrets[k - 1])
    return float(regrets[n_states - 1])


def slow_information(counts: Counts, n_rows: float) -> float:
    """N times the mutual information of the variable and its parents."""
    totals = [sum(column) for column in zip(*counts.values(), strict=True)]
    return math.fsum(
        n * math.log(n * n_rows / (sum(row) * total))
        for row in counts.values()
        for n, total in zip(row, totals, strict=True)
        if n > 0
    )


def slow_chance(alpha: float, n_states: int, parent_n_states: Sequence[int]) -> float:
    """The chi-square quantiles of the parents, added in decreasing cardinality."""
    total, before = 0.0, 1
    for cardinality in sorted(parent_n_states, reverse=True):
        freedom = (n_states - 1) * (cardinality - 1) * before
        total += float(chi2.ppf(alpha, freedom)) if freedom else 0.0
        before *= cardinality
    return total


def whole(number: float) -> int:
    """A count as an integer; normalised maximum likelihood is defined for no other."""
    assert number == int(number)
    return int(number)


def slow_family_score(
    data: Dataset,
    variable: str,
    parents: Iterable[str],
    score: Score,
    prior: Prior | None = None,
    states: Literal["declared", "observed"] = "declared",
) -> float:
    """The score of a family of a dataset, with the prior's log factor.

    Observed states are those with rows of positive weight. BDe takes the states of its network, which are the declared.
    """
    family = (variable, *parents)
    columns = [data.codes[:, data.index(name)].tolist() for name in family]
    weights = [1.0] * data.n_rows if data.weights is None else data.weights.tolist()
    rows = [(key, weight) for *key, weight in zip(*columns, weights, strict=True) if weight > 0]
    cardinalities = [len(data.states[name]) for name in family]
    counts: dict[tuple[int, ...], list[float]] = {}
    for (own, *above), weight in rows:
        counts.setdefault(tuple(above), [0.0] * cardinalities[0])[own] += weight
    expected = None
    if isinstance(score, BDe):
        table = pseudo_counts(score, family, data.states)
        places = product(*(range(size) for size in cardinalities[1:]))
        expected = {place: [float(table[k, *place]) for k in range(cardinalities[0])] for place in places}
    elif states == "observed":
        seen = [sorted({key[at] for key, _ in rows}) for at in range(len(family))]
        cardinalities = [max(len(codes), 1) for codes in seen]
        counts = {state: [row[code] for code in seen[0]] for state, row in counts.items()}
    total = math.fsum(weight for _, weight in rows)
    local = slow_local_score(
        score, counts, cardinalities[0], cardinalities[1:], total, data.n_variables, pseudo_counts=expected
    )
    return local + slow_log_prior(prior or Uniform(), data.variables, variable, family[1:], total)
