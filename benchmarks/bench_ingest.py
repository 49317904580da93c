"""Turning tables into block files: rows per second and peak memory, against reading them and against polars alone.

``python benchmarks/bench_ingest.py [ROWS]``; each measurement runs in a process of its own.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import credenet
from measure import DATA, Report, Timing

ROWS = 2_000_000
TEXT_ROWS = 2_000_000


def measured(what: str, source: Path, target: Path) -> dict[str, float]:
    """Wall and CPU seconds of one piece of work in another process, and its peak memory in bytes."""
    command = [sys.executable, __file__, "--measure", what, str(source), str(target)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def work(what: str, source: Path, target: Path) -> None:
    import polars as pl

    wall, cpu = time.perf_counter(), time.process_time()
    if what.startswith("ingest"):
        credenet.ingest(source, target, merge=what.removeprefix("ingest ") or "no")  # type: ignore[arg-type]
    elif what == "read":
        credenet.read(source)
    elif what == "open":
        credenet.read(target)
    else:
        scan = pl.scan_parquet if source.suffix == ".parquet" else pl.scan_csv
        scan(source).sink_parquet(target.with_suffix(".parquet"))
    times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    print(json.dumps({**times, "peak": peak_memory()}))


def peak_memory() -> int:
    """The peak memory of this process since it began; that of `getrusage` begins with the parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def sources(folder: Path, n_rows: int) -> dict[str, tuple[Path, int]]:
    """Rows of the alarm network in several formats, with their number of rows."""
    import polars as pl

    alarm = credenet.load(DATA / "networks" / "alarm.bif.gz")
    parts = []
    for seed in range(-(-n_rows // ROWS)):  # The rows are drawn in parts, so that many rows need little memory.
        parts.append(folder / f"part{seed}.parquet")
        alarm.sample(min(ROWS, n_rows - seed * ROWS), seed=seed).save(parts[-1])
    categories, labels = folder / "categories.parquet", folder / "labels.parquet"
    text, packed = folder / "labels.csv", folder / "labels.csv.gz"
    rows = pl.scan_parquet(parts)
    rows.sink_parquet(categories)
    rows.select(pl.all().cast(pl.String)).sink_parquet(labels)
    rows.head(TEXT_ROWS).sink_csv(text)
    with text.open("rb") as plain, gzip.open(packed, "wb", compresslevel=1) as small:
        shutil.copyfileobj(plain, small)
    some = min(n_rows, TEXT_ROWS)
    return {
        "parquet of categories": (categories, n_rows),
        "parquet of labels": (labels, n_rows),
        "csv": (text, some),
        "csv.gz": (packed, some),
    }


def main(n_rows: int) -> None:
    question = "How fast does a table of 37 columns become a block file, and in how much memory?"
    report = Report("ingest", question, "polars")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for task, (source, rows) in sources(folder, n_rows).items():
            target = folder / "t.cnb"
            ours: Timing | None = None
            for who, what in (
                ("ingest", "ingest no"),
                ("ingest, merged", "ingest yes"),
                ("read", "read"),
                ("polars", "sink"),
            ):
                found = measured(what, source, target)
                timing = Timing(found["wall"], found["cpu"])
                facts: dict[str, Any] = {"rows": rows, "rows_per_second": rows / timing.wall, "peak": found["peak"]}
                facts["rows_per_cpu_second"] = rows / timing.cpu
                if what.startswith("ingest"):
                    facts["bytes"] = target.stat().st_size
                note = f"{rows / timing.wall / 1e6:.2f} M rows/s, peak {found['peak'] / 1e6:.0f} MB"
                report.add(task, who, timing, ours=ours, note=note, facts=facts)
                ours = ours or timing
            if task.startswith("parquet of c"):
                found = measured("ingest no", source, target)
                found = measured("open", source, target)
                opened = Timing(found["wall"], found["cpu"])
                report.add("opening the block file", "read", opened, note="with all checksums", facts={"rows": rows})
    report.save()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        work(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else ROWS)
