"""Small data, rules, scores and priors for tests against every network."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import credenet
from credenet import Dataset, FamilyTable, Knowledge
from credenet.priors import DataPrior, Edge, Fact, Fair, InDegreeWeights, Uniform
from credenet.scores import AIC, BIC, K2, MDL, MIT, BDe, BDeu, BDs, Jeffreys, LogLikelihood, fNML, qNML
from credenet.settings.priors import Prior
from credenet.settings.scores import Score

CORE_SCORES: list[Score] = [
    LogLikelihood(),
    BIC(),
    AIC(),
    MDL(),
    MDL(name_parents=False),
    BDeu(1.0),
    BDeu(10.0),
    K2(),
    Jeffreys(),
    BDs(2.0),
    fNML(),
    qNML(),
    MIT(0.95),
]
PRIORS: list[Prior] = [
    Uniform(),
    Edge(0.1),
    Edge(3.0),
    Fair(),
    DataPrior(0.5),
    Fact(),
    InDegreeWeights([1.0, 0.1, 5.0, 5.0]),
]


@st.composite
def datasets(draw: st.DrawFn, n: int = 4, *, weighted: bool = False) -> Dataset:
    """Small tables with strong and weak dependences, states that never occur and constant columns."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.sampled_from([1, 2, 5, 12, 40, 150]))
    sizes = [draw(st.integers(1, 3)) for _ in range(n)]
    codes = np.empty((n_rows, n), dtype=np.int64)
    for at, size in enumerate(sizes):
        if at and draw(st.booleans()):  # The column is mostly a function of earlier ones, such as XOR.
            chosen = rng.permutation(at)[: int(rng.integers(1, min(at, 2) + 1))]
            noise = rng.random(n_rows) < 0.2
            codes[:, at] = np.where(noise, rng.integers(0, size, n_rows), codes[:, chosen].sum(axis=1) % size)
        else:
            codes[:, at] = rng.integers(0, size, n_rows)
    extra = [draw(st.integers(0, 1)) for _ in range(n)]
    states = {f"v{at}": [str(k) for k in range(size + extra[at])] for at, size in enumerate(sizes)}
    weights = rng.random(n_rows) * 4 + 0.1 if weighted else None
    return Dataset(states, codes, weights=weights)


@st.composite
def prior_networks(draw: st.DrawFn, data: Dataset, *, sparse: bool = False) -> Score:
    """Networks with a variable more and in another order; the sparse ones rule some states out."""
    seed = draw(st.integers(0, 1000))
    rng = np.random.default_rng(seed)
    states = {"more": ("0", "1"), **dict(reversed(list(data.states.items())))}
    dag = credenet.random.dag(list(states), max_parents=2, seed=seed)
    tables = {
        name: rng.dirichlet([0.01 if sparse else 1.0] * len(states[name]), [len(states[p]) for p in dag.parents(name)])
        for name in states
    }
    tables = {name: np.where(table < 1e-6, 0, table) for name, table in tables.items()}
    tables = {name: table / table.sum(axis=-1, keepdims=True) for name, table in tables.items()}
    return BDe(credenet.BayesianNetwork(states, dag, tables), draw(st.sampled_from([0.5, 5.0, 20.0])))


@st.composite
def rules(draw: st.DrawFn, names: tuple[str, ...]) -> Knowledge:
    """Knowledge that some network obeys: all of it agrees with the order of the names."""
    pairs = list(itertools.combinations(names, 2))
    required = draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))
    backwards = [(b, a) for a, b in pairs]
    forbidden = draw(st.lists(st.sampled_from(backwards + pairs), max_size=4, unique=True))
    limits = {names[-1]: 3, names[0]: draw(st.integers(0, 3))}
    return Knowledge(
        required=required, forbidden=[pair for pair in forbidden if pair not in required], max_parents=limits
    )


def scores_by_mask(table: FamilyTable) -> NDArray[np.float64]:
    """The score of each variable with each set of parents as bits; -inf for a set that the table lacks."""
    n = len(table.variables)
    scores = np.full((n, 1 << n), -math.inf)
    for at, name in enumerate(table.variables):
        for value, parents in table.families(name):
            scores[at, sum(1 << table.variables.index(parent) for parent in parents)] = value
    return scores


def allowed_by_mask(knowledge: Knowledge, names: Sequence[str]) -> NDArray[np.bool_]:
    """Whether the rules on parents allow each variable each set of parents as bits."""
    n = len(names)
    rules = knowledge.allowed(names)
    allowed = np.zeros((n, 1 << n), dtype=np.bool_)
    for child, mask in itertools.product(range(n), range(1 << n)):
        parents = {k for k in range(n) if mask >> k & 1}
        allowed[child, mask] = (
            parents >= set(rules.required[child])
            and parents <= set(rules.candidates[child]) | set(rules.required[child])
            and len(parents) <= rules.max_parents[child]
        )
    return allowed
