"""Verification of a learned network: each claim is computed from scratch, by another method if possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from credenet._html import first_rows
from credenet._text import count, table
from credenet.data.dataset import Dataset
from credenet.families.nested_penalties import log_prior_of
from credenet.families.restriction import restrict_families
from credenet.families.scoring.calls import score_families
from credenet.families.scoring.graph_score import score
from credenet.families.sources import as_source
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.learners import learn
from credenet.learners.result_text import say_width
from credenet.learners.results import LearnResult, Provenance
from credenet.learners.tree_width.bounded_verification import bag_problems, best_of_width_again, elimination_width
from credenet.search.components import Component, components_of, whole
from credenet.search.cost import QUICK_TABLE
from credenet.search.ilp.constraints import Constraints

if TYPE_CHECKING:
    from credenet.data.sources import DataLike

_HEADERS = ("claim", "result", "detail")
_WORDS = {True: "holds", False: "WRONG", None: "not checked"}


@dataclass(frozen=True, slots=True)
class Check:
    """One claim, and whether it holds; None if it could not be checked.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> credenet.learn(data).verify(data).checks[0]
    Check(claim='the network has no cycle', holds=True, detail='')
    """

    claim: str
    holds: bool | None
    detail: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Verification:
    """The checks of all claims of a result; true if none is wrong.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.asia()
    >>> bool(credenet.learn(data).verify(data))
    True
    """

    checks: tuple[Check, ...]

    def __bool__(self) -> bool:
        return all(check.holds is not False for check in self.checks)

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def __len__(self) -> int:
        return len(self.checks)

    def __repr__(self) -> str:
        numbers = Counter(check.holds for check in self.checks)
        words = {True: "right", False: "wrong", None: "not checked"}
        parts = [f"{numbers[holds]} {word}" for holds, word in words.items() if numbers[holds]]
        return f"<Verification {count(len(self), 'claim')}: {', '.join(parts)}>"

    def __str__(self) -> str:
        return table(_HEADERS, self._rows())

    def _repr_html_(self) -> str:
        return first_rows(repr(self)[1:-1], _HEADERS, self._rows())

    def _rows(self) -> list[list[str]]:
        return [[check.claim, _WORDS[check.holds], check.detail] for check in self.checks]


def verify(result: LearnResult, source: DataLike | FamilyTable) -> Verification:
    """Checks all claims of a result against the data or the families it was learned from."""
    source = as_source(source)
    checks = [_structure(result), *check_data(result.provenance, source, "learned")]
    if result.status == "infeasible" and result.proofs:
        checks.append(_infeasible(result, source))
    if not result.has_network:
        return Verification(tuple(checks))
    knowledge = result.provenance.knowledge
    if knowledge is not None:
        broken = knowledge.violations(result.dag)
        checks.append(Check("the network obeys the knowledge", not broken, "; ".join(broken)))
    if result.provenance.max_parents is not None:
        checks.append(_in_degrees(result, result.provenance.max_parents))
    if result.provenance.tree_width is not None:
        checks += _tree_width(result, result.provenance.tree_width)
    if result.score is not None:
        checks.append(_score(result, source))
        checks += _check_bound(result, source)
    return Verification(tuple(checks))


def _in_degrees(result: LearnResult, limit: int) -> Check:
    """Checks the limit on parents; if scoring ended early, required parents do not count."""
    made, names = result.provenance, result.dag.variables
    required = [0] * len(names)
    if made.complete is False and made.knowledge is not None:  # Several rules together may require an edge.
        required = [len(parents) for parents in made.knowledge.allowed(names).required]
    holds = all(
        len(parents) <= limit + number for parents, number in zip(result.dag.parent_indices, required, strict=True)
    )
    return Check(f"no variable has more than {limit} parents{' beyond those required' if any(required) else ''}", holds)


def check_data(made: Provenance, source: Dataset | FamilyTable, how: str) -> list[Check]:
    """Checks that the data (or those behind the families) have the digest of the result, if both are known."""
    given = source.digest() if isinstance(source, Dataset) else source.made.data_digest
    if made.data_digest is None or given is None:
        return []
    what = "the data are those" if isinstance(source, Dataset) else "the families are scored on the data"
    return [Check(f"{what} it was {how} from", given == made.data_digest)]


def _structure(result: LearnResult) -> Check:
    """Checks that the network has no cycle by building it from its edges."""
    dag = result.dag
    again = DAG(dag.variables, dag.edges)
    return Check("the network has no cycle", again == dag)


def _tree_width(result: LearnResult, most: int) -> list[Check]:
    """Checks that the bags and the elimination order show a small enough tree-width."""
    wrong = bag_problems(result)
    checks = [Check("every family lies in a bag, and the bags form a tree", not wrong, wrong)]
    if result.elimination_order is not None and result.decomposition is not None:
        width = max(elimination_width(result.dag, result.elimination_order), result.decomposition.width)
        checks.append(Check(f"the tree-width is at most {most}", width <= most, f"that of the bags is {width}"))
    return checks


def _penalty(result: LearnResult) -> float:
    prior = result.provenance.prior
    return 0.0 if prior is None else log_prior_of(prior, result.dag.parent_indices)


def _score(result: LearnResult, source: Dataset | FamilyTable) -> Check:
    claim = f"the score is {result.score:.6f}"
    made = result.provenance
    if isinstance(source, FamilyTable):
        again = source.score_of(result.dag) + _penalty(result)
    elif made.score is None or made.prior is None:
        return Check(claim, None, "the score is known by its table only; verify with the families")
    else:
        prior = made.prior.modular_part()
        states = made.states or "declared"
        again = score(source, result.dag, score=made.score, prior=prior, states=states).total + _penalty(result)
    assert result.score is not None
    return Check(claim, abs(again - result.score) <= tolerance(result.score), f"computed again: {again:.6f}")


def _check_bound(result: LearnResult, source: Dataset | FamilyTable) -> list[Check]:
    assert result.score is not None
    if result.bound is None:
        return []
    checks = [Check("the bound is not below the score", result.bound >= result.score)]
    if result.status == "optimal":
        checks.append(Check("bound and score are equal, as for an optimum", result.bound == result.score))
    claim = f"no network{say_width(result)} scores above {result.bound:.6f}"
    families = _families_again(result, source)
    if isinstance(families, str):
        return [*checks, Check(claim, None, families)]
    constraints = Constraints.from_knowledge(result.provenance.knowledge, result.dag.variables)
    if result.proofs and (isinstance(source, FamilyTable) or constraints is not None):
        return [*checks, _check_proofs(result, families, claim)]
    if constraints is not None:
        return [*checks, Check(claim, None, "no other method honours the knowledge")]
    best = _best_again(result, families)
    highest = result.bound + tolerance(result.bound)
    if result.provenance.tree_width is not None and not (isinstance(best, float) and best <= highest):
        best = best_of_width_again(result, families)
    if isinstance(best, str):
        return [*checks, Check(claim, None, best)]
    return [*checks, Check(claim, best <= highest, f"the best was found again: {best:.6f}")]


def _infeasible(result: LearnResult, source: Dataset | FamilyTable) -> Check:
    """Checks that a proof bounds some component below the worst score that its families can have."""
    claim = "no network obeys the knowledge"
    families = _families_again(result, source)
    if isinstance(families, str):
        return Check(claim, None, families)
    proof = result.proofs[0]
    constraints, searched = _searched_families(result, families)
    for component in _parts(searched, constraints):
        if proof.members == tuple(component.members.tolist()):
            worst = math.fsum(np.minimum.reduceat(component.flat.scores, component.flat.starts[:-1]).tolist())
            try:
                return Check(claim, proof.bound(component.flat, constraints) < worst)
            except ValueError as error:
                return Check(claim, False, f"the proof is wrong: {error}")
    return Check(claim, False, "the proof is about other variables")


def _searched_families(result: LearnResult, families: FamilyTable) -> tuple[Constraints | None, FamilyTable]:
    """The families that were searched, and the constraints on whole networks."""
    made = result.provenance
    kept = restrict_families(families, made.knowledge)[0]
    if made.max_parents is not None:
        kept = kept.restrict(max_parents=made.max_parents)
    return Constraints.from_knowledge(made.knowledge, families.variables), kept


def _parts(families: FamilyTable, constraints: Constraints | None) -> list[Component]:
    """The components that proofs cover."""
    return components_of(families) if constraints is None else whole(families)


def _check_proofs(result: LearnResult, families: FamilyTable, claim: str) -> Check:
    """Checks that the proofs of the components add up to the bound."""
    constraints, searched = _searched_families(result, families)
    flat = searched.flat()
    terms = flat.scores[flat.starts[:-1]]
    proofs = {proof.members: proof for proof in result.proofs}
    bounds = []
    for component in _parts(searched, constraints):
        proof = proofs.get(tuple(component.members.tolist()))
        try:
            bounds.append(component.bound if proof is None else proof.bound(component.flat, constraints))
        except ValueError as error:
            return Check(claim, False, f"the proof is wrong: {error}")
        terms[component.members] = 0.0
    bound = math.fsum([*bounds, *terms.tolist()])
    assert result.bound is not None
    return Check(claim, bound <= result.bound + tolerance(result.bound), f"the proofs give {bound:.6f}")


def _families_again(result: LearnResult, source: Dataset | FamilyTable) -> FamilyTable | str:
    """The families that the bound covers; or the reason why they are not scored again."""
    made = result.provenance
    if isinstance(source, Dataset) and (not made.complete or result.scope == "table"):
        return "it is claimed for the families of a table only; verify with these"
    if made.prior is not None and not made.prior.is_modular:
        return f"it takes several optimisations to bound what depends on {made.prior.says_complexity}"
    if isinstance(source, FamilyTable):
        return source
    if made.score is None or made.prior is None or len(source.variables) > QUICK_TABLE:
        return f"more than {QUICK_TABLE} variables; verify with the families"
    return score_families(
        source,
        score=made.score,
        prior=made.prior,
        knowledge=made.knowledge,
        max_parents=made.max_parents,
        states=made.states or "declared",
    )


def _best_again(result: LearnResult, families: FamilyTable) -> float | str:
    """The optimum by another exact method; or the reason why it is not computed."""
    made = result.provenance
    largest = max(map(len, components_of(families)), default=1)
    if largest > QUICK_TABLE:
        return f"a component has {largest} variables, more than the {QUICK_TABLE} for which this is done again"
    other = "astar" if made.method.startswith("dp") else "dp"
    again = learn(families, method=other, knowledge=made.knowledge, max_parents=made.max_parents)
    return -math.inf if again.score is None else again.score
