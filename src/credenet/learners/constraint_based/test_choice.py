"""The setting of the Bayes-factor test for some data: the one by which a method finds the best network.

No setting is best for all networks and numbers of rows (``benchmarks/reports/test_setting.md``). A marginal likelihood
of tables does not tell which one is: it asks how the probabilities of a table are spread, while a test errs by the
edges that it keeps or drops. So the method learns a network by each setting of a short list, and BIC, which has no such
setting, judges these networks. The prior `Fair` weighs that of many possible edges some pass their tests by chance.
The cost is that of learning from at most `MOST_ROWS` rows once for each setting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from credenet._run.run import Run
from credenet._text import count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.scoring.core_scoring import MOST_VARIABLES
from credenet.families.scoring.graph_score import score
from credenet.learners.constraint_based.learning import learn_by_tests
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult
from credenet.settings.method_bases import ConstraintBased
from credenet.settings.methods import MMHC, PC
from credenet.settings.priors import Fair
from credenet.settings.scores import BIC
from credenet.settings.tests import BayesFactor, chooses_setting

SETTINGS: tuple[dict[str, float], ...] = (
    {"pseudo_count": 0.5},
    {"pseudo_count": 0.25},
    {"pseudo_count": 0.1},
    {"pseudo_count": 1.0},
    {"ess": 1.0},
    {"ess": 2.0},
)
"""The settings that are tried. Of equally good ones the first is taken, so the default comes first."""
MOST_ROWS = 10_000  # Rows that the networks of the settings are learned from, at most.
CHOICE_SHARE = 0.5  # Share of the time for the choice, if there is a time limit.

M = TypeVar("M", ConstraintBased, MMHC)


def with_chosen_test(learner: Callable[[M, LearningProblem, Run], LearnResult]) -> Callable[..., LearnResult]:
    """The learner with a test whose setting is chosen before, if the test says ``setting="auto"``."""

    def learn(method: M, problem: LearningProblem, run: Run) -> LearnResult:
        test = problem.test
        if test is None or not chooses_setting(test):
            return learner(method, problem, run)
        scores = score_settings(method, test, problem, run)
        chosen = max(scores, key=lambda each: scores[each], default=replace(test, setting="given"))
        result = learner(method, replace(problem, test=chosen), run)
        made = replace(
            result.provenance.with_reason(_explain(chosen, scores)),
            test_scores={str(each): value for each, value in scores.items()},
        )
        return replace(result, provenance=made)

    return learn


def score_settings(
    method: ConstraintBased | MMHC, asked: BayesFactor, problem: LearningProblem, run: Run
) -> dict[BayesFactor, float]:
    """The score of the network that the method finds by each setting; those that did not end in time are left out."""
    if problem.data.n_variables > MOST_VARIABLES:
        raise ArgumentError(
            f"setting='auto' compares networks of at most {MOST_VARIABLES:,} variables, got "
            f"{problem.data.n_variables:,}; give pseudo_count or ess"
        )
    no_search: dict[str, Any] = {"then": None}
    # The climb of MMHC would hide what the tests keep; PC shows it.
    plain = PC(max_order=method.max_order) if isinstance(method, MMHC) else replace(method, **no_search)
    data = _some_rows(problem.data)
    if not data.total_weight:
        return {}
    limited = run.end_within(share=CHOICE_SHARE)
    scores: dict[BayesFactor, float] = {}
    for place, setting in enumerate(SETTINGS):
        test = replace(asked, setting="given", **setting)
        turn = limited.end_within(share=1 / (len(SETTINGS) - place))
        found = learn_by_tests(plain, replace(problem, source=data, test=test), turn)
        if found.status == "stopped":  # By a callback or Ctrl-C, which hold for the learner, too.
            run.stop.is_asked = True
            break
        if found.status == "complete":
            scores[test] = score(
                data, found.dag, score=BIC(), prior=Fair(), states=problem.tested_states, n_threads=run.n_threads
            ).total
    return scores


def _some_rows(data: Dataset) -> Dataset:
    """At most `MOST_ROWS` of the rows, evenly spaced; all rows where they are counted elsewhere."""
    if len(data) <= MOST_ROWS or data._is_elsewhere:
        return data
    return data.take(np.linspace(0, len(data) - 1, MOST_ROWS).astype(np.int64))


def _explain(chosen: BayesFactor, scores: dict[BayesFactor, float]) -> str:
    """Why the test has its setting."""
    if not scores:
        return f"{chosen} is the default, as no setting could be tried in time"
    others = sorted(scores.values(), reverse=True)[1:2]
    ahead = f", {scores[chosen] - others[0]:.4g} above the next" if others else ""
    return (
        f"{chosen} is the one of {count(len(scores), 'setting')} whose network has the highest BIC, prior fair{ahead}"
    )
