"""What is to be learned, and what a result tells of it: from data, from families, and from files of families."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import credenet
from credenet import FamilyTable, Knowledge
from credenet.errors import ArgumentError, KnowledgeError
from credenet.families.info import FamilyTableInfo
from credenet.knowledge.kinds import global_kinds
from credenet.learners.problem import LearningProblem
from credenet.priors import Uniform
from credenet.scores import BIC
from credenet.settings.method_bases import GLOBAL_KINDS, MAX_PARENTS
from credenet.settings.methods import DP, Method

DATA = credenet.datasets.asia(500, seed=1)
OTHER = credenet.datasets.asia(500, seed=2)
RULES = Knowledge(forbidden=[("asia", "tub")], max_parents={"xray": 1})


def scored(**options: object) -> FamilyTable:
    return credenet.score_families(DATA, score="bic", knowledge=RULES, max_parents=3, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", [".jkl", ".scores", ".pss", ".parquet", ".jkl.gz"])
def test_a_file_of_families_tells_what_made_them(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"families{suffix}"
    scored().save(path)
    families = credenet.load_families(path)
    made = credenet.learn(families, method="dp").provenance
    straight = credenet.learn(DATA, method="dp", score="bic", knowledge=RULES, max_parents=3).provenance
    assert made == straight
    assert made.data_digest == DATA.digest()
    assert made.knowledge == RULES
    assert made.scoring_version == made.version == credenet.__version__
    set_made = credenet.credible_networks(families, slack=0.0).provenance
    assert replace(set_made, method=made.method) == made


def test_the_version_is_that_of_the_scoring(tmp_path: Path) -> None:
    families = scored()
    families.with_info(replace(families.made, version="0.0.1")).save(tmp_path / "old.jkl")
    made = credenet.learn(credenet.load_families(tmp_path / "old.jkl")).provenance
    assert (made.scoring_version, made.version) == ("0.0.1", credenet.__version__)
    assert made.to_dict()["scoring_version"] == "0.0.1"


def test_the_report_names_the_data() -> None:
    report = str(credenet.learn(scored()))
    assert f"500 rows, digest {DATA.digest()}" in report
    assert f"scored by credenet {credenet.__version__}" in report


def test_verify_knows_the_data_of_families() -> None:
    families = scored()
    result = credenet.learn(families)
    on_data = result.verify(DATA)
    assert all(check.holds for check in on_data)
    assert "the data are those it was learned from" in [check.claim for check in on_data]
    assert any(check.claim.startswith("the score is") for check in on_data)
    on_families = result.verify(families)
    assert all(check.holds for check in on_families)
    assert "the families are scored on the data it was learned from" in [check.claim for check in on_families]
    other = credenet.score_families(OTHER, score="bic", knowledge=RULES, max_parents=3)
    for source in (OTHER, other):
        first = next(check for check in result.verify(source) if "the data" in check.claim)
        assert first.holds is False
    assert credenet.credible_networks(families, slack=0.0).verify(families)
    assert not credenet.credible_networks(families, slack=0.0).verify(other)


def test_files_of_others_tell_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plain.jkl"
    scored().with_info(FamilyTableInfo()).save(path)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    result = credenet.learn(credenet.load_families(path))
    made = result.provenance
    assert (made.data_digest, made.scoring_version, made.score, made.prior, made.n_rows) == (None,) * 5
    claims = {check.claim.split(" -")[0]: check.holds for check in result.verify(DATA)}
    assert claims["the score is"] is None
    assert "the data are those it was learned from" not in claims


def test_families_of_some_variables_are_not_of_these_data() -> None:
    families = credenet.score_families(DATA)
    assert families.select(families.variables).made.data_digest == DATA.digest()
    assert families.select(families.variables[::-1]).made.data_digest is None
    parts = [credenet.score_families(DATA.select(names)) for names in (DATA.variables[:4], DATA.variables[2:])]
    assert parts[0].merge(parts[1]).made.data_digest is None
    assert families.merge(families).made.data_digest == DATA.digest()
    with pytest.raises(ArgumentError, match="tables of different data_digest cannot be merged"):
        families.merge(credenet.score_families(OTHER))


@pytest.mark.parametrize("kind", get_args(Method))
def test_every_method_says_what_it_needs_and_honours(kind: type[Method]) -> None:
    method = kind()
    families = credenet.score_families(DATA)
    width = 2 if method.needs_tree_width else None
    if method.needs is None:
        assert credenet.learn(families, method=method, tree_width=width).verify(families)
    else:
        with pytest.raises(ArgumentError, match=f"{method.short_name} needs .*data"):
            credenet.learn(families, method=method)
    limited = Knowledge(max_parents=1)
    if MAX_PARENTS in method.honours:
        assert credenet.learn(DATA, method=method, knowledge=limited, tree_width=width).dag.max_in_degree <= 1
    else:
        with pytest.raises(KnowledgeError, match=f"{method.short_name} cannot honour max_parents"):
            credenet.learn(DATA, method=method, knowledge=limited)
    joined = Knowledge(adjacent=[("asia", "xray")])
    assert global_kinds(joined) == ["adjacent"]
    if "adjacent" in method.honours:
        found = credenet.learn(DATA, method=method, knowledge=joined, max_parents=2).dag
        assert {("asia", "xray"), ("xray", "asia")} & set(found.edges)
    else:
        with pytest.raises(KnowledgeError, match=f"{method.short_name} cannot honour adjacent"):
            credenet.learn(DATA, method=method, knowledge=joined)
    assert method.honours <= {*GLOBAL_KINDS, MAX_PARENTS}


@pytest.mark.parametrize("method", [one for one in get_args(Method) if not (one.uses_score and one.uses_test)])
def test_a_score_or_a_test_that_a_method_does_not_use_is_refused(method: type[Method]) -> None:
    options = {True: {"test": "g2"}, False: {"score": "bic"}}[method.uses_score]
    with pytest.raises(ArgumentError, match=f"{method.short_name} uses"):
        credenet.learn(DATA, method=method(), **options)  # type: ignore[arg-type]


def test_rules_of_a_table_are_rules_of_the_problem() -> None:
    families = scored()
    problem = LearningProblem.from_arguments(
        families, DP(), knowledge=Knowledge(forbidden=[("smoke", "bronc")]), max_parents=2
    )
    assert problem.knowledge == RULES.combine(Knowledge(forbidden=[("smoke", "bronc")]))
    assert problem.max_parents == 2
    assert (problem.score, problem.prior) == (BIC(), Uniform())
    assert isinstance(problem.source, FamilyTable)
    assert problem.source.statistics().largest_set == 2


def test_the_sample_size_alone_is_that_of_the_table() -> None:
    data = credenet.datasets.asia(200)
    families = credenet.score_families(data, ess=10)
    assert credenet.learn(families, ess=10).score == credenet.learn(families).score
    for find in (credenet.learn, credenet.credible_networks, credenet.posterior):
        with pytest.raises(ArgumentError, match=r"made with the score bdeu\(ess=10\), not bdeu"):
            find(families, ess=1)
        with pytest.raises(ArgumentError, match="ess goes with the names bdeu and bds; the table was made with"):
            find(credenet.score_families(data, score="bic"), ess=1)
    unknown = FamilyTable.from_lists({"a": [(0.0, ())], "b": [(-1.0, ()), (0.0, ("a",))]})
    with pytest.raises(ArgumentError, match="the table does not say by which it was made"):
        credenet.learn(unknown, ess=1)


def test_only_branch_and_cut_loads_the_solver() -> None:
    program = """
import sys
import credenet
data = credenet.datasets.asia(100)
credenet.learn(data, method=credenet.methods.AStar()), credenet.learn(data, method="rai")
print("highspy" in sys.modules)
credenet.learn(data, method="ilp")
print("highspy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
