"""Networks from textbooks, each made by a call of its name."""

from credenet.networks.examples.textbook import __all__ as __all__
from credenet.networks.examples.textbook import asia as asia
from credenet.networks.examples.textbook import cancer as cancer
from credenet.networks.examples.textbook import earthquake as earthquake
from credenet.networks.examples.textbook import sprinkler as sprinkler
from credenet.networks.examples.textbook import student as student
