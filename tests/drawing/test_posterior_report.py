"""Reports of posteriors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import credenet
from credenet import StructurePosterior, posterior
from credenet._html import html_table
from credenet._text import probability
from credenet.errors import ArgumentError
from html_page import Page
from polls import every_poll


@pytest.fixture(scope="module")
def data() -> credenet.Dataset:
    return credenet.datasets.asia(500, seed=1)


def report_of(found: StructurePosterior, folder: Path, command: str | None = None) -> tuple[str, Page]:
    path = folder / "report.html"
    found.report(path, command=command)
    written = path.read_text()
    assert "http" not in written
    return written, Page(written)


def test_report_of_sums(data: credenet.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # The report must not need matplotlib.
    found = posterior(data)
    written, page = report_of(found, tmp_path, "credenet posterior <asia.csv>")
    assert page.tags.count("svg") == 1
    for (a, b), shares in found.pair_probabilities().items():
        for parent, child, share in ((a, b, shares.forward), (b, a, shares.backward)):
            open_share = f"; joined, but data cannot tell the direction: {probability(shares.undetermined)}"
            told = f"{parent} \u2192 {child}: {probability(share)}" + open_share * (shares.undetermined > 0)
            assert f'title="{told}"' in written
    for name, sets in found.parent_set_probabilities().items():
        parents, share = next(iter(sets.items()))
        assert (
            html_table((), [(name, ", ".join(parents) or "none", probability(share))], numbers=(2,))[14:-16] in written
        )
    for text in (f"{found.log_evidence:.6f}", "credenet posterior <asia.csv>", str(found.provenance.data_digest)):
        assert text in page.text
    assert "Markov chains" not in page.text
    with pytest.raises(ArgumentError, match="command"):
        found.report(tmp_path / "x.html", command=3)  # type: ignore[arg-type]


def test_report_of_chains(data: credenet.Dataset, tmp_path: Path) -> None:
    found = posterior(data, method="mcmc")
    written, page = report_of(found, tmp_path)
    assert page.tags.count("svg") == 1 + 1
    assert written.partition("Markov chains</h2>")[2].count("<polyline") == len(found.chains[0].log_scores)
    assert "largest rhat" in page.text


def test_report_of_chains_that_are_too_short(data: credenet.Dataset, tmp_path: Path) -> None:
    found = posterior(data, method="mcmc", time_limit=1e-3)
    assert found.status == "not_converged"
    assert "too few moves to tell whether the chains agree" in str(found)
    assert found.to_dict()["diagnostics"][0]["largest_rhat"] is None
    written, page = report_of(found, tmp_path)
    assert "so that no probabilities are shown" in page.text
    assert "Parent sets" not in page.text
    assert "heat" not in written.partition("</style>")[2]


def test_report_of_a_sum_that_was_stopped(tmp_path: Path) -> None:
    network = credenet.random.network(credenet.random.dag(17, max_parents=2, seed=1), n_states=2, seed=1)
    with every_poll():
        found = posterior(network.sample(100, seed=1), on_progress=lambda progress: False)
    assert found.status == "stopped"
    _, page = report_of(found, tmp_path)
    assert "it was stopped" in page.text
    assert page.tags.count("svg") == 0
