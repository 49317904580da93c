"""The tunables of branch and cut, in one table: what they count, and why they are what they are.

They change how long a search takes, and not which network it proves to be best. Sizes in bytes are upper estimates.
"""

from __future__ import annotations

# Columns of the linear program: families.
MANY_COLUMNS = 4000  # Families above which the linear program starts with some of them, as most are never used.
FIRST_COLUMNS = 12  # Families of each variable with which a large linear program starts.
NEW_COLUMNS = 5000  # Families that are added at once; more would slow down the next solution.
COLUMNS_PER_ROW = 3  # Families for each row that are kept when columns are dropped.
FEW_COLUMNS = 1000  # Families that are kept in any case, as so few cost nothing.
LEAST_COST = 1e-9  # Nats by which a reduced cost must be lower than another one; the solver leaves less of rounding.

# Rows of the linear program: clusters, facets, local cuts and rules.
LEAST_VIOLATION = 0.02  # Violation of a row that makes it a cut; smaller ones hardly move the bound.
LESS = 1e-4  # Least violation of a row where nothing else is found.
MOST_CLUSTERS = 200  # Clusters in a round; more slow down the linear program.
MOST_SMALL = 100  # Facets, or local cuts, in a round, for the same reason.
MOST_SETS = 100_000  # Sets of three and four variables that are looked at for facets in a round.
LOCAL_MEMBERS = 8  # Variables of a local cut, whose networks are all looked at.
LEAST_LOCAL = 0.01  # Least violation of a local cut, as a share of its limit.
MOST_LOCAL_SETS = 8  # Sets for local cuts that each variable starts.
GOOD_YIELD = 0.1  # Share of these sets with a cut above which more are tried.
OLD = 12  # Rounds for which a row may be slack before it leaves the linear program.
MANY_OLD = 20  # Rows that must be old before any leaves, as the solver then starts anew.
MANY_ROWS = 5000  # Rows that are kept besides those of the linear program.
LARGEST_EXACT = 80  # Variables of a component in which an integer program seeks the most violated cluster.
EXACT_NODES = 20  # Nodes of this integer program, which is given up where it takes more.
MOST_CLUSTERS_OF_PATH = 20  # Clusters of each path that must not be, in a round.
FLOW_UNIT = 1_000_000  # Whole units of flow that a family of share 1 lets pass; the flow is computed in whole numbers.
LARGEST_WEIGHT = 2**20  # Weight of a term of a row in a proof; sums of such weights stay exact.

# Shares of families in a solution of the linear program, of which the solver leaves its tolerance of rounding.
POSITIVE = 1e-6  # Share above which a solution uses a family.
SLIGHTLY_POSITIVE = 1e-7  # Share above which a family counts in the search for a cluster, which all its mass decides.
HARDLY_POSITIVE = 1e-9  # Share above which a family counts in a flow, which adds many of them.

# Nodes of the tree.
ITERATIONS = 500  # Iterations of the simplex method between looks at the clock: some milliseconds.
SLOW_ROUNDS = 5  # Rounds of cuts in a row that gain little, after which a node is split.
MORE_CUTS = 5  # Times the least gain of a round below which the next one may take longer to find cuts.
NEARLY_WHOLE = 0.9  # Share of variables with one family above which cuts are never too slow.
RAY_LENGTH = 1e7  # Length of a step along a ray; the bound falls along it without end.
SMALLER_ROUNDS = 20  # Times fewer rounds of cuts in a node than in the root, whose cuts serve all nodes.
LEAST_GAP = 1e-12  # Nats of the gap of a node, by which gains are divided.
LEAST_GAIN = 1e-4  # Share of the gap that a child closes at least, so that a product tells the other children apart.
ROUNDS_BEFORE_POLISHING = 10  # Rounds of a node after which a rounded network is improved again.
ASCENTS_PER_VARIABLE = 20  # Clusters for each variable that the dual ascent at the root may raise.
LEAST_ASCENTS = 100  # Clusters that the dual ascent may raise besides.

# Networks to start from.
POLISHING = 10  # Iterations of the search over orders from a rounded solution, now and then.
FIRST_ORDERS = 4  # Orders that are improved side by side before the root.
LONGER = 20  # Times the iterations of the first search, in the one before the root is split.
FIRST_ITERATIONS = 15_000  # Iterations of the first search, divided by the number of variables.
FEWEST_ITERATIONS = 40  # Iterations of the first search at least.
MOST_ITERATIONS = 200  # Iterations of the first search at most.

# Memory.
BYTES_OF_FAMILY = 200  # Bytes of a family in the linear program and beside it.
BYTES_OF_OPEN_NODE = 400  # Bytes of an open node without its families.
BYTES_OF_START = 300  # Bytes of the basis that an open node starts from, without its numbers.
BYTES_OF_RECORD = 300  # Bytes of a node of a proof without its rows.
BYTES_OF_CHARGE = 12  # Bytes of a row of a node of a proof.
