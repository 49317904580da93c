"""Effects of interventions: how long all pairs of alarm take, and how large the errors are.

``time``: all 1,332 ordered pairs of alarm1000, with intervals and ranges, from its credible set. ``errors``: data drawn
from known networks; the squared error and the total variation of P(y | do(x)) against the true one, by the average over
credible networks and by the single best network. Columns are put into a random order: the networks of the best class
are tied, the order breaks the tie, and in the files of these networks parents come before children. ``coverage``: how
often intervals hold the truth (`effect_coverage`). Names as arguments pick some parts:
``python benchmarks/bench_effects.py time``, ``errors alarm``, ``coverage child``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import credenet
from credenet import Dataset, Effects
from credenet.drawing.plotting import new_figure, save_figure
from effect_coverage import CASES, coverage, shuffled
from measure import DATA, N_THREADS, RESULTS, Report, best_of, machine, versions

SIZES = {"asia": (100, 300, 1000, 3000, 5000), "child": (100, 300, 1000, 3000, 5000), "alarm": (500, 1000, 3000, 5000)}
REPETITIONS = {"asia": 40, "child": 20, "alarm": 10}
ESTIMATES = {
    "average, optimal sets": "C0",
    "average, parents": "C2",
    "best network, fitted": "C1",
    "best network, optimal set": "C3",
}


def main() -> None:
    wanted = sys.argv[1:] or ["time", "errors", "coverage"]
    if "time" in wanted:
        times()
    if "errors" in wanted:
        errors([name for name in SIZES if name in wanted] or list(SIZES))
    if "coverage" in wanted:
        coverage([name for name in CASES if name in wanted] or list(CASES))


def times() -> None:
    report = Report("effects", "How long do the effects of all pairs of alarm1000 take?")
    data = credenet.read(DATA / "datasets" / "alarm1000.csv.gz")
    credible = credenet.credible_networks(data, bayes_factor=20, max_parents=3)
    facts = {"networks": credible.n_networks}
    for adjust in ("optimal", "parents"):
        for n_threads in (N_THREADS, 1):
            timing = best_of(lambda a=adjust, n=n_threads: credible.effects(data=data, adjust=a, n_threads=n))  # type: ignore[misc]
            note = f"{n_threads} threads, 1,000 draws"
            report.add(f"alarm1000, 1,332 pairs, {adjust}, {n_threads}", "credenet", timing, note=note, facts=facts)


def errors(networks: list[str]) -> None:
    """How large is the error of P(y | do(x)) against the true network?"""
    path = RESULTS / "effect_errors.json"
    earlier = json.loads(path.read_text())["rows"] if path.exists() else []
    rows: list[dict[str, Any]] = [row for row in earlier if row["network"] not in networks]
    for name in networks:
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        truth = network.effects()
        for n_rows in SIZES[name]:
            found: dict[str, list[float]] = {each: [] for each in ESTIMATES}
            variations: dict[str, list[float]] = {each: [] for each in ESTIMATES}
            for seed in range(REPETITIONS[name]):
                for each, estimate in estimates(shuffled(network, n_rows, seed)).items():
                    squared, variation = errors_of(estimate, truth)
                    found[each].append(squared)
                    variations[each].append(variation)
            for each, values in found.items():
                row = {
                    "network": name,
                    "rows": n_rows,
                    "estimate": each,
                    "error": float(np.mean(values)),
                    "repetitions": len(values),
                    "standard_error": float(np.std(values, ddof=1) / np.sqrt(len(values))),
                    "errors": values,
                    "variation": float(np.mean(variations[each])),
                    "variations": variations[each],
                }
                rows.append(row)
                print(
                    f"  {name:6s} {n_rows:5d} {each:28s} {row['error']:.5f} ± {row['standard_error']:.5f}, "
                    f"variation {row['variation']:.5f}",
                    flush=True,
                )
            head = {"question": errors.__doc__, "machine": machine(), "versions": versions("credenet")}
            path.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n")
    draw(rows, RESULTS / "effect_errors.svg")


def estimates(data: Dataset) -> dict[str, Effects]:
    """All effects by each kind of estimate; only means are looked at, so that few draws are made.

    None where the credible networks are not all found in a minute.
    """
    credible = credenet.credible_networks(data, bayes_factor=20, max_parents=3, time_limit=60)
    if not credible.complete:
        return {}
    best = credible.best
    found = (
        credible.effects(data=data, n_draws=100),
        credible.effects(data=data, adjust="parents", n_draws=100),
        credenet.fit(data, best).effects(),
        credenet.effects(best, data=data, n_draws=100),
    )
    return dict(zip(ESTIMATES, found, strict=True))


def errors_of(estimate: Effects, truth: Effects) -> tuple[float, float]:
    """The squared error, summed over the states of y, and the total variation; means over states of x and pairs."""
    squared = variation = 0.0
    for effect in truth:
        other = estimate[effect.x, effect.y].means
        differences = [[other[do][y] - p for y, p in chances.items()] for do, chances in effect.means.items()]
        squared += float(np.mean([sum(each**2 for each in row) for row in differences]))
        variation += float(np.mean([sum(map(abs, row)) / 2 for row in differences]))
    return squared / len(truth), variation / len(truth)


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    figure = new_figure((11, 3.6))
    for number, name in enumerate(SIZES):
        axes = figure.add_subplot(1, len(SIZES), number + 1)
        for each, colour in ESTIMATES.items():
            points = [row for row in rows if (row["network"], row["estimate"]) == (name, each)]
            axes.errorbar(
                [row["rows"] for row in points],
                [row["error"] for row in points],
                yerr=[row["standard_error"] for row in points],
                color=colour,
                marker=".",
                capsize=2,
                label=each,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(SIZES[name], [f"{n_rows:,}" for n_rows in SIZES[name]], fontsize=8)
        axes.set_xticks([], minor=True)
        axes.set_title(name)
        axes.set_xlabel("rows")
        if number == 0:
            axes.set_ylabel("squared error of P(y | do(x))")
            axes.legend(fontsize=8)
    save_figure(figure, path)


if __name__ == "__main__":
    main()
