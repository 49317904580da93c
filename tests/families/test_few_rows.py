"""The remark on few rows under the uniform prior."""

from __future__ import annotations

import pytest

import credenet
from credenet.families.few_rows import few_rows_remarks

REMARK = "80 rows are few for bdeu with the uniform prior: prior='edge' predicted unseen rows clearly better on"


def test_results_of_few_rows_name_the_sparse_prior() -> None:
    data = credenet.datasets.asia(80, seed=1)
    for result in (credenet.learn(data), credenet.credible_networks(data), credenet.posterior(data)):
        assert result.remarks[-1].startswith(REMARK) or result.remarks[0].startswith(REMARK)
        assert any(remark.startswith(REMARK) for remark in result.to_dict()["remarks"])
        assert REMARK in str(result)
    shell = credenet.credible_networks(data).to_dict(shell=True)["remarks"][0]
    assert "--prior edge predicted" in shell


@pytest.mark.parametrize(
    "options",
    [{"prior": "edge"}, {"score": "bic"}, {"ess": 10}, {"method": "chow_liu"}, {"method": "pc"}, {"max_parents": 0}],
    ids=str,
)
def test_other_choices_have_no_such_remark(options: dict[str, object]) -> None:
    result = credenet.learn(credenet.datasets.asia(80, seed=1), **options)  # type: ignore[arg-type]
    assert not any("rows are few" in remark for remark in result.remarks)


@pytest.mark.parametrize(("n_rows", "number"), [(0, 0), (0.5, 1), (100, 1), (101, 0), (None, 0)])
def test_how_few(n_rows: float | None, number: int) -> None:
    assert len(few_rows_remarks("bdeu", "uniform", n_rows)) == number
    assert few_rows_remarks(None, "uniform", n_rows) == few_rows_remarks("bdeu", None, n_rows) == []
