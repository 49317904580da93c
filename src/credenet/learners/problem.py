"""The learning problem: data or families, score and prior or test, and the rules that a network must obey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import credenet
from credenet._arguments import one_of, whole_number
from credenet._run.run import Run
from credenet._text import byte_count, large
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, GraphError, KnowledgeError
from credenet.families.info import FamilyTableInfo
from credenet.families.nested_penalties import check_countable
from credenet.families.restriction import check_options, restrict_families
from credenet.families.scoring.calls import score_families
from credenet.families.scoring.child_rules import child_rules, n_families
from credenet.families.scoring.core_scoring import BYTES_PER_FAMILY, check_scorable
from credenet.families.sources import add_constant_rule, as_source
from credenet.families.table import FamilyTable
from credenet.graphs import DAG, TreeDecomposition
from credenet.knowledge.kinds import global_kinds
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.results import Provenance
from credenet.search.support import check_supported
from credenet.settings.method_bases import MethodAbilities
from credenet.settings.methods import METHODS
from credenet.settings.priors import PRIORS, Prior, Uniform
from credenet.settings.scores import SCORES, Score, score_from
from credenet.settings.tests import Test, as_test

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.sources import DataLike

Cliques = Sequence[Sequence[str]] | TreeDecomposition
"""The cliques that a network must lie within."""


@dataclass(frozen=True, slots=True)
class LearningProblem:
    """The input of one call of a learner, checked.

    A family table is restricted to the knowledge and to ``max_parents``; score and prior are then those recorded in the
    table. Both are None if they are not known, or if no score is used.
    """

    source: Dataset | FamilyTable
    score: Score | None
    prior: Prior | None
    knowledge: Knowledge | None
    max_parents: int | None
    states: States | None
    test: Test | None
    tree_width: int | None = None
    cliques: TreeDecomposition | None = None

    @classmethod
    def from_arguments(
        cls,
        source: DataLike | FamilyTable,
        method: MethodAbilities,
        *,
        score: Score | str | None = None,
        ess: float | None = None,
        prior: Prior | str | None = None,
        knowledge: Knowledge | None = None,
        order: Sequence[str] | None = None,
        max_parents: int | None = None,
        states: States | None = None,
        isolate_constant: bool = True,
        test: Test | str | None = None,
        tree_width: int | None = None,
        cliques: Cliques | None = None,
    ) -> LearningProblem:
        """The problem of a user's arguments, checked for the method; the default is BDeu with a uniform prior."""
        source = as_source(source)
        knowledge = add_constant_rule(knowledge, isolate_constant)
        if max_parents is not None:
            max_parents = whole_number("max_parents", max_parents)
        if states is not None:
            one_of("states", states, ("declared", "observed"))
        if order is not None:
            knowledge = (knowledge or Knowledge()).combine(Knowledge(order=order))
        check_supported(knowledge, method)
        scoring = {"score": score, "ess": ess, "prior": prior, "max_parents": max_parents}
        _check_uses(source, method, test, scoring)
        width, within = _tree_width(source, method, tree_width, cliques)
        tested = None if test is None else as_test(test)
        if not method.takes_score:
            return cls(source, None, None, knowledge, None, states, tested)
        modular = None if prior is None else PRIORS.get(prior)
        if modular is not None:
            check_countable(modular, len(source.variables))
        if width is not None:
            _check_rules_on_families(knowledge)
        if isinstance(source, Dataset):
            scored = score_from("bdeu" if score is None else score, ess=ess)
            return cls(source, scored, modular or Uniform(), knowledge, max_parents, states, tested, width, within)
        asked = _asked_score(source, score, ess)
        check_options(source, asked, modular, states, max_parents)
        families, known = restrict_families(source, knowledge)
        check_supported(known, method)
        if width is not None:
            _check_rules_on_families(known)
        if max_parents is not None:
            families = families.restrict(max_parents=max_parents)
        made = families.made
        return cls(
            families,
            asked or SCORES.parse(made.score),
            modular or PRIORS.parse(made.prior),
            known,
            made.max_parents,
            made.states,
            tested,
            width,
            within,
        )

    @property
    def has_data(self) -> bool:
        """Whether the source is data, not a family table."""
        return isinstance(self.source, Dataset)

    @property
    def data(self) -> Dataset:
        """The data, for methods that need data."""
        assert isinstance(self.source, Dataset)
        return self.source

    @property
    def scoring(self) -> tuple[Score, Prior]:
        """The score and the prior for data."""
        assert self.score is not None
        assert self.prior is not None
        return self.score, self.prior

    @property
    def scored_states(self) -> States:
        """Which states a score counts."""
        return self.states or "declared"

    @property
    def tested_states(self) -> States:
        """Which states a test of independence counts."""
        return self.states or "observed"

    def families(self, run: Run, slack: float = 0.0, *, up_to_parents: int | None = None) -> FamilyTable:
        """The given family table, or the families of the data, scored in at most half of the time left.

        With ``up_to_parents`` larger sets are bounded, not scored.
        """
        if isinstance(self.source, FamilyTable):
            return self.source
        check_scorable(self.source)
        self._check_unpruned(run)
        score, prior = self.scoring
        return score_families(
            self.source,
            score=score,
            prior=prior.modular_part(),
            knowledge=self.knowledge,
            max_parents=self.max_parents,
            up_to_parents=up_to_parents,
            states=self.scored_states,
            slack=slack,
            time_limit=run.clock.limit(1 / 2),
            memory_limit=run.memory,
            n_threads=run.n_threads,
            on_progress=run.inner_progress,
        )

    def _check_unpruned(self, run: Run) -> None:
        """Raises an error if the knowledge forbids pruning and all families do not fit into memory."""
        if self.knowledge is None or not self.knowledge.makes_subset_pruning_unsafe:
            return
        number = n_families(child_rules(self.data, Uniform(), self.knowledge, self.max_parents, None))
        needed = number * BYTES_PER_FAMILY
        if needed > run.memory:
            raise ArgumentError(
                f"the knowledge lets no family be pruned, and all {large(number)} take {byte_count(needed)}, the "
                f"memory limit is {byte_count(run.memory)}; give a smaller max_parents"
            )

    def info(self) -> FamilyTableInfo:
        """The info of families that are scored from data with the options of the problem."""
        return FamilyTableInfo(
            score=None if self.score is None else str(self.score),
            prior=None if self.prior is None else str(self.prior),
            max_parents=self.max_parents,
            n_rows=self.data.total_weight,
            states=self.scored_states if self.score is not None else self.tested_states,
            data_digest=self.data.digest(),
            version=None if self.score is None else credenet.__version__,
        )

    def provenance(
        self, method: MethodAbilities, run: Run, made: FamilyTableInfo | None = None, *, reason: str = ""
    ) -> Provenance:
        """The provenance of a result of a method, from families described by ``made``."""
        made = self.info() if made is None else made
        return Provenance(
            method=str(method),
            reason=reason,
            score=self.score,
            prior=self.prior,
            score_name=made.score,
            prior_name=made.prior if self.prior is None or self.prior.is_modular else str(self.prior),
            states=made.states,
            max_parents=made.max_parents,
            tree_width=self.tree_width,
            cliques=self.cliques,
            knowledge=self.knowledge,
            complete=made.complete,
            n_rows=made.n_rows,
            data_digest=made.data_digest,
            seed=run.seed,
            version=credenet.__version__,
            scoring_version=made.version,
        )


