"""Random learning problems of up to five variables, and all networks of each, scored by the formulas in plain Python.

The tables have what real tables have and libraries forget: no rows, one row, columns with one state, equal columns,
states that never occur, weights that are zero or huge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import brute
import credenet
from credenet import DAG, CredenetError, Dataset, FamilyTable, Knowledge
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.info import FamilyTableInfo, States
from credenet.families.tolerance import tolerance
from credenet.priors import DataPrior, Expert, InDegree, Uniform
from credenet.scores import BIC, MDL, BDe, BDeu, BDs, fNML, qNML
from credenet.settings.priors import SSP, Prior
from credenet.settings.scores import Score
from drawing import Draw
from polls import CtrlC, Polls, Stop, TimeByHand, every_poll
from scoring_strategies import CORE_SCORES, PRIORS, prior_networks
from slow_learning import all_scores
from slow_scores import slow_family_score

EXTREME_ESS = [1e-100, 1e-12, 1e-4, 1e4, 1e12, 1e100]
PLAIN_NAMES = [f"v{at}" for at in range(5)]
ODD_NAMES = ["*", "a b", "1", "\u00e9\n", "weight"]
_WHOLE = FamilyTableInfo(slack=math.inf, complete=True)


@dataclass(frozen=True)
class Problem:
    """Data with what networks are judged by and must obey, as the learners take them."""

    data: Dataset
    score: Score
    prior: Prior
    knowledge: Knowledge
    max_parents: int | None
    states: States

    @property
    def options(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "prior": self.prior,
            "knowledge": self.knowledge,
            "max_parents": self.max_parents,
            "states": self.states,
        }

    def families(self) -> FamilyTable:
        """All families that the options allow, scored in plain Python.

        A column with one state has required edges only, unless a rule on pairs names it.
        """
        modular = None if isinstance(self.prior, SSP) else self.prior
        named = {name for pair in (*self.knowledge.adjacent, *self.knowledge.ancestral) for name in pair}
        constant = set(self.data.info().constant) - named
        lists: dict[str, list[tuple[float, list[str]]]] = {}
        for child in self.data.variables:
            lists[child] = []
            others = [name for name in self.data.variables if name != child]
            for places in brute.subsets(range(len(others))):
                parents = [others[at] for at in places]
                free = [name for name in parents if (name, child) not in self.knowledge.required]
                if (free and child in constant) or constant & set(free):
                    continue
                if self.max_parents is not None and len(parents) > self.max_parents:
                    continue
                value = slow_family_score(self.data, child, parents, self.score, modular, self.states)
                if value > -math.inf:
                    lists[child].append((value, parents))
        return FamilyTable.from_lists(lists, made=_WHOLE)

    def rounding(self, score: float) -> float:
        """The largest difference of a score from the formula: the tolerance and the cancellation in sums of n log n."""
        if score == -math.inf:
            return 0.0
        weight = self.data.total_weight
        return max(tolerance(score), 1e-15 * weight * math.log(weight + 2) * self.data.n_variables)

    def networks(self) -> list[tuple[DAG, float]]:
        """All networks that the options allow, with their scores."""
        names, scores = self.data.variables, all_scores(self.families()).tolist()
        listed = zip(brute.all_dags(len(names)), scores, strict=True)
        dags = [(named_dag(names, arcs), score) for arcs, score in listed if score > -math.inf]
        return [(dag, score) for dag, score in dags if not self.knowledge.violations(dag)]


def named_dag(names: tuple[str, ...], arcs: brute.Arcs) -> DAG:
    return DAG(names, [(names[tail], names[head]) for tail, head in arcs])


@st.composite
def problems(
    draw: st.DrawFn, *, rules: bool = True, of_networks: bool = False, most: int = 5, huge: bool = True
) -> Problem:
    """Any data, score and prior; rules on parents, and of_networks those that only some methods honour."""
    data = draw(odd_tables(most=most, huge=huge))
    score = draw(scores_for(data))
    kinds: list[States] = ["declared"] if isinstance(score, BDe) else ["declared", "observed"]
    knowledge = Knowledge()
    if rules and draw(st.booleans()):
        knowledge = draw(knowledge_of(data.variables, of_networks=of_networks and draw(st.booleans())))
    max_parents = draw(st.sampled_from([None, None, 0, 1, 2, 3]))
    return Problem(data, score, draw(priors_for(data)), knowledge, max_parents, draw(st.sampled_from(kinds)))


@st.composite
def odd_tables(draw: st.DrawFn, *, most: int = 5, huge: bool = True) -> Dataset:
    """Columns that are random, constant, a copy of another with other labels, or a noisy function of others.

    With huge weights, scores are so large that their rounding shows in probabilities.
    """
    n = min(draw(st.sampled_from([1, 2, 3, 3, 4, 4, 4, 5])), most)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.sampled_from([0, 1, 2, 5, 12, 40, 150]))
    codes = np.zeros((n_rows, n), dtype=np.int64)
    sizes = np.ones(n, dtype=np.int64)
    for at in range(n):
        kind = draw(st.sampled_from(["random", "random", "constant", "copy", "function", "function"]))
        sizes[at] = 1 if kind == "constant" else draw(st.integers(2, 4))
        if kind == "copy" and at:
            sizes[at] = sizes[at - 1]
            codes[:, at] = rng.permutation(sizes[at])[codes[:, at - 1]]
        elif kind == "function" and at:
            noise = rng.random(n_rows) < 0.1
            mixed = codes[:, rng.permutation(at)[:2]].sum(axis=1) % sizes[at]
            codes[:, at] = np.where(noise, rng.integers(0, sizes[at], n_rows), mixed)
        else:
            codes[:, at] = rng.integers(0, sizes[at], n_rows)
    unused = [draw(st.sampled_from([0, 0, 1])) for _ in range(n)]
    names = draw(st.sampled_from([PLAIN_NAMES, PLAIN_NAMES, PLAIN_NAMES, ODD_NAMES]))
    states = {names[at]: [str(k) for k in range(size + unused[at])] for at, size in enumerate(sizes.tolist())}
    return Dataset(states, codes, weights=draw(weights_for(n_rows, huge=huge)))


@st.composite
def weights_for(draw: st.DrawFn, n_rows: int, *, huge: bool = True) -> NDArray[np.float64] | None:
    """Mostly none; else whole, fractional or huge numbers, zeros among them."""
    kinds = [None, None, None, [0, 1, 2, 7], [0.0, 0.25, 1.5, 1e-3], *([[0, 1, 1_000_000]] if huge else [])]
    values = draw(st.sampled_from(kinds))
    if values is None:
        return None
    return np.array(draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows)), dtype=float)


@st.composite
def scores_for(draw: st.DrawFn, data: Dataset) -> Score:
    """Any score that is defined for the weights; now and then with an extreme equivalent sample size."""
    are_whole = data.weights is None or bool(np.all(data.weights == np.floor(data.weights)))
    are_small = data.weights is None or bool(np.all(data.weights < 100))
    usual = [score for score in CORE_SCORES if (are_whole and are_small) or not isinstance(score, fNML | qNML)]
    if data.total_weight == 0:  # A weight of 0 has no log.
        usual = [score for score in usual if not isinstance(score, BIC | MDL)]
    kind = draw(st.sampled_from(["usual", "usual", "usual", "extreme", "network"]))
    if kind == "extreme" and are_whole and are_small:  # The formula is exact only for small whole counts.
        ess = draw(st.sampled_from(EXTREME_ESS))
        extreme: list[Score] = [BDeu(ess), BDs(ess)]
        return draw(st.sampled_from(extreme))
    if kind == "network":
        return draw(prior_networks(data, sparse=draw(st.booleans())))
    return draw(st.sampled_from(usual))


@st.composite
def priors_for(draw: st.DrawFn, data: Dataset) -> Prior:
    limits: int | dict[str, int] = {name: draw(st.integers(0, 3)) for name in data.variables}
    if "*" in data.variables:  # The name "*" stands for all variables that are not named.
        limits = draw(st.integers(0, 3))
    expert = credenet.random.dag(list(data.variables), max_parents=2, seed=draw(st.integers(0, 99)))
    usual = [prior for prior in PRIORS if data.total_weight >= 1 or not isinstance(prior, DataPrior)]
    own: list[Prior] = [InDegree(limits), Expert(expert, 0.1), Expert(expert, 1e-9)]
    return draw(st.sampled_from([Uniform(), Uniform(), *usual, *own]))


@st.composite
def knowledge_of(draw: st.DrawFn, names: tuple[str, ...], *, of_networks: bool) -> Knowledge:
    """One to three rules, which may leave no network; rules that contradict each other openly are drawn again."""
    if len(names) < 2:
        return Knowledge(max_parents=0)
    edges = st.lists(st.sampled_from(list(permutations(names, 2))), min_size=1, max_size=3, unique=True)
    pairs = st.lists(st.sampled_from(list(combinations(names, 2))), min_size=1, max_size=2, unique=True)
    number = st.integers(0, len(names))
    rules: dict[str, st.SearchStrategy[Any]] = {
        "required": edges,
        "forbidden": edges,
        "tiers": st.permutations(names).map(lambda order: [order[:1], order[1:]]),
        "order": st.permutations(names),
        "not_adjacent": pairs,
        "max_parents": st.integers(0, 3),
    }
    if "*" in names:  # In tiers it stands for the variables that are not named.
        del rules["tiers"]
    if of_networks:
        rules |= {
            "adjacent": pairs,
            "ancestral": edges,
            "not_ancestral": edges,
            "min_edges": number,
            "max_edges": number,
            "min_roots": number,
            "max_roots": st.integers(1, len(names)),
            "no_immoralities": st.just(True),
            "independences": pairs,
        }
        if len(names) > 2:
            triple = st.permutations(names).map(lambda order: tuple(order[:3]))
            rules["forbidden_immoralities"] = st.lists(triple, min_size=1, max_size=2)
    for _ in range(20):
        kinds = draw(st.lists(st.sampled_from(sorted(rules)), min_size=1, max_size=3, unique=True))
        try:
            return Knowledge(**{kind: draw(rules[kind]) for kind in kinds})
        except KnowledgeError:
            continue
    return Knowledge()


@contextmanager
def cut_short(draw: Draw) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Options that end a call early at a random poll, and the status that it may have then.

    The clock is moved by hand, so that nothing waits; Ctrl-C and the answer of the callback come at a poll, too.
    """
    kind = draw(st.sampled_from(["none", "memory_limit", "callback", "ctrl_c", "clock"]))
    at = draw(st.sampled_from([1, 2, 3, 5, 8, 20, 60]))
    if kind == "none":
        yield None, {}
        return
    if kind == "memory_limit":
        yield "memory_limit", {"memory_limit": draw(st.sampled_from([1.0, 300.0, 1e3, 3e3, 1e4, 1e5, 1e6]))}
        return
    with ExitStack() as stack:
        stack.enter_context(every_poll())
        polls: Polls
        if kind == "clock":
            polls = stack.enter_context(TimeByHand(at).set())
            yield "time_limit", {"time_limit": 60.0, "on_progress": polls}
        else:
            polls = Stop(at) if kind == "callback" else CtrlC(at)
            yield "stopped", {"on_progress": polls}


def check_refusal(error: CredenetError, *, is_feasible: bool) -> None:
    """A call may refuse too little memory, or knowledge that no network obeys; all else is a fault."""
    if isinstance(error, KnowledgeError) and not is_feasible:
        return
    if isinstance(error, ArgumentError) and "memory" in str(error):
        return
    raise error


def arcs_of(dag: DAG) -> brute.Arcs:
    """The arcs of a DAG by position."""
    return frozenset((parent, child) for child, several in enumerate(dag.parent_indices) for parent in several)
