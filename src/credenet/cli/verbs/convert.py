"""``credenet convert``: the same network, graph or table in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from credenet.cli.answers import print_json
from credenet.cli.groups import TableFlags
from credenet.cli.inputs import kind_of, load_structure, read_data
from credenet.cli.outputs import check_output, write_output
from credenet.cli.overwriting import WRITTEN
from credenet.cli.parameters import Json

if TYPE_CHECKING:
    from credenet.networks.safe_names import Renaming


def convert(
    source: Path,
    target: Annotated[Path, WRITTEN],
    *,
    rename: Literal["safe"] | None = None,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> None:
    """Write a network, a graph or a table in another format, given by the suffixes.

    A network can also be written as a graph (.txt, .csv adjacency matrix, .dot), which keeps its structure only.

    Parameters
    ----------
    source
        The file to read.
    target
        The file to write.
    rename
        Replace names that some formats or programs cannot read by safe ones, and print both; networks only.
    """
    import credenet
    from credenet._files.files import suffix_of
    from credenet._files.suffixes import DATA_SUFFIXES, NETWORK_SUFFIXES

    check_output(target)
    wanted = suffix_of(target)
    only_networks = NETWORK_SUFFIXES.keys() - {".json", ".dot", ".gv"}
    names: Renaming | None = None
    if rename is not None and (kind_of(source) != "network" or wanted not in NETWORK_SUFFIXES):
        raise credenet.errors.ArgumentError("rename='safe' goes with a network that is written as a network")
    if kind_of(source) == "table" and wanted in DATA_SUFFIXES:
        write_output(target, read_data(source, options, missing="keep", remarks=False).save)
    elif kind_of(source) == "table" and wanted in only_networks:
        raise credenet.errors.ArgumentError(f"{source} is a table; to make a network of it, fit one: credenet fit")
    else:
        structure = load_structure(source)
        if isinstance(structure, credenet.BayesianNetwork) and wanted in NETWORK_SUFFIXES:
            names = None if rename is None else structure.safe_names()
            write_output(target, lambda path: structure.save(path, rename=rename))
        else:
            graph = structure.dag if isinstance(structure, credenet.BayesianNetwork) else structure
            write_output(target, lambda path: credenet.save_graph(graph, path))
    if json:
        renamed = {} if names is None else {"renamed": names._asdict()}
        print_json({"format": wanted.removeprefix("."), "output": str(target), **renamed})
    elif names is not None:
        print(_list_renaming(names))


def _list_renaming(names: Renaming) -> str:
    """A line for each name that was replaced."""
    lines = [f"variable {old!r} -> {new}" for old, new in names.variables.items()]
    for name, states in names.states.items():
        lines += [f"state {old!r} of {name!r} -> {new}" for old, new in states.items()]
    return "\n".join(lines) or "all names are safe"
