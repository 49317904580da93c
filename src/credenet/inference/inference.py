"""Exact answers of a model given evidence. Each is computed in a clique tree at the first call, and kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._files.files import suffix_of
from credenet._run.memory import sample_size
from credenet._run.progress import read_seed
from credenet._text import count, table
from credenet.data.dataset import Dataset
from credenet.data.states import Label
from credenet.errors import ArgumentError
from credenet.inference.evidence import Likelihood
from credenet.inference.explanation import explain
from credenet.inference.model import check_plan
from credenet.inference.query import Query

if TYPE_CHECKING:
    from credenet._run.status import Status
    from credenet.drawing.svg import Picture
    from credenet.inference.explanation import Explanations

Marginals = dict[str, dict[Label, float]]

CELLS_PER_SECOND = 5e7  # Cells per second of a propagation at least.
SECONDS_FOR_SUMS = 10.0  # Seconds, without a time limit, up to which sums are preferred to a search of unknown length.


@dataclass(frozen=True, slots=True, repr=False)
class MostProbable:
    """The most probable joint state of all variables, or of some of them.

    Attributes
    ----------
    assignment
        The state of every variable in the query. A query of all variables includes those with evidence.
    log_probability
        The natural log of the joint probability of the assignment and the evidence, times the likelihoods of soft
        evidence. For a Markov network, the product of the factors takes the place of the probability.
    log_bound
        An upper bound on the log-probability of every assignment; equal to ``log_probability`` if ``optimal``.
    status
        ``optimal``, or why the search ended early: ``time_limit`` or ``stopped``.

    Examples
    --------
    >>> import credenet
    >>> most = credenet.textbook.asia().infer({"xray": "yes"}).mpe()
    >>> most.status, most.assignment["either"]
    ('optimal', 'yes')
    """

    assignment: Mapping[str, Label]
    log_probability: float
    log_bound: float
    status: Status = "optimal"

    def __repr__(self) -> str:
        size = count(len(self.assignment), "variable")
        return f"<MostProbable state of {size}, log probability {self.log_probability:.6f}, {self.status}>"

    def __str__(self) -> str:
        return table(["variable", "state"], [[name, str(state)] for name, state in self.assignment.items()])

    def _repr_html_(self) -> str:
        return _later.drawing_inference.most_probable_html(self)


class Inference(Query):
    """Exact answers of a model given evidence. Made by ``infer``; each is computed at the first call, and kept.

    Attributes
    ----------
    exact
        True; `ApproximateInference` has False.

    Examples
    --------
    >>> import credenet
    >>> answers = credenet.textbook.asia().infer({"xray": "yes"})
    >>> round(answers.marginals()["lung"]["yes"], 3)
    0.489
    """

    exact: Literal[True] = True

    def _forget(self) -> None:
        super()._forget()
        self._all_marginals: Marginals | None = None
        self._most_probable: MostProbable | None = None

    @property
    def evidence(self) -> Mapping[str, Label | dict[Label, float]]:
        """The evidence: a state for each variable, or the likelihood of every state."""
        return self._evidence.given

    @property
    def log_evidence(self) -> float:
        """The natural log of the probability of the evidence.

        For a Markov network, the log of the partition function, restricted to states that agree with the evidence.
        """
        if self._log_evidence is None and self._session is not None:
            self._kept_marginals([])
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
        names = list(self._model.states) if variables is None else self._model.check_names(variables)
        if self._all_marginals is not None:
            return {name: dict(self._all_marginals[name]) for name in names}
        targets = [self._model.index[name] for name in names if not self._evidence.observed[self._model.index[name]]]
        if self._session is not None and not self._are_cheap_alone(targets, self._session):
            known: dict[int, NDArray[np.float64]] | None = self._kept_marginals(targets)
        else:
            known = self._few(targets)
        if known is None:
            plan = self._plan(targets, joint=False)
            status, log_value, flat = plan.marginals(*self._arguments())
            self._answer(status, log_value)
            known = self._model.split_values(flat, targets)
        marginals = {name: self._label_values(name, known.get(self._model.index[name])) for name in names}
        if variables is None:
            self._all_marginals = {name: dict(marginals[name]) for name in names}
        return marginals

    def joint(self, variables: Sequence[str]) -> NDArray[np.float64]:
        """P(variables | evidence): an array with one axis for each variable, in the order given.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia().infer().joint(["smoke", "lung"]).round(4).tolist()
        [[0.05, 0.45], [0.005, 0.495]]
        """
        names = self._model.check_names(variables)
        if not names:
            raise ArgumentError("variables must name at least one variable")
        at = [self._model.index[name] for name in names]
        free = [k for k in at if not self._evidence.observed[k]]
        plan = self._plan(free, joint=True)
        status, log_value, flat = plan.joint(*self._arguments())
        self._answer(status, log_value)
        positions = plan.positions()
        stored = sorted(free, key=lambda k: -int(positions[k]))  # This is the order of the axes in the core.
        values = flat.reshape([int(self._model.n_states[k]) for k in stored])
        values = values.transpose([stored.index(k) for k in free])
        result = np.zeros([int(self._model.n_states[k]) for k in at])
        known = tuple(int(self._evidence.states[k]) if self._evidence.observed[k] else slice(None) for k in at)
        result[known] = values
        return result

    def mpe(self) -> MostProbable:
        """The most probable explanation (MPE): the most probable joint state of all variables given the evidence.

        Examples
        --------
        >>> import credenet
        >>> best = credenet.textbook.asia().infer({"dysp": "yes"}).mpe()
        >>> best.assignment["bronc"], round(best.log_probability, 3)
        ('yes', -1.604)
        """
        if self._most_probable is None:
            plan = self._plan(self._free(), joint=False, whole_evidence=True)
            status, log_value, states = plan.most_probable(*self._arguments())
            self._check(status, log_value)
            assignment = self._assignment(list(self._model.states), states.tolist())
            self._most_probable = MostProbable(assignment, log_value, log_value)
        return self._most_probable

    def map(self, variables: Sequence[str]) -> MostProbable:
        """The most probable joint state of some variables, with all others summed out (marginal MAP).

        If summing out first would take too much memory or time, branch and bound searches instead. Ended early by the
        time limit, the callback or Ctrl-C, it returns the best state so far and a bound.

        Examples
        --------
        >>> import credenet
        >>> best = credenet.textbook.asia().infer({"dysp": "yes"}).map(["lung", "bronc"])
        >>> dict(best.assignment), round(best.log_probability, 4), best.status
        ({'lung': 'no', 'bronc': 'yes'}, -1.0929, 'optimal')
        """
        names = self._model.check_names(variables)
        at = [self._model.index[name] for name in names]
        targets = [k for k in at if not self._evidence.observed[k]]
        if not targets:
            return MostProbable(
                self._assignment(names, self._evidence.states.tolist()), self.log_evidence, self.log_evidence
            )
        weighted = self._evidence.weighted.copy()
        weighted[targets] = 1
        plan = self._model.plan(
            observed=self._evidence.observed,
            weighted=weighted,
            targets=targets,
            joint=False,
            maximised=True,
            most=self._most_for_sums(),
            order=self._order,
            n_threads=self._run.n_threads,
        )
        check_plan(plan, self._run.memory)
        run = self._run.restart()
        outcome = plan.map(*self._arguments(run))
        states = outcome.states
        if not states:
            self._check(outcome.status, outcome.log_value)
        status = run.status_of(outcome.status)
        return MostProbable(self._assignment(names, states), outcome.log_value, outcome.log_bound, status)

    def _most_for_sums(self) -> tuple[float, float]:
        """Bytes and cells up to which all sums come before all maxima; rounded, so that kept plans can be reused."""
        limits = self._run.memory, CELLS_PER_SECOND * (self._run.clock.time_limit or SECONDS_FOR_SUMS)
        bytes_, cells = (2.0 ** math.floor(math.log2(limit)) for limit in limits)
        return bytes_, cells

    def _assignment(self, names: Sequence[str], states: Sequence[int]) -> dict[str, Label]:
        return {name: self._model.states[name][states[self._model.index[name]]] for name in names}

    def sample(self, n_rows: int, *, seed: int | None = 0) -> Dataset:
        """Independent rows drawn from the distribution given the evidence; the same rows for the same seed.

        The seed is 0 unless another one is given, so that a second call repeats the rows; None draws a fresh one.
        """
        n_rows = sample_size(n_rows, 5 * len(self._model.states))
        seed = read_seed(seed)
        plan = self._plan(self._free(), joint=False)
        states, likelihoods, n_threads, report = self._arguments()
        status, log_value, drawn = plan.draws(states, likelihoods, n_rows, seed, n_threads, report)
        self._answer(status, log_value)
        return Dataset(self._model.states, drawn.reshape(len(self._model.states), n_rows).T)

    def entropy(self, variables: str | Sequence[str]) -> float:
        """The entropy of one variable, or the joint entropy of several, given the evidence, in nats."""
        return _entropy(self.joint([variables] if isinstance(variables, str) else variables))

    def mutual_information(self, x: str, y: str) -> float:
        """The mutual information of two variables given the evidence, in nats."""
        for name in (x, y):
            self._model.check_names([name])
        if x == y:
            return self.entropy(x)
        return _mutual_information(self.joint([x, y]))

    def most_informative(self, target: str, candidates: Sequence[str] | None = None) -> dict[str, float]:
        """The mutual information of the target with each variable that could be observed next, given the evidence.

        Parameters
        ----------
        candidates
            The variables that could be observed; by default all others without a known state.

        Returns
        -------
        Mutual information in nats, the most informative candidate first.

        Examples
        --------
        >>> import credenet
        >>> information = credenet.textbook.asia().infer({"dysp": "yes"}).most_informative("lung", ["xray", "smoke"])
        >>> {name: round(value, 4) for name, value in information.items()}
        {'xray': 0.2092, 'smoke': 0.0238}
        """
        (name,) = self._model.check_names([target])
        names = [other for other in self._model.states if other != name] if candidates is None else candidates
        at = self._model.index[name]
        others = [self._model.index[other] for other in self._model.check_names(names)]
        if at in others:
            raise ArgumentError(f"candidates must not include the target {name!r}")
        if candidates is None:
            others = [other for other in others if not self._evidence.observed[other]]
        free = [other for other in others if not self._evidence.observed[other]]
        information = dict.fromkeys(others, 0.0)
        if not self._evidence.observed[at] and free:
            together = self._with_states_of(at, free)
            for other in free:
                information[other] = _mutual_information(np.stack([row[other] for row in together]))
        ranked = sorted(information.items(), key=lambda item: -item[1])
        labels = list(self._model.states)
        return {labels[other]: value for other, value in ranked}

    def _with_states_of(self, target: int, others: Sequence[int]) -> list[dict[int, NDArray[np.float64]]]:
        """P(target = state, other | evidence) for each other, by state of the target."""
        session = self._kept_session()
        (distribution,) = self._kept_marginals([target]).values()
        rows = []
        for state, probability in enumerate(distribution.tolist()):
            if probability == 0:
                rows.append({other: np.zeros(int(self._model.n_states[other])) for other in others})
                continue
            given = self._evidence.with_states({target: state})
            status, log_value, found = session.marginals(given, others, *self._arguments()[2:])
            self._check(status, log_value)
            rows.append({other: probability * values for other, values in found.items()})
        return rows

    def update(self, evidence: Mapping[str, Label | Likelihood | None]) -> Inference:
        """The answers with more or other evidence.

        A clique tree and its messages are kept from one update to the next. Only messages that the change affects are
        computed again.

        Parameters
        ----------
        evidence
            As for ``infer``. It replaces the evidence on the same variables; None removes it.

        Examples
        --------
        >>> import credenet
        >>> answers = credenet.textbook.asia().infer({"dysp": "yes"})
        >>> later = answers.update({"xray": "no", "smoke": "yes"})
        >>> later
        <Inference 8 variables, given dysp=yes, xray=no, smoke=yes>
        >>> round(later.marginals(["bronc"])["bronc"]["yes"], 4)
        0.922
        """
        if not isinstance(evidence, Mapping):
            raise ArgumentError(f"evidence must map variables to states or None, got {type(evidence).__name__}")
        given: dict[str, Label | Likelihood] = {
            name: value for name, value in self.evidence.items() if name not in evidence
        }
        self._model.check_names(list(evidence))
        given |= {name: value for name, value in evidence.items() if value is not None}
        updated = self._condition(given)
        updated._session = self._session_for(updated._evidence)
        return updated

    def explain(self, targets: Sequence[str] | None = None, *, k: int = 5) -> Explanations:
        """The most relevant explanations of the evidence: partial assignments with large generalised Bayes factors.

        The factor of an assignment x to some targets is P(evidence | x) / P(evidence | not x), where not x stands for
        all other joint states of the same variables.

        Parameters
        ----------
        targets
            The variables that an explanation may contain; by default all without evidence.
        k
            The largest number of explanations; there may be fewer minimal ones.

        Returns
        -------
        The minimal explanations with the largest factors, largest first. An explanation is minimal if no proper subset
        of it has as large a factor and no superset a larger one. The status is ``optimal`` if all partial assignments
        were compared, and ``local_optimum`` if there are too many and a beam search was used.

        Examples
        --------
        >>> import credenet
        >>> answers = credenet.textbook.asia().infer({"dysp": "yes", "xray": "yes"})
        >>> found = answers.explain(["tub", "lung", "bronc"], k=2)
        >>> [(dict(one.assignment), round(one.gbf, 2)) for one in found]
        [({'lung': 'yes'}, 28.18), ({'tub': 'yes', 'bronc': 'yes'}, 13.19)]
        """
        return explain(self, targets, k)

    def draw(self, path: str | Path | None = None, *, variables: Sequence[str] | None = None) -> Picture:
        """A picture of the network with the marginal distribution of each variable as bars, which a notebook shows.

        Variables with evidence have another colour.

        Parameters
        ----------
        path
            A ``.svg`` file to write.
        variables
            The variables to draw, with the edges among them; by default all.
        """
        if path is not None and suffix_of(path) != ".svg":
            raise ArgumentError(f"draw writes .svg files, got {Path(path).name!r}")
        n_drawn = len(self._model.states if variables is None else self._model.check_names(variables))
        most = _later.drawing_graphs.MOST_SHOWN
        if not 0 < n_drawn <= most:
            raise ArgumentError(f"a drawing has 1 to {most} variables, not {n_drawn}; name them with variables")
        picture = _later.drawing_marginals.draw(
            self._model, self.marginals(variables), list(self.evidence), repr(self)[1:-1]
        )
        if path is not None:
            picture.save(path)
        return picture

    def __repr__(self) -> str:
        return f"<Inference {count(len(self._model.states), 'variable')}{self._evidence.summary()}>"

    def _repr_html_(self) -> str:
        return _later.drawing_inference.answers_html(self)

    def __str__(self) -> str:
        rows = [
            [name, ", ".join(f"{state} {probability:.4f}" for state, probability in distribution.items())]
            for name, distribution in self.marginals().items()
        ]
        return table(["variable", "probabilities"], rows)

    def _label_values(self, name: str, values: NDArray[np.float64] | None) -> dict[Label, float]:
        labels = self._model.states[name]
        if values is None:
            known = int(self._evidence.states[self._model.index[name]])
            return {label: float(at == known) for at, label in enumerate(labels)}
        return dict(zip(labels, values.tolist(), strict=True))


def _mutual_information(both: NDArray[np.float64]) -> float:
    return max(0.0, _entropy(both.sum(axis=1)) + _entropy(both.sum(axis=0)) - _entropy(both))


def _entropy(table: NDArray[np.float64]) -> float:
    positive = table[table > 0]
    return max(0.0, float(-(positive * np.log(positive)).sum()))
