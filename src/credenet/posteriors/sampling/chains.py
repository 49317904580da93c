"""Networks drawn from the posterior by Markov chains, until the chains agree.

Several chains start from different networks. They run in parallel until they agree on every edge (split R-hat) and the
errors of the edge probabilities are small enough. Only the later three quarters of each chain count. The status
distinguishes chains that disagree, whose probabilities cannot be trusted at all, from chains that were stopped early.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import OnProgress, Progress, read_seed
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._run.workers import run_in_threads
from credenet._text import byte_count
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.posteriors.sampling.diagnostics import Floats
from credenet.posteriors.sampling.pacing import Pacing
from credenet.posteriors.sampling.redraws import Offers, Redraws, find_redraws
from credenet.posteriors.sampling.starts import Network, find_starts, replace_out_of_range, take_starts
from credenet.posteriors.sampling.stretches import (
    ERRORS,
    NO_EDGES,
    ChainAgreement,
    OutsideEdges,
    Stretch,
    Stretches,
    candidate_pairs,
    total,
)
from credenet.settings.posterior import MCMC

ChainStatus = Literal["converged", "not_converged"] | Status
"""``not_converged``: the chains disagree. ``infeasible``: no network exists. With any other status but ``converged``
the chains agree but had no time to become as exact as asked for."""

DEFAULT = MCMC()

_FIRST_VISITS = 500  # Visits of the variables, all together, in the first stretch of a chain.
_FAMILIES_OF_VISIT = 200  # To sum up a stretch takes about as long as a visit for so many families.
_SHORTEST = 8  # Sweeps of a stretch at least, so that some of them count.
_MOST_STRETCHES = 32  # Stretches of a chain that are kept if they fit into memory.
_CHECK_EVERY = 4  # Stretches between two checks of whether the chains agree.


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainResult:
    """The probabilities that chains found, with their diagnostics.

    Matrices are indexed by parent and child, or by the start and the end of a path.

    Parameters
    ----------
    family_probabilities
        The probability of each family of ``families.flat()``. It is the average of the known probabilities of the
        family given the non-descendants of its variable.
    edge_probabilities, edge_errors, edge_rhat, effective_sizes
        The probability of each edge, its standard error, R-hat and effective size. All are NaN for an edge that no
        family has; all but the first are NaN for chains that are too short. R-hat is 1 for edges on which the chains
        agree up to 0.001.
    joined_errors
        The standard error of the probability that two variables are joined in either direction.
    path_probabilities
        The share of the chains' time with each directed path.
    networks
        The recorded networks, with equal weights: for each variable the position of its family.
    log_scores
        The scores of recorded networks, chains x networks, from the start of each chain.
    chain_edge_probabilities
        The edge probabilities of each chain.
    outside_errors
        The standard errors of the probabilities of edges from variables that the chains do not move.
    largest_rhat
        The largest R-hat of the log score and of the edges on which half chains differ by more than the precision
        asked for.
    status
        ``converged``, ``not_converged`` if the chains disagree, or the limit that stopped them before the errors were
        small enough.
    sweeps, moves
        The number of sweeps of each chain, and of moves of all chains together.

    Examples
    --------
    >>> import credenet
    >>> data = credenet.datasets.sprinkler(200)
    >>> chains = credenet.posterior(data, method="mcmc(chains=2, max_error=0.01)").chains[0]
    >>> chains.status, chains.edge_probabilities.shape
    ('converged', (4, 4))
    """

    family_probabilities: Floats
    edge_probabilities: Floats
    edge_errors: Floats
    edge_rhat: Floats
    effective_sizes: Floats
    path_probabilities: Floats
    networks: NDArray[np.int64]
    log_scores: Floats
    chain_edge_probabilities: Floats
    largest_rhat: float
    status: ChainStatus
    sweeps: int
    moves: int
    seconds: float
    joined_errors: Floats = field(default_factory=lambda: np.empty((0, 0)))
    outside_errors: Floats = field(default_factory=lambda: np.empty(0))


def run_chains(
    families: FamilyTable,
    run: Run,
    settings: MCMC = DEFAULT,
    *,
    seed: int,
    starts: Sequence[DAG] | None = None,
    moves: _core.ChainMoves | None = None,
    outside: OutsideEdges = NO_EDGES,
) -> ChainResult:
    """Runs Markov chains over the networks of a table, whose weight is exp(score).

    The result depends on the seed and on where it is stopped, not on the number of threads.

    Parameters
    ----------
    starts
        Networks of listed families from which the chains start; by default different ones.
    moves
        The moves of a sweep. The default is a mixture that works well, with jumps to random credible networks if these
        are listed soon; the chains then also start from credible networks.
    outside
        Edges from variables that the chains do not move, whose errors are asked for, too.
    """
    seed = read_seed(seed)
    most = _stretches_that_fit(families, run, settings.chains)
    redraws = find_redraws(families, seed, run) if moves is None else None
    networks: list[Network] | None
    if starts is not None:
        networks = take_starts(families, starts, settings.chains)
    else:
        networks = find_starts(families, settings.chains, seed, run)
        if networks is not None and redraws is not None:
            n_drawn = settings.chains - settings.chains // 2  # The others start far away: equal starts prove nothing.
            networks[:n_drawn] = list(redraws.draw(n_drawn)[1])
    if networks is None:
        return _nothing(families, settings.chains, outside, run)
    networks = replace_out_of_range(families, networks)
    sampler = _Sampler(families, networks, seed, most, moves or _core.ChainMoves(), redraws)
    return sampler.run(run, settings, outside)


class _Sampler:
    def __init__(
        self,
        families: FamilyTable,
        networks: list[Network],
        seed: int,
        most: int,
        moves: _core.ChainMoves,
        redraws: Redraws | None,
    ) -> None:
        self._flat = families.flat()
        self._n_variables = len(families.variables)
        tables = _core.ChainTables(self._flat.lists)
        self._chains = [
            _core.DagChain(tables, np.ascontiguousarray(network), moves, seed, stream)
            for stream, network in enumerate(networks)
        ]
        most_visits = max(_FIRST_VISITS, len(self._flat.scores) // _FAMILIES_OF_VISIT)
        length = max(most_visits // max(self._n_variables, 1), _SHORTEST)
        self._stretches = Stretches(self._flat, len(networks), most, length)
        self._most = most
        self._offers = [] if redraws is None else [Offers(redraws, *one) for one in zip(self._chains, count())]
        self._agreement: ChainAgreement | None = None
        self._pacing = Pacing(self._n_variables, self._stretches.pairs)

    def run(self, run: Run, settings: MCMC, outside: OutsideEdges) -> ChainResult:
        most = math.inf if settings.max_iterations is None else settings.max_iterations
        within = ERRORS * settings.max_error
        told = replace(run, on_progress=self._tell(run))
        self._first()
        converged = agrees = False
        while not converged and self._stretches.n_sweeps < most:
            if not self._extend(told):
                break
            if len(self._stretches) % _CHECK_EVERY == 0:
                self._agreement = agreement = self._stretches.agreement()
                self._change_pace(within)
                converged = (
                    agreement is not None
                    and self._stretches.is_settled
                    and len(self._stretches) >= self._most // 2
                    and agreement.knows_all(within, settings.max_rhat)
                )
        if not converged:
            self._agreement = self._stretches.agreement()
        agrees = self._agreement is not None and self._agreement.largest_rhat(within) <= settings.max_rhat
        status: ChainStatus
        if converged:
            status = "converged"
        elif not agrees:
            status = "not_converged"
        else:
            status = "iteration_limit" if self._stretches.n_sweeps >= most else run.status_of("stopped")
        return self._result(status, within, outside, run)

    def _first(self) -> None:
        """Runs one sweep of each chain, so that there is always a result."""
        for chain in self._chains:
            chain.run(1, 1, None)
        self._stretches.add([self._stretches.read(chain.take_sums()) for chain in self._chains])

    def _change_pace(self, within: float) -> None:
        pace = self._pacing.change(
            [chain.steps for chain in self._chains],
            self._agreement,
            len(self._stretches),
            self._stretches.n_halvings,
            within,
        )
        if pace is not None:
            self._stretches.begin_anew()
            for chain in self._chains:
                chain.pace(pace.n_windows, pace.focus, pace.count_every)

    def _extend(self, run: Run) -> bool:
        """Runs the next stretch of each chain; if it is stopped, returns False and all chains drop it."""
        length, every = self._stretches.length, self._stretches.record_every

        def one(number: int, goes_on: OnProgress) -> Stretch | None:
            chain = self._chains[number]
            if self._offers:
                self._offers[number].next(length * self._n_variables)

            def report(done: int, total: int, _score: float, _bound: float) -> bool:
                return goes_on(Progress(done, total)) is not False and not run.clock.is_over

            status = chain.run(length, every, report)
            return self._stretches.read(chain.take_sums()) if status == "complete" else None

        found = run_in_threads(run, len(self._chains), one)
        if len(found) < len(self._chains):
            return False
        self._stretches.add(found)
        return True

    def _tell(self, run: Run) -> OnProgress | None:
        if run.on_progress is None:
            return None
        on_progress = run.on_progress

        def tell(_: Progress) -> bool | None:
            largest = math.nan if self._agreement is None else self._agreement.largest_rhat(0.01)
            rhat = f", largest R-hat {largest:.3f}" if math.isfinite(largest) else ""
            return on_progress(Progress(self._stretches.n_sweeps, 0, phase=f"sampling networks{rhat}"))

        return tell

    def _result(self, status: ChainStatus, within: float, outside: OutsideEdges, run: Run) -> ChainResult:
        kept = self._stretches.later_stretches()
        chains = [total(stretches) for stretches in kept]
        whole = total(chains)
        n, pairs = self._n_variables, self._stretches.pairs
        agreement = self._agreement
        unknown = np.full(len(pairs), np.nan)
        return ChainResult(
            family_probabilities=whole.families / whole.n_counted,
            edge_probabilities=_matrix(whole.edges / whole.n_counted, pairs, n, 0.0),
            edge_errors=_matrix(unknown if agreement is None else agreement.errors, pairs, n),
            edge_rhat=_matrix(unknown if agreement is None else agreement.rhat, pairs, n),
            effective_sizes=_matrix(unknown if agreement is None else agreement.effective_sizes, pairs, n),
            joined_errors=np.full((n, n), np.nan) if agreement is None else self._stretches.joined_errors(),
            path_probabilities=np.ascontiguousarray((whole.paths / whole.time).reshape(n, n).T),
            networks=whole.networks,
            log_scores=self._stretches.scores(),
            chain_edge_probabilities=np.array([_matrix(one.edges / one.n_counted, pairs, n, 0.0) for one in chains]),
            outside_errors=np.full(outside.n_edges, np.inf)
            if agreement is None
            else self._stretches.outside_errors(outside),
            largest_rhat=math.nan if agreement is None else agreement.largest_rhat(within),
            status=status,
            sweeps=self._stretches.n_sweeps,
            moves=sum(chain.n_moves for chain in self._chains),
            seconds=run.clock.seconds_passed,
        )


def _matrix(values: Floats, pairs: NDArray[np.int64], n: int, other: float = math.nan) -> Floats:
    """A matrix by parent and child from values of pairs, which are numbered child * n + parent."""
    flat = np.full(n * n, other)
    flat[pairs] = values
    return np.ascontiguousarray(flat.reshape(n, n).T)


def _stretches_that_fit(families: FamilyTable, run: Run, n_chains: int) -> int:
    """The number of stretches of a chain that fit into half of the memory."""
    flat, n = families.flat(), len(families.variables)
    stretch = 8 * (len(flat.scores) + 3 * len(candidate_pairs(flat)) + n * n)
    fixed = _core.ChainTables.bytes(flat.lists) + n_chains * 2 * stretch
    most = _MOST_STRETCHES
    while most > 8 and fixed + n_chains * most * stretch > run.memory / 2:
        most //= 2
    needed = fixed + n_chains * most * stretch
    if needed > run.memory:
        raise ArgumentError(
            f"{n_chains} chains over {len(flat.scores):,} families need {byte_count(needed)} of memory; the limit is "
            f"{byte_count(run.memory)}. Score the families with less slack or fewer parents"
        )
    return most


def _nothing(families: FamilyTable, n_chains: int, outside: OutsideEdges, run: Run) -> ChainResult:
    n = len(families.variables)
    empty = np.full((n, n), np.nan)
    return ChainResult(
        family_probabilities=np.full(len(families), np.nan),
        edge_probabilities=empty,
        edge_errors=empty,
        edge_rhat=empty,
        effective_sizes=empty,
        joined_errors=empty,
        path_probabilities=empty,
        networks=np.empty((0, n), dtype=np.int64),
        log_scores=np.empty((n_chains, 0)),
        chain_edge_probabilities=np.full((n_chains, n, n), np.nan),
        outside_errors=np.full(outside.n_edges, np.nan),
        largest_rhat=math.nan,
        status="infeasible",
        sweeps=0,
        moves=0,
        seconds=run.clock.seconds_passed,
    )
