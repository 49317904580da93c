"""``credenet learn`` as a user runs it."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import credenet
from commands import answer, credenet_command
from credenet.tests import G2
from credenet.types import ResFile
from family_strategies import hard_families
from polls import signalled


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asia = credenet.textbook.asia()
    asia.save(tmp_path / "asia.bif")
    asia.sample(2000, seed=1).save(tmp_path / "asia.csv")
    return tmp_path


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """Families that take no method less than minutes."""
    path = tmp_path / "hard.jkl"
    hard_families(1).save(path)
    return path


def interrupted(
    *arguments: object, cwd: Path, during: str, at: int, number: signal.Signals = signal.SIGINT
) -> dict[str, Any]:
    """The JSON object that a command prints when a signal comes at a poll."""
    done = signalled(*arguments, "--json", cwd=cwd, during=during, at=at, number=number)
    assert done.returncode == 130, done.stderr
    assert "interrupted; the" in done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_no_samples_are_learned_from_after_ctrl_c(folder: Path) -> None:
    result = interrupted("learn", "asia.csv", "--bootstrap", 1000, cwd=folder, during="learning", at=1)
    assert result["status"] == "stopped"
    assert "bootstrap" not in result


METHODS = {
    **dict.fromkeys(("auto", "dp", "astar", "bfbnb", "weighted_astar", "ara_star", "awa_star"), "optimal"),
    **dict.fromkeys(("order_search", "hill_climb", "tabu"), "local_optimum"),
}
WITHIN = {"optimal": 1e-6, "local_optimum": 30.0}  # Largest distance from the best score.


@pytest.mark.parametrize(("method", "status"), METHODS.items())
def test_from_data(folder: Path, method: str, status: str) -> None:
    result = answer("learn", "asia.csv", "--score", "bic", "--method", method, cwd=folder)
    best = credenet.learn(credenet.read(folder / "asia.csv"), score="bic", method="dp")
    assert best.score is not None
    assert result["score"] <= best.score + 1e-6
    assert result["method"] == method
    assert result["undirected"] == []
    assert result["isolated"] == []
    assert result["seconds"] > 0
    assert result["status"] == status
    assert result["score"] == pytest.approx(best.score, abs=WITHIN[status])
    assert (result["bound"] == result["score"]) == (status == "optimal")


def test_from_families(folder: Path) -> None:
    answer("score", "asia.csv", "--score", "bic", "-o", "asia.jkl", cwd=folder)
    answer("score", "asia.csv", "--score", "bic", "-o", "asia.parquet", cwd=folder)
    (folder / "asia.BIC.3").write_bytes((folder / "asia.jkl").read_bytes())
    direct = answer("learn", "asia.csv", "--score", "bic", cwd=folder)
    for name in ("asia.jkl", "asia.parquet", "asia.BIC.3"):
        assert answer("learn", name, cwd=folder)["score"] == pytest.approx(direct["score"])


def test_network_and_graph_files(folder: Path) -> None:
    credenet_command("learn", "asia.csv", "-o", "learned.bif", cwd=folder)
    network = credenet.load(folder / "learned.bif")
    credenet_command("learn", "asia.csv", "-o", "learned.txt", cwd=folder)
    assert credenet.load_graph(folder / "learned.txt") == network.dag
    answer("score", "asia.csv", "-o", "asia.jkl", cwd=folder)
    done = credenet_command("learn", "asia.jkl", "-o", "learned2.bif", cwd=folder)
    assert done.returncode == 2
    assert "learned2.bif would hold tables, which need data" in done.stderr
    assert not (folder / "learned2.bif").exists()


@pytest.mark.parametrize("samples", [0, -1, 10_000_000])
def test_a_number_of_samples_is_checked_before_the_learning(folder: Path, samples: int) -> None:
    done = credenet_command("learn", "asia.csv", "--bootstrap", samples, "-o", "samples.bif", cwd=folder)
    assert done.returncode == 2
    assert "bootstrap must be" in done.stderr
    assert not done.stdout
    assert not (folder / "samples.bif").exists()


def test_knowledge_order_and_prior(folder: Path) -> None:
    rules = credenet.Knowledge(forbidden=[("either", "xray"), ("xray", "either")])
    rules.save(folder / "rules.json")
    result = answer("learn", "asia.csv", "--knowledge", "rules.json", "--prior", "ssp", cwd=folder)
    assert ["either", "xray"] not in result["edges"]
    names = list(credenet.textbook.asia().variables)
    ordered = answer("learn", "asia.csv", "--order", ",".join(reversed(names)), cwd=folder)
    places = {name: place for place, name in enumerate(reversed(names))}
    assert ordered["status"] == "optimal"
    assert all(places[a] < places[b] for a, b in ordered["edges"])


def test_tests_of_independence(folder: Path) -> None:
    result = answer("learn", "asia.csv", "--method", "PC", "--test", "G2", "--significance", "0.01", cwd=folder)
    data = credenet.read(folder / "asia.csv")
    expected = credenet.learn(data, method="pc", test=G2(0.01))
    assert isinstance(expected.graph, credenet.PDAG)
    assert result["edges"] == [list(edge) for edge in expected.graph.directed]
    assert result["undirected"] == [list(edge) for edge in expected.graph.undirected]
    assert result["tests"] == {str(order): number for order, number in expected.statistics.tests.items()}
    assert result["test"] == "g2(significance=0.01)"
    assert result["status"] == "complete"
    assert result["score"] is None
    low = answer("learn", "asia.csv", "--method", "pc", "--max-order", "0", "-o", "learned.bif", cwd=folder)
    assert list(low["tests"]) == ["0"]
    assert credenet.load(folder / "learned.bif").variables == data.variables


def test_text_and_trace(folder: Path) -> None:
    done = credenet_command("learn", "asia.csv", "--method", "astar", "--trace", "bounds.csv", cwd=folder)
    assert done.returncode == 0
    assert "optimal in" in done.stdout
    assert "->" in done.stdout
    assert (folder / "bounds.csv").read_text().startswith("seconds,score,bound\n")
    credenet_command("learn", "asia.csv", "--method", "astar", "--trace", "bounds.svg", cwd=folder)
    assert "<svg" in (folder / "bounds.svg").read_text()


def test_time_limit(hard: Path) -> None:
    done = credenet_command("learn", hard, "--method", "awa_star", "--time-limit", "1", "--json", cwd=hard.parent)
    assert done.returncode == 3, done.stderr
    result = json.loads(done.stdout)
    assert result["status"] == "time_limit"
    assert result["bound"] > result["score"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_prints_the_best_so_far(hard: Path, number: signal.Signals) -> None:
    command = ("learn", hard, "--method", "awa_star")
    result = interrupted(*command, cwd=hard.parent, during="learning", at=500, number=number)
    assert result["status"] == "stopped"
    assert len(result["edges"]) > 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["learn", "asia.csv", "--method", "magic"], 2, "magic"),
        (["learn", "nothing.csv"], 1, "nothing.csv"),
        (["learn", "asia.csv", "--time-limit", "soon"], 2, "a time must be given as 90"),
        (["learn", "asia.csv", "--scratch-dir", "x"], 2, "--scratch-dir belongs to bfbnb"),
        (["learn", "asia.csv", "--order", "asia,nobody"], 1, "nobody"),
        (["learn", "asia.csv", "--max-parents", "-1"], 2, "max_parents must be at least 0"),
        (
            ["learn", "asia.csv", "--method", "pc", "--test", "cmi", "--df", "classical"],
            2,
            "--df belongs to g2, chi2",
        ),
        (["learn", "asia.csv", "--max-order", "1"], 2, "--max-order belongs to pc"),
        (["learn", "asia.csv", "--test", "g2"], 2, "auto uses a score, not a test"),
        (["learn", "asia.csv", "-o", "x.bif", "--cpdag"], 2, "x.bif would hold tables, which --cpdag does not give"),
        (["learn", "asia.csv", "-o", "x.svg", "--cpdag"], 2, "x.svg is neither a graph (.json .txt"),
        (["learn", "asia.csv", "-o", "x.png"], 2, "credenet draw makes pictures of them"),
    ],
)
def test_errors(folder: Path, arguments: list[str], code: int, message: str) -> None:
    done = credenet_command(*arguments, cwd=folder)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_constraints_as_gobnilp_has_them(folder: Path) -> None:
    rules = "asia-xray  # adjacent\n~tub->either<-lung\nsmoke _|_ tub\nbronc,dysp _|_ xray | either,asia\n"
    (folder / "asia.con").write_text(rules)
    arguments = ("learn", "asia.csv", "--score", "bic", "--max-parents", "2", "--knowledge", "asia.con")
    result = answer(*arguments, cwd=folder)
    assert result["status"] == "optimal"
    assert result["reason"] == "ilp, which honours adjacent, forbidden_immoralities, independences"
    knowledge = credenet.Knowledge.load(folder / "asia.con")
    data = credenet.read(folder / "asia.csv")
    assert knowledge.violations(credenet.DAG(data.variables, map(tuple, result["edges"]))) == []
    free = answer("learn", "asia.csv", "--score", "bic", "--max-parents", "2", cwd=folder)
    assert result["score"] < free["score"]
    done = credenet_command(*arguments, "--method", "dp", cwd=folder)
    assert done.returncode == 1
    assert "dp cannot honour adjacent; use auto or ilp or hill_climb or tabu" in done.stderr


def test_knowledge_that_no_network_obeys(folder: Path) -> None:
    rules = {
        "format": "credenet knowledge",
        "independences": [["asia", "tub"], ["smoke", "lung"]],
        "not_adjacent": [["asia", "smoke"]],
        "max_roots": 1,
        "max_edges": 6,
    }
    (folder / "rules.json").write_text(json.dumps(rules))
    done = credenet_command("learn", "asia.csv", "--max-parents", "2", "--knowledge", "rules.json", cwd=folder)
    assert done.returncode == 1
    assert "no network obeys the knowledge" in done.stdout


def test_contradictory_knowledge(folder: Path) -> None:
    rules = {"format": "credenet knowledge", "required": [["asia", "tub"], ["tub", "asia"]]}
    (folder / "rules.json").write_text(json.dumps(rules))
    done = credenet_command("learn", "asia.csv", "--knowledge", "rules.json", cwd=folder)
    assert done.returncode == 1
    assert "the required edges make a cycle: 'asia' -> 'tub' -> 'asia'" in done.stderr


@pytest.mark.parametrize(
    ("verb", "during", "status"), [("score", "scoring", "interrupted"), ("learn", "learning", "stopped")]
)
def test_interrupt_while_families_are_scored(tmp_path: Path, verb: str, during: str, status: str) -> None:
    rng = np.random.default_rng(0)
    data = credenet.Dataset({f"v{k}": ["0", "1"] for k in range(12)}, rng.integers(0, 2, (300, 12)))
    data.save(tmp_path / "wide.csv")
    result = interrupted(verb, "wide.csv", "--score", "log_likelihood", cwd=tmp_path, during=during, at=5)
    assert result["status"] == status


def test_the_equivalence_class(folder: Path) -> None:
    done = credenet_command("learn", "asia.csv", "--score", "bic", cwd=folder)
    result = credenet.learn(credenet.read(folder / "asia.csv"), score="bic")
    free = {frozenset(pair) for pair in result.cpdag.undirected}
    assert free
    for tail, head in result.dag.edges:
        line = next(line for line in done.stdout.splitlines() if line.strip().startswith(f"{tail} -> {head}"))
        assert (f"{tail} -- {head}, either direction" in line) == (frozenset((tail, head)) in free)
    classes = credenet_command("learn", "asia.csv", "--score", "bic", "--cpdag", "-o", "class.txt", cwd=folder)
    assert credenet.load_graph(folder / "class.txt") == result.cpdag
    assert "--" in classes.stdout
    assert "either direction" not in classes.stdout
    described = answer("learn", "asia.csv", "--score", "bic", cwd=folder)
    assert described["cpdag"]["undirected"] == [list(pair) for pair in result.cpdag.undirected]
    assert (
        answer("learn", "asia.csv", "--score", "bic", "--cpdag", cwd=folder)["undirected"]
        == (described["cpdag"]["undirected"])
    )


def test_overfitting_is_remarked_on(folder: Path) -> None:
    rng = np.random.default_rng(1)
    wide = credenet.Dataset({f"v{k}": list("abcd") for k in range(30)}, rng.integers(0, 4, (20, 30)))
    wide.save(folder / "wide.csv")
    done = credenet_command("learn", "wide.csv", "--method", "hill_climb", cwd=folder)
    assert "more joint states of their parents than there are rows" in done.stdout
    assert answer("learn", "wide.csv", "--method", "hill_climb", cwd=folder)["remarks"]
    assert answer("learn", "asia.csv", cwd=folder)["remarks"] == []


def test_what_was_learned_is_printed_before_anything_else_can_fail(folder: Path) -> None:
    """Tables of so many parents do not fit into memory; the network is printed and its graph can be written."""
    rng = np.random.default_rng(1)
    wide = credenet.Dataset({f"v{k}": list("abcd") for k in range(60)}, rng.integers(0, 4, (24, 60)))
    wide.save(folder / "wide.csv")
    done = credenet_command("learn", "wide.csv", "--method", "hill_climb", "-o", "wide.bif", cwd=folder)
    assert done.returncode == 1
    assert "the tables would take" in done.stderr
    assert "edges (" in done.stdout
    shown = credenet_command("learn", "wide.csv", "--method", "hill_climb", "-o", "wide.bif", "--json", cwd=folder)
    assert json.loads(shown.stdout)["edges"]


@pytest.mark.parametrize("suffix", [".jkl", ".pss", ".parquet"])
def test_families_know_their_data(folder: Path, suffix: str) -> None:
    """From data to scores to a network, which says of which data, and by which version and rules."""
    credenet.Knowledge(forbidden=[("smoke", "lung")]).save(folder / "rules.json")
    families = f"asia{suffix}"
    answer("score", "asia.csv", "--score", "bic", "--knowledge", "rules.json", "-o", families, cwd=folder)
    data = credenet.read(folder / "asia.csv")
    for verb in ("learn", "credible"):
        limit = ["--slack", "0"] if verb == "credible" else []
        made = answer(verb, families, *limit, cwd=folder)["provenance"]
        assert made["data_digest"] == data.digest()
        assert made["n_rows"] == 2000
        assert made["scoring_version"] == made["version"] == credenet.__version__
        assert (made["score"], made["prior"], made["complete"]) == ("bic", "uniform", True)
        assert made["knowledge"]["forbidden"] == [["smoke", "lung"]]
    assert data.digest() in credenet_command("learn", families, cwd=folder).stdout
    result = credenet.learn(credenet.load_families(folder / families))
    assert all(check.holds for check in result.verify(data))
    assert not result.verify(credenet.datasets.asia())


class TestBoundedTreeWidth:
    def test_from_data_and_families(self, folder: Path) -> None:
        answer("score", "asia.csv", "--max-parents", "2", "-o", "asia.jkl", cwd=folder)
        for source in ("asia.csv", "asia.jkl"):
            result = answer("learn", source, "--tree-width", 2, "--time-limit", "60", cwd=folder)
            assert (result["status"], result["tree_width"]) == ("optimal", 2)
            assert sorted(result["elimination_order"]) == sorted(credenet.textbook.asia().variables)
            assert result["score"] == result["bound"] <= result["unbounded_score"]
            assert result["provenance"]["tree_width"] == 2

    @pytest.mark.parametrize("method", ["s2", "s2_plus", "kp", "kp_plus(complete=True)", "kmax", "kg", "exact"])
    def test_every_method(self, folder: Path, method: str) -> None:
        result = answer("learn", "asia.csv", "--tree-width", 1, "--method", method, cwd=folder)
        assert result["tree_width"] <= 1
        assert result["method"] == method

    def test_other_networks_have_no_tree_width(self, folder: Path) -> None:
        assert "tree_width" not in answer("learn", "asia.csv", cwd=folder)

    def test_cliques_and_result_files(self, folder: Path) -> None:
        done = credenet_command("learn", "asia.csv", "--tree-width", 2, "-o", "asia.res", "--json", cwd=folder)
        first = json.loads(done.stdout)
        (folder / "result.json").write_text(done.stdout)
        (folder / "cliques.json").write_text(json.dumps(first["bags"]))
        for name in ("result.json", "cliques.json"):
            again = answer("learn", "asia.csv", "--cliques", name, cwd=folder)
            assert again["score"] == pytest.approx(first["score"])
        stored = ResFile.load(folder / "asia.res", variables=credenet.textbook.asia().variables)
        assert [list(edge) for edge in stored.graph.edges] == first["edges"]
        assert list(stored.elimination_order or ()) == first["elimination_order"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--tree-width", "-1"], "tree_width must be at least 0, got -1"),
            (["--tree-width", "2", "--method", "dp"], "dp does not bound the tree-width; use one of auto, s2"),
            (["--method", "kg"], "kg finds networks of bounded tree-width; give tree_width, such as --tree-width 4"),
            (["--cliques", "none.json"], "none.json: No such file"),
            (["--cliques", "broken.json"], "broken.json:1: is not JSON"),
            (["--cliques", "number.json"], "number.json: must be a list of lists of variables"),
            (["--cliques", "names.json"], "names.json: must be a list of lists of variables"),
            (["--cliques", "other.json"], "cliques: unknown variable 'x'"),
        ],
    )
    def test_wrong_input(self, folder: Path, arguments: list[str], message: str) -> None:
        for name, text in (
            ("broken.json", "[["),
            ("number.json", "3"),
            ("names.json", '{"bags": ["asia"]}'),
            ("other.json", '[["x"]]'),
        ):
            (folder / name).write_text(text)
        done = credenet_command("learn", "asia.csv", *arguments, cwd=folder)
        assert done.returncode in (1, 2)
        assert message in done.stderr
