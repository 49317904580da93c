"""The registry of formats, and what holds for all of them."""

from __future__ import annotations

import json
import warnings
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from credenet._files.suffixes import NETWORK_SUFFIXES
from credenet.errors import FormatError
from credenet.io.networks.formats import build_network, network_format
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, cannot_hold, check_any_text, check_prefixes, mutated
from network_strategies import ODD_NAMES, asymmetric_network, networks
from shared import network_names, shared_data

NAMED = {"bif": "BIF", "xmlbif": "XMLBIF", "xdsl": "XDSL", "net": "NET", "dsc": "DSC", "json": "JSON"}
READ = [*NAMED, "uai"]
MODULES = {"net": "hugin", "json": "json_network"}
PIECES = {
    "bif": 'network variable probability { } ( ) | ; , [ ] table default property discrete // /* */ ""',
    "xmlbif": "<TABLE> </TABLE> <GIVEN> <FOR> <OUTCOME/> <!-- --> <![CDATA[ ]]> & &amp; &#0; &a; <!DOCTYPE < > </BIF>",
    "xdsl": "<cpt> <state/> <parents> <noisymax id='x'/> <dynamic/> </nodes> & &amp; &#0; <!DOCTYPE < > </smile>",
    "net": 'net node potential { } ( ) | ; = data states model_data % "" utility continuous',
    "dsc": 'belief network node probability { } ( ) | ; , : = [ ] type discrete // /* */ ""',
    "json": '{ } [ ] , : "name" "table" null true NaN -Infinity 1e999 {"a":1,"a":2} "\\ud800" 2',
    "uai": "BAYES MARKOV 0 1 2 3 999999999999999 1e5 .5 -",
}


def module_of(format: str) -> ModuleType:
    return import_module(f"credenet.io.networks.{MODULES.get(format, format)}")


def numbered_network() -> BayesianNetwork:
    """The asymmetric network with names that a UAI file can hold."""
    named = asymmetric_network()
    number = {name: str(at) for at, name in enumerate(named.variables)}
    return BayesianNetwork(
        {number[name]: [str(at) for at in range(len(labels))] for name, labels in named.states.items()},
        {number[name]: [number[parent] for parent in named.parents(name)] for name in named.variables},
        {number[name]: named.table(name) for name in named.variables},
    )


def small_network() -> BayesianNetwork:
    return BayesianNetwork({"1": ["0", "1"], "0": ["0", "1", "2"]}, {"1": ["0"]}, _SMALL_TABLES)


_SMALL_TABLES = {"0": [0.5, 0.25, 0.25], "1": [[0.1, 0.9], [0.75, 0.25], [1.0, 0.0]]}


@pytest.mark.parametrize(("suffix", "format"), NETWORK_SUFFIXES.items())
def test_suffix_names_format(suffix: str, format: str) -> None:
    assert network_format(f"a.b{suffix}") == format
    assert network_format(f"A{suffix.upper()}") == format
    assert network_format(f"a{suffix}.gz") == format


def test_format_overrides_suffix() -> None:
    assert network_format("a.bif", "net") == "net"


def test_unknown_suffix_and_format() -> None:
    with pytest.raises(FormatError, match=r"\.txt is not a network format; use one of \.bif"):
        network_format("a.txt")
    with pytest.raises(FormatError, match="no suffix is not a network format"):
        network_format("a")
    with pytest.raises(FormatError, match=r"format must be one of bif, xmlbif.*got 'xml'"):
        network_format("a.bif", "xml")


@pytest.mark.parametrize("suffix", [suffix for suffix, format in NETWORK_SUFFIXES.items() if format in NAMED])
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_file_round_trip(tmp_path: Path, suffix: str, packed: str) -> None:
    network = asymmetric_network()
    path = tmp_path / f"network{suffix}{packed}"
    network.save(path)
    assert path.read_bytes().startswith(b"\x1f\x8b") == bool(packed)
    assert load(path) == network


def test_format_argument(tmp_path: Path) -> None:
    network = asymmetric_network()
    network.save(tmp_path / "network.txt", format="net")
    assert (tmp_path / "network.txt").read_text().startswith("net")
    assert load(tmp_path / "network.txt", format="net") == network


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    network = asymmetric_network()
    for format in NAMED:
        path = tmp_path / f"network.{format}"
        text = module_of(format).render(network, PATH)
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        assert load(path) == network


def test_dot_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "network.dot"
    asymmetric_network().save(path)
    with pytest.raises(FormatError, match="DOT is a drawing"):
        load(path)


def test_refused_network_leaves_no_file(tmp_path: Path) -> None:
    network = BayesianNetwork({"a b": ["x"]}, {}, {"a b": [1.0]})
    with pytest.raises(FormatError, match="NET cannot hold the name 'a b'"):
        network.save(tmp_path / "network.net")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", network_names() or ["asia"])
