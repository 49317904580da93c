"""Remarks that a user should know before relying on a validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from credenet._run.status import Status
from credenet._text import count
from credenet.graphs import PDAG
from credenet.graphs.edge_marks import differences, edge_marks
from credenet.validation.agreement import Agreement

_FEW_EDGES = 10
_LEAST = 2  # Candidates of a validation at least.
_NEARLY = 0.05  # Share of the adjacent pairs.
_LIMITS: dict[str, str] = {"time_limit": "time limit", "memory_limit": "memory limit"}


def agreement_remarks(agreement: Agreement, graphs: Mapping[str, PDAG]) -> Iterator[str]:
    """On an agreement that says little, and on candidates that hardly differ."""
    if not agreement.n_edges:
        yield _no_edges(graphs)
    elif agreement.n_edges < _FEW_EDGES:
        fewer = ", or leaving out the candidate that differs most," if len(graphs) > _LEAST else ""
        give = "give" if fewer else "gives"
        yield (
            f"the candidates agree on {count(agreement.n_edges, 'edge')} only, which favours candidates that learn few "
            f"edges; {'more rows' if fewer else 'a table with more rows'}{fewer} {give} a better ranking"
        )
    groups = _groups(graphs)
    if len(groups) == 1:
        yield "all candidates learned the same from all rows; this one graph is the agreement"
        return
    for names in groups:
        if len(names) > 1:
            yield f"{_list_names(names)} learned the same from all rows; in the agreement they count as one candidate"
    marks = {names[0]: edge_marks(graphs[names[0]]) for names in groups}
    for first, second in combinations(marks, 2):
        distance = sum(differences(marks[first], marks[second]))
        if distance <= _NEARLY * len(marks[first] | marks[second]):
            pairs = count(distance, "pair")
            yield f"{first} and {second} learned nearly the same from all rows; they differ in {pairs}"


def _no_edges(graphs: Mapping[str, PDAG]) -> str:
    """Why there is no ranking, and what to do."""
    empty = [name for name, graph in graphs.items() if not graph.n_edges]
    if len(empty) == len(graphs):
        return (
            "no ranking: no candidate learned an edge from all rows, so there is nothing to find again; use more rows"
        )
    why = "so that the distances only count edges learned from few rows, and candidates that learn none would win"
    cure = "use more rows"
    if empty and len(graphs) - len(empty) >= _LEAST:
        cure = f"leave out {_list_names(empty)}, which learned none, or {cure}"
    elif empty:
        cure = f"{cure}, or other candidates than {_list_names(empty)}, which learned none"
    elif len(graphs) > _LEAST:
        cure = f"leave out the candidate that differs most, or {cure}"
    return f"no ranking: the candidates agree on no edge, {why}; {cure}"


def _groups(graphs: Mapping[str, PDAG]) -> list[list[str]]:
    """The candidates in groups with the same equivalence class."""
    found: dict[PDAG, list[str]] = {}
    for name, graph in graphs.items():
        found.setdefault(graph, []).append(name)
    return list(found.values())


def _list_names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def limit_remarks(name: str, statuses: Sequence[Status]) -> Iterator[str]:
    """On the learnings of a candidate that a limit ended."""
    for status, words in _LIMITS.items():
        n = sum(each == status for each in statuses)
        if n:
            yield f"{name} reached its {words} in {n:,} of {count(len(statuses), 'learning')}; the best so far was used"
