"""``credenet query`` as a user runs it."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import credenet
from commands import Done, credenet_command
from credenet.methods import ImportanceSampling

MARKOV = """MARKOV
3
2 2 3
2
2 0 1
2 1 2

4
 2 1 1 2

6
 1 2 3 3 2 1
"""


def run(*arguments: object, cwd: Path, verb: str = "query") -> Done:
    return credenet_command(verb, *arguments, cwd=cwd)


def answer(*arguments: object, cwd: Path, verb: str = "query") -> dict[str, Any]:
    done = run(*arguments, "--json", cwd=cwd, verb=verb)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    credenet.textbook.asia().save(tmp_path / "asia.bif")
    (tmp_path / "m.uai").write_text(MARKOV)
    (tmp_path / "new.evid").write_text("1 2 0\n")
    (tmp_path / "old.evid").write_text("1\n1 2 0\n")
    (tmp_path / "m.query").write_text("2\n2 0\n")
    return tmp_path


def test_marginals(folder: Path) -> None:
    evidence: dict[str, Any] = {"xray": "yes", "smoke": {"yes": 3.0, "no": 1.0}}
    inference = credenet.textbook.asia().infer(evidence)
    result = answer("asia.bif", "lung", "--evidence", "xray=yes", "--evidence", "smoke=3,1", cwd=folder)
    assert result["marginals"] == {"lung": pytest.approx(inference.marginals()["lung"])}
    assert result["log_evidence"] == pytest.approx(inference.log_evidence)
    printed = run("asia.bif", "lung", "--evidence", "xray=yes", cwd=folder).stdout
    assert "lung      yes    0.488711     ██████████\n" in printed


def test_most_probable(folder: Path) -> None:
    best = credenet.textbook.asia().infer({"dysp": "yes"}).mpe()
    result = answer("asia.bif", "--evidence", "dysp=yes", "--task", "mpe", cwd=folder)
    assert result["assignment"] == best.assignment
    assert result["log_probability"] == pytest.approx(best.log_probability)


@pytest.mark.parametrize("evidence", ["new.evid", "old.evid"])
def test_uai_results(evidence: str, folder: Path) -> None:
    """With variable 2 in state 0 the product is 2 1 1 2 times 1 3 along variable 1."""
    options = ("m.uai", "--evidence-file", evidence)
    result = answer(*options, "--task", "pr", "-o", "x.PR", cwd=folder)
    assert result == {"log_evidence": pytest.approx(math.log(12))}
    heading, value = (folder / "x.PR").read_text().split()
    assert heading == "PR"
    assert float(value) == pytest.approx(math.log10(12))

    answer(*options, "-o", "x.MAR", cwd=folder)
    words = (folder / "x.MAR").read_text().split()
    assert words[:3] == ["MAR", "3", "2"]
    numbers = [float(word) for word in words[2:]]
    assert numbers == pytest.approx([2, 5 / 12, 7 / 12, 2, 1 / 4, 3 / 4, 3, 1, 0, 0])

    result = answer(*options, "--task", "mpe", "-o", "x.MPE", cwd=folder)
    assert result["log_probability"] == pytest.approx(math.log(6))
    assert (folder / "x.MPE").read_text() == "MPE\n3 1 1 0\n"


def test_marginal_map(folder: Path) -> None:
    """The sums over variable 1 by variables 2 and 0: 5 6 7 and 7 6 5."""
    result = answer("m.uai", "--task", "mmap", "--query-file", "m.query", "-o", "x.MMAP", cwd=folder)
    assert result["log_probability"] == pytest.approx(math.log(7))
    assert result["log_bound"] == result["log_probability"]
    assert result["status"] == "optimal"
    assert result["assignment"] in ({"2": "0", "0": "1"}, {"2": "2", "0": "0"})
    state, other = result["assignment"]["2"], result["assignment"]["0"]
    assert (folder / "x.MMAP").read_text() == f"MMAP\n2 2 {state} 0 {other}\n"
    named = answer("asia.bif", "lung", "bronc", "--task", "mmap", "--evidence", "dysp=yes", cwd=folder)
    best = credenet.textbook.asia().infer({"dysp": "yes"}).map(["lung", "bronc"])
    assert named["assignment"] == best.assignment
    assert named["log_probability"] == pytest.approx(best.log_probability)


APPROXIMATIONS = ("loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling", "gibbs")
ANSWERED = {
    **{(task, method): True for task in ("mar", "pr", "mpe", "mmap") for method in ("exact", "auto")},
    **{("mar", method): True for method in APPROXIMATIONS},
    **{("pr", method): method != "gibbs" for method in APPROXIMATIONS},
    **{(task, method): False for task in ("mpe", "mmap") for method in APPROXIMATIONS},
}


@pytest.mark.parametrize(("task", "method"), ANSWERED)
def test_every_task_with_every_method(
    task: str, method: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is answered, or refused before the model is read; nothing answers another question."""
    from credenet.cli.app import run as run_here

    monkeypatch.chdir(folder)
    is_answered = ANSWERED[task, method]
    model = "asia.bif" if is_answered else "nothing.bif"
    variables = ["lung"] if task in ("mar", "mmap") else []
    words = ["query", model, *variables, "--evidence", "dysp=yes", "--task", task, "--method", method, "--json"]
    code = run_here(words)
    printed = capsys.readouterr()
    if not is_answered:
        assert code == 2
        assert f"--method {method}" in printed.err
        return
    assert code == 0, printed.err
    found = json.loads(printed.out)
    keys = {"mar": "marginals", "pr": "log_evidence", "mpe": "assignment", "mmap": "assignment"}
    assert ("assignment" in found) == (task in ("mpe", "mmap"))
    assert ("marginals" in found) == (task == "mar")
    shown = found[keys[task]]
    inference = credenet.textbook.asia().infer({"dysp": "yes"})
    if task == "mar":
        assert list(shown) == ["lung"]
        assert shown["lung"] == pytest.approx(inference.marginals()["lung"], abs=0.05)
    elif task == "pr":
        assert shown == pytest.approx(inference.log_evidence, abs=0.1)
    else:
        assert shown == (inference.mpe() if task == "mpe" else inference.map(["lung"])).assignment


