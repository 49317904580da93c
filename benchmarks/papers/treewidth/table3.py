"""Table 3 of Nie, de Campos and Ji (2016): samples, a network of tree-width 4, and exact inference in it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain
from statistics import mean

import credenet
from bench_approximate import load_case
from credenet import Dataset, MarkovNetwork
from credenet.inference.approximate import ApproximateInference
from credenet.inference.inference import Inference
from credenet.methods import Gibbs, ImportanceSampling, LoopyBP
from measure import DATA

from ..frame import Number, Table, number, table_text
from ..frame import beside as of_paper
from ..parts import ELSEWHERE, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import PUBLISHED
from .table2 import ERRORS, ROWS, row_frequencies

CASES = {  # Cases of at most 100 variables.
    "DBN": ("DBN_11", "DBN_12", "DBN_14", "DBN_16"),
    "CSP": ("CSP_11", "CSP_12"),
    "ObjectDetection": ("ObjectDetection_28", "ObjectDetection_74"),
    "others": ("Grids_11", "Grids_12", "BN_0", "BN_1", "BN_4", "BN_10", "BN_78", "cpcs54"),
}
BAYESIAN = ("BN_", "cpcs")
CHAINS = Gibbs(ROWS, burn_in=5000, restarts=20, thin=10)
MOST_SAMPLES = 100_000_000  # Samples, more than the time allows.
METHODS = ("loopy_bp", "importance_sampling", "s2_plus", "auto", "auto_exact_rows")
QUICK_METHODS = ("loopy_bp", "importance_sampling", "auto")
# The column of each method; exact rows are not the paper's.
PAPER_COLUMNS = {"loopy_bp": 0, "importance_sampling": 1, "s2_plus": 2, "auto": 2}
PAPER_METHODS = ("LBP", "SampleSearch", "S2+")
LARGE_ERROR = 0.2
ONE_TIME = "our cells have one time for sampling, learning and inference"
MEANS_ONLY = "our cells have mean errors over the variables, not single probabilities"
AVERAGE = "Average"  # The row whose cases are others than ours.
WITH_ROWS = ("auto", "auto_exact_rows")


@measures(also=("io.networks", "io.uai_evidence"), without=(*ELSEWHERE, *TESTED))
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
        result = credenet.learn(data, method=chosen, tree_width=4, time_limit=left, n_threads=1)
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


def table3_jobs(scale: Scale) -> list[Job]:
    cases = [case for some in CASES.values() for case in some]
    seconds, methods = (120.0, METHODS) if scale == "paper" else (5.0, QUICK_METHODS)
    return [
        Job(
            inferred,
            {"case": case, "method": method, "seconds": seconds},
            seconds=1.0 if method == "loopy_bp" else seconds,
            value=200.0,
        )
        for case in cases
        for method in methods
    ]


def table3_text(store: Store) -> str:
    averages: list[list[str]] = []
    behind: list[list[Cell]] = []
    by_case: dict[str, list[list[str]]] = {key: [] for key in ERRORS}
    of_cases: list[list[Cell]] = []
    for category, cases in CASES.items():
        cells = {case: [one_of(store.select(case=case, method=name)) for name in METHODS] for case in cases}
        done = {case: found for case, found in cells.items() if any(found)}
        for key, error in ERRORS.items():
            for place, method in enumerate(METHODS):
                values = [found[place][key] for found in done.values() if found[place]]
                if values:
                    averages.append([category, error, method, str(len(values)), *beside(category, key, method, values)])
                    behind.append([found[place] for found in done.values() if found[place]])
            for case, found in done.items():
                rows = [number(found[METHODS.index(method)].get(f"rows_{key}"), 4) for method in WITH_ROWS]
                by_case[key].append([case, *(number(cell.get(key), 4) for cell in found), *rows])
        of_cases += [[cell for cell in found if cell] for found in done.values()]
    methods = [*METHODS, *(f"rows of {method}" for method in WITH_ROWS)]
    return "\n".join(
        [
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
            table_text(["category", "error", "method", "cases", "ours", "paper", "difference"], averages, behind),
            "By case. The last columns are the errors of the frequencies in the rows, without any network.\n",
            *(f"{ERRORS[key]}:\n\n" + table_text(["case", *methods], rows, of_cases) for key, rows in by_case.items()),
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


def table3_numbers(store: Store) -> list[Number]:
    """Averages over the cases that are here; ours of S2+ is s2_plus, or auto where that was not run."""
    numbers = []
    for category, paper in PUBLISHED["table3"].items():
        cases = CASES.get(category, tuple(case for name in CASES if name != "others" for case in CASES[name]))
        for key, values in paper.items():
            for at, method in enumerate(("loopy_bp", "importance_sampling", "s2_plus")):
                ours = mean_error(store, cases, key, method)
                shown = "" if ours is None else f"{ours:.4f}"
                where = f"Table 3: {category}, {ERRORS[key]}, {PAPER_METHODS[at]}"
                numbers.append(of_paper(where, f"{values[at]:.4f}", shown))
    return [*numbers, *numbers_in_text(store)]


def numbers_in_text(store: Store) -> list[Number]:
    """The numbers of cases; and a time and a node, of which no cell tells."""
    said = PUBLISHED["text"]
    cases = []
    for category, printed in said["cases"].items():
        ours = sum(bool(store.select(case=case)) for case in CASES[category])
        cases.append(of_paper(f"Text: cases of {category}", str(printed), str(ours or "")))
    time = said["seconds of inference in a learned network"]
    return [
        *cases,
        Number("Text: seconds of inference in a learned network", str(time), reason=ONE_TIME),
        *(
            Number(f"Text: probability of state 1 of node 2 of DBN_12, {who}", printed, reason=MEANS_ONLY)
            for who, printed in said["probability of state 1 of node 2 of DBN_12"].items()
        ),
    ]


def mean_error(store: Store, cases: Sequence[str], key: str, method: str) -> float | None:
    wanted = (method, "auto") if method == "s2_plus" else (method,)
    for name in wanted:
        cells = [one_of(store.select(case=case, method=name)) for case in cases]
        if any(cells):
            return float(mean(cell[key] for cell in cells if cell))
    return None


def table3_aims(store: Store) -> list[str]:
    above = [
        f"{number.where.removeprefix('Table 3: ')} ({number.ours}, published {number.printed})"
        for number in table3_numbers(store)
        if AVERAGE not in number.where and number.ours and float(number.ours) > float(number.printed)
    ]
    of_rows = [
        f"{cell['case']} ({cell['rows_hellinger']:.2f})"
        for case in chain(*CASES.values())
        if (cell := one_of(store.select(case=case, method="auto"))).get("rows_hellinger", 0.0) > LARGE_ERROR
    ]
    return [
        *([f"Errors above the published ones: {'; '.join(above)}."] if above else []),
        *(
            [f"The Gibbs rows themselves have a Hellinger error above {LARGE_ERROR}: {', '.join(of_rows)}."]
            if of_rows
            else []
        ),
    ]


TABLES = (
    Table(
        "treewidth_table3",
        "Table 3: samples, a network of tree-width 4, and exact inference in it",
        table3_jobs,
        table3_text,
        numbers=table3_numbers,
        aims=table3_aims,
    ),
)
