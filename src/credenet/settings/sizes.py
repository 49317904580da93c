"""Sizes up to which engines work, which settings name as defaults and bounds."""

from credenet import _core

LARGEST_TABLE = 22  # Variables of a component up to which a table also lists credible networks, faster than any tree.
LARGEST_NODE_TABLE = 26  # Half a gigabyte, for a node of a tree and for the proof that is checked later.
MOST_LATTICE_VARIABLES = _core.ComponentLists.most_variables  # A set of them is one word of the core.
