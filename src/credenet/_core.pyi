"""
The compiled core; its arguments are prepared by the Python modules that call it.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, overload

import credenet._run.status
import numpy
from numpy.typing import NDArray


def set_poll_interval(seconds: float) -> None:
    """The least time between two calls of a callback."""

def is_process_ending() -> bool:
    """Whether the interpreter has begun to end; no new thread may work then."""

class ForeignWork:
    """
    Work of another library without the GIL, for which the end of the process waits a moment.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, type: object | None, error: object | None, trace: object | None) -> None: ...

class DelimitedError(ValueError):
    pass

class CountSource:
    """Where the counts of a learner come from."""

    @property
    def n_variables(self) -> int: ...

    @property
    def n_rows(self) -> int: ...

    def observed(self, variable: int) -> list[int]: ...

class MapGuard:
    """
    Guards the bytes of a file that is mapped into memory: if the file is cut off, zeros are read and check() raises a FormatError.
    """

    def __init__(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], file: int, path: str) -> None: ...

    def check(self) -> None: ...

class RowTable(CountSource):
    """Rows in memory."""

    @overload
    def __init__(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @overload
    def __init__(self, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class BlockTable(CountSource):
    """Rows in blocks of bit planes, which are not copied."""

    def __init__(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_planes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], has_counts: bool, columns: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], stored: Sequence[Sequence[int]], observed: Sequence[Sequence[int]], guard: MapGuard | None = None) -> None: ...

    def cells(self, members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """The occupied cells of one set, ascending, and their counts."""

def code_counts(bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: int, n_rows: int, n_planes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """
    How often each code that the planes of a variable can hold occurs in a block.
    """

class FunctionSource(CountSource):
    """
    Counts that Python functions find: all cells of many small tables, or the occupied cells of a large one.
    """

    def __init__(self, observed: Sequence[Sequence[int]], n_rows: int, tables: Callable[[Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], cells: Callable[[Annotated[NDArray[numpy.uint16], dict(shape=(None,))]], tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> None: ...

def is_interrupt_held() -> bool:
    """Whether Ctrl-C waits for the end of a call of a function source."""

most_table_cells: int = 65536

def count_tables(source: CountSource, members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]: ...

@overload
def sum_block_tables(times: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

@overload
def sum_block_tables(times: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Sequence[Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

@overload
def sum_block_tables(times: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

class PriorNetwork:
    """The prior network of BDe."""

    def __init__(self, factors: FactorArrays, places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: float) -> None: ...

class PriorTooLarge(ValueError):
    pass

class FamilyScorer:
    """Where the scores of families come from."""

class CountScorer(FamilyScorer):
    """A score of the core, by its name."""

    def __init__(self, source: CountSource, score: str, parameter: float, n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], prior: PriorNetwork | None = None) -> None: ...

class FunctionScorer(FamilyScorer):
    """A Python function that scores batches of families."""

    def __init__(self, function: Callable[[Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]], tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None]]) -> None: ...

class FamilyLists:
    """The families of all variables in flat arrays, which are not copied."""

    def __init__(self, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SizeFactors:
    """The log prior factors of parent sets by their number of parents."""

    def __init__(self, factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, size: int) -> float: ...

class ChildRules:
    """The parent sets that a variable may have, and their structure prior."""

    def __init__(self, required: Sequence[int], candidates: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], max_parents: int, log_factors: SizeFactors, expert: Sequence[int], log_kappa: float) -> None: ...

    @property
    def required(self) -> list[int]: ...

    @property
    def candidates(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]: ...

    @property
    def n_candidates(self) -> int: ...

    @property
    def max_parents(self) -> int: ...

    @property
    def log_factors(self) -> SizeFactors: ...

    @property
    def expert(self) -> list[int]: ...

    @property
    def log_kappa(self) -> float: ...

    def log_prior(self, parents: Sequence[int]) -> float: ...

class FamilyOptions:
    def __init__(self, slack: float, prune: bool, tolerance: float, max_bytes: int, n_threads: int, unproven: bool = False, max_work: int = 0, most_added: int = 18446744073709551615, many_families: float = 131072.0) -> None: ...

def score_families(scorer: FamilyScorer, rules: Sequence[ChildRules], options: FamilyOptions, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]], int, int, credenet._run.status.CoreStatus, list[tuple[float, float]]]: ...

class FamilyExplorer:
    """Scores families of data best first, and goes on where it ended."""

    def __init__(self, scorer: FamilyScorer, rules: Sequence[ChildRules], options: FamilyOptions, max_families: int) -> None: ...

    def explore(self, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

    def explore_near(self, network: Sequence[Sequence[int]], n_further: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

    def families(self) -> tuple[list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]], int, int, credenet._run.status.CoreStatus, list[tuple[float, float]]]: ...

class NetworkDiagram:
    """
    Networks as sums and products. A node is any of its alternatives; an alternative is a family for each of some variables, and any networks of its children.
    """

    def __init__(self, n_variables: int) -> None: ...

    no_limit: Final[int] = ...
    """(arg: object, /) -> int"""

    @property
    def n_variables(self) -> int: ...

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...

    def add_products(self, products: Sequence[Sequence[int]]) -> int:
        """A node with an alternative for each list of children."""

    def add_list(self, members: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], positions: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ticks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """A node of networks that are given one after the other."""

    def append(self, other: NetworkDiagram, root: int, variables: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """Adds the nodes of another diagram; what one of them is here."""

    def listed(self, root: int, above: int, most: int, max_rows: int) -> tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], bool]:
        """
        The networks that deviate by more than one limit and at most by the other: positions of families, deviations, and whether these are all.
        """

class DiagramSums:
    """The networks of a diagram within a deviation, counted and weighed."""

    def __init__(self, diagram: NetworkDiagram, root: int, most: int, tick: float, max_bytes: int) -> None: ...

    def sum(self, on_progress: Callable[[int, int, float, float], bool | None] | None) -> credenet._run.status.CoreStatus: ...

    @property
    def n_networks(self) -> int: ...

    @property
    def weight(self) -> float: ...

    def family_weights(self, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_families: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def draw(self, n_networks: int, seed: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.uint16], dict(shape=(None,))], float]: ...

class DualLattice:
    """
    The subsets of some variables that dual values leave on the way to networks that reach a target.
    """

    def __init__(self, rows: FamilyRows, numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], multipliers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: float) -> None: ...

    @property
    def n_sets(self) -> int: ...

    def grow(self, max_sets: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> credenet._run.status.CoreStatus:
        """Finds the subsets, before all else; iteration_limit if there are more."""

    def best_families(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """
        The best network by the families of the rows; empty if none reaches the target.
        """

    def families(self, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
        """
        For each family of the rows 1 if it is in a network that reaches the target.
        """

    def networks(self, positions: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ticks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int, n_threads: int, diagram: NetworkDiagram, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, int | None, int]:
        """
        Adds the networks that reach the target to a diagram: the status, their node, if there are any, and the number of steps.
        """

n_small_facets: int = 6

most_local_members: int = 12

class PairRules:
    """What is known of pairs of variables."""

    def __init__(self, ancestral: Sequence[tuple[int, int]] = [], not_ancestral: Sequence[tuple[int, int]] = [], adjacent: Sequence[tuple[int, int]] = []) -> None: ...

def lightest_active_trail(n_variables: int, tails: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Sequence[int], y: Sequence[int], z: Sequence[int], limit: float) -> list[int]: ...

most_choosers: int = 64

class FamilyRows:
    """Inequalities over the families of a component."""

    def __init__(self, families: FamilyLists) -> None: ...

    def __len__(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def add_cut(self, kind: int, members: Sequence[int], terms: Sequence[tuple[int, int, int]] = []) -> int: ...

    def add_row(self, families: Sequence[int], coefficients: Sequence[float], limit: float) -> int: ...

    def drop(self, number: int) -> None: ...

    def matrix(self, numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Where each row starts, the columns and coefficients of its terms, and the limits.
        """

    def bound(self, numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], multipliers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def choices(self, numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], multipliers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], positions: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ticks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: float, max_work: int, max_bytes: int, diagram: NetworkDiagram, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, int | None, int]:
        """
        Adds all acyclic choices of remaining families within a budget to a diagram: the status, their node, if there are any, and the number of steps.
        """

    def violations(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def cluster_cuts(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], least_violation: float, max_cuts: int) -> list[tuple[int, list[int], list[tuple[int, int, int]]]]: ...

    def small_cuts(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], least_violation: float, max_cuts: int, max_sets: int) -> list[tuple[int, list[int], list[tuple[int, int, int]]]]: ...

    def local_cuts(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_members: int, n_sets: int, least_violation: float, max_cuts: int, seed: int) -> list[tuple[int, list[int], list[tuple[int, int, int]]]]: ...

    def dual_ascent(self, alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_cuts: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, list[tuple[int, list[int], list[tuple[int, int, int]]]], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def components(self, alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[list[int]]:
        """The strongly connected components of the remaining families."""

    def propagate(self, rules: PairRules, alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> bool: ...

    def restrict_pair(self, first: int, second: int, relation: int, alive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def rounded(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]: ...

    def rounded_by_sinks(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]: ...

class OptimalSetSums:
    """The optimal adjustment sets of networks, with their weights."""

    def __init__(self, n_variables: int, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def add(self, parents: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

    def sums(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        For each set its pair (place of x times n_variables, plus y) and weight; the beginnings of their members, and these.
        """

def estimate_effects(source: CountSource, n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y_begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], set_begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], set_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], member_begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ess: float, level: float, n_draws: int, seed: int, n_threads: int, means: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], least: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], most: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], draws: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

class CodedText:
    """Delimited text, each column coded by its distinct fields."""

    @property
    def n_rows(self) -> int: ...

    def labels(self, column: int) -> list[bytes]: ...

    def lines(self, column: int) -> list[int]: ...

    def counts(self, column: int) -> list[int]: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, column: int, code_of_label: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

def read_delimited(text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, separator: str, quotes: bool, first_line: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None, block_bytes: int = 4194304) -> tuple[credenet._run.status.CoreStatus, CodedText]: ...

class CodedStrings:
    """A column of strings, coded by its distinct strings; None is missing."""

    @property
    def n_rows(self) -> int: ...

    @property
    def labels(self) -> list[str | None]: ...

    @property
    def counts(self) -> list[int]: ...

    @overload
    def write_codes(self, code_of_label: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, code_of_label: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @overload
    def write_codes(self, code_of_label: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

def code_strings(stream: object) -> CodedStrings:
    """The strings of an Arrow stream of string views, which is used up."""

def first_row(text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], separator: str) -> tuple[list[bytes], int, int]: ...

def topological_order(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def find_cycle(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def compelled_edges(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def allowed_compelled_edges(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], possible: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    For every edge of a DAG 1 if all equivalent DAGs that obey the rules have it.
    """

def allowed_class_size(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], possible: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

def moral_edges(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def reachable(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def d_connected(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], z: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def unshielded_colliders(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def meek_marks(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def extension_order(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))] | None: ...

def elimination_order(n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], by_weight: bool, n_restarts: int, seed: int, n_threads: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], int, float]: ...

def sid(n_nodes: int, true_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], true_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int) -> int: ...

def sid_bounds(n_nodes: int, true_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], true_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_branchings: int, n_threads: int) -> tuple[int, int, bool]: ...

class Judge:
    """Decides whether variables are conditionally independent."""

class CountJudge(Judge):
    def evidence(self, asked: Sequence[tuple[int, int, Sequence[int]]], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, list[tuple[float, float, bool]]]: ...

    def refuses(self, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether there are too few rows for each cell to judge a question."""

class GraphJudge(Judge):
    def __init__(self, n_nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class FunctionJudge(Judge):
    def __init__(self, n_variables: int, function: Callable[[int, int, Sequence[int]], bool]) -> None: ...

def count_judge(source: CountSource, n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], test: str, prior: float, threshold: float, freedom: str, n_threads: int, min_rows_per_cell: float = 0.0) -> CountJudge: ...

class TestedGraph:
    """The graph that independence tests led to, and the work that they took."""

    @property
    def status(self) -> credenet._run.status.CoreStatus: ...

    @property
    def directed(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def undirected(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def conflicts(self) -> list[tuple[str, int, int, int]]: ...

    @property
    def weakest(self) -> list[tuple[int, int, list[int]]]: ...

    @property
    def tests(self) -> list[int]: ...

    @property
    def refused(self) -> list[int]: ...

    @property
    def order_seconds(self) -> list[float]: ...

    @property
    def orientation_seconds(self) -> float: ...

def rai(judge: Judge, rules: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], start_from: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start_to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_order: int, published: bool, settles_ambiguity: bool, on_order: Callable[[int], None] | None = None, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> TestedGraph: ...

def max_min_neighbours(judge: Judge, rules: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_order: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, list[list[int]], list[int], list[int]]: ...

def pc(judge: Judge, rules: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_order: int, majority: bool, settles_ambiguity: bool, on_order: Callable[[int], None] | None = None, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> TestedGraph: ...

class MapResult:
    """What a search for the best states found."""

    @property
    def states(self) -> list[int]: ...

    @property
    def log_value(self) -> float: ...

    @property
    def log_bound(self) -> float: ...

    @property
    def status(self) -> credenet._run.status.CoreStatus: ...

class InferencePlan:
    """The clique tree for a kind of query."""

    def __init__(self, factors: FactorArrays, directed: bool, observed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weighted: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], joint: bool, whole_evidence: bool, maximised: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bytes: float, most_cells: float, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def cells(self) -> float: ...

    @property
    def bytes(self) -> float: ...

    def positions(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def log_value(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float]: ...

    def marginals(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def joint(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def most_probable(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def map(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> MapResult: ...

    def draws(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    @overload
    def predict(self, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

    @overload
    def predict(self, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

class InferenceSession:
    """Messages of a plan, kept for evidence that changes step by step."""

    def __init__(self, plan: InferencePlan) -> None: ...

    def marginals(self, states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

class Explanation:
    """States of some targets, with their Bayes factor."""

    @property
    def states(self) -> list[int]: ...

    @property
    def bayes_factor(self) -> float: ...

def explanations(n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], posterior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, list[Explanation]]: ...

def explanation_bytes(n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float: ...

class ApproximateAnswer:
    """What an approximate method found."""

    def probabilities(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def standard_errors(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def log_value(self) -> float: ...

    @property
    def log_value_error(self) -> float: ...

    @property
    def effective_sample_size(self) -> float: ...

    @property
    def iterations(self) -> float: ...

    @property
    def scale_reduction(self) -> float: ...

    @property
    def n_samples(self) -> int: ...

    @property
    def n_abandoned(self) -> int: ...

    @property
    def n_unsettled(self) -> int: ...

    @property
    def status(self) -> credenet._run.status.CoreStatus:
        """'infeasible' if the evidence has probability 0."""

class ClusterPlan:
    """A graph of clusters for a model with evidence."""

    def __init__(self, factors: FactorArrays, directed: bool, observed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weighted: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], i_bound: int, largest_cells: float, n_threads: int) -> None: ...

    @property
    def is_possible(self) -> bool: ...

    @property
    def cells(self) -> float: ...

    @property
    def bytes(self) -> float: ...

    @property
    def i_bound(self) -> int: ...

    def propagate(self, damping: float, max_iterations: int, tolerance: float, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> ApproximateAnswer: ...

    def importance_sampling(self, n_samples: int, damping: float, max_iterations: int, tolerance: float, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> ApproximateAnswer: ...

    def gibbs(self, n_samples: int, burn_in: int, n_chains: int, thin: int, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> ApproximateAnswer: ...

    def gibbs_rows(self, n_rows: int, burn_in: int, n_chains: int, thin: int, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[ApproximateAnswer, Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]: ...

    def weighted_rows(self, wanted: float, n_most: int, damping: float, max_iterations: int, tolerance: float, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[ApproximateAnswer, Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def likelihood_weighting(self, n_samples: int, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> ApproximateAnswer: ...

class FactorArrays:
    """The factors of a model as flat arrays; of a network, its tables."""

    def __init__(self, n_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scopes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

@overload
def sample_forward(network: FactorArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, n_threads: int, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

@overload
def sample_forward(network: FactorArrays, order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, n_threads: int, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

@overload
def log_likelihood(network: FactorArrays, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], n_threads: int, log_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

@overload
def log_likelihood(network: FactorArrays, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], n_threads: int, log_probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

@overload
def family_counts(structure: FactorArrays, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

@overload
def family_counts(structure: FactorArrays, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='F', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> credenet._run.status.CoreStatus: ...

class ComponentLists:
    """
    The families of a strongly connected component, with the parents as bits.
    """

    def __init__(self, families: FamilyLists, members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    most_variables: Final[int] = ...
    """(arg: object, /) -> int"""

    def family(self, variable: int, k: int) -> int: ...

    def best(self, variable: int, available: int) -> int: ...

class SearchResult:
    """What a search found."""

    @property
    def families(self) -> list[int]: ...

    @property
    def score(self) -> float: ...

    @property
    def bound(self) -> float: ...

    @property
    def status(self) -> credenet._run.status.CoreStatus: ...

    @property
    def n_expanded(self) -> int: ...

    @property
    def n_generated(self) -> int: ...

    @property
    def peak_bytes(self) -> int: ...

    @property
    def trace(self) -> list[tuple[float, float, float]]: ...

class OrderGraphOptions:
    """Heuristic and limits of a search in the order graph."""

    def __init__(self, heuristic: str, pattern_sizes: Sequence[int], cycle_size: int, max_bytes: int, n_threads: int) -> None: ...

    largest_pattern: Final[int] = ...
    """(arg: object, /) -> int"""

def astar(lists: ComponentLists, options: OrderGraphOptions, start: Sequence[int], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

def weighted_astar(lists: ComponentLists, options: OrderGraphOptions, weight: float, start: Sequence[int], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

def ara_star(lists: ComponentLists, options: OrderGraphOptions, first_weight: float, step: float, start: Sequence[int], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

def awa_star(lists: ComponentLists, options: OrderGraphOptions, start: Sequence[int], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

def order_search(families: FamilyLists, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, n_iterations: int, n_orders: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

class HillClimbOptions:
    def __init__(self, seed: int, n_restarts: int, n_perturbations: int, tabu_length: int, max_tabu: int, adjacent: Sequence[tuple[int, int]] = [], gain_bytes: int = 268435456) -> None: ...

class ClimbResult:
    """What hill climbing on data found."""

    @property
    def parents(self) -> list[list[int]]: ...

    @property
    def score(self) -> float: ...

    @property
    def status(self) -> credenet._run.status.CoreStatus: ...

    @property
    def n_expanded(self) -> int: ...

    @property
    def trace(self) -> list[tuple[float, float, float]]: ...

def hill_climb_table(families: FamilyLists, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: HillClimbOptions, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> SearchResult: ...

def hill_climb_data(scorer: FamilyScorer, rules: Sequence[ChildRules], start: Sequence[Sequence[int]], options: HillClimbOptions, row_bytes: float, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> ClimbResult: ...

def chow_liu(source: CountSource, root: int, allowed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

def dominated_families(families: FamilyLists, slack: float) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def strong_components(families: FamilyLists) -> list[list[int]]: ...

def subset_dp(lists: ComponentLists, layered: bool, max_bytes: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> SearchResult: ...

def subset_dp_bytes(n_variables: int, layered: bool, n_threads: int) -> int: ...

def subset_dp_seconds(lists: ComponentLists) -> float: ...

def breadth_first(lists: ComponentLists, options: OrderGraphOptions, start: Sequence[int], scratch_dir: str, on_progress: Callable[[int, int, float, float], bool | None] | None) -> SearchResult: ...

class BoundedResult(SearchResult):
    """A network within the bags of a tree decomposition."""

    @property
    def bags(self) -> list[list[int]]: ...

    @property
    def bag_parents(self) -> list[int]: ...

MOST_TREE_WIDTH: int = 16

def bounded_search(families: FamilyLists, tree_width: int, method: str, n_iterations: int, seed: int, n_threads: int, max_bytes: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> BoundedResult: ...

def best_within(families: FamilyLists, bags: Sequence[Sequence[int]], bag_parents: Sequence[int], on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> BoundedResult: ...

def bounded_dp(families: FamilyLists, tree_width: int, max_bytes: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None, at_least: float = float('-inf')) -> BoundedResult: ...

def bounded_dp_bytes(n_variables: int, tree_width: int) -> int: ...

def bounded_dp_steps(n_variables: int, tree_width: int) -> float: ...

def pair_information(source: CountSource, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

class KTreeResult(BoundedResult):
    """What a search over k-trees found."""

    @property
    def points(self) -> list[tuple[float, float]]:
        """Information and score of each k-tree from which a network was made."""

    @property
    def complete_gain(self) -> float: ...

    @property
    def n_complete(self) -> int: ...

def k_tree_search(families: FamilyLists, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tree_width: int, guided: bool, exact: bool, complete: bool, n_iterations: int, n_orders: int, max_bytes: int, seed: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None = None) -> KTreeResult: ...

class CredibleListing:
    """Networks of one component, best first."""

    def take_ticks(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def take_families(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]: ...

    def take_sizes(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def status(self) -> credenet._run.status.CoreStatus: ...

    @property
    def n_expanded(self) -> int: ...

class CredibleSearch:
    """All credible networks of a strongly connected component."""

    def __init__(self, families: FamilyLists, members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    most_families: Final[int] = ...
    """(arg: object, /) -> int"""

    margin_ticks: Final[int] = ...
    """(arg: object, /) -> int"""

    @property
    def optimum(self) -> float: ...

    @property
    def best_families(self) -> list[int]: ...

    def narrow(self, families: FamilyLists, members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def solve(self, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> credenet._run.status.CoreStatus: ...

    def credible_families(self, slack: float, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]: ...

    def networks(self, tick: float, most_ticks: int, max_bytes: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> CredibleListing: ...

    def classes(self, families: FamilyLists, members: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tick: float, most_ticks: int, max_bytes: int, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> CredibleListing:
        """
        One network of each Markov equivalence class, with the size of the class.
        """

class PathSums:
    """The weight of each path, summed over networks."""

    def __init__(self, n_variables: int) -> None: ...

    def add(self, families: FamilyLists, choices: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def markov_blankets(families: FamilyLists, choices: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], variable: int) -> list[tuple[list[int], float]]:
    """The weight of each Markov blanket of a variable."""

class ClassIndex:
    """Numbers of Markov equivalence classes."""

    def __init__(self, n_variables: int) -> None: ...

    def add(self, families: FamilyLists, choices: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """
        The number of the class of each network; a row of choices has the families of one network.
        """

class ClassPairSums:
    """The weight of each edge of classes, given rules on parents."""

    def __init__(self, n_variables: int, possible: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        possible has n_variables rows of as many cells, by child and parent; max_parents one number for each variable. Rules that are empty say nothing.
        """

    def add(self, families: FamilyLists, choices: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int) -> None: ...

    def directed(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def undirected(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def class_sizes(families: FamilyLists, choices: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int) -> list[int]:
    """
    The number of networks in the class of each network. A ValueError if a row of choices is no network of the families.
    """

most_summed: int = 26

def dag_sums_bytes(n_variables: int, backward: bool) -> int: ...

def all_families_bytes(n_variables: int, n_rows: int) -> int: ...

class WeightTable:
    """The log weights of all families."""

    def __init__(self, families: FamilyLists) -> None: ...

    def __getstate__(self) -> tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def __setstate__(self, arg: tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], /) -> None: ...

    def blanket_within(self, by_orders: bool, variable: int, sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The status, and for each set the probability that it holds the Markov blanket.
        """

def weights_of_all_families(scorer: FamilyScorer, rules: Sequence[ChildRules], n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, WeightTable]:
    """The status, and the log weights of all families that the rules allow."""

class DagSums:
    """Sums of the weights of all DAGs."""

    def __getstate__(self) -> tuple[int, bool, float, list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def __setstate__(self, arg: tuple[int, bool, float, Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], /) -> None: ...

    @property
    def log_sum(self) -> float: ...

    @property
    def is_cut(self) -> bool: ...

    def edges(self) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], float]:
        """
        The probability of each edge, for each child those of its parents, and the largest deviation of the sum over a variable's families from 1.
        """

    def families(self, weights: WeightTable, least: float) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Starts, log weights, offsets and parents of the families that are at least so probable.
        """

    def probabilities(self, weights: WeightTable, families: FamilyLists) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Those of listed families."""

    def forget_families(self) -> None: ...

    def paths(self, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The status, and for each variable the probabilities of paths to the others.
        """

    def drawn(self, families: FamilyLists, n_networks: int, seed: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
        """The status, and for each network drawn the family of each variable."""

def sum_over_dags(weights: WeightTable, by_orders: bool, backward: bool, n_threads: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> tuple[credenet._run.status.CoreStatus, DagSums | None]:
    """The status, and the sums if they were not stopped."""

class ChainTables:
    """What chains over the same families share."""

    def __init__(self, families: FamilyLists) -> None: ...

    @staticmethod
    def bytes(families: FamilyLists) -> int: ...

class ChainMoves:
    """The moves of a sweep of a chain."""

    def __init__(self, draws_parents: bool = True, n_reversals: float = 0.3, n_blankets: float = 0.05, arc_time: float = 3.0, n_windows: float = 0.002) -> None: ...

class ChainSums:
    """What a chain summed up over some sweeps."""

    @property
    def n_sweeps(self) -> int: ...

    @property
    def n_counted(self) -> int: ...

    @property
    def n_sampled(self) -> int: ...

    @property
    def time(self) -> float: ...

    @property
    def score_sum(self) -> float: ...

    @property
    def score_squares(self) -> float: ...

    def take_families(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def take_edges(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def take_sampled(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def take_squares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def take_paths(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def take_networks(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def take_scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class ChainSteps:
    """What the moves of a chain cost, counted in steps."""

    @property
    def windows(self) -> float: ...

    @property
    def counts(self) -> float: ...

    @property
    def others(self) -> float: ...

    @property
    def n_counted(self) -> int: ...

    @property
    def n_windows(self) -> int: ...

    @property
    def n_visits(self) -> int: ...

class DagChain:
    """A Markov chain over the DAGs made of listed families."""

    def __init__(self, tables: ChainTables, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: ChainMoves, seed: int, stream: int) -> None: ...

    def offer(self, networks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], least_score: float) -> None:
        """
        Networks for the next sweeps, drawn from all that score at least so much.
        """

    def pace(self, n_windows: float, focus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count_every: int) -> None:
        """
        Sets the number of windows for each visit, the weights of the variables that they begin with, and every how many sweeps probabilities are counted.
        """

    def run(self, n_sweeps: int, record_every: int, on_progress: Callable[[int, int, float, float], bool | None] | None) -> credenet._run.status.CoreStatus: ...

    def take_sums(self) -> ChainSums: ...

    @property
    def steps(self) -> ChainSteps: ...

    @property
    def n_taken(self) -> int: ...

    @property
    def n_moves(self) -> int: ...