def test_shared_network_survives_every_format(name: str) -> None:
    path = shared_data("networks", f"{name}.bif.gz")
    if name == "carpo":
        with pytest.raises(FormatError, match="the table of 'N5' gives 3 of 4 parent states"):
            load(path)
        return
    network = load(path)
    for format in NAMED:
        module = module_of(format)
        assert module.parse(module.render(network, PATH), PATH) == network
    uai = module_of("uai")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        numbered = uai.parse(uai.render(network, PATH), PATH)
    assert numbered.dag.parent_indices == network.dag.parent_indices
    for at, variable in enumerate(network.variables):
        assert np.array_equal(numbered.table(str(at)), network.table(variable))


@pytest.mark.parametrize("format", NAMED)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks())
def test_plain_names_always_fit(format: str, network: BayesianNetwork) -> None:
    module = module_of(format)
    text = module.render(network, PATH)
    assert module.parse(text, PATH) == network


@pytest.mark.parametrize("format", NAMED)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks(ODD_NAMES))
def test_odd_names_survive_or_are_refused(format: str, network: BayesianNetwork) -> None:
    module = module_of(format)
    assert cannot_hold(module, network, NAMED[format]) or read_back(module, network) == network


def read_back(module: ModuleType, network: BayesianNetwork) -> BayesianNetwork:
    text: str = module.render(network, PATH).encode().decode()
    # Reading a file makes \n of every line end.
    again: BayesianNetwork = module.parse(text.replace("\r\n", "\n").replace("\r", "\n"), PATH)
    return again


@pytest.mark.parametrize("format", NAMED)
def test_surrogates_are_refused(format: str) -> None:
    module = module_of(format)
    assert cannot_hold(module, BayesianNetwork({"a": ["x\ud800"]}, {}, {"a": [1.0]}), NAMED[format])
    assert cannot_hold(module, BayesianNetwork({"a\udfff": ["x"]}, {}, {"a\udfff": [1.0]}), NAMED[format])


@pytest.mark.parametrize("format", NAMED)
def test_every_prefix_is_refused(format: str) -> None:
    check_prefixes(module_of(format), small_network() if format != "net" else asymmetric_network())


def test_every_prefix_of_uai_is_refused() -> None:
    check_prefixes(
        module_of("uai"), BayesianNetwork({"0": ["0", "1", "2"], "1": ["0", "1"]}, {"1": ["0"]}, _SMALL_TABLES_UAI)
    )


_SMALL_TABLES_UAI = {"0": [0.5, 0.25, 0.25], "1": [[1.0, 0.0], [0.1, 0.9], [0.75, 0.25]]}


@pytest.mark.parametrize("format", READ)
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_damaged_files_give_format_errors(format: str, data: st.DataObject) -> None:
    module = module_of(format)
    network = asymmetric_network() if format in NAMED else numbered_network()
    text = data.draw(mutated([module.render(network, PATH)], PIECES[format]))
    check_any_text(module, text)


@pytest.mark.parametrize("format", READ)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_text_gives_format_errors(format: str, data: st.DataObject) -> None:
    pieces = st.sampled_from([*PIECES[format].split(), " ", "\n", "0.5", "a", "b"])
    text = data.draw(st.one_of(st.text(), st.lists(pieces, max_size=30).map(" ".join)))
    check_any_text(module_of(format), text)


