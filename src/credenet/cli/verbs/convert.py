"""``credenet convert``: the same network, graph or table in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from credenet.cli.answers import print_json, print_remarks
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.arguments.parameters import Json
from credenet.cli.arguments.renaming import Rename, check_rename, described_names, list_names, safe_names_of
from credenet.cli.inputs import kind_of, load_structure, read_data
from credenet.cli.outputs import check_output, write_output
from credenet.cli.overwriting import WRITTEN


def convert(
    source: Path,
    target: Annotated[Path, WRITTEN],
    *,
    rename: Rename = None,
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
    names = None
    check_rename(rename, target, NETWORK_SUFFIXES, has_tables=kind_of(source) == "network")
    if kind_of(source) == "table" and wanted in DATA_SUFFIXES:
        data = read_data(source, options, missing="keep", remarks=False)
        write_output(target, data.save)
        print_remarks(data, of_reading=True)
    elif kind_of(source) == "table" and wanted in only_networks:
        raise credenet.errors.ArgumentError(f"{source} is a table; to make a network of it, fit one: credenet fit")
    else:
        structure = load_structure(source)
        if isinstance(structure, credenet.BayesianNetwork) and wanted in NETWORK_SUFFIXES:
            names = safe_names_of(structure, rename)
            write_output(target, lambda path: structure.save(path, rename=rename))
        else:
            graph = structure.dag if isinstance(structure, credenet.BayesianNetwork) else structure
            write_output(target, lambda path: credenet.save_graph(graph, path))
    if json:
        print_json({"format": wanted.removeprefix("."), "output": str(target), **described_names(names)})
    elif names is not None:
        print(list_names(names))
