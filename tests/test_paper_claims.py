"""What papers say in words, judged by stored cells: statements on real data, rankings, and numbers of their texts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from papers import data_sizes
from papers.credible import figure2
from papers.frame import NOT_MEASURED, all_tables
from papers.priors import figure6, ranking, real_claims, sweep
from papers.priors.figure7 import of_real_data
from papers.priors.grid import NETWORKS, PRIORS, REALISTIC, learned
from papers.store import Job, Made, Store

MADE = Made({"cpu": "a", "scale": "quick"}, {}, "work", "digest")


def store_of(path: Path, function: Any, cells: list[tuple[dict[str, Any], dict[str, Any]]]) -> Store:
    store = Store(path)
    for arguments, found in cells:
        store.add(Job(function, arguments), found, MADE)
    return store


def of_subsamples(**below: float) -> list[list[Any]]:
    """Distances of 20, less that of a prior, with small differences between subsamples of the same size."""
    return [
        [
            PRIORS[prior],
            rows,
            repetition,
            20 - below.get(prior, 0.0) + repetition + 0.1 * (repetition % 2) * (prior == "fair"),
        ]
        for prior in REALISTIC
        for rows in (500, 100, 200, 50)
        for repetition in range(4)
    ]


def real_store(folder: Path, **distances: list[list[Any]]) -> Store:
    rest = {"pairs": 10, "agreed_edges": 3, "not_optimal": 0, "not_optimal_on_all_rows": []}
    cells = [
        ({"data": data, "max_parents": 4, "score": score, "repetitions": 4}, {"distances": some, **rest})
        for score, some in distances.items()
        for data in ("nursery", "letter")
    ]
    return store_of(folder / "priors_figure7.json", of_real_data, cells)


def test_statements_on_real_data(tmp_path: Path) -> None:
    store = real_store(
        tmp_path,
        bdeu=of_subsamples(edge=3, fair=2, data=3),
        fnml=of_subsamples(fair=9),
        bic=of_subsamples(fair=-8),
    )
    found = {(claim.words, claim.first, claim.second): words for claim, _, words in real_claims.judged(store)}
    better, uniform = "a prior reduces errors at small sample sizes", ("bdeu", "uniform")
    slightly = "Fair is slightly better than the other modular priors"
    assert found[better, ("bdeu", "fair"), uniform] == "holds"
    assert found[slightly, ("bdeu", "fair"), ("bdeu", "edge")] == "contradicted"
    assert found["dramatically for fNML", ("fnml", "fair"), ("fnml", "uniform")] == "holds"
    assert found["moderately for qNML", ("qnml", "fair"), ("qnml", "uniform")] == NOT_MEASURED
    assert found["imperceptibly for BIC", ("bic", "fair"), ("bic", "uniform")] == "contradicted"
    assert found["never substantially worse", ("bic", "fair"), ("bic", "uniform")] == "contradicted"
    assert found["never substantially worse", ("fnml", "fair"), ("fnml", "uniform")] == "holds"
    aims = real_claims.real_aims(store)
    assert len(aims) == sum(words != "holds" for words in found.values())
    assert (
        "The paper says of real data, qNML Fair against qNML Unif: moderately for qNML. Found: not measured yet."
        in aims
    )
    text = real_claims.real_text(store)
    assert "nursery, ≤ 4 parents" in text
    assert "BIC Fair against BIC Unif" in text


def test_small_subsamples_are_the_smaller_half(tmp_path: Path) -> None:
    cells = real_claims.small_subsamples(real_store(tmp_path, bdeu=of_subsamples()))
    assert {cell["rows"] for cell in cells} == {50, 100}
    assert len(cells) == 2 * len(REALISTIC) * 2 * 4


def test_rankings_of_all_networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The mean over samples of the means over sizes; the correlation of ranks by its formula."""
    up, down, mixed = [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [2.0, 1.0, 3.0, 4.0]
    pairs = {
        **{("child", sample, rows): (up, up if rows == 50 else mixed) for sample in (1, 2, 3) for rows in (50, 200)},
        **{("insurance", sample, 50): (up, [up, down][sample % 2]) for sample in (1, 2, 3, 4)},
        ("water", 1, 50): (up, up),
    }
    monkeypatch.setattr(ranking, "both_distances", lambda _: pairs)
    store = Store(tmp_path / "priors_ranking.json")
    of_mixed = 1 - 6 * sum((a - b) ** 2 for a, b in zip(up, mixed, strict=True)) / (4 * (16 - 1))
    found = ranking.correlations(store)
    assert list(found) == list(NETWORKS)
    assert found["child"] is not None
    assert found["child"].value == pytest.approx((1 + of_mixed) / 2)
    assert {row[0]: row[-1] for row in ranking.network_rows(store)} == {
        "child": "holds",
        "insurance": "no clear correlation",
        "water": "one sample",
        "alarm": NOT_MEASURED,
    }
    [aim] = ranking.ranking_aims(store)
    assert aim.endswith("insurance: no clear correlation; water: one sample; alarm: not measured yet.")


def test_numbers_of_networks_that_the_text_tells(tmp_path: Path) -> None:
    few, many = math.log(20) - 0.1, math.log(20) + 0.1
    store = store_of(
        tmp_path / "credible_figure2.json",
        figure2.falling,
        [
            ({"data": "adult"}, {"networks": 70, "steps": [[51, few], [70, many]]}),
            ({"data": "letter"}, {"networks": 70, "steps": [[20, few], [70, many]]}),
        ],
    )
    assert [(number.printed, number.ours, number.reason) for number in figure2.numbers(store)] == [
        ("fewer than 50", "51", ""),
        ("fewer than 50", "20", ""),
        ("more than 10,000", "", "no data"),
    ]
    assert figure2.aims(store) == [
        "Networks within a factor of 20 by BDeu, otherwise than the text says: adult 51 (fewer than 50)."
    ]


def test_sizes_at_which_search_space_penalisation_is_worse(tmp_path: Path) -> None:
    cells = [
        (
            {"network": network, "rows": rows, "repetition": repetition, "score": "bdeu", "prior": prior},
            {"shd": 10 + repetition + (prior == "ssp") * (1 if (network, rows) in worse else -1)},
        )
        for worse in [{("hepar2", 50), ("hepar2", 200), ("andes", 50)}]
        for network in ("hepar2", "andes")
        for rows in (50, 200, 500)
        for repetition in (1, 2)
        for prior in ("uniform", "ssp")
    ]
    store = store_of(tmp_path / "priors_figure6.json", figure6.climbed, cells)
    [number] = figure6.figure6_numbers(store)
    assert (number.printed, number.ours) == ("2", "2")
    [aim] = figure6.figure6_aims(store)
    assert aim.endswith("where the paper's is not: andes with 50 (+1.0 ± 0.0) rows.")


def test_more_sparsity(tmp_path: Path) -> None:
    cells = [
        (
            {"network": network, "max_parents": 5, "rows": 50, "repetition": n, "score": "bdeu", "prior": prior},
            {
                "shd": 20
                + n
                - (5 if (network, prior) in (("child", "edge(beta=0.02)"), ("water", "data(tau=1)")) else 0)
            },
        )
        for network in ("child", "water")
        for n in (1, 2, 3)
        for prior in (*sweep.BETAS, *sweep.TAUS)
    ]
    [aim] = sweep.sweep_aims(store_of(tmp_path / "priors_networks.json", learned, cells))
    assert "child, ≤ 5 parents: better than β = 0.1: β = 0.02 (-5.0 ± 0.0)" in aim
    assert "water, ≤ 5 parents: none is better than β = 0.1 by 10%" in aim
    assert "τ = 0.5" not in aim


def test_sizes_of_data(tmp_path: Path) -> None:
    table = all_tables()["credible_data"]
    assert table.numbers is not None
    assert table.aims is not None
    cells = [
        ({"folder": "datasets", "data": "wine"}, {"variables": 14, "rows": 178}),
        ({"folder": "datasets", "data": "hepatitis"}, {"variables": 20, "rows": 126}),
    ]
    store = store_of(tmp_path / "credible_data.json", data_sizes.sized, cells)
    found = {number.where: number for number in table.numbers(store)}
    assert found["Tables 1 and 2: wine, rows"].ours == found["Tables 1 and 2: wine, rows"].printed == "178"
    assert found["Tables 1 and 2: zoo, rows"].reason.startswith("no data: zoo.data of UCI (101 rows")
    assert found["Tables 1 and 2: letter, rows"].reason == NOT_MEASURED
    assert table.aims(store) == [
        "Data sets of other sizes than the published ones: hepatitis, rows 126 (published 155)."
    ]
