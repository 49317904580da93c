"""Files of credible networks and classes: parquet, JSON and text."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import credenet
from credenet import CredibleClasses, CredibleSet
from credenet.errors import ArgumentError, FormatError
from credibility_tables import WHOLE, independent_pairs


@pytest.fixture(scope="module", params=["networks", "classes"])
def found(request: pytest.FixtureRequest) -> CredibleSet | CredibleClasses:
    data = credenet.datasets.asia(1000, seed=1)
    find = credenet.credible_networks if request.param == "networks" else credenet.credible_classes
    return find(data, score="bic")


def test_parquet(found: CredibleSet | CredibleClasses, tmp_path: Path) -> None:
    found.save(tmp_path / "x.parquet")
    found.listing.to_parquet(tmp_path / "y.table")
    for name in ("x.parquet", "y.table"):
        assert pl.read_parquet(tmp_path / name).equals(found.to_polars())


@pytest.mark.parametrize("name", ["x.json", "x.JSON", "x.json.gz"])
def test_json(found: CredibleSet | CredibleClasses, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    found.save(path)
    contents = json.loads(gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes())
    what = "networks" if isinstance(found, CredibleSet) else "classes"
    assert contents[what] == found.to_polars().to_dicts()
    assert contents["complete"] is True
    assert contents["shares_among"] == "the credible networks, which hold 72 % of the posterior"
    assert contents["covered_mass"] == pytest.approx(0.72, abs=0.005)
    assert contents["provenance"] == found.provenance.to_dict()


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz"])
def test_text(found: CredibleSet | CredibleClasses, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    found.save(path)
    text = (gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()).decode()
    frame = found.to_polars()
    head, *lines = text.splitlines()
    assert head.split("\t") == frame.columns
    assert [line.split("\t") for line in lines] == [[str(value) for value in row] for row in frame.iter_rows()]


@pytest.mark.parametrize("name", ["x.csv", "x", "x.parquet.gz"])
def test_other_suffixes_are_refused(found: CredibleSet | CredibleClasses, tmp_path: Path, name: str) -> None:
    with pytest.raises(ArgumentError, match=rf"\.parquet, \.json or \.txt file .* got {name}"):
        found.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_no_networks(tmp_path: Path) -> None:
    table = credenet.FamilyTable.from_lists({"a": [(-1.0, ["b"])], "b": [(-1.0, ["a"])]}, made=WHOLE)
    found = credenet.credible_networks(table, slack=1.0)
    for name in ("x.json", "x.txt", "x.parquet"):
        found.save(tmp_path / name)
    assert json.loads((tmp_path / "x.json").read_text())["networks"] == []
    assert len((tmp_path / "x.txt").read_text().splitlines()) == 1
    assert pl.read_parquet(tmp_path / "x.parquet").height == 0


def test_shares_of_an_incomplete_set_are_not_called_probabilities(tmp_path: Path) -> None:
    whole = credenet.credible_networks(credenet.datasets.asia(1000, seed=1), score="bic")
    findings = replace(whole._findings, complete=False, complete_slack=None, status="stopped", ended_in="enumeration")
    found = whole._with_findings(findings)
    for listed in (found, found.classes):
        assert "probability" not in listed.to_polars().columns
        for name in ("x.json", "x.txt", "x.parquet"):
            listed.save(tmp_path / name)
        assert json.loads((tmp_path / "x.json").read_text())["shares_among"] == "the networks found only"
        assert "probability" not in (tmp_path / "x.txt").read_text()
        assert "share_found" in pl.read_parquet(tmp_path / "x.parquet").columns


def test_names_that_no_file_holds(tmp_path: Path) -> None:
    table = credenet.FamilyTable.from_lists({"\ud800": [(-1.0, [])]}, made=WHOLE)
    with pytest.raises(FormatError, match="UTF-8 cannot hold"):
        credenet.credible_networks(table, slack=1.0).save(tmp_path / "x.txt")
    assert not list(tmp_path.iterdir())


def test_more_networks_than_any_disk_holds(tmp_path: Path) -> None:
    found = credenet.credible_networks(independent_pairs(40), slack=0.0)
    with pytest.raises(ArgumentError, match="there are 1,099,511,627,776, more than 1,000,000,000"):
        found.save(tmp_path / "x.parquet")
    found.classes.save(tmp_path / "x.json")  # The set has one class.
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
