"""Random graphs and networks, for experiments."""

from credenet.networks.random import dag as dag
from credenet.networks.random import network as network
