"""Most relevant explanations (Yuan, Lim and Lu, JAIR 2011): partial assignments x of some targets with a large
generalised Bayes factor P(e | x) / P(e | not x), where not x is every other joint state of the same variables.

An explanation is minimal if no proper subset of it has as large a factor (strong dominance) and no superset a larger
one (weak dominance). Only minimal ones are returned. The core compares all partial assignments if they fit into memory.
Otherwise a beam search adds one variable at a time: the prior and posterior marginals given an assignment yield the
factors of all its extensions by one variable.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet._arguments import whole_number
from credenet._json import AsJson
from credenet._run.run import Run
from credenet._text import table
from credenet.data.states import Label
from credenet.errors import ArgumentError, NetworkError

if TYPE_CHECKING:
    from credenet._run.status import Status
    from credenet.inference.evidence import Evidence
    from credenet.inference.inference import Inference
    from credenet.inference.session import InferenceSession

MOST_ASSIGNMENTS = 1 << 25  # Assignments that are compared one by one at most, which takes a few seconds.
BEAM = 24  # Assignments that the beam search extends at each size.
PATIENCE = 2  # Sizes without improvement after which the beam search ends.
TOLERANCE = 1e-9  # Relative difference up to which factors count as equal.
FEW_DIGITS = 1e-290  # Probability below which a double may have lost some or all digits.
SMALL = 1e-100  # Joint probability below which a product of others may have been rounded to 0.
LIFT = 1000  # Bits by which all probabilities are scaled up, which leaves factors unchanged and avoids underflow.
MOST_REFINED = 4096  # Joint states whose probability is recomputed from its log, in a second or two.

_LOG_MOST = math.log(sys.float_info.max)

Named = frozenset[tuple[int, int]]  # Pairs of a target and its state, by index.


@dataclass(frozen=True, slots=True)
class Explanation:
    """States of some targets, and how much better they predict the evidence than the other states do.

    Attributes
    ----------
    gbf
        The generalised Bayes factor P(evidence | assignment) / P(evidence | other states); infinite if the evidence has
        probability 0 in all other states.

    Examples
    --------
    >>> import credenet
    >>> answers = credenet.textbook.asia().infer({"dysp": "yes", "xray": "yes"})
    >>> best = answers.explain(["lung", "bronc"])[0]
    >>> best.assignment, best.gbf > 1
    ({'lung': 'yes'}, True)
    """

    assignment: Mapping[str, Label]
    gbf: float

    def __str__(self) -> str:
        return ", ".join(f"{name}={state}" for name, state in self.assignment.items())


@dataclass(frozen=True, slots=True, repr=False)
class Explanations(AsJson, Sequence[Explanation]):
    """The best minimal explanations, best first.

    Attributes
    ----------
    status
        ``optimal`` if all partial assignments were compared; ``local_optimum`` after a beam search; ``time_limit`` or
        ``stopped`` if that ended early.

    Examples
    --------
    >>> import credenet
    >>> answers = credenet.textbook.asia().infer({"dysp": "yes", "xray": "yes"})
    >>> answers.explain(["lung", "bronc"]).status
    'optimal'
    """

    explanations: tuple[Explanation, ...]
    status: Status

    def __len__(self) -> int:
        return len(self.explanations)

    @overload
    def __getitem__(self, at: int) -> Explanation: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Explanation, ...]: ...
    def __getitem__(self, at: int | slice) -> Explanation | tuple[Explanation, ...]:
        return self.explanations[at]

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.explanations)

    def __repr__(self) -> str:
        best = f", best {self[0]} with factor {self[0].gbf:.4g}" if self.explanations else ""
        return f"<Explanations {len(self)}{best}, {self.status}>"

    def __str__(self) -> str:
        rows = [[f"{one.gbf:.4f}", str(one)] for one in self]
        return table(["factor", "explanation"], rows)

    def _repr_html_(self) -> str:
        return _later.drawing_inference.explanations_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Assignments with their factors, and the status. An infinite factor is None, as JSON has no infinity."""
        explanations = [
            {
                "assignment": {name: str(state) for name, state in one.assignment.items()},
                "gbf": one.gbf if math.isfinite(one.gbf) else None,
            }
            for one in self
        ]
        return {"explanations": explanations, "status": self.status}


def explain(inference: Inference, targets: Sequence[str] | None, k: int) -> Explanations:
    """The most relevant explanations; see `Inference.explain`."""
    names = _check_targets(inference, targets)
    k = whole_number("k", k, least=1, most=MOST_ASSIGNMENTS)
    log_evidence = inference.log_evidence  # Raises an error for evidence of probability 0.
    assert log_evidence > -math.inf
    found = _all_explanations(inference, names, k) if _can_compare_all(inference, names) else None
    return _BeamSearch(inference, names).run(k) if found is None else Explanations(tuple(found), "optimal")


