"""Stand-in until the graphs branch is merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from credenet.errors import GraphError


class DAG:
    def __init__(self, variables: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> None:
        self.variables = tuple(variables)
        index = {v: i for i, v in enumerate(self.variables)}
        parents: list[list[int]] = [[] for _ in self.variables]
        for a, b in edges:
            parents[index[b]].append(index[a])
        self.parent_indices = tuple(tuple(sorted(p)) for p in parents)
        self.topological_order()

    @classmethod
    def from_parents(cls, parents: Mapping[str, Sequence[str]]) -> DAG:
        return cls(parents, [(p, v) for v, ps in parents.items() for p in ps])

    @property
    def n_edges(self) -> int:
        return sum(map(len, self.parent_indices))

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        return tuple((self.variables[p], v) for v, ps in zip(self.variables, self.parent_indices) for p in ps)

    def parents(self, v: str) -> tuple[str, ...]:
        return tuple(self.variables[p] for p in self.parent_indices[self.variables.index(v)])

    def topological_order(self) -> tuple[str, ...]:
        done: list[int] = []
        seen: set[int] = set()
        while len(done) < len(self.variables):
            new = [
                i
                for i in range(len(self.variables))
                if i not in seen and all(p in seen for p in self.parent_indices[i])
            ]
            if not new:
                raise GraphError("cycle")
            done += new
            seen.update(new)
        return tuple(self.variables[i] for i in done)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DAG) and self.variables == other.variables and self.parent_indices == other.parent_indices
        )

    __hash__ = None  # type: ignore[assignment]


class PDAG: ...
