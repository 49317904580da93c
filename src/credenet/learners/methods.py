"""The learner of each method: one table from the settings of a method to what it runs.

Learning with bounded tree-width is imported only when it is chosen, as it loads HiGHS.
"""

from __future__ import annotations

from functools import singledispatch

from credenet._run.run import Run
from credenet.errors import ArgumentError
from credenet.learners.automatic import learn_automatically
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.constraint_based.learning import learn_by_tests
from credenet.learners.constraint_based.max_min import max_min_hill_climb
from credenet.learners.constraint_based.test_choice import with_chosen_test
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult
from credenet.learners.score_based import learn_by_score
from credenet.learners.trees import chow_liu
from credenet.settings.choices import Settings
from credenet.settings.method_bases import BaseMethod, BoundedTreeWidth, Climb, ConstraintBased, ScoreBased
from credenet.settings.methods import MMHC, Auto, ChowLiu, OrderSearch


@singledispatch
def learn_with(method: BaseMethod, problem: LearningProblem, run: Run) -> LearnResult:
    """The network that a method finds."""
    raise NotImplementedError(f"no learner is registered for {type(method).__name__}")


learn_with.register(ScoreBased, learn_by_score)
learn_with.register(ConstraintBased, with_chosen_test(learn_by_tests))
learn_with.register(ChowLiu, chow_liu)
learn_with.register(MMHC, with_chosen_test(max_min_hill_climb))


@learn_with.register(Auto)
def _auto(method: Auto, problem: LearningProblem, run: Run) -> LearnResult:
    if problem.tree_width is not None:
        return _learn_bounded(method, problem, run)
    return learn_automatically(method, problem, run) if problem.has_data else learn_by_score(method, problem, run)


@learn_with.register(OrderSearch)
def _order_search(method: OrderSearch, problem: LearningProblem, run: Run) -> LearnResult:
    if method.iterations == 0:
        _check_ends(method, run)
    return learn_by_score(method, problem, run)


@learn_with.register(Climb)
def _climb(method: Climb, problem: LearningProblem, run: Run) -> LearnResult:
    return climb_data(method, problem, run) if problem.has_data else learn_by_score(method, problem, run)


@learn_with.register(BoundedTreeWidth)
def _learn_narrow(method: BoundedTreeWidth, problem: LearningProblem, run: Run) -> LearnResult:
    if method.iterations == 0:
        _check_ends(method, run)
    return _learn_bounded(method, problem, run)


def _learn_bounded(method: BoundedTreeWidth | Auto, problem: LearningProblem, run: Run) -> LearnResult:
    from credenet.learners.tree_width.bounded_learning import learn_bounded

    return learn_bounded(method, problem, run)


def _check_ends(method: Settings, run: Run) -> None:
    """Refuses a search that would never end."""
    if run.clock.time_limit is None and run.on_progress is None:
        raise ArgumentError(f"{type(method).__name__}(iterations=0) runs until it is stopped; give a time_limit")