def _check_targets(inference: Inference, targets: Sequence[str] | None) -> list[str]:
    if not inference.evidence:
        raise ArgumentError("there is no evidence to explain")
    if targets is None:
        names = [name for name in inference._model.states if name not in inference.evidence]
    else:
        names = inference._model.check_names(targets)
    for name in names:
        if isinstance(inference.evidence.get(name), Label):
            raise ArgumentError(f"targets must not be known, but {name!r} is")
    if not names:
        raise ArgumentError("targets must name at least one variable")
    return names


def _can_compare_all(inference: Inference, names: Sequence[str]) -> bool:
    model = inference._model
    at = [model.index[name] for name in names]
    n_assignments = math.prod(int(model.n_states[k]) + 1 for k in at)
    limit = inference._run.memory
    if n_assignments > MOST_ASSIGNMENTS or _core.explanation_bytes(model.n_states[at]) > limit:
        return False
    return all(one._make_plan(at, joint=True).bytes <= limit for one in (inference, _drop_evidence(inference)))


def _drop_evidence(inference: Inference) -> Inference:
    return inference._condition(None)


def _lift_joint(inference: Inference, names: Sequence[str]) -> NDArray[np.float64] | None:
    """The joint distribution of the targets, flat and times 2^LIFT; all of it has its digits.

    Small probabilities come from their logs. None if they are too many.
    """
    joint = inference.joint(names)
    lifted = np.ldexp(joint, LIFT)
    positive = joint[joint > 0]
    has_small = positive.size > 0 and positive.min() < SMALL
    unsure = np.argwhere(joint < FEW_DIGITS) if has_small else np.empty((0, joint.ndim), dtype=np.int64)
    if len(unsure) > MOST_REFINED:
        return None
    targets = [inference._model.index[name] for name in names]
    for cell in unsure.tolist():
        given = inference._evidence.with_states(dict(zip(targets, cell, strict=True)))
        status, log_value, _ = inference._kept_session().marginals(given, [], inference._run.n_threads, None)
        inference._check(status, 0.0)
        log_lifted = log_value - inference.log_evidence + LIFT * math.log(2)
        lifted[tuple(cell)] = math.exp(log_lifted) if log_lifted > -math.inf else 0.0
    return np.ascontiguousarray(lifted).reshape(-1)


def _all_explanations(inference: Inference, names: Sequence[str], k: int) -> list[Explanation] | None:
    """The best of all explanations; None if too many of them have a probability that is no ordinary double."""
    model = inference._model
    prior, posterior = (_lift_joint(one, names) for one in (_drop_evidence(inference), inference))
    if prior is None or posterior is None:
        return None
    n_states = model.n_states[[model.index[name] for name in names]]
    status, found = _core.explanations(n_states, prior, posterior, k, inference._run.restart().callback())
    inference._check(status, 0.0)
    return [
        Explanation(
            {name: model.states[name][state] for name, state in zip(names, one.states, strict=True) if state >= 0},
            one.bayes_factor,
        )
        for one in found
    ]


@dataclass(frozen=True, slots=True)
class _Assignment:
    """An assignment x with the logs of P(x), P(not x), P(x | evidence) and P(not x | evidence)."""

    named: Named
    prior: float
    not_prior: float
    posterior: float
    not_posterior: float

    @property
    def factor(self) -> float:
        if -math.inf in (self.prior, self.not_prior, self.posterior):
            return 0.0
        log_factor = self.posterior - self.prior + (self.not_prior - self.not_posterior)
        return math.exp(log_factor) if log_factor < _LOG_MOST else math.inf

    def with_state(
        self, target: int, state: int, priors: NDArray[np.float64], posteriors: NDArray[np.float64]
    ) -> _Assignment:
        """The assignment with one more target, from the distributions of the target given this one."""
        return _Assignment(
            self.named | {(target, state)},
            self.prior + _log(priors[state]),
            float(np.logaddexp(self.not_prior, self.prior + _log(_others(priors, state)))),
            self.posterior + _log(posteriors[state]),
            float(np.logaddexp(self.not_posterior, self.posterior + _log(_others(posteriors, state)))),
        )


