"""Whatever is passed to a public call, only our own errors come out of it, and they name the argument."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import polars as pl
import pytest

import credenet
from credenet._arguments import choice, real_number, whole_number
from credenet.errors import ArgumentError, DataError
from credenet.methods import LikelihoodWeighting
from credenet.priors import InDegree, count_dags, in_degree_distribution
from credenet.scores import BIC, BDeu, LogLikelihood
from credenet.settings.methods import METHODS
from credenet.settings.priors import PRIORS
from credenet.settings.scores import SCORES
from credenet.settings.tests import TESTS
from credenet.types import ResFile, TreeDecomposition
from public import public_classes, public_names

matplotlib.use("agg")

ASIA = credenet.textbook.asia()
DATA = ASIA.sample(60, seed=1).select(["asia", "tub", "smoke", "lung"])
FAMILIES = credenet.score_families(DATA)
RESULT = credenet.learn(DATA)
DAG = credenet.DAG(DATA.variables, [("smoke", "lung"), ("asia", "tub")])
CLASS = DAG.cpdag()
NETWORK = credenet.fit(DATA, DAG)
MARKOV = credenet.MarkovNetwork({"a": ["0", "1"]}, [(["a"], [1, 2])])
ANSWERS = NETWORK.infer({"lung": "yes"})
APPROXIMATE = NETWORK.infer({"lung": "yes"}, method="ijgp")
CREDIBLE = credenet.credible_networks(DATA, bayes_factor=2)
CLASSES = credenet.credible_classes(DATA, bayes_factor=2)
POSTERIOR = credenet.posterior(DATA)
RULES = credenet.Knowledge(required=[("smoke", "lung")])
CONFIDENCE = credenet.bootstrap(DATA, method="chow_liu", n_samples=2)
FRAME = pd.DataFrame({"x": ["a", "b"], "y": ["c", "d"]})

WRONG = {
    "None": None,
    "text": "nonsense",
    "dict": {"q": 1},
    "list": [1, "z"],
    "empty": [],
    "negative": -7,
    "fraction": 0.5,
    "nan": math.nan,
    "huge": 10**30,
    "flag": True,
    "frame": FRAME,
    "bytes": b"x",
    "object": object(),
}

LIMITS: dict[str, Any] = {"time_limit": 5, "memory_limit": 1e9, "n_threads": 1, "on_progress": None}
SCORED: dict[str, Any] = {"score": "bic", "ess": None, "prior": "uniform", "states": "declared", "max_parents": 2}
KNOWN: dict[str, Any] = {"knowledge": None}

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {}


def call(name: str, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> None:
    CALLS[name] = (function, arguments, options)


def _placed(data: Any, device: Any = "cpu", cluster: Any = None) -> Any:
    with credenet.placed(data, device=device, cluster=cluster) as rows:
        return rows


call("placed", _placed, DATA, device="cpu", cluster=None)
for method in ("dp", "pc", "hill_climb", "chow_liu", "mmhc"):
    call(f"learn {method}", credenet.learn, DATA, method=method, seed=0, **LIMITS)
call("learn", credenet.learn, DATA, test=None, order=None, cluster=None, **SCORED, **KNOWN)
call("learn families", credenet.learn, FAMILIES, method="dp", **KNOWN, **LIMITS)
call("learn bounded", credenet.learn, DATA, tree_width=1, cliques=None, **KNOWN, **LIMITS)
call("learn within cliques", credenet.learn, DATA, cliques=[["asia", "tub"]])
SIZES: dict[str, Any] = {"bayes_factor": 2, "slack": None, "ratio": None}
call("credible_networks", credenet.credible_networks, DATA, **SIZES, **SCORED, **KNOWN, **LIMITS)
call("credible_classes", credenet.credible_classes, DATA, **SIZES, **SCORED, **KNOWN, **LIMITS)
call("posterior", credenet.posterior, DATA, method="auto", seed=0, **SCORED, **KNOWN, **LIMITS)
call("k_best", credenet.k_best, DATA, 2, **SCORED, **KNOWN, **LIMITS)
call("k_best_classes", credenet.k_best_classes, DATA, 2, **SCORED, **KNOWN, **LIMITS)
LISTS: dict[str, Any] = {"slack": None, "bayes_factor": None, "candidates": None, "unproven_bounds": False}
call("score_families", credenet.score_families, DATA, **LISTS, **SCORED, **KNOWN, **LIMITS)
call("score_families best first", credenet.score_families, DATA, search="best_first", max_families=9, **LIMITS)
call("score", credenet.score, DATA, DAG, score="bdeu", ess=1, prior="uniform", states="declared", n_threads=1)
call("fit", credenet.fit, DATA, DAG, smoothing="bdeu", n_threads=1, on_progress=None)
RESAMPLED: dict[str, Any] = {"method": "chow_liu", "n_samples": 2, "seed": 0, "time_limit": 5}
call("bootstrap", credenet.bootstrap, DATA, n_threads=1, blocks=None, executor=None, on_progress=None, **RESAMPLED)
VALIDATED: dict[str, Any] = {"candidates": None, "methods": ["hill_climb", "pc"], "scores": "bic", "priors": None}
SUBSAMPLED: dict[str, Any] = {"fractions": [0.5], "repetitions": 1, "time_limit_each": 5, "seed": 0, "max_parents": 2}
VALIDATION = credenet.validate(DATA, scores=["bic", "aic"], repetitions=2)
call(
    "validate",
    credenet.validate,
    DATA,
    executor=None,
    **VALIDATED,
    **SUBSAMPLED,
    **LIMITS,
)
call("IntersectionValidation plot", VALIDATION.plot, "o.svg", per_pair=False)
call("compare", credenet.compare, NETWORK, NETWORK, rows=DATA, kl_rows=9, seed=0, n_threads=1, max_branchings=3)
call("marginal_errors", credenet.marginal_errors, NETWORK, NETWORK)
call("independence_test", credenet.independence_test, DATA, "lung", "smoke", ["asia"], test="g2", states="observed")
call("count_dags", count_dags, 3, 2)
call("in_degree_distribution", in_degree_distribution, "uniform", 3, 100, 2)
call("dag", credenet.random.dag, 4, n_edges=3, max_parents=2, seed=0)
call("network", credenet.random.network, DAG, n_states=2, beta=0.5, seed=0)
SIMPLER: dict[str, Any] = {"n_rows": 9, "method": "kg", "smoothing": "bdeu", "condition": "before", "seed": 0}
SAMPLED: dict[str, Any] = {"tree_width": 1, "sampler": "auto"}
call("sample_learn_infer", credenet.sample_learn_infer, NETWORK, {"lung": "yes"}, **SIMPLER, **SAMPLED, **LIMITS)
CODING: dict[str, Any] = {"discretize": None, "missing": "error", "weights": None, "states": "declared"}
call("read", credenet.read, "d.csv", format=None, header=None, max_states=9, n_threads=1, on_progress=None, **CODING)
INGESTED: dict[str, Any] = {"merge": "no", "block_rows": 512, "memory_limit": 1e9, "n_threads": 1, "on_progress": None}
call("ingest", credenet.ingest, "d.csv", "o.cnb", format=None, header=None, max_states=9, **INGESTED, **CODING)
call("Dataset row_blocks", lambda n_rows: list(DATA.row_blocks(n_rows)), 9)
call("load", credenet.load, "net.bif", format=None)
call("load_graph", credenet.load_graph, "g.txt")
call("save_graph", credenet.save_graph, DAG, "o.txt")
call("ResFile.load", ResFile.load, "g.res", variables=None)
call("load_families", credenet.load_families, "f.jkl", format=None)
call("FamilyTable save", FAMILIES.save, "o.jkl", format=None)
call("Dataset", credenet.Dataset, {"a": ["0", "1"]}, np.array([[0], [1]]), weights=None, cuts=None)
call("Dataset.from_frame", credenet.Dataset.from_frame, FRAME, variables=None, max_states=9, **CODING)
call("DAG", credenet.DAG, ["a", "b"], [("a", "b")])
call("PDAG", credenet.PDAG, ["a", "b"], [("a", "b")], [])
for kind in (credenet.DAG, credenet.PDAG):
    call(f"{kind.__name__}.parse", kind.parse, "a -> b")
    call(f"{kind.__name__}.from_adjacency", kind.from_adjacency, [[0, 1], [0, 0]], ["a", "b"])
    call(f"{kind.__name__}.from_networkx", kind.from_networkx, DAG.to_networkx())
call("DAG.from_parents", credenet.DAG.from_parents, {"a": []})
call("DAG.from_indices", credenet.DAG.from_indices, ["a", "b"], [[], [0]])
call("PDAG.from_indices", credenet.PDAG.from_indices, ["a", "b"], [(0, 1)], [])
BAGS: dict[str, Any] = {"variables": ["a", "b"], "bags": [["a"], ["b"]], "parents": [-1, 0]}
call("TreeDecomposition", TreeDecomposition, **BAGS)
call("TreeDecomposition.from_cliques", TreeDecomposition.from_cliques, ["a", "b"], [["a", "b"]])
call("TreeDecomposition.from_indices", TreeDecomposition.from_indices, ["a", "b"], [[0], [1]], [-1, 0])
ELIMINATED = TreeDecomposition.from_elimination_order
call("TreeDecomposition.from_elimination_order", ELIMINATED, DAG, DAG.variables)
for name in ("covers", "problems"):
    call(
        f"TreeDecomposition {name}",
        getattr(TreeDecomposition.from_cliques(DAG.variables, []), name),
        DAG,
    )
for graph in (DAG, CLASS):
    for name in ("parents", "children", "markov_blanket", "without_variable"):
        call(f"{type(graph).__name__} {name}", getattr(graph, name), "lung")
    call(f"{type(graph).__name__} to_adjacency", graph.to_adjacency, frame="pandas")
    call(f"{type(graph).__name__} rename", graph.rename, {"lung": "tumour"})
    call(f"{type(graph).__name__} subgraph", graph.subgraph, ["lung", "smoke"])
    call(f"{type(graph).__name__} with_variable", graph.with_variable, "new", parents=["asia"], children="tub")
    call(f"{type(graph).__name__} equivalent", graph.equivalent, graph)
    call(f"{type(graph).__name__} plot", graph.plot, "o.svg")
for name in ("ancestors", "descendants"):
    call(f"DAG {name}", getattr(DAG, name), "lung")
call("DAG d_separated", DAG.d_separated, "lung", "asia", ["tub"])
call("DAG with_edge", DAG.with_edge, "lung", "asia")
call("DAG reverse_edge", DAG.reverse_edge, "smoke", "lung")
call("DAG elimination_order", DAG.elimination_order, method="min_fill", n_states=None, restarts=1, seed=0, n_threads=1)
call("BayesianNetwork", credenet.BayesianNetwork, {"a": ["0", "1"]}, {"a": []}, {"a": [0.5, 0.5]})
call("MarkovNetwork", credenet.MarkovNetwork, {"a": ["0", "1"]}, [(["a"], [1, 2])])
call("MarkovNetwork.load", credenet.MarkovNetwork.load, "net.uai")
call("MarkovNetwork sample", MARKOV.sample, 5, method="auto", memory_limit=1e9, seed=0, n_threads=1, on_progress=None)
call("BayesianNetwork sample", NETWORK.sample, 5, seed=0, n_threads=1, on_progress=None)
call("BayesianNetwork log_likelihood", NETWORK.log_likelihood, DATA, per_row=False, n_threads=1)
call("predict_proba", NETWORK.predict_proba, DATA, "lung", memory_limit=1e9, n_threads=1, on_progress=None)
call("predict", NETWORK.predict, DATA, "lung", memory_limit=1e9, n_threads=1, on_progress=None)
call("BayesianNetwork with_elimination_order", NETWORK.with_elimination_order, NETWORK.variables)
call("BayesianNetwork save", NETWORK.save, "o.bif", format=None)
call("BayesianNetwork parents", NETWORK.parents, "lung")
call("BayesianNetwork table", NETWORK.table, "lung")
call("BayesianNetwork children", NETWORK.children, "lung")
call("BayesianNetwork markov_blanket", NETWORK.markov_blanket, "lung")
call("BayesianNetwork to_adjacency", NETWORK.to_adjacency, "pandas")
call("BayesianNetwork item", NETWORK.__getitem__, "lung")
call("BayesianNetwork with_table", NETWORK.with_table, "asia", [0.5, 0.5], parents=None)
call("BayesianNetwork rename", NETWORK.rename, {"lung": "tumour"})
call("BayesianNetwork with_variable", NETWORK.with_variable, "new", ["a", "b"], [0.5, 0.5], parents=[])
call("BayesianNetwork without_variable", NETWORK.without_variable, "smoke")
call("BayesianNetwork probability", NETWORK.probability, "asia", "yes")
call("BayesianNetwork.from_networkx", credenet.BayesianNetwork.from_networkx, NETWORK.to_networkx())
call("infer", NETWORK.infer, {"lung": "yes"}, method="exact", elimination_order=None, seed=0, **LIMITS)
call("infer ijgp", NETWORK.infer, {"lung": "yes"}, method="ijgp", seed=0, **LIMITS)
call("Inference marginals", ANSWERS.marginals, ["lung"])
call("Inference joint", ANSWERS.joint, ["lung"])
call("Inference map", ANSWERS.map, ["smoke"])
call("Inference entropy", ANSWERS.entropy, "smoke")
call("Inference mutual_information", ANSWERS.mutual_information, "smoke", "tub")
call("Inference most_informative", ANSWERS.most_informative, "smoke", ["asia"])
call("Inference update", ANSWERS.update, {"smoke": "yes"})
call("Inference sample", ANSWERS.sample, 3, seed=0)
call("Inference explain", ANSWERS.explain, ["smoke"], k=2)
call("Inference draw", ANSWERS.draw, "o.svg", variables=["lung"])
for name in ("marginals", "standard_errors", "to_dict"):
    call(f"ApproximateInference {name}", getattr(APPROXIMATE, name), ["lung"])
call("Dataset select", DATA.select, ["lung"])
call("Dataset take", DATA.take, [0, 1])
call("Dataset index", DATA.index, "lung")
call("Dataset aligned", DATA.aligned, DATA.states)
call("Dataset save", DATA.save, "o.csv")
call("LearnResult verify", RESULT.verify, DATA)
call("LearnResult plot_trace", RESULT.plot_trace, "o.svg")
call("Knowledge", credenet.Knowledge, **{field.name: getattr(RULES, field.name) for field in fields(RULES)})
call("Knowledge violations", RULES.violations, DAG)
call("Knowledge combine", RULES.combine, RULES)
call("Knowledge.from_dict", credenet.Knowledge.from_dict, {})
AVERAGED: dict[str, Any] = {"data": DATA, "smoothing": "bdeu", "n_threads": 1}
call("CredibleSet predict", CREDIBLE.predict, DATA, "lung", **AVERAGED)
call("CredibleSet sample", CREDIBLE.sample, 2, seed=0)
call("CredibleSet first", CREDIBLE.listing.first, 2)
call("CredibleSet consensus", CREDIBLE.consensus, 0.5)
call("CredibleSet verify", CREDIBLE.verify, DATA)
call("CredibleSet blankets", CREDIBLE.markov_blanket_probabilities, "lung")
call("CredibleSet covered_mass", CREDIBLE.covered_mass, DATA)
call("CredibleSet filter", CREDIBLE.listing.filter, lambda dag: True)
call("CredibleSet probability", CREDIBLE.probability, lambda dag: True)
call("CredibleSet to_polars", CREDIBLE.to_polars, 3)
call("CredibleSet save", CREDIBLE.save, "o.parquet")
call("CredibleSet summary", CREDIBLE.summary, DATA)
call("CredibleSet report", CREDIBLE.report, "o.html", data=None, command=None)
CHANGED: dict[str, Any] = {
    "data": DATA,
    "adjust": "parents",
    "ess": 1,
    "level": 0.9,
    "n_draws": 100,
    "seed": 0,
    "n_threads": 1,
}
EFFECTS = CREDIBLE.effects("smoke", data=DATA, n_draws=100)
call("CredibleSet effects", CREDIBLE.effects, {"smoke": "yes"}, "lung", time_limit=5, on_progress=None, **CHANGED)
call("effects", credenet.effects, CREDIBLE, "smoke", ["lung"], mass=0.9, time_limit=5, on_progress=None, **CHANGED)
call("effects graph", credenet.effects, DAG, "smoke", ["lung"], data=DATA, ess=1, level=0.9, n_draws=100)
call("BayesianNetwork effects", NETWORK.effects, ["smoke"], "lung", n_threads=1)
call("BayesianNetwork do", NETWORK.do, {"smoke": "yes"})
call("Effects", EFFECTS.__getitem__, ("smoke", "lung"))
call("Effects plot", EFFECTS.plot, "o.svg")
call("Effect contrast", EFFECTS["smoke", "lung"].contrast, "yes", "no", "yes", kind="ratio")
call("BayesianNetwork effects against", NETWORK.effects, "smoke", {"lung": "yes"}, against={"smoke": "no"})
call("Effects save", EFFECTS.save, "o.csv")
for graph in (DAG, CLASS):
    call(f"{type(graph).__name__} adjustment_sets", graph.adjustment_sets, "asia", "lung", limit=3)
    call(f"{type(graph).__name__} is_adjustment_set", graph.is_adjustment_set, "asia", "lung", ["tub"])
call("PDAG is_amenable", CLASS.is_amenable, "asia", "lung")
call("CredibleSet plot_deviations", CREDIBLE.listing.plot, "o.svg", limit=100)
call("CredibleSet plot_average", CREDIBLE.plot_average, "o.svg", threshold=0.1)
call("CredibleSet plot_classes", CREDIBLE.classes.plot, "o.svg", k=2)
call("StructurePosterior sample", POSTERIOR.sample, 2, seed=0)
call("StructurePosterior probability", POSTERIOR.probability, lambda dag: True, n_networks=10, seed=0)
call("StructurePosterior consensus", POSTERIOR.consensus, 0.5)
call("StructurePosterior blankets", POSTERIOR.markov_blanket_probabilities, "lung")
call("StructurePosterior predict", POSTERIOR.predict, DATA, "lung", n_networks=10, seed=0, **AVERAGED)
call("StructurePosterior save", POSTERIOR.save, "o.csv")
call("StructurePosterior plot_average", POSTERIOR.plot_average, "o.svg", threshold=0.1)
call("CredibleClasses first", CLASSES.listing.first, 2)
call("CredibleClasses to_polars", CLASSES.to_polars, 2)
call("EdgeConfidence", CONFIDENCE.__getitem__, ("lung", "asia"))
call("FamilyTable best", FAMILIES.best, "lung", ["smoke"])
call("FamilyTable restrict", FAMILIES.restrict, max_parents=1, slack=None)
call("FamilyTable score_of", FAMILIES.score_of, credenet.DAG(DATA.variables))

NEEDED: dict[str, dict[str, Any]] = {
    "BDe": {"network": NETWORK},
    "CustomScore": {"function": lambda data, families: [0.0] * len(families)},
    "Cuts": {"points": (1.0,)},
    "Expert": {"dag": DAG, "kappa": 2.0},
    "InDegree": {"limits": 2},
    "InDegreeWeights": {"weights": [1.0]},
    "Oracle": {"dag": DAG},
}
# What the library gives and users do not make.
GIVEN = {
    *("Agreement", "ConditionalTable", "IntersectionValidation", "MeanDistance", "PartialDistance", "Problem"),
    "Standing",
    *("AdjustmentSets", "BlockDataset", "BlockFile", "ChainResult", "Contrast", "Effect", "Effects"),
    *("ApproximateInference", "Comparison", "CredibleClasses", "CredibleSet", "EdgeConfidence", "Explanation"),
    *("CredibleDiagram", "CredibleListing", "NetworkListing"),
    *("Explanations", "FamilyTable", "IndependenceResult", "Inference", "LearnResult", "MarginalErrors"),
    "DataOptions",
    *("MostProbable", "Progress", "SampledModel", "BoundPoint", "Check", "WeightedNetwork", "DatasetInfo", "Estimate"),
    *(
        "EliminationOrder",
        "EquivalenceClass",
        "Family",
        "FamilyArrays",
        "FamilyStatistics",
        "FlatFamilies",
        "Incumbent",
    ),
    *("GraphScore", "HeldOutLogLikelihoods", "PairProbabilities", "ParentRules", "Picture", "Proof"),
    *("HeldOutWidth", "RowSampling"),
    *("KTreePoint", "Renaming", "ResFile", "Provenance", "Statistics", "Ties", "UnscoredSets", "Verification"),
}
for name, value in public_classes().items():
    if name not in CALLS and name not in GIVEN and hasattr(value, "__dataclass_fields__"):
        usual = {field.name: field.default for field in fields(value) if field.default is not MISSING}
        call(name, value, **usual, **NEEDED.get(name, {}))


def test_every_public_call_is_tried() -> None:
    tried = {name.split()[0].split(".")[0] for name in CALLS}
    made_by_name = ("datasets.", "textbook.")
    public = {name.split(".")[-1] for name in public_names() if not name.startswith(made_by_name)}
    errors = {name for name in public if name.endswith("Error")}
    assert public - errors - GIVEN <= tried


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_only_our_errors(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    DATA.save("d.csv")
    NETWORK.save("net.bif")
    NETWORK.save("net.uai")
    FAMILIES.save("f.jkl")
    credenet.save_graph(DAG, "g.txt")
    credenet.save_graph(DAG, "g.res")
    function, arguments, options = CALLS[name]
    function(*arguments, **options)
    for place in range(len(arguments)):
        for what, wrong in WRONG.items():
            tried = (*arguments[:place], wrong, *arguments[place + 1 :])
            check(f"argument {place} is {what}", function, tried, options)
    for key in options:
        for what, wrong in WRONG.items():
            check(f"{key} is {what}", function, arguments, {**options, key: wrong})


def check(what: str, function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
    try:
        function(*arguments, **options)
    except (credenet.CredenetError, OSError):  # The file does not exist.
        pass
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize(
    ("function", "arguments", "options", "message"),
    [
        (
            NETWORK.log_likelihood,
            [3],
            {},
            r"^rows must be a Dataset, .* or the path of a table, got 3",
        ),
        (credenet.score_families, [None], {}, r"^data must be a Dataset, .* got None"),
        (credenet.learn, [{"a": [1]}], {}, r"^data must be .* or a FamilyTable, got {'a': \[1\]}; make a data frame"),
        (credenet.learn, [DATA], {"knowledge": {"required": []}}, r"^knowledge must be a Knowledge, .*from_dict"),
        (credenet.learn, [DATA], {"time_limit": "x"}, r"^time_limit must be a positive number, got 'x'"),
        (credenet.learn, [DATA], {"on_progress": 3}, r"^on_progress must be a function that takes a Progress, got 3"),
        (credenet.learn, [DATA], {"seed": "x"}, r"^seed must be a whole number, got 'x'"),
        (credenet.read, [FRAME], {}, r"^path must be the path of a file, got a DataFrame; .*Dataset.from_frame"),
        (credenet.fit, [DATA, CREDIBLE], {}, r"^dag must be a DAG, .* a CredibleSet; of a credible set take best"),
        (BDeu, ["x"], {}, r"^ess must be a number of at least 1e-100 and at most 1e\+100, got 'x'"),
    ],
)
def test_messages_name_the_argument(
    function: Callable[..., Any], arguments: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        function(*arguments, **options)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_frames_are_data(kind: str) -> None:
    """What a call says of a frame it says of the same data as a Dataset."""
    table = DATA.to_polars()
    frame: Any = table if kind == "polars" else getattr(table, f"to_{kind}")()
    assert credenet.learn(frame).graph == RESULT.graph
    assert credenet.learn(frame).provenance.data_digest == DATA.digest()
    assert credenet.credible_networks(frame, bayes_factor=2).n_networks == CREDIBLE.n_networks
    assert credenet.credible_classes(frame, bayes_factor=2).n_classes == CLASSES.n_classes
    assert credenet.k_best(frame, 2)[0] == credenet.k_best(DATA, 2)[0]
    assert credenet.k_best_classes(frame, 2).n_classes == credenet.k_best_classes(DATA, 2).n_classes
    assert credenet.score_families(frame) == FAMILIES
    assert credenet.fit(frame, DAG) == NETWORK
    assert credenet.score(frame, DAG).total == credenet.score(DATA, DAG).total
    assert credenet.bootstrap(frame, method="chow_liu", n_samples=2) == CONFIDENCE
    validation = credenet.validate(frame, scores=["bic", "aic"], repetitions=2)
    assert validation.distances == VALIDATION.distances
    assert validation.provenance.data_digest == DATA.digest()
    assert credenet.compare(NETWORK, NETWORK, rows=frame, kl_rows=0) == credenet.compare(
        NETWORK, NETWORK, rows=DATA, kl_rows=0
    )
    assert credenet.independence_test(frame, "lung", "smoke") == credenet.independence_test(DATA, "lung", "smoke")
    assert NETWORK.log_likelihood(frame) == NETWORK.log_likelihood(DATA)
    assert NETWORK.predict(frame, "lung") == NETWORK.predict(DATA, "lung")
    assert CREDIBLE.predict(frame, "lung", data=frame) == CREDIBLE.predict(DATA, "lung", data=DATA)
    assert CREDIBLE.effects("smoke", data=frame).to_dict() == CREDIBLE.effects("smoke", data=DATA).to_dict()
    assert RESULT.verify(frame)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_other_columns_of_frames_are_not_looked_at(kind: str) -> None:
    """A network needs its own columns only; numbers that would have to be discretised beside them do not matter."""
    table = DATA.to_polars().with_columns(age=pl.Series(np.linspace(20.5, 70.7, len(DATA))))
    frame: Any = table if kind == "polars" else getattr(table, f"to_{kind}")()
    assert credenet.fit(frame, DAG) == NETWORK
    assert NETWORK.log_likelihood(frame) == NETWORK.log_likelihood(DATA)
    assert NETWORK.predict(frame, "lung") == NETWORK.predict(DATA, "lung")
    with pytest.raises(DataError, match="the data have no variable 'asia'"):
        NETWORK.log_likelihood(FRAME)


def test_arrays_are_data() -> None:
    array = np.array([[0, 1], [1, 1], [1, 0], [0, 0]] * 9)
    assert credenet.learn(array).graph.variables == ("0", "1")


def test_predictions_keep_missing_cells_of_frames() -> None:
    frame = DATA.to_polars().head(3).with_columns(smoke=pl.Series(["yes", None, "no"]))
    assert len(NETWORK.predict(frame, "lung")) == 3


@pytest.mark.parametrize("graph", [DAG, CLASS, NETWORK])
def test_graphs_in_other_things(graph: Any) -> None:
    """`fit`, `score` and `compare` take what has a graph."""
    assert credenet.fit(DATA, graph).dag.equivalent(DAG)
    assert credenet.score(DATA, graph).total == pytest.approx(credenet.score(DATA, DAG).total)
    assert credenet.compare(DAG, graph).shd == 0


def test_results_have_a_graph() -> None:
    assert credenet.fit(DATA, RESULT).dag == RESULT.dag
    assert credenet.score(DATA, RESULT).total == pytest.approx(RESULT.score)
    assert credenet.compare(RESULT, RESULT.dag).shd == 0
    learned = credenet.learn(DATA, method="pc")
    assert credenet.fit(DATA, learned).dag == learned.dag
    nothing = credenet.learn(DATA, prior=InDegree(3, exact=True))
    assert nothing.status == "infeasible"
    with pytest.raises(ArgumentError, match=r"must have a network, but this result has none \(infeasible\)"):
        credenet.fit(DATA, nothing)


def test_names_in_any_case() -> None:
    assert credenet.learn(DATA, score="BIC", prior="Uniform", method="DP").provenance.score == BIC()
    assert credenet.learn(DATA, method="Hill-Climb").provenance.method == "hill_climb"
    assert credenet.learn(DATA, method="PC", test="Chi2").provenance.test == "chi2"
    assert credenet.score(DATA, DAG, score="log-likelihood").score == LogLikelihood()
    assert credenet.fit(DATA, DAG, smoothing="Jeffreys") == credenet.fit(DATA, DAG, smoothing="jeffreys")
    answers = NETWORK.infer(method="Likelihood Weighting")
    assert not answers.exact
    assert answers.method == LikelihoodWeighting()
    assert NETWORK.infer(method="Exact").exact
    for name in (*PRIORS.names, *METHODS.names, *TESTS.names, *SCORES.names):
        assert choice("name", name.upper().replace("_", "-"), [name]) == name


def test_numbers_of_numpy_are_numbers() -> None:
    assert whole_number("k", np.int64(3)) == 3
    assert real_number("ess", np.float32(0.5)) == 0.5
    numbers: dict[str, Any] = {"max_parents": np.int64(1), "seed": np.uint8(3), "n_threads": np.int32(1)}
    learned = credenet.learn(DATA, **numbers)
    assert learned.provenance.seed == 3
