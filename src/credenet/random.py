"""Random graphs and networks, for experiments."""

from credenet.networks.examples.random import dag as dag
from credenet.networks.examples.random import network as network
