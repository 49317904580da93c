"""``credenet fit``: tables for a given graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credenet._files.suffixes import NETWORK_SUFFIXES
from credenet.cli.answers import print_answer
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.arguments.parameters import Json, Output, SmoothingArgument, Threads, apply_flags
from credenet.cli.arguments.renaming import Rename, check_rename, described_names, list_names, safe_names_of
from credenet.cli.inputs import load_structure, read_data
from credenet.cli.outputs import check_output, write_output
from credenet.cli.progress_bar import progress_bar
from credenet.settings.scores import SMOOTHINGS, BDeu

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.networks.bayesian import BayesianNetwork


def fit(
    data: Path,
    *,
    graph: Path,
    output: Output = None,
    smoothing: SmoothingArgument = BDeu(),
    ess: float | None = None,
    rename: Rename = None,
    n_threads: Threads = None,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> None:
    """Fit the tables of a network with a known structure to data.

    Parameters
    ----------
    data
        A table of data.
    graph
        The structure: a graph file (.json, A->B text, adjacency matrix .csv) or a network file, whose states are then
        declared for the data.
    output
        The network to write; the suffix picks the format.
    smoothing
        The Dirichlet prior of the tables; none is maximum likelihood.
    ess
        Equivalent sample size of bdeu and bde; 1 if not given.
    rename
        Replace names that some formats or programs cannot read by safe ones in the network that is written, and print
        both.
    """
    import credenet

    prior = apply_flags(SMOOTHINGS, smoothing, ess=ess)
    check_output(output)
    check_rename(rename, output, NETWORK_SUFFIXES)
    structure = load_structure(graph)
    table = read_data(data, options, n_threads=n_threads)
    if isinstance(structure, credenet.BayesianNetwork):
        table = _with_states_of(structure, table)
        structure = structure.dag
    elif isinstance(structure, credenet.PDAG):
        structure = structure.extension()
    empty = credenet.fit(table.take(slice(1)), credenet.DAG(table.variables))
    check_output(output, lambda path: empty.save(path, rename=rename))
    with progress_bar("fitting") as on_progress:
        network = credenet.fit(table, structure, smoothing=prior, n_threads=n_threads, on_progress=on_progress)
    write_output(output, lambda path: network.save(path, rename=rename))
    names = safe_names_of(network, rename)
    log_likelihood = network.log_likelihood(table, n_threads=n_threads)
    described = {
        "log_likelihood": log_likelihood,
        "rows": len(table),
        "parameters": network.n_parameters,
        "output": None if output is None else str(output),
        **described_names(names),
    }
    text = f"log-likelihood {log_likelihood:.6f} of {len(table)} rows, {network.n_parameters} parameters"
    text += "" if names is None else f"\n{list_names(names)}"
    print_answer(json, lambda: described, text)


def _with_states_of(network: BayesianNetwork, data: Dataset) -> Dataset:
    """The data with the states of a network, for variables whose labels are all states of the network."""
    from credenet.data.states import state_positions

    states = {
        name: network.states[name]
        if name in network.states and None not in state_positions(labels, network.states[name])
        else labels
        for name, labels in data.states.items()
    }
    return data.aligned(states)
