"""The ways to search for a network, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, Literal, get_args

from credenet.errors import ArgumentError
from credenet.graphs import DAG, PDAG

_LARGEST_SUBSETS = 26

HeuristicName = Literal["simple", "static", "dynamic"]


@dataclass(frozen=True, slots=True)
class Auto:
    """The method that suits the problem; the result says which, and why."""

    short_name: ClassVar[str] = "auto"


@dataclass(frozen=True, slots=True)
class DP:
    """Dynamic programming over all subsets of variables; exact, up to about 30 that hang together.

    Parameters
    ----------
    layered
        Keep two layers of subsets and one byte for each subset instead of eight; slower. By default only where the
        memory asks for it.
    """

    layered: bool | None = None

    short_name: ClassVar[str] = "dp"


@dataclass(frozen=True, slots=True)
class AStar:
    """Best-first search over sets of placed variables; exact, and fast where the heuristic is good.

    Parameters
    ----------
    heuristic
        What bounds the rest: ``simple`` (each variable its best parents), ``static`` (pattern databases), ``dynamic``
        (small groups of variables that cannot all have their best parents).
    pattern_size
        Variables in a pattern of ``static``, or the largest group of ``dynamic``; by default as memory allows, and 2.
    """

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "astar"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)


@dataclass(frozen=True, slots=True)
class BFBnB:
    """Breadth-first branch and bound, one layer of the subsets after the other; exact, layers may go to disk.

    Parameters
    ----------
    scratch_dir
        A folder for layers that exceed the memory. A run that was stopped goes on from the last whole layer when it is
        started again with the same problem and folder.
    """

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None
    scratch_dir: Path | str | None = None

    short_name: ClassVar[str] = "bfbnb"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)


@dataclass(frozen=True, slots=True)
class ILP:
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
        Where at most so many variables hang together, dynamic programming takes over.
    order_iterations
        Of the search over orders that finds a first network; by default as many as take a moment.
    """

    max_rounds: int = 200
    least_gain: float = 0.01
    trials: int = 12
    trial_iterations: int = 60
    patience: int = 5
    subset_variables: int = 22
    order_iterations: int | None = None

    short_name: ClassVar[str] = "ilp"

    def __post_init__(self) -> None:
        for name in ("max_rounds", "trials", "trial_iterations", "patience"):
            _check_at_least(name, getattr(self, name), 1)
        _check_at_least("least_gain", self.least_gain, 0.0)
        if not 0 <= self.subset_variables <= _LARGEST_SUBSETS:
            raise ArgumentError(f"subset_variables must be from 0 to {_LARGEST_SUBSETS}, got {self.subset_variables}")
        if self.order_iterations is not None:
            _check_at_least("order_iterations", self.order_iterations, 1)


@dataclass(frozen=True, slots=True)
class WeightedAStar:
    """A* in which the loss that the heuristic expects counts ``weight`` times: good networks soon, the optimum late."""

    weight: float = 2.0
    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "weighted_astar"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)
        _check_at_least("weight", self.weight, 1.0)


@dataclass(frozen=True, slots=True)
class ARAStar:
    """Weighted A* again and again with a falling weight, each time from what is there; ends with the optimum."""

    weight: float = 4.0
    step: float = 0.5
    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "ara_star"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)
        _check_at_least("weight", self.weight, 1.0)
        if not self.step > 0:
            raise ArgumentError(f"step must be a positive number, got {self.step}")


@dataclass(frozen=True, slots=True)
class AWAStar:
    """A* that looks back only so many layers, a window that widens until nothing is left out; ends with the optimum."""

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "awa_star"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)


@dataclass(frozen=True, slots=True)
class OrderSearch:
    """Local search over orders of the variables; no proof, but usually the optimum, at any size.

    Parameters
    ----------
    iterations
        How many times each of some orders is disturbed and improved again; 3000 by default, 0 for as long as there is
        time.
    """

    iterations: int | None = None

    short_name: ClassVar[str] = "order_search"

    def __post_init__(self) -> None:
        _check_count("iterations", self.iterations)


@dataclass(frozen=True, slots=True)
class HillClimb:
    """Adds, removes and turns edges while that raises the score, then again from a disturbed network.

    Parameters
    ----------
    restarts
        How many times it starts again.
    """

    restarts: int = 50

    short_name: ClassVar[str] = "hill_climb"

    def __post_init__(self) -> None:
        _check_count("restarts", self.restarts)


