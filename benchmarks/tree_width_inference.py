"""Inference in a network of bounded tree-width that is learned from samples of another one: Tables 2 and 3 of Nie, de
Campos and Ji (2016)."""

from __future__ import annotations

import argparse
import time
from statistics import mean, median

import numpy as np

import credenet
from bench_approximate import load_case
from credenet import DAG, BayesianNetwork, Dataset, Gibbs, ImportanceSampling, LoopyBP, MarkovNetwork
from credenet.inference.approximate import ApproximateInference
from credenet.inference.inference import Inference
from measure import DATA, N_THREADS
from tree_width_store import PUBLISHED, Cell, Job, Store, number, table_text

ROWS = 10_000
MARGINALS = 1000
CASES = {  # of at most 100 variables
    "DBN": ("DBN_11", "DBN_12", "DBN_14", "DBN_16"),
    "CSP": ("CSP_11", "CSP_12"),
    "ObjectDetection": ("ObjectDetection_28", "ObjectDetection_74"),
    "others": ("Grids_11", "Grids_12", "BN_0", "BN_1", "BN_4", "BN_10", "BN_78", "cpcs54"),
}
BAYESIAN = ("BN_", "cpcs")
CHAINS = Gibbs(ROWS, burn_in=5000, restarts=20, thin=10)
MOST_SAMPLES = 100_000_000  # more than the time allows
METHODS = ("loopy_bp", "importance_sampling", "s2_plus", "auto", "auto_exact_rows")
PAPER_COLUMNS = {"loopy_bp": 0, "importance_sampling": 1, "s2_plus": 2, "auto": 2}  # exact rows are not the paper's
WITH_ROWS = ("auto", "auto_exact_rows")
ERRORS = {"hellinger": "Hellinger", "max_absolute_error": "max-absolute"}
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
    raise credenet.GraphError(f"no random network has a width of about {asked['width']}")


