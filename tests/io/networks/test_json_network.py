"""Our JSON form: shape, errors and their lines."""

from __future__ import annotations

import json

import pytest

from credenet.io.networks import json_network
from credenet.networks.bayesian import BayesianNetwork
from format_checks import PATH, check_error
from network_strategies import asymmetric_network

TEXT = """{"format": "credenet network", "version": 1, "comment": [1, {"a": null}],
 "variables": [
  {"name": "rain", "states": ["no", "yes"], "parents": [], "table": [0.8, 0.2]},
  {"name": "grass", "states": ["dry", "wet"], "parents": ["rain"],
   "table": [[0.9, 0.1], [1, 0]]}
 ]
}
"""


def test_parse() -> None:
    network = json_network.parse(TEXT, PATH)
    assert network.variables == ("rain", "grass")
    assert network.table("grass").tolist() == [[0.9, 0.1], [1, 0]]


def test_render_is_what_the_docstring_says() -> None:
    network = asymmetric_network()
    fields = json.loads(json_network.render(network, PATH))
    assert {key: fields[key] for key in ("format", "version")} == {"format": "credenet network", "version": 1}
    assert [variable["name"] for variable in fields["variables"]] == list(network.variables)
    last = fields["variables"][-1]
    assert list(last) == ["name", "states", "parents", "table"]
    assert last["parents"] == list(network.parents("d"))
    assert last["table"] == network.table("d").tolist()


def test_odd_names_are_readable() -> None:
    network = BayesianNetwork({'\u00e9"\n\x00': ["\U0001f600"]}, {}, {'\u00e9"\n\x00': [1.0]})
    text = json_network.render(network, PATH)
    assert "\u00e9" in text
    assert "\U0001f600" in text
    assert json_network.parse(text, PATH) == network


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ('"credenet network"', '"other"', 'expected "format": "credenet network"', 1),
        ('"format"', '"form"', 'expected "format": "credenet network"', 1),
        ('"version": 1', '"version": 2', 'expected "version": 1', 1),
        ('"version": 1', '"version": true', 'expected "version": 1', 1),
        ('"version": 1', '"version": 1, "version": 1', "the key 'version' is given twice", 1),
        ('"version": 1', '"version": NaN', "NaN is not a JSON number", 1),
        ('"version": 1', '"version": ' + "1" * 5000, "too many digits", 1),
        ('"version": 1', '"version": ' + "[" * 100_000, "nested too deep", 1),
        ('"version": 1', "1: 1", "expected a key between double quotes", 1),
        ('{"a": null}', '{"a": 1, "a": 2}', "a key is given twice in an object", 1),
        ('"variables": [', '"variables": 3, "x": [', "variables must be a list", 2),
        ('"name": "rain", ', "", "a variable must have a name", 3),
        ('"name": "rain"', '"name": 1', "the name of a variable must be text", 3),
        ('"name": "grass"', '"name": "rain"', "variable 'rain' is declared twice", 4),
        ('"states": ["no", "yes"]', '"states": "no"', "the states of 'rain' must be a list of texts", 3),
        ('"states": ["no", "yes"]', '"states": [0, "yes"]', "the states of 'rain' must be a list of", 3),
        ('"states": ["no", "yes"]', '"states": []', "variable 'rain' lists no states", 3),
        ('["rain"]', '["snow"]', "there is no variable 'snow' as a parent of 'grass'", 4),
        ('["rain"]', '["grass"]', "variable 'grass' is its own parent", 4),
        ('["rain"]', "null", "the parents of 'grass' must be a list of texts", 4),
        ("[0.8, 0.2]", "[0.8, 0.3]", "the probabilities of 'rain' add up to 1.1, not 1", 3),
        ("[0.8, 0.2]", "[[0.8, 0.2]]", "must hold numbers and be nested 1 deep", 3),
        ("[0.8, 0.2]", "0.8", "must be lists of equal length nested 1 deep", 3),
        ("[0.8, 0.2]", "[true, false]", "must hold numbers", 3),
        ("[0.8, 0.2]", '["0.8", "0.2"]', "must hold numbers", 3),
        ("[0.8, 0.2]", "[1e999, 0]", "entries outside 0..1", 3),
        ("[0.8, 0.2]", "[1" + "0" * 400 + ", 0]", "entries outside 0..1", 3),
        ("[0.8, 0.2]", "[0.8, 0.1, 0.1]", "lists 3 probabilities instead of 2", 3),
        ("[[0.9, 0.1], [1, 0]]", "[[0.9, 0.1], [1]]", "lists of equal length nested 2 deep", 4),
        ("[[0.9, 0.1], [1, 0]]", "[0.9, 0.1, 1, 0]", "lists of equal length nested 2 deep", 4),
        ("[[0.9, 0.1], [1, 0]]", "[[0.9, 0.1], [1, 0]", "is not valid JSON", 5),
        (', "table": [0.8, 0.2]', "", "a variable must have a table", 3),
        (" ]\n}\n", " ]\n} x", "expected the end of the file", 7),
        (" ]\n}\n", " ", "expected ,", 5),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(json_network, TEXT.replace(old, new, 1), message, line)


def test_other_documents() -> None:
    check_error(json_network, "[]", "expected {", 1)
    check_error(json_network, "{}", 'expected "format"', 1)
    check_error(json_network, '{"format": "credenet network",\n"version": 1}', "declares no variable", 2)
    check_error(json_network, '{"format": "credenet network",\n"version": 1, "variables": [3]}', "must be an object", 2)