@pytest.mark.parametrize("format", READ)
@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\x00", "\ud800", "{" * 100_000, "[" * 100_000, "(" * 100_000, "<a>" * 100_000]
)
def test_hopeless_texts(format: str, text: str) -> None:
    with pytest.raises(FormatError) as caught:
        module_of(format).parse(text, PATH)
    assert caught.value.line is not None


@pytest.mark.parametrize(
    "blanks", [" " * 100_000, "\n" * 100_000, "a " * 50_000, '"' * 100_000, ", " * 50_000, "a" * 100_000]
)
@pytest.mark.parametrize("format", READ)
def test_long_runs_take_no_long_time(format: str, blanks: str) -> None:
    text = module_of(format).render(asymmetric_network() if format in NAMED else numbered_network(), PATH)
    for place in (0, len(text) // 5, text.index("0."), len(text) // 2, len(text)):
        check_any_text(module_of(format), text[:place] + blanks + text[place:])


def many_parents(format: str, n_parents: int, n_states: int) -> str:
    """A file in which a variable has a table that is far too large to be there."""
    names = [f"p{at}" for at in range(n_parents)]
    labels = [f"s{at}" for at in range(n_states)]
    numbers = " ".join(["1", *"0" * (n_states - 1)])
    if format == "bif":
        variables = "".join(
            f"variable {n} {{ type discrete [ {n_states} ] {{ {', '.join(labels)} }}; }}\n" for n in [*names, "c"]
        )
        roots = "".join(f"probability ( {n} ) {{ default {', '.join(['0.5'] * n_states)}; }}\n" for n in names)
        return (
            f"{variables}{roots}probability ( c | {', '.join(names)} ) {{ default {', '.join(['0.5'] * n_states)}; }}\n"
        )
    if format == "xmlbif":
        outcomes = "".join(f"<OUTCOME>{label}</OUTCOME>" for label in labels)
        variables = "".join(f"<VARIABLE><NAME>{n}</NAME>{outcomes}</VARIABLE>\n" for n in [*names, "c"])
        given = "".join(f"<GIVEN>{n}</GIVEN>" for n in names)
        roots = "".join(f"<DEFINITION><FOR>{n}</FOR><TABLE>{numbers}</TABLE></DEFINITION>\n" for n in names)
        child = f"<DEFINITION><FOR>c</FOR>{given}<TABLE>1</TABLE></DEFINITION>"
        return f"<BIF><NETWORK>{variables}{roots}{child}</NETWORK></BIF>"
    if format == "xdsl":
        states = "".join(f'<state id="{label}"/>' for label in labels)
        roots = "".join(f'<cpt id="{n}">{states}<probabilities>{numbers}</probabilities></cpt>\n' for n in names)
        child = f'<cpt id="c">{states}<parents>{" ".join(names)}</parents><probabilities>1</probabilities></cpt>'
        return f"<smile><nodes>{roots}{child}</nodes></smile>"
    if format == "net":
        nodes = "".join(f"node {n} {{ states = ({' '.join(labels)}); }}\n" for n in [*names, "c"])
        roots = "".join(f"potential ({n}) {{ data = ({numbers}); }}\n" for n in names)
        return f"net {{ }}\n{nodes}{roots}potential (c | {' '.join(names)}) {{ data = (1); }}\n"
    if format == "dsc":
        listed = ", ".join(labels)
        nodes = "".join(f"node {n} {{ type : discrete [ {n_states} ] = {{ {listed} }}; }}\n" for n in [*names, "c"])
        index = ", ".join("0" * n_parents)
        roots = "".join(f"probability ( {n} ) {{ {numbers}; }}\n" for n in names)
        return (
            f'belief network "x"\n{nodes}{roots}probability ( c | {", ".join(names)} ) {{ ({index}) : {numbers}; }}\n'
        )
    if format == "json":
        table: list[object] = [1, *[0] * (n_states - 1)]
        fields: list[dict[str, object]] = [
            {"name": name, "states": labels, "parents": [], "table": table} for name in names
        ]
        for _ in names[:100]:
            table = [table]
        fields.append({"name": "c", "states": labels, "parents": names[:100], "table": table})
        return json.dumps({"format": "credenet network", "version": 1, "variables": fields})
    sizes = " ".join([str(n_states)] * (n_parents + 1))
    scopes = "".join(f"1 {at}\n" for at in range(n_parents))
    scope = " ".join(map(str, range(n_parents + 1)))
    tables = f"{n_states} {numbers}\n" * n_parents
    return (
        f"BAYES\n{n_parents + 1}\n{sizes}\n{n_parents + 1}\n{scopes}{n_parents + 1} {scope}\n{tables}1000000000000\n1\n"
    )


@pytest.mark.parametrize("format", READ)
@pytest.mark.parametrize("n_parents", [40, 5000])
def test_absurd_tables_are_refused_before_they_are_made(format: str, n_parents: int) -> None:
    with pytest.raises(FormatError, match=r"more than 10\^15") as caught:
        module_of(format).parse(many_parents(format, n_parents, 3), PATH)
    assert caught.value.line is not None


@pytest.mark.parametrize("format", READ)
def test_too_many_parents_for_an_array(format: str) -> None:
    text = many_parents(format, 70, 1).replace("default 0.5", "default 1").replace("1000000000000", "1")
    with pytest.raises(FormatError, match="has 70 parents; at most 63 can be held"):
        module_of(format).parse(text, PATH)


def test_build_network_names_the_line() -> None:
    states = {"a": ["x", "y"], "b": ["x", "y"]}
    even = [0.5, 0.5]

    def line(parents: dict[str, list[str]], tables: dict[str, object], message: str) -> int | None:
        with pytest.raises(FormatError, match=message) as caught:
            build_network("file", states, parents, tables, {"a": 3, "b": 5})
        return caught.value.line

    assert line({}, {"a": even, "b": [0.5, 0.6]}, "add up to 1.1") == 5
    assert line({}, {"a": even}, "no probability table") == 5
    assert line({"b": ["a", "a"]}, {"a": even, "b": [even] * 4}, "'b' has a parent twice") == 5
    assert line({"b": ["b"]}, {"a": even, "b": [even] * 2}, "'b' is its own parent") == 5
    assert line({"a": ["b"], "b": ["a"]}, {"a": [even] * 2, "b": [even] * 2}, "cycle") == 3
