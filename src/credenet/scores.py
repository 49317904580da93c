"""Scores of networks, which the argument ``score`` takes, and the Dirichlet priors that ``smoothing`` takes."""

from credenet.settings.scores import AIC as AIC
from credenet.settings.scores import BIC as BIC
from credenet.settings.scores import K2 as K2
from credenet.settings.scores import MDL as MDL
from credenet.settings.scores import MIT as MIT
from credenet.settings.scores import BDe as BDe
from credenet.settings.scores import BDeu as BDeu
from credenet.settings.scores import BDs as BDs
from credenet.settings.scores import Jeffreys as Jeffreys
from credenet.settings.scores import LogLikelihood as LogLikelihood
from credenet.settings.scores import fNML as fNML
from credenet.settings.scores import qNML as qNML
