"""``credenet info``: a table or a model at a glance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credenet.cli.options import DataOptions, Json, is_model, print_json, read_data

if TYPE_CHECKING:
    from credenet.data_info import DatasetInfo
    from credenet.network import BayesianNetwork


def info(input: Path, *, json: Json = False, options: DataOptions | None = None) -> None:
    """Show what is in a table of data or in a network file.

    Parameters
    ----------
    input
        A table (.csv .tsv .dat .data .parquet) or a network (.bif .xmlbif .xdsl .net .dsc .uai .json); .gz of these.
    json
        Print one JSON object instead of text.
    """
    if is_model(input):
        import credenet

        _show_model(credenet.load(input), json=json)
    else:
        _show_data(read_data(input, options, missing="keep").info(), json=json)


def _show_model(network: BayesianNetwork, *, json: bool) -> None:
    result = {
        "variables": list(network.variables),
        "arcs": network.dag.n_edges,
        "parameters": network.n_parameters,
        "max_in_degree": network.dag.max_in_degree,
        "states": {name: list(labels) for name, labels in network.states.items()},
    }
    if json:
        print_json(result)
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(
        f"{len(network.variables)} variables, {network.dag.n_edges} arcs, {network.n_parameters} parameters, "
        f"at most {network.dag.max_in_degree} parents"
    )
    table = Table("variable", "states", "parents", box=None, pad_edge=False)
    for name, labels in network.states.items():
        table.add_row(_plain(name), _plain(_listing(labels)), _plain(", ".join(network.parents(name))))
    console.print(table)


def _show_data(summary: DatasetInfo, *, json: bool) -> None:
    if json:
        print_json(summary.to_dict())
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    weight = "" if summary.total_weight is None else f", total weight {summary.total_weight:g}"
    console.print(f"{summary.rows} rows, {len(summary.variables)} variables{weight}, {_size(summary.bytes)} in memory")
    table = Table("variable", "states", "labels", "missing", "", box=None, pad_edge=False)
    for name, labels in summary.states.items():
        unobserved = sum(1 for count in summary.counts[name] if count == 0)
        remarks = [
            *(["constant"] if name in summary.constant else []),
            *([f"{unobserved} never observed"] if unobserved else []),
        ]
        missing = summary.missing.get(name, 0)
        table.add_row(
            _plain(name),
            str(len(labels)),
            _plain(_listing(labels)),
            str(missing) if missing else "",
            ", ".join(remarks),
        )
    console.print(table)
    for group in summary.duplicates:
        console.print(f"equal columns: {', '.join(group)}", markup=False)


def _listing(labels: tuple[str, ...], most: int = 8) -> str:
    shown = ", ".join(labels[:most])
    return shown if len(labels) <= most else f"{shown}, …"


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _size(count: int) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1000  # type: ignore[assignment]
    raise AssertionError
