"""Rows drawn from a model given evidence: independent draws in a clique tree, Gibbs chains, or importance resampling.

Importance resampling (Rubin 1988) draws states from a proposal, weighs them, and draws the rows among them by weight.
The proposal is that of `ImportanceSampling`: the messages of a join graph, with a search out of dead ends. So it
reaches states between which single-variable moves of a Gibbs chain cannot pass. Systematic resampling takes a state
whose weight is worth w rows floor(w) or ceil(w) times, which adds the least variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.memory import sample_size
from credenet._run.progress import Progress
from credenet._run.run import Run
from credenet._run.status import require_end
from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, NetworkError
from credenet.inference.approximate import (
    BYTES_PER_CELL,
    FEW_SAMPLES,
    MOST_CELLS,
    MOST_SCALE_REDUCTION,
    cluster_plan,
    start_plan,
)
from credenet.inference.evidence import Evidence, EvidenceLike, check_evidence, impossible
from credenet.inference.inference import Inference
from credenet.inference.model import FactorModel
from credenet.settings.inference import Gibbs, ImportanceSampling, RowSampler

SamplingStatus = Literal["complete", "not_converged", "time_limit", "stopped"]

LEAST_CHAIN_ROWS = 100  # Rows of a chain at least, so that halves of chains can be compared.
MOST_PROPOSALS = 20  # States drawn from the proposal for each row that is wanted, at most.
EXACT_SHARE = 0.3  # Share of the time that `auto` gives to a clique tree before it takes Gibbs chains.
SLACK = 1e-12  # Largest difference of equal shares by rounding.


@dataclass(frozen=True, slots=True)
class RowSampling:
    """How rows were drawn, and whether they represent the distribution.

    Attributes
    ----------
    method
        ``forward`` along the arcs, ``exact`` in a clique tree, ``gibbs`` or ``importance_sampling``.
    n_rows
        The number of rows.
    exact
        Whether the rows are independent draws from the distribution itself.
    status
        ``not_converged`` if Gibbs chains disagree, or if importance weights leave fewer than 100 effective rows: then
        the rows do not represent the distribution. ``time_limit`` and ``stopped``: there are fewer rows than asked for.
    n_chains
        The number of Gibbs chains with rows; None for other methods.
    scale_reduction
        The potential scale reduction (R-hat) of the Gibbs chains, of their halves and the worst state of all variables;
        above 1.1 they disagree. It is infinite if chains are stuck in different states. None for other methods.
    effective_rows
        The effective number of independent rows behind resampled ones; None for other methods.
    log_evidence
        An estimate of the natural log of the probability of the evidence, or of the partition function of a Markov
        network, if the rows are resampled; None for other methods.
    reason
        What to be wary of; empty if there is nothing.

    Examples
    --------
    >>> import credenet
    >>> model = credenet.sample_learn_infer(credenet.textbook.asia(), n_rows=1000)
    >>> model.sampling.method, model.sampling.status
    ('forward', 'complete')
    """

    method: Literal["forward", "exact", "gibbs", "importance_sampling"]
    n_rows: int
    exact: bool
    status: SamplingStatus = "complete"
    n_chains: int | None = None
    scale_reduction: float | None = None
    effective_rows: float | None = None
    log_evidence: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SampledRows:
    """Rows, how they were drawn, and the lengths of the stretches of them that are independent of each other."""

    data: Dataset
    sampling: RowSampling
    stretches: tuple[int, ...]


def draw_rows(
    model: FactorModel,
    evidence: EvidenceLike | None,
    n_rows: int,
    *,
    method: RowSampler | Literal["exact", "auto"] = "auto",
    run: Run,
    is_all_needed: bool = True,
) -> SampledRows:
    """Rows drawn given the evidence; the same for a seed with any number of threads.

    Gibbs chains and resampling give the rows so far where the run ends early, unless all are needed.
    """
    n_rows = sample_size(n_rows, 5 * len(model.states))
    checked = check_evidence(evidence, model.states)
    if isinstance(method, str):
        rows = _draw_exactly(model, evidence, n_rows, run, is_required=method == "exact")
        if rows is not None:
            return rows
    if isinstance(method, ImportanceSampling):
        return _resample(model, checked, n_rows, method, run, is_all_needed=is_all_needed)
    chains = method if isinstance(method, Gibbs) else Gibbs()
    return _run_chains(model, checked, n_rows, chains, run, is_all_needed=is_all_needed)


def _draw_exactly(
    model: FactorModel, evidence: EvidenceLike | None, n_rows: int, run: Run, *, is_required: bool
) -> SampledRows | None:
    """Independent rows drawn in a clique tree; None if it does not fit into memory or time, unless it is required."""
    short = run if is_required else run.end_within(share=EXACT_SHARE)
    inference = Inference(
        model,
        evidence,
        time_limit=short.clock.limit(),
        memory_limit=run.memory,
        n_threads=run.n_threads,
        on_progress=run.inner_progress,
    )
    if not is_required and inference.memory_problem() is not None:
        return None
    try:
        data = inference.sample(n_rows, seed=run.seed)
    except NetworkError:
        if is_required or run.stop.is_asked or not short.clock.is_over:
            raise
        return None
    return SampledRows(data, RowSampling("exact", n_rows, exact=True), (n_rows,))


def _run_chains(
    model: FactorModel, evidence: Evidence, n_rows: int, chains: Gibbs, run: Run, *, is_all_needed: bool
) -> SampledRows:
    n_chains = min(chains.restarts, n_rows)
    n_drawn = max(n_rows, n_chains * LEAST_CHAIN_ROWS)
    plan = start_plan(model, evidence, n_threads=run.n_threads)
    if not plan.is_possible:
        raise impossible(evidence)
    answer, flat, lengths = plan.gibbs_rows(
        n_drawn, chains.burn_in, n_chains, chains.thin, run.seed, run.n_threads, run.callback()
    )
    if answer.status == "infeasible":
        raise impossible(evidence)
    if is_all_needed or not lengths.any():
        require_end(answer.status, NetworkError("Gibbs sampling was stopped before it had its rows"))
    if not lengths.any() or (is_all_needed and not lengths.all()):
        raise NetworkError("a Gibbs chain found no initial state; try importance_sampling")
    status = _sampling_status(answer, run)
    all_rows = flat.reshape(len(model.states), n_drawn).T
    full = _split_evenly(n_drawn, n_chains)
    firsts = np.cumsum([0, *full[:-1]]).tolist()
    chosen = [
        (all_rows[first : first + length], -(-wanted * length // whole))
        for first, length, whole, wanted in zip(
            firsts, lengths.tolist(), full, _split_evenly(n_rows, n_chains), strict=True
        )
        if length
    ]
    stretches = [stretch for stretch, _ in chosen]
    reduction = scale_reduction(stretches, model.n_states.tolist())
    remarks = []
    if len(stretches) < n_chains:
        remarks.append(f"{count(n_chains - len(stretches), 'chain')} found no initial state")
    if len(stretches) < 2:
        remarks.append("a single chain has nothing to be compared with")
    if reduction > MOST_SCALE_REDUCTION:
        status = "not_converged"
        remarks.insert(
            0,
            f"the Gibbs chains disagree (potential scale reduction {reduction:.3g}), so their rows do not represent "
            "the distribution; try a longer burn_in, or importance_sampling",
        )
    kept = [stretch[np.arange(n_kept) * len(stretch) // n_kept] for stretch, n_kept in chosen]
    data = Dataset(model.states, np.concatenate(kept))
    if len(data) < n_rows:
        remarks.append(f"{len(data):,} of {count(n_rows, 'row')} were drawn")
    sampling = RowSampling(
        "gibbs",
        len(data),
        exact=False,
        status=status,
        n_chains=len(stretches),
        scale_reduction=reduction,
        reason="; ".join(remarks),
    )
    return SampledRows(data, sampling, tuple(map(len, kept)))


def _split_evenly(n: int, n_parts: int) -> list[int]:
    """The sizes of parts of n; the first ones have one more."""
    return [n // n_parts + (at < n % n_parts) for at in range(n_parts)]


def scale_reduction(chains: list[NDArray[np.int32]], n_states: list[int]) -> float:
    """The potential scale reduction of the halves of chains, for the state of all variables that has the largest.

    It is the root of the variance that the means of halves suggest over the variance within halves (Gelman and Rubin
    1992; Vehtari et al. 2021). Independent rows have 1 on average; it is infinite if halves are stuck in different
    states, and 1 if there are too few rows to compare.

    Examples
    --------
    >>> stuck = [np.zeros((10, 1), dtype=np.int32), np.ones((10, 1), dtype=np.int32)]
    >>> scale_reduction(stuck, [2])
    inf
    """
    length = min(len(chain) for chain in chains) // 2
    if length < 2:
        return 1.0
    halves = [half for chain in chains for half in (chain[:length], chain[-length:])]
    largest = 1.0
    for at, size in enumerate(n_states):
        shares = np.array([np.bincount(half[:, at], minlength=size) for half in halves]) / length
        between = shares.var(axis=0, ddof=1)
        within = (shares * (1 - shares)).mean(axis=0) * length / (length - 1)
        if np.any((within <= SLACK) & (between > SLACK)):
            return float("inf")
        ratio = between / np.where(within > SLACK, within, 1.0)
        largest = max(largest, float(np.sqrt((length - 1) / length + ratio.max())))
    return largest


def _resample(
    model: FactorModel,
    evidence: Evidence,
    n_rows: int,
    proposal: ImportanceSampling,
    run: Run,
    *,
    is_all_needed: bool,
) -> SampledRows:
    cells = min(MOST_CELLS, run.memory / BYTES_PER_CELL)
    plan = cluster_plan(model, evidence, proposal.i_bound, most_cells=cells, n_threads=run.n_threads)
    if not plan.is_possible:
        raise impossible(evidence)
    most = max(proposal.samples, MOST_PROPOSALS * n_rows)
    left = run.memory - plan.bytes - 8 * plan.cells
    most = min(most, int(left / (9 * len(model.states) + 24)))  # States and weights are held twice for a moment.
    if most < n_rows:
        raise ArgumentError(
            f"importance_sampling needs more memory than memory_limit, {byte_count(run.memory)}; pass a smaller "
            "i_bound, ask for fewer rows or raise memory_limit"
        )
    answer, flat, log_weights = plan.weighted_rows(
        float(n_rows), most, 0.0, proposal.iterations, 1e-3, run.seed, run.n_threads, run.callback()
    )
    if answer.status == "infeasible":
        raise impossible(evidence)
    if is_all_needed or len(log_weights) == 0:
        require_end(answer.status, NetworkError("importance sampling was stopped before it had its rows"))
    if len(log_weights) == 0:
        raise NetworkError("no sample had weight; try importance_sampling with a larger i_bound")
    status = _sampling_status(answer, run)
    weights = np.exp(log_weights - log_weights.max())
    size = float(answer.effective_sample_size)
    picked = systematic_choice(weights, n_rows, np.random.default_rng(run.seed))
    states = flat.reshape(len(log_weights), len(model.states))[picked]
    remarks = [f"the rows are worth {size:.3g} independent ones"] if size < n_rows else []
    if size < FEW_SAMPLES:
        status = "not_converged"
        remarks[:] = [
            f"the effective number of rows is {size:.3g}, so they do not represent the distribution; try more samples "
            "or a larger i_bound"
        ]
    if answer.n_unsettled:
        remarks.append(f"{count(answer.n_unsettled, 'state')} may be dead ends, so some weights may be too large")
    # Each row counts as a share of an independent one, so that scores do not trust copies.
    share = min(1.0, size / n_rows)
    data = Dataset(model.states, states, weights=None if share == 1 else np.full(n_rows, share))
    sampling = RowSampling(
        "importance_sampling",
        n_rows,
        exact=False,
        status=status,
        effective_rows=min(size, float(n_rows)),
        log_evidence=answer.log_value,
        reason="; ".join(remarks),
    )
    return SampledRows(data, sampling, (n_rows,))


def systematic_choice(weights: NDArray[np.float64], n: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Positions drawn in proportion to weights, in ascending order; a position of share p comes n p times, rounded.

    Examples
    --------
    >>> systematic_choice(np.array([1.0, 0.0, 3.0]), 4, np.random.default_rng(0)).tolist()
    [0, 2, 2, 2]
    """
    sums = np.cumsum(weights)
    marks = (np.arange(n) + random.random()) * (sums[-1] / n)
    picked: NDArray[np.int64] = np.minimum(np.searchsorted(sums, marks, side="right"), len(weights) - 1)
    return picked


def _sampling_status(answer: _core.ApproximateAnswer, run: Run) -> SamplingStatus:
    ended = run.status_of(answer.status)
    if ended == "stopped":
        run.stop.is_asked = True
        return "stopped"
    return "time_limit" if ended == "time_limit" else "complete"


def tell_phase(run: Run, phase: str) -> Run:
    """The run whose progress names a phase."""
    on_progress = run.on_progress
    if on_progress is None:
        return run

    def report(progress: Progress) -> bool | None:
        return on_progress(replace(progress, phase=phase))

    return replace(run, on_progress=report)
