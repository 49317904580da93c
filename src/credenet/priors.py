"""Priors over the structure of networks, which the argument ``prior`` takes, and counts of graphs."""

from credenet.families.dag_counts import count_dags as count_dags
from credenet.families.dag_counts import in_degree_distribution as in_degree_distribution
from credenet.settings.priors import SSP as SSP
from credenet.settings.priors import DataPrior as DataPrior
from credenet.settings.priors import Edge as Edge
from credenet.settings.priors import Expert as Expert
from credenet.settings.priors import Fact as Fact
from credenet.settings.priors import Fair as Fair
from credenet.settings.priors import InDegree as InDegree
from credenet.settings.priors import InDegreeWeights as InDegreeWeights
from credenet.settings.priors import Uniform as Uniform
