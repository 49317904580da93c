"""``credenet sample``: rows drawn from a network."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from credenet.cli.answers import print_json
from credenet.cli.arguments.evidence import load_model
from credenet.cli.arguments.parameters import Json, Output, Seed, Threads, Whole
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar


def sample(
    model: Path, *, rows: Whole, output: Output = None, seed: Seed = 0, n_threads: Threads = None, json: Json = False
) -> None:
    """Draw rows from a network.

    Rows of a Markov network are drawn exactly if that fits into memory, else by Gibbs sampling.

    Parameters
    ----------
    model
        A network file; .uai files may hold Markov networks too.
    rows
        The number of rows.
    output
        The table to write (.csv .tsv .dat .parquet, .gz of the text ones); without it, CSV on standard output.
    seed
        The seed, on which the rows depend whatever the number of threads; fresh draws one and tells it.
    """
    import credenet

    if json and output is None:
        raise credenet.errors.ArgumentError(
            "--json needs --output, since the rows would otherwise go to standard output"
        )
    start = perf_counter()
    check_output(output)
    network = load_model(model)
    check_output(output, network.sample(1, seed=seed).save)
    with progress_bar("sampling") as on_progress:
        data = network.sample(rows, seed=seed, n_threads=n_threads, on_progress=on_progress)
    if output is not None:
        write_output(output, data.save)
    else:
        for at, part in enumerate(data.to_polars().iter_slices(1 << 16)):
            sys.stdout.buffer.write(part.write_csv(include_header=at == 0).encode())
    if json:
        print_json({"rows": rows, "output": str(output), "seconds": perf_counter() - start})
