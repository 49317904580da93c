"""Data sets sampled from the networks of `credenet.textbook` when called."""

from credenet.networks.datasets import __all__ as __all__
from credenet.networks.datasets import asia as asia
from credenet.networks.datasets import cancer as cancer
from credenet.networks.datasets import earthquake as earthquake
from credenet.networks.datasets import sprinkler as sprinkler
from credenet.networks.datasets import student as student
