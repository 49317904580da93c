"""How far a learned graph or network is from a reference."""

from __future__ import annotations

import math
from collections.abc import Hashable, Set
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from credenet import _core
from credenet._arguments import whole_number
from credenet._html import html_table
from credenet._json import AsJson
from credenet._run.progress import read_seed, thread_count
from credenet.data.sources import as_dataset
from credenet.errors import ArgumentError, GraphError
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import as_graph
from credenet.graphs.edge_marks import UNDIRECTED, Marks, differences, edge_marks
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.divergence import Estimate, kl_divergence, marginal_errors
from credenet.networks.interop import network_of_library
from credenet.placement.data_options import DataOptions, takes_data

if TYPE_CHECKING:
    from credenet.data.sources import DataLike
    from credenet.graphs.arguments import GraphLike

_MOST_BRANCHINGS = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(AsJson):
    """Distances between a reference and a learned graph; for two networks also between their distributions.

    Attributes
    ----------
    shd
        Structural Hamming distance of the CPDAGs: the number of pairs of variables whose edge differs, which is the sum
        of the next three.
    extra, missing
        Pairs that are adjacent only in the learned graph, or only in the reference.
    misdirected
        Pairs that are adjacent in both, with different directions or directed in one only.
    shd_dag
        The structural Hamming distance of the two DAGs themselves; None unless both are DAGs.
    sid
        Structural intervention distance: the number of ordered pairs (i, j) for which the learned graph gives a wrong
        effect of an intervention on i on j. For a learned PDAG, the smallest and largest value over its extensions.
        None if the reference is a PDAG or the learned PDAG has no extension.
    sid_exact
        False if the search over extensions ended early, so that the two values only bound the true ones; None if there
        is no distance.
    f1_skeleton, f1_arrow
        Harmonic mean of precision and recall of the adjacent pairs, and of the directed edges of the two CPDAGs; 1 if
        neither graph has any.
    hellinger, max_absolute_error
        Errors of the marginals of two networks, averaged over the variables.
    kl
        Kullback-Leibler divergence of the learned network from the reference in nats, estimated by sampling.
    log_likelihood
        The log-likelihood of held-out rows under each of the two that is a network.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.DAG.parse("a -> c <- b")
    >>> comparison = credenet.compare(truth, credenet.DAG.parse("a -> c, b"))
    >>> comparison.shd, comparison.missing, comparison.misdirected
    (2, 1, 1)
    """

    shd: int
    extra: int
    missing: int
    misdirected: int
    shd_dag: int | None
    sid: int | tuple[int, int] | None
    sid_exact: bool | None
    f1_skeleton: float
    f1_arrow: float
    hellinger: float | None = None
    max_absolute_error: float | None = None
    kl: Estimate | None = None
    log_likelihood: HeldOutLogLikelihoods | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values. Numbers that are not finite become None; ``kl`` has a flag for infinity."""
        fields = asdict(self)
        if isinstance(self.sid, tuple):
            fields["sid"] = list(self.sid)
        if self.kl is not None:
            fields["kl"]["infinite"] = math.isinf(self.kl.value)
        for part in (fields["kl"], fields["log_likelihood"]):
            if part is not None:
                part.update({key: None for key, value in part.items() if value is None or not math.isfinite(value)})
        return fields

    def __str__(self) -> str:
        return "\n".join(f"{name:<20} {value}" for name, value in self._rows())

    def _repr_html_(self) -> str:
        return html_table(["measure", "value"], [[name.strip(), value] for name, value in self._rows()])

    def _rows(self) -> list[tuple[str, str]]:
        """The names and values of the measures that are not None."""
        rows = [("SHD of the CPDAGs", f"{self.shd}")]
        rows += [
            ("  extra", f"{self.extra}"),
            ("  missing", f"{self.missing}"),
            ("  misdirected", f"{self.misdirected}"),
        ]
        if self.shd_dag is not None:
            rows.append(("SHD of the DAGs", f"{self.shd_dag}"))
        if isinstance(self.sid, tuple):
            note = "" if self.sid_exact else " (outer bounds)"
            rows.append(("SID", f"{self.sid[0]} to {self.sid[1]}{note}"))
        elif self.sid is not None:
            rows.append(("SID", f"{self.sid}"))
        rows += [("F1 of the skeletons", f"{self.f1_skeleton:.3f}"), ("F1 of the arrows", f"{self.f1_arrow:.3f}")]
        if self.hellinger is not None and self.max_absolute_error is not None:
            rows.append(("Hellinger distance", f"{self.hellinger:.6f} (mean over the marginals)"))
            rows.append(("largest difference", f"{self.max_absolute_error:.6f} (mean over the marginals)"))
        if self.kl is not None:
            rows.append(("KL divergence", f"{self.kl.value:.6f} (standard error {self.kl.standard_error:.2g})"))
        if self.log_likelihood is not None:
            named = asdict(self.log_likelihood).items()
            rows += [("log-likelihood", f"{value:.3f} ({who})") for who, value in named if value is not None]
        return rows


@dataclass(frozen=True, slots=True)
class HeldOutLogLikelihoods:
    """Log-likelihood of the same rows under a reference and a learned network; None where there is no network.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.textbook.sprinkler()
    >>> learned = credenet.fit(truth.sample(100), truth.dag)
    >>> held_out = credenet.compare(truth, learned, rows=truth.sample(1000, seed=1)).log_likelihood
    >>> held_out.reference > held_out.learned
    True
    """

    reference: float | None
    learned: float | None


@takes_data("rows")
def compare(
    reference: GraphLike,
    learned: GraphLike,
    *,
    rows: DataLike | None = None,
    kl_rows: int = 100_000,
    max_branchings: int = 100_000,
    seed: int | None = 0,
    n_threads: int | None = None,
    **options: Unpack[DataOptions],
) -> Comparison:
    """The distances of a learned graph or network from a reference over the same variables.

    DAGs are compared by their CPDAGs; PDAGs are compared as they are. Two networks are also compared as distributions.

    Parameters
    ----------
    reference, learned
        Graphs, networks or results of `learn`.
    rows
        Held-out rows, for the log-likelihood of the networks: a `Dataset`, a data frame or a two-dimensional array.
    kl_rows
        The number of rows that are sampled to estimate the divergence of two networks; 0 omits it.
    max_branchings
        The largest number of branchings on undirected edges in one undirected component of a learned PDAG, when the
        smallest and largest structural intervention distance are searched. If more are needed, outer bounds are given.
    options
        How data are read and counted: `DataOptions`.

    Examples
    --------
    >>> from credenet.graphs import DAG
    >>> truth = DAG.parse("a -> c <- b")
    >>> comparison = compare(truth, DAG.parse("a -> c -> b"))
    >>> comparison.shd, comparison.misdirected, comparison.sid
    (2, 2, 3)
    """
    max_branchings = min(whole_number("max_branchings", max_branchings), _MOST_BRANCHINGS)
    if whole_number("kl_rows", kl_rows) == 1:
        raise ArgumentError(f"kl_rows must be 0 or at least 2, got {kl_rows}")
    seed = read_seed(seed)
    held_out = None if rows is None else as_dataset(rows, "rows")
    graphs = as_graph(reference, "reference"), as_graph(learned, "learned")
    result = _compare_graphs(*graphs, max_branchings, thread_count(n_threads))
    networks = [
        graph if isinstance(graph, BayesianNetwork) else network_of_library(graph) for graph in (reference, learned)
    ]
    if networks[0] is not None and networks[1] is not None:
        errors = marginal_errors(networks[0], networks[1])
        result = replace(result, hellinger=errors.hellinger, max_absolute_error=errors.max_absolute_error)
        if kl_rows:
            kl = kl_divergence(networks[0], networks[1], n_rows=kl_rows, seed=seed, n_threads=n_threads)
            result = replace(result, kl=kl)
    if held_out is not None:
        if networks == [None, None]:
            raise ArgumentError("rows need at least one network, but both are graphs without tables")
        likelihoods = (None if network is None else network.log_likelihood(held_out) for network in networks)
        result = replace(result, log_likelihood=HeldOutLogLikelihoods(*likelihoods))
    return result


def _compare_graphs(reference: DAG | PDAG, learned: DAG | PDAG, max_branchings: int, n_threads: int) -> Comparison:
    _check_variables(reference, learned)
    if learned.variables != reference.variables:
        learned = _reorder(learned, reference.variables)
    reference_marks = _class_marks(reference)
    learned_marks = _class_marks(learned)
    extra, missing, misdirected = differences(reference_marks, learned_marks)
    sid, sid_exact = _sid(reference, learned, max_branchings, n_threads)
    shd_dag = None
    if isinstance(reference, DAG) and isinstance(learned, DAG):
        shd_dag = sum(differences(edge_marks(reference), edge_marks(learned)))
    return Comparison(
        shd=extra + missing + misdirected,
        extra=extra,
        missing=missing,
        misdirected=misdirected,
        shd_dag=shd_dag,
        sid=sid,
        sid_exact=sid_exact,
        f1_skeleton=_f1(set(reference_marks), set(learned_marks)),
        f1_arrow=_f1(_arrows(reference_marks), _arrows(learned_marks)),
    )


def _check_variables(reference: DAG | PDAG, learned: DAG | PDAG) -> None:
    first, second = set(reference.variables), set(learned.variables)
    if first == second:
        return
    parts = [
        f"only in the {which}: {', '.join(sorted(names)[:5])}{', …' if len(names) > 5 else ''}"
        for which, names in (("reference", first - second), ("learned graph", second - first))
        if names
    ]
    raise GraphError(f"the graphs must have the same variables; {'; '.join(parts)}")


def _reorder(graph: DAG | PDAG, variables: tuple[str, ...]) -> DAG | PDAG:
    if isinstance(graph, DAG):
        return DAG(variables, graph.edges)
    return PDAG(variables, graph.directed, graph.undirected)


def _class_marks(graph: DAG | PDAG) -> Marks:
    return edge_marks(graph.cpdag() if isinstance(graph, DAG) else graph)


def _arrows(marks: Marks) -> set[tuple[tuple[int, int], int]]:
    return {item for item in marks.items() if item[1] != UNDIRECTED}


def _f1(reference: Set[Hashable], learned: Set[Hashable]) -> float:
    total = len(reference) + len(learned)
    return 2 * len(reference & learned) / total if total else 1.0


def _sid(
    reference: DAG | PDAG, learned: DAG | PDAG, max_branchings: int, n_threads: int
) -> tuple[int | tuple[int, int] | None, bool | None]:
    if not isinstance(reference, DAG):
        return None, None
    truth = reference.edge_arrays()
    if isinstance(learned, DAG):
        return _core.sid(len(reference), *truth, *learned.edge_arrays(), n_threads), True
    if not learned.has_extension():
        return None, None
    low, high, exact = _core.sid_bounds(len(reference), *truth, *learned.edge_arrays(), max_branchings, n_threads)
    return (low, high), exact
