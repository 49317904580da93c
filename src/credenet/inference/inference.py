"""Answers of a model given evidence, computed exactly in a clique tree when they are first asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError, NetworkError
from credenet.inference.evidence import Evidence, EvidenceLike, checked_evidence
from credenet.inference.model import FactorModel, check_plan, memory_problem
from credenet.progress import OnProgress, check_seed, step, thread_count
from credenet.text import count, listing, table

if TYPE_CHECKING:
    from credenet import _core
    from credenet.data import Dataset
    from credenet.progress import CoreCallback

Marginals = dict[str, dict[str, float]]

FEW_TARGETS = 4  # for so many, one elimination each may be cheaper than a propagation to all


@dataclass(frozen=True, slots=True)
class MostProbable:
    """The most probable state of all variables together.

    Attributes
    ----------
    assignment
        A state for every variable, those with evidence included.
    log_probability
        The natural log of the probability of the assignment (times the likelihoods of its states); of a Markov
        network, of the product of its factors.
    """

    assignment: Mapping[str, str]
    log_probability: float


class Inference:
    """What a model says given evidence. Made by ``infer``; answers are computed when first asked for, and kept.

    Attributes
    ----------
    exact
        True; see `ApproximateInference` for answers that are not.
    """

    exact: Literal[True] = True

    def __init__(
        self,
        model: FactorModel,
        evidence: EvidenceLike | None = None,
        *,
        elimination_order: Sequence[str] | None = None,
        memory_limit: float | None = None,
        time_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._model = model
        self._evidence: Evidence = checked_evidence(evidence, model.states)
        self._order = _checked_order(elimination_order, model)
        check_limits(memory_limit, time_limit)
        self._memory_limit = memory_limit
        self._time_limit = time_limit
        self._n_threads = thread_count(n_threads)
        self._on_progress = on_progress
        self._log_evidence: float | None = None
        self._all_marginals: Marginals | None = None
        self._most_probable: MostProbable | None = None

    @property
    def evidence(self) -> Mapping[str, str | dict[str, float]]:
        """The evidence: a state for each variable, or the likelihood of every state."""
        return self._evidence.given

    @property
    def log_evidence(self) -> float:
        """The natural log of the probability of the evidence; of a Markov network, of the sum of the product of its
        factors over all states that agree with it."""
        if self._log_evidence is None:
            plan = self._plan([], joint=False)
            self._answer(*plan.log_value(*self._arguments()))
        assert self._log_evidence is not None
        return self._log_evidence

    def marginals(self, variables: Sequence[str] | None = None) -> Marginals:
        """P(state | evidence) for all or some variables.

        Examples
        --------
        >>> import credenet
        >>> asia = credenet.textbook.asia()
        >>> round(asia.infer({"xray": "yes"}).marginals(["lung"])["lung"]["yes"], 4)
        0.4887
        """
        names = list(self._model.states) if variables is None else self._checked_names(variables)
        if self._all_marginals is not None:
            return {name: dict(self._all_marginals[name]) for name in names}
        targets = [self._model.index[name] for name in names if not self._evidence.observed[self._model.index[name]]]
        found = self._few(targets) if 0 < len(targets) <= FEW_TARGETS else None
        if found is None:
            plan = self._plan(targets, joint=False)
            finished, log_value, flat = plan.marginals(*self._arguments())
            self._answer(finished, log_value)
            ends = np.cumsum(self._model.n_states[targets]).tolist() if targets else []
            found = {at: flat[end - int(self._model.n_states[at]) : end] for at, end in zip(targets, ends, strict=True)}
        marginals = {name: self._labelled(name, found.get(self._model.index[name])) for name in names}
        if variables is None:
            self._all_marginals = {name: dict(marginals[name]) for name in names}
        return marginals

    def joint(self, variables: Sequence[str]) -> NDArray[np.float64]:
        """P(variables | evidence): an array with one axis for each, in the order given.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia().infer().joint(["smoke", "lung"]).round(4).tolist()
        [[0.05, 0.45], [0.005, 0.495]]
        """
        names = self._checked_names(variables)
        if not names:
            raise ArgumentError("variables must name at least one variable")
        at = [self._model.index[name] for name in names]
        free = [k for k in at if not self._evidence.observed[k]]
        plan = self._plan(free, joint=True)
        finished, log_value, flat = plan.joint(*self._arguments())
        self._answer(finished, log_value)
        positions = plan.positions()
        stored = sorted(free, key=lambda k: -int(positions[k]))  # the axes as the core has them
        values = flat.reshape([int(self._model.n_states[k]) for k in stored])
        values = values.transpose([stored.index(k) for k in free])
        result = np.zeros([int(self._model.n_states[k]) for k in at])
        known = tuple(int(self._evidence.states[k]) if self._evidence.observed[k] else slice(None) for k in at)
        result[known] = values
        return result

    def mpe(self) -> MostProbable:
        """The most probable explanation: the best states of all variables together, given the evidence.

        Examples
        --------
        >>> import credenet
        >>> best = credenet.textbook.asia().infer({"dysp": "yes"}).mpe()
        >>> best.assignment["bronc"], round(best.log_probability, 3)
        ('yes', -1.604)
        """
        if self._most_probable is None:
            plan = self._plan(self._free(), joint=False, whole_evidence=True)
            finished, log_value, states = plan.most_probable(*self._arguments())
            self._check(finished, log_value)
            assignment = {
                name: labels[state]
                for (name, labels), state in zip(self._model.states.items(), states.tolist(), strict=True)
            }
            self._most_probable = MostProbable(assignment, log_value)
        return self._most_probable

    def sample(self, rows: int, *, seed: int = 0) -> Dataset:
        """Independent rows drawn from the distribution given the evidence; the same for a seed."""
        from credenet.data import Dataset

        if rows < 1:
            raise ArgumentError(f"rows must be at least 1, got {rows}")
        check_seed(seed)
        plan = self._plan(self._free(), joint=False)
        states, likelihoods, n_threads, report = self._arguments()
        finished, log_value, drawn = plan.draws(states, likelihoods, rows, seed, n_threads, report)
        self._answer(finished, log_value)
        return Dataset(self._model.states, drawn.reshape(len(self._model.states), rows).T)

    def entropy(self, variables: str | Sequence[str]) -> float:
        """The entropy of one variable or of several together given the evidence, in nats."""
        names = [variables] if isinstance(variables, str) else variables
        return _entropy(self.joint(names))

    def mutual_information(self, first: str, second: str) -> float:
        """The mutual information of two variables given the evidence, in nats."""
        if first == second:
            return self.entropy(first)
        both = self.joint([first, second])
        return max(0.0, _entropy(both.sum(axis=1)) + _entropy(both.sum(axis=0)) - _entropy(both))

    def memory_problem(self) -> str | None:
        """Why all marginals do not fit the memory; None where they do."""
        return memory_problem(self._planned(self._free(), joint=False), self._memory_limit)

    def __repr__(self) -> str:
        known = listing(
            [f"{name}={value}" if isinstance(value, str) else name for name, value in self.evidence.items()]
        )
        return f"<Inference {count(len(self._model.states), 'variable')}{', given ' + known if known else ''}>"

    def __str__(self) -> str:
        rows = [
            [name, ", ".join(f"{state} {probability:.4f}" for state, probability in distribution.items())]
            for name, distribution in self.marginals().items()
        ]
        return table(["variable", "probabilities"], rows)

    def _free(self) -> list[int]:
        return np.flatnonzero(self._evidence.observed == 0).tolist()

    def _checked_names(self, variables: Sequence[str]) -> list[str]:
        return check_names(variables, self._model)

    def _plan(self, targets: Sequence[int], *, joint: bool, whole_evidence: bool = False) -> _core.InferencePlan:
        plan = self._planned(targets, joint=joint, whole_evidence=whole_evidence)
        check_plan(plan, self._memory_limit)
        return plan

    def _planned(self, targets: Sequence[int], *, joint: bool, whole_evidence: bool = False) -> _core.InferencePlan:
        """Once the evidence is known to be possible, only what bears on the targets is left in."""
        return self._model.plan(
            observed=self._evidence.observed,
            weighted=self._evidence.weighted,
            targets=targets,
            joint=joint,
            whole_evidence=whole_evidence or self._log_evidence is None,
            order=self._order,
            n_threads=self._n_threads,
        )

    def _few(self, targets: Sequence[int]) -> dict[int, NDArray[np.float64]] | None:
        """The marginals of a few targets by one elimination each; None where a propagation is cheaper."""
        plans = {at: self._planned([at], joint=True) for at in targets}
        together = self._planned(targets, joint=False)
        if len(targets) > 1 and sum(plan.cells for plan in plans.values()) > 2 * together.cells:
            return None
        found = {}
        for at, plan in plans.items():
            check_plan(plan, self._memory_limit)
            finished, log_value, found[at] = plan.joint(*self._arguments())
            self._check(finished, log_value)
        return found

    def _arguments(self) -> tuple[NDArray[np.int32], NDArray[np.float64], int, CoreCallback | None]:
        report = step(self._on_progress, time_limit=self._time_limit)
        return self._evidence.states, self._evidence.likelihoods, self._n_threads, report

    def _check(self, finished: bool, log_value: float) -> None:
        if not finished:
            limit = "" if self._time_limit is None else f" (time_limit is {self._time_limit:g} s)"
            raise NetworkError(f"inference was stopped before it had an answer{limit}")
        if log_value == -math.inf:
            raise impossible(self._evidence)

    def _answer(self, finished: bool, log_value: float) -> None:
        self._check(finished, log_value)
        if self._log_evidence is None:
            self._log_evidence = log_value

    def _labelled(self, name: str, values: NDArray[np.float64] | None) -> dict[str, float]:
        labels = self._model.states[name]
        if values is None:
            known = int(self._evidence.states[self._model.index[name]])
            return {label: float(at == known) for at, label in enumerate(labels)}
        return dict(zip(labels, values.tolist(), strict=True))


def check_names(variables: Sequence[str], model: FactorModel) -> list[str]:
    """Names of variables of the model, each once."""
    if isinstance(variables, str):
        raise ArgumentError(f"variables must be a list of names, got the text {variables!r}")
    names = list(variables)
    for name in names:
        if name not in model.states:
            raise NetworkError(f"there is no variable {name!r}", variable=name)
    if len(set(names)) < len(names):
        raise ArgumentError(f"variables must differ, got {names}")
    return names


def check_limits(memory_limit: float | None, time_limit: float | None) -> None:
    for name, limit in (("memory_limit", memory_limit), ("time_limit", time_limit)):
        if limit is not None and not limit > 0:
            raise ArgumentError(f"{name} must be positive, got {limit}")


def impossible(evidence: Evidence) -> NetworkError:
    """The error of evidence that no state of the model agrees with."""
    shown = listing([f"{name}={value}" for name, value in evidence.given.items()]) or "no evidence"
    return NetworkError(f"the evidence has probability 0: {shown}")


def _checked_order(order: Sequence[str] | None, model: FactorModel) -> tuple[int, ...]:
    if order is None:
        return ()
    if sorted(order) != sorted(model.states):
        raise ArgumentError(f"elimination_order must list each of the {len(model.states)} variables once")
    return tuple(model.index[name] for name in order)


def _entropy(table: NDArray[np.float64]) -> float:
    positive = table[table > 0]
    return max(0.0, float(-(positive * np.log(positive)).sum()))
