"""The parent sets that each variable may have under knowledge, prior and limits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import mapping, name_list, whole_number
from credenet._text import listing
from credenet.data.dataset import Dataset
from credenet.errors import DataError
from credenet.families.structure_priors import ExpertParents, expert_parents, log_factors
from credenet.knowledge.knowledge import Knowledge
from credenet.settings.priors import DataPrior, Prior

ISOLATION_SWITCH = "isolate_constant=False"
_MOST_NAMED = 8  # Variables that a remark lists.
NO_PARENTS = np.empty(0, dtype=np.uint16)


def child_rules(
    data: Dataset,
    prior: Prior,
    knowledge: Knowledge | None,
    max_parents: int | None,
    candidates: Mapping[str, Sequence[str]] | None,
) -> list[_core.ChildRules]:
    """For each variable its required and possible parents, its largest number of parents and its prior factors."""
    n = data.n_variables
    most = n - 1 if max_parents is None else min(whole_number("max_parents", max_parents), n - 1)
    factors = size_factors(prior, data, most)
    expert = expert_parents(prior, data.variables)
    allowed = (knowledge or Knowledge()).allowed(data.variables)
    free = allowed.possible
    places = {name: at for at, name in enumerate(data.variables)}
    constant = [places[name] for name in _find_without_free_edges(data, knowledge)]
    free[constant, :] = free[:, constant] = False
    lists = {} if candidates is None else mapping("candidates", candidates, "lists of names")
    for name, others in lists.items():
        named = np.zeros(n, dtype=np.bool_)
        known = name_list(f"candidates[{name!r}]", others)
        named[[places[other] if other in places else data.index(other) for other in known]] = True
        free[places[name] if name in places else data.index(name)] &= named
    rules = []
    for child, required in enumerate(allowed.required):
        free[child, list(required)] = False
        parents = np.flatnonzero(free[child]).astype(np.uint16)
        limit = min(most, allowed.max_parents[child], len(required) + len(parents))
        rules.append(child_rule(required, parents, limit, factors[child], child, expert))
    return rules


def size_factors(prior: Prior, data: Dataset, max_parents: int) -> list[_core.SizeFactors]:
    """For each variable the log factors of the prior by number of parents; equal factors share their memory."""
    if isinstance(prior, DataPrior) and data.total_weight < 1:
        raise DataError(f"the prior {prior} takes the log of the weight of all rows, which must be at least 1")
    factors = log_factors(prior, data.variables, data.total_weight, max_parents)
    if len(factors) and factors.strides[0] == 0:
        return [_core.SizeFactors(np.ascontiguousarray(factors[0]))] * len(factors)
    return [_core.SizeFactors(row) for row in np.ascontiguousarray(factors)]


def child_rule(
    required: Sequence[int],
    candidates: NDArray[np.uint16],
    limit: int,
    factors: _core.SizeFactors,
    child: int,
    expert: ExpertParents | None,
) -> _core.ChildRules:
    """The rules of one variable in the form of the core; candidates ascend and exclude the required parents."""
    experts, log_kappa = ((), 0.0) if expert is None else (expert[0][child], expert[1])
    return _core.ChildRules(list(required), candidates, limit, factors, list(experts), log_kappa)


def find_isolated(data: Dataset, knowledge: Knowledge | None) -> tuple[str, ...]:
    """The variables with one observed state that no knowledge joins to others, so that they get no edges."""
    required = {name for edge in (() if knowledge is None else knowledge.required) for name in edge}
    return tuple(name for name in _find_without_free_edges(data, knowledge) if name not in required)


def isolation_remark(names: Sequence[str], switch: str = ISOLATION_SWITCH) -> str:
    """A remark that tells a user which variables got no edges because one state occurs, and how to change that."""
    one = len(names) == 1
    have, them = ("has", "it") if one else ("have", "them")
    return (
        f"{listing(names, _MOST_NAMED)} {have} one observed state and {have} no edges by rule: networks that join "
        f"{them} to other variables were not considered, whatever they score; {switch} considers them"
    )


def _find_without_free_edges(data: Dataset, knowledge: Knowledge | None) -> tuple[str, ...]:
    """The variables with one observed state that no rule on paths or adjacency names: only required edges join them."""
    if knowledge is not None and not knowledge.isolate_constant:
        return ()
    pairs = () if knowledge is None else (*knowledge.adjacent, *knowledge.ancestral)
    joined = {name for pair in pairs for name in pair}
    return tuple(name for name in data.info().constant if name not in joined)


def n_families(rules: Sequence[_core.ChildRules], max_parents: float = math.inf) -> int:
    """How many families of at most ``max_parents`` parents the rules allow."""
    shapes = Counter(
        (rule.n_candidates, int(min(rule.max_parents, max_parents)) - len(rule.required)) for rule in rules
    )
    return sum(number * _n_subsets(size, most) for (size, most), number in shapes.items())


def n_families_of_size(rules: Sequence[_core.ChildRules], added: int) -> int:
    """How many families with ``added`` parents beyond the required ones the rules allow."""
    shapes = Counter(rule.n_candidates for rule in rules if added <= most_added(rule))
    return sum(number * math.comb(size, added) for size, number in shapes.items())


def most_added(rule: _core.ChildRules) -> int:
    """The largest number of parents beyond the required ones."""
    return min(rule.max_parents - len(rule.required), rule.n_candidates)


def _n_subsets(size: int, most: int) -> int:
    """How many subsets of at most ``most`` members a set of ``size`` members has."""
    if most >= size:
        return 1 << size
    steps = accumulate(range(most), lambda number, k: number * (size - k) // (k + 1), initial=1)
    return sum(steps) if most >= 0 else 0
