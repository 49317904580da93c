"""Names that every reader can read, and the readers of names in quotes."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings

import credenet
from commands import credenet_command
from credenet import BayesianNetwork
from credenet.errors import ArgumentError, FormatError
from network_strategies import ODD_NAMES, networks
from other_programs import pgmpy, pyagrum

SAFE = re.compile(r"[A-Za-z0-9_]+")


def odd_network() -> BayesianNetwork:
    return BayesianNetwork(
        states={
            "tumor size": ["<=1.5", "1.5..3", ">3"],
            "tumor.size": ["a b", "a_b", "a,b", "-1"],
            "tumor_size": ["0", "1"],
            "\u00e9t\u00e9": ["\u00e9", "//"],
            "variable": ["table", "x"],
        },
        parents={"tumor_size": ["tumor.size", "tumor size"]},
        tables={
            "tumor size": [0.2, 0.3, 0.5],
            "tumor.size": [0.25, 0.25, 0.125, 0.375],
            "tumor_size": np.linspace(0.05, 0.6, 12)[:, None] * [1, -1] + [0, 1],
            "\u00e9t\u00e9": [0.5, 0.5],
            "variable": [0.125, 0.875],
        },
    )


def test_names() -> None:
    variables, states = odd_network().safe_names()
    assert variables == {
        "tumor size": "tumor_size_2",
        "tumor.size": "tumor_size_3",
        "\u00e9t\u00e9": "ete",
        "variable": "_variable",
    }
    assert states == {
        "tumor size": {"<=1.5": "le_1_5", "1.5..3": "1_5_3", ">3": "gt_3"},
        "tumor.size": {"a b": "a_b_2", "a,b": "a_b_3", "-1": "minus_1"},
        "\u00e9t\u00e9": {"\u00e9": "e", "//": "_"},
        "variable": {"table": "_table"},
    }


@settings(max_examples=80, deadline=None)
@given(network=networks(ODD_NAMES))
def test_the_network_is_otherwise_the_same(network: BayesianNetwork) -> None:
    names = network.safe_names()
    new = {name: names.variables.get(name, name) for name in network.variables}
    assert len(set(new.values())) == len(new)
    for format in ("xdsl", "net", "dsc", "bif", "xmlbif", "json"):
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"network.{format}"
            network.save(path, rename="safe")
            again = credenet.load(path)
        assert again.variables == tuple(new.values())
        assert all(map(SAFE.fullmatch, map(str, chain(again.variables, *again.states.values()))))
        for name, labels in network.states.items():
            renamed = names.states.get(name, {})
            assert again.states[new[name]] == tuple(renamed.get(str(label), label) for label in labels)
            assert again.parents(new[name]) == tuple(new[parent] for parent in network.parents(name))
            assert np.array_equal(again.table(new[name]), network.table(name))


def test_safe_names_stay() -> None:
    asia = credenet.textbook.asia()
    assert asia.safe_names() == ({}, {})


def by_pyagrum(path: Path) -> dict[str, list[str]]:
    model = pyagrum.loadBN(str(path))
    return {name: list(model.variable(name).labels()) for name in model.names()}


def by_pgmpy(path: Path) -> dict[str, list[str]]:
    model = pgmpy.readwrite.BIFReader(str(path)).get_model()
    return {name: list(model.get_cpds(name).state_names[name]) for name in model.nodes()}


def reads(reader: Callable[[Path], dict[str, list[str]]], network: BayesianNetwork, path: Path) -> bool:
    """Whether a program reads the file of a network with all its names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.save(path)
        try:
            return reader(path) == {name: list(labels) for name, labels in network.states.items()}
        except Exception:
            return False


@pytest.mark.parametrize(
    ("variable", "state", "pyagrum_reads", "pgmpy_reads"),
    [
        ("a", "x", True, True),
        ("a.b", "x", True, True),
        ("a", "x-y", True, True),
        ("a b", "x", False, False),
        ("a", "x y", False, True),
        ("a", "x,y", False, False),
        ("a|b", "x", False, False),
    ],
)
def test_readers_of_quotes(
    variable: str, state: str, pyagrum_reads: bool, pgmpy_reads: bool, tmp_path: Path, capfd: object
) -> None:
    """What the warning says of other programs is what they do; we read all names."""
    network = BayesianNetwork({variable: [state, "other"]}, {}, {variable: [0.25, 0.75]})
    path = tmp_path / "network.bif"
    assert reads(by_pyagrum, network, path) is pyagrum_reads
    assert reads(by_pgmpy, network, path) is pgmpy_reads
    assert credenet.load(path) == network
    needs_quotes = '"' in path.read_text()
    assert needs_quotes is (not pyagrum_reads)
    with warnings.catch_warnings(record=True) as got:
        warnings.simplefilter("always")
        network.save(path)
    told = "pyAgrum cannot read names in quotes, pgmpy no variables in quotes"
    assert [(each.filename, told in str(each.message)) for each in got] == [(__file__, True)] * needs_quotes


