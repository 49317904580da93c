"""The networks that a posterior covers: all networks, or only those of the scored families."""

from __future__ import annotations

import math

import numpy as np

from credenet._run.run import Run
from credenet._run.status import Status
from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.problem import LearningProblem
from credenet.learners.score_based import scoring_limit


def leaves_out_families(made: FamilyTableInfo) -> bool:
    """Whether a table is known to lack families, which were not scored or pruned with some slack."""
    return made.complete is False or (made.slack is not None and made.slack < math.inf)


def find_unscored_limit(problem: LearningProblem, made: FamilyTableInfo, run: Run) -> Status | None:
    """The limit that ended the scoring of families; None if no family is known to be missing."""
    if made.complete is not False:
        return None
    return scoring_limit(made.status, run) if problem.has_data else "iteration_limit"


def whole_levels(families: FamilyTable, knowledge: Knowledge | None) -> FamilyTable | None:
    """The families up to the largest number of parents for which all were scored; None if there is no such number.

    Scoring that ends early has scored larger sets of some variables only. A posterior over these would favour the edges
    of those variables.
    """
    made = families.made
    if made.complete is not False:
        return families
    flat = families.flat()
    required = (knowledge or Knowledge()).allowed(families.variables).required
    added = flat.sizes - np.array([len(parents) for parents in required], dtype=np.int64)[flat.children]
    if not made.max_parents or (np.diff(flat.starts) == 0).any():
        return None
    return families.filter(added <= made.max_parents)