def marginal_seconds(network: BayesianNetwork) -> float:
    """CPU seconds of about 1,000 marginals on one thread: propagations that give the marginals of all variables, each
    from the tables of the network. The elimination order is found before, in a first propagation."""
    network.infer(n_threads=1).marginals()
    passes = -(-MARGINALS // len(network.variables))
    start = time.process_time()
    for _ in range(passes):
        network.infer(n_threads=1).marginals()
    return (time.process_time() - start) * MARGINALS / (passes * len(network.variables))


def row_frequencies(data: Dataset) -> dict[str, dict[str, float]]:
    """How often each state occurs in the rows."""
    return {
        name: dict(zip(labels, np.bincount(column, minlength=len(labels)) / len(column), strict=True))
        for (name, labels), column in zip(data.states.items(), np.asarray(data.codes).T, strict=True)
    }


def simplified(network: str, repetition: int, seconds: float) -> Cell:
    """A wide network, one of tree-width 3 learned from its rows, and how their marginals and times compare."""
    original = credenet.random_network(wide_dag(network, repetition), beta=0.5, seed=repetition)
    data = original.sample(ROWS, seed=repetition)
    result = credenet.learn(data, tree_width=3, time_limit=seconds, n_threads=N_THREADS, seed=repetition)
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


def run_table2(store: Store, asked: argparse.Namespace) -> None:
    repetitions, seconds = (1, 2.0) if asked.quick else (asked.repetitions, asked.seconds)
    jobs = [
        {"network": network, "repetition": repetition, "seconds": seconds}
        for network in PUBLISHED["table2"]
        for repetition in range(1, repetitions + 1)
    ]
    store.run([Job("table2", simplified, job) for job in jobs])


def table2_text(store: Store) -> str:
    rows = []
    for name, paper in PUBLISHED["table2"].items():
        cells = store.select("table2", network=name)
        for seconds in sorted({cell["seconds"] for cell in cells}):
            some = [cell for cell in cells if cell["seconds"] == seconds]
            middle = {key: median(cell[key] for cell in some) for key in MEDIANS}
            row = [name, f"{seconds:g}", str(len(some)), f"{middle['width']:g} ({paper['width']})"]
            row.append(f"{middle['fan_out']:g} ({paper['fan_out']})")
            for key in ERRORS:
                row += [f"{middle[key]:.4f} ({paper[key]:.4f})", number(middle[f"rows_{key}"], 4)]
            row += [f"{middle['original_seconds']:.3f}", f"{middle['learned_seconds']:.4f}"]
            rows.append([*row, f"{middle['time_ratio']:.2%} ({paper['time_ratio']:.1%})"])
    return "\n".join(
        [
            "## Table 2: learned networks of tree-width 3 in place of wide ones\n",
            f"Random binary networks with tables from Beta(0.5, 0.5) and {ROWS:,} rows of each. The median over the "
            "networks; in brackets the paper's. Beside the errors of the learned network are those of the frequencies "
            f"in the rows, without any network. Times are CPU seconds of {MARGINALS:,} marginals on one thread: "
            "propagations that give the marginals of all variables, without evidence, the elimination order found "
            "before.\n",
            table_text(TABLE2_COLUMNS, rows),
        ]
    )


def inferred(case: str, method: str, seconds: float) -> Cell:
    """The errors of a method on a case. Loopy propagation ends by itself; the other methods use the time."""
    model, evidence, truth = load_case(case)
    start = time.perf_counter()
    answers: Inference | ApproximateInference
    data = None
    if method == "loopy_bp":
        answers = model.infer(evidence, method=LoopyBP(), time_limit=seconds)
    elif method == "importance_sampling":
        answers = model.infer(evidence, method=ImportanceSampling(samples=MOST_SAMPLES), time_limit=seconds)
    else:
        is_exact = method.endswith("_exact_rows")
        data = model.infer(evidence).sample(ROWS, seed=0) if is_exact else rows_of(case, model)
        left = max(seconds - (time.perf_counter() - start), 1.0)
        chosen = "s2_plus(iterations=0)" if method == "s2_plus" else "auto"
        result = credenet.learn(data, method=chosen, tree_width=4, time_limit=left, n_threads=N_THREADS)
        answers = result.fit(data).infer(evidence)
    answers.marginals()
    wall = time.perf_counter() - start
    errors = credenet.marginal_errors(truth, answers)
    cell = {"hellinger": errors.hellinger, "max_absolute_error": errors.max_absolute_error, "wall": round(wall, 3)}
    if data is not None and (is_exact or not evidence):
        of_rows = credenet.marginal_errors(truth, row_frequencies(data))
        cell |= {"rows_hellinger": of_rows.hellinger, "rows_max_absolute_error": of_rows.max_absolute_error}
    return cell


def rows_of(case: str, model: MarkovNetwork) -> Dataset:
    """Rows as in the paper: of a Bayesian network forward, without the evidence; of others, which have no evidence
    here, by Gibbs sampling with restarts and a long burn-in."""
    if not case.startswith(BAYESIAN):
        return model.sample(ROWS, method=CHAINS, seed=0)
    path = DATA / "inference" / f"{case}.uai"
    return credenet.load(path if path.exists() else path.with_suffix(".uai.gz")).sample(ROWS, seed=0)


def run_table3(store: Store, asked: argparse.Namespace) -> None:
    quick = ("ObjectDetection_28", "BN_10")
    cases = quick if asked.quick else [case for some in CASES.values() for case in some]
    seconds = 1.0 if asked.quick else asked.seconds
    jobs = [{"case": case, "method": method, "seconds": seconds} for case in cases for method in asked.methods]
    store.run([Job("table3", inferred, job) for job in jobs])


def table3_text(store: Store) -> str:
    averages: list[list[str]] = []
    by_case: dict[str, list[list[str]]] = {key: [] for key in ERRORS}
    for category, cases in CASES.items():
        cells = {case: [one_of(store.select("table3", case=case, method=name)) for name in METHODS] for case in cases}
        done = {case: found for case, found in cells.items() if any(found)}
        for key, error in ERRORS.items():
            for place, method in enumerate(METHODS):
                values = [found[place][key] for found in done.values() if found[place]]
                if values:
                    averages.append([category, error, method, str(len(values)), *beside(category, key, method, values)])
            for case, found in done.items():
                rows = [number(found[METHODS.index(method)].get(f"rows_{key}"), 4) for method in WITH_ROWS]
                by_case[key].append([case, *(number(cell.get(key), 4) for cell in found), *rows])
    methods = [*METHODS, *(f"rows of {method}" for method in WITH_ROWS)]
    return "\n".join(
        [
            "## Table 3: samples, a network of tree-width 4, and exact inference in it\n",
            f"Cases of the UAI 2014 competition with at most 100 variables. auto and s2_plus learn from {ROWS:,} rows: "
            "of Bayesian networks (BN, cpcs) drawn forward, without the evidence, which is then given to the learned "
            f"network; of the others from {CHAINS.restarts} Gibbs chains with a burn-in of {CHAINS.burn_in} sweeps and "
            f"{CHAINS.thin} sweeps from row to row. Sampling, learning and inference are all in the time. "
            "importance_sampling (SampleSearch) draws until the time is over, and loopy_bp ends by itself. The paper's "
            "S2+ is beside auto and s2_plus; its averages are over more cases than there are here. The difference is "
            "ours less the paper's: negative is better.\n",
            "auto_exact_rows is no method of approximate inference: its rows are independent draws given the evidence "
            "from a clique tree of the model, which already gives the exact answers. It shows which part of the error "
            "of auto comes from the learned network, and which from Gibbs sampling that does not mix.\n",
            table_text(["category", "error", "method", "cases", "ours", "paper", "difference"], averages),
            "By case. The last columns are the errors of the frequencies in the rows, without any network.\n",
            *(f"{ERRORS[key]}:\n\n" + table_text(["case", *methods], rows) for key, rows in by_case.items()),
        ]
    )


def beside(category: str, key: str, method: str, values: list[float]) -> list[str]:
    """The mean of ours, the published mean and the difference."""
    ours = mean(values)
    if category not in PUBLISHED["table3"] or method not in PAPER_COLUMNS:
        return [number(ours, 4), "", ""]
    theirs = PUBLISHED["table3"][category][key][PAPER_COLUMNS[method]]
    return [number(ours, 4), number(theirs, 4), f"{ours - theirs:+.4f}"]


def one_of(cells: list[Cell]) -> Cell:
    """The cell with the most time; empty if there is none."""
    return max(cells, key=lambda cell: float(cell["seconds"]), default={})
