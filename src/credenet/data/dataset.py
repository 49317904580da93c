"""Discrete data: a table of small-integer codes with named variables and states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet._advised import Advised, check_keywords
from credenet._arguments import mapping, name_list, show_value, whole_number
from credenet._text import several
from credenet.data.checks import Codes, as_array, check_codes, check_indices, check_weights, same_arrays
from credenet.data.coding import MAX_STATES, CodedTable, CodingOptions, Missing, States, code_table
from credenet.data.digests import digest_of
from credenet.data.discretize import Method
from credenet.data.labels import Decimal
from credenet.data.merging import Groups, merge_codes
from credenet.data.states import Label, StateLabels, check_labels, list_labels, state_positions
from credenet.errors import DataError

if TYPE_CHECKING:
    import polars as pl

    from credenet.data.info import DatasetInfo

BLOCK_ROWS = 65_536  # Rows of a block, in files and in work that is done block by block.


class Dataset(Advised):
    """Rows of discrete variables: codes, state names and, where given, row weights. Immutable.

    Read one with `credenet.read`, or make one with `Dataset.from_frame`.

    Attributes
    ----------
    variables
        Names of the columns.
    states
        State labels of each variable, in the order of their codes, with the type that they have in the frame: text,
        whole numbers or truth values. A declared state need not occur.
    codes
        Read-only array, one row per observation and one column per variable, stored column by column; ``uint8``,
        or ``uint16`` where a variable has too many states. ``missing_code`` marks a missing cell.
    weights
        A non-negative weight for each row, or None.
    cuts
        Cut points of the variables that were discretised; pass them as ``discretize`` to code other data the same way.

    Examples
    --------
    >>> import credenet
    >>> import polars as pl
    >>> data = credenet.Dataset.from_frame(pl.DataFrame({"rain": ["no", "yes", "yes"], "grass": ["dry", "wet", "wet"]}))
    >>> data
    <Dataset 3 rows, 2 variables>
    >>> data.states["grass"]
    ('dry', 'wet')
    """

    __slots__ = ("_codes", "_digest", "_info", "_notes", "_source_rows", "_weights", "cuts", "states", "variables")

    variables: tuple[str, ...]
    states: StateLabels
    cuts: Mapping[str, tuple[float, ...]]
    _codes: Codes | None
    _weights: NDArray[np.float64] | None
    _digest: str
    _info: DatasetInfo | None
    _notes: tuple[str, ...]  # Remarks made while the data were read.
    _source_rows: NDArray[np.int64] | None  # Positions of the rows in their source, if the source has more.

    def __init__(
        self,
        states: Mapping[str, Sequence[Label]],
        codes: NDArray[Any],
        *,
        weights: NDArray[Any] | None = None,
        cuts: Mapping[str, tuple[float, ...]] | None = None,
    ) -> None:
        """A dataset from codes; `credenet.read` and `from_frame` are the usual ways.

        Parameters
        ----------
        states
            The labels of each variable, in the order of the columns of ``codes``.
        codes
            Integers, rows by variables: the index of the state, or -1 (in a signed array) or the largest value of
            the type (in an unsigned one) for a missing cell. A writable array is copied.
        """
        given = {
            str(name): check_labels(f"the states of {name!r}", labels)
            for name, labels in mapping("states", states, "lists of labels").items()
        }
        for name, labels in given.items():
            if not labels:
                raise DataError(f"variable {name!r} has no states")
            if len(set(labels)) < len(labels):
                raise DataError(f"variable {name!r} has two states of the same name")
        checked = check_codes(as_array("codes", codes), given)
        set_field = object.__setattr__
        set_field(self, "variables", tuple(given))
        set_field(self, "states", MappingProxyType(given))
        set_field(self, "_codes", checked)
        set_field(self, "_weights", None if weights is None else check_weights(weights, len(checked)))
        set_field(self, "cuts", MappingProxyType({} if cuts is None else mapping("cuts", cuts, "cut points")))
        set_field(self, "_info", None)
        set_field(self, "_notes", ())
        set_field(self, "_source_rows", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Dataset cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        weights = None if self.weights is None else np.asarray(self.weights)
        return _rebuild, (dict(self.states), np.asarray(self.codes), weights, dict(self.cuts), self._source_rows)

    @classmethod
    @check_keywords
    def from_frame(
        cls,
        frame: Any,
        *,
        variables: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        drop: str | Sequence[str] = (),
        discretize: Method | Mapping[str, Method] | None = None,
        decimal: Decimal | None = None,
        missing: Missing = "error",
        na_values: str | Iterable[object] = (),
        weights: str | None = None,
        states: States | Mapping[str, Sequence[Label]] = "declared",
        max_states: int = MAX_STATES,
        merge_states: Mapping[str, Groups] | None = None,
    ) -> Dataset:
        """A dataset from a pandas, polars or arrow frame, or from a two-dimensional numpy array.

        Parameters are those of `credenet.read`; ``variables`` names the columns of an array. The categories of a
        categorical column are its declared states, in their order.

        Examples
        --------
        >>> import numpy as np
        >>> Dataset.from_frame(np.array([[0, 1], [1, 1]]), variables=["rain", "wet"])
        <Dataset 2 rows, 2 variables>
        """
        if variables is not None:
            variables = name_list("variables", variables)
        options = CodingOptions.from_arguments(
            columns=columns,
            drop=drop,
            discretize=discretize,
            decimal=decimal,
            missing=missing,
            na_values=na_values,
            weights=weights,
            states=states,
            max_states=max_states,
            merge_states=merge_states,
        )
        return cls._of_frame(frame, options, variables)._with_states(options.known)

    @classmethod
    def _of_frame(cls, frame: Any, options: CodingOptions, variables: Sequence[str] | None = None) -> Dataset:
        return cls._from_table(code_table(_later.io_tables_frames.columns_of_frame(frame, variables), options))

    @classmethod
    def _from_table(cls, table: CodedTable) -> Dataset:
        data = cls(table.states, table.codes, weights=table.weights, cuts=table.cuts)
        object.__setattr__(data, "_notes", table.notes)
        return data._number_rows(table.kept)

    def _with_states(self, known: StateLabels) -> Dataset:
        """The same rows; variables in ``known`` get the states given there, and other names are ignored."""
        given = {name: known[name] for name in self.variables if name in known}
        if not given:
            return self
        data = self.aligned({**self.states, **given})
        object.__setattr__(data, "_notes", self._notes)
        kept = {name: cuts for name, cuts in self.cuts.items() if data.states[name] == self.states[name]}
        object.__setattr__(data, "cuts", MappingProxyType(kept))
        return data

    @classmethod
    def _from_codes(cls, like: Dataset, codes: NDArray[Any], weights: NDArray[np.float64] | None) -> Dataset:
        """Rows in memory with the variables of another dataset, which need no checks."""
        data = Dataset.__new__(Dataset)
        for array in (codes, weights):
            if array is not None:
                array.flags.writeable = False
        set_field = object.__setattr__
        for name in ("variables", "states", "cuts"):
            set_field(data, name, getattr(like, name))
        for name, value in (("_codes", codes), ("_weights", weights), ("_info", None), ("_notes", ())):
            set_field(data, name, value)
        return data._number_rows(None)

    def _number_rows(self, source_rows: NDArray[np.int64] | None) -> Dataset:
        """Records the positions of the rows in their source, by which errors count them; returns this dataset."""
        object.__setattr__(self, "_source_rows", source_rows)
        return self

    def _row_number(self, row: int) -> int:
        """The number of a row in its source, counted from 1, for errors."""
        return row + 1 if self._source_rows is None else int(self._source_rows[row]) + 1

    @property
    def codes(self) -> Codes:
        """The codes of all rows: one row per observation and one column per variable."""
        assert self._codes is not None
        return self._codes

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """A non-negative weight for each row, or None."""
        return self._weights

    @property
    def n_rows(self) -> int:
        return int(self.codes.shape[0])

    @property
    def n_variables(self) -> int:
        return len(self.variables)

    @property
    def total_weight(self) -> float:
        """The number of rows, or the sum of their weights."""
        return float(len(self) if self.weights is None else self.weights.sum())

    @property
    def n_states(self) -> NDArray[np.int32]:
        """The number of states of each variable."""
        return np.array([len(labels) for labels in self.states.values()], dtype=np.int32)

    @property
    def missing_code(self) -> int:
        """The code of a missing cell."""
        return int(np.iinfo(self.codes.dtype).max)

    @property
    def missing(self) -> dict[str, int]:
        """The number of missing cells of each variable that has any."""
        # The code of a missing cell is above all others, so the maximum of a column shows whether one is missing.
        counts = {
            name: int(np.count_nonzero(self.codes[:, at] == self.missing_code))
            for at, name in enumerate(self.variables)
            if self.n_rows and int(self.codes[:, at].max()) == self.missing_code
        }
        return {name: count for name, count in counts.items() if count}

    def check_complete(self, who: str) -> None:
        """Refuses missing cells; ``who`` begins the message, such as "scoring needs"."""
        if self.missing:
            raise DataError(
                f"{who} complete rows; cells are missing in {several(list(self.missing))}; "
                "read the data with missing='drop'"
            )

    def __len__(self) -> int:
        return self.n_rows

    @property
    def _is_weighted(self) -> bool:
        return self._weights is not None

    def _n_bytes(self) -> int:
        """The bytes of the rows in memory."""
        row = self.n_variables * (1 if self.missing_code < 256 else 2) + (8 if self._is_weighted else 0)
        return self.n_rows * row

    def __repr__(self) -> str:
        weighted = ", weighted" if self._is_weighted else ""
        return f"<{type(self).__name__} {self.n_rows} rows, {self.n_variables} variables{weighted}>"

    def _repr_html_(self) -> str:
        return _later.drawing_data.dataset_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return (
            self.variables == other.variables
            and dict(self.states) == dict(other.states)
            and dict(self.cuts) == dict(other.cuts)
            and _same_rows(self, other)
        )

    __hash__ = None  # type: ignore[assignment]

    def digest(self) -> str:
        """A fingerprint of names, states, codes and weights: equal for equal data, whatever the file was.

        Examples
        --------
        >>> import credenet
        >>> credenet.datasets.asia().digest() == credenet.datasets.asia().digest()
        True
        """
        digest: str | None = getattr(self, "_digest", None)
        if digest is None:
            digest = digest_of(self)
            object.__setattr__(self, "_digest", digest)
        return digest

    def select(self, variables: Iterable[str]) -> Dataset:
        """The dataset of some variables, in the order given."""
        chosen = self._indices_of(variables)
        names = [self.variables[at] for at in chosen]
        return Dataset(
            {name: self.states[name] for name in names},
            self.codes[:, chosen],
            weights=self.weights,
            cuts={name: self.cuts[name] for name in names if name in self.cuts},
        )._number_rows(self._source_rows)

    def _indices_of(self, variables: Iterable[str]) -> list[int]:
        names = name_list("variables", variables)
        places = {name: at for at, name in enumerate(self.variables)}
        chosen = [places[name] if name in places else self.index(name) for name in names]
        if len(set(chosen)) < len(chosen):
            raise DataError(f"variables must differ, got {names}")
        return chosen

    def take(self, indices: slice | Sequence[int] | NDArray[Any]) -> Dataset:
        """The dataset of some rows: a slice, indices or a mask. States that no longer occur are kept.

        Errors count the chosen rows from 1.
        """
        picked = indices if isinstance(indices, slice) else check_indices(indices, self.n_rows)
        return Dataset(
            self.states,
            self.codes[picked],
            weights=None if self.weights is None else self.weights[picked],
            cuts=self.cuts,
        )

    def row_blocks(self, n_rows: int | None = None) -> Iterator[Dataset]:
        """Consecutive rows as datasets of ``n_rows`` in memory; by default all rows at once.

        A `BlockDataset` gives the blocks of its file by default, so that all rows are never in memory together.

        Examples
        --------
        >>> import credenet
        >>> [len(block) for block in credenet.datasets.asia(10).row_blocks(4)]
        [4, 4, 2]
        """
        if n_rows is None:
            yield self
            return
        step = whole_number("n_rows", n_rows, least=1)
        numbers = self._source_rows
        for begin in range(0, self.n_rows, step):
            rows = slice(begin, begin + step)
            weights = None if self.weights is None else self.weights[rows]
            block = self._from_codes(self, np.asfortranarray(self.codes[rows]), weights)
            yield block._number_rows(None if numbers is None else numbers[rows])

    def _column_blocks(self, at: int) -> Iterator[NDArray[Any]]:
        """The codes of a variable, in pieces of consecutive rows."""
        yield self.codes[:, at]

    def _state_counts(self) -> list[NDArray[np.int64]]:
        """For each variable the number of rows in each state."""
        return [
            np.bincount(self.codes[:, at], minlength=self.missing_code + 1)[: len(labels)]
            for at, labels in enumerate(self.states.values())
        ]

    def merge_states(self, variable: str, groups: Groups) -> Dataset:
        """The same rows with some states of a variable merged; ``groups`` maps each new state to its old ones.

        A new state stands where the first of its old ones stood. To code a file in the same way, pass
        ``merge_states={variable: groups}`` to `credenet.read`.

        Examples
        --------
        >>> import credenet
        >>> credenet.datasets.asia().merge_states("smoke", {"any": ["yes", "no"]}).states["smoke"]
        ('any',)
        """
        at, is_cut = self.index(variable), variable in self.cuts
        states, codes = merge_codes(variable, self.states[variable], self.codes, at, groups, is_cut=is_cut)
        merged = Dataset({**self.states, variable: states}, codes, weights=self.weights, cuts=self.cuts)
        return merged._number_rows(self._source_rows)

    def index(self, variable: str) -> int:
        """The position of a variable."""
        if isinstance(variable, str) and variable in self.states:
            return self.variables.index(variable)
        raise DataError(f"there is no variable {show_value(variable)}")

    def aligned(self, states: Mapping[str, Sequence[Label]], *, first_row: int = 0) -> Dataset:
        """The same rows coded by the given variables and states (such as those of a network).

        Variables are matched by name and states by label, or by its text if the types differ; other columns are left
        out. An error names the row as the source of the data counts it; ``first_row`` rows came before.
        """
        states = mapping("states", states, "lists of labels")
        if list(states) == list(self.states) and all(tuple(states[name]) == self.states[name] for name in states):
            return self
        codes = np.empty((self.n_rows, len(states)), dtype=np.int32, order="F")
        for at, (name, labels) in enumerate(states.items()):
            if name not in self.states:
                raise DataError(f"the data have no variable {name!r}")
            places = state_positions(self.states[name], labels)
            code_of = np.array([-2 if place is None else place for place in places], dtype=np.int32)
            column = self.codes[:, self.index(name)]
            is_missing = column == self.missing_code
            coded = code_of[np.where(is_missing, 0, column)]
            coded[is_missing] = -1
            if (coded == -2).any():
                row = int(np.argmax(coded == -2))
                label = self.states[name][int(column[row])]
                number = self._row_number(row) + (first_row if self._source_rows is None else 0)
                raise DataError(
                    f"variable {name!r} has the value {label!r} (row {number}), "
                    f"which is none of the states {list_labels(labels)}"
                )
            codes[:, at] = coded
        return Dataset(states, codes, weights=self.weights)._number_rows(self._source_rows)

    def to_polars(self) -> pl.DataFrame:
        """A polars frame of state labels, missing cells null.

        A column of text is an Enum of its states; numbers and truth values are Int64 and Boolean.
        """
        return _later.io_tables_formats.to_polars(self)

    def to_pandas(self) -> Any:
        """A pandas frame of state labels, missing cells NaN or NA.

        A column of text is a Categorical of its states; numbers and truth values are int64 and bool, or Int64 and
        boolean if cells are missing.

        Examples
        --------
        >>> import credenet
        >>> credenet.datasets.asia(3, seed=1).to_pandas()["smoke"].tolist()
        ['no', 'no', 'yes']
        """
        return _later.io_tables_frames.to_pandas(self.to_polars())

    @property
    def _is_elsewhere(self) -> bool:
        """Whether counting does not need the rows in memory."""
        return False

    def _row_table(self) -> _core.RowTable:
        """The rows in memory in the form that the core counts."""
        codes: Any = self.codes  # The core takes both types of codes; mypy cannot tell which one this is.
        return _core.RowTable(codes, np.empty(0) if self.weights is None else np.asarray(self.weights))

    def _count_source(self) -> _core.CountSource:
        """The source of counts for the core: the rows in memory, or a substitute."""
        return self._row_table()

    def save(self, path: str | Path) -> None:
        """Writes the data as ``.csv``, ``.tsv``, ``.dat`` or ``.parquet``, optionally with ``.gz``, or as ``.cnb``.

        `credenet.read` reads them. ``.parquet`` and ``.cnb`` keep all: rows, states in their order, and cuts. Text does
        not keep cuts, the order of states, nor states that do not occur. Weights of ``.parquet`` and text are the
        column ``weight``, which ``read(path, weights="weight")`` takes as such.
        """
        _later.io_tables_formats.save_table(self, path)

    def info(self) -> DatasetInfo:
        """A summary of the data, with remarks on what is unusual.

        Examples
        --------
        >>> import credenet
        >>> credenet.datasets.asia().info().constant
        ()
        """
        from credenet.data.info import DatasetInfo

        if self._info is None:
            object.__setattr__(self, "_info", DatasetInfo.of(self, self._notes))
        assert self._info is not None
        return self._info


def _rebuild(states: Any, codes: Any, weights: Any, cuts: Any, source_rows: Any) -> Dataset:
    return Dataset(states, codes, weights=weights, cuts=cuts)._number_rows(source_rows)


def _same_rows(a: Dataset, b: Dataset) -> bool:
    """Whether the rows of two datasets with the same states are equal; those of block files are compared by block."""
    if a.n_rows != b.n_rows or a.missing_code != b.missing_code:
        return False
    step = None if a._codes is not None and b._codes is not None else BLOCK_ROWS
    pairs = zip(a.row_blocks(step), b.row_blocks(step), strict=True)
    return all(same_arrays(one.codes, other.codes) and same_arrays(one.weights, other.weights) for one, other in pairs)
