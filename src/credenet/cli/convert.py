"""``credenet convert``: the same network, graph or table in another format."""

from __future__ import annotations

from pathlib import Path

from credenet.cli.options import DataOptions, Json, is_model, print_json, read_data


def convert(source: Path, target: Path, *, json: Json = False, options: DataOptions | None = None) -> None:
    """Write a network, a graph or a table in another format; the suffixes say which.

    A network can also be written as a graph (.txt, .csv adjacency matrix, .dot), which keeps its structure only.

    Parameters
    ----------
    source
        The file to read.
    target
        The file to write.
    json
        Print one JSON object instead of text.
    """
    import credenet
    from credenet.io.files import suffix_of
    from credenet.io.suffixes import DATA_SUFFIXES, GRAPH_TEXT_SUFFIXES, NETWORK_SUFFIXES

    wanted = suffix_of(target)
    if is_model(source) and suffix_of(source) != ".json":
        network = credenet.load(source)
        if wanted in NETWORK_SUFFIXES:
            network.save(target)
        else:
            credenet.save_graph(network.dag, target)
    elif suffix_of(source) == ".json":
        _convert_json(source, target)
    elif suffix_of(source) in DATA_SUFFIXES and wanted in DATA_SUFFIXES and wanted not in GRAPH_TEXT_SUFFIXES:
        read_data(source, options, missing="keep").save(target)
    else:
        credenet.save_graph(credenet.load_graph(source), target)
    if json:
        print_json({"format": wanted.removeprefix("."), "output": str(target)})
    else:
        print(f"written to {target}")


def _convert_json(source: Path, target: Path) -> None:
    """JSON may hold a network or a graph."""
    import credenet
    from credenet.io.files import suffix_of
    from credenet.io.json_network import is_network
    from credenet.io.suffixes import NETWORK_SUFFIXES

    if is_network(source) and suffix_of(target) in NETWORK_SUFFIXES:
        credenet.load(source).save(target)
    else:
        credenet.save_graph(credenet.load_graph(source), target)
