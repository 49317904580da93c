"""What a verb reads: a table of data, families, a network or a graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from credenet._advice import flag
from credenet._files.suffixes import DATA_SUFFIXES, GRAPH_TEXT_SUFFIXES, NETWORK_SUFFIXES
from credenet.cli.answers import print_remarks
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.progress_bar import progress_bar
from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.data.dataset import Dataset
    from credenet.data.states import StateLabels
    from credenet.families.table import FamilyTable
    from credenet.graphs import DAG, PDAG
    from credenet.networks.bayesian import BayesianNetwork


def refuse_flags(flags: Mapping[str, object], what: str) -> None:
    """Refuses flags that have no meaning with ``what``; those that are not given are None."""
    given = [flag(name) for name, value in flags.items() if value is not None]
    if given:
        raise ArgumentError(f"{given[0]} cannot be given with {what}")


def read_data(
    path: Path,
    options: TableFlags,
    *,
    missing: str = "error",
    remarks: bool = True,
    known: StateLabels | None = None,
    n_threads: int | None = None,
) -> Dataset:
    """The table that a verb works on; remarks on it are printed to stderr if wanted.

    A variable with ``known`` states need have no values.
    """
    import credenet
    from credenet.io.blocks.opening import is_block_file

    arguments = options.arguments(missing=missing)
    if known and arguments["states"] == "declared" and not is_block_file(path):
        arguments["states"] = known
    with progress_bar(f"reading {path.name}") as on_progress:
        data = credenet.read(path, **arguments, n_threads=n_threads, on_progress=on_progress)
    if remarks:
        print_remarks(data)
    return data


def read_source(
    path: Path, options: TableFlags, *, n_threads: int | None = None
) -> tuple[Dataset | FamilyTable, Literal["declared", "observed"] | None]:
    """A table of data with the states to count, or a table of families."""
    import credenet
    from credenet.io.families.family_tables import holds_families

    if holds_families(path):
        return credenet.load_families(path), None
    return read_data(path, options, n_threads=n_threads), options.states


def kind_of(path: Path) -> Literal["table", "families", "network", "graph"]:
    """What a file holds, by its suffix, or by its contents if the suffix does not decide it."""
    from credenet._files.files import beginning_of, suffix_of
    from credenet.io.families.family_tables import holds_families
    from credenet.io.networks.json_network import is_network
    from credenet.io.sniffing import looks_like_graph, looks_like_table, sniff_format

    suffix = suffix_of(path)
    if suffix in DATA_SUFFIXES and suffix != ".parquet":
        return "table"
    if suffix == ".json":
        return "network" if is_network(path) else "graph"
    if suffix in NETWORK_SUFFIXES:
        return "network"
    if path.is_file() and holds_families(path):
        return "families"
    if suffix == ".parquet":
        return "table"
    beginning = beginning_of(path)
    if sniff_format(beginning):
        return "network"
    if suffix in GRAPH_TEXT_SUFFIXES:
        return "table" if looks_like_table(beginning) else "graph"
    return "graph" if not suffix and looks_like_graph(beginning) else "table"


def load_structure(path: Path) -> BayesianNetwork | DAG | PDAG:
    """The network or the graph in a file; a file with the suffix of a table is read as an adjacency matrix."""
    import credenet

    return credenet.load(path) if kind_of(path) == "network" else credenet.load_graph(path)
