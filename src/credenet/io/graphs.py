"""Graph files: ``.json``, ``A->B`` text, model strings, adjacency matrices in ``.csv``, ``.res``, and network formats.

DOT is written only.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet._advised import check_keywords
from credenet._files.files import SNIFFED_BYTES, read_json, read_text, suffix_of, write_text
from credenet._files.suffixes import GRAPH_TEXT_SUFFIXES, NETWORK_SUFFIXES
from credenet.errors import FormatError, GraphError
from credenet.graphs import DAG, PDAG
from credenet.graphs.arguments import as_graph, edges_by_kind
from credenet.io.networks.dot import render_graph
from credenet.io.networks.formats import load_network
from credenet.io.res import ResFile
from credenet.io.res import render as render_res
from credenet.io.results.kinds import describe_json
from credenet.io.sniffing import looks_like_table

if TYPE_CHECKING:
    from credenet.graphs.arguments import GraphLike


@check_keywords
def load_graph(path: str | Path) -> DAG | PDAG:
    """The graph in a file, or that of a network or a result of `learn` in a file; a PDAG if it has undirected edges.

    In an adjacency matrix a 1 in row A and column B is the edge A -> B, and a 1 in both places A -- B; the first line
    holds the names; the first column may hold them, too.

    Examples
    --------
    >>> import credenet
    >>> credenet.save_graph(credenet.textbook.sprinkler().dag, "sprinkler.txt")
    >>> credenet.load_graph("sprinkler.txt")
    <DAG 4 variables, 4 edges>
    """
    suffix = suffix_of(path)
    try:
        if suffix == ".json":
            return _read_json(path)
        if suffix == ".csv":
            return _read_adjacency(path)
        if suffix == ".res":
            return ResFile.load(path).graph
        if suffix in NETWORK_SUFFIXES:
            return load_network(path).dag
        if suffix in GRAPH_TEXT_SUFFIXES or not suffix:
            return _read_text(path)
    except GraphError as error:
        raise FormatError(str(error), path=path) from None
    known = ", ".join([*GRAPH_TEXT_SUFFIXES, ".csv", ".res", *NETWORK_SUFFIXES])
    raise FormatError(f"{suffix} is not a graph format; use one of {known}", path=path)


@check_keywords
def save_graph(graph: GraphLike, path: str | Path) -> None:
    """Writes a graph as ``.json``, ``A->B`` text, adjacency matrix (``.csv``), DOT or, if it is a DAG, ``.res``.

    Examples
    --------
    >>> from pathlib import Path
    >>> import credenet
    >>> credenet.save_graph(credenet.DAG.parse("rain -> grass"), "grass.txt")
    >>> print(Path("grass.txt").read_text().strip())
    rain -> grass
    """
    graph = as_graph(graph)
    suffix = suffix_of(path)
    if suffix == ".json":
        text = json.dumps({**graph_dict(graph), **_ordered_parents(graph)}, ensure_ascii=False, indent=1) + "\n"
    elif suffix == ".csv":
        text = _adjacency_text(graph, path)
    elif suffix in (".dot", ".gv"):
        text = render_graph(graph, path)
    elif suffix == ".res":
        if not isinstance(graph, DAG):
            raise FormatError("a .res file holds a DAG, this graph has undirected edges", path=path)
        text = render_res(graph, {}, None)
    elif suffix in GRAPH_TEXT_SUFFIXES:
        text = f"{graph}\n"
    elif suffix in NETWORK_SUFFIXES:
        raise FormatError("a graph has no tables to write; fit it to data first", path=path)
    else:
        raise FormatError(
            f"a graph can be written as .json, .csv, .res, .dot or {', '.join(GRAPH_TEXT_SUFFIXES)}", path=path
        )
    write_text(path, text)


def graph_dict(graph: DAG | PDAG) -> dict[str, Any]:
    """A graph as plain lists, the form of its JSON file."""
    directed, undirected = edges_by_kind(graph)
    return {
        "format": "credenet graph",
        "variables": list(graph.variables),
        "edges": [list(edge) for edge in directed],
        "undirected": [list(edge) for edge in undirected],
    }


def _ordered_parents(graph: DAG | PDAG) -> dict[str, Any]:
    """The parents of the variables for which a DAG keeps another order than that of its variables."""
    if not isinstance(graph, DAG):
        return {}
    places = {name: place for place, name in enumerate(graph.variables)}
    families = {name: graph.parents(name) for name in graph.variables}
    ordered = {
        name: list(each) for name, each in families.items() if list(each) != sorted(each, key=places.__getitem__)
    }
    return {"parents": ordered} if ordered else {}


def _with_order(graph: DAG | PDAG, ordered: object, path: str | Path) -> DAG | PDAG:
    """The same graph, whose variables have their parents in the order that a file gives."""
    if ordered is None:
        return graph
    families = {name: graph.parents(name) for name in graph.variables} if isinstance(graph, DAG) else {}
    given: dict[str, Any] = ordered if isinstance(ordered, dict) else {"": None}
    for name, each in given.items():
        names = each if isinstance(each, list) and all(isinstance(one, str) for one in each) else None
        if name not in families or names is None or sorted(names) != sorted(families[name]):
            raise FormatError('"parents" must give the parents of variables, as the edges do, in an order', path=path)
    return DAG.from_parents({**families, **given})


def _simplest(graph: PDAG) -> DAG | PDAG:
    return graph if graph.undirected else DAG(graph.variables, graph.directed)


def _read_text(path: str | Path) -> DAG | PDAG:
    text = read_text(path)
    if looks_like_table(text[:SNIFFED_BYTES].encode("utf-8", "replace")):
        message = "looks like a table of data, not a graph: write edges as A -> B, or name an adjacency matrix .csv"
        raise FormatError(message, path=path)
    graph = PDAG.parse(text)
    if not len(graph):
        raise FormatError("is empty", path=path)
    return _simplest(graph)


def _read_json(path: str | Path) -> DAG | PDAG:
    contents = read_json(path)
    if isinstance(contents, dict) and contents.get("format") == "credenet network":
        return load_network(path).dag
    if not isinstance(contents, dict) or "edges" not in contents:
        raise FormatError(describe_json(contents, 'must be an object with "variables" and "edges"'), path=path)
    directed = _pairs(contents, "edges", path)
    undirected = _pairs(contents, "undirected", path)
    mentioned = dict.fromkeys(name for edge in (*directed, *undirected) for name in edge)
    for key in ("variables", "isolated"):
        names = contents.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise FormatError(f'"{key}" must be a list of names', path=path)
    variables = contents.get("variables", [*mentioned, *contents.get("isolated", [])])
    return _with_order(_simplest(PDAG(variables, directed, undirected)), contents.get("parents"), path)


def _pairs(contents: dict[str, Any], key: str, path: str | Path) -> list[tuple[str, str]]:
    pairs = contents.get(key, [])
    if not isinstance(pairs, list):
        raise FormatError(f'"{key}" must be a list of pairs of names', path=path)
    result = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise FormatError(f'"{key}" must be a list of pairs of names, but has {pair!r}', path=path)
        result.append((pair[0], pair[1]))
    return result


def _read_adjacency(path: str | Path) -> DAG | PDAG:
    try:
        table = list(csv.reader(read_text(path).split("\n")))
    except csv.Error as error:
        raise FormatError(f"is not a table: {error}", path=path) from None
    rows = [[field.strip() for field in row] for row in table if row]
    if not rows:
        raise FormatError("is empty", path=path)
    header, *body = rows
    named_rows = bool(body) and len(body) == len(header) - 1 and not header[0]
    names = header[1:] if named_rows else header
    if len(body) != len(names):
        raise FormatError(f"an adjacency matrix of {len(names)} names needs as many rows, got {len(body)}", path=path)
    matrix: list[list[int]] = []
    for line, row in enumerate(body, start=2):
        if named_rows and row[0] != names[line - 2]:
            message = f"the row is named {row[0]!r} where the column is {names[line - 2]!r}"
            raise FormatError(message, path=path, line=line)
        cells = row[1:] if named_rows else row
        if len(cells) != len(names) or any(cell not in ("0", "1") for cell in cells):
            raise FormatError(f"must hold {len(names)} zeros and ones", path=path, line=line)
        matrix.append([int(cell) for cell in cells])
    return _simplest(PDAG.from_adjacency(matrix, variables=names))


def _adjacency_text(graph: DAG | PDAG, path: str | Path) -> str:
    index = {name: at for at, name in enumerate(graph.variables)}
    matrix = [["0"] * len(index) for _ in index]
    directed, undirected = edges_by_kind(graph)
    for a, b in directed:
        matrix[index[a]][index[b]] = "1"
    for a, b in undirected:
        matrix[index[a]][index[b]] = matrix[index[b]][index[a]] = "1"
    names = [_csv_field(name, path) for name in graph.variables]
    return "\n".join([",".join(names), *(",".join(row) for row in matrix)]) + "\n"


def _csv_field(name: str, path: str | Path) -> str:
    if name != name.strip() or not name.isprintable():
        raise FormatError(f"an adjacency matrix cannot hold the name {name!r}", path=path)
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name
