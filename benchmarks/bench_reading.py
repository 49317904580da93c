"""Reading a CSV of 1,000,000 rows and 37 columns, checks and coding included, against polars' bare reader.

Then data frames of 200,000 rows and 37 columns, against a polars frame of categories.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import credenet
from measure import DATA, Report, best_of

ROWS = 1_000_000
FRAME_ROWS = 200_000


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
    for task, frame in _frames(alarm.sample(FRAME_ROWS, seed=1)).items():
        ours = best_of(lambda frame=frame: credenet.Dataset.from_frame(frame, missing="keep"), 5)  # type: ignore[misc]
        report.add(task, "credenet", ours, note="from_frame of 200,000 x 37")
    report.save()


def _frames(data: credenet.Dataset) -> dict[str, Any]:
    """The table in frames of each kind that users have."""
    categories = data.to_polars()
    labels = categories.cast(pl.String).to_dict(as_series=False)
    integers = pd.DataFrame({name: data.codes[:, at].astype(np.int64) for at, name in enumerate(data.variables)})
    has_gap = np.arange(len(integers)) % 50 == 0
    with_gaps = integers.astype(float)
    with_gaps.loc[has_gap] = np.nan
    return {
        "polars categories": categories,
        "polars text": categories.cast(pl.String),
        "pandas categories": data.to_pandas(),
        "pandas text": pd.DataFrame(labels),
        "pandas objects": pd.DataFrame(labels, dtype=object),
        "pandas integers": integers,
        "pandas integers with gaps": with_gaps,
        "pandas truth values": integers > 0,
        "arrow text": categories.cast(pl.String).to_arrow(),
        "numpy integers": integers.to_numpy(),
    }


if __name__ == "__main__":
    main()
