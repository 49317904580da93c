"""Table 3 of Nie, de Campos and Ji (2016): samples, a network of tree-width 4, and exact inference in it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import chain
from statistics import mean

import credenet
from bench_approximate import load_case
from credenet import Dataset, MarkovNetwork
from credenet._run.run import Run
from credenet.inference.approximate import ApproximateInference
from credenet.inference.evidence import EvidenceLike
from credenet.inference.inference import Inference
from credenet.inference.row_sampling import RowSampling, draw_rows
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
METHODS = ("loopy_bp", "importance_sampling", "s2_plus", "auto", "auto_resampled", "auto_exact_rows")
RESAMPLED = ImportanceSampling(samples=ROWS)
# The column of each method; exact rows are not the paper's.
PAPER_COLUMNS = {"loopy_bp": 0, "importance_sampling": 1, "s2_plus": 2, "auto": 2}
PAPER_METHODS = ("LBP", "SampleSearch", "S2+")
LARGE_ERROR = 0.2
ONE_TIME = "our cells have one time for sampling, learning and inference"
MEANS_ONLY = "our cells have mean errors over the variables, not single probabilities"
AVERAGE = "Average"  # The row whose cases are others than ours.
WITH_ROWS = ("auto", "auto_resampled", "auto_exact_rows")


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
        drawn = rows_of(case, method, model, evidence, seconds / 2)
        if drawn is None:
            return {"wall": round(time.perf_counter() - start, 3)}
        data, sampling = drawn
        left = max(seconds - (time.perf_counter() - start), 1.0)
        chosen = "s2_plus(iterations=0)" if method == "s2_plus" else "auto"
        result = credenet.learn(data, method=chosen, tree_width=4, time_limit=left, n_threads=1)
        answers = result.fit(data).infer(evidence)
    answers.marginals()
    wall = time.perf_counter() - start
    errors = credenet.marginal_errors(truth, answers)
    cell: Cell = {
        "hellinger": errors.hellinger,
        "max_absolute_error": errors.max_absolute_error,
        "wall": round(wall, 3),
    }
    if data is not None:
        reduction = sampling.scale_reduction
        cell |= {
            "rows_status": sampling.status,
            "scale_reduction": None if reduction is None or math.isinf(reduction) else round(reduction, 4),
            "effective_rows": sampling.effective_rows,
            "n_rows": sampling.n_rows,
        }
    if data is not None and (sampling.method in ("exact", "importance_sampling") or not evidence):
        of_rows = credenet.marginal_errors(truth, row_frequencies(data))
        cell |= {"rows_hellinger": of_rows.hellinger, "rows_max_absolute_error": of_rows.max_absolute_error}
    return cell


def rows_of(
    case: str, method: str, model: MarkovNetwork, evidence: EvidenceLike, seconds: float
) -> tuple[Dataset, RowSampling] | None:
    """Rows as in the paper: of a Bayesian network forward, without the evidence; of others, which have no evidence
    here, by Gibbs sampling with restarts and a long burn-in. Those of auto_resampled and auto_exact_rows are drawn
    given the evidence; None if the clique tree for exact rows does not fit into memory."""
    factors, unlimited = model._factor_model(), Run.from_limits(None, None, 1, None)
    if method == "auto_exact_rows":
        if Inference(factors, evidence).memory_problem() is not None:
            return None
        rows = draw_rows(
            model._factor_model(), evidence, ROWS, method="exact", run=Run.from_limits(None, None, 1, None)
        )
    elif method == "auto_resampled":
        limited = Run.from_limits(seconds, None, 1, None)
        rows = draw_rows(factors, evidence, ROWS, method=RESAMPLED, run=limited, is_all_needed=False)
    elif not case.startswith(BAYESIAN):
        rows = draw_rows(factors, None, ROWS, method=CHAINS, run=unlimited, is_all_needed=False)
    else:
        path = DATA / "inference" / f"{case}.uai"
        network = credenet.load(path if path.exists() else path.with_suffix(".uai.gz"))
        return network.sample(ROWS, seed=0), RowSampling("forward", ROWS, exact=True)
    return rows.data, rows.sampling


def table3_jobs(scale: Scale) -> list[Job]:
    cases = [case for some in CASES.values() for case in some]
    seconds = 120.0 if scale == "paper" else 5.0
    return [
        Job(
            inferred,
            {"case": case, "method": method, "seconds": seconds},
            seconds=1.0 if method == "loopy_bp" else seconds,
            value=200.0,
        )
        for case in cases
        for method in METHODS
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
                some = [found[place] for found in done.values() if key in found[place]]
                if some:
                    values = [cell[key] for cell in some]
                    averages.append([category, error, method, str(len(some)), *beside(category, key, method, values)])
                    behind.append(some)
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
            "auto_exact_rows is no method of approximate inference: its rows are independent draws given the "
            "evidence from a clique tree of the model, which already gives the exact answers. It shows which part "
            "of the error of auto comes from the learned network, and which from Gibbs sampling that does not "
            "mix; a case whose clique tree does not fit into memory has none. auto_resampled learns from rows "
            "that are drawn given the evidence by importance resampling, with the proposal of "
            "importance_sampling; the paper has no such column.\n",
            table_text(["category", "error", "method", "cases", "ours", "paper", "difference"], averages, behind),
            "By case. The last columns are the errors of the frequencies in the rows, without any network.\n",
            *(f"{ERRORS[key]}:\n\n" + table_text(["case", *methods], rows, of_cases) for key, rows in by_case.items()),
            "Whether the rows represent the case: the potential scale reduction (R-hat) of the Gibbs chains, above 1.1 "
            "not mixed, and how many independent rows the resampled ones are worth.\n",
            table_text(["case", "R-hat of auto", "rows of auto", "effective rows of auto_resampled"], *mixing(store)),
        ]
    )


def mixing(store: Store) -> tuple[list[list[str]], list[list[Cell]]]:
    """What is known of the rows of each case that is not sampled forward, and the cells behind it."""
    rows, behind = [], []
    for case in chain(*CASES.values()):
        chains, weighted = (one_of(store.select(case=case, method=name)) for name in ("auto", "auto_resampled"))
        if "rows_status" not in chains or case.startswith(BAYESIAN):
            continue
        state = str(chains["rows_status"]).replace("_", " ").replace("complete", "mixed")
        reduction = chains["scale_reduction"]
        worth = weighted.get("effective_rows")
        shown = "infinite" if reduction is None else f"{reduction:.2f}"
        rows.append([case, shown, state, "" if worth is None else f"{worth:,.0f}"])
        behind.append([cell for cell in (chains, weighted) if cell])
    return rows, behind


def beside(category: str, key: str, method: str, values: list[float]) -> list[str]:
    """The mean of ours, the published mean and the difference."""
    ours = mean(values)
    if category not in PUBLISHED["table3"] or method not in PAPER_COLUMNS:
        return [number(ours, 4), "", ""]
    theirs = PUBLISHED["table3"][category][key][PAPER_COLUMNS[method]]
    return [number(ours, 4), number(theirs, 4), f"{ours - theirs:+.4f}"]


def one_of(cells: list[Cell]) -> Cell:
    """The cell with the most time, of those whose sources are known if there are any; empty if there is none."""
    return max(cells, key=lambda cell: (bool(cell["made"].digest), float(cell["seconds"])), default={})


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
        values = [cell[key] for cell in cells if key in cell]
        if values:
            return float(mean(values))
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
