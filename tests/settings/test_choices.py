"""Every choice with settings: its text is read back, its bounds are told, and the shell reaches all of it."""

from __future__ import annotations

import inspect
import json
import math
import subprocess
import sys
from dataclasses import MISSING, fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
import settings_page
from credenet.cli.app import VERBS, run
from credenet.cli.arguments.groups import MethodFlags
from credenet.errors import ArgumentError
from credenet.families.info import FamilyTableInfo, merge_info
from credenet.methods import DP, PC, ARAStar, AStar, BFBnB, ChowLiu
from credenet.priors import DataPrior, Edge, Expert, InDegreeWeights
from credenet.scores import BDe, BDeu, BDs
from credenet.settings.choices import ChoiceKind, Settings
from credenet.settings.inference import INFERENCE_METHODS, SAMPLERS
from credenet.settings.methods import METHODS
from credenet.settings.posterior import POSTERIOR_METHODS
from credenet.settings.priors import PRIORS
from credenet.settings.scores import SCORES, SMOOTHINGS
from credenet.settings.tests import TESTS
from public import public_names

KINDS: list[ChoiceKind[Any]] = [METHODS, SCORES, SMOOTHINGS, PRIORS, TESTS, INFERENCE_METHODS, POSTERIOR_METHODS]
CHOICES: list[tuple[ChoiceKind[Any], type[Settings]]] = [(kind, choice) for kind in KINDS for choice in kind.choices]
ASIA = credenet.textbook.asia()


def ids(value: Any) -> str:
    return value.argument if isinstance(value, ChoiceKind) else value.__name__


LOADED = {"network": ASIA, "dag": ASIA.dag, "start": ASIA.dag}

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1)
VALUES = st.one_of(
    st.sampled_from([None, True, False, "static", "dynamic", "observed", "tabu", "majority", "published", "none", "7"]),
    st.integers(-1, 40),
    st.floats(allow_nan=False),
    st.fractions(0, 1).map(float),
    NAMES,
    st.lists(st.floats(0.1, 1e9), max_size=4),
    st.dictionaries(NAMES, st.integers(0, 9)),
)


def made(choice: type[Settings], values: dict[str, Any]) -> Settings:
    """A choice with those of some values that it takes."""
    needed: dict[str, Any] = {
        field.name: LOADED.get(field.name, {"weights": [1, 0.5], "kappa": 0.5}.get(field.name, 2))
        for field in fields(choice)
        if field.default is MISSING
    }
    for name, value in values.items():
        try:
            choice(**{**needed, name: value})
        except ArgumentError:
            continue
        needed[name] = value
    try:
        return choice(**needed)
    except ArgumentError:  # Each setting alone is valid, but not both together.
        return choice(**{field.name: needed[field.name] for field in fields(choice) if field.default is MISSING})


@pytest.mark.parametrize(("kind", "choice"), CHOICES, ids=ids)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_text_is_read_back(kind: ChoiceKind[Any], choice: type[Settings], data: st.DataObject) -> None:
    values = {field.name: data.draw(VALUES, label=field.name) for field in fields(choice)}
    value = made(choice, values)
    for held in (ASIA, ASIA.dag):  # A text cannot hold a graph or a network, so a file has it.
        text = str(value).replace(repr(held), "a file.bif")
        if text != str(value):
            break
    assert kind.from_text(text, load) == value
    assert str(kind.from_text(text, load)) == str(value)


