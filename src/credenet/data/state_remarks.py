"""Remarks on states that look alike and on states of few rows, with what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from credenet._text import several
from credenet.data.labels import is_integer

RARE = 5  # a state of fewer rows is rare
_LEAST_ROWS = 100  # of a column whose rare states are told; with fewer, many states have few rows
_MANY_NUMBERS = 8  # states of whole numbers that are cut rather than merged
_SHOWN = 3  # columns for which the advice is written out
_LEADING_NUMBER = re.compile(r"[<>=(\[ ]*([+-]?[0-9]{1,15}(\.[0-9]*)?)")

Counts = Mapping[str, Mapping[str, int]]
"""Of each column, the number of rows in each state that occurs."""


def look_alikes(observed: Counts) -> dict[str, list[list[str]]]:
    """The groups of states that differ only by case or blanks, of each column that has any; the most frequent first."""
    found = {}
    for name, counts in observed.items():
        groups: dict[str, list[str]] = {}
        for label in sorted(counts, key=lambda label: -counts[label]):
            groups.setdefault("".join(label.split()).casefold(), []).append(label)
        alike = [group for group in groups.values() if len(group) > 1]
        if alike:
            found[name] = alike
    return found


def remark_on_look_alikes(alike: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """One remark on all such columns."""
    if not alike:
        return ""
    shown = [
        f"{' and '.join(', '.join(map(repr, group)) for group in groups)} of {name!r}" for name, groups in alike.items()
    ]
    merges = {name: {group[0]: list(group) for group in groups} for name, groups in alike.items()}
    what = f"states differ only by case or blanks: {several(shown, most=_SHOWN)}"
    return f"{what}; if they mean the same, merge them with {written_merges(merges)}"


def remarks_on_rare_states(observed: Counts, cut: Mapping[str, object]) -> list[str]:
    """Remarks on states of few rows: those to merge, those to cut into fewer, and those that neither can help."""
    merges: dict[str, dict[str, list[str]]] = {}
    cuts, others = [], []
    for name, counts in observed.items():
        if sum(counts.values()) < _LEAST_ROWS or len(counts) < 2 or min(counts.values()) >= RARE:
            continue
        if name in cut or (len(counts) > _MANY_NUMBERS and all(map(is_integer, counts))):
            cuts.append(name)
        elif len(counts) > 2:
            merges[name] = groups_to_merge(counts)
        else:
            others.append(name)
    methods = ", ".join(f"{name!r}: 'frequency:3'" for name in cuts[:_SHOWN])
    names = ", ".join([*map(repr, others[:6]), *(["..."] if len(others) > 6 else [])])
    return [
        *_remark(observed, list(merges), f"merge those that mean much the same, such as {written_merges(merges)}"),
        *_remark(observed, cuts, f"cut into fewer states with discretize={{{methods}}}{_likewise(cuts)}"),
        *_remark(observed, others, f"get more rows, or leave out with drop=[{names}]"),
    ]


def _remark(observed: Counts, names: Sequence[str], cure: str) -> list[str]:
    if not names:
        return []
    rare = {name: [label for label, number in observed[name].items() if number < RARE] for name in names}
    texts = [
        f"{several([f'{label!r} ({observed[name][label]})' for label in labels], most=_SHOWN)} of {name!r}"
        for name, labels in rare.items()
    ]
    return [f"states have fewer than {RARE} rows, which tell little: {several(texts, most=_SHOWN)}; {cure}"]


def groups_to_merge(counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Groups of states such that each new state has enough rows, or is the only one but one.

    States that begin with numbers join a neighbour; of others, the rare ones become one state, with the next rarest
    if there is only one of them.
    """
    numbers = {label: _LEADING_NUMBER.match(label) for label in counts}
    if all(numbers.values()):
        order = sorted(counts, key=lambda label: float(found[1]) if (found := numbers[label]) else 0.0)
        groups: list[list[str]] = []
        for label in order:
            if groups and sum(counts[old] for old in groups[-1]) < RARE:
                groups[-1].append(label)
            else:
                groups.append([label])
        if len(groups) > 1 and sum(counts[old] for old in groups[-1]) < RARE:
            last = groups.pop()
            groups[-1] += last
    else:
        order = sorted(counts, key=lambda label: counts[label])
        n_rare = sum(number < RARE for number in counts.values())
        groups = [order[: max(n_rare, 2)]]
    return {"+".join(group): group for group in groups if len(group) > 1}


def written_merges(merges: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """The argument ``merge_states`` for the first columns."""
    shown = ", ".join(f"{name!r}: {dict(merges[name])!r}" for name in list(merges)[:_SHOWN])
    return f"merge_states={{{shown}}}{_likewise(list(merges))}"


def _likewise(names: Sequence[str]) -> str:
    return " and likewise for the others" if len(names) > _SHOWN else ""
