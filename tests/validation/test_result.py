"""What a validation tells: text, frames, JSON, plots and remarks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import polars as pl
import pytest

import credenet
from credenet import validate
from credenet.types import IntersectionValidation, MeanDistance
from credenet.validation.agreement import agreement_of
from credenet.validation.remarks import agreement_remarks

mpl.use("agg")


@pytest.fixture(scope="module")
def result() -> IntersectionValidation:
    data = credenet.textbook.asia().sample(1000, seed=1)
    return validate(data, methods=["dp", "pc"], scores=["bdeu", "bic"], repetitions=3, seed=1)


def test_text(result: IntersectionValidation) -> None:
    assert result.agreement is not None
    agreed = f"{result.agreement.n_pairs} agreed pairs, {result.agreement.n_edges} of them edges"
    assert repr(result) == f"<IntersectionValidation 3 candidates, {agreed}, 36 distances, complete>"
    lines = str(result).splitlines()
    assert lines[2].split()[-8:] == ["500", "rows", "250", "rows", "125", "rows", "62", "rows"]
    assert [line.split("  ")[0] for line in lines[3:6]] == [each.candidate for each in result.ranking()]
    assert all(f"remark: {remark}" in lines for remark in result.remarks)


def test_frames(result: IntersectionValidation) -> None:
    frame = result.to_polars()
    assert frame.height == 12
    assert frame.columns == [*MeanDistance._fields]
    for (n_rows,), part in frame.group_by("n_rows"):
        assert part["rank"].to_list() == sorted(part["rank"].to_list())
        assert part["fraction"].to_list() == [result.sizes[n_rows]] * 3
    assert result.agreement is not None
    per_pair = frame["mean"] / result.agreement.n_pairs
    assert frame["per_pair"].to_list() == pytest.approx(per_pair.to_list())
    parts = frame["extra"] + frame["missing"] + frame["misdirected"]
    assert parts.to_list() == pytest.approx(frame["mean"].to_list())
    assert result.to_pandas()["candidate"].tolist() == frame["candidate"].to_list()
    assert pl.DataFrame(result.distances).height == 36


def test_json(result: IntersectionValidation) -> None:
    told = result.to_dict()
    assert [each["name"] for each in told["candidates"]] == ["dp bdeu", "dp bic", "pc"]
    assert told["candidates"][1]["provenance"]["score"] == "bic"
    assert told["candidates"][2]["provenance"]["test"] == "bayes_factor"
    made = told["provenance"]
    assert made["data_digest"] == told["candidates"][0]["provenance"]["data_digest"]
    assert (made["seed"], made["version"], made["n_rows"]) == (1, credenet.__version__, 1000)
    assert told["sizes"] == [[500, 1 / 2], [250, 1 / 4], [125, 1 / 8], [62, 1 / 16]]
    assert told["ranking"][0]["candidate"] == told["best"] == result.best


@pytest.mark.parametrize("per_pair", [False, True])
def test_plot(result: IntersectionValidation, tmp_path: Path, per_pair: bool) -> None:
    axes = result.plot(tmp_path / "v.svg", per_pair=per_pair)
    assert (tmp_path / "v.svg").read_text().startswith("<?xml")
    curves = {curve.get_label(): curve[0] for curve in axes.containers}
    assert {*curves} == {*result.candidates}
    for name, curve in curves.items():
        means = [each for each in result.means() if each.candidate == name]
        assert curve.get_xdata().tolist() == [each.n_rows for each in means]
        wanted = [each.per_pair if per_pair else each.mean for each in means]
        assert curve.get_ydata().tolist() == pytest.approx(wanted)
    assert ("per agreed pair" in axes.get_ylabel()) == per_pair


def test_plot_without_distances(result: IntersectionValidation, tmp_path: Path) -> None:
    from dataclasses import replace

    nothing = replace(result, distances=(), agreement=None, status="stopped")
    assert nothing.plot(tmp_path / "v.png").containers == []
    assert nothing.best is None
    assert len(nothing.means()) == len(nothing.ranking()) == 0
    assert nothing.to_polars().height == 0
    assert "stopped" in str(nothing)
    assert "stopped" in nothing._repr_html_()


def test_remarks() -> None:
    dag = credenet.random.dag(20, n_edges=30, max_parents=2, seed=3)
    data = credenet.random.network(dag, n_states=3, beta=0.1, seed=3).sample(4000, seed=3)
    options = {"method": "hill_climb", "score": "bic"}
    same = validate(
        data, {"a": options, "b": options, "c": {**options, "score": "bdeu"}}, fractions=[1 / 32], repetitions=1
    )
    assert same.agreement is not None
    assert same.agreement.n_edges >= 10
    assert same.remarks == ("a and b learned the same from all rows; in the agreement they count as one candidate",)
    few = validate(data.select(data.variables[:3]), scores=["bic", "aic"], fractions=[1 / 32], repetitions=1)
    assert few.agreement is not None
    assert few.remarks[0].startswith(f"the candidates agree on {few.agreement.n_edges} edge")


def coins(n: int = 4) -> credenet.Dataset:
    return credenet.random.network(credenet.DAG([f"x{k}" for k in range(n)]), seed=2).sample(200, seed=2)


@pytest.mark.parametrize(
    ("scores", "remark"),
    [
        (["bic", "aic", "log_likelihood"], "the candidates agree on no edge, so that the distances only count edges"),
        (
            ["bic", "mdl"],
            "no candidate learned an edge from all rows, so there is nothing to find again; use more rows",
        ),
    ],
)
def test_no_agreed_edge_gives_no_ranking(scores: list[str], remark: str, tmp_path: Path) -> None:
    result = validate(coins(), scores=scores, fractions=[1 / 2, 1 / 8], repetitions=2)
    assert result.agreement is not None
    assert result.agreement.n_edges == 0
    assert not result.can_rank
    assert (result.best, result.ranking()) == (None, ())
    assert result.remarks[0].startswith(f"no ranking: {remark}")
    assert {each.rank for each in result.means()} == {None}
    assert result.to_polars()["rank"].to_list() == [None] * 2 * len(scores)
    told = result.to_dict()
    assert (told["best"], told["ranking"], told["means"][0]["rank"]) == (None, [], None)
    assert len(told["distances"]) == 4 * len(scores)
    for text in (str(result), result._repr_html_()):
        assert "no ranking" in text
        assert "±" not in text
        assert "rank  " not in text
    assert result.plot(tmp_path / "v.png").get_title() == "no ranking: the candidates agree on no edge"


def test_the_remark_names_candidates_without_edges() -> None:
    result = validate(coins(), scores=["bic", "log_likelihood"], fractions=[1 / 2], repetitions=1)
    assert result.remarks[0].endswith("use more rows, or other candidates than bic, which learned none")


def test_no_remark_leaves_fewer_than_two_candidates() -> None:
    empty, *others = (credenet.DAG(["a", "b", "c"], edges).cpdag() for edges in ([], [("a", "b")], [("b", "c")]))
    for graphs, cure in (
        ([empty, *others], "leave out 0, which learned none, or use more rows"),
        ([*others, credenet.DAG(["a", "b", "c"], [("a", "c")]).cpdag()], "leave out the candidate that differs most"),
        (others, "would win; use more rows"),
    ):
        named = {str(at): graph for at, graph in enumerate(graphs)}
        assert cure in next(agreement_remarks(agreement_of([*named.values()]), named))
    one = {"a": others[0], "b": others[0]}
    assert "leaving out" not in next(agreement_remarks(agreement_of([*one.values()]), one))


def test_near_duplicates_are_remarked() -> None:
    names = [f"x{k}" for k in range(30)]
    chain = credenet.DAG(names, list(pairwise(names[:26])))
    longer = {k: credenet.DAG(names, list(pairwise(names[: 26 + k]))).cpdag() for k in (1, 2)}
    for k, graph in longer.items():
        graphs = {"short": chain.cpdag(), "long": graph}
        remarks = list(agreement_remarks(agreement_of([*graphs.values()]), graphs))
        near = ["short and long learned nearly the same from all rows; they differ in 1 pair"]
        assert remarks == (near if k == 1 else [])  # One of 26 pairs is less than 5 %, and two of 27 are more.
