"""Whatever has `save` is read back and answers the same; a file of another kind is named with its reader."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
import test_copies as copies
from credenet.errors import ArgumentError, FormatError
from credenet.priors import Expert
from credenet.scores import BDe
from credenet.types import EdgeConfidence, IntersectionValidation
from public import public_classes
from test_copies import answers, data, network


@cache
def cut_data() -> credenet.Dataset:
    rng = np.random.default_rng(1)
    columns = {"x": rng.normal(size=60), "y": rng.choice(["a", "b"], size=60), "z": rng.integers(0, 3, size=60)}
    return credenet.Dataset.from_frame(pl.DataFrame(columns), discretize={"x": "frequency:3"})


Example = tuple[Callable[[], Any], str, Callable[[Path], Any]]
EXAMPLES: dict[str, Example] = {
    "network": (network, "a.json", credenet.load),
    "network in BIF": (network, "a.bif", credenet.load),
    "learned": (copies.learned, "a.json", credenet.LearnResult.load),
    "learned, packed": (copies.learned, "a.json.gz", credenet.LearnResult.load),
    "bounded": (copies.bounded, "a.json", credenet.LearnResult.load),
    "learned by tests": (lambda: credenet.learn(data(), method="pc"), "a.json", credenet.LearnResult.load),
    "learned with all settings": (lambda: learned_with_settings(), "a.json", credenet.LearnResult.load),
    "credible": (lambda: copies.with_share(copies.credible()), "a.json", credenet.CredibleSet.load),
    "k best": (lambda: copies.with_share(credenet.k_best(data(), 3)), "a.json.gz", credenet.CredibleSet.load),
    "classes": (lambda: copies.credible().classes, "a.json", credenet.CredibleClasses.load),
    "credible classes": (
        lambda: copies.with_share(credenet.credible_classes(data(), bayes_factor=5)),
        "a.json",
        credenet.CredibleClasses.load,
    ),
    "posterior": (copies.posterior, "a.json", credenet.StructurePosterior.load),
    "posterior by orders": (
        lambda: credenet.posterior(data(), method="order"),
        "a.json",
        credenet.StructurePosterior.load,
    ),
    "posterior of families": (
        lambda: credenet.posterior(copies.families()),
        "a.json",
        credenet.StructurePosterior.load,
    ),
    "sampled posterior": (copies.sampled_posterior, "a.json", credenet.StructurePosterior.load),
    "effects": (copies.effects, "a.json", credenet.Effects.load),
    "effects by parents": (
        lambda: credenet.effects(network().dag.cpdag(), "smoke", data=data(), adjust="parents"),
        "a.json",
        credenet.Effects.load,
    ),
    "effects in a network": (lambda: network().effects("smoke"), "a.json", credenet.Effects.load),
    "bootstrap": (copies.bootstrapped, "a.json", EdgeConfidence.load),
    "validation": (copies.validated, "a.json", IntersectionValidation.load),
    "knowledge": (lambda: credenet.Knowledge(tiers=[["asia"], ["smoke"]]), "a.json", credenet.Knowledge.load),
    "families": (copies.families, "a.parquet", credenet.load_families),
    "families in text": (copies.families, "a.jkl", credenet.load_families),
    "data": (data, "a.parquet", credenet.read),
    "data with cuts": (cut_data, "a.parquet", credenet.read),
    "data with cuts in blocks": (cut_data, "a.cnb", credenet.read),
}
WITHOUT = {"Picture"}  # A drawing cannot be read back.


def nothing() -> credenet.CredibleSet:
    table = credenet.FamilyTable.from_lists({"a": [(-1.0, ["b"])], "b": [(-1.0, ["a"])]})
    return credenet.credible_networks(table, slack=1.0)


def learned_with_settings() -> credenet.LearnResult:
    rules = credenet.Knowledge(required=[("smoke", "lung")], max_parents={"dysp": 2}, no_parents=["asia"])
    prior = Expert(network().dag, 0.5)
    return credenet.learn(data(), score=BDe(network(), 2.0), prior=prior, knowledge=rules, method="ilp")


@pytest.mark.parametrize("example", EXAMPLES)
def test_round_trip(example: str, tmp_path: Path) -> None:
    make, name, load = EXAMPLES[example]
    thing = make()
    thing.save(tmp_path / name)
    again = load(tmp_path / name)
    if isinstance(thing, credenet.Dataset):
        assert isinstance(again, credenet.Dataset)
        assert dict(again.states) == dict(thing.states)
        assert np.array_equal(again.codes, thing.codes)
        assert dict(again.cuts) == dict(thing.cuts)
        return
    assert type(again) is type(thing)
    if isinstance(thing, credenet.StructurePosterior):
        check_posterior(again, thing)
        return
    assert answers(again) == answers(thing)
    again.save(tmp_path / f"again.{name.partition('.')[2]}")  # A second round trip must work, too.
    assert answers(load(tmp_path / f"again.{name.partition('.')[2]}")) == answers(thing)


def check_posterior(again: credenet.StructurePosterior, thing: credenet.StructurePosterior) -> None:
    """What was found is the same; sums are made again, without families less probable than 1e-12."""
    assert again.to_dict() == thing.to_dict()
    assert again.edge_probabilities() == thing.edge_probabilities()
    assert again.parent_set_probabilities() == thing.parent_set_probabilities()
    assert again.sample(20, seed=4) == thing.sample(20, seed=4)
    for ours, theirs in (
        (again.path_probabilities(), thing.path_probabilities()),
        (again.markov_blanket_probabilities("lung"), thing.markov_blanket_probabilities("lung")),
        (again.markov_blanket_members("lung"), thing.markov_blanket_members("lung")),
    ):
        for key in {*ours, *theirs}:
            assert ours.get(key, 0.0) == pytest.approx(theirs.get(key, 0.0), abs=1e-8)


def test_no_credible_network(tmp_path: Path) -> None:
    none = nothing()
    none.save(tmp_path / "a.json")
    again = credenet.CredibleSet.load(tmp_path / "a.json")
    assert (len(again), again.status, again.to_dict()) == (0, "infeasible", none.to_dict())


def test_every_class_with_save() -> None:
    """A public class that has `save` is among the examples."""
    saved = {name for name, kind in public_classes().items() if hasattr(kind, "save")}
    assert saved - WITHOUT - {"BlockDataset"} == {type(make()).__name__ for make, _, _ in EXAMPLES.values()}


def test_a_loaded_result_is_verified(tmp_path: Path) -> None:
    copies.learned().save(tmp_path / "a.json")
    again = credenet.LearnResult.load(tmp_path / "a.json")
    assert again.proofs
    assert again.verify(data())
    copies.credible().save(tmp_path / "b.json")
    assert credenet.CredibleSet.load(tmp_path / "b.json").verify(data())


def test_the_network_of_a_result(tmp_path: Path) -> None:
    """With data, JSON has the fitted network; without, the result, whose graph is read as one."""
    result = copies.learned()
    result.save(tmp_path / "network.json", data=data())
    assert credenet.load(tmp_path / "network.json") == result.fit(data())
    result.save(tmp_path / "result.json")
    assert credenet.load_graph(tmp_path / "result.json") == result.graph


READERS: dict[str, Callable[[], Any]] = {
    "a result of learn; read it with credenet.LearnResult.load": copies.learned,
    "credible networks; read it with credenet.CredibleSet.load": copies.credible,
    "classes of credible networks; read it with credenet.CredibleClasses.load": lambda: copies.credible().classes,
    "the posterior over networks; read it with credenet.StructurePosterior.load": copies.posterior,
    "effects of interventions; read it with credenet.Effects.load": copies.effects,
    "shares of bootstrap samples; read it with credenet.types.EdgeConfidence.load": copies.bootstrapped,
    "a validation; read it with credenet.types.IntersectionValidation.load": copies.validated,
    "knowledge; read it with credenet.Knowledge.load": lambda: credenet.Knowledge(tiers=[["asia"], ["smoke"]]),
}


@pytest.mark.parametrize("told", READERS)
def test_a_file_of_another_kind_is_named(told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    thing = READERS[told]()
    thing.save(path)
    readers: list[Callable[[Path], Any]] = [credenet.load, credenet.load_families, credenet.read]
    readers += [credenet.LearnResult.load, credenet.Effects.load, credenet.StructurePosterior.load]
    if not isinstance(thing, credenet.LearnResult):
        readers.append(credenet.load_graph)
    if not isinstance(thing, credenet.Knowledge):
        readers.append(credenet.Knowledge.load)
    for reader in [each for each in readers if getattr(each, "__self__", None) is not type(thing)]:
        with pytest.raises(FormatError, match=f"a.json: (is no table of families; )?holds {told}"):
            reader(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.csv", r"a .csv file may hold a table \(credenet.read\) or a graph \(credenet.load_graph\)"),
        ("a.jkl", r"a .jkl file may hold families with scores \(credenet.load_families\)"),
        ("a.txt", r"a .txt file may hold a graph \(credenet.load_graph\)"),
        ("a.parquet", r"a .parquet file may hold a table \(credenet.read\) or families .* \(credenet.load_families\)"),
    ],
)
def test_other_files_are_named(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a -> b\n")
    with pytest.raises(FormatError, match=f"{name}: is no network; {message}"):
        credenet.load(tmp_path / name)
    told = "credenet.LearnResult.load reads the .json file that save writes; other files lack part of what is known"
    with pytest.raises(FormatError, match=f"{name}: {told} of the result; {message}"):
        credenet.LearnResult.load(tmp_path / name)


def test_networks_are_no_other_files(tmp_path: Path) -> None:
    network().save(tmp_path / "a.bif")
    message = r"a .bif file may hold a network \(credenet.load\)"
    loads: list[Callable[[Path], Any]] = [credenet.LearnResult.load, credenet.load_families, credenet.Knowledge.load]
    for load in loads:
        with pytest.raises(FormatError, match=message):
            load(tmp_path / "a.bif")


@pytest.mark.parametrize("text", ['{"a": 1}', "[1, 2]"])
def test_json_of_no_kind_is_not_called_a_network(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(FormatError, match=r"a.json: holds JSON, not a table$"):
        credenet.read(tmp_path / "a.json")
    (tmp_path / "a.other").write_text('{"a": 1}')
    with pytest.raises(FormatError, match=r"a.other: holds JSON, not a table$"):
        credenet.read(tmp_path / "a.other")


@pytest.mark.parametrize("name", ["a", "a.graphml", "a.parquet", "a.jkl"])
@pytest.mark.filterwarnings("ignore:UAI files hold no names")
def test_formats_that_a_result_does_not_have(name: str, tmp_path: Path) -> None:
    """With data or without, the formats that there are; and each of them works."""
    messages = []
    for given in (None, data()):
        with pytest.raises(ArgumentError, match=f"{name}: a result is written as .json, its graph as") as caught:
            copies.learned().save(tmp_path / name, data=given)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    graphs, networks = messages[0].split(", its graph as ")[1].split(", and with data a network as ")
    for suffix in graphs.split():
        copies.learned().save(tmp_path / f"graph{suffix}")
    for suffix in networks.split():
        copies.learned().save(tmp_path / f"network{suffix}", data=data())


def test_tables_of_results_are_no_results(tmp_path: Path) -> None:
    copies.credible().save(tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=r"credenet.CredibleSet.load reads the .json file that save writes"):
        credenet.CredibleSet.load(tmp_path / "a.parquet")


class TestDamage:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        copies.credible().save(tmp_path / "a.json")
        return tmp_path / "a.json"

    def test_a_changed_state(self, path: Path) -> None:
        contents = json.loads(path.read_text())
        contents["state"]["value"]["parts"][0]["fields"]["optimum"] += 1
        path.write_text(json.dumps(contents))
        with pytest.raises(FormatError, match="its checksum does not fit its state"):
            credenet.CredibleSet.load(path)

    def test_the_rest_may_change(self, path: Path) -> None:
        contents = json.loads(path.read_text())
        del contents["networks"]
        path.write_text(json.dumps(contents))
        assert answers(credenet.CredibleSet.load(path)) == answers(copies.credible())

    def test_no_state(self, path: Path) -> None:
        contents = json.loads(path.read_text())
        del contents["state"]
        path.write_text(json.dumps(contents))
        with pytest.raises(FormatError, match="has no state"):
            credenet.CredibleSet.load(path)

    @pytest.mark.parametrize(
        "value",
        [
            {"is": "os:system", "parts": ["true"]},
            {"is": "credenet.cli:main", "parts": []},
            {"is": "credenet.networks.bayesian:load", "parts": ["a.bif"]},
            {"is": "credenet.credible.credible_set:CredibleSet", "parts": [1, 2]},
            {"is": "credenet.settings.scores:BDeu", "fields": {"ess": -1.0}},
            {"is": "credenet.settings.scores:BDeu", "fields": {"ess": 1.0}},
            {"array": "O", "shape": [1], "order": "C", "data": "AAAA"},
            {"strange": 1},
            {},
            [],
            None,
        ],
    )
    def test_a_state_that_says_something_else(self, path: Path, value: Any) -> None:
        """A file with a checksum that fits is not trusted: classes of records only, made with their checks."""
        from credenet.io.results.files import _checksum

        contents = json.loads(path.read_text())
        contents["state"] = {"version": "0.1.0", "checksum": _checksum(value), "value": value}
        path.write_text(json.dumps(contents))
        with pytest.raises(FormatError, match=r"cannot read|of another object"):
            credenet.CredibleSet.load(path)

    def test_families_that_a_table_does_not_have(self, path: Path) -> None:
        from credenet.io.results.codec import encode
        from credenet.io.results.files import _checksum

        contents = json.loads(path.read_text())
        value = contents["state"]["value"]
        component = value["parts"][1]["parts"][0][0]["fields"]
        component["starts"] = encode(np.full(component["starts"]["shape"], 10**6))
        contents["state"]["checksum"] = _checksum(value)
        path.write_text(json.dumps(contents))
        with pytest.raises(FormatError, match="a family that its table does not have"):
            credenet.CredibleSet.load(path)


def test_loaders_are_documented() -> None:
    loaders = [inspect.getattr_static(kind, "load", None) for kind in public_classes().values()]
    assert all(load.__func__.__doc__ for load in loaders if isinstance(load, classmethod))