def load(path: Path, wanted: str) -> Any:
    assert path == Path("a file.bif")
    return ASIA if wanted == "a BayesianNetwork" else ASIA.dag


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("AStar", AStar()),
        (" a-star ( pattern-size = 4 , Heuristic=Dynamic ) ", AStar("dynamic", 4)),
        ("dp( )", DP()),
        ("dp(layered=true)", DP(True)),
        ("DP(layered=None)", DP()),
        ("ara_star(step=inf)", ARAStar(step=math.inf)),
        ("chow_liu(root=0)", ChowLiu("0")),
        ("chow_liu(root='a, b)')", ChowLiu("a, b)")),
        ("pc(orientation='majority')", PC(orientation="majority")),
        ("bfbnb(scratch_dir=/tmp/some folder)", BFBnB(scratch_dir="/tmp/some folder")),
    ],
)
def test_spellings(text: str, value: Settings) -> None:
    assert METHODS.get(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("astr(pattern_size=4)", "method must be a method or one of auto, dp, astar, .*, got 'astr'"),
        (
            "astar(size=4)",
            r"astar has no setting 'size'; astar has heuristic \(simple, static or dynamic\), pattern_size",
        ),
        ("astar(4)", "settings are written as name=value, got '4'; astar has heuristic"),
        ("auto(seed=4)", "auto has no setting 'seed'; auto has none"),
        ("astar(pattern_size=four)", "pattern_size must be a whole number, got 'four'"),
        ("astar(pattern_size=65)", "pattern_size must be at most 64, got 65"),
        ("astar(heuristic=dynamic, pattern_size=1)", "pattern_size must be at least 2, got 1"),
        ("astar(heuristic=best)", "heuristic must be one of simple, static, dynamic, got 'best'"),
        ("tabu(length=none)", "length must be a whole number, got 'none'"),
        ("astar(pattern_size=4, patternsize=5)", "astar has the setting pattern_size twice"),
        ("astar(pattern_size=[4)", r"written as name=value, name=value, got 'pattern_size=\[4'"),
        ("astar(pattern_size=4,)", "written as name=value, name=value, got"),
        ("rai(start=graph.txt)", "start must be a DAG or a PDAG, which a text does not hold, got 'graph.txt'"),
    ],
)
def test_wrong_texts(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        credenet.learn(credenet.datasets.asia(10), method=text)


def test_words_have_no_settings() -> None:
    with pytest.raises(ArgumentError, match="method 'exact' has no settings"):
        ASIA.infer(method="exact(samples=5)")


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_names_are_one_choice_each(kind: ChoiceKind[Any]) -> None:
    plain = [name.replace("_", "") for name in kind.names]
    assert len(set(plain)) == len(plain)
    for choice in kind.choices:  # The name of a class means the same choice, and never another.
        others = {name for name in kind.names if name != choice.short_name}
        assert choice.__name__.casefold() not in {name.replace("_", "") for name in others}


def test_texts_of_older_files() -> None:
    old = FamilyTableInfo(score="BDeu(ess=1.0)", prior="DataPrior(tau=0.5)", complete=True)
    new = FamilyTableInfo(score=str(BDeu()), prior=str(DataPrior()), complete=True)
    assert old == new
    assert merge_info(old, new, same_variables=True) == new
    assert FamilyTableInfo(prior="InDegree(limits={'a': 1}, exact=False)").prior == "in_degree(limits={'a': 1})"
    for words in ("GOBNILP's own", "BDe(network of 8 variables, ess=2.0)", "a\nb"):
        assert FamilyTableInfo(score=words).score == words


def test_an_older_table_is_what_it_was(tmp_path: Path) -> None:
    data = credenet.datasets.asia(100)
    path = tmp_path / "old.jkl"
    credenet.score_families(data).save(path)
    text = path.read_text()
    assert '"score": "bdeu"' in text
    path.write_text(text.replace('"score": "bdeu"', '"score": "BDeu(ess=1.0)"').replace('"uniform"', '"Uniform()"'))
    families = credenet.load_families(path)
    assert credenet.learn(families, score="bdeu", prior="uniform").score == credenet.learn(data).score
    with pytest.raises(ArgumentError, match=r"made with the score bdeu, not bdeu\(ess=2\)"):
        credenet.learn(families, score="bdeu", ess=2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ASIA.save("asia.bif")
    ASIA.sample(100, seed=1).save("asia.csv")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["learn", "asia.csv", "--method", "AStar(heuristic=simple)"], "method", "astar(heuristic=simple)"),
        (["learn", "asia.csv", "--method", "pc", "--test", "g2(df=classical)"], "test", "g2(df=classical)"),
        (["learn", "asia.csv", "--method", "pc", "--max-order", "1"], "method", "pc(max_order=1)"),
        (["learn", "asia.csv", "--method", "pc", "--test", "g2(df=observed)", "--significance", "0.1"], "test",
         "g2(significance=0.1, df=observed)"),
        (["learn", "asia.csv", "--method", "pc", "--test", "oracle(dag=asia.bif)"], "undirected",
         [["asia", "tub"], ["smoke", "lung"], ["smoke", "bronc"]]),
        (["query", "asia.bif", "lung", "--method", "gibbs(samples=50, restarts=2)"], "method",
         {"name": "gibbs", "samples": 50, "burn_in": 500, "restarts": 2, "thin": 1}),
        (["query", "asia.bif", "lung", "--method", "gibbs(restarts=2)", "--samples", "50"], "method",
         {"name": "gibbs", "samples": 50, "burn_in": 500, "restarts": 2, "thin": 1}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) and isinstance(value[0], str) else "",
)  # fmt: skip
def test_settings_in_a_shell(
    words: list[str], key: str, value: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[key] == value


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--score", "bdeu(ess=10)"], {"score": BDeu(10)}),
        (["--score", "bds", "--ess", "10"], {"score": BDs(10)}),
        (["--score", "bde(network=asia.bif)", "--ess", "3"], {"score": BDe(ASIA, 3)}),
        (["--prior", "expert(dag=asia.bif, kappa=0.5)"], {"prior": Expert(ASIA.dag, 0.5)}),
        (["--prior", "in_degree_weights(weights=[1, 0.5, 0.2])"], {"prior": InDegreeWeights([1, 0.5, 0.2])}),
        (["--prior", "edge(beta=0.5)"], {"prior": Edge(0.5)}),
    ],
    ids=str,
)
def test_scores_and_priors_in_a_shell(
    flags: list[str], options: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = credenet.Dataset(ASIA.states, ASIA.sample(100, seed=1).codes)
    data.save("asia.parquet")
    expected = credenet.score(credenet.read("asia.parquet"), ASIA.dag, **options).total
    assert run(["score", "asia.parquet", "--graph", "asia.bif", *flags, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["learn", "asia.csv", "--method", "astar(x=1)"], 2, "astar has no setting 'x'; astar has heuristic (simple,"),
        (["learn", "asia.csv", "--method", "astr"], 2, "method must be one of auto, dp, astar,"),
        (["learn", "asia.csv", "--score", "bdeu(ess=2)", "--ess", "3"], 2, "given twice: bdeu(ess=2) and --ess 3"),
        (["learn", "asia.csv", "--score", "bic", "--ess", "3"], 2, "--ess belongs to bdeu, bde, bds, not to bic"),
        (["score", "asia.csv", "--prior", "ssp"], 2, "prior must be one of uniform,"),
        (["learn", "asia.csv", "--prior", "expert(dag=g.txt, kappa=1)"], 1, "g.txt: No such file"),
        (["learn", "asia.csv", "--score", "bde"], 2, "score 'bde' needs network; pass bde(network="),
        (["fit", "asia.csv", "--graph", "asia.bif", "--smoothing", "k2", "--ess", "1"], 2, "--ess belongs to bdeu"),
        (["query", "asia.bif", "--method", "gibbs(samples=0)"], 2, "samples must be at least 2, got 0"),
        (["posterior", "asia.csv", "--method", "mcmc(chains=1)"], 2, "chains must be"),
    ],
)  # fmt: skip
def test_wrong_settings_in_a_shell(
    words: list[str], code: int, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == code
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert message in told


@pytest.mark.parametrize(
    ("verb", "kinds"),
    [
        ("learn", [METHODS, SCORES, PRIORS, TESTS]),
        ("fit", [SMOOTHINGS]),
        ("query", [INFERENCE_METHODS]),
        ("approximate", [METHODS, SAMPLERS]),
        ("posterior", [POSTERIOR_METHODS]),
    ],
    ids=["learn", "fit", "query", "approximate", "posterior"],
)
def test_help_names_every_choice(verb: str, kinds: list[ChoiceKind[Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == 0
    told = {word.strip("[],.;:") for word in capsys.readouterr().out.replace("│", " ").split()}
    for kind in kinds:
        assert set(kind.names) <= told


def test_flags_of_query_are_settings() -> None:
    known = {field.name for choice in INFERENCE_METHODS.choices for field in fields(choice)}
    assert {field.name for field in fields(MethodFlags)} - {"seed"} <= known


def test_verbs_are_described_as_in_their_docstrings() -> None:
    for verb, description in VERBS.items():
        function = getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)
        assert (inspect.getdoc(function) or "").split("\n\nParameters")[0] == description


def test_page_of_settings() -> None:
    written = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"
    assert written.read_text() == settings_page.page(), f"run: python tests/settings_page.py > {written}"


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import credenet; credenet.methods.AStar(); credenet.methods.ILP()", ["highspy", "numpy", "polars", "scipy"]),
        ("from credenet.cli.app import run; run(['learn', '--help'])", ["highspy", "numpy", "polars", "scipy"]),
    ],
)
def test_settings_load_no_numerical_library(code: str, heavy: list[str]) -> None:
    check = f"{code}\nimport sys\nsys.exit(str(set({heavy}) & set(sys.modules) or 0))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert done.stderr == "0\n"


def test_public_names() -> None:
    for name, value in public_names().items():
        assert name.split(".")[-1] == value.__name__  # type: ignore[attr-defined]
    assert set(credenet.__all__) < set(dir(credenet))
    with pytest.raises(AttributeError, match="module 'credenet' has no attribute 'nothing'"):
        credenet.nothing  # type: ignore[attr-defined] # noqa: B018