def test_a_task_that_auto_answers_exactly(folder: Path) -> None:
    """Where the marginals of all variables do not fit, the most probable states are still not approximated."""
    done = run("asia.bif", "--task", "mpe", "--method", "auto", "--memory-limit", "100", cwd=folder)
    assert done.returncode == 2
    assert "exact inference needs" in done.stderr


def test_answers_that_only_exact_inference_has() -> None:
    answers = credenet.textbook.asia().infer(method="ijgp")
    with pytest.raises(AttributeError, match="map needs exact inference"):
        answers.map  # type: ignore[attr-defined]  # noqa: B018


def test_drawing(folder: Path) -> None:
    answer("asia.bif", "--evidence", "dysp=yes", "--draw", "asia.svg", cwd=folder)
    svg = ElementTree.fromstring((folder / "asia.svg").read_text())
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert set(credenet.textbook.asia().variables) <= set(texts)
    assert texts.count("yes") == texts.count("no") == 8
    assert "100.0%" in texts
    assert len(list(svg.iter("{http://www.w3.org/2000/svg}polyline"))) == 8


def test_explanations(folder: Path) -> None:
    evidence = ("--evidence", "dysp=yes", "--evidence", "xray=yes")
    inference = credenet.textbook.asia().infer({"dysp": "yes", "xray": "yes"})
    result = answer("asia.bif", *evidence, "--targets", "tub", "lung", "--k", "3", cwd=folder, verb="explain")
    expected = inference.explain(["tub", "lung"], k=3)
    assert result["status"] == "optimal"
    assert [one["assignment"] for one in result["explanations"]] == [one.assignment for one in expected]
    assert [one["gbf"] for one in result["explanations"]] == pytest.approx([one.gbf for one in expected])
    printed = run("asia.bif", *evidence, cwd=folder, verb="explain").stdout
    assert "38.7510  either=yes\n" in printed


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("asia.bif",), 2, "there is no evidence to explain"),
        (("asia.bif", "--evidence", "dysp=yes", "--k", "0"), 2, "k must be at least 1, got 0"),
        (("asia.bif", "--evidence", "dysp=yes", "--k", "2.5"), 2, "a whole number is needed, got '2.5'"),
        (("asia.bif", "--evidence", "dysp=yes", "--targets", "nose"), 1, "there is no variable 'nose'"),
        (("asia.bif", "--evidence", "lung=yes", "--evidence", "either=no"), 1, "the evidence has probability 0"),
    ],
)
def test_explanations_refused(arguments: tuple[str, ...], code: int, message: str, folder: Path) -> None:
    done = run(*arguments, cwd=folder, verb="explain")
    assert done.returncode == code
    assert message in done.stderr


