"""Networks of bounded tree-width: each variable and its parents lie in one bag of a tree decomposition.

Families with at most as many parents as the tree-width are scored. The search does not split them into components: a
component's tree-width also depends on the parents outside. If not all families were scored, those within the bags of
the network that a search finds are scored afterwards, and the best network within these bags is taken.
`auto` and `exact` first look for the best network of any tree-width if that is quick. If its tree-width is small
enough, it is the answer; otherwise its score is a bound.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from credenet import _core
from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run, Stop
from credenet._run.status import CoreStatus, Status
from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, GraphError
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG, TreeDecomposition
from credenet.learners.problem import LearningProblem
from credenet.learners.results import KTreePoint, LearnResult
from credenet.learners.score_based import learn_by_score, search_all_families
from credenet.learners.table_search import result_of, search
from credenet.learners.tree_width.bounded_scoring import score_bounded
from credenet.learners.tree_width.bounded_task import (
    BoundedResult,
    BoundedTask,
    as_search_result,
    convert_core_result,
    search_within_bags,
    shift_trace,
    sum_best_scores,
)
from credenet.learners.tree_width.family_completion import complete_families, plan_completion
from credenet.learners.tree_width.penalised_widths import search_in_degrees
from credenet.search.bounded_milp import BoundedNetwork, find_best_bounded
from credenet.search.components import SearchResult, components_of
from credenet.search.cost import FIRST_NETWORK, QUICK_TABLE
from credenet.settings.bounded_methods import KG, Annealing, Exact, KMax
from credenet.settings.method_bases import BoundedTreeWidth, KTrees
from credenet.settings.methods import Auto

LARGEST_BAG = 9  # Variables of a bag up to which all of its orders are listed.
WIDEST_EXACT_K_TREE = 7  # Tree-width up to which A* finds the best network in each of many k-trees.
_ORDERS = 50  # Elimination orders tried to show that a network is narrow enough.
_ANY_WIDTH_SHARE = 0.15  # Share of the time for the best network of any tree-width, whose score is a bound.
_ANY_WIDTH_SECONDS = 5.0  # Seconds for the best network of any tree-width without a time limit.
_ANY_WIDTH_FAMILIES = 50_000  # Families above which the network of any tree-width is not computed, as it takes long.
_ANY_WIDTH_VARIABLES = 200  # Variables of a component above which the network of any tree-width is not computed.
_STEPS_PER_SECOND = 1e9  # Steps per second and thread of dynamic programming over tree decompositions.
_QUICK_TABLE_SECONDS = 2.0  # Estimated seconds of an optimum up to which `auto` computes it at once.
_MOST_TABLE_SECONDS = 600.0  # Estimated seconds, without a time limit, above which an integer program is used instead.
_FIRST_ITERATIONS = 20  # Iterations of the search for the network from which an integer program starts.
_FIRST_SECONDS = 5.0  # Seconds of the search for a first network without a time limit.
_RESCUE_ITERATIONS = 5  # Iterations of annealing if nothing else found a network.
_QUICK_ORDERS = 5  # Elimination orders tried to narrow the bags of a network.


def learn_bounded(method: BoundedTreeWidth | Auto, problem: LearningProblem, run: Run) -> LearnResult:
    """The network of bounded tree-width that a method finds among the given families, or those of the data."""
    n = len(problem.source.variables)
    assert problem.tree_width is not None
    width = min(problem.tree_width, max(n - 1, 0))
    _check_sizes(method, problem, width)
    if problem.prior is not None and not problem.prior.is_modular and problem.prior.complexity == "tree_width":
        raise ArgumentError(f"{problem.prior} weighs tree-widths, so give it without tree_width and cliques")
    if problem.cliques is None and width == n - 1 and isinstance(method, Auto | Exact):
        return _learn_any_width(method, problem, run)
    asks_any_width = problem.cliques is None and width > 0 and isinstance(method, Auto | Exact)
    prior = None if problem.prior is None or problem.prior.is_modular else problem.prior
    scored = score_bounded(problem, width, run, any_width=asks_any_width and prior is None)
    families = scored.table
    if prior is not None:  # A bound of the prior on larger in-degrees would need more slack.
        families = families.restrict(max_parents=width)
    if families.made.status == "interrupted":  # After Ctrl-C only a quick network is wanted.
        run = replace(run, stop=Stop(is_asked=True))
    whole_run = run
    plan = None if isinstance(method, Exact) else plan_completion(families, problem, width, run)
    if plan is not None:
        run = plan.shorten(run)
    task = BoundedTask(families, width, problem, run)
    lacking = _variables_without_family(task)
    any_width = None
    if lacking:
        bounded = BoundedResult(choice=None, score=-math.inf, bound=-math.inf, status="infeasible")
    elif prior is not None:

        def search_inner(inner: BoundedTask) -> BoundedResult:
            if _variables_without_family(inner):
                return BoundedResult(choice=None, score=-math.inf, bound=-math.inf, status="infeasible")
            return _search(method, inner, _any_width(inner) if asks_any_width else None)

        bounded = search_in_degrees(task, prior, search_inner)
    else:
        if asks_any_width:
            any_width = _any_width(task)
        bounded = _search(method, task, any_width)
    run = whole_run
    if plan is not None:
        if bounded.status == "stopped" and not run.stop.is_asked:
            bounded = replace(bounded, status="time_limit")
        bounded, families = complete_families(bounded, replace(task, run=run), plan)
        task = replace(task, families=families, run=run)
    bounded = _narrow_bags(bounded, task)
    reason = "; ".join(filter(None, (scored.reason, bounded.reason)))
    provenance = problem.provenance(method, run, families.made, reason=reason)
    # The best network of any tree-width is made of the families scored before the search.
    has_any_width = any_width is not None and any_width.status == "optimal" and len(families) == len(scored.table)
    result = replace(
        result_of(families, as_search_result(bounded, run), provenance, run, scoring_seconds=scored.seconds),
        decomposition=bounded.decomposition,
        k_trees=bounded.k_trees,
        unbounded_score=any_width.score if has_any_width and any_width is not None else None,
        remarks=tuple(f"{name!r} needs more parents than a tree-width of {width} allows" for name in lacking),
    )
    if not isinstance(problem.source, Dataset):
        return result
    result = search_all_families(result, families, problem, run)
    return result if result.families_max_parents is None else replace(result, families_max_parents=scored.all_up_to)


def _check_sizes(method: BoundedTreeWidth | Auto, problem: LearningProblem, width: int) -> None:
    """Refuses cliques and tree-widths that are too large for a method."""
    if problem.cliques is not None and problem.cliques.width >= LARGEST_BAG:
        raise ArgumentError(
            f"cliques may have at most {LARGEST_BAG} variables each, got one of {problem.cliques.width + 1}; give "
            "smaller ones, or only tree_width"
        )
    if isinstance(method, KTrees) and method.exact and width > WIDEST_EXACT_K_TREE:
        raise ArgumentError(
            f"{method.short_name} finds the best network of each k-tree, which takes too long for a tree_width above "
            f"{WIDEST_EXACT_K_TREE}, got {width}; use {'s2_plus' if method.guided else 's2'} or auto"
        )


def _variables_without_family(task: BoundedTask) -> list[str]:
    """Variables whose families all have more parents than the tree-width allows."""
    flat = task.families.flat()
    small = np.bincount(flat.children[flat.sizes <= task.width], minlength=len(task.families.variables))
    return [name for name, number in zip(task.families.variables, small.tolist(), strict=True) if number == 0]


def _learn_any_width(method: BoundedTreeWidth | Auto, problem: LearningProblem, run: Run) -> LearnResult:
    """The best network of any tree-width, for a bound that all networks keep."""
    result = learn_by_score(Auto(), replace(problem, tree_width=None), run)
    provenance = replace(
        result.provenance,
        method=str(method),
        reason="; ".join(filter(None, ("no network is wider", result.provenance.reason))),
        tree_width=problem.tree_width,
    )
    if not result.has_network:
        return replace(result, provenance=provenance)
    return replace(
        result,
        provenance=provenance,
        decomposition=_decomposition(result.dag, run),
        unbounded_score=result.score if result.status == "optimal" else None,
    )


def _decomposition(dag: DAG, run: Run, orders: int = _ORDERS) -> TreeDecomposition:
    """A narrow tree decomposition of a network."""
    found = dag.elimination_order(restarts=orders, seed=run.seed, n_threads=run.n_threads)
    return TreeDecomposition.from_elimination_order(dag, found.order)


def _any_width(task: BoundedTask) -> SearchResult | None:
    """The best network of any tree-width, or a bound on its score; None if that is not quick."""
    components = components_of(task.families)
    largest = max(map(len, components), default=1)
    run = task.run
    if largest > QUICK_TABLE:
        if largest > _ANY_WIDTH_VARIABLES or len(task.families) > _ANY_WIDTH_FAMILIES:
            return None
        run = _limit_run(run, _ANY_WIDTH_SECONDS, _ANY_WIDTH_SHARE)
    quiet = replace(run, on_progress=None if run.on_progress is None else _hide_score(run.on_progress))
    return search(task.families, Auto(), replace(task.problem, tree_width=None), quiet)[0]


def _hide_score(on_progress: OnProgress) -> OnProgress:
    """Progress without the score, which may be that of a wider network."""

    def report(progress: Progress) -> bool | None:
        return on_progress(replace(progress, score=None))

    return report


def _search(method: BoundedTreeWidth | Auto, task: BoundedTask, any_width: SearchResult | None) -> BoundedResult:
    """The better of two networks: that of any tree-width, if narrow enough, and that of the method."""
    first = None if any_width is None or any_width.choice is None else _narrow(task, any_width)
    if first is not None and first.status == "optimal":
        return first
    if any_width is not None and any_width.status == "stopped":
        task = replace(task, run=replace(task.run, stop=Stop(is_asked=True)))
    bounded = _search_by_method(method, task, math.inf if any_width is None else any_width.bound)
    if bounded.choice is None and bounded.status != "infeasible":
        bounded = _rescue(bounded, task)
    if first is not None and first.score > bounded.score:
        bounded = replace(bounded, choice=first.choice, score=first.score, decomposition=first.decomposition)
    bound = min(
        bounded.bound, sum_best_scores(task.families, task.width), math.inf if any_width is None else any_width.bound
    )
    if bounded.choice is not None and bounded.score >= bound - tolerance(bound):
        return replace(bounded, bound=bounded.score, status="optimal")
    return replace(bounded, bound=bound)


def _narrow_bags(bounded: BoundedResult, task: BoundedTask) -> BoundedResult:
    """The found network with narrower bags, if a few elimination orders give such bags and no cliques were given."""
    if bounded.choice is None or bounded.decomposition is None or task.problem.cliques is not None:
        return bounded
    other = _decomposition(task.dag(bounded.choice), task.run, _QUICK_ORDERS)
    return replace(bounded, decomposition=other) if other.width < bounded.decomposition.width else bounded


def _narrow(task: BoundedTask, unbounded: SearchResult) -> BoundedResult | None:
    """The network of any tree-width with its bags, if it is narrow enough; else None."""
    assert unbounded.choice is not None
    decomposition = _decomposition(task.dag(unbounded.choice), task.run)
    if decomposition.width > task.width:
        return None
    return BoundedResult(
        choice=unbounded.choice,
        score=unbounded.score,
        bound=unbounded.bound,
        status="optimal" if unbounded.status == "optimal" else "stopped",
        decomposition=decomposition,
        reason=f"the best network of any tree-width has tree-width {decomposition.width}",
        trace=unbounded.trace,
        expanded=unbounded.expanded,
        generated=unbounded.generated,
        peak_bytes=unbounded.peak_bytes,
    )


def _rescue(bounded: BoundedResult, task: BoundedTask) -> BoundedResult:
    """The better of a result and the network of the required edges, which annealing improves.

    Few k-trees contain all required edges, so a search of k-trees may find no network.
    """
    start, other = task.run.clock.seconds_passed, _keep_required_edges(task)
    if other is None or other.decomposition is None or other.decomposition.width > 0:
        annealed = convert_core_result(_search_by_growth("annealing", _RESCUE_ITERATIONS, task), task, start)
        if annealed.choice is not None:
            other = annealed
    if other is None:
        return bounded
    reason = "; ".join(filter(None, (bounded.reason, "it found no network, so a local search was used")))
    return replace(bounded, choice=other.choice, score=other.score, decomposition=other.decomposition, reason=reason)


def _keep_required_edges(task: BoundedTask) -> BoundedResult | None:
    """The network in which each variable has its fewest parents; None if it has a cycle or is too wide."""
    flat = task.families.flat()
    order = np.lexsort((np.arange(len(flat.sizes)), flat.sizes, flat.children))
    choice = order[flat.starts[:-1]]
    try:
        decomposition = _decomposition(task.dag(choice), task.run)
    except GraphError:
        return None
    if decomposition.width > task.width:
        return None
    score = math.fsum(flat.scores[choice].tolist())
    return BoundedResult(choice=choice, score=score, bound=score, status="optimal", decomposition=decomposition)


def _search_by_method(method: BoundedTreeWidth | Auto, task: BoundedTask, bound: float) -> BoundedResult:
    """The result of the method itself, given a bound on all networks."""
    if task.width == 0:
        empty = _keep_required_edges(task)
        assert empty is not None
        return replace(empty, reason="tree-width 0 allows no edges")
    start = task.run.clock.seconds_passed
    if task.problem.cliques is not None:
        return convert_core_result(
            search_within_bags(task, task.problem.cliques), task, start, "the best network within the cliques"
        )
    if isinstance(method, KTrees):
        outcome = _search_k_trees(method, task)
        points = tuple(KTreePoint(*point) for point in outcome.points)
        return replace(
            _complete_status(convert_core_result(outcome, task, start, _complete_gain(outcome))), k_trees=points
        )
    if isinstance(method, KMax | KG | Annealing):
        return _complete_status(
            convert_core_result(_search_by_growth(method.short_name, method.iterations, task), task, start)
        )
    if isinstance(method, Exact):
        return _exactly(method, task, bound)
    if _table_bytes(task) <= task.run.memory and _table_seconds(task) <= _QUICK_TABLE_SECONDS:
        return _solve_by_table(task)
    iterations = Annealing().iterations if task.run.clock.time_limit is None else 0
    return _complete_status(
        convert_core_result(
            _search_by_growth("annealing", iterations, task), task, start, "annealing over tree decompositions"
        )
    )


def _complete_gain(outcome: _core.KTreeResult) -> str:
    """A sentence on the gain of a complete search of k-trees; empty if there was none."""
    if not outcome.n_complete:
        return ""
    gain = f"{outcome.complete_gain:.6g} nats of informative score"
    return f"A* gained {gain} over the greedy search, on average of {count(outcome.n_complete, 'k-tree')}"


def _complete_status(bounded: BoundedResult) -> BoundedResult:
    """The result with status ``complete`` in place of ``iteration_limit``, as the iterations were chosen beforehand."""
    return replace(bounded, status="complete") if bounded.status == "iteration_limit" else bounded


def _search_k_trees(method: KTrees, task: BoundedTask) -> _core.KTreeResult:
    run, data = task.run, task.problem.data
    status, information = _core.pair_information(data._count_source(), run.n_threads, run.callback())
    if status != "complete":
        run = replace(run, stop=Stop(is_asked=True))
    return _core.k_tree_search(
        families=task.families.flat().lists,
        weights=information,
        tree_width=task.width,
        guided=method.guided,
        exact=method.exact,
        complete=method.complete,
        n_iterations=method.iterations,
        n_orders=method.orders,
        max_bytes=int(run.memory),
        seed=run.seed,
        n_threads=run.n_threads,
        on_progress=run.callback(tells_score=True),
    )


def _search_by_growth(name: str, iterations: int, task: BoundedTask) -> _core.BoundedResult:
    run = task.run
    return _core.bounded_search(
        task.families.flat().lists,
        min(task.width, _core.MOST_TREE_WIDTH),  # A smaller bound is valid, as narrower networks are allowed.
        name,
        iterations,
        run.seed,
        run.n_threads,
        int(run.memory),
        run.callback(tells_score=True),
    )


def _table_bytes(task: BoundedTask) -> int:
    """The bytes of dynamic programming over tree decompositions."""
    return _core.bounded_dp_bytes(len(task.families.variables), task.width)


def _table_seconds(task: BoundedTask) -> float:
    """The estimated seconds of dynamic programming over tree decompositions."""
    steps = _core.bounded_dp_steps(len(task.families.variables), task.width)
    return steps / _STEPS_PER_SECOND / task.run.n_threads


def _solve_by_table(task: BoundedTask) -> BoundedResult:
    """The best network by dynamic programming over tree decompositions; a good first network saves work."""
    first, run = _first(task), task.run
    if first.status == "interrupted":
        return first
    start, lists = run.clock.seconds_passed, task.families.flat().lists
    callback = run.callback(tells_score=True)
    at_least = -math.inf if first.choice is None else first.score - tolerance(first.score)
    outcome = _core.bounded_dp(lists, task.width, int(run.memory), run.n_threads, callback, at_least)
    bounded = convert_core_result(outcome, task, start, "dynamic programming over all tree decompositions")
    if bounded.choice is None and first.choice is not None:
        # "infeasible" means that no network scores above the first one.
        status: CoreStatus | Status = "optimal" if bounded.status == "infeasible" else bounded.status
        bound = first.score if status == "optimal" else bounded.bound
        bounded = replace(first, bound=bound, status=status, reason=bounded.reason)
    return replace(bounded, trace=(*first.trace, *bounded.trace))


def _first(task: BoundedTask) -> BoundedResult:
    """The network of a short local search, from which an exact search starts."""
    start = task.run.clock.seconds_passed
    limited = replace(task, run=_limit_run(task.run, _FIRST_SECONDS, FIRST_NETWORK))
    return convert_core_result(_search_by_growth("annealing", _FIRST_ITERATIONS, limited), task, start)


def _limit_run(run: Run, seconds: float, share: float) -> Run:
    """The run with a share of its time, or with ``seconds`` if it has no time limit."""
    return run.end_within(seconds=seconds) if run.clock.time_limit is None else run.end_within(share=share)


def _exactly(method: Exact, task: BoundedTask, bound: float) -> BoundedResult:
    """The best network by the engine that the method names, or else by the one that suits the problem."""
    n, run, needed = len(task.families.variables), task.run, _table_bytes(task)
    seconds = _MOST_TABLE_SECONDS if run.clock.time_limit is None else run.clock.work_left
    may = needed <= run.memory and _table_seconds(task) <= seconds
    if method.engine == "dp" and needed > run.memory:
        raise ArgumentError(
            f"exact(engine=dp) needs {byte_count(needed)} for {n} variables and tree_width {task.width}, the memory "
            f"limit is {byte_count(run.memory)}; engine=milp and the other methods need less"
        )
    if method.engine == "dp" or (method.engine == "auto" and may):
        return _solve_by_table(task)
    return _solve_by_program(task, bound)


def _solve_by_program(task: BoundedTask, bound: float) -> BoundedResult:
    """The best network by an integer program, which starts from a network of local search."""
    run = task.run
    index = {name: at for at, name in enumerate(task.families.variables)}
    grown = _first(task)
    if grown.status == "interrupted":
        return grown
    first = None
    if grown.choice is not None and grown.decomposition is not None:
        order = [index[name] for name in grown.decomposition.elimination_order]
        first = BoundedNetwork(grown.choice, order)
    start = run.clock.seconds_passed
    optimum = find_best_bounded(task.families.flat(), task.width, run, first=first, upper_bound=bound)
    choice, decomposition = None, None
    if optimum.network is not None:
        choice = optimum.network.choice
        names = [task.families.variables[at] for at in optimum.network.elimination_order]
        decomposition = TreeDecomposition.from_elimination_order(task.dag(choice), names)
    return BoundedResult(
        choice=choice,
        score=optimum.score,
        bound=optimum.bound,
        status=optimum.status,
        decomposition=decomposition,
        reason="an integer linear program over elimination orders",
        trace=(*grown.trace, *shift_trace(optimum.trace, start)),
        expanded=optimum.n_nodes,
    )
