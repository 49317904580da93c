"""The text of a learned network: its score and bound, and which directions are determined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credenet._run.status import why_unscored
from credenet._text import byte_count, count, duration, listing
from credenet.graphs import PDAG
from credenet.graphs.edge_lines import edge_lines

if TYPE_CHECKING:
    from credenet.learners.results import LearnResult

_MOST_NAMES = 20  # Isolated variables that a report names; it counts the others.
_MOST_EDGES = 2000  # Edges that a report lists; tests that were cut short may leave millions.
_FINAL = ("optimal", "complete", "infeasible")


def outcome(result: LearnResult) -> str:
    """One line with what is proven, the status and the gap; a bound on all networks comes last, as it may be weak."""
    if result.status in _FINAL:
        return ending(result)
    return ", ".join(filter(None, [_say_among_scored(result), ending(result), _distance(result)]))


def ending(result: LearnResult) -> str:
    """The status and the time."""
    seconds = duration(result.statistics.seconds)
    words = result.status.replace("_", " ")
    if result.status == "optimal":
        among = " among the families of the table" if result.scope == "table" else _write_limit(result)
        return f"optimal{among}{say_width(result)} in {seconds}"
    if result.status == "infeasible" and result.provenance.knowledge is not None:
        return f"infeasible: no network{say_width(result)} obeys the knowledge, found in {seconds}"
    if result.status in _FINAL:
        return f"{words} in {seconds}"
    return f"{words} after {seconds}" + ("" if result.has_network else ", no network found")


def _say_among_scored(result: LearnResult) -> str | None:
    """A phrase on what is proven of the networks of the scored families; None if all families were scored."""
    if result.families_bound is None or result.score is None:
        return None
    gap = result.families_bound - result.score
    if not result.families_max_parents:
        return f"{'' if gap <= 0 else f'at most {_nats(gap)} below '}the best of the families scored{_limit(result)}"
    networks = f"network{_write_limit(result, result.families_max_parents)}{say_width(result)}"
    return f"no {networks} scores higher" if gap <= 0 else f"at most {_nats(gap)} below the best {networks}"


def _write_unscored(result: LearnResult) -> str:
    """A phrase that says which parent sets were not scored, and why."""
    which = (
        "larger parent sets were not all scored" if result.families_max_parents else "other parent sets were not scored"
    )
    return f"{which}{why_unscored(result.status)}"


def _distance(result: LearnResult) -> str | None:
    """A phrase on the gap within the scope of the bound."""
    if result.gap is None:
        return None
    networks = {"table": "network of the table", "all": "network"}[result.scope or "all"]
    return f"at most {_nats(result.gap)} below the best {networks}{say_width(result)}"


def _nats(difference: float) -> str:
    return f"{difference:.6g}" if difference < 1e5 else f"{difference:,.0f}"


def _limit(result: LearnResult) -> str:
    most = result.provenance.max_parents
    return "" if most is None else f" (at most {count(most, 'parent')})"


def _write_limit(result: LearnResult, most: int | None = None) -> str:
    """A phrase on the limit on parents (by default the given one) and the number of variables isolated by rule."""
    limits = []
    if most is not None:
        knowledge = result.provenance.knowledge
        beyond = " beyond those required" if knowledge is not None and knowledge.required else ""
        limits.append(f"at most {count(most, 'parent')} each{beyond}")
    elif (given := _limit_given(result)) is not None:
        limits.append(f"at most {count(given, 'parent')} each")
    if result.isolated:
        limits.append(f"{count(len(result.isolated), 'variable')} isolated")
    return f" with {' and '.join(limits)}" if limits else ""


def _limit_given(result: LearnResult) -> int | None:
    """The given limit on parents; None if the tree-width allows no more anyway."""
    made = result.provenance
    is_free = made.tree_width is not None and made.max_parents == min(made.tree_width, len(result.graph) - 1)
    return None if is_free or not (made.complete and made.max_parents) else made.max_parents


def say_width(result: LearnResult) -> str:
    """A phrase on the given bound on the tree-width, or on the given cliques."""
    made = result.provenance
    if made.cliques is not None:
        return " within the cliques"
    return "" if made.tree_width is None else f" of tree-width at most {made.tree_width}"


def _tree_width(result: LearnResult) -> list[list[str]]:
    """Rows on the tree-width, and on its cost in score if the best network of any tree-width is known."""
    if result.decomposition is None:
        return []
    bags = (
        f"{count(len(result.decomposition.bags), 'bag')} of at most {count(result.decomposition.width + 1, 'variable')}"
    )
    rows = [["tree-width", f"{result.tree_width}: {bags}"]]
    if result.unbounded_score is not None and result.score is not None:
        loss = result.unbounded_score - result.score
        higher = f"{_nats(loss)} higher" if loss > 0 else "no higher"
        most = result.provenance.max_parents
        networks = "network" if most is None else f"network with at most {count(most, 'parent')} each"
        rows.append(["", f"the best {networks} of any tree-width scores {result.unbounded_score:.6f}, {higher}"])
    return rows


def _write_bound(result: LearnResult) -> str | None:
    """The bound with its scope in words; None without a bound."""
    if result.bound is None:
        return None
    if result.scope == "table":
        networks = f"no network{say_width(result)} made of the families of the table scores higher; others may"
    else:
        networks = f"no network{_write_limit(result)}{say_width(result)} scores higher"
    return f"{result.bound:.6f}: {networks}"


def report(result: LearnResult) -> str:
    """Lines about the network, then its edges."""
    made, statistics = result.provenance, result.statistics
    proven = _say_among_scored(result)
    rows = [["outcome", "; ".join(filter(None, [proven, ending(result)]))]]
    if proven is not None:
        rows.append(["", _write_unscored(result)])
    if result.score is not None:
        rows.append(["score", f"{result.score:.6f} ({made.judged_by or 'score and prior as in the table'})"])
    elif made.judged_by is not None:
        rows.append(["score", f"none ({made.judged_by})"])
    bounds = [[name, value] for name, value in (("bound", _write_bound(result)), ("gap", _distance(result))) if value]
    if proven is None and result.gap != 0:
        rows += bounds
    rows += _tree_width(result)
    rows.append(["method", f"{made.method}: {made.reason}" if made.reason else made.method])
    if made.data_digest is not None:
        number = "" if made.n_rows is None else f"{made.n_rows:,.12g} rows, "
        rows.append(["data", f"{number}digest {made.data_digest}"])
    if made.knowledge is not None:
        rows.append(["knowledge", "; ".join(made.knowledge.consequences(result.graph.variables))])
    if statistics.families is not None:
        version = "" if made.scoring_version is None else f", scored by credenet {made.scoring_version}"
        rows.append(["families", f"{statistics.families:,}{version}"])
    if statistics.components:
        rows.append(["components", ", ".join(map(str, statistics.components[:8])) + " variables"])
    if statistics.expanded:
        rows.append(["nodes", f"{statistics.expanded:,} expanded, {statistics.generated:,} generated"])
    if statistics.peak_bytes:
        rows.append(["search memory", byte_count(statistics.peak_bytes)])
    if made.test is not None:
        rows.append(["test", f"{made.test}, chosen by setting=auto" if made.test_scores else made.test])
    if statistics.tests:
        numbers = ", ".join(f"{number:,}" for number in statistics.tests.values())
        rows.append(["tests", f"{numbers} (by order)"])
    if statistics.refused_tests:
        numbers = ", ".join(f"{number:,}" for number in statistics.refused_tests.values())
        rows.append(["refused tests", f"{numbers} (by order)"])
    if result.conflicts:
        rows.append(["conflicts", f"{len(result.conflicts):,}"])
    if result.isolated:
        number = f" ({len(result.isolated)} in all)" if len(result.isolated) > _MOST_NAMES else ""
        rows.append(["isolated", f"by rule: {listing(result.isolated, _MOST_NAMES)}{number}"])
    rows += [["remark", remark] for remark in result.remarks]
    if proven is not None and result.gap != 0:  # Bounds on unscored families are weak, so they come last.
        rows += bounds
    return "\n".join([*(f"{name:<14} {value}" for name, value in rows), *_edges(result)])


def _edges(result: LearnResult) -> list[str]:
    """Lines of the first edges; a mark shows edges whose direction neither data nor knowledge determines."""
    graph = result.graph
    if isinstance(graph, PDAG):
        lines = [f"{tail} -> {head}" for tail, head in graph.directed[:_MOST_EDGES]]
        lines += [f"{a} -- {b}" for a, b in graph.undirected[: _MOST_EDGES - len(lines)]]
    else:
        lines = edge_lines(graph, result.cpdag)[:_MOST_EDGES]
    more = graph.n_edges - len(lines)
    rest = [f"  … and {more:,} more, which to_json() and files have"] if more else []
    return [f"edges ({graph.n_edges:,})", *(f"  {line}" for line in lines), *rest, *_alone(result)]


def _alone(result: LearnResult) -> list[str]:
    """The variables that no edge joins, but for those of a rule, which have a line of their own."""
    joined = {name for edge in result.graph.edges for name in edge}
    names = [name for name in result.graph.variables if name not in joined and name not in result.isolated]
    number = f" ({len(names):,} in all)" if len(names) > _MOST_NAMES else ""
    return [f"without edges: {listing(names, _MOST_NAMES)}{number}"] if names and result.has_network else []
