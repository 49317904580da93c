"""``credenet example``: a textbook network, or rows drawn from it, to try the other verbs on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from credenet._files.suffixes import DATA_SUFFIXES, NETWORK_SUFFIXES
from credenet.cli.answers import print_json
from credenet.cli.arguments.parameters import Json, Output, Seed, WholeOrNone
from credenet.cli.outputs import check_output

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork


def example(
    name: str | None = None,
    *,
    output: Output = None,
    rows: WholeOrNone = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write a textbook network, or rows drawn from one; without a name, list them.

    Parameters
    ----------
    name
        Such as asia; all are listed if none is given.
    output
        The file to write: a network (.bif .xmlbif .xdsl .net .dsc .uai .json), or with --rows a table (.csv .tsv .dat
        .parquet); without it, BIF or CSV on standard output.
    rows
        Draw this many rows instead of writing the network.
    seed
        The seed of the rows; fresh draws one and tells it.
    """
    from credenet._arguments import choice
    from credenet._text import count
    from credenet.networks.examples import textbook

    if name is None:
        _list(json)
        return
    _check_output(output, rows, json)
    network: BayesianNetwork = getattr(textbook, choice("name", name, textbook.__all__))()
    if rows is not None:
        data = network.sample(rows, seed=seed)
        if output is None:
            sys.stdout.write(data.to_polars().write_csv())
        else:
            data.save(output)
    elif output is None:
        from credenet.io.networks.bif import render

        sys.stdout.write(render(network, "standard output"))
    else:
        network.save(output)
    if json:
        print_json({"name": name, "output": str(output), "rows": rows, "variables": list(network.variables)})
    elif output is not None:
        sizes = "" if rows is None else f"{count(rows, 'row')} of "
        print(f"{sizes}{count(len(network.variables), 'variable')} written to {output}")


def _list(json: bool) -> None:
    from credenet.networks.examples import textbook

    found = [(name, getattr(textbook, name)) for name in textbook.__all__]
    described = [(name, make(), (make.__doc__ or "").splitlines()[0]) for name, make in found]
    if json:
        print_json({"examples": {name: list(network.variables) for name, network, _ in described}})
        return
    for name, network, text in described:
        print(f"{name:<11} {len(network.variables)} variables. {text}")


def _check_output(output: Path | None, rows: int | None, json: bool) -> None:
    """Raises an error before the work for a file that could not be written after it."""
    from credenet._files.files import suffix_of
    from credenet.errors import ArgumentError

    if output is None:
        if json:
            raise ArgumentError("--json needs --output, since the example would otherwise go to standard output")
        return
    suffix = suffix_of(output)
    if rows is None and suffix not in NETWORK_SUFFIXES:
        cure = "give --rows for a table of data, or " if suffix in DATA_SUFFIXES else ""
        raise ArgumentError(f"{output} is no network file; {cure}use one of {', '.join(NETWORK_SUFFIXES)}")
    if rows is not None and suffix not in DATA_SUFFIXES:
        raise ArgumentError(f"--rows writes a table; use one of {', '.join(DATA_SUFFIXES)}, got {output.name!r}")
    check_output(output)
