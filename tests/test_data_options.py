"""Every call that takes data takes a path, a frame or a `Dataset`, with the same options and the same answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import credenet
from credenet.errors import ArgumentError, DataError
from credenet.placement import data_options
from credenet.placement.data_options import USUAL, DataOptions

ROWS = 400
RANDOM = np.random.default_rng(5)
SMOKE = RANDOM.integers(0, 2, ROWS)
LUNG = np.where(RANDOM.random(ROWS) < 0.8, SMOKE, 1 - SMOKE)
FRAME = pl.DataFrame(
    {
        "smoke": [("no", "yes")[value] for value in SMOKE],
        "lung": [None if row % 40 == 0 else ("no", "yes")[value] for row, value in enumerate(LUNG)],
        "age": [f"{20 + 30 * value + row % 9}.5" for row, value in enumerate(LUNG)],
        "answer": [("Y", "y", "n")[row % 3] for row in range(ROWS)],
        "id": [f"p{row}" for row in range(ROWS)],
        "count": [1 + row % 3 for row in range(ROWS)],
    }
)
OPTIONS: DataOptions = {
    "drop": ["id"],
    "missing": "drop",
    "discretize": {"age": "median"},
    "weights": "count",
    "merge_states": {"answer": {"yes": ["Y", "y"]}},
}
DATA = credenet.Dataset.from_frame(FRAME, **OPTIONS)  # type: ignore[misc]
DAG = credenet.DAG(DATA.variables, [("smoke", "lung"), ("lung", "age")])
NETWORK = credenet.fit(DATA, DAG)
POSTERIOR = credenet.posterior(DATA)


CALLS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "learn": (credenet.learn, lambda found: (found.graph, found.score, found.provenance.data_digest)),
    "learn pc": (partial(credenet.learn, method="pc", test="g2"), lambda found: found.graph),
    "score_families": (credenet.score_families, lambda found: found),
    "score": (partial(credenet.score, graph=DAG), lambda found: found.local),
    "credible_networks": (credenet.credible_networks, list),
    "credible_classes": (credenet.credible_classes, lambda found: (found.n_classes, found.n_networks)),
    "k_best": (partial(credenet.k_best, k=3), list),
    "k_best_classes": (partial(credenet.k_best_classes, k=3), lambda found: (found.n_classes, found.n_networks)),
    "posterior": (credenet.posterior, lambda found: found.log_evidence),
    "fit": (partial(credenet.fit, dag=DAG), lambda found: found),
    "independence_test": (partial(credenet.independence_test, x="smoke", y="lung"), lambda found: found),
    "bootstrap": (partial(credenet.bootstrap, method="chow_liu", n_samples=3), lambda found: found),
    "validate": (
        partial(credenet.validate, scores=["bic", "aic"], repetitions=2, fractions=[0.5]),
        lambda found: (found.distances, found.provenance.data_digest),
    ),
    "effects": (lambda data, **options: credenet.effects(POSTERIOR, "smoke", "lung", data=data, **options), str),
    "effects in a graph": (lambda data, **options: credenet.effects(DAG, "smoke", "lung", data=data, **options), str),
    "compare": (
        lambda data, **options: credenet.compare(NETWORK, NETWORK, rows=data, kl_rows=0, **options),
        lambda found: found.log_likelihood,
    ),
}
HAND_ON = {"bootstrap", "validate"}  # These calls give the device to each call of `learn`.


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "table.csv"
    FRAME.write_csv(path)
    return path


def test_every_call_is_tried() -> None:
    typed = {
        name
        for name in credenet.__all__
        if inspect.isfunction(value := getattr(credenet, name))
        and any("DataLike" in str(each.annotation) for each in inspect.signature(value).parameters.values())
    }
    assert typed - {"ingest"} == {name.split()[0] for name in CALLS}


@pytest.mark.parametrize("name", CALLS)
def test_the_same_answer(name: str, file: Path) -> None:
    call, told = CALLS[name]
    expected = told(call(DATA))
    forms: list[Any] = [file, str(file), FRAME, FRAME.to_pandas(), FRAME.to_arrow()]
    for form in forms:
        assert told(call(form, **OPTIONS)) == expected


def test_options_are_those_of_reading() -> None:
    """The same names, types and defaults as those of `read`; the states are an argument of most calls."""
    parameters = inspect.signature(credenet.read).parameters
    own = {"path", "states", "n_threads", "on_progress"}
    assert USUAL.keys() - {"device", "cluster"} == parameters.keys() - own
    assert {name: parameters[name].default for name in parameters.keys() - own} == {
        name: value for name, value in USUAL.items() if name in parameters
    }


def test_options_of_files(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes("größe,b\nx,1\ny,0\nx\n".encode("latin-1"))
    found = credenet.score_families(path, format="csv", header=True, encoding="latin-1", repair=True)
    assert found.variables == ("größe", "b")


def test_families_in_a_file(tmp_path: Path) -> None:
    families = credenet.score_families(DATA, bayes_factor=20)
    families.save(tmp_path / "f.jkl")
    for call, told in (CALLS["learn"], CALLS["posterior"], CALLS["credible_networks"]):
        assert told(call(str(tmp_path / "f.jkl"))) == told(call(families))
    with pytest.raises(ArgumentError, match=r"^drop is for rows, and a family table has no rows"):
        credenet.learn(tmp_path / "f.jkl", drop=["id"])


@pytest.mark.parametrize("name", sorted(CALLS.keys() - HAND_ON))
def test_rows_are_placed(name: str, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Rows stay on the device while the call lasts, and no longer."""
    events: list[Any] = []

    @contextmanager
    def placed(data: credenet.Dataset, **places: Any) -> Iterator[credenet.Dataset]:
        events.append(places)
        yield data
        events.append("end")

    monkeypatch.setattr(data_options, "placed", placed)
    call, told = CALLS[name]
    expected = told(call(DATA))
    assert told(call(DATA, device="auto")) == expected
    assert told(call(file, cluster="tcp://10.0.0.1:8786", **OPTIONS)) == expected
    assert events == [{"device": "auto"}, "end", {"cluster": "tcp://10.0.0.1:8786"}, "end"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: credenet.learn(DATA, missing="drop"),
            r"^missing is for a file or a frame, and data is a Dataset; pass",
        ),
        (lambda: credenet.fit(DATA, DAG, drop="a", decimal=","), r"^drop and decimal are for a file or a frame"),
        (lambda: credenet.learn(FRAME, repair=True), r"^repair is for a file, and data is none"),
        (lambda: credenet.compare(DAG, DAG, drop=["a"]), r"^drop can only be given with rows"),
        (lambda: credenet.effects(NETWORK, device="auto"), r"^device can only be given with data"),
        (lambda: credenet.learn(FRAME, mising="drop"), r"did you mean 'missing'\?"),  # type: ignore[call-arg]
        (lambda: credenet.learn(FRAME, missing="forget"), r"^missing must be one of error, drop"),  # type: ignore[arg-type]
        (lambda: credenet.posterior(DATA, device="tpu"), r"^device must be one of cpu, cuda, auto"),
    ],
)
def test_errors_name_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(credenet.CredenetError, match=message):
        call()


def test_usual_options_are_none() -> None:
    given = credenet.learn(DATA, missing="error", columns=None, device="cpu", cluster=None)
    assert given.graph == credenet.learn(DATA).graph
    families = credenet.score_families(DATA, drop=(), max_states=1024)
    assert credenet.learn(families, device="cpu", cluster=None).status == "optimal"


def test_a_call_without_options_names_the_reader(file: Path) -> None:
    with pytest.raises(DataError, match=r"credenet\.read\(rows, missing='drop'\)"):
        NETWORK.log_likelihood(file)
