"""Chow-Liu trees: the network of maximum likelihood in which each variable has at most one parent.

If knowledge restricts the directions of edges, a maximum spanning tree is not enough. Then the maximum branching over
the mutual information of all pairs is found by the algorithm of Chu, Liu and Edmonds.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.scoring.core_scoring import check_data, core_families
from credenet.families.scoring.graph_score import score
from credenet.graphs import DAG
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Statistics
from credenet.settings.methods import ChowLiu
from credenet.settings.scores import LogLikelihood

Weights = NDArray[np.float64]


def chow_liu(method: ChowLiu, problem: LearningProblem, run: Run) -> LearnResult:
    """The tree of maximum likelihood that the knowledge allows, with its score."""
    data, (scored, prior) = problem.data, problem.scoring
    check_data(data)
    if not prior.is_modular:
        raise ArgumentError("chow_liu maximises the likelihood, whatever the prior; SSP is for the other methods")
    if method.root is not None and method.root not in data.variables:
        raise ArgumentError(f"root is {method.root!r}, which is not in the data")
    parents: list[list[int]] = [[] for _ in data.variables]
    status: CoreStatus = "complete"
    if data.n_variables and problem.max_parents != 0:
        may, must = _find_allowed_edges(data, problem.knowledge)
        if (may == may.T).all() and not must.any():
            status, found = _tree(data, method, may, run)
        else:
            found = _direct(data, method, may, must, run)
        parents = [[parent] if parent >= 0 else [] for parent in found]
    dag = DAG.from_indices(data.variables, parents)
    states, n_threads = problem.scored_states, run.n_threads
    total = score(data, dag, score=scored, prior=prior, states=states, n_threads=n_threads).total
    return LearnResult(
        graph=dag,
        score=total if math.isfinite(total) else None,
        bound=None,
        status=run.status_of(status),
        statistics=Statistics(seconds=run.clock.seconds_passed),
        provenance=problem.provenance(method, run, replace(problem.info(), max_parents=1)),
        isolated=data.info().constant,
    )


def _find_allowed_edges(data: Dataset, knowledge: Knowledge | None) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two matrices (parent, child): the allowed edges and the required edges."""
    n = data.n_variables
    rules = (knowledge or Knowledge()).allowed(data.variables)
    constant = [data.index(name) for name in data.info().constant]
    may = rules.possible.T & (np.array(rules.max_parents) > 0)
    may[constant, :] = may[:, constant] = False
    must = np.zeros((n, n), dtype=np.bool_)
    for child in range(n):
        if len(rules.required[child]) > 1:
            raise KnowledgeError(f"{data.variables[child]!r} must have several parents, which no tree can give it")
        for parent in rules.required[child]:
            may[:, child] = False
            may[parent, child] = must[parent, child] = True
    return may, must


def _tree(data: Dataset, method: ChowLiu, may: NDArray[np.bool_], run: Run) -> tuple[CoreStatus, list[int]]:
    root = 0 if method.root is None else data.index(method.root)
    allowed = may.astype(np.uint8).reshape(-1)
    status, parents, _ = _core.chow_liu(data._count_source(), root, allowed, run.n_threads, run.callback())
    return status, parents.tolist()


def _direct(data: Dataset, method: ChowLiu, may: NDArray[np.bool_], must: NDArray[np.bool_], run: Run) -> list[int]:
    n = data.n_variables
    factors = _core.SizeFactors(np.zeros(2))
    rules = [_core.ChildRules([], np.flatnonzero(may[:, k]).astype(np.uint16), 1, factors, [], 0.0) for k in range(n)]
    options = _core.FamilyOptions(slack=0.0, prune=False, tolerance=0.0, max_bytes=0, n_threads=run.n_threads)
    gains = np.full((n, n), -math.inf)
    for child, (scores, offsets, parents) in enumerate(
        core_families(data, LogLikelihood(), rules, options, None).families
    ):
        sizes = np.diff(offsets)
        gains[parents, child] = scores[sizes == 1] - scores[sizes == 0]
    gains[must] += 1 + np.abs(gains[np.isfinite(gains)]).sum()
    if method.root is not None:
        gains[:, data.index(method.root)] = -math.inf
    return maximum_branching(gains)


def maximum_branching(gains: Weights) -> list[int]:
    """The maximum branching: the parent of each variable, -1 for none, with the largest sum of gains without a cycle.

    ``gains[p, c]`` is the gain of the edge from p to c, minus infinity if it is forbidden; no parent has a gain of 0.
    Edmonds (1967): each variable takes its best parent. A cycle is contracted to one variable; the gain of an edge into
    it is reduced by the gain of the edge that it replaces. In the end cycles are expanded again.
    """
    n = len(gains)
    best = np.where(np.eye(n, dtype=np.bool_), -math.inf, gains)
    parents = np.argmax(best, axis=0) if n else np.zeros(0, dtype=np.int64)
    value = best[parents, np.arange(n)]
    chosen = [int(parent) if gain > 0 else -1 for parent, gain in zip(parents, value, strict=True)]
    cycle = _cycle_of(chosen)
    if not cycle:
        return chosen
    inside = np.zeros(n, dtype=np.bool_)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    members = np.array(cycle)
    size = len(outside)
    smaller = np.full((size + 1, size + 1), -math.inf)
    smaller[:size, :size] = best[np.ix_(outside, outside)]
    leaving = best[np.ix_(members, outside)]
    smaller[size, :size] = leaving.max(axis=0)
    # For every outside variable and member: the gain of the cycle if it is entered there.
    kept = value[members].sum()
    entering = best[np.ix_(outside, members)] - value[members] + kept
    # If no edge enters the cycle, the cycle loses its edge of least gain.
    alone = kept - value[members].min()
    smaller[:size, size] = entering.max(axis=1, initial=-math.inf) - alone
    below = maximum_branching(smaller)
    result = [-1] * n
    for place, parent in enumerate(below[:size]):
        if parent >= 0:
            child = int(outside[place])
            result[child] = int(members[np.argmax(leaving[:, place])]) if parent == size else int(outside[parent])
    for member in cycle:
        result[member] = chosen[member]
    if below[size] >= 0:
        entered = int(members[np.argmax(entering[below[size]])])
        result[entered] = int(outside[below[size]])
    else:
        result[int(members[np.argmin(value[members])])] = -1
    return result


def _cycle_of(parents: list[int]) -> list[int]:
    """The members of a cycle; empty if there is none."""
    state = [0] * len(parents)
    for start in range(len(parents)):
        path, at = [], start
        while at >= 0 and state[at] == 0:
            state[at] = 1
            path.append(at)
            at = parents[at]
        if at >= 0 and state[at] == 1:
            return path[path.index(at) :]
        for member in path:
            state[member] = 2
    return []
