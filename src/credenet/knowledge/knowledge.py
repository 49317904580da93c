"""Knowledge of a network before learning: edges, tiers, orders, numbers of parents, ancestors, independences.

`Knowledge` checks itself when it is made. It refuses rules that contradict each other for any set of variables, and
names them; rules that it accepts may still allow no network. From required edges and ancestors it infers which edges
would close a cycle. An adjacent pair with one possible direction becomes a required edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _later
from credenet._advised import Advised, check_keywords
from credenet._arguments import instance, mapping
from credenet._text import count
from credenet.errors import KnowledgeError
from credenet.graphs.arguments import as_dag
from credenet.knowledge.consequences import consequences
from credenet.knowledge.rules import RuleSets, arrow, independence_text, reach_from
from credenet.knowledge.shapes import (
    Independence,
    Names,
    Pair,
    ShapeError,
    Triple,
    check_bound,
    check_edges,
    check_flag,
    check_immoralities,
    check_independences,
    check_names,
    check_tiers,
    check_unordered,
)
from credenet.settings.limits import (
    OTHERS,
    Limits,
    LimitsLike,
    check_limits,
    check_wildcard,
    limit_of,
    limits_by_variable,
    names_with_limits,
    smaller_limits,
)

if TYPE_CHECKING:
    from credenet.graphs.arguments import GraphLike


@dataclass(frozen=True, slots=True)
class ParentRules:
    """The parents that each variable must or may have, by position in ``variables``.

    Examples
    --------
    >>> import credenet
    >>> rules = credenet.Knowledge(required=[("rain", "grass")]).allowed(("rain", "grass"))
    >>> rules.required
    ((), (0,))
    """

    variables: tuple[str, ...]
    required: tuple[tuple[int, ...], ...]
    possible: NDArray[np.bool_]
    """For each child (row) whether each variable (column) may be its parent, those required included."""
    max_parents: tuple[int, ...]

    @property
    def candidates(self) -> tuple[tuple[int, ...], ...]:
        """For each variable its possible parents, including the required ones."""
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in self.possible)


@dataclass(frozen=True, slots=True, init=False)
class Knowledge(Advised):
    """Rules that a network must obey; immutable, and the order in which rules are given does not matter.

    Parameters
    ----------
    required, forbidden
        Edges (parent, child).
    tiers
        Groups of variables, earliest first: no edge leads from a later group to an earlier one. Variables in no group
        form a last one; ``"*"`` in a group stands for them and puts them there. So ``[["age"]]`` says that nothing
        causes age.
    no_parents
        Variables that cannot be effects: they have no parents.
    max_parents
        The largest number of parents: one for all, or by variable, with ``"*"`` for those not named.
    adjacent, not_adjacent
        Pairs that must, or must not, be joined by an edge in either direction.
    ancestral, not_ancestral
        Pairs (a, b) with a directed path from a to b, or with none.
    order
        Variables, first to last: no edge leads backwards. Variables not listed are free.
    min_edges, max_edges, min_roots, max_roots
        Bounds on the number of edges and of variables without parents.
    no_immoralities
        Parents of a common child are always adjacent, so that the network is equivalent to a chordal graph.
    forbidden_immoralities
        Triples (a, child, b): not a -> child <- b with a and b not adjacent.
    independences
        Triples (A, B, S) of names or lists of names: A and B are d-separated by S.
    isolate_constant
        Whether variables with one observed state have no edges but those that `required`, `adjacent` and `ancestral`
        ask for. That is so by default, as data say nothing of such edges; a score may still prefer them where more
        states are declared. False leaves them to the score.

    Examples
    --------
    >>> rules = Knowledge(required=[("smoke", "lung")], tiers=[["asia", "smoke"], ["lung"]])
    >>> rules.allowed(["asia", "smoke", "lung"]).candidates
    ((1,), (0,), (0, 1))
    >>> Knowledge(required=[("a", "b"), ("b", "a")])
    Traceback (most recent call last):
    credenet.errors.KnowledgeError: the required edges make a cycle: 'a' -> 'b' -> 'a'
    """

    required: tuple[Pair, ...]
    forbidden: tuple[Pair, ...]
    tiers: tuple[tuple[str, ...], ...] | None
    no_parents: tuple[str, ...]
    max_parents: Limits | None
    adjacent: tuple[Pair, ...]
    not_adjacent: tuple[Pair, ...]
    ancestral: tuple[Pair, ...]
    not_ancestral: tuple[Pair, ...]
    order: tuple[str, ...] | None
    min_edges: int | None
    max_edges: int | None
    min_roots: int | None
    max_roots: int | None
    no_immoralities: bool
    forbidden_immoralities: tuple[Triple, ...]
    independences: tuple[Independence, ...]
    isolate_constant: bool

    @check_keywords
    def __init__(
        self,
        required: Iterable[Pair] = (),
        forbidden: Iterable[Pair] = (),
        *,
        tiers: Iterable[Iterable[str]] | None = None,
        no_parents: Iterable[str] = (),
        max_parents: LimitsLike | None = None,
        adjacent: Iterable[Pair] = (),
        not_adjacent: Iterable[Pair] = (),
        ancestral: Iterable[Pair] = (),
        not_ancestral: Iterable[Pair] = (),
        order: Iterable[str] | None = None,
        min_edges: int | None = None,
        max_edges: int | None = None,
        min_roots: int | None = None,
        max_roots: int | None = None,
        no_immoralities: bool = False,
        forbidden_immoralities: Iterable[Triple] = (),
        independences: Iterable[tuple[Names, Names] | tuple[Names, Names, Names]] = (),
        isolate_constant: bool = True,
    ) -> None:
        limits = None if max_parents is None else check_limits("max_parents", max_parents, ShapeError)
        values: dict[str, object] = {
            "required": check_edges("required", required),
            "forbidden": check_edges("forbidden", forbidden),
            "tiers": None if tiers is None else check_tiers(tiers),
            "no_parents": tuple(sorted(check_names("no_parents", no_parents))),
            "max_parents": limits,
            "adjacent": check_unordered("adjacent", adjacent),
            "not_adjacent": check_unordered("not_adjacent", not_adjacent),
            "ancestral": check_edges("ancestral", ancestral),
            "not_ancestral": check_edges("not_ancestral", not_ancestral),
            "order": None if order is None else check_names("order", order),
            "min_edges": check_bound("min_edges", min_edges),
            "max_edges": check_bound("max_edges", max_edges),
            "min_roots": check_bound("min_roots", min_roots),
            "max_roots": check_bound("max_roots", max_roots),
            "no_immoralities": check_flag("no_immoralities", no_immoralities),
            "forbidden_immoralities": check_immoralities(forbidden_immoralities),
            "independences": check_independences(independences),
            "isolate_constant": check_flag("isolate_constant", isolate_constant),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        RuleSets(self).check()

    @property
    def restricts_networks(self) -> bool:
        """Whether there are rules beyond the one on variables with one observed state."""
        return self != Knowledge(isolate_constant=self.isolate_constant)

    @property
    def makes_subset_pruning_unsafe(self) -> bool:
        """Whether a parent set may be needed although a subset of it is allowed and scores better."""
        return bool(
            self.ancestral
            or self.adjacent
            or self.min_edges
            or self.max_roots is not None
            or self.no_immoralities
            or self.forbidden_immoralities
        )

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that the rules name, in alphabetical order."""
        names = {name for kind, several in self._mentions() for name in several if not _is_wildcard(kind, name)}
        return tuple(sorted(names))

    def _mentions(self) -> list[tuple[str, list[str]]]:
        """The variables that each kind of rule names."""
        pairs = ("required", "forbidden", "adjacent", "not_adjacent", "ancestral", "not_ancestral")
        groups = (*pairs, "forbidden_immoralities", "tiers")
        mentions = [(field, [name for group in getattr(self, field) or () for name in group]) for field in groups]
        mentions += [("max_parents", list(names_with_limits(self.max_parents))), ("no_parents", list(self.no_parents))]
        mentions.append(("order", list(self.order or ())))
        mentions.append(("independences", [name for rule in self.independences for part in rule for name in part]))
        return mentions

    def _check_names(self, variables: Iterable[str], where: str) -> None:
        known = set(variables)
        for field, names in self._mentions():
            if field in _WITH_WILDCARD:
                check_wildcard(field, names, known, KnowledgeError)
            for name in names:
                if name not in known and not _is_wildcard(field, name):
                    raise KnowledgeError(f"{field} names the variable {name!r}, which is not in {where}")

    def allowed(self, variables: Sequence[str]) -> ParentRules:
        """For each variable its required and its possible parents, and the largest number of parents.

        Raises `KnowledgeError` if a name is unknown, or if the rules provably allow no network over these variables.
        """
        self._check_names(variables, "the data")
        rules = RuleSets(self)
        rules.infer()
        names = tuple(variables)
        index = {name: place for place, name in enumerate(names)}
        possible = np.ascontiguousarray(rules.possible_edges(names).T)
        limits = limits_by_variable(self.max_parents, names)
        required = [tuple(sorted(index[parent] for parent in rules.required_parents.get(name, ()))) for name in names]
        for musts, limit, row in zip(required, limits, possible, strict=True):
            if limit is not None and len(musts) >= limit:
                row[:] = False
                row[list(musts)] = True
        numbers = possible.sum(axis=1).tolist()
        most = [number if limit is None else min(limit, number) for number, limit in zip(numbers, limits, strict=True)]
        self._check_feasible(names, index, possible.T, most, sum(map(bool, required)))
        return ParentRules(names, tuple(required), possible, tuple(most))

    def _check_feasible(
        self, names: tuple[str, ...], index: dict[str, int], may: NDArray[np.bool_], most: list[int], n_children: int
    ) -> None:
        children = (
            {name: [names[child] for child in np.flatnonzero(may[index[name]])] for name in names}
            if self.ancestral
            else {}
        )
        for a, b in self.ancestral:
            if b not in reach_from(children, a):
                message = "but the other rules leave no directed path between them"
                raise KnowledgeError(f"{a!r} must be an ancestor of {b!r}, {message}")
        if self.min_edges is not None:
            possible = min(int(np.triu(may | may.T).sum()), sum(most))
            if self.min_edges > possible:
                message = f"but the rules allow at most {possible} for {count(len(names), 'variable')}"
                raise KnowledgeError(f"min_edges asks for {count(self.min_edges, 'edge')}, {message}")
        if self.min_roots is not None and self.min_roots > len(names) - n_children:
            message = f"but {n_children} of {count(len(names), 'variable')} have required parents"
            raise KnowledgeError(f"min_roots asks for {count(self.min_roots, 'root')}, {message}")
        rootless = sum(limit == 0 for limit in most)
        if self.max_roots is not None and self.max_roots < rootless:
            message = f"but {count(rootless, 'variable')} can have no parents"
            raise KnowledgeError(f"max_roots allows {count(self.max_roots, 'root')}, {message}")

    def consequences(self, variables: Sequence[str]) -> list[str]:
        """The consequences of the rules for these variables, one sentence each.

        Examples
        --------
        >>> for sentence in Knowledge(tiers=[["age"], ["smoke"]]).consequences(["age", "smoke", "lung"]):
        ...     print(sentence)
        cannot be effects: age
        cannot be causes: lung
        3 of 6 edges are impossible
        """
        return consequences(self, variables)

    def violations(self, graph: GraphLike) -> list[str]:
        """The rules that a network breaks, in words; empty if it obeys them all.

        Examples
        --------
        >>> from credenet.graphs import DAG
        >>> Knowledge(forbidden=[("a", "b")], max_edges=0).violations(DAG.parse("a -> b"))
        ["the edge 'a' -> 'b' is forbidden", 'the network has 1 edge, max_edges is 0']
        """
        dag = as_dag(graph)
        self._check_names(dag.variables, "the network")
        edges = set(dag.edges)
        joined = {frozenset(edge) for edge in edges}
        rules = RuleSets(self)
        broken = [f"the edge {arrow(edge)} is required" for edge in self.required if edge not in edges]
        for edge in dag.edges:
            broken += [f"the edge {arrow(edge)} {reason}" for reason in rules.edge_objections(*edge)]
        for variable in dag.variables:
            limit = limit_of(self.max_parents, variable)
            parents = dag.parents(variable)
            if limit is not None and len(parents) > limit:
                broken.append(f"{variable!r} has {count(len(parents), 'parent')}, max_parents is {limit}")
        broken += [f"{a!r} and {b!r} must be adjacent" for a, b in self.adjacent if frozenset((a, b)) not in joined]
        for a, b in self.ancestral:
            if b not in dag.descendants(a):
                broken.append(f"{a!r} must be an ancestor of {b!r}")
        for a, b in self.not_ancestral:
            if b in dag.descendants(a):
                broken.append(f"{a!r} must not be an ancestor of {b!r}")
        roots = sum(not parents for parents in dag.parent_indices)
        for noun, number, least, largest in (
            ("edge", dag.n_edges, self.min_edges, self.max_edges),
            ("root", roots, self.min_roots, self.max_roots),
        ):
            if least is not None and number < least:
                broken.append(f"the network has {count(number, noun)}, min_{noun}s is {least}")
            if largest is not None and number > largest:
                broken.append(f"the network has {count(number, noun)}, max_{noun}s is {largest}")
        if self.no_immoralities or self.forbidden_immoralities:
            for a, child, b in dag.immoralities():
                if self.no_immoralities or (*sorted((a, b)), child) in rules.immoralities:
                    broken.append(f"the immorality {a!r} -> {child!r} <- {b!r} is forbidden")
        for x, y, given in self.independences:
            if not dag.d_separated(x, y, given):
                broken.append(f"{independence_text(x, y, given)} does not hold")
        return broken

    def combine(self, other: Knowledge, variables: Iterable[str] | None = None) -> Knowledge:
        """The rules of both; if both have tiers or orders, those of ``other`` become forbidden edges.

        Variables with one observed state may have edges if either set of rules leaves them to the score.

        Parameters
        ----------
        variables
            All variables. They are needed where both have tiers, which also say something of variables not named.
        """
        instance("other", other, Knowledge, "a Knowledge")
        merged = {field.name: getattr(self, field.name) for field in fields(self)}
        for field in (
            "required",
            "forbidden",
            "no_parents",
            "adjacent",
            "not_adjacent",
            "ancestral",
            "not_ancestral",
            "forbidden_immoralities",
            "independences",
        ):
            merged[field] = (*merged[field], *getattr(other, field))
        merged["no_parents"] = sorted(set(merged["no_parents"]))
        for field, ranks in (("tiers", other._tiers_by_name), ("order", other._places_by_name)):
            if not merged[field]:
                merged[field] = getattr(other, field)
            elif getattr(other, field) and merged[field] != getattr(other, field):
                rank = ranks(variables)
                backwards = [(b, a) for a, b in product(rank, repeat=2) if rank[a] < rank[b]]
                merged["forbidden"] = (*merged["forbidden"], *backwards)
        merged["max_parents"] = smaller_limits(self.max_parents, other.max_parents)
        for field, choose in (("min_edges", max), ("min_roots", max), ("max_edges", min), ("max_roots", min)):
            given = [value for value in (merged[field], getattr(other, field)) if value is not None]
            merged[field] = choose(given) if given else None
        merged["no_immoralities"] = self.no_immoralities or other.no_immoralities
        merged["isolate_constant"] = self.isolate_constant and other.isolate_constant
        return Knowledge(**merged)

    def _tiers_by_name(self, variables: Iterable[str] | None) -> dict[str, int]:
        if variables is None:
            raise KnowledgeError(
                "both sets of rules have tiers; name all variables: rules.combine(others, variables=data.variables)"
            )
        rules = RuleSets(self)
        return {name: rules.tier(name) for name in variables}

    def _places_by_name(self, variables: Iterable[str] | None) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.order or ())}

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain lists, the form of the JSON file; kinds without rules are left out."""
        result: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "isolate_constant":
                if not value:
                    result[field.name] = value
            elif field.name == "max_parents" and isinstance(value, tuple):
                result[field.name] = dict(value)
            elif value is not None and value is not False and (value != () or field.name in ("tiers", "order")):
                result[field.name] = _plain(value)
        return result

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Knowledge:
        """The rules in a dictionary of the form that `to_dict` returns."""
        known = [field.name for field in fields(cls)]
        for key in mapping("contents", contents, "rules", error=ShapeError):
            if key not in known:
                raise ShapeError(f"{key!r} is no kind of knowledge; known are {', '.join(known)}")
        return cls(**contents)

    @classmethod
    def load(cls, path: str | Path, *, kind: Literal["required", "forbidden"] | None = None) -> Knowledge:
        """The rules in a file: the JSON of `save`, a table of edges (``.csv``, ``.tsv``), or else GOBNILP constraints.

        Parameters
        ----------
        kind
            Whether the edges of a table are required or forbidden; its columns are ``from`` and ``to``.
        """
        return _later.io_knowledge.load_knowledge(path, kind)

    def save(self, path: str | Path) -> None:
        """Writes the rules as JSON."""
        _later.io_knowledge.save_knowledge(self, path)


_WITH_WILDCARD = ("tiers", "max_parents")


def _is_wildcard(kind: str, name: str) -> bool:
    """Whether a name in rules of a kind stands for the variables that are not named."""
    return name == OTHERS and kind in _WITH_WILDCARD


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
