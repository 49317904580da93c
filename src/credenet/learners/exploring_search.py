"""Search for networks while families are still being explored.

Three searches take turns. Each starts from the best network. The exploration scores promising families, first those
near the best network. The order search finds the best network of the families scored. Hill climbing changes single
edges and may use any family. What one finds, the next can use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from credenet import _core
from credenet._run.ledger import BoundPoint
from credenet._run.progress import N_SEEDS, OnProgress, Progress
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.families.scoring.exploring import FamilyExplorer
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Statistics
from credenet.learners.score_based import replace_network
from credenet.search.local import NO_START
from credenet.settings.method_bases import MethodAbilities
from credenet.settings.methods import HillClimb

DEFAULT_SECONDS = 50.0  # Seconds of work of ``auto`` without a time limit.
FIRST_CLIMB = 4.0  # Seconds of work of the first hill climbing at most, so that a network exists soon.
FIRST_ROUND = 0.02  # Share of the time left for the exploration of the first round, and for its order search.
GROWTH = 1.5  # Factor from one round's time to the next, as better networks become harder to find.
N_FURTHER = 16  # Most promising parents that are added to each set near the best network.
SHORT_SEARCH = (1, 300)  # Orders and iterations of the order search near the best network.
LONG_SEARCH = (4, 3000)  # Orders and iterations of the order search of a round.
RESTARTS = 50  # Restarts of hill climbing once nothing else finds a better network.
PATIENCE = 3  # Rounds without a better network after which a search ends.


class ExploringSearch:
    """The best network so far of one problem, and the searches that improve it."""

    def __init__(self, problem: LearningProblem, run: Run) -> None:
        self._problem = problem
        self._run = run
        self._explorer: FamilyExplorer | None = None
        self._best: DAG | None = None
        self._score = -math.inf
        self._trace: list[BoundPoint] = []
        self._seed = run.seed
        self._is_stopped = False

    @property
    def is_over(self) -> bool:
        """Whether the time is over or the user has stopped the search."""
        return self._is_stopped or self._run.stop.is_asked or self._run.clock.is_over

    @property
    def score(self) -> float:
        """The score of the best network."""
        return self._score

    def stop(self) -> None:
        """Ends all searches; the best network remains."""
        self._is_stopped = True

    def begin(self) -> bool:
        """Finds a first network by hill climbing; False if none obeys the rules."""
        self._climb(None, FIRST_CLIMB)
        return self._best is not None

    def offer(self, result: LearnResult) -> None:
        """Keeps the network of another search if it is better."""
        self._is_stopped = self._is_stopped or result.status == "stopped"
        if result.has_network and result.score is not None:
            self._keep(result.dag, result.score)

    def telling(self, run: Run) -> Run:
        """The run whose progress shows the best score so far, and the share of the time as the work done."""
        return replace(run, on_progress=None if run.on_progress is None else self._tell(run.on_progress))

    def improve_on(self, families: FamilyTable, how: tuple[int, int] = SHORT_SEARCH) -> None:
        """Searches among the families of a table, then climbs; does nothing if Ctrl-C ended their scoring."""
        self._is_stopped = self._is_stopped or families.made.status == "interrupted"
        if not self.is_over:
            self._search_orders(families, how)
            self._climb(self._best, math.inf)

    def improve(self, share: float = 1.0) -> None:
        """Searches near the best network and climbs from changed copies of it, as long as better ones are found.

        The search takes at most ``share`` of the time that is left.
        """
        whole = self._run
        self._run = whole.end_within(share=share)
        before = -math.inf
        while not self.is_over and self._score > before + tolerance(self._score):
            before = self._score
            self.improve_near()
            self._climb(self._best, math.inf, RESTARTS)
        self._run = whole

    def improve_near(self) -> None:
        """Scores families near the best network and searches among them, as long as better networks are found."""
        before = -math.inf
        while not self.is_over and self._score > before + tolerance(self._score):
            before = self._score
            self._note(self._exploration.explore_near(self._network, N_FURTHER, self._part(math.inf).callback()))
            if not self.is_over:
                self.improve_on(self._exploration.table())

    def explore(self, *, until_idle: bool) -> None:
        """Explores families and searches among them in rounds of growing length, until the time is over.

        It ends earlier if nothing is left to explore or, with ``until_idle``, after `PATIENCE` rounds without success.
        """
        seconds = FIRST_ROUND * min(self._run.clock.seconds_left, DEFAULT_SECONDS)
        n_idle = n_round = 0
        until_idle = until_idle or not math.isfinite(self._run.clock.seconds_left)
        while not self.is_over and n_idle < PATIENCE:
            before = self._score
            self._note(self._exploration.explore(self._part(seconds).callback()))
            table = self._exploration.table()
            if n_round % 3 == 2:
                self._climb(self._best, seconds, RESTARTS)
            else:
                self._search_orders(table, LONG_SEARCH, seconds, afresh=n_round % 3 == 1)
            self.improve_near()
            seconds *= GROWTH
            is_better = self._score > before + tolerance(self._score)
            may_find_more = not until_idle and not table.made.complete
            n_idle = 0 if is_better or may_find_more else n_idle + 1
            n_round += 1

    def best_of(self, result: LearnResult) -> LearnResult:
        """The result with the best network."""
        assert result.score is not None
        if self._score > result.score + tolerance(result.score):
            reason = "larger families near the best network were scored as well"
            result = replace_network(result, self._network, self._score, self._problem.max_parents, reason)
        # A step may have used up its own share although the call as a whole ended in time.
        ended_early = result.status == "time_limit" and not self._run.clock.is_over
        status: Status = "local_optimum" if ended_early else result.status
        if self._is_stopped or self._run.stop.is_asked:
            status = "stopped"
        return replace(
            result, status=status, statistics=replace(result.statistics, seconds=self._run.clock.seconds_passed)
        )

    def result(self, method: MethodAbilities, reason: str) -> LearnResult:
        """The best network, with a bound on the networks of the explored families."""
        run, table = self._run, self._exploration.table()
        bound = None
        if all(table.n_families(name) for name in table.variables):
            bound = math.fsum(table.best(name).score for name in table.variables)
        if bound is not None and bound < self._score:  # The network has families that were not explored.
            bound = None
        is_complete = bool(table.made.complete)
        is_stopped = self._is_stopped or run.stop.is_asked
        status: Status = "stopped" if is_stopped else "time_limit" if run.clock.is_over else "local_optimum"
        return LearnResult(
            graph=self._network,
            score=self._score,
            bound=bound if is_complete else None,
            scope="all" if is_complete else None,
            families_bound=None if is_complete else bound,
            status=status,
            statistics=Statistics(
                seconds=run.clock.seconds_passed, families=len(table), evaluated=table.made.evaluated
            ),
            provenance=self._problem.provenance(method, run, table.made, reason=reason),
            isolated=table.made.isolated,
            trace=tuple(self._trace),
        )

    @property
    def _network(self) -> DAG:
        assert self._best is not None
        return self._best

    @property
    def _exploration(self) -> FamilyExplorer:
        if self._explorer is None:
            problem = self._problem
            score, prior = problem.scoring
            self._explorer = FamilyExplorer(
                problem.data,
                score,
                prior,
                problem.knowledge,
                problem.max_parents,
                problem.scored_states,
                self._run,
            )
        return self._explorer

    def _search_orders(
        self, table: FamilyTable, how: tuple[int, int], seconds: float = math.inf, *, afresh: bool = False
    ) -> None:
        """Runs an order search on a table, from the best network or, with ``afresh``, from random orders."""
        if self.is_over:
            return
        flat = table.flat()
        if not np.diff(flat.starts).all():  # The exploration ended before every variable had a family.
            return
        n_orders, iterations = how
        start = NO_START if afresh else flat.locate(self._network.parent_indices)
        run = self._part(seconds)
        outcome = _core.order_search(flat.lists, start, self._seed, iterations, n_orders, run.n_threads, run.callback())
        self._seed = (self._seed + 1) % N_SEEDS
        self._note(outcome.status)
        if outcome.families:
            chosen = flat.starts[:-1] + np.array(outcome.families)
            parents = [flat.parents_of(at) for at in chosen.tolist()]
            self._keep(DAG.from_indices(table.variables, parents), outcome.score)

    def _climb(self, start: DAG | None, seconds: float, restarts: int = 0) -> None:
        if self.is_over:
            return
        climbed = climb_data(HillClimb(restarts=restarts), self._problem, self._part(seconds), start=start)
        self.offer(climbed)

    def _keep(self, dag: DAG, score: float) -> None:
        if score > self._score:
            self._best, self._score = dag, score
            self._trace.append(BoundPoint(self._run.clock.seconds_passed, score, math.inf))

    def _note(self, status: CoreStatus) -> None:
        """Remembers that Ctrl-C has ended a step; status "stopped" is none, as a deadline has it, too."""
        self._is_stopped = self._is_stopped or status == "interrupted"

    def _part(self, seconds: float) -> Run:
        """The run with the deadline of one turn."""
        return self.telling(self._run.end_within(seconds=seconds))

    def _tell(self, on_progress: OnProgress) -> Callable[[Progress], bool | None]:
        clock = self._run.clock

        def tell(progress: Progress) -> bool | None:
            passed = clock.seconds_passed
            total = passed + max(clock.seconds_left, 0.0)
            done, total = (passed, total) if math.isfinite(total) else (0.0, 0.0)
            score = self._score if math.isfinite(self._score) else None
            return on_progress(Progress(round(1000 * done), round(1000 * total), score))

        return tell
