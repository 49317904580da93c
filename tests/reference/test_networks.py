"""The networks of the shared data have the sizes that their README gives."""

from __future__ import annotations

import re

import pytest

from credenet import load
from credenet.errors import FormatError
from shared import ROOT, shared_data

ROW = re.compile(r"^\| (\w+)\.bif\.gz \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def listed() -> list[tuple[str, ...]]:
    readme = ROOT / "README.md"
    return ROW.findall(readme.read_text()) if readme.exists() else []


@pytest.mark.parametrize("row", listed(), ids=lambda row: row[0])
def test_sizes(row: tuple[str, ...]) -> None:
    name, *sizes = row
    path = shared_data("networks", f"{name}.bif.gz")
    if name == "carpo":
        with pytest.raises(FormatError, match=r"carpo\.bif\.gz:504: the table of 'N5' gives 3 of 4 parent states"):
            load(path)
        return
    network = load(path)
    found = (
        len(network.variables),
        network.dag.n_edges,
        int(network.n_states.max()),
        network.dag.max_in_degree,
        network.n_parameters,
    )
    assert found == tuple(map(int, sizes))
