"""Exact and approximate inference in small networks, against the full joint.

Tables have zeros and entries down to 1e-150, and evidence may be impossible.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from attacks.campaign import Campaign, Case
from credenet import BayesianNetwork, MarkovNetwork
from credenet.errors import NetworkError
from credenet.methods import IJGP, Gibbs, ImportanceSampling, LikelihoodWeighting, LoopyBP
from credenet.settings.inference import ApproximateMethod
from drawing import Draw
from inference_checks import check_answers, check_explanations, check_map, check_updates
from network_strategies import networks as tiny_entries
from slow_inference import evidence_of, markov_networks, slow_answer, slow_posterior
from slow_networks import networks as zero_entries

Model = BayesianNetwork | MarkovNetwork
APPROXIMATE: tuple[ApproximateMethod, ...] = (
    LoopyBP(),
    IJGP(i_bound=2),
    IJGP(i_bound=8),
    LikelihoodWeighting(2000),
    ImportanceSampling(2000, i_bound=1),
    Gibbs(2000, burn_in=100),
)


def attack(case: Case) -> None:
    model: Model = case.draw(st.one_of(zero_entries(max_size=6), tiny_entries(), markov_networks(), extreme_factors()))
    evidence = case.draw(evidence_of(model.states))
    question = case.draw(st.sampled_from(["answers", "updates", "map", "explain", "approximate"]))
    if question == "answers":
        check_answers(model, evidence, case.draw)
    elif question == "updates":
        check_updates(model, case.draw)
    elif question == "map":
        check_map(model, case.draw)
    elif question == "explain":
        check_explanations(model, case.draw)
    else:
        check_approximate(model, evidence, case.draw)


@st.composite
def extreme_factors(draw: st.DrawFn) -> MarkovNetwork:
    """Markov networks whose factors differ by up to a hundred orders of magnitude; the joint is within doubles."""
    names = [f"v{k}" for k in range(draw(st.integers(1, 5)))]
    states = {name: ["0", "1"] for name in names}
    scopes = draw(st.lists(st.lists(st.sampled_from(names), unique=True, max_size=3), max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = [0.0, 1e-50, 1e-20, 0.3, 1.0, 1e20, 1e50]
    return MarkovNetwork(states, [(scope, rng.choice(values, size=[2] * len(scope))) for scope in scopes])


def check_approximate(model: Model, evidence: dict[str, Any], draw: Draw) -> None:
    """Distributions add up, and no method gives a state that is impossible a probability; samplers say their errors."""
    method = draw(st.sampled_from([each for each in APPROXIMATE if takes(each, model)]))
    posterior = slow_posterior(model, evidence)
    total = math.fsum(weight for _, weight in posterior)
    try:
        inference = model.infer(evidence, method=method, seed=draw(st.integers(0, 2**32 - 1)))
        marginals = inference.marginals()
    except NetworkError as error:
        if total > 0 and not is_unlucky(method, str(error)):
            raise
        return
    if total == 0:
        assert isinstance(method, LoopyBP | IJGP), "the evidence is impossible"
        return
    for name, distribution in marginals.items():
        expected = slow_answer(posterior, [name])
        assert math.fsum(distribution.values()) == pytest.approx(1.0)
        for state, share in distribution.items():
            assert math.isfinite(share)
            assert share == 0 or expected[state,] > 0 or isinstance(method, LoopyBP | IJGP | Gibbs)
    if method == IJGP(i_bound=8):  # All variables are in one cluster.
        assert inference.log_evidence == pytest.approx(math.log(total), rel=1e-8, abs=1e-8)


def takes(method: ApproximateMethod, model: Model) -> bool:
    """Likelihood weighting follows the arcs of a Bayesian network."""
    return isinstance(model, BayesianNetwork) or not isinstance(method, LikelihoodWeighting)


def is_unlucky(method: Any, message: str) -> bool:
    """A sampler may find no row that agrees with improbable evidence, and says so."""
    return isinstance(method, LikelihoodWeighting | ImportanceSampling | Gibbs) and "probability 0" not in message


CAMPAIGN = Campaign(attack)