def _check_uses(
    source: Dataset | FamilyTable, method: MethodAbilities, test: object, scoring: Mapping[str, object]
) -> None:
    """Refuses arguments that the method does not use, and a family table if the method needs data."""
    name = method.short_name
    if method.needs is not None and isinstance(source, FamilyTable):
        raise ArgumentError(f"{name} needs {method.needs}")
    unused = [option for option, value in scoring.items() if value is not None]
    if unused and not method.takes_score:
        raise ArgumentError(f"{name} uses tests of independence alone; it has no {unused[0]}")
    if test is not None and not method.uses_test:
        raise ArgumentError(f"{name} uses a score, not a test of independence")


def _tree_width(
    source: Dataset | FamilyTable, method: MethodAbilities, tree_width: int | None, cliques: Cliques | None
) -> tuple[int | None, TreeDecomposition | None]:
    """The bound on the tree-width and the cliques, checked; by default the bound is the width of the cliques."""
    name = method.short_name
    if cliques is not None and not method.takes_cliques:
        able = " or ".join(each.short_name for each in METHODS.choices if each.takes_cliques)
        raise ArgumentError(f"{name} does not take cliques; use {able}")
    within = None if cliques is None else _decomposition(source.variables, cliques)
    if tree_width is None:
        if within is not None:
            return within.width, within
        if method.needs_tree_width:
            raise ArgumentError(f"{name} finds networks of bounded tree-width; give tree_width, such as tree_width=4")
        return None, None
    width = whole_number("tree_width", tree_width)
    if not method.bounds_tree_width:
        able = ", ".join(each.short_name for each in METHODS.choices if each.bounds_tree_width)
        raise ArgumentError(f"{name} does not bound the tree-width; use one of {able}")
    if within is not None and within.width > width:
        raise ArgumentError(f"tree_width is {width}, but the cliques have tree-width {within.width}; give one of them")
    return width, within


def _asked_score(families: FamilyTable, score: Score | str | None, ess: float | None) -> Score | None:
    """The score of a user's arguments; ``ess`` alone is that of the score by which the table was made."""
    if score is not None or ess is None:
        return None if score is None else score_from(score, ess=ess)
    known = SCORES.parse(families.made.score)
    if known is None:
        raise ArgumentError("ess goes with the name of a score, and the table does not say by which it was made")
    if not known.takes_ess:
        raise ArgumentError(f"ess goes with the names bdeu and bds; the table was made with the score {known}")
    return known.with_ess(ess)


def _decomposition(variables: Sequence[str], cliques: Cliques) -> TreeDecomposition:
    """The tree decomposition with the cliques as bags, over the variables in their order."""
    if not isinstance(cliques, TreeDecomposition):
        try:
            return TreeDecomposition.from_cliques(variables, cliques)
        except GraphError as error:
            raise ArgumentError(f"cliques: {error}") from None
    wrong = cliques.problems(DAG(variables))
    if wrong:
        raise ArgumentError(f"cliques must be a tree decomposition of the variables, but {wrong[0]}")
    return TreeDecomposition(tuple(variables), cliques.bags, cliques.parents)


def _check_rules_on_families(knowledge: Knowledge | None) -> None:
    """Refuses rules on whole networks, which no search of bounded tree-width can obey."""
    kinds = [] if knowledge is None else global_kinds(knowledge)
    if kinds:
        raise KnowledgeError(f"networks of bounded tree-width cannot honour {kinds[0]}; ilp can, without tree_width")
