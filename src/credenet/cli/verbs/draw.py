"""``credenet draw``: a picture of a graph or of the structure of a network."""

from __future__ import annotations

from pathlib import Path

from credenet.cli.answers import print_json
from credenet.cli.arguments.parameters import Json, RequiredOutput, SeveralNames, Whole
from credenet.cli.inputs import load_structure
from credenet.cli.outputs import check_output


def draw(
    graph: Path,
    *,
    output: RequiredOutput,
    focus: SeveralNames = None,
    depth: Whole = 2,
    beside: Path | None = None,
    json: Json = False,
) -> None:
    """Draw a graph or the structure of a network.

    Parameters
    ----------
    graph
        A graph file (.json, A->B text, adjacency matrix .csv) or a network file.
    output
        The picture to write: .svg, .png or .pdf (these two need matplotlib), or .dot for Graphviz.
    focus
        Variables: only nodes at most --depth edges away from them are drawn. A dashed border means that a variable has
        neighbours that are not drawn.
    depth
        The largest distance from the focus, in edges.
    beside
        Another graph or network over the same variables, drawn beside the first in the same layout. Edges that
        differ are red; a dotted line is an edge that only the other graph has.
    """
    import credenet
    from credenet._text import count
    from credenet.drawing.graphs import check_suffix
    from credenet.drawing.graphs import draw as drawn
    from credenet.graphs.arguments import as_graph

    try:
        check_suffix(output)
    except ImportError as error:
        raise credenet.errors.ArgumentError(str(error)) from None
    check_output(output)
    first = as_graph(load_structure(graph))
    second = None if beside is None else as_graph(load_structure(beside))
    names = () if beside is None else (graph.name, beside.name)
    picture = drawn(first, output, focus=focus, depth=depth, other=second, titles=names)
    width, height = round(picture.width), round(picture.height)
    if json:
        sizes = {"drawn": picture.n_boxes, "width": width, "height": height}
        print_json({"output": str(output), "variables": len(first), "edges": first.n_edges, **sizes})
        return
    whole = count(len(first), "variable")
    shown = whole if focus is None else f"{picture.n_boxes:,} of {whole}"
    print(f"{shown} drawn to {output} ({width} x {height} pixels)")
