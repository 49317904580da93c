"""Tests of conditional independence, which the argument ``test`` takes."""

from credenet.settings.tests import CMI as CMI
from credenet.settings.tests import G2 as G2
from credenet.settings.tests import BayesFactor as BayesFactor
from credenet.settings.tests import ChiSquared as ChiSquared
from credenet.settings.tests import Oracle as Oracle
