"""Which setting of the Bayes-factor test finds networks nearest to the truth, and does ``setting=auto`` choose it?

``python benchmarks/bench_test_setting.py [NETWORK…]`` measures, networks named only or all, and keeps what it has;
``--tables`` prints the tables of reports/test_setting.md. SHD to the true class, on rows sampled with three seeds. The
rule and its list of settings were chosen on the networks of `STUDIED`; those of `UNSEEN` had no part in it. On
`MANY_ROWS`, sampled once, the setting is chosen from 10,000 of the rows.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import credenet
from measure import DATA, Report, Timing

STUDIED = ("alarm", "andes", "insurance", "child", "hailfinder", "win95pts")
UNSEEN = ("hepar2", "water", "mildew", "barley", "sachs")
ROWS = (500, 1_000, 5_000, 10_000)
MANY_ROWS = 100_000
METHODS = ("rai", "pc")
SEEDS = (1, 2, 3)
FIXED = (
    *(f"pseudo_count={count}" for count in (0.1, 0.25, 0.5, 1)),
    *(f"ess={ess}" for ess in (1, 2, 5, 10)),
)
AUTO = "setting=auto"
NAME = "test_setting"
QUESTION = "Which setting of the Bayes-factor test is nearest to the truth, and is it chosen by setting=auto?"


def main() -> None:
    report = Report(NAME, QUESTION, keep=True)
    if "--tables" in sys.argv:
        print_tables(report.rows)
        return
    for name in sys.argv[1:] or (*STUDIED, *UNSEEN):
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        for n_rows in (*ROWS, MANY_ROWS) if name in STUDIED else ROWS:
            samples = [network.sample(n_rows, seed=seed) for seed in (SEEDS if n_rows in ROWS else SEEDS[:1])]
            for method in METHODS:
                measure(report, name, network.dag, samples, method)
    report.save()


def measure(report: Report, name: str, truth: credenet.DAG, samples: Sequence[credenet.Dataset], method: str) -> None:
    """One row: the distances of all settings, and what ``setting=auto`` has chosen, sample by sample."""
    shd: dict[str, list[int]] = {}
    seconds: dict[str, float] = {}
    chosen: list[str | None] = []
    for setting in (*FIXED, AUTO):
        results = [
            credenet.learn(data, method=method, test=f"bayes_factor({setting})", n_threads=1) for data in samples
        ]
        shd[setting] = [credenet.compare(truth, result.graph).shd for result in results]
        seconds[setting] = sum(result.statistics.seconds for result in results)
        if setting == AUTO:
            chosen = [result.provenance.test for result in results]
    facts: dict[str, Any] = {"shd": shd, "chosen": chosen, "seconds": seconds}
    means = {setting: mean(values) for setting, values in shd.items()}
    best = min(FIXED, key=lambda setting: means[setting])
    note = f"auto {means[AUTO]:.1f}, best fixed {means[best]:.1f} ({best})"
    timing = Timing(seconds[AUTO], seconds[AUTO])
    report.add(f"{name}, {len(samples[0]):,} rows", method, timing, note=note, facts=facts)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def print_tables(rows: Sequence[dict[str, Any]]) -> None:
    """Mean distances by network and rows for each method, then how far each setting is from the best one."""
    settings = (*FIXED, AUTO)
    for method in METHODS:
        print(f"\n## {method}\n\n| data | {' | '.join(settings)} |\n|---{'|---' * len(settings)}|")
        for row in rows:
            if row["who"] == method:
                means = [mean(row["shd"][setting]) for setting in settings]
                least = min(means[:-1])
                shown = (f"**{value:.1f}**" if value <= least else f"{value:.1f}" for value in means)
                print(f"| {row['task']} | {' | '.join(shown)} |")
    groups = [("studied", STUDIED, ROWS), ("studied, many rows", STUDIED, (MANY_ROWS,)), ("unseen", UNSEEN, ROWS)]
    for title, group, sizes in groups:
        tasks = {f"{name}, {n_rows:,} rows" for name in group for n_rows in sizes}
        for method in METHODS:
            print(f"\n{title}, {method}\n\n| setting | ratio | largest ratio | SHD above the best |\n|---|---|---|---|")
            chosen = [row for row in rows if row["who"] == method and row["task"] in tasks]
            for setting in settings:
                pairs = [(mean(row["shd"][setting]), min(mean(row["shd"][fixed]) for fixed in FIXED)) for row in chosen]
                ratios = [max(value, 1) / max(least, 1) for value, least in pairs]
                typical = math.exp(mean([math.log(ratio) for ratio in ratios]))
                above = mean([value - least for value, least in pairs])
                print(f"| `{setting}` | {typical:.3f} | {max(ratios):.2f} | {above:.2f} |")
        for method in METHODS:
            spent = [row["seconds"] for row in rows if row["who"] == method and row["task"] in tasks]
            usual, auto = (sum(each[setting] for each in spent) for setting in ("pseudo_count=0.5", AUTO))
            print(f"\n{title}, {method}: auto took {auto / usual:.1f} times as long as the default")


if __name__ == "__main__":
    main()
