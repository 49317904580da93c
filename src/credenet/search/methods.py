"""The ways to search for a network, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from credenet._arguments import whole_number
from credenet._settings import Kind, Settings, folder, loaded, names, real, switch, text, whole
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.graphs import DAG, PDAG

_LARGEST_SUBSETS = 26
_LARGEST_PATTERN = 64  # variables of a strongly connected component, of the searches over its subsets
_LARGEST_WEIGHT = 1e6
_MOST_ROUNDS = 10_000  # of a weight that falls
_MOST_REPEATS = 1_000_000  # of a part of a search: with more it would only end with its time

HeuristicName = Literal["simple", "static", "dynamic"]

_HEURISTIC = names(*get_args(HeuristicName))
_PATTERN_SIZE = whole(least=1, most=_LARGEST_PATTERN)
_WEIGHT = real(least=1, most=_LARGEST_WEIGHT)
_REPEATS = whole(most=_MOST_REPEATS)
_POSITIVE_REPEATS = whole(least=1, most=_MOST_REPEATS)
_ORDER = whole()


class _Guided(Settings):
    """A search with a heuristic."""

    __slots__ = ()

    heuristic: HeuristicName
    pattern_size: int | None

    def _check_together(self) -> None:
        if self.heuristic == "dynamic" and self.pattern_size is not None:
            whole_number("pattern_size", self.pattern_size, least=2)


@dataclass(frozen=True, slots=True)
class Auto(Settings):
    """The method that suits the problem; the result says which, and why."""

    short_name: ClassVar[str] = "auto"


@dataclass(frozen=True, slots=True)
class DP(Settings):
    """Dynamic programming over all subsets of variables; exact, up to about 30 in one component.

    Parameters
    ----------
    layered
        Keep two layers of subsets and one byte for each subset instead of eight; slower. By default only where the
        memory asks for it.
    """

    layered: bool | None = field(default=None, metadata=switch())

    short_name: ClassVar[str] = "dp"


@dataclass(frozen=True, slots=True)
class AStar(_Guided):
    """Best-first search over sets of placed variables; exact, and fast where the heuristic is good.

    Parameters
    ----------
    heuristic
        What bounds the rest: ``simple`` (each variable its best parents), ``static`` (pattern databases), ``dynamic``
        (small groups of variables that cannot all have their best parents).
    pattern_size
        Variables in a pattern of ``static``, or the largest group of ``dynamic``; by default as memory allows, and 2.
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "astar"


