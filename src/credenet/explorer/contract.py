"""The contract with the browser: the JSON of every call. `static/contract.js` repeats it for the editor.

Variables and edges are given by their positions in `ExplorerState.variables`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

ShownKind = Literal["none", "credible", "best", "network"]
"""What is shown: nothing yet, credible networks, the best network found, or a network from a file."""
Mark = Literal["forward", "backward", "undirected"]
"""The arrow head of a pair: from a to b, from b to a, or none."""
Question = Literal["joined", "direction"]
Reply = Literal["yes", "no", "forward", "backward", "undetermined"]
"""To the question whether two variables are joined, or in which direction they are."""
Point = tuple[float, float]
EdgeCode = tuple[int, int, int]
"""From, to, and 1 for a directed edge or 0 for one that a class leaves open."""


class Variable(TypedDict):
    name: str
    states: list[str]


class Box(TypedDict):
    """The box of a variable in the drawing."""

    variable: int
    x: float
    y: float
    width: float
    height: float


class Line(TypedDict):
    """The bends of an edge between its two boxes."""

    a: int
    b: int
    bends: list[Point]


class GraphLayout(TypedDict):
    style: Literal["layered", "force"]
    boxes: list[Box]
    lines: list[Line]


class Shares(TypedDict):
    """The probabilities of the ways in which two variables are joined, as `pair_probabilities` has them."""

    joined: float
    forward: float
    backward: float
    undetermined: float


class Pair(TypedDict):
    """Two joined variables; without shares if these are not known."""

    a: int
    b: int
    mark: Mark
    shares: Shares | None


class Notice(TypedDict):
    level: Literal["info", "warning", "error"]
    text: str


class JobProgress(TypedDict):
    """Work in progress; a total of 0 means that it is not known."""

    what: str
    phase: str
    done: int
    total: int
    is_cancelled: bool


class ExplorerAbilities(TypedDict):
    """For each thing that can be asked, an empty text, or why it cannot."""

    networks: str
    evidence: str
    effects: str
    knowledge: str
    data: str
    report: str
    network_file: str


class ExplorerState(TypedDict):
    version: int
    name: str
    kind: ShownKind
    headline: str
    notices: list[Notice]
    summary: list[tuple[str, str]]
    share: str  # The name of shares; empty if there are none.
    among: str  # The networks that probabilities refer to; empty without probabilities.
    edges_of: str  # Without shares, the network that the edges belong to.
    variables: list[Variable]
    pairs: list[Pair]
    layout: GraphLayout
    n_networks: str  # The number is text, as it may be too large for JavaScript.
    n_classes: str
    knowledge: dict[str, Any]
    can_undo: bool
    can_redo: bool
    abilities: ExplorerAbilities
    job: JobProgress | None


class ExplorerEvent(TypedDict):
    """The message to the browser when something changes."""

    version: int
    job: JobProgress | None


class Curve(TypedDict):
    """The curve of falling scores."""

    ranks: list[float]
    deviations: list[float]
    factors: list[int]


class ListingRow(TypedDict):
    """A network or a class of networks; without a probability if networks are missing."""

    rank: int
    score: float
    probability: float | None
    members: NotRequired[str]
    size: NotRequired[str]
    edges: list[EdgeCode]


class Listing(TypedDict):
    total: str
    rows: list[ListingRow]


class Branch(TypedDict):
    reply: Reply
    node: Split


class Split(TypedDict):
    """A node of a decision tree: a question about two variables with its replies, or a leaf without one."""

    share: float
    classes: int
    question: tuple[int, int, Question] | None
    branches: list[Branch]


class Distinctions(TypedDict):
    among: str  # The networks that shares refer to, or the reason why there is no tree.
    tree: Split | None


class Bars(TypedDict):
    """For each variable and state: mean, smallest and largest probability over the networks."""

    bars: list[list[tuple[float, float, float]]]
    among: str
    n_networks: int
    seconds: float


class EffectRow(TypedDict):
    y: int
    told: str  # The probability that changes most, in words.
    difference: float  # Its absolute change.
    probability: float  # That of a directed path.
    means: list[list[float]]  # Indexed by the state of x, then of y.
    intervals: list[list[tuple[float, float]]] | None
    ranges: list[list[tuple[float, float]]]


class EffectTable(TypedDict):
    x: int
    among: str
    path: str  # The name of the probability of a path; empty for a single network.
    assumption: str
    rows: list[EffectRow]


class DataSummary(TypedDict):
    rows: int
    counts: list[list[int]]
    missing: list[int]
    remarks: list[str]


class RuleCheck(TypedDict):
    """Whether rules can be obeyed together; the text says why not."""

    error: str


class ExportedFile(TypedDict):
    name: str
    type: str
    text: str