def test_readers_of_safe_names(tmp_path: Path) -> None:
    path = tmp_path / "network.bif"
    odd_network().save(path, rename="safe")
    expected = {name: list(labels) for name, labels in credenet.load(path).states.items()}
    assert '"' not in path.read_text()
    assert by_pyagrum(path) == expected
    assert by_pgmpy(path) == expected


def test_errors_name_the_cure(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"NET cannot hold the name 'tumor size' .*; rename='safe' replaces such names"
    ):
        odd_network().save(tmp_path / "a.net")
    with pytest.raises(ArgumentError, match="rename must be 'safe' or None, got 'yes'"):
        odd_network().save(tmp_path / "a.net", rename="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("verb", ["learn", "fit"])
def test_verbs_that_fit_a_network(verb: str, tmp_path: Path) -> None:
    """The cure that the error names is a flag of the verb that was called."""
    (tmp_path / "t.csv").write_text("tumor size,node\n<=1.5,x y\n>1.5,z\n<=1.5,x y\n>1.5,z\n")
    credenet.save_graph(credenet.DAG(["tumor size", "node"]), tmp_path / "g.json")
    command = [verb, "t.csv", *(["--graph", "g.json"] if verb == "fit" else []), "-o", "t.net"]
    refused = credenet_command(*command, cwd=tmp_path)
    assert refused.returncode == 1
    cure = re.search(r"; (--rename safe) replaces such names", refused.stderr)
    assert cure is not None
    done = credenet_command(*command, *cure[1].split(), cwd=tmp_path)
    assert done.returncode == 0
    assert "variable 'tumor size' -> tumor_size\n" in done.stdout
    assert credenet.load(tmp_path / "t.net").states["tumor_size"] == ("le_1_5", "gt_1_5")
    told = credenet_command(*command, "--rename", "safe", "--json", cwd=tmp_path)
    assert json.loads(told.stdout)["renamed"]["variables"] == {"tumor size": "tumor_size", "node": "_node"}
    command[-1] = "t.csv2" if verb == "fit" else "t.json"
    refused = credenet_command(*command, "--rename", "safe", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--rename safe goes with a network that is written as a network" in refused.stderr


def test_results_of_learn(tmp_path: Path) -> None:
    data = odd_network().sample(50, seed=1)
    result = credenet.learn(data)
    result.save(tmp_path / "a.net", data=data, rename="safe")
    assert set(credenet.load(tmp_path / "a.net").variables) == {
        odd_network().safe_names().variables.get(name, name) for name in data.variables
    }
    for name, rows in (("a.json", None), ("a.dot", data), ("a.txt", data)):
        with pytest.raises(ArgumentError, match="rename is for a network that is fitted to data"):
            result.save(tmp_path / name, data=rows, rename="safe")


def test_command_line(tmp_path: Path) -> None:
    odd_network().save(tmp_path / "odd.json")
    done = credenet_command("convert", "odd.json", "odd.net", cwd=tmp_path)
    assert done.returncode == 1
    assert "--rename safe replaces such names" in done.stderr
    done = credenet_command("convert", "odd.json", "odd.net", "--rename", "safe", cwd=tmp_path)
    assert done.returncode == 0
    assert "variable 'tumor size' -> tumor_size_2\n" in done.stdout
    assert "state '<=1.5' of 'tumor size' -> le_1_5\n" in done.stdout
    done = credenet_command("convert", "odd.json", "odd.xdsl", "--rename", "safe", "--json", cwd=tmp_path)
    names = odd_network().safe_names()
    assert json.loads(done.stdout)["renamed"] == {"variables": names.variables, "states": names.states}
    done = credenet_command("convert", "odd.json", "odd.bif", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning: BIF has the name 'tumor size' and 3 others in quotes" in done.stderr
    done = credenet_command("convert", "odd.json", "odd.csv", "--rename", "safe", cwd=tmp_path)
    assert done.returncode == 2
    assert "--rename safe goes with a network that is written as a network" in done.stderr
