"""Which networks a posterior is over: whatever ends the work, it claims no more than was summed."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import DAG, Dataset, Knowledge, StructurePosterior, posterior
from credenet.errors import ArgumentError
from credenet.posteriors import calls
from credenet.posteriors.components import SLACK
from hard_cases import allowed_networks, hard_cases
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll

# From one at which not even families without parents are scored to one at which all are.
memory_limits = st.floats(2.0, 4.6).map(lambda digits: 10**digits)


def edge_shares(networks: list[tuple[DAG, float]]) -> dict[tuple[str, str], float]:
    """The probability of each edge, by enumeration."""
    best = max(score for _, score in networks)
    total = math.fsum(math.exp(score - best) for _, score in networks)
    return {
        (a, b): math.fsum(math.exp(score - best) for dag, score in networks if (a, b) in dag.edges) / total
        for a, b in permutations(networks[0][0].variables, 2)
    }


def check_claims(found: StructurePosterior, data: Dataset, options: dict[str, Any]) -> None:
    """What is called exact or complete is so; otherwise the probabilities are those of the networks that are named."""
    networks = [(dag, score) for dag, score in allowed_networks(data, **options) if score > -math.inf]
    if found.status == "infeasible":
        assert not networks
        return
    assert not found.is_exact or (found.status == "complete" and not found.chains)
    if found._findings.edges is None:
        assert found.status not in ("complete", "converged")
        assert "not known" in str(found)
        assert "joined" not in str(found)
        return
    if found.chains:
        assert "Markov chain" in str(found)
        return
    most = found.provenance.max_parents if found.status != "complete" else None
    if most is not None:
        required = (options["knowledge"] or Knowledge()).allowed(data.variables).required
        limits = {name: most + len(required[at]) for at, name in enumerate(data.variables)}
        networks = [
            (dag, score) for dag, score in networks if all(len(dag.parents(name)) <= limits[name] for name in limits)
        ]
    assert ("families that were scored" in str(found)) == found.leaves_out_families
    assert found.leaves_out_families or found.status == "complete"
    # Without a set that scores 14 nats less than a subset, a network loses at most exp(-14) of another's probability.
    n_sets = data.n_variables * 2 ** (data.n_variables - 1)
    error = 1e-9 if found.is_exact else n_sets * math.exp(-SLACK)
    expected = edge_shares(networks)
    edges = found.edge_probabilities()
    assert max(abs(edges.get(edge, 0.0) - share) for edge, share in expected.items()) <= error


@pytest.fixture(autouse=True)
def components_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` scores families and sums component by component, as it does for many variables."""
    monkeypatch.setattr(calls, "SUMMED_BY_DEFAULT", 0)


@settings(max_examples=200, deadline=None)
@given(case=hard_cases(), method=st.sampled_from(["auto", "exact"]), memory=memory_limits)
def test_memory_limits(case: tuple[Dataset, dict[str, Any]], method: Any, memory: float) -> None:
    data, options = case
    try:
        found = posterior(data, method=method, memory_limit=memory, **options)
    except ArgumentError as error:
        assert "memory" in str(error)  # noqa: PT017
        return
    check_claims(found, data, options)


@settings(max_examples=200, deadline=None)
@given(
    case=hard_cases(),
    method=st.sampled_from(["auto", "exact"]),
    kind=st.sampled_from([Stop, CtrlC, TimeByHand]),
    at=st.integers(1, 40),
)
def test_stops_at_any_poll(case: tuple[Dataset, dict[str, Any]], method: Any, kind: type[Polls], at: int) -> None:
    data, options = case
    stop = kind(at)
    with every_poll():
        if isinstance(stop, TimeByHand):
            with stop.set():
                found = posterior(data, method=method, time_limit=3600.0, on_progress=stop, **options)
        else:
            found = posterior(data, method=method, on_progress=stop, **options)
    check_claims(found, data, options)


@pytest.mark.parametrize("at", [1, 2, 5])
@pytest.mark.parametrize("kind", [Stop, CtrlC, TimeByHand])
def test_scoring_that_is_cut_short_says_nothing_of_edges(kind: type[Polls], at: int) -> None:
    """A column and its copy are joined for certain; with one family a variable, nothing would seem to be joined."""
    codes = np.random.default_rng(0).integers(0, 2, size=(10, 60))
    codes[:, 1] = codes[:, 0]
    data = Dataset({f"v{column}": ["0", "1"] for column in range(60)}, codes)
    stop = kind(at)
    with every_poll():
        if isinstance(stop, TimeByHand):
            with stop.set():
                found = posterior(data, time_limit=3600.0, on_progress=stop)
        else:
            found = posterior(data, on_progress=stop)
    assert not found.is_exact
    assert found.status not in ("complete", "converged")
    edges = {} if found._findings.edges is None else found.edge_probabilities()
    joined = edges.get(("v0", "v1"), 0.5) + edges.get(("v1", "v0"), 0.5)
    assert joined == pytest.approx(1.0, abs=0.01)


def test_a_table_without_all_families_is_not_exact() -> None:
    data = credenet.datasets.asia(200, seed=1)
    pruned = posterior(credenet.score_families(data, slack=0.0), method="exact")
    assert pruned.status == "complete"
    assert not pruned.is_exact
    assert "score 0 less than one of their subsets" in str(pruned)
    whole = posterior(credenet.score_families(data, slack=1e300), method="exact")
    partial = posterior(credenet.score_families(data, slack=1e300, up_to_parents=1), method="exact")
    assert partial.status == "iteration_limit"
    assert not partial.is_exact
    assert partial.to_dict()["exact"] is False
    assert "not all were scored" in str(partial)
    assert whole.log_evidence is not None
    assert partial.log_evidence is not None
    assert partial.log_evidence < whole.log_evidence


def test_families_that_were_never_scored_are_not_infeasible() -> None:
    data = credenet.datasets.asia(200, seed=1)
    with pytest.raises(ArgumentError, match="memory"):
        posterior(data, method="exact", memory_limit=100)
    found = posterior(data, memory_limit=100)
    assert found.status == "memory_limit"
    assert "memory was full" in str(found)


@pytest.mark.parametrize("limits", [{}, {"time_limit": 3600.0}])
@pytest.mark.parametrize("at", [5, 60, 100, 150])
def test_scoring_that_is_stopped_ends_the_chains_too(at: int, limits: dict[str, Any]) -> None:
    """Chains over the families scored until then would converge, on other probabilities."""
    with every_poll():
        found = posterior(credenet.datasets.asia(30), method="mcmc", on_progress=Stop(at), **limits)
    assert found.provenance.complete is False
    assert found.status == "stopped"
    assert not found.has_probabilities
