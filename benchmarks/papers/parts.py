"""Parts of the library that have no part in the cells of some tables, by what they are for; see `measures`."""

QUERIES = (
    *("inference.approximate", "inference.evidence", "inference.explanation", "inference.inference"),
    *("inference.prediction", "inference.query", "inference.session", "networks.conditional_table"),
    *("networks.intervention", "networks.structured"),
)
ELSEWHERE = (  # Modules that count rows elsewhere: devices and clusters.
    *("placement.calls", "placement.cluster", "placement.device", "placement.gpu", "placement.placed"),
    *("placement.service", "placement.shards"),
)
BESIDES = (  # Modules by which results tell of themselves.
    *("learners.result_text", "learners.verification"),
    *("networks.changes", "networks.safe_names", "graphs.adjustment", "graphs.possible_parents"),
    *("knowledge.consequences",),
)
BOUNDED = ("learners.tree_width", "search.bounded_milp", "search.elimination_program")
TESTED = ("independence", "learners.constraint_based")
SCORED = (
    *("learners.automatic", "learners.exploring_search", "learners.score_based", "learners.table_search"),
    *("learners.trees", "search.auto", "search.components", "search.cost", "search.first_network", "search.ilp"),
    *("search.lattice", "search.solvers", "search.nested.ssp"),
)
COMMON = (*QUERIES, *ELSEWHERE, *BESIDES)

# Modules that `load` reaches through `_later`.
NETWORK_FILES = ("io.networks.bif", "io.networks.formats", "io.results.kinds")
