"""Approximate inference by a simpler network that is learned from samples.

The method is that of Nie, de Campos and Ji (2016): sample the network, learn one of bounded tree-width from the
samples, and infer in the learned one. Its answers are no better than the rows, so how these were drawn is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from credenet._advised import check_keywords
from credenet._arguments import instance, one_of, same_name, whole_number
from credenet._json import AsJson
from credenet._run.memory import sample_size
from credenet._run.progress import N_SEEDS, OnProgress
from credenet._run.run import Run
from credenet._text import count
from credenet.data.dataset import Dataset
from credenet.data.states import Label, text_keys
from credenet.errors import ArgumentError, DataError
from credenet.inference.evidence import EvidenceLike, check_evidence
from credenet.inference.inference import Inference
from credenet.inference.row_sampling import RowSampling, SampledRows, draw_rows, tell_phase
from credenet.learners.learning import learn
from credenet.learners.tree_width.held_out_widths import HeldOutWidth, choose_tree_width, split_rows, widths_to_try
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.interop import network_of_library
from credenet.networks.markov import MarkovNetwork
from credenet.settings.inference import SAMPLERS, row_sampler
from credenet.settings.methods import METHODS
from credenet.settings.scores import BDeu, Smoothing, smoothing_from

if TYPE_CHECKING:
    from credenet._run.status import Status
    from credenet.learners.results import LearnResult
    from credenet.settings.inference import RowSampler, RowSamplerName
    from credenet.settings.methods import Method

MOST_TREE_WIDTH = 8  # Largest tree-width that ``auto`` tries if the user gives none.
SAMPLING_SHARE = 0.5  # Share of the time limit after which rows are no longer drawn.
FORWARD_BLOCK = 1 << 16  # Rows that are drawn forward at once, so that those so far are there after a stop.


@dataclass(frozen=True, slots=True)
class SampledModel(AsJson):
    """A simpler network that approximates another one.

    Attributes
    ----------
    network
        The learned network.
    answers
        Its answers given the evidence: exact for itself, approximate for the network that was sampled.
    learned
        The result of learning.
    sampling
        How the rows were drawn, and whether they represent the distribution.
    tree_width
        The largest tree-width that was allowed, as given or as chosen; None without a bound.
    held_out
        With ``tree_width="auto"``, the log-likelihood of held-out rows for every tree-width that was tried.
    status
        ``not_converged`` if the rows do not represent the distribution, so that the answers are not to be trusted;
        ``time_limit``, ``memory_limit`` or ``stopped`` if sampling or learning ended early; else ``complete``.
    log_evidence
        An estimate of the natural log of the probability of the evidence; None if the rows were drawn given it in
        another way than by importance sampling.
    seconds
        The time that sampling and learning took.

    Examples
    --------
    >>> import credenet
    >>> model = credenet.sample_learn_infer(credenet.textbook.asia(), {"xray": "yes"}, n_rows=2000)
    >>> model.n_rows, model.exact_rows, model.sampling.method
    (2000, True, 'exact')
    """

    network: BayesianNetwork
    answers: Inference
    learned: LearnResult
    sampling: RowSampling
    tree_width: int | None
    held_out: tuple[HeldOutWidth, ...]
    status: Status | Literal["not_converged"]
    log_evidence: float | None
    seconds: float

    @property
    def n_rows(self) -> int:
        """The number of rows that the network was learned from."""
        return self.sampling.n_rows

    @property
    def exact_rows(self) -> bool:
        """Whether the rows were independent draws; False for Gibbs chains and resampled rows."""
        return self.sampling.exact

    @property
    def reason(self) -> str:
        """What to be wary of; empty if there is nothing."""
        return self.sampling.reason

    def to_dict(self, variables: Sequence[str] | None = None) -> dict[str, Any]:
        """All results, with the marginals of all or some variables, as JSON values."""
        marginals = self.answers.marginals(variables)
        return {
            "marginals": {name: text_keys(shares) for name, shares in marginals.items()},
            "log_evidence": self.log_evidence,
            "exact": False,
            "method": {"name": "sample_learn_infer", "tree_width": self.tree_width},
            "status": self.status,
            "reason": self.reason,
            "standard_errors": None,
            "sampling": asdict(self.sampling),
            "learning": {
                "method": self.learned.provenance.method,
                "status": self.learned.status,
                "score": self.learned.score,
                "edges": len(self.network.dag.edges),
                "parameters": self.network.n_parameters,
            },
            "held_out": [asdict(point) for point in self.held_out],
            "seconds": self.seconds,
        }

    def __repr__(self) -> str:
        width = "" if self.tree_width is None else f", tree-width at most {self.tree_width}"
        return f"<SampledModel {count(len(self.network.variables), 'variable')}{width}, {self.status}>"


@check_keywords
def sample_learn_infer(
    network: BayesianNetwork | MarkovNetwork,
    evidence: EvidenceLike | None = None,
    *,
    n_rows: int = 10_000,
    tree_width: int | Literal["auto"] | None = None,
    max_tree_width: int | None = None,
    method: Method | str | None = None,
    smoothing: Smoothing | str | None = BDeu(1.0),
    condition: Literal["before", "after"] = "before",
    sampler: RowSampler | RowSamplerName | str = "auto",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int | None = 0,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> SampledModel:
    """A simpler network learned from samples of another one, and its answers given evidence.

    Parameters
    ----------
    tree_width, method
        The largest tree-width and the method that learns the structure, as for `learn`. By default a tree
        (``chow_liu``), or with ``tree_width`` the method ``auto``. ``tree_width="auto"`` learns with 1, 2, 4 and so on
        from four fifths of the rows, takes the tree-width that gives the other rows the largest likelihood, and learns
        with it from all rows.
    max_tree_width
        The largest tree-width that ``tree_width="auto"`` tries; 8 if not given.
    smoothing
        The prior of the tables, as for `fit`.
    condition
        ``before``: the rows are drawn given the evidence. ``after``: they are drawn without it, and the learned network
        is conditioned on it; one network then serves many queries, but few rows agree with rare evidence.
    sampler
        How rows are drawn; ``auto`` is exact if that fits into memory and Gibbs sampling otherwise. A Bayesian network
        without evidence is sampled forward. ``importance_sampling`` resamples rows by importance weights, for networks
        in which Gibbs chains do not mix; scores count such a row as a share of an independent one. `Gibbs` and
        `ImportanceSampling` give settings: ``samples`` is then the least number of states that may be drawn from the
        proposal, and of no meaning for Gibbs chains.
    time_limit
        The limit in seconds of sampling, which takes at most half of it, and of learning. Ctrl-C has the same effect:
        the network is then learned from the rows so far.

    Examples
    --------
    >>> import credenet
    >>> asia = credenet.textbook.asia()
    >>> simpler = sample_learn_infer(asia, {"xray": "yes"}, n_rows=20_000)
    >>> simpler.status, simpler.sampling.method
    ('complete', 'exact')
    >>> credenet.marginal_errors(asia.infer({"xray": "yes"}), simpler.answers).max_absolute_error < 0.01
    True
    """
    foreign = network_of_library(network)
    network = network if foreign is None else foreign
    instance("network", network, (BayesianNetwork, MarkovNetwork), "a BayesianNetwork or a MarkovNetwork")
    one_of("condition", condition, ("before", "after"))
    is_auto = same_name("auto", tree_width)
    if max_tree_width is not None and not is_auto:
        raise ArgumentError('max_tree_width is for tree_width="auto"')
    most = whole_number("max_tree_width", MOST_TREE_WIDTH if max_tree_width is None else max_tree_width, least=1)
    width = None if is_auto or tree_width is None else whole_number("tree_width", tree_width)
    if method is None:
        method = "chow_liu" if tree_width is None else "auto"
    chosen, prior = METHODS.get(method), smoothing_from(smoothing)
    drawn_by = row_sampler(SAMPLERS, sampler)
    run = Run.from_limits(time_limit, memory_limit, n_threads, on_progress, seed=seed)
    given = check_evidence(evidence, network.states).given
    drawn_given = given if condition == "before" else {}
    sampling_run = tell_phase(run.end_within(share=SAMPLING_SHARE), "sampling")
    rows = _draw(network, drawn_given, n_rows, drawn_by, sampling_run)

    def learn_width(data: Dataset, width: int | None, part: Run) -> LearnResult:
        return _learn(data, width, chosen, tell_phase(part, _phase(width)))

    def fit_network(learned: LearnResult, data: Dataset) -> BayesianNetwork:
        return learned.fit(data, smoothing=prior, n_threads=run.n_threads)

    points: tuple[HeldOutWidth, ...] = ()
    learned: LearnResult | None = None
    if is_auto and not run.stop.is_asked:
        halves = split_rows(rows.data, rows.stretches, has_copies=rows.sampling.method == "importance_sampling")
        widths = widths_to_try(most, len(network.states))
        choice = choose_tree_width(*halves, widths, learn_width, fit_network, run)
        points, width = choice.points, choice.best
        if (run.stop.is_asked or run.clock.is_over) and choice.learned.has_network:
            learned = choice.learned
    if learned is None:
        learned = learn_width(rows.data, width, run)
    if not learned.has_network:
        learned = learn(rows.data, method="chow_liu" if width != 0 else "auto", tree_width=0 if width == 0 else None)
    simpler = fit_network(learned, rows.data)
    # Rows drawn given the evidence already reflect its likelihoods, so only observed states are asked again.
    asked = {name: value for name, value in given.items() if condition == "after" or isinstance(value, Label)}
    answers = simpler.infer(asked, memory_limit=memory_limit, n_threads=n_threads)
    log_evidence = rows.sampling.log_evidence
    if isinstance(network, BayesianNetwork) and not drawn_given:
        log_evidence = answers.log_evidence if asked else 0.0
    elif condition == "after" and asked:
        log_evidence = None
    return SampledModel(
        simpler,
        answers,
        learned,
        rows.sampling,
        width,
        points,
        _overall_status(rows.sampling, learned, run),
        log_evidence,
        run.clock.seconds_passed,
    )


def _phase(width: int | None) -> str:
    return "learning" if width is None else f"learning, tree-width {width}"


def _draw(
    network: BayesianNetwork | MarkovNetwork,
    given: EvidenceLike,
    n_rows: int,
    sampler: RowSampler | Literal["exact", "auto"],
    run: Run,
) -> SampledRows:
    if isinstance(network, BayesianNetwork) and not given and sampler == "auto":
        return _draw_forward(network, n_rows, run)
    return draw_rows(network._factor_model(), given, n_rows, method=sampler, run=run, is_all_needed=False)


def _draw_forward(network: BayesianNetwork, n_rows: int, run: Run) -> SampledRows:
    """Rows drawn along the arcs, in blocks with seeds of their own; those of the blocks so far if the run ends."""
    blocks: list[Dataset] = []
    n_rows = sample_size(n_rows, len(network.states))
    status: Literal["complete", "time_limit", "stopped"] = "complete"
    for at, first in enumerate(range(0, n_rows, FORWARD_BLOCK)):
        try:
            seed = (run.seed + at) % N_SEEDS
            size = min(FORWARD_BLOCK, n_rows - first)
            blocks.append(network.sample(size, seed=seed, n_threads=run.n_threads, on_progress=run.inner_progress))
        except (DataError, KeyboardInterrupt):
            if not blocks:
                raise
            run.stop.is_asked = True
        if run.stop.is_asked:
            status = "stopped"
            break
        if run.clock.is_over and len(blocks) * FORWARD_BLOCK < n_rows:
            status = "time_limit"
            break
    data = blocks[0] if len(blocks) == 1 else Dataset(network.states, np.concatenate([each.codes for each in blocks]))
    reason = "" if len(data) == n_rows else f"{len(data):,} of {count(n_rows, 'row')} were drawn"
    return SampledRows(data, RowSampling("forward", len(data), exact=True, status=status, reason=reason), (len(data),))


def _learn(data: Dataset, width: int | None, method: Method, run: Run) -> LearnResult:
    """The network of a tree-width; a tree if the user has asked for an end."""
    if run.stop.is_asked:
        return learn(data, method="chow_liu" if width != 0 else "auto", tree_width=0 if width == 0 else None)
    learned = learn(
        data,
        tree_width=width,
        method=method,
        time_limit=run.clock.limit(),
        memory_limit=run.memory,
        seed=run.seed,
        n_threads=run.n_threads,
        on_progress=run.inner_progress,
    )
    run.stop.is_asked |= learned.status == "stopped"
    return learned


def _overall_status(sampling: RowSampling, learned: LearnResult, run: Run) -> Status | Literal["not_converged"]:
    if sampling.status == "not_converged":
        return "not_converged"
    if run.stop.is_asked:
        return "stopped"
    if sampling.status != "complete":
        return sampling.status
    return learned.status if learned.status.endswith("_limit") else "complete"
