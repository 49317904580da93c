"""The public names and where they are: the one list, read by type checkers and by ``__init__.py``."""

from credenet import datasets as datasets
from credenet import discretize as discretize
from credenet import errors as errors
from credenet import methods as methods
from credenet import priors as priors
from credenet import random as random
from credenet import scores as scores
from credenet import tests as tests
from credenet import textbook as textbook
from credenet import types as types
from credenet.credible.calls import credible_classes as credible_classes
from credenet.credible.calls import credible_networks as credible_networks
from credenet.credible.calls import k_best as k_best
from credenet.credible.calls import k_best_classes as k_best_classes
from credenet.credible.class_set import CredibleClasses as CredibleClasses
from credenet.credible.credible_set import CredibleSet as CredibleSet
from credenet.data.dataset import Dataset as Dataset
from credenet.errors import CredenetError as CredenetError
from credenet.families.scoring.calls import score_families as score_families
from credenet.families.scoring.graph_score import score as score
from credenet.families.table import FamilyTable as FamilyTable
from credenet.graphs import DAG as DAG
from credenet.graphs import PDAG as PDAG
from credenet.independence.judging import independence_test as independence_test
from credenet.interventions.calls import effects as effects
from credenet.interventions.result import Effects as Effects
from credenet.io.blocks.ingesting import ingest as ingest
from credenet.io.families.family_tables import load_families as load_families
from credenet.io.graphs import load_graph as load_graph
from credenet.io.graphs import save_graph as save_graph
from credenet.io.reading import read as read
from credenet.knowledge.knowledge import Knowledge as Knowledge
from credenet.learners.learning import learn as learn
from credenet.learners.resampling import bootstrap as bootstrap
from credenet.learners.results import LearnResult as LearnResult
from credenet.learners.tree_width.sampled_model import sample_learn_infer as sample_learn_infer
from credenet.networks.bayesian import BayesianNetwork as BayesianNetwork
from credenet.networks.comparison import compare as compare
from credenet.networks.divergence import marginal_errors as marginal_errors
from credenet.networks.fitting import fit as fit
from credenet.networks.loading import load as load
from credenet.networks.markov import MarkovNetwork as MarkovNetwork
from credenet.placement.calls import placed as placed
from credenet.posteriors.calls import posterior as posterior
from credenet.posteriors.structure_posterior import StructurePosterior as StructurePosterior
from credenet.validation.intersection import validate as validate

__version__: str
__all__: list[str]
