"""The family table: for each variable its candidate parent sets with their scores, and how they were made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credenet import _later
from credenet._arguments import name_list, real_number, whole_number
from credenet._text import count
from credenet.errors import ArgumentError, GraphError
from credenet.families.arrays import (
    FamilyError,
    FlatFamilies,
    Floats,
    Offsets,
    Places,
    canonical,
    check_flat,
    concatenate,
    find_dominated,
    first_inside,
    number_vector,
    whole_vector,
)
from credenet.families.info import FamilyTableInfo, merge_info, select_info
from credenet.families.merging import merge_families
from credenet.families.statistics import FamilyStatistics, report, statistics_of
from credenet.graphs._base import check_variables, find_variable
from credenet.graphs.arguments import as_dag

if TYPE_CHECKING:
    import polars as pl

    from credenet._files.suffixes import FamilyFormat
    from credenet.graphs.dag import DAG


class Family(NamedTuple):
    """A set of parents and its score.

    Examples
    --------
    >>> import credenet
    >>> families = credenet.score_families(credenet.datasets.asia(), score="bic")
    >>> families.best("xray").parents
    ('either',)
    """

    score: float
    parents: tuple[str, ...]


class FamilyArrays(NamedTuple):
    """The families of one variable: set k has ``scores[k]`` and ``parents[offsets[k]:offsets[k + 1]]``, by position.

    Examples
    --------
    >>> import credenet
    >>> arrays = credenet.score_families(credenet.datasets.asia(), score="bic").arrays(0)
    >>> len(arrays.scores) + 1 == len(arrays.offsets)
    True
    """

    scores: Floats
    offsets: Offsets
    parents: Places


class FamilyTable:
    """For each variable its candidate parent sets with log scores, best first; immutable.

    Sets of equal score are ordered by size, then by the positions of their parents.

    Parameters
    ----------
    variables
        The names, distinct.
    families
        For every variable its scores, the offsets of its sets (one more than scores) and the positions of the
        parents, one set after the other.
    made
        How the table was made; nothing is known by default.

    Examples
    --------
    >>> from credenet import FamilyTable
    >>> families = FamilyTable.from_lists({"a": [(-3.0, ())], "b": [(-2.0, ["a"]), (-2.5, [])]})
    >>> families
    <FamilyTable 2 variables, 3 families>
    >>> families.best("b")
    Family(score=-2.0, parents=('a',))
    >>> families.best("b", available=[])
    Family(score=-2.5, parents=())
    """

    __slots__ = ("_flat", "_index", "_made", "_variables")

    _variables: tuple[str, ...]
    _index: dict[str, int]
    _flat: FlatFamilies
    _made: FamilyTableInfo

    def __init__(
        self,
        variables: Iterable[str],
        families: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike]],
        *,
        made: FamilyTableInfo | None = None,
    ) -> None:
        names = check_variables(variables)
        if len(families) != len(names):
            raise FamilyError(f"families has {len(families)} entries for {count(len(names), 'variable')}")
        scores, sizes, parents = [], [], []
        for name, triple in zip(names, families, strict=True):
            if len(triple) != 3:
                raise FamilyError(f"the families of {name!r} must be scores, offsets and parents")
            numbers = number_vector(triple[0], f"the scores of {name!r}")
            offsets = whole_vector(triple[1], f"the offsets of {name!r}")
            places = whole_vector(triple[2], f"the parents of {name!r}")
            if len(offsets) != len(numbers) + 1:
                raise FamilyError(f"{name!r} has {len(numbers)} scores and {len(offsets)} offsets; one more is needed")
            steps = np.diff(offsets)
            if offsets[0] != 0 or offsets[-1] != len(places) or (steps < 0).any():
                raise FamilyError(f"the offsets of {name!r} must rise from 0 to {len(places)}, the number of parents")
            scores.append(numbers)
            sizes.append(steps)
            parents.append(places)
        self._fill(
            names,
            np.array([len(numbers) for numbers in scores], dtype=np.int64),
            concatenate(scores, np.float64),
            concatenate(sizes, np.int64),
            concatenate(parents, np.int64),
            made,
        )

    def _fill(
        self,
        variables: tuple[str, ...],
        counts: Offsets,
        scores: Floats,
        sizes: Offsets,
        parents: NDArray[np.int64] | Places,
        made: FamilyTableInfo | None,
    ) -> None:
        flat = check_flat(variables, counts, scores, sizes, parents)
        self._adopt(variables, canonical(flat, variables), made or FamilyTableInfo())

    def _adopt(self, variables: tuple[str, ...], flat: FlatFamilies, made: FamilyTableInfo) -> None:
        for array in (flat.starts, flat.scores, flat.offsets, flat.parents):
            array.setflags(write=False)
        self._variables = variables
        self._index = {name: place for place, name in enumerate(variables)}
        self._flat = flat
        self._made = made

    @classmethod
    def from_flat(
        cls,
        variables: Iterable[str],
        counts: ArrayLike,
        scores: ArrayLike,
        sizes: ArrayLike,
        parents: ArrayLike,
        *,
        made: FamilyTableInfo | None = None,
    ) -> FamilyTable:
        """The table of the families of all variables, one after the other.

        Parameters
        ----------
        counts
            The number of families of every variable.
        scores, sizes
            The score and the number of parents of every family.
        parents
            The positions of the parents of all families.
        """
        names = check_variables(variables)
        n_families, n_parents = whole_vector(counts, "counts"), whole_vector(sizes, "sizes")
        numbers, places = number_vector(scores, "scores"), whole_vector(parents, "parents")
        for array, of, total in ((n_families, "counts", len(numbers)), (n_parents, "sizes", len(places))):
            if (array < 0).any() or int(array.sum()) != total:
                raise FamilyError(f"{of} must be at least 0 and add up to {total}")
        if len(n_families) != len(names) or len(n_parents) != len(numbers):
            raise FamilyError("counts must have an entry for every variable and sizes one for every score")
        made_of = cls.__new__(cls)
        made_of._fill(names, n_families, numbers, n_parents, places, made)
        return made_of

    @classmethod
    def from_lists(
        cls,
        lists: Mapping[str, Iterable[tuple[float, Iterable[str]]]],
        *,
        made: FamilyTableInfo | None = None,
    ) -> FamilyTable:
        """The table whose variables are the keys, with the pairs (score, parents) of each."""
        names = check_variables(lists)
        index = {name: place for place, name in enumerate(names)}
        counts: list[int] = []
        scores: list[float] = []
        sizes: list[int] = []
        parents: list[int] = []
        for families in lists.values():
            before = len(scores)
            for score, several in families:
                if isinstance(several, str):
                    raise FamilyError(f"parents must be a list of names, got the text {several!r}")
                places = [find_variable(index, name) for name in several]
                scores.append(score)
                sizes.append(len(places))
                parents += places
            counts.append(len(scores) - before)
        return cls.from_flat(names, counts, scores, sizes, parents, made=made)

    @classmethod
    def in_file(cls, path: str | Path) -> FamilyTable | None:
        """The table in a file; None if the file holds something else."""
        is_table = _later.io_families_family_tables.holds_families(path)
        return _later.io_families_family_tables.load_families(path) if is_table else None

    def save(self, path: str | Path, *, format: FamilyFormat | None = None) -> None:
        """Writes the table in the format that the suffix (or ``format``) names; `credenet.load_families` reads it."""
        _later.io_families_family_tables.save_families(self, path, format)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables; positions count in this order."""
        return self._variables

    @property
    def made(self) -> FamilyTableInfo:
        """How the table was made."""
        return self._made

    def __len__(self) -> int:
        return len(self._flat.scores)

    def __repr__(self) -> str:
        families = "1 family" if len(self) == 1 else f"{len(self):,} families"
        return f"<FamilyTable {count(len(self._variables), 'variable')}, {families}>"

    def __eq__(self, other: object) -> bool:
        """Whether the families are equal and were made in the same way; ``made.evaluated`` may differ."""
        if not isinstance(other, FamilyTable):
            return NotImplemented
        ours, theirs = self._flat, other._flat
        return (
            self._variables == other._variables
            and replace(self._made, evaluated=None) == replace(other._made, evaluated=None)
            and np.array_equal(ours.starts, theirs.starts)
            and np.array_equal(ours.scores, theirs.scores)
            and np.array_equal(ours.offsets, theirs.offsets)
            and np.array_equal(ours.parents, theirs.parents)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        flat = self._flat
        parts = (self._variables, np.diff(flat.starts), flat.scores, flat.sizes, flat.parents)
        return (_rebuilt, (parts, self._made))

    def _span(self, variable: str) -> tuple[int, int]:
        place = find_variable(self._index, variable)
        return int(self._flat.starts[place]), int(self._flat.starts[place + 1])

    def _family(self, at: int) -> Family:
        places = self._flat.parents_of(at)
        return Family(float(self._flat.scores[at]), tuple(self._variables[place] for place in places))

    def families(self, variable: str) -> Iterator[Family]:
        """The families of a variable, best first."""
        return map(self._family, range(*self._span(variable)))

    def scores(self, variable: str) -> Floats:
        """The scores of a variable's families, best first."""
        return self._flat.scores[slice(*self._span(variable))]

    def n_families(self, variable: str) -> int:
        """The number of families of a variable."""
        start, end = self._span(variable)
        return end - start

    def arrays(self, place: int) -> FamilyArrays:
        """The families of the variable at position ``place``, as arrays."""
        if not 0 <= place < len(self._variables):
            raise ArgumentError(f"place must be at least 0 and below {len(self._variables)}, got {place}")
        start, end = self._flat.starts[place : place + 2].tolist()
        offsets = self._flat.offsets[start : end + 1]
        relative = offsets - offsets[0]
        relative.setflags(write=False)
        return FamilyArrays(self._flat.scores[start:end], relative, self._flat.parents[offsets[0] : offsets[-1]])

    def flat(self) -> FlatFamilies:
        """The families of all variables as read-only arrays, without a copy."""
        return self._flat

    def best(self, variable: str, available: Iterable[str] | None = None) -> Family:
        """The best family of a variable whose parents are all available; by default all variables are.

        Examples
        --------
        >>> families = FamilyTable.from_lists({"a": [(-3.0, ())], "b": [(-2.0, ["a"]), (-2.5, [])]})
        >>> families.best("b", available=["a"]).parents
        ('a',)
        """
        start, end = self._span(variable)
        if available is None:
            at = start if start < end else None
        else:
            available = name_list("available", available)
            inside = np.zeros(len(self._variables), dtype=np.bool_)
            inside[[find_variable(self._index, name) for name in available]] = True
            at = first_inside(self._flat, start, end, inside)
        if at is None:
            raise GraphError(f"the table has no family of {variable!r} with the parents available")
        return self._family(at)

    def score_of(self, dag: DAG) -> float:
        """The score of a network: the sum over its families, all of which must be in the table."""
        dag = as_dag(dag, "dag")
        if set(dag.variables) != set(self._variables):
            raise GraphError("the graph and the table must have the same variables")
        return math.fsum(
            float(self._flat.scores[self._flat.starts[child] + place])
            for child, place in enumerate(self.positions(dag))
        )

    def positions(self, dag: DAG) -> list[int]:
        """The position of the family of each variable of a network in its list, counted from 0."""
        return [self._position(name, dag.parents(name)) for name in self._variables]

    def _position(self, variable: str, parents: tuple[str, ...]) -> int:
        arrays = self.arrays(self._index[variable])
        wanted = sorted(self._index[name] for name in parents)
        places = np.flatnonzero(np.diff(arrays.offsets) == len(wanted))
        sets = arrays.parents[arrays.offsets[places][:, None] + np.arange(len(wanted))]
        found = places[(sets == np.array(wanted, dtype=np.int32)).all(axis=1)]
        if not found.size:
            raise GraphError(f"the table has no family of {variable!r} with the parents {{{', '.join(parents)}}}")
        return int(found[0])

    def select(self, variables: Iterable[str]) -> FamilyTable:
        """The table of some variables, in the order given; families with other parents are left out."""
        names = check_variables(variables)
        olds = np.array([find_variable(self._index, name) for name in names], dtype=np.int64)
        made = select_info(self._made, names, self._variables)
        return self._assemble(names, canonical(self._flat.select(olds), names), made)

    def merge(self, other: FamilyTable) -> FamilyTable:
        """The families of both tables, over the variables of both.

        A family of both tables must have the same score in both, up to rounding; the score of this table is kept.
        ``made`` states what holds for both tables.
        """
        same = set(self._variables) == set(other._variables)
        made = merge_info(self._made, other._made, same_variables=same)
        names = tuple(dict.fromkeys(self._variables + other._variables))
        index = {name: place for place, name in enumerate(names)}
        ours, theirs = (
            part._flat.move(np.array([index[name] for name in part._variables], dtype=np.int32), len(names))
            for part in (self, other)
        )
        return self._assemble(names, canonical(merge_families(ours, theirs, names), names), made)

    def restrict(self, *, max_parents: int | None = None, slack: float | None = None) -> FamilyTable:
        """The families with at most ``max_parents`` parents that are not dominated within a slack.

        Parameters
        ----------
        max_parents
            The largest number of parents that is kept.
        slack
            A set is pruned if a proper subset in the table scores better by more than this. The slack must be at most
            that of the table, as pruned sets cannot be restored. Pruning is not safe under knowledge that may need
            the larger set, such as required ancestors or adjacencies.
        """
        flat, made = self._flat, self._made
        if max_parents is not None:
            max_parents = whole_number("max_parents", max_parents)
            flat = flat.keep(flat.sizes <= max_parents)
            made = replace(made, max_parents=min(max_parents, max_parents if (m := made.max_parents) is None else m))
        if slack is not None:
            real_number("slack", slack, least=0, infinite=True)
            if made.slack is not None and slack > made.slack:
                raise ArgumentError(f"slack must be at most {made.slack}, with which the table was made, got {slack}")
            flat = flat.keep(~find_dominated(flat, slack))
            if made.slack is not None:  # An unknown slack remains unknown.
                made = replace(made, slack=slack)
        return self._assemble(self._variables, flat, made)

    def filter(self, keep: ArrayLike) -> FamilyTable:
        """The families for which ``keep`` is True, in the order of `flat`."""
        chosen = np.asarray(keep, dtype=np.bool_)
        if chosen.shape != self._flat.scores.shape:
            raise ArgumentError(f"keep must have one entry for each family, {len(self)} in all")
        made = replace(self._made, unscored=None)  # The known gains compare with families that may be removed.
        return self._assemble(self._variables, self._flat.keep(chosen), made)

    def with_info(self, made: FamilyTableInfo) -> FamilyTable:
        """The same families with another description of how they were made."""
        return self._assemble(self._variables, self._flat, made)

    @staticmethod
    def _assemble(variables: tuple[str, ...], flat: FlatFamilies, made: FamilyTableInfo) -> FamilyTable:
        result = FamilyTable.__new__(FamilyTable)
        result._adopt(variables, flat, made)
        return result

    def statistics(self) -> FamilyStatistics:
        """The numbers of families, in all and per variable, and the size of the largest set."""
        return statistics_of(self._flat)

    def summary(self) -> str:
        """A report: the size of the table and how it was made."""
        return f"{self!r}\n{report(self.statistics(), self._made)}"

    __str__ = summary

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def to_polars(self) -> pl.DataFrame:
        """A polars frame with a row for every family: ``variable``, ``score``, ``parents``."""
        import polars as pl

        flat, names = self._flat, pl.Series(self._variables, dtype=pl.String)
        frame = pl.DataFrame({"variable": names.gather(flat.children), "score": flat.scores})
        rows = np.repeat(np.arange(len(self)), flat.sizes)
        sets = (
            pl.DataFrame({"row": rows, "parents": names.gather(flat.parents)})
            .group_by("row", maintain_order=True)
            .agg("parents")
        )
        none = pl.lit([], dtype=pl.List(pl.String))
        return (
            frame.with_row_index("row")
            .with_columns(pl.col("row").cast(pl.Int64))
            .join(sets, on="row", how="left", maintain_order="left")
            .select("variable", "score", pl.col("parents").fill_null(none))
        )


def _rebuilt(parts: tuple[Any, ...], made: FamilyTableInfo) -> FamilyTable:
    return FamilyTable.from_flat(*parts, made=made)
