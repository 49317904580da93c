"""The commands that score families and list credible networks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import credenet
from commands import answer, credenet_command


class TestScore:
    def test_families(self, folder: Path) -> None:
        result = answer("score", "asia.csv", "--score", "bic", "--bayes-factor", 20, "-o", "asia.jkl", cwd=folder)
        expected = credenet.score_families(credenet.read(folder / "asia.csv"), score="bic", bayes_factor=20)
        assert result["families"] == len(expected)
        assert result["evaluated"] == expected.made.evaluated
        assert result["complete"] is True
        assert credenet.load_families(folder / "asia.jkl") == expected

    def test_graph(self, folder: Path) -> None:
        result = answer("score", "asia.csv", "--graph", "asia.bif", "--ess", 2, cwd=folder)
        data = credenet.read(folder / "asia.csv")
        expected = credenet.score(data, credenet.textbook.asia().dag, ess=2)
        assert result["score"] == pytest.approx(expected.total, abs=1e-9)
        assert result["local"] == pytest.approx(dict(expected.local), abs=1e-9)

    @pytest.mark.parametrize(
        "flags",
        [
            ["-o", "asia.jkl"],
            ["--max-parents", "2"],
            ["--no-isolate-constant"],
            ["--slack", "1"],
            ["--search", "best_first"],
            ["--unproven-bounds"],
            ["--time-limit", "9"],
        ],
        ids="".join,
    )
    def test_flags_for_families_are_refused_with_a_graph(self, folder: Path, flags: list[str]) -> None:
        done = credenet_command("score", "asia.csv", "--graph", "asia.bif", *flags, cwd=folder)
        assert done.returncode == 2
        assert "cannot be given with --graph, of which its own families alone are scored" in done.stderr
        assert not (folder / "asia.jkl").exists()

    def test_limit_exits_with_three(self, folder: Path) -> None:
        flags = ["--score", "qnml", "--memory-limit", "5000", "--json"]
        done = credenet_command("score", "asia.csv", *flags, cwd=folder)
        assert done.returncode == 3
        assert json.loads(done.stdout)["status"] == "memory_limit"

    def test_best_first(self, folder: Path) -> None:
        flags = ["--score", "bic", "--search", "best_first", "--max-families", "5", "-o", "few.jkl", "--json"]
        done = credenet_command("score", "asia.csv", *flags, cwd=folder)
        assert done.returncode == 3
        result = json.loads(done.stdout)
        assert (result["status"], result["complete"], result["evaluated"]) == ("iteration_limit", False, 8 * 5)
        data = credenet.read(folder / "asia.csv")
        expected = credenet.score_families(data, score="bic", search="best_first", max_families=5)
        assert credenet.load_families(folder / "few.jkl") == expected
        assert answer("score", "asia.csv", "--search", "best_first", cwd=folder)["complete"] is True

    def test_knowledge(self, folder: Path) -> None:
        credenet.Knowledge(forbidden=[("smoke", "lung")]).save(folder / "rules.json")
        answer("score", "asia.csv", "--knowledge", "rules.json", "-o", "asia.pss", cwd=folder)
        table = credenet.load_families(folder / "asia.pss")
        assert not any("smoke" in parents for _, parents in table.families("lung"))

    def test_usage(self, folder: Path) -> None:
        for flags in (["--ess", "-1"], ["--score", "nonsense"], ["--time-limit", "soon"], ["--max-parents", "-1"]):
            assert credenet_command("score", "asia.csv", *flags, cwd=folder).returncode == 2, flags


class TestCredible:
    def test_data(self, folder: Path) -> None:
        result = answer("credible", "asia.csv", "--score", "bic", "--bayes-factor", 3, cwd=folder)
        found = credenet.credible_networks(credenet.read(folder / "asia.csv"), score="bic", bayes_factor=3)
        assert result["optimum"] == found.optimum
        assert result["networks"] == found.n_networks
        assert result["classes"] == found.classes.n_classes
        assert result["complete"] is True
        assert result["isolated"] == []
        assert result["seconds"] > 0
        edges = {(a, b): share for a, b, share in result["edge_probabilities"]}
        assert edges == pytest.approx(found.edge_probabilities())

    def test_families_and_networks_to_a_file(self, folder: Path) -> None:
        credenet_command("score", "asia.csv", "--score", "bic", "--slack", 3, "-o", "slack.jkl", cwd=folder)
        flags = ["--slack", 2, "-o", "credible.parquet"]
        result = answer("credible", "slack.jkl", *flags, cwd=folder)
        assert pl.read_parquet(folder / "credible.parquet").height == result["networks"]
        assert answer("credible", "slack.jkl", "--k", 5, cwd=folder)["networks"] >= 5

    def test_text_and_errors(self, folder: Path) -> None:
        done = credenet_command("credible", "asia.csv", "--ratio", "1.0001", cwd=folder)
        assert "Probabilities among the credible networks" in done.stdout
        assert credenet_command("credible", "asia.csv", "--bayes-factor", "0.5", cwd=folder).returncode == 2
        assert credenet_command("credible", "asia.csv", "--k", "3", "--slack", "1", cwd=folder).returncode == 2
        refused = credenet_command("credible", "asia.csv", "--score", "mit", "--bayes-factor", "3", cwd=folder)
        assert refused.returncode == 2
        assert "Bayes factor has no meaning" in refused.stderr
        warned = credenet_command("credible", "asia.csv", "--score", "aic", "--bayes-factor", "1", cwd=folder)
        assert warned.returncode == 0
        assert "in name only" in warned.stderr

    def test_report(self, folder: Path) -> None:
        done = credenet_command("credible", "asia.csv", "--score", "bic", "--report", "asia.html", cwd=folder)
        assert "written to asia.html" in done.stderr
        page = (folder / "asia.html").read_text()
        assert page.startswith("<!DOCTYPE html>")
        assert "http" not in re.sub(
            r'<script type="module">.*?</script>', "", page, flags=re.DOTALL
        )  # Licences name web sites.
        assert "credenet credible asia.csv --score bic --report asia.html" in page
        assert "of the posterior" in page
        wrong = credenet_command("credible", "asia.csv", "--report", "asia.pdf", cwd=folder)
        assert wrong.returncode == 2
        assert "a report is written to a .html file, got asia.pdf" in wrong.stderr

    def test_sets_that_no_listing_reaches(self, folder: Path) -> None:
        lists = {f"v{k}": [(0.0, []), (0.0, [f"v{k ^ 1}"])] for k in range(120)}
        credenet.FamilyTable.from_lists(lists).save(folder / "pairs.jkl")
        result = answer("credible", "pairs.jkl", "--slack", "0", "--report", "pairs.html", cwd=folder)
        assert result["networks"] == 3**60
        assert result["classes"] == 2**60
        assert result["complete"] is False  # The result is relative to this table.
        assert f"{3**60:,}" in (folder / "pairs.html").read_text()

    def test_classes(self, folder: Path) -> None:
        data = credenet.read(folder / "asia.csv")
        found = credenet.credible_classes(data, score="bic", bayes_factor=3)
        flags = ["--score", "bic", "--classes", "-o", "classes.parquet"]
        result = answer("credible", "asia.csv", *flags, "--bayes-factor", 3, cwd=folder)
        assert (result["classes"], result["networks"]) == (found.n_classes, found.n_networks)
        assert (result["optimum"], result["complete"]) == (found.optimum, True)
        assert result["covered_mass"] == pytest.approx(found.covered_mass(data))
        pairs = {(a, b): shares for a, b, *shares in result["pair_probabilities"]}
        assert pairs == {pair: pytest.approx(list(shares)) for pair, shares in found.pair_probabilities().items()}
        frame = pl.read_parquet(folder / "classes.parquet")
        assert frame["members"].to_list() == [one.members for one in found]
        best = answer("credible", "asia.csv", *flags, "--k", 2, cwd=folder)
        assert best["classes"] == credenet.k_best_classes(data, 2, score="bic").n_classes
        shown = credenet_command("credible", "asia.csv", "--score", "bic", "--classes", cwd=folder).stdout
        assert "a Bayes factor of 20 of the best" in shown
        refused = credenet_command("credible", "asia.csv", "--classes", "--report", "asia.html", cwd=folder)
        assert refused.returncode == 2
        assert "give it without --classes" in refused.stderr

    def test_covered_mass(self, folder: Path) -> None:
        data = credenet.read(folder / "asia.csv")
        share = credenet.credible_networks(data, score="bic").covered_mass(data)
        flags = ["--score", "bic"]
        assert answer("credible", "asia.csv", *flags, cwd=folder)["covered_mass"] == pytest.approx(share)
        assert answer("credible", "asia.csv", *flags, "--no-covered-mass", cwd=folder)["covered_mass"] is None
        shown = credenet_command("credible", "asia.csv", *flags, cwd=folder).stdout
        assert share is not None
        assert f"together they hold {100 * (1 - share):.0f} % of the posterior" in shown
        credenet_command("score", "asia.csv", *flags, "--slack", 3, "-o", "slack.jkl", cwd=folder)
        assert answer("credible", "slack.jkl", "--slack", 2, cwd=folder)["covered_mass"] is None
        refused = credenet_command("credible", "slack.jkl", "--slack", 2, "--covered-mass", cwd=folder)
        assert refused.returncode == 2
        assert "needs the data" in refused.stderr

    def test_a_quick_sum_needs_no_leave(self, folder: Path) -> None:
        found = answer("credible", "asia.csv", "--score", "bic", "--memory-limit", "200kB", cwd=folder)
        assert found["covered_mass"] is not None

    def test_too_many_variables_are_refused_before_the_search(self, folder: Path) -> None:
        names = [f"v{k}" for k in range(28)]
        rows = [",".join("yes" if (row * 7 + k * k) % 5 < 2 else "no" for k in range(28)) for row in range(40)]
        (folder / "wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
        refused = credenet_command("credible", "wide.csv", "--covered-mass", "-o", "wide.parquet", cwd=folder)
        assert refused.returncode == 2
        assert "for up to 26 variables; there are 28" in refused.stderr
        assert not (folder / "wide.parquet").exists()

    @pytest.mark.parametrize(
        "flags", [("--k", "2.5"), ("--max-parents", "1.5"), ("--n-threads", "two")], ids=lambda flags: flags[0]
    )
    def test_no_fraction_is_dropped(self, folder: Path, flags: tuple[str, str]) -> None:
        refused = credenet_command("credible", "asia.csv", *flags, cwd=folder)
        assert refused.returncode == 2
        assert f"a whole number is needed, got '{flags[1]}'" in refused.stderr

    def test_sizes_and_files(self, folder: Path) -> None:
        assert answer("credible", "asia.csv", "--memory-limit", "1GB", cwd=folder)["complete"] is True
        refused = credenet_command("credible", "asia.csv", "--memory-limit", "1GX", cwd=folder)
        assert refused.returncode == 2
        assert "500MB" in refused.stderr
        for flag, file in (("-o", "no/x.parquet"), ("--report", "no/x.html")):
            missing = credenet_command("credible", "asia.csv", flag, file, cwd=folder)
            assert missing.returncode == 1
            assert f"{file}: the folder does not exist" in missing.stderr
            assert missing.stdout == ""
        little = credenet_command("credible", "asia.csv", "--memory-limit", 100, cwd=folder)
        assert little.returncode == 3
        assert "memory was full before all families were scored" in little.stdout

    def test_more_networks_than_can_be_listed(self, folder: Path) -> None:
        done = credenet_command("credible", "asia.csv", "--slack", 200, "--json", cwd=folder)
        assert done.returncode == 3
        assert "there are more networks than fit into memory; try a smaller --bayes-factor" in done.stderr
        result = json.loads(done.stdout)
        assert (result["complete"], result["status"], result["slack"]) == (False, "memory_limit", 200)
        assert 0 < result["complete_slack"] < 200
