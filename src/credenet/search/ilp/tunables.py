"""The tunables of branch and cut in one table, each with its unit and its reason.

They decide how long a search takes, but not which network it proves to be best. Sizes in bytes are upper estimates.
"""

from __future__ import annotations

# Columns of the linear program are families.
MANY_COLUMNS = 4000  # Families above which the linear program starts with a part, as most are never used.
FIRST_COLUMNS = 12  # Families of each variable in the first columns of a large linear program.
NEW_COLUMNS = 5000  # Families added at once at most; more would slow down the next solution.
COLUMNS_PER_ROW = 3  # Families kept for each row when columns are dropped.
FEW_COLUMNS = 1000  # Families that are always kept, as so few cost nothing.
LEAST_COST = 1e-9  # Nats by which one reduced cost must be below another; rounding of the solver is smaller.

# Rows of the linear program are clusters, facets, local cuts and rules.
LEAST_VIOLATION = 0.02  # Smallest violation of a cut; smaller ones hardly move the bound.
LESS = 1e-4  # Smallest violation of a cut when no row reaches LEAST_VIOLATION.
MOST_CLUSTERS = 200  # Clusters in a round at most; more slow down the linear program.
MOST_SMALL = 100  # Facets, and local cuts, in a round at most; more slow down the linear program.
MOST_SETS = 100_000  # Sets of three and four variables examined for facets in a round.
LOCAL_MEMBERS = 8  # Variables of a local cut, as all of their networks are examined.
LEAST_LOCAL = 0.01  # Smallest violation of a local cut, as a share of its limit.
MOST_LOCAL_SETS = 8  # Sets for local cuts that each variable starts at most.
GOOD_YIELD = 0.1  # Share of the sets that gave a local cut, above which the next round tries more sets.
OLD = 12  # Rounds after which a slack row leaves the linear program.
MANY_OLD = 20  # Old rows that leave together at least, as the solver then starts anew.
MANY_ROWS = 5000  # Rows of the pool besides those of the linear program.
LARGEST_EXACT = 80  # Variables of a component up to which an integer program looks for the most violated cluster.
EXACT_NODES = 20  # Nodes after which this integer program is given up.
MOST_CLUSTERS_OF_PATH = 20  # Clusters of each forbidden path in a round.
FLOW_UNIT = 1_000_000  # Units of flow through a family of share 1, as the flow is computed in whole numbers.
LARGEST_WEIGHT = 2**20  # Largest weight of a term in a proof, so that sums of weights are exact.

# The next three are shares of families in a solution, which is exact up to the tolerance of the solver.
POSITIVE = 1e-6  # Share above which a solution uses a family.
SLIGHTLY_POSITIVE = 1e-7  # Share above which a family counts in the search for a cluster, where small shares add up.
HARDLY_POSITIVE = 1e-9  # Share above which a family counts in a flow, where many shares add up.

# Tunables of the nodes of the tree.
ITERATIONS = 500  # Simplex iterations between looks at the clock, which take some milliseconds.
SLOW_ROUNDS = 5  # Rounds of cuts in a row with little gain after which a node is split.
MORE_CUTS = 5  # Multiple of the least gain below which the next round may search longer for cuts.
NEARLY_WHOLE = 0.9  # Share of variables that use one family above which cuts are never too slow.
RAY_LENGTH = 1e7  # Largest multiplier after scaling a ray, along which the bound falls without end.
SMALLER_ROUNDS = 20  # Factor by which a node has fewer rounds of cuts than the root, whose cuts serve all nodes.
LEAST_GAP = 1e-12  # Smallest gap of a node in nats, as gains are divided by it.
LEAST_GAIN = 1e-4  # Smallest share of the gap in a product over children, so that one 0 does not hide the others.
ROUNDS_BEFORE_POLISHING = 10  # Rounds of a node between two improvements of a rounded network.
ASCENTS_PER_VARIABLE = 20  # Clusters per variable that the dual ascent at the root may raise.
LEAST_ASCENTS = 100  # Clusters that the dual ascent may raise in addition.

# Tunables of the networks to start from.
POLISHING = 10  # Iterations of the order search that improves a rounded solution.
FIRST_ORDERS = 4  # Orders that are improved in parallel before the root.
LONGER = 20  # Multiple of the first search's iterations in the search before the root is split.
FIRST_ITERATIONS = 15_000  # Iterations of the first search times the number of variables.
FEWEST_ITERATIONS = 40  # Fewest iterations of the first search.
MOST_ITERATIONS = 200  # Most iterations of the first search.

# Memory in bytes.
BYTES_OF_FAMILY = 200  # Bytes of a family, inside and outside the linear program.
BYTES_OF_OPEN_NODE = 400  # Bytes of an open node without its families.
BYTES_OF_START = 300  # Bytes of the starting basis of an open node without its arrays.
BYTES_OF_RECORD = 300  # Bytes of a node of a proof without its rows.
BYTES_OF_CHARGE = 12  # Bytes of one row in a node of a proof.
