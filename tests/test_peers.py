"""Words of other libraries get an error that says what is meant, and what is said works."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import re
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import credenet
from chain_network import DATA, GRAPH, NAMES, NETWORK, write_files
from commands import credenet_command
from credenet import _peers
from credenet._advised import Advised
from credenet._peers import ATTRIBUTES, CHOICES, KEYWORDS, PACKAGE, meant_argument
from credenet.errors import ArgumentError, GraphError
from credenet.settings.inference import INFERENCE_METHODS
from credenet.settings.methods import METHODS
from credenet.settings.scores import SCORES, SMOOTHINGS
from credenet.settings.tests import TESTS
from credenet.types import DataOptions
from public import public_names

OWNERS = {
    "BayesianNetwork": "network",
    "Graph": "graph",
    "LearnResult": "result",
    "Dataset": "data",
    "CredibleSet": "credible",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    return tmp_path


def advice(error: Exception) -> str:
    """What a message says to use."""
    found = re.search(r"; use (.*)$", str(error))
    assert found is not None, error
    return found[1]


@pytest.mark.parametrize("word", PACKAGE)
def test_names_of_the_package(word: str, folder: Path) -> None:
    assert word not in credenet.__all__
    with pytest.raises(AttributeError, match=f"^module 'credenet' has no attribute '{word}'; use ") as caught:
        getattr(credenet, word)
    eval(advice(caught.value), dict(NAMES))


@pytest.mark.parametrize(("owner", "word"), [(owner, word) for owner, words in ATTRIBUTES.items() for word in words])
def test_attributes(owner: str, word: str, folder: Path) -> None:
    thing = NAMES[OWNERS[owner]]
    with pytest.raises(AttributeError) as caught:
        getattr(thing, word)
    assert str(caught.value).startswith(f"{type(thing).__name__!r} object has no attribute {word!r}; use ")
    eval(advice(caught.value), dict(NAMES))
    assert not hasattr(thing, word)


@pytest.mark.parametrize(("owner", "path"), [("network", "network.dag"), ("result", "result.graph")])
def test_attributes_of_the_graph_within(owner: str, path: str, folder: Path) -> None:
    """Those that the graph has under this name, and those that it has under another one."""
    thing = NAMES[owner]
    words = {*ATTRIBUTES["Graph"], *(name for name in dir(credenet.DAG) if not name.startswith("_"))}
    own = {word for word in words if hasattr(thing, word)} | {*ATTRIBUTES[type(thing).__name__]}
    for word in sorted(words - own):
        with pytest.raises(AttributeError) as caught:
            getattr(thing, word)
        meant = advice(caught.value)
        assert path in meant or f"{owner}." in meant or "credenet." in meant
        eval(meant, dict(NAMES))


def test_a_word_that_a_pdag_has_not_gets_no_wrong_advice() -> None:
    pdag = GRAPH.cpdag()
    for word in ATTRIBUTES["Graph"]:
        with pytest.raises(AttributeError) as caught:
            getattr(pdag, word)
        for name in re.findall(r"graph\.(?!txt)(\w+)", str(caught.value)):
            assert hasattr(pdag, name)


@pytest.mark.parametrize(
    ("thing", "name", "meant"),
    [
        (credenet, "lern", "learn"),
        (NETWORK, "edgs", "edges"),
        (GRAPH, "childrn", "children"),
        (DATA, "digst", "digest"),
        (credenet.posterior(DATA), "edge_probabilites", "edge_probabilities"),
        (credenet.Knowledge(), "requird", "required"),
    ],
)
def test_misspelt_names(thing: Any, name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"; did you mean '{meant}'\\?$"):
        getattr(thing, name)


@pytest.mark.parametrize("name", [*OWNERS.values()])
def test_advice_leaves_objects_as_they_are(name: str) -> None:
    thing = NAMES[name]
    assert isinstance(thing, Advised)
    for private in ("__wrapped__", "_nothing", "__array_interface__", "_repr_latex_", "_ipython_display_"):
        assert not hasattr(thing, private)
        with pytest.raises(AttributeError, match=f"has no attribute '{private}'$"):
            getattr(thing, private)
    assert type(pickle.loads(pickle.dumps(thing))) is type(thing)
    assert type(copy.copy(thing)) is type(copy.deepcopy(thing)) is type(thing)


def test_the_error_of_a_property_is_not_hidden() -> None:
    class Failing(Advised):
        @property
        def wrong(self) -> int:
            raise AttributeError("inside")

    with pytest.raises(AttributeError, match=r"^inside$"):
        _ = Failing().wrong


MINIMAL: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (credenet.learn, (DATA,)),
    (credenet.credible_networks, (DATA,)),
    (credenet.fit, (DATA, GRAPH)),
    (credenet.score, (DATA, GRAPH)),
    (credenet.independence_test, (DATA, "x", "y")),
    (credenet.posterior, (DATA,)),
    (credenet.effects, (NETWORK,)),
    (credenet.read, ("data.csv",)),
    (credenet.datasets.asia, ()),
    (credenet.sample_learn_infer, (NETWORK,)),
    (NETWORK.infer, ()),
    (credenet.bootstrap, (DATA,)),
]


def keywords_of(call: Callable[..., Any]) -> set[str]:
    """The arguments of a call, those of `DataOptions` among them."""
    parameters = inspect.signature(call).parameters
    if "options" in parameters and parameters["options"].annotation == "Unpack[DataOptions]":
        return parameters.keys() - {"options"} | DataOptions.__annotations__.keys()
    return set(parameters)


@pytest.mark.parametrize("word", KEYWORDS)
def test_arguments(word: str, folder: Path) -> None:
    """Where a call has the argument that is meant, it is named; with it, the call works."""
    n_named = 0
    for call, given in MINIMAL:
        parameters = keywords_of(call)
        if word in parameters or "options" in parameters or not hasattr(call, "__wrapped__"):
            continue
        with pytest.raises(TypeError, match=f"got an unexpected keyword argument '{word}'; ") as caught:
            call(*given, **{word: 1})
        assert isinstance(caught.value, ArgumentError)
        meant = meant_argument(word, parameters)
        if meant is None:
            continue
        assert advice(caught.value) == meant
        if call is not credenet.read and re.match(r"\w+", meant)[0] in DataOptions.__annotations__:  # type: ignore[index]
            continue  # The advice is that of `read`, to which the file belongs.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(*given, **eval(f"dict({meant})", dict(NAMES)))
        n_named += 1
    other = {"variables=20": lambda **options: credenet.random.dag(**options, max_parents=2)}
    for meant in KEYWORDS[word]:
        if meant in other:
            other[meant](**eval(f"dict({meant})"))
            n_named += 1
        elif meant.startswith("n_samples"):
            credenet.bootstrap(DATA, method="chow_liu", **eval(f"dict({meant})"))
            n_named += 1
        elif meant.startswith("n_rows"):
            NETWORK.sample(**eval(f"dict({meant})"))
            n_named += 1
    assert n_named >= 1


def test_samples_and_arguments_of_classes() -> None:
    with pytest.raises(TypeError, match=r"^sample\(\) got .* 'size'; use n_rows=100$"):
        NETWORK.sample(size=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^from_frame\(\) got .* 'dropna'; use missing='drop'$"):
        credenet.Dataset.from_frame(DATA.to_pandas(), dropna=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^__init__\(\) got .* 'requird'; did you mean 'required'\?$"):
        credenet.Knowledge(requird=[])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^dag\(\) got .* 'n_nodes'; use variables=20$"):
        credenet.random.dag(n_nodes=4)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"; the arguments are data, dag, smoothing"):
        credenet.fit(DATA, GRAPH, zzz=1)  # type: ignore[call-arg]


def test_bootstrap_hands_the_question_on() -> None:
    with pytest.raises(TypeError, match="'whitelist'; use knowledge="):
        credenet.bootstrap(DATA, method="hill_climb", n_samples=2, whitelist=[("x", "y")])


def test_all_public_functions_advise() -> None:
    functions = public_names()
    plain = {
        name
        for name, value in functions.items()
        if inspect.isfunction(value)
        and inspect.signature(value).parameters
        and not hasattr(value, "__wrapped__")
        and all(each.kind is not each.VAR_KEYWORD for each in inspect.signature(value).parameters.values())
    }
    assert plain == set()


def test_signatures_stay_and_functions_travel() -> None:
    parameters = inspect.signature(credenet.learn).parameters
    assert parameters["seed"].default == 0
    assert parameters["seed"].annotation == "int | None"
    assert credenet.learn.__name__ == "learn"
    assert str(credenet.learn.__doc__).startswith("The best network")
    assert pickle.loads(pickle.dumps(credenet.learn)) is credenet.learn
    assert inspect.isfunction(credenet.learn)


KINDS: dict[str, list[tuple[str, ...]]] = {
    "method": [METHODS.names, INFERENCE_METHODS.names],
    "score": [SCORES.names],
    "test": [TESTS.names],
    "smoothing": [SMOOTHINGS.names],
}


@pytest.mark.parametrize(("argument", "word"), [(argument, word) for argument in CHOICES for word in CHOICES[argument]])
def test_choices(argument: str, word: str) -> None:
    meant = CHOICES[argument][word]
    calls: dict[str, list[Callable[[str], Any]]] = {
        "method": [lambda name: credenet.learn(DATA, method=name), lambda name: NETWORK.infer(method=name)],
        "score": [lambda name: credenet.learn(DATA, score=name, max_parents=1)],
        "test": [lambda name: credenet.learn(DATA, method="pc", test=name)],
        "smoothing": [lambda name: credenet.fit(DATA, GRAPH, smoothing=name)],
    }
    said = 0
    for call in [call for names, call in zip(KINDS[argument], calls[argument], strict=True) if meant in names]:
        with pytest.raises(ArgumentError, match=f"; did you mean '{re.escape(meant)}'\\?$"):
            call(word)
        if (argument, meant) != ("method", "exact") or call is calls["method"][1]:
            # In learn the choice "exact" needs a tree-width.
            call(meant)
        said += 1
    assert said >= 1


def test_options_that_are_handed_on_to_learn() -> None:
    """The error names the call that was made, and what that call takes."""
    with pytest.raises(ArgumentError, match=r"^bootstrap\(\) got an unexpected keyword argument 'R'; use n_samples="):
        credenet.bootstrap(DATA, R=3)
    with pytest.raises(ArgumentError, match=r"^bootstrap\(\) got .* 'strange'; the arguments are ") as caught:
        credenet.bootstrap(DATA, strange=3)
    taken = str(caught.value).partition("the arguments are ")[2].split(", ")
    ours, of_learn = (inspect.signature(call).parameters for call in (credenet.bootstrap, credenet.learn))
    assert set(taken) == {*ours, *of_learn, *DataOptions.__annotations__} - {"options"}
    with pytest.raises(ArgumentError, match="learn has no option 'strange'") as caught:
        credenet.validate(DATA, scores=["bic", "aic"], strange=3)
    for name in str(caught.value).partition("it has ")[2].split(", "):
        assert name in set(of_learn) - {"options"}


def test_a_mapping_and_a_text_are_no_lists_of_variables() -> None:
    """The keys of a mapping were taken for variables, and its parents were lost."""
    for kind in (credenet.DAG, credenet.PDAG):
        with pytest.raises(GraphError, match=r"got \{'z': \['x'\]\}; DAG.from_parents takes a mapping$"):
            kind({"z": ["x"]})
        with pytest.raises(GraphError, match=r"got 'x -> z'; parse reads a text$"):
            kind("x -> z")
        assert kind.parse("x -> z").n_edges == 1
    assert credenet.DAG.from_parents({"x": [], "z": ["x"]}).edges == (("x", "z"),)


def test_the_bde_of_bnlearn() -> None:
    with pytest.raises(ArgumentError, match=r"pass BDe\(network\); the bde of bnlearn is 'bdeu' here$"):
        credenet.learn(DATA, score="bde")


@pytest.mark.parametrize(
    "flag", ["required", "whitelist", "blacklist", "tiers", "alpha", "max-indegree", "n-jobs", "iss"]
)
def test_flags(flag: str, folder: Path) -> None:
    refused = credenet_command("learn", "data.csv", f"--{flag}", "3", cwd=folder)
    assert refused.returncode == 2
    shown = " ".join(line.strip("│ ") for line in refused.stderr.splitlines() if line.startswith("│"))
    said = re.fullmatch(rf"Unknown option: --{flag}\. Use (.*?)(?:, a file that has (.*))?\.", shown)
    assert said is not None, shown
    rules = said[2] or '{"format": "credenet knowledge"}'
    (folder / "rules.json").write_text(rules)
    assert json.loads(rules)["format"] == "credenet knowledge"
    done = credenet_command("learn", "data.csv", *shlex.split(said[1]), cwd=folder)
    assert done.returncode == 0, done.stderr


def test_flags_that_are_misspelt_or_unknown(folder: Path) -> None:
    close = credenet_command("learn", "data.csv", "--max-parent", "2", cwd=folder)
    assert "Did you mean --max-parents?" in close.stderr
    assert "Progress is shown" in credenet_command("learn", "data.csv", "--verbose", cwd=folder).stderr
    lost = credenet_command("sample", "network.bif", "--rows", 5, "--whitelist", "a", cwd=folder)
    assert lost.returncode == 2
    assert "--knowledge" not in lost.stderr
    choice = credenet_command("query", "network.bif", "x", "--method", "lw", cwd=folder)
    assert "did you mean 'likelihood_weighting'?" in " ".join(choice.stderr.replace("│", " ").split())


def test_warnings_point_at_the_line_of_the_user(folder: Path) -> None:
    with pytest.warns(UserWarning, match="AIC") as caught:
        credenet.credible_networks(DATA, score="aic")
    with pytest.warns(UserWarning, match="UAI") as also:
        NETWORK.save("n.uai")
    assert {caught[0].filename, also[0].filename} == {__file__}


def test_asking_for_a_name_is_quick() -> None:
    """Duck typing asks for names that are not there."""
    frame = pd.DataFrame({"x": [NETWORK]})
    assert frame["x"][0] is NETWORK
    assert np.array([GRAPH, GRAPH], dtype=object).shape == (2,)
    assert _peers.plain_name("K2-Score ") == "k2score"
