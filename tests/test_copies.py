"""Every public object can be copied and sent to another process, and the copy answers the same questions."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl
import pytest

import credenet
from credenet.discretize import Cuts, EqualFrequency, EqualWidth
from credenet.errors import DataError, FormatError, NetworkError, Problem, WriteError
from credenet.priors import Edge, Expert, InDegree, InDegreeWeights
from credenet.scores import BDe, CustomScore
from credenet.tests import Oracle
from credenet.types import (
    BoundPoint,
    Comparison,
    EdgeConfidence,
    Explanations,
    Incumbent,
    IntersectionValidation,
    KTreePoint,
    Progress,
    ResFile,
    UnscoredSets,
)
from public import public_names

GIVEN = {"smoke": "yes"}
METHODS = ("gibbs", "loopy_bp", "ijgp", "likelihood_weighting", "importance_sampling")


@cache
def network() -> credenet.BayesianNetwork:
    return credenet.textbook.asia()


@cache
def data() -> credenet.Dataset:
    return network().sample(300, seed=1)


@cache
def families() -> credenet.FamilyTable:
    return credenet.score_families(data(), slack=3.0, max_parents=2)


@cache
def credible() -> credenet.CredibleSet:
    return credenet.credible_networks(data(), bayes_factor=5)


Shared = TypeVar("Shared", credenet.CredibleSet, credenet.CredibleClasses)


def with_share(found: Shared) -> Shared:
    """The set, which knows its share of the posterior. What a set learns later, its shallow copies know, too."""
    found.covered_mass(data())
    return found


@cache
def posterior() -> credenet.StructurePosterior:
    return credenet.posterior(data())


@cache
def sampled_posterior() -> credenet.StructurePosterior:
    return credenet.posterior(data(), method="mcmc", time_limit=1)


@cache
def block_data(folder: Path) -> Any:
    data().save(folder / "a.cnb")
    return credenet.read(folder / "a.cnb")


def asked(answers: Any) -> Any:
    """Answers that have been asked for something, and keep it."""
    answers.marginals()
    return answers


def updated() -> Any:
    """Answers with a clique tree that is kept."""
    return asked(network().infer(GIVEN)).update({"smoke": "no"}).update({"xray": "yes"})


@cache
def validated() -> IntersectionValidation:
    return credenet.validate(data(), scores=["bic", "bdeu"], repetitions=2, fractions=[0.5])


@cache
def compared() -> Comparison:
    return credenet.compare(network(), credenet.fit(data(), network().dag), rows=data(), kl_rows=100)


def res_file(folder: Path) -> ResFile:
    credenet.save_graph(network().dag, folder / "a.res")
    return ResFile.load(folder / "a.res")


@cache
def learned() -> credenet.LearnResult:
    return credenet.learn(data(), method="ilp")


@cache
def bounded() -> credenet.LearnResult:
    return credenet.learn(data(), tree_width=2, time_limit=1)


@cache
def effects() -> credenet.Effects:
    return credible().effects("smoke", data=data())


@cache
def explanations() -> Explanations:
    return network().infer({"xray": "yes"}).explain(k=3)


@cache
def bootstrapped() -> EdgeConfidence:
    return credenet.bootstrap(data(), n_samples=3)


Made = Callable[[Path], Any]
EXAMPLES: dict[str, Made] = {
    "network": lambda _: network(),
    "Markov network": lambda _: credenet.MarkovNetwork(
        {"smoke": ["no", "yes"], "lung": ["no", "yes"]}, [(["smoke", "lung"], [[1.0, 2.0], [3.0, 0.5]])]
    ),
    "data": lambda _: data(),
    "block data": block_data,
    "some columns of block data": lambda folder: block_data(folder).select(["smoke", "lung"]),
    "block file": lambda folder: block_data(folder).file,
    "info": lambda _: data().info(),
    "families": lambda _: families(),
    "flat families": lambda _: families().flat(),
    "family arrays": lambda _: families().arrays(3),
    "family": lambda _: families().best("lung"),
    "family statistics": lambda _: families().statistics(),
    "families made": lambda _: families().made,
    "graph": lambda _: network().dag,
    "CPDAG": lambda _: network().dag.cpdag(),
    "learned": lambda _: learned(),
    "bounded": lambda _: bounded(),
    "learned by tests": lambda _: credenet.learn(data(), method="pc"),
    "learned by local search": lambda _: credenet.learn(data(), method="hill_climb"),
    "verified": lambda _: learned().verify(data()),
    "credible": lambda _: with_share(credible()),
    "credible network": lambda _: credible()[0],
    "classes": lambda _: credible().classes,
    "class": lambda _: credible().classes[0],
    "credible classes": lambda _: credenet.credible_classes(data(), bayes_factor=5),
    "k best": lambda _: with_share(credenet.k_best(data(), 3)),
    "ties": lambda _: credible().listing.ties,
    "listing": lambda _: credible().listing,
    "listing of classes": lambda _: credible().classes.listing,
    "diagram": lambda _: credible().diagram,
    "posterior": lambda _: posterior(),
    "posterior by orders": lambda _: credenet.posterior(data(), method="order"),
    "posterior of families": lambda _: credenet.posterior(families()),
    "sampled posterior": lambda _: sampled_posterior(),
    "chains": lambda _: sampled_posterior().chains[0],
    "effects": lambda _: effects(),
    "effect": lambda _: effects()["smoke", "lung"],
    "effects in a network": lambda _: network().effects("smoke"),
    "effects by parents": lambda _: credenet.effects(network().dag, "smoke", data=data(), adjust="parents"),
    "effects of a posterior": lambda _: posterior().effects("smoke", data=data()),
    "inference": lambda _: network().infer(GIVEN),
    "inference that was asked": lambda _: asked(network().infer(GIVEN)),
    "inference that was updated": lambda _: updated(),
    "inference after do": lambda _: network().do({"smoke": "yes"}).infer({"xray": "yes"}),
    "inference with a callback": lambda _: network().infer(GIVEN, on_progress=lambda progress: None, time_limit=60),
    **{
        f"{method}, {'asked' if is_asked else 'not asked'}": (
            lambda _, method=method, is_asked=is_asked: (asked if is_asked else lambda x: x)(  # type: ignore[misc]
                network().infer(GIVEN, method=method, on_progress=lambda progress: None)
            )
        )
        for method in METHODS
        for is_asked in (False, True)
    },
    "sampled model": lambda _: credenet.sample_learn_infer(network(), {"xray": "yes"}, n_rows=500),
    "explanations": lambda _: explanations(),
    "explanation": lambda _: explanations()[0],
    "most probable": lambda _: network().infer(GIVEN).mpe(),
    "bootstrap": lambda _: bootstrapped(),
    "comparison": lambda _: compared(),
    "held out": lambda _: compared().log_likelihood,
    "estimate": lambda _: compared().kl,
    "marginal errors": lambda _: credenet.marginal_errors(network().infer(), network().infer(method="loopy_bp")),
    "validation": lambda _: validated(),
    "agreement": lambda _: validated().agreement,
    "picture": lambda _: network().dag.draw(),
    "res file": res_file,
    "test": lambda _: credenet.independence_test(data(), "smoke", "lung"),
    "knowledge": lambda _: credenet.Knowledge(forbidden=[("smoke", "asia")], tiers=[["asia"], ["smoke"]]),
    "score of a graph": lambda _: credenet.score(data(), network().dag),
    "adjustment sets": lambda _: network().dag.adjustment_sets("smoke", "dysp"),
    "elimination order": lambda _: network().dag.elimination_order(),
    "tree decomposition": lambda _: bounded().decomposition,
}

# What is asked of an object besides its attributes.
QUESTIONS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "BayesianNetwork": (lambda x: x.infer(GIVEN).marginals(), lambda x: x.sample(20, seed=3).codes),
    "MarkovNetwork": (lambda x: x.infer(GIVEN).marginals(),),
    "Dataset": (lambda x: credenet.learn(x, method="hill_climb").graph,),
    "BlockDataset": (lambda x: credenet.learn(x, method="hill_climb").graph, lambda x: x.file.checksum),
    "BlockFile": (lambda x: [x.column(0, at, np.dtype(np.uint8)) for at in range(8)],),
    "FamilyTable": (lambda x: credenet.learn(x).graph,),
    "FlatFamilies": (lambda x: x.children,),
    "LearnResult": (lambda x: x.to_json(), lambda x: x.fit(data()).tables if hasattr(x, "tables") else None),
    "CredibleSet": (
        lambda x: x.to_dict(data()),
        lambda x: x.edge_probabilities(),
        lambda x: list(x),
        lambda x: x.sample(5, seed=2),
        lambda x: x.effects("smoke", data=data()).to_json(),
    ),
    "CredibleClasses": (lambda x: x.to_dict(), lambda x: list(x)),
    "StructurePosterior": (
        lambda x: x.to_dict(),
        lambda x: x.edge_probabilities(),
        lambda x: x.parent_set_probabilities(),
        lambda x: x.path_probabilities(),
        lambda x: x.sample(20, seed=4),
        lambda x: x.markov_blanket_probabilities("lung"),
        lambda x: x.effects("smoke", data=data()).to_json(),
    ),
    "Effects": (lambda x: x.to_json(), lambda x: list(x), lambda x: x.to_polars()),
    "Inference": (
        lambda x: x.marginals(),
        lambda x: x.log_evidence,
        lambda x: x.mpe(),
        lambda x: x.joint(["lung", "bronc"]),
        lambda x: x.sample(10, seed=5).codes,
        lambda x: x.update({"dysp": "yes"}).marginals(["lung"]),
        lambda x: x.explain(["lung", "bronc"], k=1),
    ),
    "ApproximateInference": (
        lambda x: x.marginals(),
        lambda x: x.log_evidence,
        lambda x: x.standard_errors(),
        lambda x: (x.status, x.reason, x.effective_sample_size, x.iterations),
    ),
    "SampledModel": (lambda x: x.answers.marginals(), lambda x: x.learned.to_dict()["edges"]),
}
# Fields that may differ: times of answers that a copy computes again, and objects of the core.
UNTOLD = {"seconds", "mapped", "lists"}


def told(value: Any) -> Any:
    """A value as one that can be compared: arrays as lists, mappings and objects by what they hold."""
    if isinstance(value, np.ndarray):
        return ["array", value.shape, told(value.tolist())]
    if isinstance(value, float):  # A copy may sum in another order.
        return f"{value:.12g}"
    if isinstance(value, pl.DataFrame):
        return told(value.to_dict(as_series=False))
    if isinstance(value, Mapping):
        return {repr(key): told(each) for key, each in value.items() if key not in UNTOLD}
    if isinstance(value, str | bytes | int | float | type(None)):
        return repr(value)
    if is_dataclass(value) and not isinstance(value, type) and not hasattr(type(value), "to_dict"):
        names = [each.name for each in fields(value) if not each.name.startswith("_")]
        return [type(value).__name__, {name: told(getattr(value, name)) for name in names if name not in UNTOLD}]
    if isinstance(value, Set):
        return sorted(map(repr, value))
    if isinstance(value, Sequence):
        return [told(each) for each in value]
    return str(value)


def answers(thing: Any) -> list[Any]:
    """All that an object says: its public attributes that are no calls, and answers to questions."""
    kind = type(thing)
    names = [
        name
        for name in dir(kind)
        if not name.startswith("_")
        and name not in UNTOLD
        and not callable(inspect.getattr_static(kind, name))
        and not isinstance(inspect.getattr_static(kind, name), classmethod | staticmethod)
    ]
    said = [(name, told(getattr(thing, name))) for name in names]
    return [kind.__name__, said, *(told(ask(thing)) for ask in QUESTIONS.get(kind.__name__, ()))]


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "a copy of a copy": lambda thing: copy.deepcopy(pickle.loads(pickle.dumps(thing))),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_copies_answer_the_same(example: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    thing = EXAMPLES[example](tmp_path_factory.mktemp("files"))
    copies = {how: make(thing) for how, make in COPIES.items()}  # The copies are made before any answer is computed.
    expected = answers(thing)
    for how, one in copies.items():
        assert type(one) is type(thing)
        assert answers(one) == expected, how
    # This copy is made afterwards, with the kept answers.
    assert answers(pickle.loads(pickle.dumps(thing))) == expected


def edge_counts(data: credenet.Dataset, families: Sequence[tuple[str, tuple[str, ...]]]) -> list[float]:
    return [-float(len(parents)) for _, parents in families]


# Settings that have no defaults, and small records that other objects hold.
RECORDS: dict[str, Callable[[], Any]] = {
    "HeldOutWidth": lambda: credenet.types.HeldOutWidth(2, -1.5, 0.1, "optimal"),
    "RowSampling": lambda: credenet.types.RowSampling("gibbs", 10, exact=False, n_chains=2),
    "BDe": lambda: BDe(network()),
    "BoundPoint": lambda: BoundPoint(1.0, -2.0, -1.0),
    "Check": lambda: learned().verify(data()).checks[0],
    "Problem": lambda: Problem.from_arguments("a", "fractional numbers", {"discretize": "median"}, lines=[3]),
    "Contrast": lambda: effects()["smoke", "lung"].contrasts[0],
    "CustomScore": lambda: CustomScore(edge_counts),
    "Cuts": lambda: Cuts((1.0, 2.0)),
    "Edge": lambda: Edge(0.2),
    "EqualFrequency": lambda: EqualFrequency(3),
    "EqualWidth": lambda: EqualWidth(3),
    "ConditionalTable": lambda: network()["dysp"],
    "Expert": lambda: Expert(network().dag, 0.5),
    "Incumbent": lambda: Incumbent(network().dag, -2.0, -1.0),
    "InDegree": lambda: InDegree(2),
    "InDegreeWeights": lambda: InDegreeWeights((1.0, 0.5)),
    "WeightedNetwork": lambda: next(iter(credible())),
    "KTreePoint": lambda: KTreePoint(*range(len(KTreePoint._fields))),
    "ParentRules": lambda: credenet.Knowledge(forbidden=[("smoke", "asia")]).allowed(network().variables),
    "MeanDistance": lambda: validated().means()[0],
    "Oracle": lambda: Oracle(network().dag),
    "PairProbabilities": lambda: next(iter(credible().pair_probabilities().values())),
    "PartialDistance": lambda: validated().distances[0],
    "Progress": lambda: Progress(1, 2),
    "Proof": lambda: learned().proofs,
    "Provenance": lambda: learned().provenance,
    "Renaming": lambda: network().safe_names(),
    "Standing": lambda: validated().ranking()[0],
    "Statistics": lambda: learned().statistics,
    "UnscoredSets": lambda: UnscoredSets(1.0, -2.0),
}


def test_every_public_class(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A class is one of the examples, or small enough to be compared as it is."""
    examples = kinds(tmp_path_factory.getbasetemp())
    for name, kind in public_names().items():
        if not inspect.isclass(kind) or issubclass(kind, Exception) or kind in examples:
            continue
        made = RECORDS[kind.__name__]() if kind.__name__ in RECORDS else kind()
        for how, make in COPIES.items():
            assert told(make(made)) == told(made), (name, how)


@cache
def kinds(folder: Path) -> set[type]:
    return {type(make(folder)) for make in EXAMPLES.values()}


def test_errors() -> None:
    for error in (
        DataError("a"),
        DataError.listing(["a", "b"], []),
        DataError.listing(["a", "b"], [], {"drop": ["id"]}),
        FormatError("a", path="x", line=3),
        NetworkError("a", variable="x"),
        WriteError(28, "full", "x"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
