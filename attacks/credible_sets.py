"""Credible networks and classes of small problems, against all networks.

A set with status complete must hold all credible networks. A set that a limit ended must hold no others, and its bounds
must be true.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

import credenet
from attacks.campaign import Campaign, Case
from attacks.problems import Problem, check_refusal, cut_short, problems
from credenet import CredenetError, CredibleClasses, CredibleSet
from credenet.families.tolerance import tolerance
from credenet.scores import MIT
from credibility_tables import Credible, check_classes, check_networks


def attack(case: Case) -> None:
    problem = case.draw(problems(most=4, huge=False))
    truth = Truth(problem)
    find, slack, asked = case.draw(questions(problem))
    with cut_short(case.draw) as (ending, limits):
        try:
            found = find(problem.data, n_threads=1, **asked, **problem.options, **limits)
        except CredenetError as error:
            check_refusal(error, is_feasible=bool(truth.networks))
            return
    assert ending is not None or found.status in ("complete", "infeasible")
    if not truth.networks:
        assert not found.complete or found.status == "infeasible" or len(found) == 0
        return
    assert found.status != "infeasible"
    assert found.listing.slack == slack
    check_claims(found, truth, problem)
    if ending is None:
        other = find(problem.data, n_threads=2, **asked, **problem.options)
        assert list(other) == list(found)
    verification = found.verify(problem.data) if isinstance(found, CredibleSet) else True
    assert verification, str(verification)


@st.composite
def questions(draw: st.DrawFn, problem: Problem) -> tuple[Any, float, dict[str, Any]]:
    """A call, the slack that it means, and its options; a score that is no log probability has no Bayes factor."""
    find = draw(st.sampled_from([credenet.credible_networks, credenet.credible_classes]))
    factor = draw(st.sampled_from([1.0, 3.0, 20.0, 1000.0, 1e12]))
    slack = math.log(factor)
    return find, slack, {"slack": slack} if isinstance(problem.score, MIT) else {"bayes_factor": factor}


class Truth:
    """All networks of a problem with their scores."""

    def __init__(self, problem: Problem) -> None:
        self.networks = dict(problem.networks())
        self.best = max(self.networks.values(), default=-math.inf)

    def within(self, slack: float) -> Credible:
        """The networks within a slack of the best, with their probabilities among each other."""
        least = self.best - slack - tolerance(self.best)
        kept = {dag: score for dag, score in self.networks.items() if score >= least}
        total = math.fsum(math.exp(score - self.best) for score in kept.values())
        return Credible(self.best, {dag: (score, math.exp(score - self.best) / total) for dag, score in kept.items()})


def check_claims(found: CredibleSet | CredibleClasses, truth: Truth, problem: Problem) -> None:
    if found.listing.incumbent is not None:
        dag, score, bound = found.listing.incumbent
        assert abs(score - truth.networks[dag]) <= 1e-7
        assert found.provenance.complete is False or bound >= truth.best - 1e-7
    if found.complete:
        check(found, truth.within(found.listing.slack), problem)
        return
    if found.optimum is None or found.provenance.complete is False:
        return
    assert abs(found.optimum - truth.best) <= 1e-7
    if found.listing.complete_slack is not None:
        check(found, truth.within(found.listing.complete_slack), problem)
    elif isinstance(found, CredibleSet):
        assert set(found) <= set(truth.within(found.listing.slack).networks)


def check(found: CredibleSet | CredibleClasses, expected: Credible, problem: Problem) -> None:
    if isinstance(found, CredibleSet):
        check_networks(found, expected)
        check_classes(found.classes, expected, problem.knowledge, problem.prior)
    else:
        check_classes(found, expected, problem.knowledge, problem.prior)


CAMPAIGN = Campaign(attack)
