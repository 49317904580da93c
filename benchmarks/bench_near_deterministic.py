"""How far from the truth are tests, scores and both, where variables nearly determine each other and where not?

``python benchmarks/bench_near_deterministic.py [NETWORK…]``; rows of other networks stay.
"""

from __future__ import annotations

import sys

import credenet
from measure import DATA, Report, best_of

TASKS = (
    ("munin", 10_000),
    ("link", 10_000),
    ("diabetes", 10_000),
    ("pathfinder", 10_000),
    ("munin", 1_000),
    ("link", 1_000),
    *((name, n_rows) for n_rows in (1_000, 10_000) for name in ("alarm", "hailfinder", "insurance", "child", "andes")),
)
TESTS = ("bayes_factor", "bayes_factor(ess=1)")
BY_TESTS = ("pc", "pc(max_order=3, ambiguous=one)", "rai", "rai(ambiguous=one)")
BY_SCORES = ("mmhc", "hill_climb(restarts=0)", "rai(then=hill_climb)", "rai(ambiguous=one, then=hill_climb)")
SCORES = ("bdeu", "bic")


def main() -> None:
    report = Report("near_deterministic", "Tests or scores, where variables nearly determine each other?", keep=True)
    for name, n_rows in TASKS:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        data = network.sample(n_rows, seed=1)
        for method in BY_TESTS:
            for test in TESTS:
                measure(report, network.dag, data, name, method=method, test=test)
        for method in BY_SCORES:
            for score in SCORES:
                options = {"method": method, "score": score}
                if not method.startswith("hill_climb"):
                    options["test"] = TESTS[1]
                measure(report, network.dag, data, name, **options)
    report.save()


def measure(report: Report, truth: credenet.DAG, data: credenet.Dataset, name: str, **options: str) -> None:
    results: list[credenet.LearnResult] = []
    timing = best_of(lambda: results.append(credenet.learn(data, **options, n_threads=1)), 1)  # type: ignore[arg-type]
    found = credenet.compare(truth, results[0].graph)
    share = round(100 * found.shd / truth.n_edges)
    note = f"SHD {found.shd} ({share} %): {found.extra} extra, {found.missing} missing, {found.misdirected} misdirected"
    if results[0].score is not None:
        note += f"; score {results[0].score:,.0f}"
    report.add(f"{name}, {len(data):,} rows", " ".join(options.values()), timing, note=note)


if __name__ == "__main__":
    main()
