"""Data sets sampled from the networks of `credenet.textbook` when called."""

from credenet.networks.examples.datasets import __all__ as __all__
from credenet.networks.examples.datasets import asia as asia
from credenet.networks.examples.datasets import cancer as cancer
from credenet.networks.examples.datasets import earthquake as earthquake
from credenet.networks.examples.datasets import sprinkler as sprinkler
from credenet.networks.examples.datasets import student as student
