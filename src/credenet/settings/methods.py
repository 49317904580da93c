"""The methods of learning, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from credenet.errors import ArgumentError
from credenet.settings.bounded_methods import KG, KP, S2, Annealing, Exact, KMax, KPPlus, S2Plus
from credenet.settings.choices import ChoiceKind, folder, load_graphs, names, real, switch, text, whole
from credenet.settings.method_bases import (
    ALL_KINDS,
    BaseMethod,
    Climb,
    ConstraintBased,
    OrderGraphSearch,
    ScoreBased,
    WeightedOrderGraphSearch,
)
from credenet.settings.sizes import LARGEST_NODE_TABLE, LARGEST_TABLE, MOST_LATTICE_VARIABLES

if TYPE_CHECKING:
    from credenet.graphs import DAG, PDAG

_LARGEST_WEIGHT = 1e6
_MOST_ROUNDS = 10_000  # Rounds at most until the weight of ARA* is 1.
_MOST_REPEATS = 1_000_000  # Repetitions at most; with more, only a time limit would end the search.

HeuristicName = Literal["simple", "static", "dynamic"]

_HEURISTIC = names(*get_args(HeuristicName))
_PATTERN_SIZE = whole(least=1, most=MOST_LATTICE_VARIABLES, besides=" with static, from 2 with dynamic")
_WEIGHTED_HEURISTIC = names(*get_args(HeuristicName), besides="; simple with weight=1 only")
_WEIGHTED_PATTERN_SIZE = whole(least=1, most=MOST_LATTICE_VARIABLES, besides="; 1 with static and weight=1 only")
_WEIGHT = real(least=1, most=_LARGEST_WEIGHT)
_REPEATS = whole(most=_MOST_REPEATS)
_POSITIVE_REPEATS = whole(least=1, most=_MOST_REPEATS)
_ORDER = whole()
_AMBIGUOUS = names("both", "one")
_THEN = names("hill_climb", "tabu")


@dataclass(frozen=True, slots=True)
class Auto(ScoreBased):
    """Chooses the method that suits the problem; the result names the method and the reason.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method="auto")
    >>> result.provenance.reason
    'dp for components of up to 20 variables'
    """

    short_name: ClassVar[str] = "auto"
    bounds_tree_width: ClassVar[bool] = True
    takes_cliques: ClassVar[bool] = True
    honours: ClassVar[frozenset[str]] = ALL_KINDS


@dataclass(frozen=True, slots=True)
class DP(ScoreBased):
    """Dynamic programming over all subsets of the variables; exact, where they fit into memory (29 variables: 4 GB).

    Parameters
    ----------
    layered
        Keep the scores of two layers of subsets only, and one byte for each subset: about half of the memory. This is
        slower; by default it is done only if the full table does not fit into memory.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.DP(layered=True)).status
    'optimal'
    """

    layered: bool | None = field(default=None, metadata=switch())

    short_name: ClassVar[str] = "dp"


@dataclass(frozen=True, slots=True)
class AStar(OrderGraphSearch):
    """A* search in the order graph, whose nodes are the subsets of the variables; exact, fast with a tight heuristic.

    A path through the order graph adds one variable at a time, and is an order of the variables.

    Parameters
    ----------
    heuristic
        The bound on the variables not yet added: ``simple`` gives each its best parents, cycles allowed; ``static``
        forbids cycles within each pattern of a partition of the variables (pattern databases); ``dynamic`` adds what
        small groups of variables lose by having no cycle.
    pattern_size
        The number of variables in a static pattern (by default as many as fit into memory), or in the largest dynamic
        group (by default 2).

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.AStar(pattern_size=4)).status
    'optimal'
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "astar"


