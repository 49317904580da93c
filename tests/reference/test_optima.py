"""Optima of the shared data sets and score files, as their source prints them, by at least two methods each."""

from __future__ import annotations

from functools import cache

import pytest

import credenet
from credenet import FamilyTable, learn
from credenet.families.tolerance import tolerance
from shared import shared_data

LATTICE = ("dp", "astar", "bfbnb", "awa_star")
# Each entry has data, score, largest number of parents and optimum (data/README.md there; BIC in natural logs with
# observed states).
DATA: list[tuple[str, str, int | None, float]] = [
    ("iris.csv", "bic", None, -465.435028),
    ("iris.csv", "bdeu", None, -452.214297),
    ("tic-tac-toe.csv", "bic", None, -9396.375858),
    ("tic-tac-toe.csv", "bdeu", None, -9423.068333),
    ("wine.csv", "bic", None, -1258.445909),
    ("asia_1000.dat", "bic", None, -2235.024302),
    ("asia_10000.dat.gz", "bdeu", 3, -22466.396546),
    ("nltcs.csv.gz", "bic", 10, -20033.595540),
    ("hepatitis.csv", "bic", None, -1322.584220),
    ("autos.csv", "bic", None, -1585.759741),
    ("insurance1000.csv.gz", "bic", 4, -14350.471361),
    ("horse.csv", "bic", 4, -4524.663095),
    ("flag.csv", "bic", 4, -2748.105209),
    ("sponge.csv", "bic", 3, -2072.611511),
    ("water1000.csv.gz", "bic", 3, -13290.109118),
    ("hailfinder500.csv.gz", "bic", 3, -27777.554383),
    ("mildew1000.csv.gz", "bic", 3, -57238.020352),
    ("barley1000.csv.gz", "bic", 3, -67699.727490),
    ("carpo100.csv", "bic", 4, -2000.213165),
]
# Problems that a method does not finish within a minute or 4 GB.
TOO_HARD = {
    *((data, method) for data in ("hailfinder500.csv.gz", "carpo100.csv") for method in LATTICE),
    *((data, "dp") for data in ("flag.csv", "sponge.csv", "barley1000.csv.gz", "alarm_100_1_3.scores")),
    ("horse.csv", "dp"),
    ("sponge.csv", "bfbnb"),
    ("alarm_100_1_3.scores", "astar"),
}
FILES: list[tuple[str, float, float]] = [
    ("alarm_100_1_3.scores", -1349.227422, 2e-6),
    ("asia_1000.jaa", -2235.02430239, 1e-6),
    ("asia_10000.dat.3.jkl", -22466.39654649, 1e-6),
    ("child-5000.jkl", -62059.5035, 1e-4),
    ("sachs-5000.jkl", -36511.4101, 1e-4),
    ("survey-5000.jkl", -19710.9160, 1e-4),
    ("water-5000.jkl", -65865.8128, 1e-4),
    ("wine.BIC.3", -1258.44590861, 1e-6),
]


# Others of at most 27 variables, with the most parents; dense ones with fewer, as ilp takes long on these.
SMALL = {
    **dict.fromkeys(
        ("asia-bnlearn.csv.gz", "breast-cancer.csv", "car.csv.gz", "child-5000.dat.gz", "discrete.dat.gz"), 4
    ),
    **dict.fromkeys(
        ("hepatitis.clean.csv", "insurance-5000.dat.gz", "lymph.csv", "nursery.csv.gz", "parkinsons.csv"), 4
    ),
    **dict.fromkeys(("primary-tumor.csv", "sachs-5000.dat.gz", "shuttle.csv.gz", "survey-5000.dat.gz"), 4),
    **dict.fromkeys(("adult.csv.gz", "nltcs.valid.data.gz", "insurance-bnlearn.csv.gz"), 3),
    **dict.fromkeys(("letter.csv.gz", "msnbc.csv.gz", "nltcs.train.data.gz", "sensors.csv.gz"), 2),
}


@cache
def families_of(data: str, score: str, max_parents: int | None) -> FamilyTable:
    table = credenet.read(shared_data("datasets", data), missing="drop")
    return credenet.score_families(table, score=score, max_parents=max_parents, states="observed")


def check(families: FamilyTable, method: str, optimum: float, within: float) -> None:
    result = learn(families, method=method)
    assert result.status == "optimal" or method == "order_search", str(result)
    assert result.score == pytest.approx(optimum, abs=within)


@pytest.mark.parametrize("method", [*LATTICE, "ilp", "auto", "order_search"])
@pytest.mark.parametrize(("data", "score", "max_parents", "optimum"), DATA)
def test_optima_of_data(data: str, score: str, max_parents: int | None, optimum: float, method: str) -> None:
    if (data, method) in TOO_HARD:
        pytest.skip("more than a minute or 4 GB")
    check(families_of(data, score, max_parents), method, optimum, 2e-6)


@pytest.mark.parametrize("method", ["dp", "astar", "ilp", "auto", "order_search"])
@pytest.mark.parametrize(("file", "optimum", "within"), FILES)
def test_optima_of_score_files(file: str, optimum: float, within: float, method: str) -> None:
    if (file, method) in TOO_HARD:
        pytest.skip("more than a minute or 4 GB")
    check(credenet.load_families(shared_data("scores", file)), method, optimum, within)


@pytest.mark.parametrize("score", ["bic", "bdeu"])
@pytest.mark.parametrize(("data", "max_parents"), SMALL.items())
def test_branch_and_cut_agrees_with_dynamic_programming(data: str, max_parents: int, score: str) -> None:
    families = families_of(data, score, max_parents)
    optimum = learn(families, method="dp").score
    assert optimum is not None
    check(families, "ilp", optimum, tolerance(optimum))
