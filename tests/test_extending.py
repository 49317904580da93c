"""What docs/extending.md says: additions from outside the package, and the names of the files that it sends to."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import credenet
from credenet import BayesianNetwork, Dataset, Knowledge
from credenet._run.run import Run
from credenet.cli.app import app, run
from credenet.cli.arguments.groups import TableFlags
from credenet.cli.inputs import read_data
from credenet.errors import ArgumentError, FormatError
from credenet.families.arrays import first_inside
from credenet.families.structure_priors import log_weights
from credenet.independence.judging import function_judge, judge_of
from credenet.io.networks.formats import add_network_format
from credenet.priors import Edge
from credenet.scores import AIC
from credenet.search.components import Choice, Component, ComponentResult
from credenet.search.solvers import choose_solver
from credenet.settings.choices import ChoiceKind, Settings, real, whole
from credenet.settings.method_bases import ScoreBased
from credenet.settings.methods import METHODS
from credenet.settings.priors import PRIORS, ModularPrior
from credenet.settings.scores import SCORES, FamilyScore
from credenet.settings.tests import TESTS

ROOT = Path(__file__).parents[1]
DATA = credenet.datasets.asia(300)
ASIA = credenet.textbook.asia()

pytestmark = pytest.mark.usefixtures("forgotten_additions")


@dataclass(frozen=True, slots=True)
class Penalised(FamilyScore):
    """Log-likelihood less ``weight`` for each free parameter: AIC, if it is 1."""

    weight: float = field(default=1.0, metadata=real(least=0))

    short_name: ClassVar[str] = "penalised"
    is_equivalent: ClassVar[bool] = True
    sums_counts: ClassVar[bool] = False

    @property
    def batch_functions(self) -> Any:
        return self.score_batch, None

    def score_batch(self, data: Dataset, families: Sequence[tuple[str, tuple[str, ...]]]) -> list[float]:
        sizes = dict(zip(data.variables, data.n_states.tolist(), strict=True))
        return [
            likelihood(data, [child, *parents])
            - likelihood(data, parents)
            - self.weight * (sizes[child] - 1) * math.prod(sizes[name] for name in parents)
            for child, parents in families
        ]


def likelihood(data: Dataset, names: Sequence[str]) -> float:
    places = [data.index(name) for name in names]
    counts = np.unique(data.codes[:, places], axis=0, return_counts=True)[1] if places else np.array([len(data)])
    return float((counts * np.log(counts)).sum())


def test_a_score() -> None:
    SCORES.add(Penalised)
    given: dict[str, Any] = {"max_parents": 2}
    mine, known = credenet.learn(DATA, score="penalised", **given), credenet.learn(DATA, score=AIC(), **given)
    assert (mine.status, mine.provenance.score_name) == ("optimal", "penalised")
    assert mine.score == pytest.approx(known.score, abs=1e-9)
    assert mine.verify(DATA)
    sets = [credenet.credible_networks(DATA, score=score, slack=1.0, **given) for score in ("Penalised", "aic")]
    assert set(sets[0]) == set(sets[1])
    sparse = credenet.learn(DATA, score="penalised(weight=30)", **given)
    assert len(sparse.dag.edges) < len(mine.dag.edges)


@dataclass(frozen=True, slots=True)
class Halving(ModularPrior):
    """Each further parent divides the weight of a family by ``by``: an edge prior of 1 / ``by``."""

    by: float = field(default=2.0, metadata=real(above=0))

    short_name: ClassVar[str] = "halving"
    is_equivalent: ClassVar[bool] = True


@log_weights.register(Halving)
def weigh_by_halving(
    prior: Halving, variables: Sequence[str], n_rows: float, sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    return -sizes * math.log(prior.by)


def test_a_prior(tmp_path: Path) -> None:
    PRIORS.add(Halving)
    mine, known = credenet.learn(DATA, prior="halving(by=8)"), credenet.learn(DATA, prior=Edge(1 / 8))
    assert mine.status == "optimal"
    assert mine.score == pytest.approx(known.score, abs=1e-9)
    assert mine.provenance.prior_name == "halving(by=8)"
    sure = [credenet.posterior(DATA, prior=prior).edge_probabilities() for prior in ("halving(by=8)", Edge(1 / 8))]
    assert sure[0] == pytest.approx(sure[1], abs=1e-12)
    path = tmp_path / "asia.jkl"
    credenet.score_families(DATA, prior=cast(Any, Halving(8))).save(path)
    again = credenet.learn(credenet.load_families(path), prior="halving(by=8)")
    assert again.score == pytest.approx(mine.score, abs=1e-6)
    with pytest.raises(ArgumentError, match=r"made with the prior halving\(by=8\), not halving"):
        credenet.learn(credenet.load_families(path), prior="halving")


@dataclass(frozen=True, slots=True)
class Weak(Settings):
    """Independent if the mutual information is below ``nats``."""

    nats: float = field(default=0.01, metadata=real(above=0))

    short_name: ClassVar[str] = "weak"


@judge_of.register(Weak)
def judge_by_weakness(test: Weak, data: Dataset, variables: Sequence[str], *, states: Any, n_threads: Any) -> Any:
    def is_independent(x: str, y: str, given: tuple[str, ...]) -> bool:
        return credenet.independence_test(data, x, y, given, test="cmi", states=states).statistic < test.nats

    return function_judge(is_independent, variables)


@pytest.mark.parametrize("method", ["pc", "rai", "mmhc"])
def test_a_test(method: str) -> None:
    TESTS.add(Weak)
    mine = credenet.learn(DATA, method=method, test="weak(nats=0.02)")
    assert mine.graph == credenet.learn(DATA, method=method, test="cmi(threshold=0.02)").graph
    assert mine.provenance.test == "weak(nats=0.02)"


@dataclass(frozen=True, slots=True)
class RandomOrders(ScoreBased):
    """The best network of some random orders of the variables."""

    orders: int = field(default=100, metadata=whole(least=1))

    short_name: ClassVar[str] = "random_orders"


@choose_solver.register(RandomOrders)
def solve_by_random_orders(method: RandomOrders, families: Any, constraints: Any, run: Run, reasons: Any) -> Any:
    flat = families.flat()

    def solve(component: Component, run: Run, ledger: Any, number: int) -> ComponentResult:
        draw = random.Random(run.seed)
        orders = [draw.sample(range(len(component)), len(component)) for _ in range(method.orders)]
        choices = [choice for order in orders if (choice := choose_by_order(component, order)) is not None]
        if not choices:
            return ComponentResult(choice=None, score=-math.inf, bound=component.bound, status="complete")
        best = max(choices, key=lambda choice: float(flat.scores[choice].sum()))
        score = math.fsum(flat.scores[best])
        return ComponentResult(choice=best, score=score, bound=component.bound, status="complete")

    return solve


def choose_by_order(component: Component, order: list[int]) -> Choice | None:
    flat, chosen, before = component.flat, [0] * len(order), np.zeros(len(order), dtype=np.bool_)
    for member in order:
        first = int(flat.starts[member])
        best = first_inside(flat, first, int(flat.starts[member + 1]), before)
        if best is None:  # A parent that is required comes later in this order.
            return None
        chosen[member], before[member] = best - first, True
    return component.from_flat(chosen)


def test_a_method() -> None:
    METHODS.add(RandomOrders)
    families = credenet.score_families(credenet.datasets.asia(500))
    best, mine = credenet.learn(families), credenet.learn(families, method="random_orders(orders=5)", seed=4)
    assert (mine.status, mine.provenance.method) == ("complete", "random_orders(orders=5)")
    assert mine.score is not None
    assert best.score is not None
    assert mine.bound is not None
    assert mine.score < best.score <= mine.bound
    assert mine.verify(families)
    assert mine.dag == credenet.learn(families, method="random_orders(orders=5)", seed=4).dag
    rules = Knowledge(required=[("xray", "dysp")], forbidden=[("tub", "either")])
    ruled = credenet.learn(DATA, method="random_orders", knowledge=rules).dag
    assert ("xray", "dysp") in ruled.edges
    assert ("tub", "either") not in ruled.edges


def parse(text: str, path: str | Path) -> BayesianNetwork:
    import ast

    states, parents, tables = ast.literal_eval(text)
    return BayesianNetwork(states, parents, tables)


def render(network: BayesianNetwork, path: str | Path) -> str:
    tables = {name: network.table(name).tolist() for name in network.variables}
    parents = {name: network.parents(name) for name in network.variables}
    return repr((dict(network.states), parents, tables))


def test_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    add_network_format("literal", [".lit", ".literal"], parse=parse, render=render)
    ASIA.save("asia.lit")
    assert credenet.load("asia.lit") == ASIA
    ASIA.save("asia.any", format=cast(Any, "literal"))
    assert credenet.load("asia.any", format=cast(Any, "literal")) == ASIA
    assert run(["convert", "asia.lit", "asia.bif"]) == 0
    assert run(["convert", "asia.bif", "again.literal.gz"]) == 0
    assert credenet.load("again.literal.gz") == ASIA
    assert credenet.load_graph("asia.lit") == ASIA.dag
    with pytest.raises(ArgumentError, match=r"the suffix \.csv is already that of another format"):
        add_network_format("rows", [".csv"], parse=parse, render=render)
    with pytest.raises(ArgumentError, match="there is already a format named bif"):
        add_network_format("bif", [".b"], parse=parse, render=render)
    add_network_format("literal", [".lit"], parse=lambda text, path: ASIA, render=render)
    assert credenet.load("asia.lit") is ASIA


def states(data: Path, *, output: Path | None = None, reading: TableFlags = TableFlags()) -> None:  # noqa: B008
    """Print the number of states of each column."""
    for name, labels in read_data(data, reading).states.items():
        print(name, len(labels))


def test_a_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    app.command(states)
    DATA.save("asia.csv")
    assert run(["states", "asia.csv", "--columns", "asia,smoke"]) == 0
    assert capsys.readouterr().out == "asia 2\nsmoke 2\n"
    assert run(["--help"]) == 0
    assert "Print the number of states of each column." in capsys.readouterr().out
    assert run(["states", "none.csv"]) == 1
    assert "none.csv: No such file" in capsys.readouterr().err


PROGRAM = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_extending import Halving, PRIORS
PRIORS.add(Halving)
from credenet.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def test_a_program_with_more_names(tmp_path: Path) -> None:
    DATA.save(tmp_path / "asia.csv")
    words = ["learn", "asia.csv", "--prior", "halving(by=8)"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "prior halving(by=8)" in done.stdout


def test_results_are_read_where_the_class_is_known(tmp_path: Path) -> None:
    PRIORS.add(Halving)
    path = tmp_path / "credible.json"
    found = credenet.credible_networks(DATA, prior="halving(by=8)", bayes_factor=3)
    found.save(path)
    again = credenet.CredibleSet.load(path)
    assert list(again) == list(found)
    assert again.provenance.prior == found.provenance.prior
    PRIORS.choices, PRIORS.names = PRIORS.choices[:-1], PRIORS.names[:-1]
    with pytest.raises(FormatError, match="a Halving cannot be read or written"):
        credenet.CredibleSet.load(path)


KINDS: list[tuple[ChoiceKind[Any], type[Settings]]] = [
    (SCORES, Penalised),
    (PRIORS, Halving),
    (TESTS, Weak),
    (METHODS, RandomOrders),
]


@pytest.mark.parametrize(("kind", "choice"), KINDS, ids=lambda value: getattr(value, "argument", ""))
def test_names_are_of_one_choice(kind: ChoiceKind[Any], choice: type[Settings]) -> None:
    before = kind.names
    assert kind.add(choice) is choice
    kind.add(choice)  # This repeats the definition, as a notebook cell that runs again does.
    assert kind.names == (*before, choice.short_name)
    taken = kind.choices[0].short_name
    with pytest.raises(ArgumentError, match=f"there is already a {kind.argument} named {taken}"):
        kind.add(type("Other", (choice,), {"__slots__": (), "short_name": taken}))
    assert kind.names == (*before, choice.short_name)


NAMED = {
    "cpp/include/credenet/scores/score.hpp": ["ScoreAbilities"],
    "cpp/src/scores/all_scores.cpp": ["all_scores"],
    "settings/scores.py": ["Score", "FamilyScore", "SCORES"],
    "settings/priors.py": ["Prior", "PRIORS"],
    "families/structure_priors.py": ["log_weights", "expert_parents"],
    "cpp/include/credenet/independence/independence_test.hpp": ["TestKind"],
    "settings/tests.py": ["DataTest", "TESTS"],
    "independence/judging.py": ["CoreTest"],
    "settings/methods.py": ["Method", "METHODS"],
    "settings/method_bases.py": ["MethodAbilities"],
    "learners/methods.py": ["learn_with", "LearningProblem"],
    "io/networks/formats.py": ["build_network"],
    "_files/suffixes.py": ["NETWORK_SUFFIXES", "NetworkFormat", "FAMILY_SUFFIXES", "DATA_SUFFIXES"],
    "cli/app.py": ["VERBS"],
    "explorer/networks.py": ["list_networks"],
    "explorer/contract.py": ["ListingRow"],
    "explorer/static/contract.js": ["ListingRow"],
    "explorer/static/networks.js": ["drawList"],
    "cpp/include/credenet/posterior/dag_state.hpp": ["DagState"],
    "cpp/include/credenet/posterior/block_moves.hpp": ["BlockMoves"],
    "cpp/include/credenet/posterior/dag_chain.hpp": ["ChainMoves"],
    "cpp/src/posterior/dag_chain.cpp": ["DagChain::sweep"],
    "bindings/bind_chains.cpp": ["ChainMoves"],
    "cpp/include/credenet/counts/count_source.hpp": ["CountSource"],
    "placement/service.py": ["CountService"],
    "cpp/include/credenet/families/family_scorer.hpp": ["FamilyScorer"],
    "bindings/bind_scorers.cpp": ["FunctionScorer"],
    "families/scoring/core_scoring.py": ["family_scorer"],
}


def page_names() -> Iterator[str]:
    """What stands in backticks in the text of the page."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / "docs" / "extending.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("path", NAMED)
