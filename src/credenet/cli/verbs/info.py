"""``credenet info``: a table, a model or a graph at a glance."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from credenet.cli.advice import translate_to_shell
from credenet.cli.answers import print_answer
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.arguments.parameters import Json, Switch
from credenet.cli.inputs import kind_of, load_structure, read_data
from credenet.cli.next_commands import print_commands_for_table
from credenet.errors import ArgumentError


def info(
    input: Path | None = None,
    *,
    devices: Switch = False,
    json: Json = False,
    options: TableFlags = TableFlags(),
) -> int:
    """Show what is in a table of data or of families, a network file or a graph file.

    Missing cells are counted and kept unless --missing says otherwise. Of a table that cannot be used as it stands, all
    problems are listed with their cures; the exit code is then 1.

    Parameters
    ----------
    input
        A table (.csv .tsv .dat .data .parquet .cnb), families (.jkl .pss .parquet), a network (.bif .xmlbif .xdsl .net
        .dsc .uai .json) or a graph (.txt .json); .gz of these.
    devices
        Show instead which processors can count.
    """
    if devices == (input is not None):
        raise ArgumentError("info needs a file, or --devices")
    if input is None:
        result, text = _describe_devices()
    elif options.format is not None or kind_of(input) == "table":
        result, text = _describe_table(input, options)
    else:
        result, text = _describe_families(input) if kind_of(input) == "families" else _describe_structure(input)
    print_answer(json, lambda: result, text)
    if result.get("problems"):
        return 1
    if input is not None and "missing" in result and not json:
        print_commands_for_table(input, sys.argv[2:], any(result["missing"].values()))
    return 0


def _describe_devices() -> tuple[dict[str, Any], str]:
    from credenet.placement.devices import devices

    found, reason = devices()
    lines = [*map(str, found), *([] if reason is None else [f"no cuda: {reason}"])]
    return {"devices": [device.to_dict() for device in found], "no_gpu": reason}, "\n".join(lines)


def _describe_table(path: Path, options: TableFlags) -> tuple[dict[str, Any], str]:
    from credenet.errors import DataError, FormatError

    try:
        summary = read_data(path, options, missing="keep", remarks=False).info()
    except (DataError, FormatError) as error:
        from credenet.cli.table_problems import unusable

        unusable_table = unusable(path, options.arguments(missing="keep"), error)
        if unusable_table is None:
            raise
        return unusable_table.to_dict(), str(unusable_table)
    return {**summary.to_dict(), "problems": []}, translate_to_shell(str(summary))


def _describe_families(path: Path) -> tuple[dict[str, Any], str]:
    import credenet

    families = credenet.load_families(path)
    described = {"variables": list(families.variables), "families": len(families), **families.made.to_dict()}
    return described, families.summary()


def _describe_structure(path: Path) -> tuple[dict[str, Any], str]:
    import credenet
    from credenet.graphs.arguments import edges_by_kind

    structure = load_structure(path)
    if isinstance(structure, credenet.BayesianNetwork):
        dag = structure.dag
        return {
            "variables": list(structure.variables),
            "arcs": dag.n_edges,
            "parameters": structure.n_parameters,
            "max_in_degree": dag.max_in_degree,
            "states": {name: list(map(str, labels)) for name, labels in structure.states.items()},
        }, str(structure)
    directed, undirected = edges_by_kind(structure)
    result = {
        "variables": list(structure.variables),
        "arcs": len(directed),
        "undirected": len(undirected),
        "max_in_degree": max(len(structure.parents(name)) for name in structure.variables),
    }
    return result, f"{structure!r}\n{structure}"