@dataclass(frozen=True, slots=True)
class BFBnB(_Guided):
    """Breadth-first branch and bound, one layer of the subsets after the other; exact, layers may go to disk.

    Parameters
    ----------
    scratch_dir
        A folder for layers that exceed the memory. A run that was stopped goes on from the last whole layer when it is
        started again with the same problem and folder.
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)
    scratch_dir: Path | str | None = field(default=None, metadata=folder())

    short_name: ClassVar[str] = "bfbnb"


@dataclass(frozen=True, slots=True)
class ILP(Settings):
    """Branch and cut on a linear program over families; exact, for up to about a thousand variables with few families.

    Parameters
    ----------
    max_rounds
        The most rounds of cuts before the first split; a twentieth of that before others.
    least_gain
        A round that closes less than this share of the gap is one of little gain; after five of these a node is split.
    trials, trial_iterations, patience
        Pairs of variables that are tried for a split, steps of the simplex method for each trial, and how many trials
        in a row may be worse than the best.
    subset_variables
        Where no component has more variables than this, dynamic programming takes over.
    order_iterations
        Of the search over orders that finds a first network; by default as many as take a moment.
    """

    max_rounds: int = field(default=200, metadata=_POSITIVE_REPEATS)
    least_gain: float = field(default=0.01, metadata=real(least=0, most=1))
    trials: int = field(default=12, metadata=_POSITIVE_REPEATS)
    trial_iterations: int = field(default=60, metadata=_POSITIVE_REPEATS)
    patience: int = field(default=5, metadata=_POSITIVE_REPEATS)
    subset_variables: int = field(default=22, metadata=whole(most=_LARGEST_SUBSETS))
    order_iterations: int | None = field(default=None, metadata=_POSITIVE_REPEATS)

    short_name: ClassVar[str] = "ilp"


@dataclass(frozen=True, slots=True)
class WeightedAStar(_Guided):
    """A* in which the loss that the heuristic expects counts ``weight`` times: good networks soon, the optimum late.

    Parameters
    ----------
    weight
        From 1 to 1,000,000.
    """

    weight: float = field(default=2.0, metadata=_WEIGHT)
    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "weighted_astar"


@dataclass(frozen=True, slots=True)
class ARAStar(_Guided):
    """Weighted A* again and again with a falling weight, each time from what is there; ends with the optimum.

    Parameters
    ----------
    weight, step
        The first weight, and how much it falls from one round to the next: at most 10,000 rounds until it is 1.
    """

    weight: float = field(default=4.0, metadata=_WEIGHT)
    step: float = field(default=0.5, metadata=real(above=0, infinite=True))
    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "ara_star"

    def _check_together(self) -> None:
        _Guided._check_together(self)
        if self.weight - 1 > _MOST_ROUNDS * self.step:
            least = (self.weight - 1) / _MOST_ROUNDS
            raise ArgumentError(
                f"step must be at least {least:g} for a weight of {self.weight:g}, which then falls to 1 in "
                f"{_MOST_ROUNDS:,} rounds, got {self.step:g}"
            )


@dataclass(frozen=True, slots=True)
class AWAStar(_Guided):
    """A* that looks back only so many layers, a window that widens until nothing is left out; ends with the optimum."""

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "awa_star"


@dataclass(frozen=True, slots=True)
class OrderSearch(Settings):
    """Local search over orders of the variables; no proof, but usually the optimum, at any size.

    Parameters
    ----------
    iterations
        How many times each of some orders is disturbed and improved again; 3000 by default, 0 for as long as there is
        time.
    """

    iterations: int | None = field(default=None, metadata=_REPEATS)

    short_name: ClassVar[str] = "order_search"


@dataclass(frozen=True, slots=True)
class HillClimb(Settings):
    """Adds, removes and turns edges while that raises the score, then again from a disturbed network.

    Parameters
    ----------
    restarts
        How many times it starts again.
    """

    restarts: int = field(default=50, metadata=_REPEATS)

    short_name: ClassVar[str] = "hill_climb"


@dataclass(frozen=True, slots=True)
class Tabu(Settings):
    """Hill climbing that goes on downhill for a while without undoing its last moves.

    Parameters
    ----------
    length
        How many moves stay forbidden.
    patience
        After how many moves without a new best it gives up.
    restarts
        How many times it starts again.
    """

    length: int = field(default=20, metadata=_REPEATS)
    patience: int = field(default=100, metadata=_REPEATS)
    restarts: int = field(default=5, metadata=_REPEATS)

    short_name: ClassVar[str] = "tabu"


@dataclass(frozen=True, slots=True)
class ChowLiu(Settings):
    """The tree with the largest likelihood, from the mutual information of all pairs.

    Parameters
    ----------
    root
        The variable that all edges lead away from; the first by default.
    """

    root: str | None = field(default=None, metadata=text("the name of a variable"))

    short_name: ClassVar[str] = "chow_liu"


@dataclass(frozen=True, slots=True)
class PC(Settings):
    """Edges are parted by tests of independence given ever larger sets of neighbours, then directed by colliders.

    In its stable form, whose skeleton depends on the answers of the test alone.

    Parameters
    ----------
    max_order
        The most variables that are given in a test; by default as many as there are neighbours.
    orientation
        What makes the middle of a triple a collider: that the set ``recorded`` when its ends were parted lacks it, or
        that the ``majority`` of all sets of neighbours that separate them do, which takes more tests.
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    orientation: Literal["recorded", "majority"] = field(default="recorded", metadata=names("recorded", "majority"))

    short_name: ClassVar[str] = "pc"


@dataclass(frozen=True, slots=True)
class RAI(Settings):
    """Recursive autonomy identification: like PC, but edges are directed after every order, and from then on sets are
    made of potential parents alone.

    Parameters
    ----------
    max_order
        The most variables that are given in a test; by default as many as there are potential parents.
    variant
        ``corrected``, which with true answers always finds the true class, or as ``published``, which directs edges on
        the way that may not be there in the end, and now and then keeps an edge too many for it.
    start
        A graph whose pairs of neighbours alone may become edges; by default all pairs.
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    variant: Literal["corrected", "published"] = field(default="corrected", metadata=names("corrected", "published"))
    start: DAG | PDAG | None = field(default=None, metadata=loaded("credenet.graphs", "DAG", "PDAG"))

    short_name: ClassVar[str] = "rai"


@dataclass(frozen=True, slots=True)
class MMHC(Settings):
    """Max-min hill climbing: tests find who may be neighbours, then a local search joins these by score.

    Parameters
    ----------
    search
        How the second part goes: ``hill_climb`` or ``tabu``, with their usual settings.
    max_order
        The most variables that are given in a test; by default as many as are candidates.
    """

    search: Literal["hill_climb", "tabu"] = field(default="hill_climb", metadata=names("hill_climb", "tabu"))
    max_order: int | None = field(default=None, metadata=_ORDER)

    short_name: ClassVar[str] = "mmhc"


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
)
Lattice = DP | AStar | BFBnB | WeightedAStar | ARAStar | AWAStar
Local = OrderSearch | HillClimb | Tabu
ConstraintBased = PC | RAI

METHODS: Kind[Method] = Kind("method", get_args(Method), also="a method or ")
