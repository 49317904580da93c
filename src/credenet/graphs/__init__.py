"""Named, immutable graphs: DAGs, and PDAGs with directed and undirected edges."""

from credenet.graphs.dag import DAG
from credenet.graphs.elimination import EliminationOrder
from credenet.graphs.pdag import PDAG
from credenet.graphs.tree_decomposition import TreeDecomposition

__all__ = ["DAG", "PDAG", "EliminationOrder", "TreeDecomposition"]
