"""``credenet ingest``: a table of any size as a block file."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Literal

from credenet.cli.answers import print_json, print_remarks
from credenet.cli.arguments.groups import IngestFlags
from credenet.cli.arguments.parameters import Json, MemoryLimit, RequiredOutput, Threads, Whole
from credenet.cli.progress_bar import progress_bar


def ingest(
    *data: Path,
    output: RequiredOutput,
    merge: Literal["auto", "yes", "no"] = "auto",
    block_rows: Whole = 65536,
    memory_limit: MemoryLimit = None,
    n_threads: Threads = None,
    json: Json = False,
    options: IngestFlags = IngestFlags(),
) -> None:
    """Write a table of any size as a block file, which is opened without reading it into memory.

    An interrupted run leaves OUTPUT.part and OUTPUT.journal; the same command continues it.

    Parameters
    ----------
    data
        A table (.csv .tsv .parquet, .gz of text), several with the same columns, a folder of them or a pattern.
    output
        The block file to write (.cnb).
    merge
        Whether equal rows become one row with a count; auto: if an eighth or less is left of a million rows or more.
    block_rows
        The rows of a block, a multiple of 512.
    memory_limit
        The most memory to use (500MB, 8GB); three quarters of the free memory if not given.
    """
    import credenet
    from credenet._text import byte_count, count

    reading = options.arguments()
    if reading.pop("repair"):
        raise credenet.errors.ArgumentError(
            "--repair needs the table in memory: credenet convert TABLE FILE.cnb --repair"
        )
    start = perf_counter()
    tables = data[0] if len(data) == 1 else list(data)
    try:
        with progress_bar("ingesting") as on_progress:
            rows = credenet.ingest(
                tables,
                output,
                merge=merge,
                block_rows=block_rows,
                memory_limit=memory_limit,
                n_threads=n_threads,
                on_progress=on_progress,
                **reading,
            )
    except KeyboardInterrupt:
        if Path(f"{output}.part").exists():
            print(f"{output}.part is kept; the same command continues it", file=sys.stderr)
        raise
    seconds = perf_counter() - start
    file = rows.file
    if json:
        print_json(
            {
                "output": str(output),
                "rows": int(file.total) if file.weights == "counts" else rows.n_rows,
                "stored_rows": rows.n_rows,
                "variables": list(rows.variables),
                "blocks": len(file.sizes),
                "bytes": file.mapped.nbytes,
                "merged": file.weights == "counts",
                "seconds": seconds,
            }
        )
        return
    merged = f", merged from {count(int(file.total), 'row')}" if file.weights == "counts" else ""
    print(
        f"{count(rows.n_rows, 'row')}{merged}, {count(rows.n_variables, 'variable')}, {byte_count(file.mapped.nbytes)}"
    )
    print_remarks(rows)
    print(f"written to {output}", file=sys.stderr)
