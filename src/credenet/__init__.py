"""Bayesian networks learned from discrete data, with a statement of how sure they are.

The public names are loaded on first use, so that importing the package (and ``credenet --help``) costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credenet._run.ledger import BoundPoint as BoundPoint
    from credenet._run.progress import Progress as Progress
    from credenet.credible.calls import credible_classes as credible_classes
    from credenet.credible.calls import credible_networks as credible_networks
    from credenet.credible.calls import k_best as k_best
    from credenet.credible.calls import k_best_classes as k_best_classes
    from credenet.credible.class_set import CredibleClasses as CredibleClasses
    from credenet.credible.class_set import PairProbabilities as PairProbabilities
    from credenet.credible.classes import EquivalenceClass as EquivalenceClass
    from credenet.credible.credible_set import CredibleNetwork as CredibleNetwork
    from credenet.credible.credible_set import CredibleSet as CredibleSet
    from credenet.credible.result import Incumbent as Incumbent
    from credenet.credible.result import Ties as Ties
    from credenet.data.dataset import Dataset as Dataset
    from credenet.data.dataset import read as read
    from credenet.data.discretize import Cuts as Cuts
    from credenet.data.discretize import EqualFrequency as EqualFrequency
    from credenet.data.discretize import EqualWidth as EqualWidth
    from credenet.data.discretize import Median as Median
    from credenet.data.info import DatasetInfo as DatasetInfo
    from credenet.drawing.svg import Picture as Picture
    from credenet.errors import ArgumentError as ArgumentError
    from credenet.errors import CredenetError as CredenetError
    from credenet.errors import DataError as DataError
    from credenet.errors import FormatError as FormatError
    from credenet.errors import GraphError as GraphError
    from credenet.errors import KnowledgeError as KnowledgeError
    from credenet.errors import NetworkError as NetworkError
    from credenet.families.arrays import FlatFamilies as FlatFamilies
    from credenet.families.dag_counts import count_dags as count_dags
    from credenet.families.dag_counts import in_degree_distribution as in_degree_distribution
    from credenet.families.info import FamilyTableInfo as FamilyTableInfo
    from credenet.families.info import UnscoredSets as UnscoredSets
    from credenet.families.priors import SSP as SSP
    from credenet.families.priors import DataPrior as DataPrior
    from credenet.families.priors import Edge as Edge
    from credenet.families.priors import Expert as Expert
    from credenet.families.priors import Fact as Fact
    from credenet.families.priors import Fair as Fair
    from credenet.families.priors import InDegree as InDegree
    from credenet.families.priors import InDegreeWeights as InDegreeWeights
    from credenet.families.priors import Uniform as Uniform
    from credenet.families.scores import AIC as AIC
    from credenet.families.scores import BIC as BIC
    from credenet.families.scores import K2 as K2
    from credenet.families.scores import MDL as MDL
    from credenet.families.scores import MIT as MIT
    from credenet.families.scores import BDe as BDe
    from credenet.families.scores import BDeu as BDeu
    from credenet.families.scores import BDs as BDs
    from credenet.families.scores import Jeffreys as Jeffreys
    from credenet.families.scores import LogLikelihood as LogLikelihood
    from credenet.families.scores import fNML as fNML
    from credenet.families.scores import qNML as qNML
    from credenet.families.scoring import GraphScore as GraphScore
    from credenet.families.scoring import score as score
    from credenet.families.scoring import score_families as score_families
    from credenet.families.table import Family as Family
    from credenet.families.table import FamilyArrays as FamilyArrays
    from credenet.families.table import FamilyStatistics as FamilyStatistics
    from credenet.families.table import FamilyTable as FamilyTable
    from credenet.graphs import DAG as DAG
    from credenet.graphs import PDAG as PDAG
    from credenet.graphs.elimination import EliminationOrder as EliminationOrder
    from credenet.independence.judging import IndependenceResult as IndependenceResult
    from credenet.independence.judging import independence_test as independence_test
    from credenet.independence.settings import CMI as CMI
    from credenet.independence.settings import G2 as G2
    from credenet.independence.settings import BayesFactor as BayesFactor
    from credenet.independence.settings import ChiSquared as ChiSquared
    from credenet.independence.settings import Oracle as Oracle
    from credenet.inference.approximate import ApproximateInference as ApproximateInference
    from credenet.inference.explanation import Explanation as Explanation
    from credenet.inference.explanation import Explanations as Explanations
    from credenet.inference.inference import Inference as Inference
    from credenet.inference.inference import MostProbable as MostProbable
    from credenet.inference.methods import IJGP as IJGP
    from credenet.inference.methods import Gibbs as Gibbs
    from credenet.inference.methods import ImportanceSampling as ImportanceSampling
    from credenet.inference.methods import LikelihoodWeighting as LikelihoodWeighting
    from credenet.inference.methods import LoopyBP as LoopyBP
    from credenet.inference.sampled_model import SampledModel as SampledModel
    from credenet.inference.sampled_model import sample_learn_infer as sample_learn_infer
    from credenet.io.families.family_tables import load_families as load_families
    from credenet.io.graphs import load_graph as load_graph
    from credenet.io.graphs import save_graph as save_graph
    from credenet.knowledge.knowledge import Knowledge as Knowledge
    from credenet.knowledge.knowledge import ParentRules as ParentRules
    from credenet.learners.learning import learn as learn
    from credenet.learners.resampling import EdgeConfidence as EdgeConfidence
    from credenet.learners.resampling import PairConfidence as PairConfidence
    from credenet.learners.resampling import bootstrap as bootstrap
    from credenet.learners.results import LearnResult as LearnResult
    from credenet.learners.results import Provenance as Provenance
    from credenet.learners.results import Statistics as Statistics
    from credenet.learners.verification import Check as Check
    from credenet.learners.verification import Verification as Verification
    from credenet.networks import datasets as datasets
    from credenet.networks import textbook as textbook
    from credenet.networks.bayesian import BayesianNetwork as BayesianNetwork
    from credenet.networks.bayesian import fit as fit
    from credenet.networks.bayesian import load as load
    from credenet.networks.comparison import Comparison as Comparison
    from credenet.networks.comparison import HeldOutLogLikelihoods as HeldOutLogLikelihoods
    from credenet.networks.comparison import compare as compare
    from credenet.networks.divergence import Estimate as Estimate
    from credenet.networks.divergence import MarginalErrors as MarginalErrors
    from credenet.networks.divergence import marginal_errors as marginal_errors
    from credenet.networks.markov import MarkovNetwork as MarkovNetwork
    from credenet.networks.random import random_dag as random_dag
    from credenet.networks.random import random_network as random_network
    from credenet.search.ilp.proof import Proof as Proof
    from credenet.search.methods import DP as DP
    from credenet.search.methods import ILP as ILP
    from credenet.search.methods import MMHC as MMHC
    from credenet.search.methods import PC as PC
    from credenet.search.methods import RAI as RAI
    from credenet.search.methods import ARAStar as ARAStar
    from credenet.search.methods import AStar as AStar
    from credenet.search.methods import Auto as Auto
    from credenet.search.methods import AWAStar as AWAStar
    from credenet.search.methods import BFBnB as BFBnB
    from credenet.search.methods import ChowLiu as ChowLiu
    from credenet.search.methods import HillClimb as HillClimb
    from credenet.search.methods import OrderSearch as OrderSearch
    from credenet.search.methods import Tabu as Tabu
    from credenet.search.methods import WeightedAStar as WeightedAStar

_HOMES = {
    "networks.comparison": ["Comparison", "HeldOutLogLikelihoods", "compare"],
    "credible.calls": ["credible_classes", "credible_networks", "k_best", "k_best_classes"],
    "credible.class_set": ["CredibleClasses", "PairProbabilities"],
    "credible.credible_set": ["CredibleNetwork", "CredibleSet"],
    "families.dag_counts": ["count_dags", "in_degree_distribution"],
    "data.dataset": ["Dataset", "read"],
    "data.discretize": ["Cuts", "EqualFrequency", "EqualWidth", "Median"],
    "networks.divergence": ["Estimate", "MarginalErrors", "marginal_errors"],
    "errors": [
        "ArgumentError",
        "CredenetError",
        "DataError",
        "FormatError",
        "GraphError",
        "KnowledgeError",
        "NetworkError",
    ],
    "families.table": ["Family", "FamilyArrays", "FamilyStatistics", "FamilyTable"],
    "graphs": ["DAG", "PDAG"],
    "inference.approximate": ["ApproximateInference"],
    "independence.judging": ["IndependenceResult", "independence_test"],
    "independence.settings": ["BayesFactor", "CMI", "ChiSquared", "G2", "Oracle"],
    "inference.explanation": ["Explanation", "Explanations"],
    "inference.inference": ["Inference", "MostProbable"],
    "networks.markov": ["MarkovNetwork"],
    "inference.methods": ["Gibbs", "IJGP", "ImportanceSampling", "LikelihoodWeighting", "LoopyBP"],
    "inference.sampled_model": ["SampledModel", "sample_learn_infer"],
    "io.families.family_tables": ["load_families"],
    "knowledge.knowledge": ["Knowledge", "ParentRules"],
    "learners.learning": ["learn"],
    "search.methods": [
        "ARAStar",
        "AStar",
        "AWAStar",
        "Auto",
        "BFBnB",
        "ChowLiu",
        "DP",
        "HillClimb",
        "ILP",
        "MMHC",
        "OrderSearch",
        "PC",
        "RAI",
        "Tabu",
        "WeightedAStar",
    ],
    "learners.resampling": ["EdgeConfidence", "PairConfidence", "bootstrap"],
    "families.priors": [
        "DataPrior",
        "Edge",
        "Expert",
        "Fact",
        "Fair",
        "InDegree",
        "InDegreeWeights",
        "SSP",
        "Uniform",
    ],
    "io.graphs": ["load_graph", "save_graph"],
    "networks.bayesian": ["BayesianNetwork", "fit", "load"],
    "_run.progress": ["Progress"],
    "networks.random": ["random_dag", "random_network"],
    "learners.results": ["LearnResult", "Provenance", "Statistics"],
    "families.scores": [
        "AIC",
        "BDe",
        "BDeu",
        "BDs",
        "BIC",
        "Jeffreys",
        "K2",
        "LogLikelihood",
        "MDL",
        "MIT",
        "fNML",
        "qNML",
    ],
    "families.scoring": ["GraphScore", "score", "score_families"],
    "drawing.svg": ["Picture"],
    "credible.classes": ["EquivalenceClass"],
    "credible.result": ["Incumbent", "Ties"],
    "learners.verification": ["Check", "Verification"],
    "graphs.elimination": ["EliminationOrder"],
    "data.info": ["DatasetInfo"],
    "families.arrays": ["FlatFamilies"],
    "families.info": ["FamilyTableInfo", "UnscoredSets"],
    "_run.ledger": ["BoundPoint"],
    "search.ilp.proof": ["Proof"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {"datasets": "networks.datasets", "textbook": "networks.textbook"}

__all__ = sorted([*_HOME_OF, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = import_module(f"credenet.{_MODULES[name]}")
    elif name in _HOME_OF:
        value = getattr(import_module(f"credenet.{_HOME_OF[name]}"), name)
    elif name == "__version__":
        from importlib.metadata import version

        value = version("credenet")
    else:
        raise AttributeError(f"module 'credenet' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
