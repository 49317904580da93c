"""Reading a CSV of 1,000,000 rows and 37 columns, checks and coding included, against polars' bare reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl

import credenet
from measure import DATA, Report, best_of

ROWS = 1_000_000


def main() -> None:
    report = Report("reading", "How long does reading a 1,000,000 x 37 CSV take?", "polars")
    alarm = credenet.load(DATA / "networks" / "alarm.bif.gz")
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.csv"
        data = alarm.sample(ROWS, seed=1)
        data.save(labels)
        integers = Path(folder) / "integers.csv"
        pl.DataFrame({name: data.codes[:, at] for at, name in enumerate(data.variables)}).write_csv(integers)
        for task, path in (("state labels", labels), ("integer codes", integers)):
            megabytes = path.stat().st_size / 1e6
            ours = best_of(lambda path=path: credenet.read(path), 5)  # type: ignore[misc]
            report.add(task, "credenet", ours, note=f"{megabytes:.0f} MB")
            bare = best_of(lambda path=path: pl.read_csv(path), 5)  # type: ignore[misc]
            report.add(task, "polars", bare, ours=ours, note="parses only; no codes, no field or name checks")
    report.save()


if __name__ == "__main__":
    main()
