"""Remarks on states that look alike and on states of few rows, with advice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from credenet._text import several
from credenet.data.labels import is_integer

RARE = 5  # Rows below which a state is rare.
_LEAST_ROWS = 100  # Rows of a column below which rare states get no remark, as many states then have few rows.
_MANY_NUMBERS = 8  # States of whole numbers from which on cutting is advised instead of merging.
_LEAST_LETTERS = 5  # Letters from which on a word with one other letter is rarely another word.
_LEAST_RATIO = 5  # How many times as frequent the right spelling is at least.
_MOST_WORDS = 300  # States of a column whose pairs are compared.
_SHOWN = 3  # Columns for which the advice is written out.
_LEADING_NUMBER = re.compile(r"[<>=(\[ ]*([+-]?[0-9]{1,15}(\.[0-9]*)?)")

Counts = Mapping[str, Mapping[str, int]]
"""For each column the number of rows in each state that occurs."""


def look_alikes(observed: Counts) -> dict[str, list[list[str]]]:
    """For each column the groups of states that differ only by case or blanks, most frequent first."""
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
    """One remark on all columns with states that look alike."""
    if not alike:
        return ""
    shown = [
        f"{' and '.join(', '.join(map(repr, group)) for group in groups)} of {name!r}" for name, groups in alike.items()
    ]
    merges = {name: {group[0]: list(group) for group in groups} for name, groups in alike.items()}
    what = f"states differ only by case or blanks: {several(shown, most=_SHOWN)}"
    return f"{what}; if they mean the same, merge them with {write_merges(merges)}"


def misspelt_states(observed: Counts) -> dict[str, list[list[str]]]:
    """For each column the pairs of a frequent word and a rare one that differs by one letter."""
    found = {}
    for name, counts in observed.items():
        words = [label for label in counts if len(label) >= _LEAST_LETTERS and label.replace(" ", "").isalpha()]
        if not 2 <= len(words) <= _MOST_WORDS:
            continue
        pairs = [
            [often, rare]
            for often in words
            for rare in words
            if counts[often] >= _LEAST_RATIO * counts[rare] and _differ_by_a_letter(often.casefold(), rare.casefold())
        ]
        if pairs:
            found[name] = pairs
    return found


def _differ_by_a_letter(a: str, b: str) -> bool:
    """Whether one letter is missing, added or another, or two neighbours are exchanged."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    begin = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[begin:], b[begin:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b if len(a) > len(b) else rest_b[1:] == rest_a
    return rest_a[1:] == rest_b[1:] or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])


def remark_on_misspelt_states(misspelt: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """One remark on all columns with a state that may be a typing error."""
    if not misspelt:
        return ""
    shown = [
        f"{', '.join(f'{rare!r} for {often!r}' for often, rare in pairs)} of {name!r}"
        for name, pairs in misspelt.items()
    ]
    merges: dict[str, dict[str, list[str]]] = {name: {} for name in misspelt}
    for name, pairs in misspelt.items():
        for often, rare in pairs:
            merges[name].setdefault(often, [often]).append(rare)
    what = f"states may be typing errors: {several(shown, most=_SHOWN)}"
    return f"{what}; if they are, merge them with {write_merges(merges)}"


def remarks_on_rare_states(observed: Counts, cut: Mapping[str, object]) -> list[str]:
    """Remarks on states of few rows: columns to merge, columns to cut, and columns that neither can help."""
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
        *_remark(observed, list(merges), f"merge those that mean much the same, such as {write_merges(merges)}"),
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
    """Groups of states to merge, such that each new state has enough rows or only two states are left.

    States that begin with numbers join a neighbour. Otherwise the rare states become one state, together with the next
    rarest if only one is rare.
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


def write_merges(merges: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """The text of an argument ``merge_states`` for the first columns."""
    shown = ", ".join(f"{name!r}: {dict(merges[name])!r}" for name in list(merges)[:_SHOWN])
    return f"merge_states={{{shown}}}{_likewise(list(merges))}"


def _likewise(names: Sequence[str]) -> str:
    return " and likewise for the others" if len(names) > _SHOWN else ""
