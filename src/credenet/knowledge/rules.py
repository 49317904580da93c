"""The consequences of the rules of `Knowledge`: descendants, required edges and impossible edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet._text import count, listing
from credenet.errors import KnowledgeError
from credenet.knowledge.shapes import Pair
from credenet.settings.limits import OTHERS, limit_of

if TYPE_CHECKING:
    from credenet.knowledge.knowledge import Knowledge


class RuleSets:
    """The rules in sets and dictionaries, and what follows from them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.forbidden = set(knowledge.forbidden)
        self.not_adjacent = {frozenset(pair) for pair in knowledge.not_adjacent}
        self.not_ancestral = set(knowledge.not_ancestral)
        self.tier_of = {name: place for place, tier in enumerate(knowledge.tiers or ()) for name in tier}
        self.tier_of_others = self.tier_of.get(OTHERS, len(knowledge.tiers or ()))
        self.no_parents = set(knowledge.no_parents)
        self.place_of = {name: place for place, name in enumerate(knowledge.order or ())}
        self.independent = {
            frozenset((a, b)): independence_text(x, y, given)
            for x, y, given in knowledge.independences
            for a in x
            for b in y
        }
        self.immoralities = {(*sorted((a, b)), child) for a, child, b in knowledge.forbidden_immoralities}
        self.required_parents: dict[str, set[str]] = {}
        for parent, child in knowledge.required:
            self.required_parents.setdefault(child, set()).add(parent)
        self.descendants: dict[str, set[str]] = {}

    def tier(self, name: str) -> int:
        """The tier of a variable; variables that are not named share one, by default the last."""
        return self.tier_of.get(name, self.tier_of_others)

    def tier_note(self, parent: str, child: str) -> str:
        """A note on the tier of variables that no tier names."""
        unnamed = [repr(name) for name in (parent, child) if name not in self.tier_of]
        if not unnamed or OTHERS in self.tier_of:
            return ""
        return f" ({unnamed[0]} is in no tier, so it is in the last; a tier with '{OTHERS}' would place it)"

    def edge_objections(self, parent: str, child: str) -> list[str]:
        """Why the rules on single edges do not allow an edge; empty if they allow it."""
        objections = []
        if (parent, child) in self.forbidden:
            objections.append("is forbidden")
        if self.tier(parent) > self.tier(child):
            objections.append(f"leads from a later tier to an earlier one{self.tier_note(parent, child)}")
        if child in self.no_parents:
            objections.append(f"makes {child!r} an effect, which it cannot be")
        if self.place_of.get(parent, -1) > self.place_of.get(child, len(self.place_of)):
            objections.append("goes against the order")
        if frozenset((parent, child)) in self.not_adjacent:
            objections.append("joins two variables that must not be adjacent")
        return objections

    def objection(self, parent: str, child: str) -> str | None:
        """Why the rules make an edge impossible; None if they do not."""
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
                raise KnowledgeError(f"the edge {arrow(edge)} is required, but it {reason}")
        for a, b in self.knowledge.adjacent:
            if frozenset((a, b)) in self.not_adjacent:
                raise KnowledgeError(f"{a!r} and {b!r} must be adjacent and must not be adjacent")
        self.check_bounds()
        self.infer()
        self.check_immoralities()

    def infer(self) -> None:
        """Infers descendants, and required edges from adjacent pairs with one direction left, until nothing changes."""
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
                    message = f"but {arrow((a, b))} {forth} and {arrow((b, a))} {back}"
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
        self.descendants = {name: reach_from(children, name) for name in children}

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
                    raise KnowledgeError(f"the edge {arrow((parent, child))} is required, but it {reason}")
        for a, b in self.knowledge.not_ancestral:
            if b in self.descendants.get(a, ()):
                message = "but required edges and ancestors make it one"
                raise KnowledgeError(f"{a!r} must not be an ancestor of {b!r}, {message}")
        for x, y, given in self.knowledge.independences:
            for a, b in () if given else (*product(x, y), *product(y, x)):
                if b in self.descendants.get(a, ()):
                    message = f"but {a!r} must be an ancestor of {b!r}"
                    raise KnowledgeError(f"{independence_text(x, y, given)} is required, {message}")

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
                        f"must be adjacent, but {arrow((a, b))} {forth} and {arrow((b, a))} {back}"
                    )

    def possible_edges(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """For every parent (row) and child (column) whether an edge is possible, limits on parents aside."""
        index = {name: place for place, name in enumerate(names)}
        may = np.ones((len(names), len(names)), dtype=np.bool_, order="F")  # Rules list the parents of each child.
        np.fill_diagonal(may, False)
        if self.tier_of:
            tiers = np.array([self.tier(name) for name in names])
            may &= tiers[:, None] <= tiers[None, :]
        if self.place_of:
            listed = np.array([name in self.place_of for name in names], dtype=np.bool_)
            places = np.array([self.place_of.get(name, 0) for name in names])
            may &= ~(listed[:, None] & listed[None, :] & (places[:, None] > places[None, :]))
        may[:, [index[name] for name in self.no_parents]] = False
        for parent, child in (*self.forbidden, *self.not_ancestral):
            may[index[parent], index[child]] = False
        for pair in (*self.not_adjacent, *self.independent):
            a, b = (index[name] for name in pair)
            may[a, b] = may[b, a] = False
        for ancestor, below in self.descendants.items():
            may[[index[name] for name in below], index[ancestor]] = False
        return may


def reach_from(children: Mapping[str, Iterable[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    return reached


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


def arrow(edge: Pair) -> str:
    return f"{edge[0]!r} -> {edge[1]!r}"


def independence_text(x: Sequence[str], y: Sequence[str], given: Sequence[str]) -> str:
    text = f"{', '.join(x)} _|_ {', '.join(y)}"
    return f"{text} | {', '.join(given)}" if given else text
