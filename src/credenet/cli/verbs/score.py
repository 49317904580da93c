"""``credenet score``: the families of a table of data, or the score of a graph."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from credenet.cli import INTERRUPTED
from credenet.cli.advice import translate_to_shell
from credenet.cli.answers import STOPPED, print_json, say_stopped
from credenet.cli.arguments.groups import FamilyScoringFlags, LimitFlags, TableFlags
from credenet.cli.arguments.parameters import AnyCase, Json, Output, Switch, WholeOrNone
from credenet.cli.inputs import load_structure, read_data, refuse_flags
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.families.table import FamilyTable

SearchName = Annotated[Literal["levels", "best_first"], AnyCase]


def score(
    data: Path,
    *,
    output: Output = None,
    graph: Path | None = None,
    scoring: FamilyScoringFlags = FamilyScoringFlags(),
    slack: float | None = None,
    bayes_factor: float | None = None,
    search: SearchName = "levels",
    max_families: WholeOrNone = None,
    unproven_bounds: Switch = False,
    limits: LimitFlags = LimitFlags(),
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """Score the candidate parent sets of every variable, or the graph given with --graph.

    Parameters
    ----------
    data
        A table of data.
    output
        The family table to write (.jkl .pss .parquet; .gz of these).
    graph
        Score this graph (a graph or network file) instead.
    slack
        Keep the families of networks at most this much (in nats) worse than the best.
    bayes_factor
        The same limit as a Bayes factor.
    search
        Score parent sets level by level, by size (levels), or, for many variables, the most promising ones first
        (best_first) until a limit is reached.
    max_families
        The largest number of families to score for one variable in a best-first search.
    unproven_bounds
        Also prune by bounds of fnml and qnml that are checked numerically but not proven.
    limits.time_limit
        Stop after this long (90, 90s, 10m) with the families scored so far.
    """
    import credenet

    start = perf_counter()
    check_output(output)
    given = scoring.arguments()
    if graph is not None:
        searched = {
            "output": output,
            "max_parents": scoring.max_parents,
            "knowledge": scoring.knowledge,
            "isolate_constant": None if scoring.isolate_constant else False,
            "slack": slack,
            "bayes_factor": bayes_factor,
            "search": None if search == "levels" else search,
            "max_families": max_families,
            "unproven_bounds": unproven_bounds or None,
            "time_limit": limits.time_limit,
            "memory_limit": limits.memory_limit,
        }
        refuse_flags(searched, "--graph, of which its own families alone are scored")
    table = read_data(data, options, n_threads=limits.n_threads)
    if graph is not None:
        structure = load_structure(graph)
        dag = structure.dag if isinstance(structure, credenet.BayesianNetwork) else structure
        dag = dag.extension() if isinstance(dag, credenet.PDAG) else dag
        scored = {name: given[name] for name in ("score", "ess", "prior")}
        return _score_graph(dag, table, {**scored, "states": options.states, "n_threads": limits.n_threads}, json=json)
    check_output(output, lambda path: _no_families(table).save(path))
    with progress_bar("scoring") as on_progress:
        families = credenet.score_families(
            table,
            **given,
            **limits.arguments(),
            slack=slack,
            bayes_factor=bayes_factor,
            states=options.states,
            search=search,
            max_families=max_families,
            unproven_bounds=unproven_bounds,
            on_progress=on_progress,
        )
    write_output(output, families.save)
    if json:
        print_json(
            {
                "families": len(families),
                "evaluated": families.made.evaluated,
                "complete": families.made.complete,
                "status": families.made.status,
                "max_parents": families.made.max_parents,
                "isolated": list(families.made.isolated),
                "seconds": perf_counter() - start,
            }
        )
    else:
        print(families.summary())
    say_stopped(str(families.made.status), "the families are those that were scored")
    if families.made.status == "interrupted":
        return INTERRUPTED
    return 0 if families.made.status == "complete" else STOPPED


def _no_families(data: Dataset) -> FamilyTable:
    """A family table of the same variables, each with the empty parent set only."""
    import credenet

    return credenet.FamilyTable.from_lists({name: [(0.0, ())] for name in data.variables})


def _score_graph(dag: object, table: Dataset, scored: dict[str, Any], *, json: bool) -> int:
    import credenet
    from credenet._text import table as text_table

    assert isinstance(dag, credenet.DAG)
    result = credenet.score(table, dag, **scored)
    if json:
        print_json({"score": result.total, "local": dict(result.local), "remarks": result.remarks})
    else:
        print(text_table(["variable", "score"], [[name, f"{value:.6f}"] for name, value in result.local.items()]))
        print(f"total {result.total:.6f}")
        for remark in map(translate_to_shell, result.remarks):
            print(f"remark: {remark}")
    return 0
