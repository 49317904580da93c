"""The result of a learner: the network, its bound, and its provenance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from credenet import _later
from credenet._advised import Advised, check_keywords
from credenet._arguments import file_path
from credenet._files.files import suffix_of, write_text
from credenet._files.suffixes import GRAPH_SUFFIXES, NETWORK_SUFFIXES
from credenet._json import AsJson
from credenet._run.ledger import BoundPoint
from credenet._run.status import Status
from credenet._text import count
from credenet.errors import ArgumentError
from credenet.graphs import DAG, PDAG, TreeDecomposition
from credenet.graphs.arguments import HasGraph, edges_by_kind
from credenet.knowledge.equivalence import class_given
from credenet.learners import result_text
from credenet.networks.fitting import fit
from credenet.settings.scores import BDeu, Smoothing

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from credenet.data.sources import DataLike
    from credenet.families.table import FamilyTable
    from credenet.independence.judging import IndependenceResult
    from credenet.knowledge.knowledge import Knowledge
    from credenet.learners.verification import Verification
    from credenet.networks.bayesian import BayesianNetwork
    from credenet.search.ilp.proof import Proof
    from credenet.settings.priors import Prior
    from credenet.settings.scores import Score

Scope = Literal["all", "table"]
"""The networks that a bound covers: all that the options allow, or those made of the families of a given table."""


class KTreePoint(NamedTuple):
    """A k-tree: the sum of the mutual information of its edges, and the best score of a network in it.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method="s2(iterations=5)", tree_width=2)
    >>> result.k_trees[0].score <= result.score
    True
    """

    information: float
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Time, memory and work of the learning.

    Attributes
    ----------
    seconds, scoring_seconds
        Seconds in total, and for scoring the families before the search.
    families, evaluated
        The numbers of families searched, and scored before.
    components
        The sizes of the strongly connected components of at least two variables, largest first.
    expanded, generated
        Nodes of the search; what a node is depends on the method.
    peak_bytes
        The largest size of the tables of the search.
    tests
        The number of tests of independence by order, as counted when tests run one after another.
    refused_tests
        Those of them that were refused for too few rows per cell (``min_rows_per_cell``), by order; they removed no
        edge.
    stage_seconds
        Seconds of each stage, for methods with several stages.

    Examples
    --------
    >>> import credenet
    >>> statistics = credenet.learn(credenet.datasets.asia(), method="dp").statistics
    >>> statistics.families <= statistics.evaluated
    True
    """

    seconds: float
    scoring_seconds: float = 0.0
    families: int | None = None
    evaluated: int | None = None
    components: tuple[int, ...] = ()
    expanded: int = 0
    generated: int = 0
    peak_bytes: int = 0
    tests: Mapping[int, int] = field(default_factory=dict)
    refused_tests: Mapping[int, int] = field(default_factory=dict)
    stage_seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How a result was made: enough to make it again.

    Attributes
    ----------
    method
        The method and its settings, such as ``DP(layered=False)``.
    reason
        Why this method was chosen, for ``auto``.
    score, prior, states, max_parents, knowledge
        The problem; None where it is not known (a table read from a file) or not used.
    tree_width, cliques
        The largest tree-width that was allowed, and the cliques that the network must lie within, where they were
        given.
    test
        The test of independence and its settings, where one was used.
    test_scores
        If ``setting="auto"`` chose the setting of the test: for each setting that was tried, as text, the score of the
        network found by it.
    score_name, prior_name
        Score and prior in words, which a table read from a file may record.
    complete
        Whether all families that can be in a best network were scored; None where that is not known.
    n_rows, data_digest
        The rows (or their total weight) and the digest (`Dataset.digest`) of the data; None where a family table
        does not record them.
    version, scoring_version
        The versions of this library that learned the network and that scored the families.

    Examples
    --------
    >>> import credenet
    >>> provenance = credenet.learn(credenet.datasets.asia(), score="bdeu(ess=10)", max_parents=3).provenance
    >>> provenance.score_name, provenance.max_parents
    ('bdeu(ess=10)', 3)
    """

    method: str
    reason: str = ""
    score: Score | None = None
    prior: Prior | None = None
    score_name: str | None = None
    prior_name: str | None = None
    test: str | None = None
    test_scores: Mapping[str, float] = field(default_factory=dict)
    states: Literal["declared", "observed"] | None = None
    max_parents: int | None = None
    tree_width: int | None = None
    cliques: TreeDecomposition | None = None
    knowledge: Knowledge | None = None
    complete: bool | None = None
    n_rows: float | None = None
    data_digest: str | None = None
    seed: int = 0
    version: str = ""
    scoring_version: str | None = None

    @property
    def judged_by(self) -> str | None:
        """Score, equivalent sample size and prior in words; None if no score was used."""
        if self.score_name is None and self.score is None and self.prior_name is None:
            return None
        ess = getattr(self.score, "ess", None)
        score = self.score_name or "score not known"
        if ess is not None and self.score is not None and [each.name for each in fields(self.score)] == ["ess"]:
            score = f"{self.score.short_name}, ess {ess:g}"
        return f"{score}, prior {self.prior_name or 'not known'}"

    def with_reason(self, reason: str) -> Provenance:
        """This provenance with a further reason."""
        return replace(self, reason="; ".join(filter(None, (self.reason, reason))))

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""
        return {
            "method": self.method,
            "reason": self.reason,
            "score": self.score_name,
            "prior": self.prior_name,
            "test": self.test,
            "test_scores": dict(self.test_scores),
            "states": self.states,
            "max_parents": self.max_parents,
            "tree_width": self.tree_width,
            "cliques": None if self.cliques is None else [list(bag) for bag in self.cliques.bags],
            "knowledge": None if self.knowledge is None else self.knowledge.to_dict(),
            "complete": self.complete,
            "n_rows": self.n_rows,
            "data_digest": self.data_digest,
            "seed": self.seed,
            "version": self.version,
            "scoring_version": self.scoring_version,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LearnResult(Advised, AsJson, HasGraph):
    """A learned network with its score, its bound and how it was made.

    Attributes
    ----------
    graph
        The learned graph; `dag` and `cpdag` derive from it.
    score
        The score of the graph, prior included; None if the method uses no score.
    bound
        No network of its scope scores higher. It equals the score if the network is proven to be optimal; None if
        nothing is known.
    scope
        The networks that the bound covers: ``"all"`` that the options allow, or only those made of the families of the
        ``"table"`` given, if the table may lack families. Networks that join `isolated` variables are in neither.
    families_bound
        If scoring ended early: no network made of the scored families has a higher score. Networks with other families
        may score higher, as this one may if it has some.
    families_max_parents
        If scoring ended early: the scored families are all of at most this many parents beyond those required, so that
        ``families_bound`` bounds every network of such families. None if they are not.
    status
        ``optimal`` (proven), ``complete`` (the method ended, and there is nothing to prove),
        ``local_optimum``, or what ended the search: ``time_limit``, ``memory_limit``, ``iteration_limit``, ``stopped``.
        ``infeasible`` if no network obeys the knowledge. The graph is then empty, as it is if a limit ended the search
        before any network was found (`has_network`).
    isolated
        Variables with one observed state, which have no edges by rule (``isolate_constant``).
    trace
        Score and bound over time.
    proofs
        For ``ilp``, inequalities with dual values that prove the bound of each component; `verify` checks them without
        a solver.
    conflicts
        Contradictions between tests of independence, or between tests and knowledge, in words: which edges or colliders
        were dropped or added.
    strengths
        For each edge learned by tests on data, the test that came closest to removing it.
    remarks
        What a user should know before relying on the network, such as that it overfits.
    local
        The score of each family, if it is known.
    decomposition
        For a bounded tree-width, the tree decomposition that holds each variable and its parents in one bag.
    k_trees
        For ``s2``, ``s2_plus``, ``kp`` and ``kp_plus``, the k-trees in which a network was sought.
    unbounded_score
        For a bounded tree-width, the best score of a network made of the same families without that bound, where it was
        found.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), score="bic")
    >>> result.status, result.gap
    ('optimal', 0.0)
    >>> bool(result.verify(credenet.datasets.asia()))
    True
    """

    graph: DAG | PDAG
    score: float | None
    bound: float | None
    status: Status
    statistics: Statistics
    provenance: Provenance
    scope: Scope | None = None
    families_bound: float | None = None
    families_max_parents: int | None = None
    isolated: tuple[str, ...] = ()
    trace: tuple[BoundPoint, ...] = ()
    proofs: tuple[Proof, ...] = ()
    conflicts: tuple[str, ...] = ()
    strengths: tuple[IndependenceResult, ...] = ()
    remarks: tuple[str, ...] = ()
    local: Mapping[str, float] = field(default_factory=dict)
    decomposition: TreeDecomposition | None = None
    unbounded_score: float | None = None
    k_trees: tuple[KTreePoint, ...] = ()

    @property
    def dag(self) -> DAG:
        """The network, or a consistent extension of the learned PDAG."""
        return self.graph if isinstance(self.graph, DAG) else self.graph.extension()

    @property
    def has_network(self) -> bool:
        """Whether a network was found."""
        return self.status != "infeasible" and (self.score is not None or self.statistics.families is None)

    def _graph_for(self, argument: str) -> DAG | PDAG:
        if not self.has_network:
            raise ArgumentError(f"{argument} must have a network, but this result has none ({self.status})")
        return self.graph

    @property
    def cpdag(self) -> PDAG:
        """The Markov equivalence class of networks that obey the knowledge; an edge is directed if they all agree."""
        return class_given(self.dag, self.provenance.knowledge, self.provenance.prior)

    @property
    def gap(self) -> float | None:
        """Bound less score; 0 if the network is proven to be optimal in its `scope`."""
        if self.score is None or self.bound is None:
            return None
        return 0.0 if self.bound == self.score else self.bound - self.score

    @property
    def tree_width(self) -> int | None:
        """The width of the decomposition, if there is one."""
        return None if self.decomposition is None else self.decomposition.width

    @property
    def elimination_order(self) -> tuple[str, ...] | None:
        """An order in which inference eliminates the variables with tables of at most `tree_width` + 1 variables."""
        return None if self.decomposition is None else self.decomposition.elimination_order

    def verify(self, data: DataLike | FamilyTable) -> Verification:
        """Checks score, acyclicity, knowledge and, where that is quick, the bound, all computed from scratch.

        Parameters
        ----------
        data
            The data or the families that the network was learned from.
        """
        from credenet.learners.verification import verify

        return verify(self, data)

    @check_keywords
    def fit(
        self,
        data: DataLike,
        *,
        smoothing: Smoothing | str | None = BDeu(1.0),
        n_threads: int | None = None,
    ) -> BayesianNetwork:
        """The network with tables fitted to data; see `credenet.fit`. Inference may use its `elimination_order`."""
        fitted = fit(data, self.dag, smoothing=smoothing, n_threads=n_threads)
        return fitted if self.decomposition is None else fitted.with_elimination_order(self.elimination_order)

    def save(
        self,
        path: str | Path,
        *,
        data: DataLike | None = None,
        smoothing: Smoothing | str | None = BDeu(1.0),
        rename: Literal["safe"] | None = None,
    ) -> None:
        """Writes the result (``.json``), its graph (``.txt .csv .dot .res``) or a fitted network (``.bif`` ...).

        `load` reads the result back. A ``.res`` file also holds the scores of the families and the elimination order,
        where they are known.

        Parameters
        ----------
        data
            The data that the tables of a network are fitted to; ``.json`` then has this network, which `credenet.load`
            reads. The result and its graph need none.
        smoothing
            As for `fit`.
        rename
            Of the network, as for `BayesianNetwork.save`.
        """
        if rename is not None and (data is None or suffix_of(path) not in NETWORK_SUFFIXES.keys() - {".dot", ".gv"}):
            raise ArgumentError("rename is for a network that is fitted to data: save(path, data=..., rename='safe')")
        if suffix_of(path) == ".res":
            _later.io_res.save_res(self.dag, path, local=self.local, elimination_order=self.elimination_order)
            return
        if suffix_of(path) == ".json" and data is None:
            _later.io_results_files.save_json(self, path)
            return
        if suffix_of(path) in GRAPH_SUFFIXES and suffix_of(path) != ".json":
            _later.io_graphs.save_graph(self.graph, path)
            return
        if suffix_of(path) not in NETWORK_SUFFIXES:
            graphs, networks = " ".join(GRAPH_SUFFIXES), " ".join(NETWORK_SUFFIXES)
            raise ArgumentError(
                f"{Path(path).name}: a result is written as .json, its graph as {graphs}, and with data a network as "
                f"{networks}"
            )
        if data is None:
            raise ArgumentError(
                f"{Path(path).name} would hold tables, which are fitted to data: save(path, data=...); "
                f"without data a graph can be saved ({' '.join(GRAPH_SUFFIXES)})"
            )
        self.fit(data, smoothing=smoothing).save(path, rename=rename)

    @classmethod
    def load(cls, path: str | Path) -> LearnResult:
        """The result in a ``.json`` file that `save` wrote without data."""
        return _later.io_results_files.load_result(path, cls)

    def to_polars(self) -> pl.DataFrame:
        """The edges as a polars frame: ``from``, ``to``, and whether data and knowledge determine the ``direction``."""
        import polars as pl

        free = set(self.cpdag.undirected)
        directed, undirected = edges_by_kind(self.graph)
        rows = [(a, b, not free & {(a, b), (b, a)}) for a, b in directed] + [(a, b, False) for a, b in undirected]
        schema = {"from": pl.String, "to": pl.String, "direction": pl.Boolean}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def to_pandas(self) -> Any:
        """The frame of `to_polars` for pandas, which must be installed."""
        return _later.io_tables_frames.to_pandas(self.to_polars())

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score {self.score:.2f}"
        size = f"{count(len(self.graph.variables), 'variable')}, {count(self.graph.n_edges, 'edge')}"
        return f"<LearnResult {size}{score}, {result_text.outcome(self)}>"

    def __str__(self) -> str:
        return result_text.report(self)

    def _repr_html_(self) -> str:
        drawing: str = self.graph._repr_html_()
        return f"<p>{escape(repr(self)[1:-1])}</p>{drawing}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values; infinite numbers become None."""
        directed, undirected = edges_by_kind(self.graph)
        return {
            "score": _finite(self.score),
            "bound": _finite(self.bound),
            "gap": _finite(self.gap),
            "scope": self.scope,
            "families_bound": _finite(self.families_bound),
            "families_max_parents": self.families_max_parents,
            "status": self.status,
            "variables": list(self.graph.variables),
            "edges": [list(edge) for edge in directed],
            "undirected": [list(edge) for edge in undirected],
            "cpdag": {
                "directed": [list(edge) for edge in self.cpdag.directed],
                "undirected": [list(edge) for edge in self.cpdag.undirected],
            },
            "isolated": list(self.isolated),
            **self._tree_width_values(),
            "statistics": {**asdict(self.statistics), "components": list(self.statistics.components)},
            "provenance": self.provenance.to_dict(),
            "remarks": list(self.remarks),
            "conflicts": list(self.conflicts),
            "strengths": [asdict(strength) for strength in self.strengths],
            "trace": [[point.seconds, _finite(point.score), _finite(point.bound)] for point in self.trace],
        }

    def _tree_width_values(self) -> dict[str, Any]:
        """The part of `to_dict` for a network of bounded tree-width."""
        if self.decomposition is None:
            return {}
        return {
            "tree_width": self.tree_width,
            "elimination_order": list(self.decomposition.elimination_order),
            "bags": [list(bag) for bag in self.decomposition.bags],
            "unbounded_score": _finite(self.unbounded_score),
        }

    @staticmethod
    def check_trace(path: str | Path) -> None:
        """Raises an error now for a file that `save_trace` could not write."""
        if Path(path).suffix.lower() != ".csv":
            _later.drawing_plotting.check_plot(path, "a trace is written as .csv,")

    def save_trace(self, path: str | Path) -> None:
        """Writes score and bound over time: a table (``.csv``) or a drawing (``.svg``, ``.png``, ``.pdf``)."""
        if file_path(path).suffix.lower() == ".csv":
            lines = [f"{point.seconds:.6f},{_cell(point.score)},{_cell(point.bound)}" for point in self.trace]
            write_text(path, "\n".join(["seconds,score,bound", *lines, ""]))
        else:
            self.plot_trace(path)

    def plot_trace(self, to: str | Path | Axes | None = None) -> Axes:
        """Matplotlib axes with score and bound over time; needs the plot extra.

        Parameters
        ----------
        to
            A file (``.svg``, ``.png``, ``.pdf``), axes to draw into, or nothing for a new figure.
        """
        return _later.drawing_trace.plot_trace({"": self.trace}, to)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _cell(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""