@dataclass(frozen=True, slots=True)
class BFBnB(OrderGraphSearch):
    """Breadth-first branch and bound in the order graph, one layer of subsets after another; exact.

    Nodes whose bound is below the score of the incumbent are pruned. Layers may be kept on disk.

    Parameters
    ----------
    scratch_dir
        A folder for layers that exceed the memory limit. A run that was stopped resumes from its last complete layer
        if it is started again with the same problem and folder.
    heuristic, pattern_size
        As for `AStar`.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="bfbnb(heuristic=dynamic)").status
    'optimal'
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)
    scratch_dir: Path | str | None = field(default=None, metadata=folder())

    short_name: ClassVar[str] = "bfbnb"


@dataclass(frozen=True, slots=True)
class ILP(ScoreBased):
    """Integer linear programming over families by branch and cut; exact, up to about 1,000 variables with few families.

    A binary variable says whether a family is chosen. The linear relaxation is solved and tightened by cutting planes;
    when these no longer help, the node is branched on a pair of variables: an edge one way, the other way, or none.

    Parameters
    ----------
    max_rounds
        The largest number of rounds of cutting planes at the root; other nodes have a twentieth of it.
    least_gain
        A round that closes less than this share of the gap has little gain; after five such rounds in a row the node
        is branched.
    trials, trial_iterations, patience
        Strong branching: the number of candidate pairs, the simplex iterations for each, and the number of candidates
        in a row that may be worse than the best one before no more are tried.
    subset_variables
        A node whose strongly connected components have at most this many variables is solved by dynamic programming.
    order_iterations
        Iterations of the order search that finds the first incumbent; by default as many as take a moment.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="ilp", max_parents=3).status
    'optimal'
    """

    max_rounds: int = field(default=200, metadata=_POSITIVE_REPEATS)
    least_gain: float = field(default=0.01, metadata=real(least=0, most=1))
    trials: int = field(default=12, metadata=_POSITIVE_REPEATS)
    trial_iterations: int = field(default=60, metadata=_POSITIVE_REPEATS)
    patience: int = field(default=5, metadata=_POSITIVE_REPEATS)
    subset_variables: int = field(default=LARGEST_TABLE, metadata=whole(most=LARGEST_NODE_TABLE))
    order_iterations: int | None = field(default=None, metadata=_POSITIVE_REPEATS)

    short_name: ClassVar[str] = "ilp"
    honours: ClassVar[frozenset[str]] = ALL_KINDS


@dataclass(frozen=True, slots=True)
class WeightedAStar(WeightedOrderGraphSearch):
    """A* with the heuristic multiplied by a weight: good networks early, a proven optimum late.

    The larger the weight, the more greedy the search; with a weight of 1 it is A*.

    Parameters
    ----------
    weight
        From 1 to 1,000,000.
    heuristic, pattern_size
        As for `AStar`, but ``simple`` and patterns of one variable leave nothing to weight and take a weight of 1 only.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method=credenet.methods.WeightedAStar(weight=1.5))
    >>> result.score <= result.bound
    True
    """

    weight: float = field(default=2.0, metadata=_WEIGHT)
    heuristic: HeuristicName = field(default="static", metadata=_WEIGHTED_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_WEIGHTED_PATTERN_SIZE)

    short_name: ClassVar[str] = "weighted_astar"


@dataclass(frozen=True, slots=True)
class ARAStar(WeightedOrderGraphSearch):
    """Anytime repairing A*: weighted A* in rounds of decreasing weight, each reusing the last; ends with the optimum.

    Parameters
    ----------
    weight, step
        The first weight, and its decrease from one round to the next; it must reach 1 within 10,000 rounds.
    heuristic, pattern_size
        As for `AStar`, but ``simple`` and patterns of one variable leave nothing to weight and take a weight of 1 only.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.ARAStar(weight=2)).status
    'optimal'
    """

    weight: float = field(default=4.0, metadata=_WEIGHT)
    step: float = field(default=0.5, metadata=real(above=0, infinite=True))
    heuristic: HeuristicName = field(default="static", metadata=_WEIGHTED_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_WEIGHTED_PATTERN_SIZE)

    short_name: ClassVar[str] = "ara_star"

    def _check_together(self) -> None:
        WeightedOrderGraphSearch._check_together(self)
        if self.weight - 1 > _MOST_ROUNDS * self.step:
            least = (self.weight - 1) / _MOST_ROUNDS
            raise ArgumentError(
                f"step must be at least {least:g} for a weight of {self.weight:g}, which then falls to 1 in "
                f"{_MOST_ROUNDS:,} rounds, got {self.step:g}"
            )


@dataclass(frozen=True, slots=True)
class AWAStar(OrderGraphSearch):
    """Anytime window A*: only nodes within a window behind the deepest are expanded; ends with the optimum.

    The window grows by one layer in each round, until no node is left out.

    Parameters
    ----------
    heuristic, pattern_size
        As for `AStar`.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="awastar").status
    'optimal'
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "awa_star"


@dataclass(frozen=True, slots=True)
class OrderSearch(ScoreBased):
    """Iterated local search over orders of the variables; no proof, but usually the optimum, at any size.

    Parameters
    ----------
    iterations
        The number of perturbations of each order, each followed by a local search; 0 continues until the time limit.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method="order_search(iterations=100)").status
    'local_optimum'
    """

    iterations: int = field(default=3000, metadata=_REPEATS)  # With 3000, all optima known to us were found.

    short_name: ClassVar[str] = "order_search"


@dataclass(frozen=True, slots=True)
class HillClimb(Climb):
    """Greedy hill climbing with random restarts: edges are added, removed and reversed while the score rises.

    Parameters
    ----------
    restarts
        The number of restarts, each from a random perturbation of the best network.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.HillClimb(restarts=5)).status
    'local_optimum'
    """

    restarts: int = field(default=50, metadata=_REPEATS)

    short_name: ClassVar[str] = "hill_climb"


@dataclass(frozen=True, slots=True)
class Tabu(Climb):
    """Tabu search: hill climbing that leaves local optima by the best move that does not undo a recent one.

    Parameters
    ----------
    length
        The length of the tabu list: for how many moves the reverse of a move is forbidden.
    patience
        The number of moves without a new best network after which the search ends.
    restarts
        The number of restarts, each from a random perturbation of the best network.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.Tabu(length=10)).status
    'local_optimum'
    """

    length: int = field(default=20, metadata=_REPEATS)
    patience: int = field(default=100, metadata=_REPEATS)
    restarts: int = field(default=5, metadata=_REPEATS)

    short_name: ClassVar[str] = "tabu"


