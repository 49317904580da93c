"""``credenet fit``: tables for a given graph."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from credenet.cli.options import DataOptions, Json, Output, Threads, finite, print_json, progress_bar, read_data


def fit(
    data: Path,
    *,
    graph: Path,
    output: Output = None,
    smoothing: Literal["bdeu", "k2", "jeffreys", "none"] = "bdeu",
    ess: float = 1.0,
    n_threads: Threads = None,
    json: Json = False,
    options: DataOptions | None = None,
) -> None:
    """Fit the tables of a network with a known structure to data.

    Parameters
    ----------
    data
        A table of data.
    graph
        The structure: a graph file (.json, A->B text, adjacency matrix .csv) or a network file.
    output
        The network to write; the suffix picks the format.
    smoothing
        The prior of the tables; none is maximum likelihood.
    ess
        Equivalent sample size of bdeu.
    n_threads
        Number of threads; all cores if not given.
    json
        Print one JSON object instead of text.
    """
    import credenet

    structure = credenet.load_graph(graph)
    if isinstance(structure, credenet.PDAG):
        structure = structure.extension()
    table = read_data(data, options, n_threads=n_threads)
    prior = credenet.BDeu(ess) if smoothing == "bdeu" else smoothing
    with progress_bar("fitting") as on_progress:
        network = credenet.fit(table, structure, smoothing=prior, n_threads=n_threads, on_progress=on_progress)
    if output is not None:
        network.save(output)
    log_likelihood = network.log_likelihood(table, n_threads=n_threads)
    if json:
        print_json(
            {
                "log_likelihood": finite(log_likelihood),
                "rows": len(table),
                "parameters": network.n_parameters,
                "output": None if output is None else str(output),
            }
        )
        return
    print(f"log-likelihood {log_likelihood:.6f} of {len(table)} rows, {network.n_parameters} parameters")
    if output is not None:
        print(f"written to {output}")
