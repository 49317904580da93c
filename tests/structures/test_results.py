"""The contract of all results: the same questions by the same names, and answers of the same types."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import credenet
from credenet.errors import ArgumentError
from credenet.io.results.kinds import RESULTS as SAVED
from credenet.structures.results import Result
from credenet.structures.weighted_networks import WeightedNetworks
from credenet.types import PairProbabilities, Provenance, Statistics


@cache
def data() -> credenet.Dataset:
    return credenet.datasets.asia(300, seed=1).select(("smoke", "lung", "either", "xray"))


@cache
def credible() -> credenet.CredibleSet:
    return credenet.credible_networks(data(), bayes_factor=20)


@cache
def posterior() -> credenet.StructurePosterior:
    return credenet.posterior(data())


RESULTS: dict[str, Callable[[], Result]] = {
    "LearnResult": cache(lambda: credenet.learn(data())),
    "CredibleSet": credible,
    "CredibleClasses": cache(lambda: credenet.credible_classes(data(), bayes_factor=20)),
    "StructurePosterior": posterior,
    "EdgeConfidence": cache(lambda: credenet.bootstrap(data(), n_samples=4)),
    "Effects": cache(lambda: credenet.effects(credible(), "smoke", data=data(), n_draws=100)),
    "IntersectionValidation": cache(lambda: credenet.validate(data(), scores=["bic", "aic"], repetitions=2)),
}
JOINED = ("CredibleSet", "CredibleClasses", "StructurePosterior", "EdgeConfidence")
WEIGHTED: dict[str, Callable[[], WeightedNetworks]] = {"CredibleSet": credible, "StructurePosterior": posterior}


def test_every_kind_of_result_is_here() -> None:
    assert RESULTS.keys() == SAVED.keys()
    assert {name: type(made()).__name__ for name, made in RESULTS.items()} == {name: name for name in RESULTS}


@pytest.mark.parametrize("name", RESULTS)
def test_results_answer_the_same_questions(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    assert isinstance(result, Result)
    assert isinstance(result.status, str)
    assert isinstance(result.statistics, Statistics)
    assert isinstance(result.statistics.seconds, float)
    assert result.statistics.seconds >= 0
    assert isinstance(result.provenance, Provenance)
    assert result.provenance.data_digest == data().digest()
    assert result.provenance.version == credenet.__version__
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert json.loads(result.to_json())["provenance"] == result.provenance.to_dict()
    assert isinstance(result.to_polars(), pl.DataFrame)
    result.save(tmp_path / "result.json")
    again = type(result).load(tmp_path / "result.json")
    assert again.to_dict() == result.to_dict()


@pytest.mark.parametrize("name", RESULTS)
def test_what_provenance_and_statistics_tell_has_no_second_name(name: str) -> None:
    result = RESULTS[name]()
    assert {"seconds", "seed", "version", "data_digest", "n_rows"}.isdisjoint(dir(result))


@pytest.mark.parametrize("name", JOINED)
def test_pairs_have_the_same_form(name: str) -> None:
    result: Any = RESULTS[name]()
    place = {variable: at for at, variable in enumerate(data().variables)}
    pairs = result.pair_probabilities()
    assert pairs
    for (a, b), shares in pairs.items():
        assert place[a] < place[b]
        assert type(shares) is PairProbabilities
        assert {type(share) for share in (*shares, shares.joined)} == {float}
        assert sum(shares) == pytest.approx(1.0)
        assert shares.turned().turned() == shares


@pytest.mark.parametrize("name", WEIGHTED)
def test_probabilities_are_numbers(name: str, tmp_path: Path) -> None:
    networks = WEIGHTED[name]()
    edges = networks.edge_probabilities()
    tables: list[dict[tuple[str, ...], float]] = [
        {tuple(edge): share for edge, share in edges.items()},
        {tuple(edge): share for edge, share in networks.path_probabilities().items()},
        *networks.parent_set_probabilities().values(),
    ]
    for table in tables:
        assert {type(share) for share in table.values()} <= {float}
        assert list(table.values()) == sorted(table.values(), reverse=True)
    variables = networks.variables
    for a in variables:
        for b in variables:
            share = networks.edge_probability(a, b)
            assert type(share) is float
            assert share == edges.get((a, b), 0.0)
    with pytest.raises(ArgumentError, match="variable must be one of the networks, got 'x'"):
        networks.edge_probability("smoke", "x")
    assert {type(dag) for dag in networks.sample(3)} == {credenet.DAG}
    asked: Any = networks
    assert asked.predict_proba(data().take(slice(2)), "lung", data=data()).shape == (2, 2)
    asked.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 1000
