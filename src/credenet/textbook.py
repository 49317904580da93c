"""Networks from textbooks, each made by a call of its name."""

from credenet.networks.textbook import __all__ as __all__
from credenet.networks.textbook import asia as asia
from credenet.networks.textbook import cancer as cancer
from credenet.networks.textbook import earthquake as earthquake
from credenet.networks.textbook import sprinkler as sprinkler
from credenet.networks.textbook import student as student
