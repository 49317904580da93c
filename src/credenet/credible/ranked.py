"""Sequences of credible networks or classes, best first; each item is made when it is asked for."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from credenet import _later
from credenet._arguments import whole_number
from credenet._text import count
from credenet.structures.listing_limit import check_listing

if TYPE_CHECKING:
    import polars as pl

_MOST_WRITTEN = 1_000_000_000  # Networks that a file may have, which take an hour or so to write.

Item = TypeVar("Item")


class RankedSequence(ABC, Generic[Item]):
    """A sequence of networks or classes, which may have more items than ``len`` can return."""

    _one: ClassVar[str]  # The noun for one item.
    _what: ClassVar[str]  # The noun for several items.

    @property
    @abstractmethod
    def _number(self) -> int:
        """The number of items."""

    @abstractmethod
    def _items_from(self, rank: int) -> Iterator[Item]:
        """The items from rank ``rank`` on."""

    @abstractmethod
    def _schema(self) -> dict[str, Any]:
        """The columns of a frame and their types."""

    @abstractmethod
    def _frames(self, limit: int | None) -> Iterator[pl.DataFrame]:
        """The rows of a frame up to the limit, in blocks."""

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """The facts about the items that a file records."""

    def __len__(self) -> int:
        if self._number > sys.maxsize:
            raise OverflowError(f"{self._number} {self._what} are too many for len(); use n_{self._what}")
        return self._number

    def __bool__(self) -> bool:
        return self._number > 0

    def __iter__(self) -> Iterator[Item]:
        return self._items_from(0)

    @overload
    def __getitem__(self, rank: int) -> Item: ...
    @overload
    def __getitem__(self, rank: slice) -> list[Item]: ...
    def __getitem__(self, rank: int | slice) -> Item | list[Item]:
        if isinstance(rank, slice):
            ranks = range(self._number)[rank]
            if not ranks:
                return []
            low, high = min(ranks), max(ranks)
            several = islice(self._items_from(low), high - low + 1)
            found = {at: item for at, item in enumerate(several, low) if at in ranks}
            return [found[at] for at in ranks]
        place = rank + self._number if rank < 0 else rank
        if not 0 <= place < self._number:
            raise IndexError(f"there are {count(self._number, self._one)}, rank {rank} is not among them")
        return next(self._items_from(place))

    def to_polars(self, limit: int | None = None) -> pl.DataFrame:
        """A polars frame with a row per item, best first: ``rank``, ``score``, ``probability``, and the graph as text.

        Classes also have ``members`` and ``size``, null for numbers above 64 bits. The probability is called
        ``share_found`` if networks as probable may be missing.
        """
        import polars as pl

        if limit is None:
            check_listing(self._number, self._what, "to_polars")
        else:
            whole_number("limit", limit, most=sys.maxsize)
        return pl.concat([pl.DataFrame(schema=self._schema()), *self._frames(limit)])

    def _write_parquet(self, path: str | Path) -> None:
        from credenet.credible.output.files import write_parquet

        check_listing(self._number, self._what, "to_parquet", _MOST_WRITTEN)
        write_parquet(path, self._frames, self._schema(), self._facts())

    def save(self, path: str | Path) -> None:
        """Writes all items, best first, in the format of the suffix: ``.parquet``, ``.json`` or ``.txt``.

        JSON also describes the set, and `load` reads it; the others are tables of networks or classes. The metadata of
        parquet (under ``credenet``) give the same description: which networks the probabilities refer to, and which
        share of the posterior these hold, if known. JSON and text are compressed if the name ends in ``.gz``.
        """
        from credenet.credible.output.files import write

        check_listing(self._number, self._what, "save", _MOST_WRITTEN)
        write(self, path, self._what, lambda: _later.io_results_files.kind_and_state(self))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The set that `save` wrote to a ``.json`` file.

        If a component has more than 10,000,000 networks, the file lists them, but they cannot be read back.
        """
        return _later.io_results_files.load_result(path, cls)
