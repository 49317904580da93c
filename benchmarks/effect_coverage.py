"""How often do the 95 % intervals of effects hold the truth, in many samples from networks that are known?

``asia``, ``child``, ``random``: samples of 1,000 rows from a network that is fixed, or from a new random network each
time. ``class``: the samples of asia again, the truth being each network of its Markov equivalence class in turn, with
tables that give the same distribution of the data. ``prior``: networks and tables drawn from the prior that the
posterior starts from; there a correct interval holds the truth in 95 % of the samples, whatever their size.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

import credenet
from credenet import DAG, BayesianNetwork, CredenetError, Dataset, Effects
from measure import DATA, RESULTS, machine, versions

ROUNDING = 1e-9
Hits = dict[tuple[str, str], list[bool]]


class Sample(NamedTuple):
    """Networks, one of which is the true one, with the effects in each; and data drawn from it."""

    truths: list[Effects]
    data: Dataset
    dag: DAG


def shuffled(network: BayesianNetwork, n_rows: int, seed: int) -> Dataset:
    """The order of the columns breaks ties; in files of networks parents come before children."""
    order = np.random.default_rng(seed).permutation(network.variables).tolist()
    return network.sample(n_rows, seed=seed).select(order)


def fixed(name: str, n_rows: int) -> Callable[[int], Sample]:
    network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
    truth = network.effects()
    return lambda seed: Sample([truth], shuffled(network, n_rows, seed), network.dag)


def random_networks(seed: int) -> Sample:
    """8 variables, 10 edges, 2 or 3 states, uniform tables."""
    network = credenet.random.network(credenet.random.dag(8, n_edges=10, seed=seed), n_states=(2, 3), beta=1, seed=seed)
    return Sample([network.effects()], shuffled(network, 1000, seed), network.dag)


def of_class(seed: int) -> Sample:
    """Asia, and the other networks that data cannot tell from it."""
    network = credenet.textbook.asia()
    return Sample(_truths_of_class(), shuffled(network, 1000, seed), network.dag)


@cache
def _truths_of_class() -> list[Effects]:
    """The effects in each network of the class of asia, with the tables of its joint distribution."""
    network = credenet.textbook.asia()
    names, states = network.variables, network.states
    joint = np.array(
        [
            np.prod([network.probability(v, row[v], **{p: row[p] for p in network.parents(v)}) for v in names])
            for labels in product(*states.values())
            for row in [dict(zip(names, labels, strict=True))]
        ]
    ).reshape([len(labels) for labels in states.values()])
    truths = []
    for dag in _extensions(network.dag):
        tables = {}
        for name in names:
            axes = [names.index(each) for each in (*dag.parents(name), name)]
            rest = tuple(set(range(len(names))) - set(axes))
            margin = np.transpose(joint, [*axes, *rest]).sum(axis=tuple(range(len(axes), len(names))))
            total = margin.sum(axis=-1, keepdims=True)
            tables[name] = np.where(total > 0, margin / np.where(total > 0, total, 1.0), 1 / margin.shape[-1])
        truths.append(BayesianNetwork(states, dag, tables).effects())
    return truths


def _extensions(dag: DAG) -> Iterator[DAG]:
    """All networks of the class: those with each choice of directions that have the same class."""
    undirected = list(dag.cpdag().undirected)
    directed = [edge for edge in dag.edges if not {edge, edge[::-1]} & set(undirected)]
    for turned in product((False, True), repeat=len(undirected)):
        edges = [(b, a) if turn else (a, b) for turn, (a, b) in zip(turned, undirected, strict=True)]
        try:
            other = DAG(dag.variables, directed + edges)
        except CredenetError:  # The edges have a cycle.
            continue
        if other.cpdag() == dag.cpdag():
            yield other


@cache
def _all_dags() -> list[DAG]:
    names, found = tuple("abcd"), []
    pairs = list(combinations(names, 2))
    for choice in product((0, 1, 2), repeat=len(pairs)):
        edges = [(a, b) if kind == 1 else (b, a) for (a, b), kind in zip(pairs, choice, strict=True) if kind]
        try:
            found.append(DAG(names, edges))
        except CredenetError:  # The edges have a cycle.
            continue
    return found


def from_prior(seed: int) -> Sample | None:
    """Uniform over all networks of four binary variables, BDeu tables; 200 rows. None if a column is constant.

    The posterior sees the data only, so that it may be asked for some of them; constant columns are set aside as a
    search does not give them parents.
    """
    rng = np.random.default_rng(seed)
    dags = _all_dags()
    dag = dags[rng.integers(len(dags))]
    tables = {}
    for name in dag.variables:
        shape = [2] * len(dag.parents(name))
        tables[name] = rng.dirichlet(np.full(2, 1 / 2 ** (len(shape) + 1)), size=shape)
    network = BayesianNetwork({name: ["0", "1"] for name in dag.variables}, dag, tables)
    data = network.sample(200, seed=seed)
    if any(len(np.unique(data.codes[:, at])) < 2 for at in range(len(dag))):
        return None
    return Sample([network.effects()], data, dag)


def in_graph(sample: Sample) -> Effects:
    return credenet.effects(sample.dag, data=sample.data, n_threads=1)


def over_credible(sample: Sample) -> Effects | None:
    credible = credenet.credible_networks(sample.data, bayes_factor=20, max_parents=3, time_limit=60, n_threads=1)
    return credible.effects(data=sample.data, n_threads=1) if credible.complete else None


def over_posterior(sample: Sample) -> Effects:
    return credenet.posterior(sample.data, n_threads=1).effects(data=sample.data, n_threads=1)


Source = Callable[[Sample], Effects | None]
CASES: dict[str, tuple[Callable[[int], Sample | None], int, tuple[Source, ...]]] = {
    "asia": (fixed("asia", 1000), 150, (in_graph, over_credible, over_posterior)),
    "class": (of_class, 150, (over_credible, over_posterior)),
    "child": (fixed("child", 1000), 60, (in_graph, over_credible)),
    "random": (random_networks, 150, (in_graph, over_credible, over_posterior)),
    "prior": (from_prior, 500, (in_graph, over_posterior)),
}


def coverage(cases: list[str]) -> None:
    """How often do the 95 % intervals hold the truth?"""
    path = RESULTS / "effect_coverage.json"
    earlier = json.loads(path.read_text())["rows"] if path.exists() else []
    rows: list[dict[str, Any]] = [row for row in earlier if row["case"] not in cases]
    for case in cases:
        draw, repetitions, sources = CASES[case]
        found: dict[str, list[dict[str, Hits]]] = {source.__name__: [] for source in sources}
        for seed in range(repetitions):
            sample = draw(seed)
            for source in sources if sample is not None else ():
                estimate = source(sample)  # type: ignore[arg-type]
                if estimate is not None:
                    found[source.__name__] += [hits(estimate, truth) for truth in sample.truths]  # type: ignore[union-attr]
        for name, samples in found.items():
            rows.append({"case": case, "source": name, **summary(samples)})
            print(rows[-1], flush=True)
        head = {"question": coverage.__doc__, "machine": machine(), "versions": versions("credenet")}
        path.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n")


def hits(estimate: Effects, truth: Effects) -> dict[str, Hits]:
    """Whether the intervals hold the probabilities of each pair; of pairs with an effect also the differences."""
    found: dict[str, Hits] = {"effect": {}, "none": {}, "difference": {}}
    for true in truth:
        pair, has_effect = (true.x, true.y), true.size > ROUNDING
        effect = estimate[pair]
        assert effect.intervals is not None
        found["effect" if has_effect else "none"][pair] = [
            _holds(effect.intervals[do][state], p) for do, row in true.means.items() for state, p in row.items()
        ]
        if has_effect:
            wanted = {(each.do, each.state): each.estimate for each in true.contrasts if each.kind == "difference"}
            found["difference"][pair] = [
                _holds((each.low, each.high), wanted[each.do, each.state])
                for each in effect.contrasts
                if each.kind == "difference"
            ]
    return found


def _holds(interval: tuple[Any, Any], value: Any) -> bool:
    return bool(interval[0] - ROUNDING <= value <= interval[1] + ROUNDING)


def summary(samples: list[dict[str, Hits]]) -> dict[str, Any]:
    """Shares with standard errors by sample, as the intervals of a sample depend on each other; and the lowest pair."""
    result: dict[str, Any] = {"samples": len(samples)}
    kinds = {"all": ("effect", "none"), "effect": ("effect",), "none": ("none",), "difference": ("difference",)}
    for kind, members in kinds.items():
        lists = [[each for member in members for each in sample[member].values()] for sample in samples]
        means = [np.mean(np.concatenate(each)) for each in lists if each]
        result[kind] = float(np.mean(means))
        result[f"{kind}_error"] = float(np.std(means, ddof=1) / np.sqrt(len(means)))
    by_pair: dict[tuple[str, str], list[bool]] = {}
    for sample in samples:
        for pair, each in sample["effect"].items():
            by_pair.setdefault(pair, []).extend(each)
    lowest = sorted((float(np.mean(each)), *pair) for pair, each in by_pair.items() if len(each) > 20)[:6]
    result["lowest_pairs"] = [{"x": x, "y": y, "coverage": share} for share, x, y in lowest]
    return result
