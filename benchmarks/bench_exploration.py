"""Best-first exploration of munin1 (186 variables, 5,000 rows) in a minute, against the parent sets that BLIP lists."""

from __future__ import annotations

import math

import numpy as np

import credenet
from measure import DATA, Report, best_of

SECONDS = 60.0
THREADS = 2
WIDE_ROWS = 5000


def main() -> None:
    report = Report("exploration", "What does best-first exploration find in a minute?")
    data = credenet.read(DATA / "datasets" / "munin1-5000.dat.gz")
    families = explored(report, "munin1", data)
    listed = credenet.load_families(DATA / "scores" / "munin1-5000.jkl.gz")
    report.add("munin1, best families", "credenet", None, note=comparison(data, families, listed))
    for name in ("andes", "link", "munin"):
        network = credenet.load(DATA / "networks" / f"{name}.bif.gz")
        explored(report, name, network.sample(WIDE_ROWS, seed=1))
    report.save()


def explored(report: Report, name: str, data: credenet.Dataset) -> credenet.FamilyTable:
    found: list[credenet.FamilyTable] = []
    timing = best_of(
        lambda: found.append(
            credenet.score_families(data, score="bic", search="best_first", time_limit=SECONDS, n_threads=THREADS)
        ),
        1,
    )
    made = found[0].made
    rate = 0 if made.evaluated is None else made.evaluated / timing.wall
    gain = sum(
        found[0].best(variable).score - found[0].best(variable, available=[]).score for variable in data.variables
    )
    note = (
        f"{data.n_variables} variables, {made.evaluated:,} evaluated, {rate:,.0f} per second, {len(found[0]):,} kept, "
        f"at most {made.max_parents} parents, best families gain {gain:,.1f}, {made.status}"
    )
    report.add(f"{name}, BIC, {WIDE_ROWS:,} rows, {SECONDS:.0f} s", "credenet", timing, note=note)
    return found[0]


def comparison(data: credenet.Dataset, families: credenet.FamilyTable, listed: credenet.FamilyTable) -> str:
    """For how many variables the best family found is better than, equal to and worse than the best one listed."""
    better = equal = worse = 0
    for child, name in enumerate(data.variables):
        ours = families.best(name).score
        theirs = max(
            bic(data, child, [int(parent) for parent in parents]) for _, parents in listed.families(str(child))
        )
        if math.isclose(ours, theirs, rel_tol=1e-10, abs_tol=1e-7):
            equal += 1
        elif ours > theirs:
            better += 1
        else:
            worse += 1
    return f"better than the listed ones, scored exactly, for {better} variables, equal for {equal}, worse for {worse}"


def bic(data: credenet.Dataset, child: int, parents: list[int]) -> float:
    """BIC by its definition with declared states, from the counts that are not 0."""
    n_states = [int(number) for number in data.n_states]
    cells = np.zeros(len(data), dtype=np.int64)
    for parent in parents:
        cells = cells * n_states[parent] + data.codes[:, parent]
    _, in_parents, of_parents = np.unique(cells, return_inverse=True, return_counts=True)
    _, first, counts = np.unique(cells * n_states[child] + data.codes[:, child], return_index=True, return_counts=True)
    likelihood = float(np.sum(counts * np.log(counts / of_parents[in_parents[first]])))
    return likelihood - math.log(len(data)) / 2 * (n_states[child] - 1) * math.prod(n_states[k] for k in parents)


if __name__ == "__main__":
    main()