@dataclass(frozen=True, slots=True)
class ChowLiu(BaseMethod):
    """The tree of maximum likelihood: a maximum spanning tree of the pairs, weighted by their mutual information.

    Parameters
    ----------
    root
        The variable from which all edges are directed away; by default the first.

    Examples
    --------
    >>> import credenet
    >>> tree = credenet.learn(credenet.datasets.asia(), method=credenet.methods.ChowLiu(root="smoke")).dag
    >>> tree.max_in_degree, tree.parents("smoke")
    (1, ())
    """

    root: str | None = field(default=None, metadata=text("the name of a variable"))

    short_name: ClassVar[str] = "chow_liu"
    joins_constant: ClassVar[bool] = False
    needs: ClassVar[str | None] = "the data: a table of families does not give the mutual information of pairs"


@dataclass(frozen=True, slots=True)
class PC(ConstraintBased):
    """The PC algorithm: edges are removed by tests given ever larger sets of neighbours, then directed from colliders.

    This is PC-stable, whose skeleton does not depend on the order of the variables.

    Parameters
    ----------
    max_order
        The largest conditioning set of a test; by default as many variables as there are neighbours.
    orientation
        When an unshielded triple is a collider: if its middle is not in the separating set ``recorded`` for its ends,
        or not in the ``majority`` of all separating sets among their neighbours, which takes more tests.
    ambiguous
        If x and y are independent given z, and z and y given x, each removal relies on the other edge: ``both`` edges
        go, or only ``one``, that whose independence is surer. One is better if variables nearly determine each other.
    then
        A local search by score, without restarts, that starts from a network of the class found and may change every
        edge; the result is then a DAG with a score. By default none.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method=credenet.methods.PC(max_order=2), test="g2")
    >>> result.graph
    <PDAG 8 variables, 5 edges>
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    orientation: Literal["recorded", "majority"] = field(default="recorded", metadata=names("recorded", "majority"))
    ambiguous: Literal["both", "one"] = field(default="both", metadata=_AMBIGUOUS)
    then: Literal["hill_climb", "tabu"] | None = field(default=None, metadata=_THEN)

    short_name: ClassVar[str] = "pc"


@dataclass(frozen=True, slots=True)
class RAI(ConstraintBased):
    """Recursive autonomy identification: as PC, but edges are directed after each order, and only potential parents are
    conditioned on.

    Parameters
    ----------
    max_order
        The largest conditioning set of a test; by default as many variables as there are potential parents.
    variant
        ``corrected`` finds the true class whenever all tests are right. ``published`` may direct edges that are removed
        later, and so sometimes keeps an extra edge.
    start
        A graph; only pairs that are adjacent in it can become edges. By default all pairs.
    ambiguous, then
        As for `PC`; ``then`` may also join pairs that are not adjacent in ``start``.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method="rai", test="bayes_factor")
    >>> result.graph
    <PDAG 8 variables, 7 edges>
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    variant: Literal["corrected", "published"] = field(default="corrected", metadata=names("corrected", "published"))
    start: DAG | PDAG | None = field(default=None, metadata=load_graphs("DAG", "PDAG"))
    ambiguous: Literal["both", "one"] = field(default="both", metadata=_AMBIGUOUS)
    then: Literal["hill_climb", "tabu"] | None = field(default=None, metadata=_THEN)

    short_name: ClassVar[str] = "rai"


@dataclass(frozen=True, slots=True)
class MMHC(BaseMethod):
    """Max-min hill climbing: tests find candidate neighbours, then a local search on a score chooses among them.

    Parameters
    ----------
    search
        The local search: ``hill_climb`` or ``tabu``, with default settings.
    max_order
        The largest conditioning set of a test; by default as many variables as there are candidates.

    Examples
    --------
    >>> import credenet
    >>> credenet.learn(credenet.datasets.asia(), method=credenet.methods.MMHC(search="tabu")).status
    'local_optimum'
    """

    search: Literal["hill_climb", "tabu"] = field(default="hill_climb", metadata=names("hill_climb", "tabu"))
    max_order: int | None = field(default=None, metadata=_ORDER)

    short_name: ClassVar[str] = "mmhc"
    needs: ClassVar[str | None] = "the data: a table of families has nothing to test"
    uses_test: ClassVar[bool] = True
    joins_constant: ClassVar[bool] = False


Method = (
    Auto
    | DP
    | AStar
    | BFBnB
    | ILP
    | WeightedAStar
    | ARAStar
    | AWAStar
    | OrderSearch
    | HillClimb
    | Tabu
    | ChowLiu
    | PC
    | RAI
    | MMHC
    | S2
    | S2Plus
    | KP
    | KPPlus
    | KMax
    | KG
    | Annealing
    | Exact
)

METHODS: ChoiceKind[Method] = ChoiceKind("method", get_args(Method), also="a method or ")
