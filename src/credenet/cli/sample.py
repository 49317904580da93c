"""``credenet sample``: rows drawn from a network."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from credenet.cli.options import Json, Output, Threads, print_json, progress_bar


def sample(
    model: Path, *, rows: int, output: Output = None, seed: int = 0, n_threads: Threads = None, json: Json = False
) -> None:
    """Draw rows from a network.

    Parameters
    ----------
    model
        A network file.
    rows
        The number of rows.
    output
        The table to write (.csv .tsv .dat .parquet, .gz of the text ones); without it, CSV on standard output.
    seed
        The rows depend on it alone, not on the number of threads.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet

    start = perf_counter()
    network = credenet.load(model)
    with progress_bar("sampling") as on_progress:
        data = network.sample(rows, seed=seed, n_threads=n_threads, on_progress=on_progress)
    if output is not None:
        data.save(output)
    elif not json:
        data.to_frame().write_csv(sys.stdout.buffer)
    seconds = perf_counter() - start
    if json:
        print_json({"rows": rows, "output": None if output is None else str(output), "seconds": seconds})
    elif output is not None:
        print(f"{rows} rows of {len(network.variables)} variables written to {output}", file=sys.stderr)
