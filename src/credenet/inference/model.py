"""A network as inference sees it: a product of factors over named variables, in the form the core takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import name_list
from credenet._text import byte_count
from credenet.data.states import Label, StateLabels
from credenet.errors import ArgumentError, NetworkError
from credenet.graphs import DAG

MOST_PLANS = 16  # Plans kept per model; they are small, as a plan does not hold the tables of cliques.

Ints = NDArray[np.int32]
Mask = NDArray[np.uint8]
PlanKey = tuple[bytes, bytes, bytes, tuple[bool, bool, bool, float, float], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class FactorModel:
    """Factors of a network, and the plans of recent queries.

    Attributes
    ----------
    directed
        Whether the factors are the tables of a Bayesian network, one for each variable.
    scopes
        The variables of each factor; for a probability table, the parents and then the child.
    order
        All variables in an elimination order that plans try besides their own; none if empty.
    tables
        The tables of all factors, one after another; ``arrays`` refers to them.
    fixed
        The states that variables were set to by an intervention.
    lock
        Held while the plans are looked up or changed: threads may ask at once.
    """

    states: StateLabels
    arrays: _core.FactorArrays
    directed: bool
    index: Mapping[str, int]
    n_states: Ints
    scopes: Sequence[Sequence[int]]
    tables: NDArray[np.float64]
    order: tuple[int, ...] = ()
    fixed: Mapping[str, Label] = field(default_factory=dict)
    plans: dict[PlanKey, _core.InferencePlan] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock, compare=False)

    @classmethod
    def from_tables(
        cls,
        states: StateLabels,
        scopes: Sequence[Sequence[int]],
        tables: NDArray[np.float64],
        *,
        directed: bool,
    ) -> FactorModel:
        """A model from the tables of all factors in one array; in each table the last variable changes fastest."""
        n_states = np.array([len(labels) for labels in states.values()], dtype=np.int32)
        scope_offsets = np.cumsum([0, *map(len, scopes)], dtype=np.int64)
        flat = np.array([at for scope in scopes for at in scope], dtype=np.int32)
        sizes = [math.prod(int(n_states[at]) for at in scope) for scope in scopes]
        table_offsets = np.cumsum([0, *sizes], dtype=np.int64)
        arrays = _core.FactorArrays(n_states, scope_offsets, flat, table_offsets, tables)
        index = {name: at for at, name in enumerate(states)}
        return cls(states, arrays, directed, index, n_states, scopes, tables)

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes a copy rebuild the arrays of the core; plans are not copied."""
        return _made_again, (dict(self.states), self.scopes, self.tables, self.directed, self.order, dict(self.fixed))

    @classmethod
    def of_families(cls, states: StateLabels, dag: DAG, tables: NDArray[np.float64]) -> FactorModel:
        """The model of a Bayesian network: one factor for each family, over the parents and then the child."""
        scopes = [(*parents, at) for at, parents in enumerate(dag._parent_order)]
        return cls.from_tables(states, scopes, tables, directed=True)

    def check_names(self, variables: Sequence[str]) -> list[str]:
        """The names, checked to be distinct variables of the model."""
        names = name_list("variables", variables)
        for name in names:
            if name not in self.states:
                raise NetworkError(f"there is no variable {name!r}", variable=name)
        if len(set(names)) < len(names):
            raise ArgumentError(f"variables must differ, got {names}")
        return names

    def check_order(self, order: Sequence[str] | None) -> tuple[int, ...]:
        """The positions of the variables in an elimination order, checked to be complete; empty for None."""
        if order is None:
            return ()
        if sorted(name_list("elimination_order", order)) != sorted(self.states):
            raise ArgumentError(f"elimination_order must list each of the {len(self.states)} variables once")
        return tuple(self.index[name] for name in order)

    def split_values(self, flat: NDArray[np.float64], variables: Sequence[int]) -> dict[int, NDArray[np.float64]]:
        """The values of each variable's states, from an array with one variable after another."""
        ends = np.cumsum([int(self.n_states[at]) for at in variables]).tolist()
        return {at: flat[end - int(self.n_states[at]) : end] for at, end in zip(variables, ends, strict=True)}

    def plan(
        self,
        *,
        observed: Mask,
        weighted: Mask,
        targets: Sequence[int],
        joint: bool,
        whole_evidence: bool = True,
        maximised: bool = False,
        most: tuple[float, float] = (math.inf, math.inf),
        order: Sequence[int] = (),
        n_threads: int,
    ) -> _core.InferencePlan:
        """The clique tree for a kind of query; recent ones are kept.

        With ``maximised`` the targets are maximised over and the other variables summed out. All sums come first if
        that takes at most ``most`` bytes and cells. If no order is given, the best of several greedy orders and of the
        model's own is used.
        """
        chosen = np.array(targets, dtype=np.int32)
        extremes = np.zeros(len(self.states) if maximised else 0, dtype=np.uint8)
        if maximised:
            extremes[chosen] = 1
        shape = (joint, whole_evidence, maximised, *most)
        key = (observed.tobytes(), weighted.tobytes(), chosen.tobytes(), shape, tuple(order))
        with self.lock:
            plan = self.plans.pop(key, None)
        if plan is None:
            orders = [order] if order or not self.order else [(), self.order]
            plans = [
                _core.InferencePlan(
                    factors=self.arrays,
                    directed=self.directed,
                    observed=observed,
                    weighted=weighted,
                    targets=chosen,
                    joint=joint,
                    whole_evidence=whole_evidence,
                    maximised=extremes,
                    most_bytes=most[0],
                    most_cells=most[1],
                    order=np.array(tried, dtype=np.int32),
                    n_threads=n_threads,
                )
                for tried in orders
            ]
            plan = min(plans, key=lambda each: each.cells)
        with self.lock:
            while len(self.plans) >= MOST_PLANS:
                del self.plans[next(iter(self.plans))]
            self.plans[key] = plan
        return plan


def _made_again(
    states: dict[str, tuple[Label, ...]],
    scopes: Sequence[Sequence[int]],
    tables: NDArray[np.float64],
    directed: bool,
    order: tuple[int, ...],
    fixed: dict[str, Label],
) -> FactorModel:
    model = FactorModel.from_tables(MappingProxyType(states), scopes, tables, directed=directed)
    return replace(model, order=order, fixed=fixed)


def memory_problem(plan: _core.InferencePlan, memory: float) -> str | None:
    """Why the tables of a plan do not fit into memory; None if they do."""
    if plan.bytes <= memory:
        return None
    return (
        f"exact inference needs {byte_count(plan.bytes)} of memory (a clique tree of width {plan.width} with "
        f"2^{math.log2(plan.cells):.1f} cells), more than memory_limit, {byte_count(memory)}"
    )


def check_plan(plan: _core.InferencePlan, memory: float) -> None:
    """Raises an error if the tables of a plan do not fit into memory."""
    problem = memory_problem(plan, memory)
    if problem is not None:
        raise ArgumentError(
            f"{problem}; give more evidence, ask for fewer variables, pass a better elimination_order, raise "
            'memory_limit, or approximate: method="ijgp", "importance_sampling", "gibbs", "loopy_bp" or "auto"'
        )
