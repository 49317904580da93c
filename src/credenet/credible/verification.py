"""Verification of a credible set from scratch, by other methods if there are any."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from credenet.credible.calls import credible_classes
from credenet.credible.provenance import treats_classes_alike
from credenet.data.dataset import Dataset
from credenet.errors import GraphError
from credenet.families.nested_penalties import log_prior_of, penalty_rise
from credenet.families.scoring.calls import score_families
from credenet.families.sources import as_source
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.learners import learn
from credenet.learners.results import Provenance
from credenet.learners.verification import Check, Verification, check_data
from credenet.search.components import components_of
from credenet.search.cost import QUICK_TABLE
from credenet.settings.priors import Prior
from credenet.structures.listing_limit import MOST_LISTED
from credenet.structures.weighted_choices import WeightedNetwork

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.sources import DataLike

_LISTED = 200_000  # Networks at most that are listed to count them.
_SCORED = 200  # Networks at most whose scores are computed again.


def verify(credible: CredibleSet, source: DataLike | FamilyTable) -> Verification:
    """Checks all claims of a set against the data or the families it was made from."""
    source = as_source(source)
    checks = check_data(credible.provenance, source, "made")
    families = _families(credible, source)
    if families is None:
        checks.append(Check("the scores are right", None, "the score is known by its table only"))
        return Verification(tuple(checks))
    if credible.optimum is not None:
        checks.append(_optimum(credible, families))
        checks += _networks(credible, families)
        checks.append(_number(credible, families))
    return Verification(tuple(checks))


def _families(credible: CredibleSet, source: Dataset | FamilyTable) -> FamilyTable | None:
    """The families, scored again with the slack of the set."""
    if isinstance(source, FamilyTable):
        return source
    made = credible.provenance
    slack = credible.listing.slack if credible.listing.complete_slack is None else credible.listing.complete_slack
    if made.score is None or made.prior is None:
        return None
    rise = penalty_rise(made.prior, len(source.variables), made.max_parents)
    return score_families(
        source,
        score=made.score,
        prior=made.prior.modular_part(),
        knowledge=made.knowledge,
        max_parents=made.max_parents,
        up_to_parents=None if made.complete else credible._families.made.max_parents,
        states=made.states or "declared",
        slack=(slack + rise) * (1 + 1e-9) + 1e-6,
    )


def _scope(credible: CredibleSet) -> str:
    return " of these families" if credible._is_relative else ""


def _optimum(credible: CredibleSet, families: FamilyTable) -> Check:
    assert credible.optimum is not None
    claim = f"no network{_scope(credible)} scores above {credible.optimum:.6f}"
    largest = max(map(len, components_of(families)), default=1)
    if largest > QUICK_TABLE:
        return Check(claim, None, f"a component has {largest} variables, more than {QUICK_TABLE}")
    made, scored = credible.provenance, families.made.max_parents
    is_cut = made.max_parents is not None and scored is not None and scored < made.max_parents
    most = None if is_cut else made.max_parents  # If scoring ended early, the table itself has the limit.
    again = learn(families, method="astar", prior=_penalising(made), knowledge=made.knowledge, max_parents=most).score
    if again is None:
        return Check(claim, False, "no network was found again")
    holds = abs(again - credible.optimum) <= tolerance(credible.optimum)
    return Check(claim, holds, f"the best was found again: {again:.6f}")


def _networks(credible: CredibleSet, families: FamilyTable) -> list[Check]:
    """Checks for the first and some sampled networks that they have no cycle, the right score, and obey all limits."""
    assert credible.optimum is not None
    made = credible.provenance
    first: list[WeightedNetwork] = []
    for network in credible.listing.networks():
        if len(first) == _SCORED:
            break
        first.append(network)
    least = credible.optimum - credible.listing.slack - tolerance(credible.optimum)
    right, inside, obeys, limited = True, True, True, True
    for dag, score in [*((one.dag, one.score) for one in first), *((dag, None) for dag in credible.sample(_SCORED))]:
        again = _score_again(dag, families, made)
        right = right and (score is None or abs(again - score) <= tolerance(score))
        inside = inside and again >= least
        obeys = obeys and (made.knowledge is None or not made.knowledge.violations(dag))
        limited = limited and (made.max_parents is None or dag.max_in_degree <= made.max_parents)
    ordered = all(later.score <= one.score + tolerance(one.score) for one, later in pairwise(first))
    checks = [
        Check("the networks score as they say", right, f"of {len(first)} computed again"),
        Check("the networks are within the slack", inside, f"{len(first)} first ones and {_SCORED} drawn"),
        Check("the best come first", ordered),
    ]
    if made.knowledge is not None:
        checks.append(Check("the networks obey the knowledge", obeys))
    if made.max_parents is not None:
        checks.append(Check(f"no variable has more than {made.max_parents} parents", limited))
    return checks


def _penalising(made: Provenance) -> Prior | None:
    """The prior if it is one on whole networks; the others are part of the scores of families."""
    return None if made.prior is None or made.prior.is_modular else made.prior


def _score_again(dag: DAG, families: FamilyTable, made: Provenance) -> float:
    """The score from the table; -inf for a network with a cycle or with a family that the table lacks."""
    prior = _penalising(made)
    penalty = 0.0 if prior is None else log_prior_of(prior, dag.parent_indices)
    try:
        return families.score_of(DAG(dag.variables, dag.edges)) + penalty
    except GraphError:
        return -math.inf


def _number(credible: CredibleSet, families: FamilyTable) -> Check:
    """Checks the number of networks by the sizes of their classes, or by listing them."""
    least = "" if credible.listing.complete_slack == credible.listing.slack else "at least "
    claim = f"there are {least}{credible.n_networks:,} networks{_scope(credible)}"
    if credible.diagram.largest_component > MOST_LISTED:
        return _number_of_best(credible, claim)
    prior = _penalising(credible.provenance)
    by_classes = treats_classes_alike(credible.provenance) and not (prior is not None and prior.may_favour_parents)
    if credible.complete and not credible._is_filtered and by_classes:
        slack = min(credible.listing.slack, math.inf if families.made.slack is None else families.made.slack)
        classes = credible_classes(families, slack=slack, prior=prior)
        same = classes.n_networks == credible.n_networks
        return Check(claim, same, f"{classes.n_networks:,} in {classes.n_classes:,} classes, found apart")
    if credible.n_networks > _LISTED:
        return Check(claim, None, f"more than {_LISTED:,}")
    different = len(set(credible))
    return Check(claim, different == credible.n_networks, f"{different:,} different ones were listed")


def _number_of_best(credible: CredibleSet, claim: str) -> Check:
    """Checks the number of the best networks alone, listed and counted, if all are too many to list."""
    best = credible.listing.first(_SCORED)
    if best.n_networks > _LISTED:
        return Check(claim, None, f"more than {MOST_LISTED:,} in a component")
    different = len(set(best))
    holds = None if different == best.n_networks else False
    return Check(
        claim, holds, f"of the {best.n_networks:,} best {different:,} different ones were listed; all are too many"
    )
