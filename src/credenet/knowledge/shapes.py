"""The parts of `Knowledge` as users give them, checked and in one form."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from credenet._arguments import whole_number
from credenet.errors import KnowledgeError

Pair = tuple[str, str]
Triple = tuple[str, str, str]
Independence = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Names = str | Iterable[str]


class ShapeError(KnowledgeError):
    """Knowledge of the wrong form: not the pairs of names, lists of names or numbers that are needed."""


def check_group(field: str, names: Any, size: int, form: str) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ShapeError(f"{field} must hold {form}, but has {names!r}")
    group = tuple(names)
    if len(group) != size or not all(isinstance(name, str) for name in group):
        raise ShapeError(f"{field} must hold {form}, but has {names!r}")
    if not all(group):
        raise ShapeError(f"{field} must hold {form}, but has an empty name in {names!r}")
    for a, b in combinations(group, 2):
        if a == b:
            raise ShapeError(f"{field} joins the variable {a!r} with itself")
    return group


def check_several(field: str, groups: Any) -> Iterable[Any]:
    if isinstance(groups, str) or not isinstance(groups, Iterable):
        raise ShapeError(f"{field} must be a list, got {groups!r}")
    return groups


def check_edges(field: str, pairs: Any) -> tuple[Pair, ...]:
    groups = (check_group(field, pair, 2, "pairs of names") for pair in check_several(field, pairs))
    return tuple(sorted({(a, b) for a, b in groups}))


def check_unordered(field: str, pairs: Any) -> tuple[Pair, ...]:
    return tuple(sorted({(min(pair), max(pair)) for pair in check_edges(field, pairs)}))


def check_immoralities(triples: Any) -> tuple[Triple, ...]:
    field = "forbidden_immoralities"
    groups = (check_group(field, triple, 3, "triples of names") for triple in check_several(field, triples))
    return tuple(sorted({(min(a, b), child, max(a, b)) for a, child, b in groups}))


def check_names(field: str, names: Any) -> tuple[str, ...]:
    listed = tuple(check_several(field, names))
    seen: set[str] = set()
    for name in listed:
        if not isinstance(name, str) or not name:
            raise ShapeError(f"{field} must hold names, but has {name!r}")
        if name in seen:
            raise ShapeError(f"{field} has the variable {name!r} twice")
        seen.add(name)
    return listed


def check_tiers(tiers: Any) -> tuple[tuple[str, ...], ...]:
    groups = tuple(tuple(sorted(check_names("a tier", tier))) for tier in check_several("tiers", tiers))
    check_names("tiers", (name for tier in groups for name in tier))
    return groups


def check_independences(rules: Any) -> tuple[Independence, ...]:
    field, form = "independences", "triples (A, B, S) of names or lists of names"
    found = set()
    for rule in check_several(field, rules):
        parts = () if isinstance(rule, str) or not isinstance(rule, Iterable) else tuple(rule)
        if len(parts) not in (2, 3):
            raise ShapeError(f"{field} must hold {form}, but has {rule!r}")
        groups = [(part,) if isinstance(part, str) else tuple(check_several(field, part)) for part in parts]
        check_names(f"an entry of {field}", (name for group in groups for name in group))
        x, y, *given = (tuple(sorted(group)) for group in groups)
        if not x or not y:
            raise ShapeError(f"{field} must hold {form}, the first two not empty, but has {rule!r}")
        found.add((min(x, y), max(x, y), given[0] if given else ()))
    return tuple(sorted(found))


def check_bound(field: str, value: Any) -> int | None:
    if value is None:
        return None
    return whole_number(field, value, error=ShapeError)


def check_flag(field: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ShapeError(f"{field} must be True or False, got {value!r}")
    return value
