"""Every answer of an exact inference against the full joint, for evidence and questions that are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import NetworkError
from drawing import Draw
from slow_inference import evidence_of, slow_answer, slow_posterior

Model = BayesianNetwork | MarkovNetwork
Named = frozenset[tuple[str, Any]]
CLOSE: Any = {"rel": 1e-10, "abs": 1e-12}
TOLERANCE = 1e-7  # Relative difference below which two generalised Bayes factors may count as equal or not.

BEFORE: list[list[Any]] = [[], [lambda inference: inference.log_evidence], [lambda inference: inference.marginals()]]


def check_answers(model: Model, evidence: dict[str, Any], draw: Draw) -> None:
    posterior = slow_posterior(model, evidence)
    total = math.fsum(weight for _, weight in posterior)
    order = draw(st.none() | st.permutations(list(model.states)))
    inference = model.infer(evidence, elimination_order=order)
    if total == 0:
        for ask in (inference.marginals, inference.mpe, lambda: inference.log_evidence):
            with pytest.raises(NetworkError, match="the evidence has probability 0"):
                ask()
        return
    for first in draw(st.sampled_from(BEFORE)):  # Earlier answers change which computations are needed.
        first(inference)
    some = draw(st.lists(st.sampled_from(list(model.states)), unique=True, max_size=6))
    found = inference.marginals(some)
    assert list(found) == some
    for name in some:
        assert {(state,): p for state, p in found[name].items()} == pytest.approx(
            slow_answer(posterior, [name]), **CLOSE
        )
    assert inference.log_evidence == pytest.approx(math.log(total), **CLOSE)
    marginals = inference.marginals()
    assert list(marginals) == list(model.states)
    for name, distribution in marginals.items():
        expected = slow_answer(posterior, [name])
        assert {(state,): p for state, p in distribution.items()} == pytest.approx(expected, **CLOSE)
        assert all(p == 0 for state, p in distribution.items() if expected[state,] == 0)
    assert inference.log_evidence == pytest.approx(math.log(total), **CLOSE)

    chosen = draw(st.lists(st.sampled_from(list(model.states)), unique=True, min_size=1, max_size=4))
    joint = inference.joint(chosen)
    by_label = {
        tuple(model.states[name][at] for name, at in zip(chosen, index, strict=True)): p
        for index, p in np.ndenumerate(joint)
    }
    assert by_label == pytest.approx(slow_answer(posterior, chosen), **CLOSE)
    assert inference.entropy(chosen) == pytest.approx(
        -math.fsum(p * math.log(p) for p in by_label.values() if p > 0), abs=1e-9
    )

    best = inference.mpe()
    weights = {tuple(row.items()): weight for row, weight in posterior}
    assert weights[tuple(best.assignment.items())] == pytest.approx(max(weights.values()), rel=1e-10)
    assert best.log_probability == pytest.approx(math.log(max(weights.values())), **CLOSE)


def check_updates(model: Model, draw: Draw) -> None:
    """Checks that a chain of updates gives the answers of a new start and does not change earlier objects."""
    evidence = draw(evidence_of(model.states))
    steps = [model.infer(evidence)]
    for _ in range(3):
        change = {name: draw(st.none() | st.just(value)) for name, value in draw(evidence_of(model.states)).items()}
        evidence = {name: value for name, value in (evidence | change).items() if value is not None}
        steps.append(steps[-1].update(change))
        assert dict(steps[-1].evidence) == evidence
    for inference in [*steps, steps[1]]:
        posterior = slow_posterior(model, inference.evidence)
        total = math.fsum(weight for _, weight in posterior)
        if total == 0:
            with pytest.raises(NetworkError, match="the evidence has probability 0"):
                inference.marginals()
            continue
        some = draw(st.lists(st.sampled_from(list(model.states)), unique=True, max_size=3))
        for name, distribution in {**inference.marginals(some), **inference.marginals()}.items():
            expected = slow_answer(posterior, [name])
            assert {(state,): p for state, p in distribution.items()} == pytest.approx(expected, **CLOSE)
        assert inference.log_evidence == pytest.approx(math.log(total), **CLOSE)


def check_map(model: BayesianNetwork | MarkovNetwork, draw: Draw) -> None:
    evidence = draw(evidence_of(model.states))
    chosen = draw(st.lists(st.sampled_from(list(model.states)), unique=True, max_size=4))
    weights: dict[tuple[Any, ...], list[float]] = {}
    for row, weight in slow_posterior(model, evidence):
        weights.setdefault(tuple(row[name] for name in chosen), []).append(weight)
    sums = {states: math.fsum(values) for states, values in weights.items()}
    inference = model.infer(evidence)
    if not any(sums.values()):
        with pytest.raises(NetworkError, match="the evidence has probability 0"):
            inference.map(chosen)
        return
    best = inference.map(chosen)
    assert list(best.assignment) == chosen
    assert best.status == "optimal"
    assert best.log_bound == best.log_probability == pytest.approx(math.log(max(sums.values())), rel=1e-10, abs=1e-12)
    assert sums[tuple(best.assignment.values())] == pytest.approx(max(sums.values()), rel=1e-10)


def slow_factors(model: Model, evidence: Mapping[str, Any], targets: Sequence[str]) -> dict[Named, float]:
    """The generalised Bayes factor of every partial assignment that has one."""
    prior, posterior = slow_posterior(model, {}), slow_posterior(model, evidence)
    factors: dict[Named, float] = {}
    for states in product(*((None, *model.states[name]) for name in targets)):
        named = {name: state for name, state in zip(targets, states, strict=True) if state is not None}

        def holds(row: Mapping[str, Any], named: Mapping[str, Any] = named) -> bool:
            return all(row[name] == state for name, state in named.items())

        p = math.fsum(weight for row, weight in prior if holds(row))
        not_p = math.fsum(weight for row, weight in prior if not holds(row))
        q = math.fsum(weight for row, weight in posterior if holds(row))
        not_q = math.fsum(weight for row, weight in posterior if not holds(row))
        if named and p > 0 and not_p > 0 and q > 0:
            factors[frozenset(named.items())] = math.inf if not_q == 0 else (q / p) / (not_q / not_p)
    return factors


def is_minimal(named: Named, factors: Mapping[Named, float], slack: float) -> bool:
    """Whether an explanation is minimal by the definition; with slack, a difference must be that large to count."""
    own = factors[named]
    by_part = any(other < named and value >= own * (1 + slack) for other, value in factors.items())
    by_whole = any(other > named and value > own * (1 + slack) for other, value in factors.items())
    return not by_part and not by_whole


def check_explanations(model: Model, draw: Draw) -> None:
    evidence = draw(evidence_of(model.states))
    free = [name for name in model.states if not isinstance(evidence.get(name), str)]
    if not evidence or not free:
        return
    targets = draw(st.lists(st.sampled_from(free), unique=True, min_size=1, max_size=4))
    k = draw(st.integers(1, 6))
    inference = model.infer(evidence)
    if not any(weight for _, weight in slow_posterior(model, evidence)):
        with pytest.raises(NetworkError, match="the evidence has probability 0"):
            inference.explain(targets, k=k)
        return
    factors = slow_factors(model, evidence, targets)
    found = inference.explain(targets, k=k)
    assert found.status == "optimal"
    assert len(found) <= k
    listed = [frozenset(one.assignment.items()) for one in found]
    for named, one in zip(listed, found, strict=True):
        assert one.gbf == pytest.approx(factors[named], rel=1e-8)
        assert is_minimal(named, factors, TOLERANCE)
    assert [one.gbf for one in found[:1]] == pytest.approx(sorted(factors.values())[-1:], rel=1e-8)
    assert [one.gbf for one in found] == sorted((one.gbf for one in found), reverse=True)
    # No better explanation was left out.
    least = found[-1].gbf if len(found) == k else 0.0
    for named, factor in factors.items():
        assert factor <= least * (1 + TOLERANCE) or named in listed or not is_minimal(named, factors, -TOLERANCE)