def test_prediction(folder: Path) -> None:
    asia = credenet.textbook.asia()
    rows = asia.sample(20, seed=3)
    rows.save(folder / "rows.csv")
    result = answer("asia.bif", "bronc", "--data", "rows.csv", cwd=folder)
    assert result["probabilities"] == [pytest.approx(row) for row in asia.predict_proba(rows, "bronc").tolist()]
    assert result["predictions"] == asia.predict(rows, "bronc")
    assert run("asia.bif", "bronc", "--data", "rows.csv", "-o", "p.csv", cwd=folder).returncode == 0
    assert (folder / "p.csv").read_text().splitlines()[0] == "bronc,P(yes),P(no)"
    (folder / "one.csv").write_text("smoke,xray,lung\nyes,,\n")  # Two columns, one of them the target, have no values.
    result = answer("asia.bif", "lung", "--data", "one.csv", cwd=folder)
    assert result["probabilities"] == [pytest.approx([0.1, 0.9])]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("asia.bif", "--evidence", "nose=yes"), 2, "--evidence names 'nose', but there is no such variable"),
        (("asia.bif", "--evidence", "nose"), 2, "--evidence must be VARIABLE=STATE, got 'nose'"),
        (("asia.bif", "--evidence", "lung=maybe"), 1, "variable 'lung' has no state 'maybe'"),
        (("asia.bif", "--evidence", "lung=yes", "--evidence", "lung=no"), 1, "the evidence contradicts itself"),
        (("asia.bif", "--evidence", "lung=yes", "--evidence", "either=no"), 1, "the evidence has probability 0"),
        (("asia.bif", "nose"), 1, "there is no variable 'nose'"),
        (("asia.bif", "lung", "-o", "x.MAR"), 2, "--output writes the marginals of all variables"),
        (("asia.bif", "--memory-limit", "100"), 2, "exact inference needs"),
        (("asia.bif", "--task", "mmap"), 2, "--task mmap needs variables"),
        (("asia.bif", "--draw", "x.png"), 2, "draw writes .svg files, got 'x.png'"),
        (("m.uai", "--task", "mmap", "--query-file", "bad.query"), 1, "bad.query:1: the variables are 0 to 2, got 9"),
        (("m.uai", "--task", "mmap", "--query-file", "long.query"), 1, "announces 2 variables, but 1 follow"),
        (("m.uai", "--task", "mmap", "--query-file", "twice.query"), 1, "has variable 1 twice"),
        (
            ("asia.bif", "--samples", "100"),
            2,
            "importance_sampling, gibbs, not to exact",
        ),
        (("asia.bif", "--method", "gibbs", "--damping", "0.1"), 2, "--damping belongs to loopy_bp, ijgp, not to gibbs"),
        (("asia.bif", "--method", "ijgp", "--task", "mpe"), 2, "--task mpe is for exact inference"),
        (("asia.bif", "lung", "--method", "ijgp", "--task", "mmap"), 2, "--method ijgp answers mar and pr"),
        (("asia.bif", "lung", "--task", "pr"), 2, "--task pr is the probability of the evidence alone"),
        (("nothing.bif", "-o", "nowhere/x.MAR"), 1, "nowhere/x.MAR: the folder does not exist"),
        (("nothing.bif", "--draw", "nowhere/x.svg"), 1, "nowhere/x.svg: the folder does not exist"),
        (("nothing.bif", "--draw", "x.svg", "--method", "ijgp"), 2, "--draw is for exact inference"),
        (("m.uai", "--method", "likelihood_weighting"), 2, "follows the arcs of a Bayesian network"),
        (("m.uai", "--evidence-file", "bad.evid"), 1, "bad.evid:1: the states of variable 2 are 0 to 2, got 7"),
        (("m.uai", "--evidence-file", "long.evid"), 1, "announces evidence for 2 variables, but 2 numbers follow"),
        (("m.uai", "--evidence-file", "many.evid"), 1, "has 2 samples of evidence; only one can be used"),
    ],
)
def test_refusals(arguments: tuple[str, ...], code: int, message: str, folder: Path) -> None:
    (folder / "bad.evid").write_text("1 2 7")
    (folder / "bad.query").write_text("1 9")
    (folder / "long.query").write_text("2 1")
    (folder / "twice.query").write_text("2 1 1")
    (folder / "long.evid").write_text("2 2 0")
    (folder / "many.evid").write_text("2\n1 2 0\n0\n1 1 0\n")
    done = run(*arguments, cwd=folder)
    assert done.returncode == code
    assert message in done.stderr


