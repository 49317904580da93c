"""Table 2 of Nie, de Campos and Ji (2016): a network of tree-width 3, learned from rows of a wide one."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

import credenet
from credenet import DAG, BayesianNetwork, Dataset
from credenet.errors import GraphError

from ..frame import Number, Table, beside, number, table_text
from ..parts import ELSEWHERE, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import PUBLISHED

ROWS = 10_000
MARGINALS = 1000
ERRORS = {"hellinger": "Hellinger", "max_absolute_error": "max-absolute"}
ASKED = ("variables", "arcs", "fan_in")  # Sizes that random networks are drawn with.
MEDIANS = (
    *("width", "fan_out", "original_seconds", "learned_seconds", "time_ratio"),
    *("hellinger", "rows_hellinger", "max_absolute_error", "rows_max_absolute_error"),
)
TABLE2_COLUMNS = (
    *("network", "s", "networks", "width", "fan-out", "Hellinger", "of the rows", "max-absolute", "of the rows"),
    *("original (s)", "learned (s)", "time ratio"),
)


def popular_dag(variables: int, arcs: int, fan_in: int, seed: int) -> DAG:
    """A random DAG in which variables with many children get more: each arc goes into a random variable that has room,
    from one before it, drawn with weight 1 + its number of children. Arcs drawn uniformly give a width of about 29 for
    50 variables, and far fewer children of a variable than the paper's networks have."""
    generator = np.random.default_rng(seed)
    parents: list[list[int]] = [[] for _ in range(variables)]
    n_children = np.zeros(variables)
    for _ in range(arcs):
        child = int(generator.choice([at for at in range(variables) if len(parents[at]) < min(at, fan_in)]))
        weights = 1 + n_children[:child]
        weights[parents[child]] = 0
        parent = int(generator.choice(child, p=weights / weights.sum()))
        parents[child].append(parent)
        n_children[parent] += 1
    return DAG.from_indices([f"x{at}" for at in range(variables)], parents)


def wide_dag(name: str, repetition: int) -> DAG:
    """The first DAG of a series of seeds whose min-fill width differs by at most 1 from the paper's."""
    asked = PUBLISHED["table2"][name]
    for seed in range(1000 * repetition, 1000 * repetition + 1000):
        dag = popular_dag(asked["variables"], asked["arcs"], asked["fan_in"], seed)
        if abs(dag.tree_width_bound() - asked["width"]) <= 1:
            return dag
    raise GraphError(f"no random network has a width of about {asked['width']}")


