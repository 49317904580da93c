"""Few rows with rules and any score and prior, and all networks that they allow, scored by the formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

import brute
import credenet
from credenet import DAG, Dataset, Knowledge
from credenet.settings.priors import Edge, InDegree, Prior, Uniform
from credenet.settings.scores import K2, MIT, BDe, BDeu, BDs, Score, fNML, qNML
from slow_scores import slow_family_score


@st.composite
def hard_cases(draw: st.DrawFn) -> tuple[Dataset, dict[str, Any]]:
    """A few rows of some columns, of which one is often constant, with rules and any score and prior."""
    n = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    names = [f"v{k}" for k in range(n)]
    n_rows, states, order = draw(st.integers(4, 6)), rng.integers(2, 4, n), rng.permutation(n)
    if draw(st.booleans()):
        states[order[0]] = 1
    columns = {name: [str(code) for code in rng.integers(0, states[k], n_rows)] for k, name in enumerate(names)}
    data = Dataset.from_frame(pl.DataFrame(columns))
    pairs = [(names[order[a]], names[order[b]]) for a in range(n) for b in range(a + 1, n)]
    required = pairs[: draw(st.integers(0, 2))]
    forbidden = [edge[::-1] for edge in pairs[: draw(st.integers(0, 1))]] + pairs[2 : 2 + draw(st.integers(0, 1))]
    network = credenet.fit(data, DAG(names))
    scores: list[Score] = [MIT(0.95), MIT(0.6), BDe(network, 2.0), BDeu(1.0), BDs(1.0), K2(), fNML(), qNML()]
    limits = {name: draw(st.integers(1, 3)) for name in names}
    return data, {
        "score": draw(st.sampled_from(scores)),
        "prior": draw(st.sampled_from([Uniform(), Edge(0.3), InDegree(limits)])),
        "knowledge": Knowledge(required=required, forbidden=set(forbidden) - set(required)),
        "max_parents": draw(st.sampled_from([None, 2, 3])),
    }


def allowed_networks(
    data: Dataset, score: Score, prior: Prior, knowledge: Knowledge, max_parents: int | None
) -> list[tuple[DAG, float]]:
    """All networks that the rules allow, with their scores; a column with one state has required edges only."""
    constant = set(data.info().constant)
    local: dict[tuple[str, tuple[str, ...]], float] = {}
    found = []
    for arcs in brute.all_dags(data.n_variables):
        dag = DAG(data.variables, [(data.variables[a], data.variables[b]) for a, b in arcs])
        free = [edge for edge in dag.edges if edge not in knowledge.required]
        if knowledge.violations(dag) or constant.intersection(name for edge in free for name in edge):
            continue
        if dag.max_in_degree > (max_parents or data.n_variables):
            continue
        families = [(name, dag.parents(name)) for name in data.variables]
        for name, parents in families:
            if (name, parents) not in local:
                local[name, parents] = slow_family_score(data, name, parents, score, prior)
        found.append((dag, math.fsum(local[family] for family in families)))
    return found
