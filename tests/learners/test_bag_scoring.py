"""Families within the bags of a tree decomposition, against those of all families that lie within a bag."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import FamilyTable, Knowledge
from credenet._run.run import Run
from credenet.families.scoring.scoring_result import ScoringResult
from credenet.learners.tree_width.bag_scoring import BagScoring
from credenet.settings.priors import Fair, Prior, Uniform
from credenet.settings.scores import BDeu
from credenet.types import TreeDecomposition
from family_strategies import small_data


def score_bags(
    seed: int,
    bags: TreeDecomposition,
    *,
    max_parents: int = 4,
    knowledge: Knowledge | None = None,
    prior: Prior | None = None,
    states: Literal["declared", "observed"] = "declared",
    stops: bool = False,
) -> ScoringResult:
    data = small_data(seed)
    scoring = BagScoring(
        data=data,
        score=BDeu(),
        prior=prior or Uniform(),
        knowledge=knowledge,
        max_parents=max_parents,
        states=states,
    )
    run = Run.from_limits(None, None, 1, (lambda _: False) if stops else None)
    run.stop.is_asked = stops
    return scoring.score_bags([[data.index(name) for name in bag] for bag in bags.bags], bags.parents, run)


def families_of(table: FamilyTable) -> dict[tuple[str, tuple[str, ...]], float]:
    return {(name, family.parents): family.score for name in table.variables for family in table.families(name)}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), draw=st.data(), states=st.sampled_from(["declared", "observed"]))
def test_all_families_within_a_bag_and_each_once(
    seed: int, draw: st.DataObject, states: Literal["declared", "observed"]
) -> None:
    data = small_data(seed)
    pairs = list(combinations(data.variables, 2))
    graph = credenet.PDAG(data.variables, (), draw.draw(st.lists(st.sampled_from(pairs), unique=True)))
    bags = TreeDecomposition.from_elimination_order(graph, draw.draw(st.permutations(data.variables)))
    required = draw.draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))
    forbidden = [pair for pair in draw.draw(st.lists(st.sampled_from(pairs), max_size=3)) if pair not in required]
    knowledge = Knowledge(required=required, forbidden=forbidden)
    most = draw.draw(st.integers(2, 4))
    priors: list[Prior] = [Uniform(), Fair()]
    prior = draw.draw(st.sampled_from(priors))
    scored = score_bags(seed, bags, max_parents=most, knowledge=knowledge, prior=prior, states=states)
    assert scored.status == "complete"
    found = families_of(FamilyTable(data.variables, scored.families))  # A table refuses a family that occurs twice.
    whole = credenet.score_families(data, knowledge=knowledge, max_parents=most, prior=prior, states=states, slack=0.0)
    sets = [set(bag) for bag in bags.bags]
    wanted = {
        family: score
        for family, score in families_of(whole).items()
        if any(bag.issuperset((family[0], *family[1])) for bag in sets)
    }
    assert found == pytest.approx(wanted)


def test_a_stop_is_told() -> None:
    bags = TreeDecomposition.from_cliques(tuple("abcde"), [["a", "b", "c"], ["b", "c", "d"], ["c", "d", "e"]])
    scored = score_bags(1, bags, stops=True)
    assert scored.status == "stopped"
    assert len(scored.families) == 5
    assert all(len(offsets) == len(scores) + 1 for scores, offsets, _ in scored.families)
    assert scored.evaluated >= int(np.sum([len(scores) for scores, _, _ in scored.families]))
