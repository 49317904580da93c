"""Bayesian networks: a DAG with a probability table for each variable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet._advised import check_keywords
from credenet._arguments import flag, mapping, show_value
from credenet._html import MOST_ROWS, first_rows
from credenet._run.memory import sample_size
from credenet._run.progress import OnProgress, thread_count
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet._text import count, listing, table
from credenet.data.coding import code_type
from credenet.data.dataset import BLOCK_ROWS, Dataset
from credenet.data.sources import as_dataset
from credenet.data.states import Label, StateLabels, find_state, list_labels, texts
from credenet.errors import ArgumentError, DataError, NetworkError
from credenet.graphs import DAG
from credenet.graphs.arguments import HasGraph
from credenet.inference.model import FactorModel
from credenet.inference.prediction import predict_proba
from credenet.networks import changes
from credenet.networks.checks import check_parents, check_states, check_table
from credenet.networks.conditional_table import ConditionalTable
from credenet.networks.interop import from_networkx, from_pgmpy, from_pyagrum, to_networkx, to_pgmpy, to_pyagrum
from credenet.networks.intervention import intervene
from credenet.networks.queryable import Queryable
from credenet.networks.safe_names import rename_network, safe_names
from credenet.networks.structured import Structured

if TYPE_CHECKING:
    from typing import Literal

    from credenet._files.suffixes import NetworkFormat
    from credenet.data.sources import DataLike
    from credenet.drawing.svg import Picture
    from credenet.interventions.questions import Against, Setting
    from credenet.interventions.result import Effects
    from credenet.networks.safe_names import Renaming

_HEADERS = ("variable", "states", "parents")


class BayesianNetwork(Structured, Queryable, HasGraph):
    """A DAG over discrete variables with a probability table for each. Immutable.

    Load one with `credenet.load`, fit one to data with `credenet.fit`. Two networks are equal if they have the same
    variables, states, edges and probabilities, whatever the order of the parents in their tables.

    Attributes
    ----------
    dag
        The structure.
    states
        State labels of each variable: text, whole numbers or truth values, as in the data.

    Examples
    --------
    >>> network = BayesianNetwork(
    ...     states={"rain": ["no", "yes"], "grass": ["dry", "wet"]},
    ...     parents={"grass": ["rain"]},
    ...     tables={"rain": [0.8, 0.2], "grass": [[0.9, 0.1], [0.05, 0.95]]},
    ... )
    >>> network
    <BayesianNetwork 2 variables, 1 edge, 3 parameters>
    >>> network.probability("grass", "wet", rain="yes")
    0.95
    """

    __slots__ = ("_factors", "_offsets", "_tables", "dag", "states")

    dag: DAG
    states: StateLabels
    _tables: NDArray[np.float64]  # All tables in one array.
    _offsets: NDArray[np.int64]
    _factors: FactorModel

    def __init__(
        self,
        states: Mapping[str, Sequence[Label]],
        parents: Mapping[str, Sequence[str]] | DAG,
        tables: Mapping[str, Any],
    ) -> None:
        """A network from its parts.

        Parameters
        ----------
        states
            The labels of each variable; their order is the order of the variables.
        parents
            The parents of each variable (none for a variable that is left out), or a DAG. Their order is kept.
        tables
            For each variable an array with one axis per parent, in the order of ``parents``, and a last axis for
            the variable itself; or the same with the parents' axes flattened into one.
        """
        labels = check_states(states)
        given = check_parents(parents, labels)
        tables = mapping("tables", tables, "arrays")
        dag = DAG.from_parents(given)
        flat: list[NDArray[np.float64]] = []
        for name, family in given.items():
            if name not in tables:
                raise NetworkError(f"variable {name!r} has no probability table", variable=name)
            flat.append(check_table(name, tables[name], family, labels).reshape(-1))
        self._set_tables(dag, labels, flat)

    def _set_tables(self, dag: DAG, states: StateLabels, flat: Sequence[NDArray[np.float64]]) -> None:
        tables = np.concatenate(flat) if flat else np.empty(0)
        offsets = np.concatenate([[0], np.cumsum([len(table) for table in flat])]).astype(np.int64)
        tables.flags.writeable = False
        set_field = object.__setattr__
        set_field(self, "dag", dag)
        set_field(self, "states", MappingProxyType(dict(states)))
        set_field(self, "_tables", tables)
        set_field(self, "_offsets", offsets)
        set_field(self, "_factors", FactorModel.of_families(self.states, dag, tables))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a BayesianNetwork cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        tables = {name: np.array(self.table(name)) for name in self.variables}
        return _rebuilt, (dict(self.states), self.dag, tables, self.elimination_order)

    @property
    def _structure(self) -> DAG:
        return self.dag

    @property
    def variables(self) -> tuple[str, ...]:
        return self.dag.variables

    @property
    def n_states(self) -> NDArray[np.int32]:
        """The number of states of each variable."""
        return np.array([len(labels) for labels in self.states.values()], dtype=np.int32)

    @property
    def n_parameters(self) -> int:
        """The number of free parameters."""
        rows = np.diff(self._offsets) // self.n_states
        return int(np.sum(rows * (self.n_states.astype(np.int64) - 1)))

    @property
    def elimination_order(self) -> tuple[str, ...] | None:
        """The order that exact inference tries besides its own; None if there is none."""
        return tuple(self.variables[at] for at in self._factors.order) or None

    def with_elimination_order(self, order: Sequence[str] | None) -> BayesianNetwork:
        """The same network with an order of all variables that exact inference tries besides its own.

        The order with the smaller tables is used. A network of bounded tree-width that `LearnResult.fit` returns has
        one; the JSON format keeps it.
        """
        return self._with_factors(replace(self._factors, order=self._factors.check_order(order), plans={}))

    def _with_factors(self, model: FactorModel) -> BayesianNetwork:
        other = object.__new__(BayesianNetwork)
        for field in BayesianNetwork.__slots__:
            object.__setattr__(other, field, model if field == "_factors" else getattr(self, field))
        return other

    def parents(self, variable: str) -> tuple[str, ...]:
        """The parents of a variable, in the order of the axes of its table: that in which they were given."""
        return self.dag._names(self.dag._parent_order[self._index(variable)])

    def table(self, variable: str) -> NDArray[np.float64]:
        """P(variable | parents): one axis per parent, in the order of `parents`, and a last one for the variable."""
        at = self._index(variable)
        shape = [len(self.states[name]) for name in (*self.parents(variable), variable)]
        return self._tables[self._offsets[at] : self._offsets[at + 1]].reshape(shape)

    def __getitem__(self, variable: str) -> ConditionalTable:
        """The table of a variable with its labels, which prints well and becomes a frame."""
        return ConditionalTable.from_values(variable, self.parents(variable), self.states, self.table(variable))

    __iter__ = None  # Otherwise Python would iterate by asking for the tables of 0, 1, ….

    def probability(self, variable: str, state: Label, /, **given: Label) -> float:
        """P(variable = state | parents); the states of the parents are keywords.

        Parents whose names are not Python identifiers can be given as ``**{"tumor-size": "15-19"}``.
        """
        parents = self.parents(variable)
        if set(given) != set(parents):
            raise ArgumentError(f"the parents of {variable!r} are {list(parents)}, got {list(given)}")
        index = tuple(self._state(name, given[name]) for name in parents)
        return float(self.table(variable)[(*index, self._state(variable, state))])

    def _index(self, variable: str) -> int:
        if isinstance(variable, str) and variable in self.dag:
            return self.dag.variables.index(variable)
        raise NetworkError(f"there is no variable {show_value(variable)}", variable=str(variable))

    def _state(self, variable: str, state: Label) -> int:
        labels = self.states[variable]
        place = find_state(state, labels)
        if place is None:
            raise NetworkError(f"variable {variable!r} has no state {show_value(state)}; it has {list_labels(labels)}")
        return place

    def __repr__(self) -> str:
        return f"<BayesianNetwork {self._summary()}>"

    def _summary(self) -> str:
        sizes = ((len(self.variables), "variable"), (self.dag.n_edges, "edge"), (self.n_parameters, "parameter"))
        return ", ".join(count(number, noun) for number, noun in sizes)

    def __str__(self) -> str:
        rows = self._rows()
        more = len(rows) - MOST_ROWS
        note = f"\n… and {count(more, 'more variable')}" if more > 0 else ""
        return f"{self._title()}\n{table(_HEADERS, rows[:MOST_ROWS])}{note}"

    def _repr_html_(self) -> str:
        drawing: str = self.dag._repr_html_()
        return drawing + first_rows(self._title(), _HEADERS, self._rows())

    def _title(self) -> str:
        return f"{self._summary()}, at most {count(self.dag.max_in_degree, 'parent')}"

    def _rows(self) -> list[list[str]]:
        return [[name, listing(texts(labels)), ", ".join(self.parents(name))] for name, labels in self.states.items()]

    def draw(
        self, path: str | Path | None = None, *, focus: str | Iterable[str] | None = None, depth: int = 2
    ) -> Picture:
        """A picture of the structure; see `DAG.draw`. `Inference.draw` shows probabilities."""
        return self.dag.draw(path, focus=focus, depth=depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return (
            self.variables == other.variables
            and dict(self.states) == dict(other.states)
            and self.dag == other.dag
            and all(np.array_equal(self.table(name), other._table_by(name, self.parents(name))) for name in self.states)
        )

    def _table_by(self, variable: str, parents: Sequence[str]) -> NDArray[np.float64]:
        """The table with the parents in another order."""
        own = self.parents(variable)
        return self.table(variable).transpose([*map(own.index, parents), len(own)])

    __hash__ = None  # type: ignore[assignment]

    @check_keywords
    def sample(
        self, n_rows: int, *, seed: int | None = 0, n_threads: int | None = None, on_progress: OnProgress | None = None
    ) -> Dataset:
        """Independent rows drawn from the network; the same for a seed with any number of threads.

        The seed is 0 unless another one is given, so that a second call repeats the rows; None draws a fresh one.

        Examples
        --------
        >>> import credenet
        >>> credenet.textbook.asia().sample(1000, seed=1)
        <Dataset 1000 rows, 8 variables>
        """
        n_rows = sample_size(n_rows, len(self.variables) * code_type(int(self.n_states.max())).itemsize)
        run = Run.from_limits(None, None, n_threads, on_progress, seed=seed)
        codes = np.empty((n_rows, len(self.variables)), dtype=code_type(int(self.n_states.max())), order="F")
        order = np.array([self._index(name) for name in self.dag.topological_order()], dtype=np.int32)
        status = _core.sample_forward(self._factors.arrays, order, run.seed, run.n_threads, codes, run.callback())
        require_end(status, DataError("sampling was stopped"))
        codes.flags.writeable = False
        return Dataset(self.states, codes)

    @overload
    def log_likelihood(
        self, rows: DataLike, *, per_row: Literal[False] = False, n_threads: int | None = None
    ) -> float: ...
    @overload
    def log_likelihood(
        self, rows: DataLike, *, per_row: Literal[True], n_threads: int | None = None
    ) -> NDArray[np.float64]: ...

    def log_likelihood(
        self, rows: DataLike, *, per_row: bool = False, n_threads: int | None = None
    ) -> float | NDArray[np.float64]:
        """The natural log of the probability of all rows, with their weights, or of each row.

        The rows are a `Dataset`, a data frame or a two-dimensional array with the variables of the network. A row of
        probability 0 has -inf.
        """
        rows = as_dataset(rows, "rows", only=self.variables, known=self.states)
        flag("per_row", per_row)
        threads = thread_count(n_threads)
        results, sums = [], []
        for first, block in enumerate(rows.row_blocks(BLOCK_ROWS)):
            aligned = block.aligned(self.states, first_row=first * BLOCK_ROWS)
            aligned.check_complete("the log-likelihood needs")
            result = np.empty(len(block))
            status = _core.log_likelihood(self._factors.arrays, aligned.codes, threads, result)
            require_end(status, DataError("the log-likelihood was stopped before it was complete"))
            if per_row:
                results.append(result)
            elif block.weights is None:
                sums.append(float(result.sum()))
            else:  # Rows of weight 0 are skipped: 0 times the log of probability 0 would be NaN.
                weighted = block.weights > 0
                sums.append(float((result[weighted] * block.weights[weighted]).sum()))
        return np.concatenate([np.empty(0), *results]) if per_row else math.fsum(sums)

    def do(self, states: Mapping[str, Label]) -> BayesianNetwork:
        """The network after an intervention: some variables are set to states, whatever their parents are.

        Edges into these variables are cut. `infer` of the result gives P(y | do(x), evidence). That is what would
        happen if x were set from outside, as long as the edges are causal and no two variables have a hidden common
        cause.

        Examples
        --------
        >>> import credenet
        >>> network = credenet.textbook.sprinkler()
        >>> round(network.infer({"sprinkler": "true"}).marginals(["rain"])["rain"]["true"], 3)
        0.3
        >>> round(network.do({"sprinkler": "true"}).infer().marginals(["rain"])["rain"]["true"], 3)
        0.5
        """
        return intervene(self, states)

    def effects(
        self, x: Setting = None, y: Setting = None, *, against: Against = None, n_threads: int | None = None
    ) -> Effects:
        """P(y | do(x)) for each state of x, exactly; see `credenet.effects`.

        Examples
        --------
        >>> import credenet
        >>> effect = credenet.textbook.asia().effects("smoke", "lung")["smoke", "lung"]
        >>> {state: round(chances["yes"], 3) for state, chances in effect.means.items()}
        {'yes': 0.1, 'no': 0.01}
        """
        return _later.interventions_calls.effects(self, x, y, against=against, n_threads=n_threads)

    def with_table(self, variable: str, table: Any, *, parents: Sequence[str] | None = None) -> BayesianNetwork:
        """The network with another table for one variable, and with other parents of it if they are given.

        Examples
        --------
        >>> import credenet
        >>> network = credenet.textbook.asia().with_table("smoke", [0.2, 0.8])
        >>> network.probability("smoke", "yes")
        0.2
        """
        return changes.with_table(self, variable, table, parents)

    def rename(self, names: Mapping[str, str]) -> BayesianNetwork:
        """The network with other names of variables; those that are not among the keys keep theirs."""
        return changes.rename_variables(self, names)

    def with_variable(
        self, variable: str, states: Sequence[Label], table: Any, *, parents: Sequence[str] = ()
    ) -> BayesianNetwork:
        """The network with one more variable, which comes last and has no children.

        The axes of its table are those of ``parents``, and a last one for its states.
        """
        return changes.with_variable(self, variable, states, table, parents)

    def without_variable(self, variable: str) -> BayesianNetwork:
        """The network of the other variables, whose joint distribution stays as it is: one variable is summed out.

        Where its children depended on each other through it, they are joined by new edges.

        Examples
        --------
        >>> import credenet
        >>> sorted(set(credenet.textbook.sprinkler().without_variable("cloudy").edges))
        [('rain', 'wet_grass'), ('sprinkler', 'rain'), ('sprinkler', 'wet_grass')]
        """
        return changes.without_variable(self, variable)

    def marginals(self) -> dict[str, dict[Label, float]]:
        """P(state) for every variable, exactly."""
        return self.infer().marginals()

    def predict_proba(
        self,
        rows: DataLike,
        target: str,
        *,
        memory_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> NDArray[np.float64]:
        """P(target | the other cells of the row) for each row: one column per state of the target.

        Cells and whole variables may be missing; a column of the target is ignored. If the cells of a row that are
        relevant to the target have probability 0, an error names the row.
        """
        return predict_proba(
            self._factor_model(), rows, target, memory_limit=memory_limit, n_threads=n_threads, on_progress=on_progress
        )

    def predict(
        self,
        rows: DataLike,
        target: str,
        *,
        memory_limit: float | None = None,
        n_threads: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> list[Label]:
        """The most probable state of the target for each row, the first one in a tie; see `predict_proba`.

        Labels have the type of the column that the network was fitted to.
        """
        probabilities = self.predict_proba(
            rows, target, memory_limit=memory_limit, n_threads=n_threads, on_progress=on_progress
        )
        labels = self.states[target]
        return [labels[best] for best in probabilities.argmax(axis=1).tolist()]

    def _graph_for(self, argument: str) -> DAG:
        return self.dag

    def _factor_model(self) -> FactorModel:
        return self._factors

    def save(
        self, path: str | Path, *, format: NetworkFormat | None = None, rename: Literal["safe"] | None = None
    ) -> None:
        """Writes the network to a file, in the format of its suffix unless ``format`` is given; `load` reads it.

        Parameters
        ----------
        rename
            ``"safe"`` writes `safe_names` in place of names that some formats or programs cannot read. The network in
            the file is otherwise the same.
        """
        if rename not in (None, "safe"):
            raise ArgumentError(f"rename must be 'safe' or None, got {show_value(rename)}")
        _later.io_networks_formats.save_network(
            self if rename is None else rename_network(self, self.safe_names()), path, format
        )

    def safe_names(self) -> Renaming:
        """The names that ``save(path, rename="safe")`` writes, by those that they replace.

        They have letters, digits and underscores only, and differ from each other.

        Examples
        --------
        >>> network = BayesianNetwork({"tumor size": ["<=1.5", ">1.5"]}, {}, {"tumor size": [0.5, 0.5]})
        >>> network.safe_names().variables
        {'tumor size': 'tumor_size'}
        >>> network.safe_names().states["tumor size"]
        {'<=1.5': 'le_1_5', '>1.5': 'gt_1_5'}
        """
        return safe_names(self)

    def to_networkx(self) -> Any:
        """The structure as a networkx graph with ``states`` and ``table`` attributes on the nodes."""
        return to_networkx(self)

    @staticmethod
    def from_networkx(graph: Any) -> BayesianNetwork:
        """The network of a networkx graph with ``states`` and ``table`` attributes on the nodes."""
        return from_networkx(graph)

    def to_pyagrum(self) -> Any:
        """A ``pyagrum.BayesNet`` with the same tables."""
        return to_pyagrum(self)

    @staticmethod
    def from_pyagrum(model: Any) -> BayesianNetwork:
        """The network of a ``pyagrum.BayesNet``."""
        return from_pyagrum(model)

    def to_pgmpy(self) -> Any:
        """A pgmpy ``DiscreteBayesianNetwork`` with the same tables."""
        return to_pgmpy(self)

    @staticmethod
    def from_pgmpy(model: Any) -> BayesianNetwork:
        """The network of a pgmpy ``DiscreteBayesianNetwork``."""
        return from_pgmpy(model)


def _rebuilt(
    states: Mapping[str, Sequence[Label]], dag: DAG, tables: Mapping[str, Any], order: Sequence[str] | None
) -> BayesianNetwork:
    return BayesianNetwork(states, dag, tables).with_elimination_order(order)