def test_files_hold_the_names_that_the_page_says(path: str) -> None:
    told = set(page_names())
    [file] = {found for above in (ROOT, ROOT / "src" / "credenet") if (found := above / path).is_file()}
    text = file.read_text()
    for name in NAMED[path]:
        assert {path, name} <= told
        assert re.search(rf"\b{name}\b", text)


def test_every_file_that_holds_a_name_is_checked() -> None:
    """Files of the page that are not in the table are said to be examples, oracles or pages, not to hold a name."""
    paths = {name for name in page_names() if re.fullmatch(r"[\w/]+\.(py|cpp|hpp|js)", name) and "/" in name}
    others = paths - set(NAMED)
    assert others == {
        *("cpp/src/scores/bic.cpp", "cpp/tests/scores/scores_test.cpp", "tests/oracles/slow_scores.py"),
        *("src/credenet/scores.py", "src/credenet/priors.py", "src/credenet/tests.py", "src/credenet/methods.py"),
        *("cpp/include/credenet/families/child_prior.hpp", "tests/families/test_structure_priors.py"),
        *("cpp/src/independence/independence_test.cpp", "bindings/bind_independence.cpp"),
        *("cpp/tests/independence/data_judge_test.cpp", "search/solvers.py", "tests/learners/test_contract.py"),
        *(
            "io/sniffing.py",
            "io/tables/formats.py",
            "attacks/readers.py",
            "cli/arguments/groups.py",
            "cli/arguments/parameters.py",
        ),
        *("cli/inputs.py", "cli/outputs.py", "explorer/evidence.py", "explorer/influence.py"),
        *("cli/verbs/learn.py", "cli/verbs/example.py"),
        *("tests/explorer/test_session.py", "cpp/tests/posterior/chain_moves_test.cpp"),
        "tests/posteriors/test_chains.py",
    }
