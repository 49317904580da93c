"""Sizes up to which engines work, which settings name as defaults and bounds."""

from credenet import _core

LARGEST_TABLE = 22  # Variables of a component up to which a table lists credible networks faster than a tree search.
LARGEST_NODE_TABLE = 26  # Variables of a table (half a gigabyte) for a node of a tree and for the check of its proof.
MOST_LATTICE_VARIABLES = _core.ComponentLists.most_variables  # Variables of a set that fits into one word of the core.
