"""``credenet compare``: how far a learned structure or network is from a reference."""

from __future__ import annotations

from pathlib import Path

from credenet.cli.answers import print_answer
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.arguments.parameters import Json, Seed, Threads, Whole
from credenet.cli.inputs import load_structure, read_data


def compare(
    reference: Path,
    learned: Path,
    *,
    data: Path | None = None,
    kl_rows: Whole = 100_000,
    seed: Seed = 0,
    n_threads: Threads = None,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> None:
    """Compare a learned graph or network with a reference.

    Parameters
    ----------
    reference
        The graph or network that is taken as the truth.
    learned
        The graph or network to judge.
    data
        Held-out rows: adds the log-likelihood of each network.
    kl_rows
        Rows sampled from the reference to estimate the Kullback-Leibler divergence of two networks; 0 leaves it out.
    seed
        Seed of that sample; fresh draws one and tells it.
    """
    import credenet

    first, second = load_structure(reference), load_structure(learned)
    table = None if data is None else read_data(data, options, remarks=False, n_threads=n_threads)
    result = credenet.compare(first, second, rows=table, kl_rows=kl_rows, seed=seed, n_threads=n_threads)
    print_answer(json, result.to_dict, result)