def marginal_seconds(network: BayesianNetwork) -> float:
    """CPU seconds of about 1,000 marginals on one thread: propagations that give the marginals of all variables, each
    from the tables of the network. The elimination order is found before, in a first propagation."""
    network.infer(n_threads=1).marginals()
    passes = -(-MARGINALS // len(network.variables))
    start = time.process_time()
    for _ in range(passes):
        network.infer(n_threads=1).marginals()
    return (time.process_time() - start) * MARGINALS / (passes * len(network.variables))


def row_frequencies(data: Dataset) -> dict[str, dict[Any, float]]:
    """The frequency of each state in the rows."""
    return {
        name: dict(zip(labels, np.bincount(column, minlength=len(labels)) / len(column), strict=True))
        for (name, labels), column in zip(data.states.items(), np.asarray(data.codes).T, strict=True)
    }


@measures(without=(*ELSEWHERE, *TESTED))
def simplified(network: str, repetition: int, seconds: float) -> Cell:
    """A wide network, one of tree-width 3 learned from its rows, and how their marginals and times compare."""
    original = credenet.random.network(wide_dag(network, repetition), beta=0.5, seed=repetition)
    data = original.sample(ROWS, seed=repetition)
    result = credenet.learn(data, tree_width=3, time_limit=seconds, n_threads=1, seed=repetition)
    learned = result.fit(data)
    truth = original.infer()
    errors = credenet.marginal_errors(truth, learned.infer())
    of_rows = credenet.marginal_errors(truth, row_frequencies(data))
    times = marginal_seconds(original), marginal_seconds(learned)
    return {
        "width": original.dag.tree_width_bound(),
        "fan_out": max(len(original.dag.children(name)) for name in original.variables),
        "score": result.score,
        "hellinger": errors.hellinger,
        "max_absolute_error": errors.max_absolute_error,
        "rows_hellinger": of_rows.hellinger,
        "rows_max_absolute_error": of_rows.max_absolute_error,
        "original_seconds": times[0],
        "learned_seconds": times[1],
        "time_ratio": times[1] / times[0],
    }


def table2_jobs(scale: Scale) -> list[Job]:
    repetitions, seconds = (5, 600.0) if scale == "paper" else (2, 10.0)
    return [
        Job(
            simplified,
            {"network": network, "repetition": repetition, "seconds": seconds},
            seconds=seconds,
            value=5.0 / repetition,
        )
        for network in PUBLISHED["table2"]
        for repetition in range(1, repetitions + 1)
    ]


def table2_text(store: Store) -> str:
    rows, behind = [], []
    for name, paper in PUBLISHED["table2"].items():
        cells = store.select(network=name)
        for seconds in sorted({cell["seconds"] for cell in cells}):
            some = [cell for cell in cells if cell["seconds"] == seconds]
            behind.append(some)
            middle = {key: median(cell[key] for cell in some) for key in MEDIANS}
            row = [name, f"{seconds:g}", str(len(some)), f"{middle['width']:g} ({paper['width']})"]
            row.append(f"{middle['fan_out']:g} ({paper['fan_out']})")
            for key in ERRORS:
                row += [f"{middle[key]:.4f} ({paper[key]:.4f})", number(middle[f"rows_{key}"], 4)]
            row += [f"{middle['original_seconds']:.3f}", f"{middle['learned_seconds']:.4f}"]
            rows.append([*row, f"{middle['time_ratio']:.2%} ({paper['time_ratio']:.1%})"])
    return "\n".join(
        [
            f"Random binary networks with tables from Beta(0.5, 0.5) and {ROWS:,} rows of each. The median over the "
            "networks; in brackets the paper's. Beside the errors of the learned network are those of the frequencies "
            f"in the rows, without any network. Times are CPU seconds of {MARGINALS:,} marginals on one thread: "
            "propagations that give the marginals of all variables, without evidence, the elimination order found "
            "before.\n",
            table_text(TABLE2_COLUMNS, rows, behind),
        ]
    )


def longest_runs(store: Store, network: str) -> list[Cell]:
    cells = store.select(network=network)
    return [cell for cell in cells if cell["seconds"] == max(each["seconds"] for each in cells)]


def table2_numbers(store: Store) -> list[Number]:
    """What the paper asks of its networks is taken from it; the rest are medians of the longest runs."""
    numbers = []
    for network, paper in PUBLISHED["table2"].items():
        cells = longest_runs(store, network)
        for name, value in paper.items():
            ours = str(value) if name in ASKED else f"{median(cell[name] for cell in cells):.3g}" if cells else ""
            numbers.append(beside(f"Table 2: {network}, {name.replace('_', ' ')}", str(value), ours))
    return numbers


def table2_aims(store: Store) -> list[str]:
    above = []
    for network, paper in PUBLISHED["table2"].items():
        cells = longest_runs(store, network)
        for name, words in {**ERRORS, "time_ratio": "time ratio"}.items():
            ours = median(cell[name] for cell in cells) if cells else 0.0
            above += [f"{network} {words} ({ours:.4f}, published {paper[name]})"] if ours > paper[name] else []
    return [f"Errors or times of learned networks above the published ones: {', '.join(above)}."] if above else []


TABLES = (
    Table(
        "treewidth_table2",
        "Table 2: learned networks of tree-width 3 in place of wide ones",
        table2_jobs,
        table2_text,
        numbers=table2_numbers,
        aims=table2_aims,
    ),
)
