"""Bayesian networks learned from discrete data, with a statement of how sure they are.

The public names are loaded on first use, so that importing the package (and ``credenet --help``) costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credenet import datasets as datasets
    from credenet import textbook as textbook
    from credenet.comparison import Comparison as Comparison
    from credenet.comparison import compare as compare
    from credenet.credibility.class_enumeration import credible_classes as credible_classes
    from credenet.credibility.class_set import CredibleClasses as CredibleClasses
    from credenet.credibility.credible_set import CredibleSet as CredibleSet
    from credenet.credibility.enumeration import credible_networks as credible_networks
    from credenet.credibility.k_best import k_best as k_best
    from credenet.credibility.k_best import k_best_classes as k_best_classes
    from credenet.dag_counts import count_dags as count_dags
    from credenet.dag_counts import in_degree_distribution as in_degree_distribution
    from credenet.data import Dataset as Dataset
    from credenet.data import read as read
    from credenet.discretize import Cuts as Cuts
    from credenet.discretize import EqualFrequency as EqualFrequency
    from credenet.discretize import EqualWidth as EqualWidth
    from credenet.discretize import Median as Median
    from credenet.divergence import MarginalErrors as MarginalErrors
    from credenet.divergence import marginal_errors as marginal_errors
    from credenet.errors import ArgumentError as ArgumentError
    from credenet.errors import CredenetError as CredenetError
    from credenet.errors import DataError as DataError
    from credenet.errors import FormatError as FormatError
    from credenet.errors import GraphError as GraphError
    from credenet.errors import KnowledgeError as KnowledgeError
    from credenet.errors import NetworkError as NetworkError
    from credenet.families import FamilyTable as FamilyTable
    from credenet.graphs import DAG as DAG
    from credenet.graphs import PDAG as PDAG
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
    from credenet.inference.markov import MarkovNetwork as MarkovNetwork
    from credenet.inference.methods import IJGP as IJGP
    from credenet.inference.methods import Gibbs as Gibbs
    from credenet.inference.methods import ImportanceSampling as ImportanceSampling
    from credenet.inference.methods import LikelihoodWeighting as LikelihoodWeighting
    from credenet.inference.methods import LoopyBP as LoopyBP
    from credenet.inference.sampled_model import SampledModel as SampledModel
    from credenet.inference.sampled_model import sample_learn_infer as sample_learn_infer
    from credenet.io.family_tables import load_families as load_families
    from credenet.io.family_tables import save_families as save_families
    from credenet.io.graphs import load_graph as load_graph
    from credenet.io.graphs import save_graph as save_graph
    from credenet.knowledge import Knowledge as Knowledge
    from credenet.learners.learning import learn as learn
    from credenet.learners.methods import DP as DP
    from credenet.learners.methods import ILP as ILP
    from credenet.learners.methods import MMHC as MMHC
    from credenet.learners.methods import PC as PC
    from credenet.learners.methods import RAI as RAI
    from credenet.learners.methods import ARAStar as ARAStar
    from credenet.learners.methods import AStar as AStar
    from credenet.learners.methods import Auto as Auto
    from credenet.learners.methods import AWAStar as AWAStar
    from credenet.learners.methods import BFBnB as BFBnB
    from credenet.learners.methods import ChowLiu as ChowLiu
    from credenet.learners.methods import HillClimb as HillClimb
    from credenet.learners.methods import OrderSearch as OrderSearch
    from credenet.learners.methods import Tabu as Tabu
    from credenet.learners.methods import WeightedAStar as WeightedAStar
    from credenet.learners.resampling import EdgeConfidence as EdgeConfidence
    from credenet.learners.resampling import bootstrap as bootstrap
    from credenet.network import BayesianNetwork as BayesianNetwork
    from credenet.network import fit as fit
    from credenet.network import load as load
    from credenet.priors import SSP as SSP
    from credenet.priors import DataPrior as DataPrior
    from credenet.priors import Edge as Edge
    from credenet.priors import Expert as Expert
    from credenet.priors import Fact as Fact
    from credenet.priors import Fair as Fair
    from credenet.priors import InDegree as InDegree
    from credenet.priors import InDegreeWeights as InDegreeWeights
    from credenet.priors import Uniform as Uniform
    from credenet.progress import Progress as Progress
    from credenet.random import random_dag as random_dag
    from credenet.random import random_network as random_network
    from credenet.results import LearnResult as LearnResult
    from credenet.scores import AIC as AIC
    from credenet.scores import BIC as BIC
    from credenet.scores import K2 as K2
    from credenet.scores import MDL as MDL
    from credenet.scores import MIT as MIT
    from credenet.scores import BDe as BDe
    from credenet.scores import BDeu as BDeu
    from credenet.scores import BDs as BDs
    from credenet.scores import Jeffreys as Jeffreys
    from credenet.scores import LogLikelihood as LogLikelihood
    from credenet.scores import fNML as fNML
    from credenet.scores import qNML as qNML
    from credenet.scoring import score as score
    from credenet.scoring import score_families as score_families

_HOMES = {
    "comparison": ["Comparison", "compare"],
    "credibility.class_enumeration": ["credible_classes"],
    "credibility.class_set": ["CredibleClasses"],
    "credibility.credible_set": ["CredibleSet"],
    "credibility.enumeration": ["credible_networks"],
    "credibility.k_best": ["k_best", "k_best_classes"],
    "dag_counts": ["count_dags", "in_degree_distribution"],
    "data": ["Dataset", "read"],
    "discretize": ["Cuts", "EqualFrequency", "EqualWidth", "Median"],
    "divergence": ["MarginalErrors", "marginal_errors"],
    "errors": [
        "ArgumentError",
        "CredenetError",
        "DataError",
        "FormatError",
        "GraphError",
        "KnowledgeError",
        "NetworkError",
    ],
    "families": ["FamilyTable"],
    "graphs": ["DAG", "PDAG"],
    "inference.approximate": ["ApproximateInference"],
    "independence.judging": ["IndependenceResult", "independence_test"],
    "independence.settings": ["BayesFactor", "CMI", "ChiSquared", "G2", "Oracle"],
    "inference.explanation": ["Explanation", "Explanations"],
    "inference.inference": ["Inference", "MostProbable"],
    "inference.markov": ["MarkovNetwork"],
    "inference.methods": ["Gibbs", "IJGP", "ImportanceSampling", "LikelihoodWeighting", "LoopyBP"],
    "inference.sampled_model": ["SampledModel", "sample_learn_infer"],
    "io.family_tables": ["load_families", "save_families"],
    "knowledge": ["Knowledge"],
    "learners.learning": ["learn"],
    "learners.methods": [
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
    "learners.resampling": ["EdgeConfidence", "bootstrap"],
    "priors": [
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
    "network": ["BayesianNetwork", "fit", "load"],
    "progress": ["Progress"],
    "random": ["random_dag", "random_network"],
    "results": ["LearnResult"],
    "scores": [
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
    "scoring": ["score", "score_families"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("datasets", "textbook")

__all__ = sorted([*_HOME_OF, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = import_module(f"credenet.{name}")
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