@pytest.mark.parametrize("method", ["loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling", "gibbs"])
def test_approximate_methods(method: str, folder: Path) -> None:
    result = answer("asia.bif", "bronc", "dysp", "--evidence", "smoke=yes", "--method", method, cwd=folder)
    assert list(result["marginals"]) == ["bronc", "dysp"]
    assert result["marginals"]["bronc"]["yes"] == pytest.approx(0.6, abs=0.05)
    assert result["exact"] is False
    assert result["status"] in ("converged", "complete", "not_converged")
    assert result["method"]["name"] == method
    samples = method not in ("loopy_bp", "ijgp")
    assert (result["standard_errors"] is not None) == samples
    assert not samples or 0 <= result["standard_errors"]["bronc"]["yes"] < 0.05
    assert (result["log_evidence"] is None) == (method == "gibbs")


def test_settings_of_approximate_methods(folder: Path) -> None:
    options = ("asia.bif", "--evidence", "xray=yes", "--method", "importance_sampling", "--samples", 500)
    result = answer(*options, "--i-bound", 1, "--seed", 3, cwd=folder)
    expected = credenet.textbook.asia().infer({"xray": "yes"}, method=ImportanceSampling(500, i_bound=1), seed=3)
    assert result["marginals"]["lung"] == pytest.approx(expected.marginals()["lung"])
    printed = run(*options, cwd=folder).stdout
    assert printed.startswith("importance_sampling: complete\nprobability of the evidence about 0.1")
    assert " (log -2.2" in printed
    assert "± 0.0" in printed
    stopped = run("asia.bif", "--method", "loopy_bp", "--max-iterations", 2, "--tolerance", 1e-9, cwd=folder)
    assert stopped.returncode in (0, 3)  # The code is 3 if two sweeps were not enough.


def test_auto_and_result_files(folder: Path) -> None:
    assert answer("m.uai", "--method", "auto", cwd=folder)["exact"] is True
    answer("m.uai", "--evidence-file", "new.evid", "--method", "ijgp", "-o", "x.MAR", cwd=folder)
    numbers = [float(word) for word in (folder / "x.MAR").read_text().split()[2:]]
    assert numbers == pytest.approx([2, 5 / 12, 7 / 12, 2, 1 / 4, 3 / 4, 3, 1, 0, 0])
    result = answer("m.uai", "--evidence-file", "new.evid", "--method", "ijgp", "--task", "pr", cwd=folder)
    assert result["log_evidence"] == pytest.approx(math.log(12))
