"""What is known of a network before learning: edges, tiers, orders, numbers of parents, ancestors, independences.

`Knowledge` checks itself when it is made. What it can prove impossible whatever the other variables are is refused
with the rules that clash; it does not promise that every set of rules it accepts has a network. From required edges
and ancestors it infers which edges would close a cycle, and from adjacent pairs with one direction left, that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet._arguments import instance, mapping
from credenet._text import count, listing
from credenet.errors import KnowledgeError
from credenet.graphs.arguments import as_dag
from credenet.knowledge.limits import Limits, LimitsLike, checked_limits, limit_of, limited_names, limits_by_variable
from credenet.knowledge.shapes import (
    Independence,
    Names,
    Pair,
    ShapeError,
    Triple,
    checked_bound,
    checked_edges,
    checked_flag,
    checked_immoralities,
    checked_independences,
    checked_names,
    checked_tiers,
    checked_unordered,
)

if TYPE_CHECKING:
    from credenet.graphs.arguments import GraphLike


@dataclass(frozen=True, slots=True)
class ParentRules:
    """Which parents each variable may have, by position in ``variables``."""

    variables: tuple[str, ...]
    required: tuple[tuple[int, ...], ...]
    candidates: tuple[tuple[int, ...], ...]
    """The variables that may be parents, those required included."""
    max_parents: tuple[int, ...]


@dataclass(frozen=True, slots=True, init=False)
class Knowledge:
    """Rules that a network must obey; immutable, and the order in which rules are given does not matter.

    Parameters
    ----------
    required, forbidden
        Edges (parent, child).
    tiers
        Groups of variables, earliest first: no edge leads from a later group to an earlier one. Variables in no group
        are free.
    max_parents
        The largest number of parents: one for all, or by variable, with ``"*"`` for those not named.
    adjacent, not_adjacent
        Pairs that must be joined by an edge, in whatever direction, or must not be.
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

    def __init__(
        self,
        required: Iterable[Pair] = (),
        forbidden: Iterable[Pair] = (),
        *,
        tiers: Iterable[Iterable[str]] | None = None,
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
    ) -> None:
        limits = None if max_parents is None else checked_limits("max_parents", max_parents, ShapeError)
        values: dict[str, object] = {
            "required": checked_edges("required", required),
            "forbidden": checked_edges("forbidden", forbidden),
            "tiers": None if tiers is None else checked_tiers(tiers),
            "max_parents": limits,
            "adjacent": checked_unordered("adjacent", adjacent),
            "not_adjacent": checked_unordered("not_adjacent", not_adjacent),
            "ancestral": checked_edges("ancestral", ancestral),
            "not_ancestral": checked_edges("not_ancestral", not_ancestral),
            "order": None if order is None else checked_names("order", order),
            "min_edges": checked_bound("min_edges", min_edges),
            "max_edges": checked_bound("max_edges", max_edges),
            "min_roots": checked_bound("min_roots", min_roots),
            "max_roots": checked_bound("max_roots", max_roots),
            "no_immoralities": checked_flag("no_immoralities", no_immoralities),
            "forbidden_immoralities": checked_immoralities(forbidden_immoralities),
            "independences": checked_independences(independences),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        _Rules(self).check()

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
        return tuple(sorted({name for _, names in self._mentions() for name in names}))

    def _mentions(self) -> list[tuple[str, list[str]]]:
        """The names of each kind of rule."""
        pairs = ("required", "forbidden", "adjacent", "not_adjacent", "ancestral", "not_ancestral")
        groups = (*pairs, "forbidden_immoralities", "tiers")
        found = [(field, [name for group in getattr(self, field) or () for name in group]) for field in groups]
        found.append(("max_parents", list(limited_names(self.max_parents))))
        found.append(("order", list(self.order or ())))
        found.append(("independences", [name for rule in self.independences for part in rule for name in part]))
        return found

    def _check_names(self, variables: Iterable[str], where: str) -> None:
        known = set(variables)
        for field, names in self._mentions():
            for name in names:
                if name not in known:
                    raise KnowledgeError(f"{field} names the variable {name!r}, which is not in {where}")

    def allowed(self, variables: Sequence[str]) -> ParentRules:
        """For each variable the parents it must have and may have, and how many.

        Raises `KnowledgeError` where a name is unknown or where no network over these variables obeys the rules, as far
        as that can be told from them.
        """
        self._check_names(variables, "the data")
        rules = _Rules(self)
        rules.infer()
        names = tuple(variables)
        index = {name: place for place, name in enumerate(names)}
        may = rules.possible_edges(names)
        limits = limits_by_variable(self.max_parents, names)
        required, candidates, most = [], [], []
        for child, (name, limit) in enumerate(zip(names, limits, strict=True)):
            musts = sorted(index[parent] for parent in rules.required_parents.get(name, ()))
            if limit is not None and len(musts) >= limit:
                may[:, child] = False
                may[musts, child] = True
            parents = np.flatnonzero(may[:, child]).tolist()
            required.append(tuple(musts))
            candidates.append(tuple(parents))
            most.append(len(parents) if limit is None else min(limit, len(parents)))
        self._check_feasible(names, index, may, most, sum(map(bool, required)))
        return ParentRules(names, tuple(required), tuple(candidates), tuple(most))

    def _check_feasible(
        self, names: tuple[str, ...], index: dict[str, int], may: NDArray[np.bool_], most: list[int], n_children: int
    ) -> None:
        children = (
            {name: [names[child] for child in np.flatnonzero(may[index[name]])] for name in names}
            if self.ancestral
            else {}
        )
        for a, b in self.ancestral:
            if b not in _reached(children, a):
                message = "but the other rules leave no directed path between them"
                raise KnowledgeError(f"{a!r} must be an ancestor of {b!r}, {message}")
        possible = min(int(np.triu(may | may.T).sum()), sum(most))
        if self.min_edges is not None and self.min_edges > possible:
            message = f"but the rules allow at most {possible} for {count(len(names), 'variable')}"
            raise KnowledgeError(f"min_edges asks for {count(self.min_edges, 'edge')}, {message}")
        if self.min_roots is not None and self.min_roots > len(names) - n_children:
            message = f"but {n_children} of {count(len(names), 'variable')} have required parents"
            raise KnowledgeError(f"min_roots asks for {count(self.min_roots, 'root')}, {message}")
        rootless = sum(limit == 0 for limit in most)
        if self.max_roots is not None and self.max_roots < rootless:
            message = f"but {count(rootless, 'variable')} can have no parents"
            raise KnowledgeError(f"max_roots allows {count(self.max_roots, 'root')}, {message}")

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
        rules = _Rules(self)
        broken = [f"the edge {_arrow(edge)} is required" for edge in self.required if edge not in edges]
        for edge in dag.edges:
            broken += [f"the edge {_arrow(edge)} {reason}" for reason in rules.edge_objections(*edge)]
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
                broken.append(f"{_independence_text(x, y, given)} does not hold")
        return broken

    def combine(self, other: Knowledge) -> Knowledge:
        """The rules of both; where both have tiers or orders, those of ``other`` become forbidden edges."""
        instance("other", other, Knowledge, "a Knowledge")
        merged = {field.name: getattr(self, field.name) for field in fields(self)}
        for field in ("required", "forbidden", "adjacent", "not_adjacent", "ancestral", "not_ancestral"):
            merged[field] = (*merged[field], *getattr(other, field))
        for field in ("forbidden_immoralities", "independences"):
            merged[field] = (*merged[field], *getattr(other, field))
        for field, groups in (("tiers", other.tiers), ("order", tuple((name,) for name in other.order or ()))):
            if merged[field] is None:
                merged[field] = getattr(other, field)
            elif groups and merged[field] != getattr(other, field):
                backwards = ((b, a) for early, late in combinations(groups, 2) for a in early for b in late)
                merged["forbidden"] = (*merged["forbidden"], *backwards)
        merged["max_parents"] = _smaller_limits(self.max_parents, other.max_parents)
        for field, choose in (("min_edges", max), ("min_roots", max), ("max_edges", min), ("max_roots", min)):
            given = [value for value in (merged[field], getattr(other, field)) if value is not None]
            merged[field] = choose(given) if given else None
        merged["no_immoralities"] = self.no_immoralities or other.no_immoralities
        return Knowledge(**merged)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain lists, the form of the JSON file; what is not given is left out."""
        result: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "max_parents" and isinstance(value, tuple):
                result[field.name] = dict(value)
            elif value is not None and value is not False and (value != () or field.name in ("tiers", "order")):
                result[field.name] = _plain(value)
        return result

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Knowledge:
        """The rules that `to_dict` gave."""
        known = [field.name for field in fields(cls)]
        for key in mapping("contents", contents, "rules", error=ShapeError):
            if key not in known:
                raise ShapeError(f"{key!r} is no kind of knowledge; known are {', '.join(known)}")
        return cls(**contents)

    @classmethod
    def load(cls, path: str | Path, *, kind: Literal["required", "forbidden"] | None = None) -> Knowledge:
        """The rules in a file: our JSON, a table of edges (``.csv``, ``.tsv``), or else GOBNILP constraints.

        Parameters
        ----------
        kind
            What the edges of a table are; its columns are ``from`` and ``to``.
        """
        from credenet.io.knowledge import load_knowledge

        return load_knowledge(path, kind)

    def save(self, path: str | Path) -> None:
        """Writes the rules as JSON."""
        from credenet.io.knowledge import save_knowledge

        save_knowledge(self, path)


class _Rules:
    """The rules with quick look-up, and what follows from them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.forbidden = set(knowledge.forbidden)
        self.not_adjacent = {frozenset(pair) for pair in knowledge.not_adjacent}
        self.not_ancestral = set(knowledge.not_ancestral)
        self.tier_of = {name: place for place, tier in enumerate(knowledge.tiers or ()) for name in tier}
        self.place_of = {name: place for place, name in enumerate(knowledge.order or ())}
        self.independent = {
            frozenset((a, b)): _independence_text(x, y, given)
            for x, y, given in knowledge.independences
            for a in x
            for b in y
        }
        self.immoralities = {(*sorted((a, b)), child) for a, child, b in knowledge.forbidden_immoralities}
        self.required_parents: dict[str, set[str]] = {}
        for parent, child in knowledge.required:
            self.required_parents.setdefault(child, set()).add(parent)
        self.descendants: dict[str, set[str]] = {}

    def edge_objections(self, parent: str, child: str) -> list[str]:
        """What the rules on single edges have against one."""
        found = []
        if (parent, child) in self.forbidden:
            found.append("is forbidden")
        if self.tier_of.get(parent, -1) > self.tier_of.get(child, len(self.tier_of)):
            found.append("leads from a later tier to an earlier one")
        if self.place_of.get(parent, -1) > self.place_of.get(child, len(self.place_of)):
            found.append("goes against the order")
        if frozenset((parent, child)) in self.not_adjacent:
            found.append("joins two variables that must not be adjacent")
        return found

    def objection(self, parent: str, child: str) -> str | None:
        """Why an edge is impossible, from all that is known; None if nothing speaks against it."""
        for reason in self.edge_objections(parent, child):
            return reason
        if frozenset((parent, child)) in self.independent:
            return f"breaks {self.independent[frozenset((parent, child))]}"
        if (parent, child) in self.not_ancestral:
            return f"makes {parent!r} an ancestor of {child!r}, which it must not be"
        if parent in self.descendants.get(child, ()):
            return f"closes a cycle, as {child!r} must be an ancestor of {parent!r}"
        parents = self.required_parents.get(child, set())
        limit = limit_of(self.knowledge.max_parents, child)
        if limit is not None and parent not in parents and len(parents) >= limit:
            return f"is one parent of {child!r} too many (max_parents {limit})"
        return None

    def check(self) -> None:
        for edge in self.knowledge.required:
            for reason in self.edge_objections(*edge):
                raise KnowledgeError(f"the edge {_arrow(edge)} is required, but it {reason}")
        for a, b in self.knowledge.adjacent:
            if frozenset((a, b)) in self.not_adjacent:
                raise KnowledgeError(f"{a!r} and {b!r} must be adjacent and must not be adjacent")
        self.check_bounds()
        self.infer()
        self.check_immoralities()

    def infer(self) -> None:
        """Descendants, and required edges where adjacency leaves one direction, until nothing new follows."""
        inferred = False
        while True:
            self.find_descendants(inferred)
            self.check_required()
            forced = set()
            for a, b in self.knowledge.adjacent:
                if a in self.required_parents.get(b, ()) or b in self.required_parents.get(a, ()):
                    continue
                forth, back = self.objection(a, b), self.objection(b, a)
                if forth and back:
                    message = f"but {_arrow((a, b))} {forth} and {_arrow((b, a))} {back}"
                    raise KnowledgeError(f"{a!r} and {b!r} must be adjacent, {message}")
                if forth or back:
                    forced.add((b, a) if forth else (a, b))
            if not forced:
                return
            inferred = True
            for parent, child in forced:
                self.required_parents.setdefault(child, set()).add(parent)

    def find_descendants(self, inferred: bool) -> None:
        children: dict[str, list[str]] = {}
        for child, parents in self.required_parents.items():
            for parent in sorted(parents):
                children.setdefault(parent, []).append(child)
        for ancestor, descendant in self.knowledge.ancestral:
            children.setdefault(ancestor, []).append(descendant)
        cycle = _cycle(children)
        if cycle:
            names = " -> ".join(map(repr, cycle))
            if inferred:
                raise KnowledgeError(f"required and adjacent pairs and ancestors leave only a cycle: {names}")
            plain = all(a in self.required_parents.get(b, ()) for a, b in pairwise(cycle))
            raise KnowledgeError(f"the required edges {'' if plain else 'and ancestors '}make a cycle: {names}")
        self.descendants = {name: _reached(children, name) for name in children}

    def check_required(self) -> None:
        for child, parents in self.required_parents.items():
            limit = limit_of(self.knowledge.max_parents, child)
            if limit is not None and len(parents) > limit:
                names = listing(sorted(parents))
                many = count(len(parents), "required parent")
                raise KnowledgeError(f"{child!r} has {many} ({names}), but max_parents allows {limit}")
            for parent in sorted(parents):
                reason = self.objection(parent, child)
                if reason:
                    raise KnowledgeError(f"the edge {_arrow((parent, child))} is required, but it {reason}")
        for a, b in self.knowledge.not_ancestral:
            if b in self.descendants.get(a, ()):
                message = "but required edges and ancestors make it one"
                raise KnowledgeError(f"{a!r} must not be an ancestor of {b!r}, {message}")
        for x, y, given in self.knowledge.independences:
            for a, b in () if given else (*product(x, y), *product(y, x)):
                if b in self.descendants.get(a, ()):
                    message = f"but {a!r} must be an ancestor of {b!r}"
                    raise KnowledgeError(f"{_independence_text(x, y, given)} is required, {message}")

    def check_bounds(self) -> None:
        knowledge = self.knowledge
        for noun, least, largest in (
            ("edges", knowledge.min_edges, knowledge.max_edges),
            ("roots", knowledge.min_roots, knowledge.max_roots),
        ):
            if least is not None and largest is not None and least > largest:
                raise KnowledgeError(f"min_{noun} is {least}, more than max_{noun}, which is {largest}")
        if knowledge.max_roots == 0:
            raise KnowledgeError("max_roots is 0, but every network has a variable without parents")
        joined = {frozenset(pair) for pair in (*knowledge.required, *knowledge.adjacent)}
        if knowledge.max_edges is not None and len(joined) > knowledge.max_edges:
            message = f"but max_edges allows {knowledge.max_edges}"
            raise KnowledgeError(f"{count(len(joined), 'pair')} must be joined by an edge, {message}")

    def check_immoralities(self) -> None:
        if not self.knowledge.no_immoralities and not self.immoralities:
            return
        for child, parents in self.required_parents.items():
            for a, b in combinations(sorted(parents), 2):
                if not self.knowledge.no_immoralities and (a, b, child) not in self.immoralities:
                    continue
                forth, back = self.objection(a, b), self.objection(b, a)
                if forth and back:
                    raise KnowledgeError(
                        f"{a!r} -> {child!r} <- {b!r} is required and must not be an immorality, so {a!r} and {b!r} "
                        f"must be adjacent, but {_arrow((a, b))} {forth} and {_arrow((b, a))} {back}"
                    )

    def possible_edges(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """For every parent (row) and child (column), whether nothing but the number of parents speaks against it."""
        index = {name: place for place, name in enumerate(names)}
        may = ~np.eye(len(names), dtype=np.bool_)
        for ranks in (self.tier_of, self.place_of):
            listed = np.array([name in ranks for name in names], dtype=np.bool_)
            rank = np.array([ranks.get(name, 0) for name in names])
            may &= ~(listed[:, None] & listed[None, :] & (rank[:, None] > rank[None, :]))
        for parent, child in (*self.forbidden, *self.not_ancestral):
            may[index[parent], index[child]] = False
        for pair in (*self.not_adjacent, *self.independent):
            a, b = (index[name] for name in pair)
            may[a, b] = may[b, a] = False
        for ancestor, below in self.descendants.items():
            may[[index[name] for name in below], index[ancestor]] = False
        return may


def _reached(children: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _cycle(children: Mapping[str, Sequence[str]]) -> list[str]:
    """The names along some cycle, the first again at the end; empty if there is none."""
    done: set[str] = set()
    for start in children:
        path: list[str] = []
        on_path: set[str] = set()
        waiting: list[tuple[str, bool]] = [(start, True)]
        while waiting:
            name, entering = waiting.pop()
            if not entering:
                path.pop()
                on_path.discard(name)
                done.add(name)
            elif name in on_path:
                return [*path[path.index(name) :], name]
            elif name not in done:
                path.append(name)
                on_path.add(name)
                waiting.append((name, False))
                waiting.extend((child, True) for child in children.get(name, ()))
    return []


def _smaller_limits(first: Limits | None, second: Limits | None) -> Limits | None:
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, int) and isinstance(second, int):
        return min(first, second)
    merged = {}
    for name in {"*", *limited_names(first), *limited_names(second)}:
        given = [limit for limit in (limit_of(first, name), limit_of(second, name)) if limit is not None]
        if given:
            merged[name] = min(given)
    return tuple(sorted(merged.items()))


def _arrow(edge: Pair) -> str:
    return f"{edge[0]!r} -> {edge[1]!r}"


def _independence_text(x: Sequence[str], y: Sequence[str], given: Sequence[str]) -> str:
    text = f"{', '.join(x)} _|_ {', '.join(y)}"
    return f"{text} | {', '.join(given)}" if given else text


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
