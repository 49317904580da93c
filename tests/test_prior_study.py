"""The study of structure priors in benchmarks/papers: what it computes itself, against slow and obvious ways."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import credenet
from bench_default_prior import NAME, ROWS, TABLES, gains, held_out, side_of, wins
from credenet import Dataset
from credenet.priors import count_dags
from credenet.scores import BDeu
from measure import RESULTS
from papers.priors.claims import Claim, verdict
from papers.priors.figure6 import TABU, penalised
from papers.priors.grid import in_degrees, is_constant, prior_of, with_prior
from papers.priors.means import Mean, difference
from papers.priors.ranking import spearman

TRUTH = credenet.textbook.asia()
PRIORS = ("uniform", "edge", "edge(beta=0.005)", "fair", "data", "data(tau=0)", "utop+")


@pytest.mark.parametrize("score", ["bdeu", "bic", "fnml", "qnml"])
@pytest.mark.parametrize("prior", PRIORS)
def test_adding_a_prior_to_families_is_scoring_with_it(score: str, prior: str) -> None:
    data = TRUTH.sample(60, seed=3)
    chosen = prior_of(prior, TRUTH)
    families = with_prior(credenet.score_families(data, score=score, max_parents=3), chosen)
    result = credenet.learn(families, method="dp")
    direct = credenet.learn(data, score=score, prior=chosen, max_parents=3, method="dp")
    assert result.score == pytest.approx(direct.score)
    assert credenet.score(data, result.dag, score=score, prior=chosen).total == pytest.approx(result.score)
    assert result.status == "optimal"


def test_utop_plus_allows_at_most_the_true_numbers_of_parents() -> None:
    families = credenet.score_families(TRUTH.sample(500, seed=1), max_parents=3)
    dag = credenet.learn(with_prior(families, prior_of("utop+", TRUTH))).dag
    assert all(len(dag.parents(name)) <= limit for name, limit in in_degrees(TRUTH).items())


def test_ssp_by_local_search_is_the_best_of_all_limits() -> None:
    data = TRUTH.sample(300, seed=2)
    n = len(data.variables)

    def after_penalty(result: credenet.LearnResult) -> float:
        assert result.score is not None
        in_degree = max(len(result.dag.parents(name)) for name in data.variables)
        return result.score - math.log(count_dags(n, in_degree))

    every = [credenet.learn(data, method=TABU, max_parents=limit) for limit in range(n)]
    assert after_penalty(penalised(data, "bdeu")) == max(map(after_penalty, every))


def test_constant_variables_are_found() -> None:
    data = Dataset({"a": ["0", "1"], "b": ["0", "1"]}, np.asfortranarray([[0, 1], [1, 1]], dtype=np.uint8))
    assert [is_constant(data, name) for name in data.variables] == [False, True]


def cells(values: dict[tuple[int, int], float]) -> list[dict[str, object]]:
    """Cells with an SHD for numbers of rows and repetitions."""
    return [
        {"network": "n", "max_parents": 5, "rows": rows, "repetition": repetition, "shd": value}
        for (rows, repetition), value in values.items()
    ]


def test_differences_are_paired_and_every_size_counts_the_same() -> None:
    first = cells({(50, 1): 10, (50, 2): 14, (50, 3): 99, (200, 1): 5, (200, 2): 5})
    second = cells({(50, 1): 12, (50, 2): 20, (200, 1): 5, (200, 2): 7, (200, 3): 1})
    found = difference(first, second)
    # Differences -2 and -6 at 50 rows, 0 and -2 at 200: means -4 and -1, standard errors 2 and 1.
    assert found == pytest.approx(Mean(-2.5, np.sqrt(5) / 2, 4))
    assert found is not None
    assert found.side == -1
    assert difference(first, []) is None


@pytest.mark.parametrize(
    ("kind", "expected", "value", "word"),
    [
        ("always", -1, -5.0, "holds"),
        ("always", -1, 5.0, "contradicted"),
        ("always", -1, 1.0, "no clear difference"),
        ("always", 0, 1.0, "holds"),
        ("always", 0, -5.0, "contradicted"),
        ("always", 0, -1.5, "clear but small"),
        ("can", 1, -5.0, "not here"),
        ("never the opposite", 1, -5.0, "contradicted"),
        ("never the opposite", 1, -1.0, "holds"),
    ],
)
def test_verdicts(kind: str, expected: int, value: float, word: str) -> None:
    claim = Claim("", ("bdeu", "fair"), ("bdeu", "uniform"), expected, kind=kind)  # type: ignore[arg-type]
    assert verdict(claim, Mean(value, 0.7, 9), base=20.0) == word
    assert verdict(claim, Mean(value, None, 1), base=20.0) == "too few data sets"


def test_rank_correlation_gives_equal_values_the_mean_of_their_ranks() -> None:
    assert spearman([1.0, 2.0, 3.0], [10.0, 30.0, 20.0]) == pytest.approx(0.5)
    assert spearman([1.0, 1.0, 2.0], [1.0, 2.0, 3.0]) == pytest.approx(np.sqrt(3) / 2)
    assert spearman([1.0, 1.0], [1.0, 2.0]) is None


def test_held_out_gains_are_those_of_networks_learned_with_the_prior() -> None:
    data = credenet.datasets.asia(400, seed=1)
    order = np.random.default_rng([50, 3]).permutation(400)
    some, others = (data.take(np.sort(rows)) for rows in (order[:50], order[50:]))
    for prior, found in held_out(data, 50, 3).items():
        dag = credenet.learn(some, prior=prior, max_parents=4).dag
        expected = credenet.fit(some, dag, smoothing=BDeu(1.0)).log_likelihood(others) / 350
        assert found["nats"] == pytest.approx(expected)


def test_what_is_said_of_few_rows_was_measured() -> None:
    """The remark of families/few_rows.py, and the table of docs/guide/scores.md."""
    rows = json.loads((RESULTS / f"{NAME}.json").read_text())["rows"]
    assert {row["priors"][prior]["status"] for row in rows if "priors" in row for prior in row["priors"]} == {"optimal"}
    found = {n_rows: [side_of(each) for name in TABLES if (each := gains(rows, name, n_rows))] for n_rows in ROWS}
    for n_rows, better, number in ((50, 9, 11), (100, 5, 10)):
        sides = [each["edge"] for each in found[n_rows]]
        assert (len(sides), sides.count(1), sides.count(-1)) == (number, better, 0)
    page = Path(__file__).parents[1] / "docs" / "guide" / "scores.md"
    assert all(line in page.read_text() for line in wins(rows)[2:])
