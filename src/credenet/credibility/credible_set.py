"""All credible networks in product form, and what they say together."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from credenet import _core
from credenet.credibility.classes import EquivalenceClass
from credenet.credibility.parts import Choices, Part, Parts
from credenet.errors import ArgumentError, GraphError
from credenet.families import FamilyTable
from credenet.graphs import DAG
from credenet.results import Provenance, Statistics, Status
from credenet.text import count, table

if TYPE_CHECKING:
    import polars as pl

MOST_LISTED = 10_000_000  # networks that are gone through one by one


class CredibleNetwork(NamedTuple):
    """A network with its score and its probability among the credible ones."""

    dag: DAG
    score: float
    probability: float


class PairProbabilities(NamedTuple):
    """How two variables are joined: with a direction that a class agrees on, without one, or not at all."""

    forward: float
    backward: float
    undirected: float
    absent: float


def evidence_level(bayes_factor: float) -> str:
    """What a Bayes factor is called (Heckerman and others): evidence for the more probable of two networks.

    Examples
    --------
    >>> [evidence_level(factor) for factor in (2, 10, 20, 1000)]
    ['anecdotal', 'positive', 'strong', 'very strong']
    """
    if bayes_factor < 3:
        return "anecdotal"
    if bayes_factor < 20:
        return "positive"
    return "strong" if bayes_factor <= 150 else "very strong"


class CredibleSet:
    """Every network within a slack of the best, each once, best first.

    The set is kept as independent parts (groups of variables with their networks), so that it can be counted, weighed
    and drawn from even where it is far too large to be listed. A network's probability is that among the credible ones:
    proportional to exp(score).

    Attributes
    ----------
    optimum
        The score of the best networks; None if there is none or it was not found in time.
    slack
        How much lower a network may score, in nats.
    complete
        Whether no credible network is missing. If not, the status says why, or the table of families was not made
        with a known slack: the set is then relative to this table. The count is a lower bound then.
    complete_slack
        All networks of the table within this slack are in the set. It is smaller than `slack` where memory was short,
        and None where the search was stopped, so that any may be missing.
    status
        ``complete``, ``infeasible`` if no network obeys the knowledge, or the limit that ended the search.
    isolated
        Variables with one state, which have no edges.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> credible.complete
    True
    >>> credible.edge_probabilities()["either", "xray"] > 0.5
    True
    """

    def __init__(
        self,
        *,
        families: FamilyTable,
        parts: Parts,
        optimum: float | None,
        slack: float,
        complete_slack: float | None,
        status: Status,
        complete: bool,
        statistics: Statistics,
        provenance: Provenance,
    ) -> None:
        self._families = families
        self._parts = parts
        self.optimum = optimum
        self.slack = slack
        self.complete_slack = complete_slack
        self.status: Status = status
        self.complete = complete
        self.statistics = statistics
        self.provenance = provenance

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in the order of the data."""
        return self._families.variables

    @property
    def isolated(self) -> tuple[str, ...]:
        """Variables with one state, which have no edges."""
        return self._families.made.isolated

    @property
    def bayes_factor(self) -> float:
        """How many times as probable as a credible network the best is at most."""
        return _factor(self.slack)

    @property
    def n_networks(self) -> int:
        """The number of networks, exact however large."""
        return self._parts.n_networks

    def __len__(self) -> int:
        if self.n_networks > sys.maxsize:
            raise OverflowError(f"{self.n_networks} networks are too many for len(); use n_networks")
        return self.n_networks

    def __bool__(self) -> bool:
        return self.n_networks > 0

    def __iter__(self) -> Iterator[DAG]:
        return (network.dag for network in self.networks())

    @overload
    def __getitem__(self, rank: int) -> DAG: ...
    @overload
    def __getitem__(self, rank: slice) -> list[DAG]: ...
    def __getitem__(self, rank: int | slice) -> DAG | list[DAG]:
        if isinstance(rank, slice):
            ranks = range(self.n_networks)[rank]
            if not ranks:
                return []
            first, last = min(ranks), max(ranks)
            wanted = set(ranks)
            found = {}
            for at, network in enumerate(self.networks(first), first):
                if at in wanted:
                    found[at] = network.dag
                if at == last:
                    break
            return [found[at] for at in ranks]
        place = rank + self.n_networks if rank < 0 else rank
        if not 0 <= place < self.n_networks:
            raise IndexError(f"there are {count(self.n_networks, 'credible network')}, rank {rank} is not among them")
        return next(self.networks(place)).dag

    def networks(self, start: int = 0) -> Iterator[CredibleNetwork]:
        """The networks from a rank on, best first, with their scores and probabilities."""
        for choices, ticks in self._parts.ranked(start):
            yield from self._networks(choices, np.exp(-ticks * self._parts.tick) / self._parts.weight)

    def _networks(self, choices: Choices, probabilities: np.ndarray[Any, Any]) -> Iterator[CredibleNetwork]:
        for choice, probability in zip(choices, probabilities.tolist(), strict=True):
            yield CredibleNetwork(self._dag(choice), self._score(choice), probability)

    def _dag(self, choice: np.ndarray[Any, Any]) -> DAG:
        flat = self._families.flat()
        parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in choice.tolist()]
        return DAG.from_indices(self.variables, parents)

    def _score(self, choice: np.ndarray[Any, Any]) -> float:
        return math.fsum(self._families.flat().scores[choice].tolist())

    @property
    def best(self) -> DAG:
        """A best network; of several the first."""
        return self[0]

    def parent_set_probabilities(self) -> dict[str, dict[tuple[str, ...], float]]:
        """For each variable its parent sets in credible networks with their probabilities, most probable first."""
        if not self:
            return {name: {} for name in self.variables}
        flat = self._families.flat()
        shares = self._parts.family_probabilities(len(flat.scores))
        result: dict[str, dict[tuple[str, ...], float]] = {}
        for place, name in enumerate(self.variables):
            rows = np.arange(flat.starts[place], flat.starts[place + 1])
            rows = rows[shares[rows] > 0]
            rows = rows[np.argsort(-shares[rows], kind="stable")]
            result[name] = {
                tuple(
                    self.variables[p] for p in flat.parents[flat.offsets[row] : flat.offsets[row + 1]].tolist()
                ): float(shares[row])
                for row in rows.tolist()
            }
        return result

    def edge_probabilities(self) -> dict[tuple[str, str], float]:
        """For each edge (parent, child) of a credible network its probability, most probable first."""
        sums: dict[tuple[str, str], list[float]] = {}
        for child, sets in self.parent_set_probabilities().items():
            for parents, share in sets.items():
                for parent in parents:
                    sums.setdefault((parent, child), []).append(share)
        place = {name: at for at, name in enumerate(self.variables)}
        totals = {edge: min(math.fsum(shares), 1.0) for edge, shares in sums.items()}
        return dict(sorted(totals.items(), key=lambda item: (-item[1], place[item[0][0]], place[item[0][1]])))

    def probability(self, predicate: Callable[[DAG], bool]) -> float:
        """The probability of any property of a network, such as a path; the networks are gone through one by one.

        Examples
        --------
        >>> import credenet
        >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
        >>> round(credible.probability(lambda dag: "tub" in dag.ancestors("dysp")), 6)
        1.0
        """
        self._check_listing("probability")
        return math.fsum(network.probability for network in self.networks() if predicate(network.dag))

    def pair_probabilities(self) -> dict[tuple[str, str], PairProbabilities]:
        """How two variables are joined in the equivalence classes, for each pair that is joined in one of them.

        The pairs are in the order of the variables, the first of two first.
        """
        place = {name: at for at, name in enumerate(self.variables)}
        sums: dict[tuple[str, str], list[float]] = {}
        for one in self.classes():
            cpdag = one.cpdag
            for column, edges in ((0, cpdag.directed), (2, cpdag.undirected)):
                for a, b in edges:
                    turned = place[a] > place[b]
                    known = sums.setdefault((b, a) if turned else (a, b), [0.0, 0.0, 0.0])
                    known[1 if turned and column == 0 else column] += one.probability
        return {
            pair: PairProbabilities._make([*sums[pair], max(1.0 - math.fsum(sums[pair]), 0.0)])
            for pair in sorted(sums, key=lambda pair: (place[pair[0]], place[pair[1]]))
        }

    def consensus(self, threshold: float = 0.5) -> DAG:
        """The edges more probable than a threshold, 0.5 for the median probability graph.

        They may close a cycle; the least probable edge of one is then left out.
        """
        if not 0 <= threshold <= 1:
            raise ArgumentError(f"threshold must be between 0 and 1, got {threshold}")
        dag = DAG(self.variables)
        for (parent, child), share in self.edge_probabilities().items():
            if share > threshold and child != parent and child not in dag.ancestors(parent):
                dag = dag.with_edge(parent, child)
        return dag

    def sample(self, n: int, *, seed: int = 0) -> list[DAG]:
        """Networks drawn by their probabilities, with replacement."""
        if n < 0:
            raise ArgumentError(f"n must be at least 0, got {n}")
        if not self:
            raise GraphError("there are no networks to draw from")
        return [self._dag(choice) for choice in self._parts.drawn(n, np.random.default_rng(seed))]

    def filter(self, predicate: Callable[[DAG], bool]) -> CredibleSet:
        """The networks that have a property; their probabilities are those given the property."""
        self._check_listing("filter")
        kept, kept_ticks = [], []
        for choices, ticks in self._parts.ranked():
            keep = np.array([bool(predicate(self._dag(choice))) for choice in choices], dtype=np.bool_)
            kept.append(choices[keep])
            kept_ticks.append(ticks[keep])
        starts = self._families.flat().starts[:-1]
        choices = np.concatenate([*kept, np.empty((0, len(starts)), dtype=np.int64)])
        part = Part(
            np.arange(len(starts), dtype=np.int32),
            np.concatenate([*kept_ticks, np.empty(0, dtype=np.int64)]),
            (choices - starts).astype(np.uint16),
            starts,
        )
        most = self._parts.most if len(part) else -1
        return self._with(Parts([part] if len(part) else [], self._parts.fixed, self._parts.tick, most), self.slack)

    def first(self, k: int) -> CredibleSet:
        """The k best networks and those that score the same as the last of them."""
        if k < 1:
            raise ArgumentError(f"k must be at least 1, got {k}")
        parts = self._parts.first(k)
        return self._with(parts, self.slack if parts is self._parts else parts.most * parts.tick)

    def _with(self, parts: Parts, slack: float) -> CredibleSet:
        return CredibleSet(
            families=self._families,
            parts=parts,
            optimum=self.optimum,
            slack=slack,
            complete_slack=None if self.complete_slack is None else min(self.complete_slack, slack),
            status=self.status,
            complete=self.complete,
            statistics=self.statistics,
            provenance=self.provenance,
        )

    def classes(self) -> tuple[EquivalenceClass, ...]:
        """The Markov equivalence classes of the networks, in the order of their best members.

        The networks are gone through one by one.
        """
        self._check_listing("classes")
        index, flat = _core.ClassIndex(len(self.variables)), self._families.flat()
        first: list[Any] = []
        members = np.zeros(0, dtype=np.int64)
        shares = np.zeros(0)
        for choices, ticks in self._parts.ranked():
            numbers = index.add(*flat, np.ascontiguousarray(choices))
            new, rows = np.unique(numbers, return_index=True)
            first += [choices[row] for row in rows[new >= len(first)].tolist()]
            members = _padded(members, len(index)) + np.bincount(numbers, minlength=len(index))
            weights = np.exp(-ticks * self._parts.tick)
            shares = _padded(shares, len(index)) + np.bincount(numbers, weights=weights, minlength=len(index))
        shares = shares / self._parts.weight
        return tuple(
            EquivalenceClass(self._dag(choice), self._score(choice), n, share)
            for choice, n, share in zip(first, members.tolist(), shares.tolist(), strict=True)
        )

    @property
    def n_classes(self) -> int:
        """The number of Markov equivalence classes; the networks are gone through one by one."""
        self._check_listing("n_classes")
        index, flat = _core.ClassIndex(len(self.variables)), self._families.flat()
        for choices, _ in self._parts.ranked():
            index.add(*flat, np.ascontiguousarray(choices))
        return len(index)

    def _check_listing(self, what: str) -> None:
        if self.n_networks > MOST_LISTED:
            raise ArgumentError(
                f"{what} goes through the networks one by one, and there are {self.n_networks:,}, more than "
                f"{MOST_LISTED:,}; ask for a smaller bayes_factor or slack"
            )

    def __repr__(self) -> str:
        if self.optimum is None:
            return f"<CredibleSet of {count(len(self.variables), 'variable')}, {self.status.replace('_', ' ')}>"
        return f"<CredibleSet {self._count()} of {count(len(self.variables), 'variable')}, {self._limit()}>"

    def _count(self) -> str:
        number = count(self.n_networks, "network")
        return number if self.complete else f"{number} (at least)"

    def _limit(self) -> str:
        if self.bayes_factor < 1e6:
            return f"within a Bayes factor of {self.bayes_factor:.6g}"
        return f"within {self.slack:.6g} nats"

    def summary(self) -> str:
        """A report: how many networks there are, how sure that is, and the most probable edges."""
        if self.optimum is None:
            return repr(self)
        rows = [
            ["networks", f"{self._count()}, {self._limit()} of the best"],
            ["evidence", self._evidence()],
            ["complete", self._completeness()],
            ["best score", f"{self.optimum:.6f} ({self.provenance.score_name or 'as in the table'})"],
            ["parts", ", ".join(f"{len(part):,}" for part in self._parts.parts) or "1"],
            ["seconds", f"{self.statistics.seconds:.2g}"],
        ]
        if self.isolated:
            rows.append(["isolated", ", ".join(self.isolated)])
        edges = [[f"{a} -> {b}", f"{share:.4f}"] for (a, b), share in list(self.edge_probabilities().items())[:20]]
        return f"{table(['', ''], rows).lstrip()}\n\n{table(['edge', 'probability'], edges)}"

    __str__ = summary

    def _completeness(self) -> str:
        if self.complete:
            return "yes"
        if self.status == "complete":
            return "relative to this table of families"
        reason = f"no: {self.status.replace('_', ' ')}"
        if self.complete_slack is None:
            return reason
        return f"{reason}, but all within a factor of {_factor(self.complete_slack):.6g}"

    def _evidence(self) -> str:
        """What can be said of networks that are not in the set."""
        if self.complete_slack is None:
            return "none, as the search was stopped"
        what = "every network" if self.complete or self.status != "complete" else "every network of this table"
        return f"{evidence_level(_factor(self.complete_slack))} against {what} that is left out"

    def to_frame(self, limit: int | None = None) -> pl.DataFrame:
        """A polars frame of the networks, best first: ``rank``, ``score``, ``probability``, ``network`` as text."""
        import polars as pl

        if limit is None:
            self._check_listing("to_frame")
        frames = list(self._frames(limit))
        return pl.concat([pl.DataFrame(schema=_schema()), *frames])

    def to_parquet(self, path: str | Path) -> None:
        """Writes the frame of all networks, a block at a time."""
        from polars.io.plugins import register_io_source

        def blocks(
            with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
        ) -> Iterator[pl.DataFrame]:
            for frame in self._frames(n_rows):
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame if with_columns is None else frame.select(with_columns)

        register_io_source(blocks, schema=_schema()).sink_parquet(path)

    def _frames(self, limit: int | None) -> Iterator[pl.DataFrame]:
        import polars as pl

        rank = 0
        for choices, ticks in self._parts.ranked():
            if limit is not None:
                choices, ticks = choices[: limit - rank], ticks[: limit - rank]
            if not len(ticks):
                return
            networks = list(self._networks(choices, np.exp(-ticks * self._parts.tick) / self._parts.weight))
            yield pl.DataFrame(
                {
                    "rank": range(rank, rank + len(networks)),
                    "score": [network.score for network in networks],
                    "probability": [network.probability for network in networks],
                    "network": ["; ".join(str(network.dag).splitlines()) for network in networks],
                },
                schema=_schema(),
            )
            rank += len(networks)

    def to_dict(self) -> dict[str, Any]:
        """What is known of the set as a whole, as JSON values; the networks themselves are left out."""
        return {
            "optimum": self.optimum,
            "slack": self.slack,
            "complete_slack": self.complete_slack,
            "bayes_factor": self.bayes_factor if math.isfinite(self.bayes_factor) else None,
            "evidence": evidence_level(self.bayes_factor),
            "networks": self.n_networks,
            "classes": self.n_classes if self.n_networks <= MOST_LISTED else None,
            "complete": self.complete,
            "status": self.status,
            "variables": list(self.variables),
            "isolated": list(self.isolated),
            "edge_probabilities": [[a, b, share] for (a, b), share in self.edge_probabilities().items()],
            "seconds": self.statistics.seconds,
            "provenance": self.provenance.to_dict(),
        }

    def to_json(self) -> str:
        """The same as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)


def _factor(slack: float) -> float:
    return float(f"{math.exp(slack):.12g}") if slack < 700 else math.inf  # 20, not 19.999999999999996


def _schema() -> dict[str, Any]:
    import polars as pl

    return {"rank": pl.Int64, "score": pl.Float64, "probability": pl.Float64, "network": pl.String}


def _padded(values: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    return np.concatenate([values, np.zeros(length - len(values), dtype=values.dtype)])