@dataclass(frozen=True, slots=True)
class Tabu:
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

    length: int = 20
    patience: int = 100
    restarts: int = 5

    short_name: ClassVar[str] = "tabu"

    def __post_init__(self) -> None:
        for name in ("length", "patience", "restarts"):
            _check_count(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class ChowLiu:
    """The tree with the largest likelihood, from the mutual information of all pairs.

    Parameters
    ----------
    root
        The variable that all edges lead away from; the first by default.
    """

    root: str | None = None

    short_name: ClassVar[str] = "chow_liu"


@dataclass(frozen=True, slots=True)
class PC:
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

    max_order: int | None = None
    orientation: Literal["recorded", "majority"] = "recorded"

    short_name: ClassVar[str] = "pc"

    def __post_init__(self) -> None:
        _check_count("max_order", self.max_order)
        if self.orientation not in ("recorded", "majority"):
            raise ArgumentError(f"orientation must be recorded or majority, got {self.orientation!r}")


@dataclass(frozen=True, slots=True)
class RAI:
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

    max_order: int | None = None
    variant: Literal["corrected", "published"] = "corrected"
    start: DAG | PDAG | None = None

    short_name: ClassVar[str] = "rai"

    def __post_init__(self) -> None:
        _check_count("max_order", self.max_order)
        if self.variant not in ("corrected", "published"):
            raise ArgumentError(f"variant must be corrected or published, got {self.variant!r}")
        if not isinstance(self.start, DAG | PDAG | None):
            raise ArgumentError(f"start must be a DAG or a PDAG, got {type(self.start).__name__}")


@dataclass(frozen=True, slots=True)
class MMHC:
    """Max-min hill climbing: tests find who may be neighbours, then a local search joins these by score.

    Parameters
    ----------
    search
        How the second part goes: ``hill_climb`` or ``tabu``, with their usual settings.
    max_order
        The most variables that are given in a test; by default as many as are candidates.
    """

    search: Literal["hill_climb", "tabu"] = "hill_climb"
    max_order: int | None = None

    short_name: ClassVar[str] = "mmhc"

    def __post_init__(self) -> None:
        _check_count("max_order", self.max_order)
        if self.search not in ("hill_climb", "tabu"):
            raise ArgumentError(f"search must be hill_climb or tabu, got {self.search!r}")


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

_NAMED: dict[str, type[Method]] = {kind.short_name: kind for kind in get_args(Method)}
METHOD_NAMES = tuple(_NAMED)


def method_from(method: Method | str) -> Method:
    """A method from its name.

    Examples
    --------
    >>> method_from("astar")
    AStar(heuristic='static', pattern_size=None)
    """
    if isinstance(method, Method):
        return method
    kind = _NAMED.get(method) if isinstance(method, str) else None
    if kind is None:
        raise ArgumentError(f"method must be a method or one of {', '.join(_NAMED)}, got {method!r}")
    return kind()


def describe_method(method: Method) -> str:
    """A method and the settings that differ from the usual ones, such as ``DP(layered=True)``."""
    usual = type(method)()
    settings = [
        f"{field.name}={getattr(method, field.name)!r}"
        for field in fields(method)
        if getattr(method, field.name) != getattr(usual, field.name)
    ]
    return f"{method.short_name}({', '.join(settings)})" if settings else method.short_name


def _check_heuristic(heuristic: str, pattern_size: int | None) -> None:
    if heuristic not in get_args(HeuristicName):
        raise ArgumentError(f"heuristic must be one of {', '.join(get_args(HeuristicName))}, got {heuristic!r}")
    least = 2 if heuristic == "dynamic" else 1
    if pattern_size is not None and pattern_size < least:
        raise ArgumentError(f"pattern_size must be at least {least}, got {pattern_size}")


def _check_at_least(name: str, value: float, least: float) -> None:
    if not least <= value < float("inf"):
        raise ArgumentError(f"{name} must be a number of at least {least:g}, got {value}")


def _check_count(name: str, value: int | None) -> None:
    if value is not None and value < 0:
        raise ArgumentError(f"{name} must be at least 0, got {value}")
