"""Best-first scoring of families in steps, for data with too many variables to score all families."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.families.scoring.calls import table_info
from credenet.families.scoring.child_rules import child_rules
from credenet.families.scoring.core_scoring import check_scorable, data_tolerance, drop_unobserved_states, family_scorer
from credenet.families.table import FamilyTable

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.dataset import Dataset
    from credenet.graphs import DAG
    from credenet.knowledge.knowledge import Knowledge
    from credenet.settings.priors import Prior
    from credenet.settings.scores import Score


class FamilyExplorer:
    """Scores the most promising families first, as `score_families(search="best_first")` does, and can be continued."""

    def __init__(
        self,
        data: Dataset,
        score: Score,
        prior: Prior,
        knowledge: Knowledge | None,
        max_parents: int | None,
        states: States,
        run: Run,
    ) -> None:
        check_scorable(data)
        used = data if states == "declared" else drop_unobserved_states(data)
        rules = child_rules(data, prior, knowledge, max_parents, None)
        options = _core.FamilyOptions(
            slack=0.0,
            prune=True,
            tolerance=data_tolerance(used),
            max_bytes=max(int(run.memory / 2), 1),
            n_threads=run.n_threads,
        )
        self._core = _core.FamilyExplorer(family_scorer(score, used), rules, options, 0)
        self._data = data
        made = table_info(data, score, prior, knowledge, states)
        self._made = replace(made, slack=0.0, max_parents=max_parents)

    def explore(self, callback: CoreCallback) -> CoreStatus:
        """Scores further families of all variables until the callback stops it or no family is left."""
        return self._core.explore(callback)

    def explore_near(self, network: DAG, n_further: int, callback: CoreCallback) -> CoreStatus:
        """Scores the parent sets of a network and those that differ from them in one or two parents.

        A set is extended by its ``n_further`` most promising variables only.
        """
        parents = [list(several) for several in network.parent_indices]
        return self._core.explore_near(parents, n_further, callback)

    def table(self) -> FamilyTable:
        """The families scored so far; the table is complete if no other family can be in a best network."""
        families, evaluated, _, status, _ = self._core.families()
        made = replace(self._made, complete=status == "complete", status=status, evaluated=evaluated)
        return FamilyTable(self._data.variables, families, made=made)
