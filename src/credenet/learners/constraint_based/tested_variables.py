"""The variables, the test and the rules of a constraint-based learner, and its output with the user's names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.graphs import DAG, PDAG
from credenet.graphs._base import IndexArray
from credenet.independence.judging import IndependenceResult, judge_of, results_of
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.pair_memory import check_pairs_fit
from credenet.learners.problem import LearningProblem
from credenet.settings.method_bases import MethodAbilities
from credenet.settings.tests import DataTest, Test, as_test

_PAIR_BYTES = {"pc": 200, "rai": 500, "mmhc": 500}  # Bytes per pair of variables, by method; upper estimates.
_FORBIDDEN, _ALLOWED, _REQUIRED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class TestedVariables:
    """The variables that can have edges, in alphabetical order, the judge of independence, and the rules on edges."""

    variables: tuple[str, ...]
    test: Test
    judge: _core.Judge
    rules: NDArray[np.uint8]
    """One number for each pair (tail, head), tail by tail: forbidden, allowed or required."""
    isolated: tuple[str, ...]

    @classmethod
    def from_problem(cls, method: MethodAbilities, problem: LearningProblem, run: Run) -> TestedVariables:
        """The variables of a problem; a test on data leaves out those with one state and no required edges."""
        data, test, known = problem.data, as_test(problem.test), problem.knowledge or Knowledge()
        check_pairs_fit(data, method.short_name, _PAIR_BYTES[method.short_name], run.memory)
        allowed = known.allowed(data.variables)
        constant = set(data.info().constant) if isinstance(test, DataTest) else set()
        isolated = constant - {name for edge in known.required for name in edge}
        variables = tuple(sorted(set(data.variables) - isolated))
        positions = {name: at for at, name in enumerate(variables)}
        column = {name: at for at, name in enumerate(data.variables)}
        order = [column[name] for name in variables]
        rules = np.where(allowed.possible[np.ix_(order, order)].T, _ALLOWED, _FORBIDDEN).astype(np.uint8)
        for head, place in enumerate(order):
            for parent in allowed.required[place]:
                rules[positions[data.variables[parent]], head] = _REQUIRED
        judge = judge_of(test, data, variables, states=problem.tested_states, n_threads=run.n_threads)
        return cls(
            variables, test, judge, rules.reshape(-1), tuple(name for name in data.variables if name in isolated)
        )

    @property
    def can_refuse(self) -> bool:
        """Whether the test refuses questions for which there are too few rows."""
        return isinstance(self.test, DataTest) and self.test.min_rows_per_cell > 0

    def n_tested_edges(self, graph: PDAG) -> int:
        """The number of edges that are not required, so that tests could have removed them."""
        n = len(self.variables)
        required = (self.rules == _REQUIRED).reshape(n, n)
        return graph.n_edges - int(np.triu(required | required.T).sum())

    def largest_order(self, asked: int | None) -> int:
        """The size of the largest conditioning set."""
        return len(self.variables) if asked is None else min(asked, len(self.variables))

    def pairs(self, start: DAG | PDAG | None) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The adjacent pairs of ``start``; all pairs if there is no start."""
        n = len(self.variables)
        if start is None:
            first, second = np.triu_indices(n, 1)
            return first.astype(np.int32), second.astype(np.int32)
        place = {name: at for at, name in enumerate(self.variables)}
        known = set(place) | set(self.isolated)
        for name in start.variables:
            if name not in known:
                raise ArgumentError(f"start has the variable {name!r}, which the data do not have")
        pairs = np.array([(place[a], place[b]) for a, b in start.edges if a in place and b in place], dtype=np.int32)
        first, second = np.sort(pairs.reshape(-1, 2), axis=1).T
        return np.ascontiguousarray(first), np.ascontiguousarray(second)

    def graph(self, data: Dataset, directed: IndexArray, undirected: IndexArray) -> PDAG:
        """The graph with the edges found, over all variables of the data in their order."""
        positions = {name: at for at, name in enumerate(data.variables)}
        place = np.array([positions[name] for name in self.variables], dtype=np.int32)
        return PDAG.from_indices(data.variables, place[directed], place[undirected])

    def strengths(
        self, questions: Sequence[tuple[int, int, Sequence[int]]], callback: CoreCallback
    ) -> tuple[IndependenceResult, ...]:
        """The results of a test on data for some questions; none if it was stopped."""
        if not isinstance(self.test, DataTest) or not isinstance(self.judge, _core.CountJudge):
            return ()
        return tuple(results_of(self.judge, self.test, self.variables, questions, callback))

    def conflict(self, kind: str, a: int, child: int, b: int) -> str:
        """A sentence on a contradiction between tests, or between tests and knowledge."""
        first, middle, second = (repr(self.variables[at]) for at in (a, child, b))
        collider = f"{first} -> {middle} <- {second}"
        return {
            "opposed": f"{collider} was given up: one of its edges is directed the other way",
            "cycle": f"{collider} was given up: it would close a cycle",
            "unlisted": f"{collider} was added, though the tests deny it, so that the graph extends to a DAG",
            "no_arc": f"the edge between {first} and {second} was given up: the knowledge leaves it no direction",
        }[kind]