@dataclass(slots=True)
class _BeamSearch:
    inference: Inference
    names: list[str]
    seen: dict[Named, float] = field(default_factory=dict)
    limits: Run = field(init=False)

    def __post_init__(self) -> None:
        self.limits = self.inference._run.restart()

    def run(self, k: int) -> Explanations:
        without = _drop_evidence(self.inference)
        sessions = (without._kept_session(), self.inference._kept_session())
        evidences = (without._evidence, self.inference._evidence)
        targets = [self.inference._model.index[name] for name in self.names]
        beam = [_Assignment(frozenset(), 0.0, -math.inf, 0.0, -math.inf)]
        best, waited = 0.0, 0
        status: Status = "local_optimum"
        for size in range(1, len(targets) + 1):
            found: dict[Named, _Assignment] = {}
            for number, node in enumerate(beam):
                if (ended := self._report((size - 1) * BEAM + number, len(targets) * BEAM)) is not None:
                    status = ended
                    break
                for extended in self._extensions(node, targets, sessions, evidences):
                    found[extended.named] = extended
                    self.seen[extended.named] = extended.factor
            beam = heapq.nlargest(BEAM, found.values(), key=lambda node: (node.factor, sorted(node.named)))
            largest = beam[0].factor if beam else 0.0
            waited = 0 if largest > best * (1 + TOLERANCE) else waited + 1
            best = max(best, largest)
            if status != "local_optimum" or waited > PATIENCE or not beam:
                break
        if not self.seen:
            raise NetworkError("the search for explanations was stopped before it had an answer")
        return Explanations(tuple(self._minimal(k)), status)

    def _report(self, done: int, total: int) -> Status | None:
        goes_on = self.limits.callback()(done, total, math.nan, math.nan)
        return None if goes_on else self.limits.status_of("stopped")

    def _extensions(
        self,
        node: _Assignment,
        targets: Sequence[int],
        sessions: tuple[InferenceSession, InferenceSession],
        evidences: tuple[Evidence, Evidence],
    ) -> Iterator[_Assignment]:
        named = dict(node.named)
        others = [target for target in targets if target not in named]
        priors, posteriors = (
            self._marginals(session, evidence, named, others)
            for session, evidence in zip(sessions, evidences, strict=True)
        )
        if priors is None or posteriors is None:
            return  # The assignment has probability 0.
        for target in others:
            for state in range(len(priors[target])):
                yield node.with_state(target, state, priors[target], posteriors[target])

    def _marginals(
        self, session: InferenceSession, evidence: Evidence, named: Mapping[int, int], others: Sequence[int]
    ) -> dict[int, NDArray[np.float64]] | None:
        given = evidence.with_states(named)
        status, log_value, found = session.marginals(given, others, self.limits.n_threads, None)
        self.inference._check(status, 0.0)
        return None if log_value == -math.inf else found

    def _minimal(self, k: int) -> list[Explanation]:
        """The best minimal explanations among those seen. Each is compared with its subsets, seen or not."""
        waiting = [(-factor, len(named), sorted(named)) for named, factor in self.seen.items() if factor > 0]
        heapq.heapify(waiting)
        above = self._best_above()
        kept: list[tuple[Named, float]] = []
        while waiting and len(kept) < k:
            entry = heapq.heappop(waiting)
            named, factor = frozenset(entry[2]), -entry[0]
            if above.get(named, 0.0) > factor * (1 + TOLERANCE) or any(other <= named for other, _ in kept):
                continue  # A superset dominates it, or a kept subset has as large a factor.
            found = self._minimal_among(named)
            new = {other: value for other, value in found.items() if other not in self.seen}
            if new:
                self.seen |= new
                for other, value in new.items():
                    heapq.heappush(waiting, (-value, len(other), sorted(other)))
                heapq.heappush(waiting, entry)
            elif named in found:
                kept.append((named, factor))
        states, labels = self.inference._model.states, list(self.inference._model.states)
        return [
            Explanation({labels[at]: states[labels[at]][state] for at, state in sorted(named)}, factor)
            for named, factor in kept
        ]

    def _best_above(self) -> dict[Named, float]:
        """By assignment, the largest factor seen of its proper supersets."""
        above: dict[Named, float] = {}
        for named in sorted(self.seen, key=len, reverse=True):
            best = max(self.seen[named], above.get(named, 0.0))
            for pair in named:
                part = named - {pair}
                above[part] = max(best, above.get(part, 0.0))
        return above

    def _minimal_among(self, named: Named) -> dict[Named, float]:
        """The minimal explanations over subsets of these targets, with their factors.

        If there are too many assignments to compare, only this one, provided no subset seen has as large a factor.
        """
        model = self.inference._model
        labels = list(model.states)
        names = [labels[at] for at, _ in sorted(named)]
        every = math.prod(int(model.n_states[at]) + 1 for at, _ in named)
        can_compare = _can_compare_all(self.inference, names)
        explanations = _all_explanations(self.inference, names, every) if can_compare else None
        if explanations is None:
            factor = self.seen[named]
            parts = (value for other, value in self.seen.items() if other < named)
            return {} if any(value >= factor * (1 - TOLERANCE) for value in parts) else {named: factor}
        return {
            frozenset((model.index[name], model.states[name].index(state)) for name, state in one.assignment.items()): (
                one.gbf
            )
            for one in explanations
        }


def _log(probability: float) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def _others(distribution: NDArray[np.float64], state: int) -> float:
    """The probability of all other states as a sum, because 1 - p would lose digits of small probabilities."""
    return float(distribution[:state].sum() + distribution[state + 1 :].sum())
