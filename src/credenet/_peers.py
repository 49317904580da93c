"""Words of other libraries (bnlearn, pgmpy, pyAgrum, causal-learn, scikit-learn, networkx) and what they are here.

The one list of such words, for errors about unknown names, arguments and choices, in Python and on the command line.
Every call and value that it advises is made by `tests/test_peers.py`, with data, graph, network and result as they are
called here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

_LEARN = {
    "hc": "credenet.learn(data, method='hill_climb')",
    "tabu": "credenet.learn(data, method='tabu')",
    "mmhc": "credenet.learn(data, method='mmhc')",
    "pc": "credenet.learn(data, method='pc')",
    "pc_stable": "credenet.learn(data, method='pc')",
    "chow_liu": "credenet.learn(data, method='chow_liu')",
    "tree_bayes": "credenet.learn(data, method='chow_liu')",
    "BNLearner": "credenet.learn(data)",
    "StructureLearning": "credenet.learn(data)",
    "HillClimbSearch": "credenet.learn(data, method='hill_climb')",
    "ExhaustiveSearch": "credenet.learn(data)",
    "TreeSearch": "credenet.learn(data, method='chow_liu')",
    "MmhcEstimator": "credenet.learn(data, method='mmhc')",
    "boot_strength": "credenet.bootstrap(data)",
    "arc_strength": "credenet.bootstrap(data)",
}
_MODELS = {
    "bn_fit": "credenet.fit(data, graph)",
    "MaximumLikelihoodEstimator": "credenet.fit(data, graph, smoothing=None)",
    "BayesianEstimator": "credenet.fit(data, graph)",
    "BayesNet": "credenet.BayesianNetwork",
    "BayesianModel": "credenet.BayesianNetwork",
    "DiscreteBayesianNetwork": "credenet.BayesianNetwork",
    "empty_graph": "credenet.DAG(['x', 'y'])",
    "model2network": "credenet.DAG.parse('[x][y|x]')",
    "modelstring": "graph.to_model_string()",
    "random_graph": "credenet.random.dag(20, max_parents=3)",
    "rbn": "network.sample(1000)",
    "simulate": "network.sample(1000)",
    "get_example_model": "credenet.textbook.asia()",
}
_QUESTIONS = {
    "VariableElimination": "network.infer({'y': 'yes'})",
    "LazyPropagation": "network.infer({'y': 'yes'})",
    "BeliefPropagation": "network.infer({'y': 'yes'})",
    "getPosterior": "network.infer({'y': 'yes'}).marginals(['x'])",
    "cpquery": "network.infer({'y': 'yes'}).marginals(['x'])",
    "cpdist": "network.infer({'y': 'yes'}).sample(1000)",
    "CausalInference": "network.effects('x', 'y')",
    "causalImpact": "network.effects('x', 'y')",
    "dsep": "graph.d_separated('x', 'z', given=['y'])",
    "ci_test": "credenet.independence_test(data, 'x', 'z', ['y'])",
    "shd": "credenet.compare(graph, graph)",
    "hamming": "credenet.compare(graph, graph)",
    "cpdag": "graph.cpdag()",
    "cextend": "graph.cpdag().extension()",
    "dag2cpdag": "graph.cpdag()",
}
_FILES = {
    "read_csv": "credenet.read('data.csv')",
    "load_data": "credenet.read('data.csv')",
    "from_pandas": "credenet.Dataset.from_frame(data.to_pandas())",
    "loadBN": "credenet.load('network.bif')",
    "load_bif": "credenet.load('network.bif')",
    "load_network": "credenet.load('network.bif')",
    "read_bif": "credenet.load('network.bif')",
    "BIFReader": "credenet.load('network.bif')",
    "saveBN": "network.save('network.bif')",
    "write_bif": "network.save('network.bif')",
    "BIFWriter": "network.save('network.bif')",
    "to_bif": "network.save('network.bif')",
}
_RENAMED = {
    "intersection_validation": "credenet.validate",
    "random_dag": "credenet.random.dag",
    "random_network": "credenet.random.network",
    "load_res": "credenet.types.ResFile.load",
    "CredibleNetwork": "credenet.types.WeightedNetwork",
    "PairConfidence": "credenet.types.PairProbabilities",
}
PACKAGE: Mapping[str, str] = {**_LEARN, **_MODELS, **_QUESTIONS, **_FILES, **_RENAMED}
"""Names that are looked for in the package."""

_OF_NETWORKS = {
    **dict.fromkeys(("cpt", "cpd", "cpds", "cpts", "get_cpds", "prob", "tables"), "network['x']"),
    **dict.fromkeys(("nodes", "names", "node_names"), "network.variables"),
    **dict.fromkeys(("cardinality", "get_cardinality", "nlevels"), "network.n_states"),
    **dict.fromkeys(("state_names", "levels", "labels"), "network.states"),
    **dict.fromkeys(("dim", "nparams", "n_params"), "network.n_parameters"),
    **dict.fromkeys(("query", "getPosterior", "posterior", "cpquery"), "network.infer({'y': 'yes'}).marginals(['x'])"),
    **dict.fromkeys(("map_query", "mpe", "map"), "network.infer({'y': 'yes'}).mpe()"),
    **dict.fromkeys(("simulate", "rbn", "generate_sample", "forward_sample"), "network.sample(1000)"),
    **dict.fromkeys(("set_cpt", "set_cpd", "add_cpds"), "network.with_table('x', [0.5, 0.5])"),
    **dict.fromkeys(
        ("add", "addNode", "add_node", "add_variable"), "network.with_variable('w', ['no', 'yes'], [0.5, 0.5])"
    ),
    **dict.fromkeys(("erase", "eraseNode", "remove_node", "remove_variable"), "network.without_variable('x')"),
    **dict.fromkeys(("logLik", "score", "log_prob"), "network.log_likelihood(data)"),
    **dict.fromkeys(("mutilated", "mutilate", "intervene"), "network.do({'x': 'yes'})"),
    **dict.fromkeys(("predict_probability", "predict_probabilities"), "network.predict_proba(data, 'x')"),
    **dict.fromkeys(("refit", "fit"), "credenet.fit(data, network)"),
    **dict.fromkeys(("write", "saveBIF", "write_bif", "save_bif", "to_bif", "dump"), "network.save('network.bif')"),
}
_OF_GRAPHS = {
    **dict.fromkeys(("nodes", "names", "node_names"), "graph.variables"),
    **dict.fromkeys(("arcs", "arc_set"), "graph.edges"),
    **dict.fromkeys(("has_edge", "has_arc", "existsArc"), "('x', 'y') in graph.edges"),
    **dict.fromkeys(("predecessors", "get_parents"), "graph.parents('y')"),
    **dict.fromkeys(("successors", "get_children"), "graph.children('x')"),
    **dict.fromkeys(("mb", "get_markov_blanket", "markovBlanket"), "graph.markov_blanket('x')"),
    **dict.fromkeys(("amat", "adjacency_matrix", "adjacencyMatrix"), "graph.to_adjacency()"),
    **dict.fromkeys(("add_edge", "addArc", "set_arc", "add_arc"), "graph.with_edge('x', 'z')"),
    **dict.fromkeys(("remove_edge", "eraseArc", "drop_arc", "delete_edge"), "graph.without_edge('x', 'y')"),
    **dict.fromkeys(("reverse_arc", "reverseArc"), "graph.reverse_edge('x', 'y')"),
    **dict.fromkeys(("add_node", "addNode"), "graph.with_variable('w')"),
    **dict.fromkeys(("remove_node", "eraseNode"), "graph.without_variable('x')"),
    **dict.fromkeys(("dsep", "is_d_separated", "isIndependent"), "graph.d_separated('x', 'z', given=['y'])"),
    **dict.fromkeys(("is_dconnected", "is_active_trail"), "not graph.d_separated('x', 'z')"),
    **dict.fromkeys(("moralGraph", "moralize"), "graph.moral()"),
    **dict.fromkeys(("topologicalOrder", "topological_sort", "node_ordering"), "graph.topological_order()"),
    **dict.fromkeys(("get_ancestors", "ancestors_of"), "graph.ancestors('z')"),
    **dict.fromkeys(("get_descendants", "descendants_of"), "graph.descendants('x')"),
    **dict.fromkeys(("to_pdag", "essentialGraph", "essential_graph"), "graph.cpdag()"),
    **dict.fromkeys(("vstructs", "v_structures", "get_immoralities"), "graph.immoralities()"),
    **dict.fromkeys(("get_roots", "root_nodes"), "graph.roots"),
    **dict.fromkeys(("get_leaves", "leaf_nodes"), "graph.leaves"),
    **dict.fromkeys(("modelstring", "to_string"), "graph.to_model_string()"),
    **dict.fromkeys(("shd", "hamming"), "credenet.compare(graph, graph)"),
    **dict.fromkeys(("number_of_edges", "sizeArcs", "narcs"), "graph.n_edges"),
    **dict.fromkeys(("number_of_nodes", "size", "nnodes"), "len(graph)"),
    **dict.fromkeys(("save", "write"), "credenet.save_graph(graph, 'graph.txt')"),
}
_OF_RESULTS = {
    **dict.fromkeys(("model", "bn", "network"), "result.fit(data)"),
    **dict.fromkeys(("nodes", "variables"), "result.graph.variables"),
    **dict.fromkeys(("arcs", "edges"), "result.graph.edges"),
    **dict.fromkeys(("best_score", "score_"), "result.score"),
}
_OF_DATA = {
    **dict.fromkeys(("columns", "names"), "data.variables"),
    **dict.fromkeys(("values", "to_numpy"), "data.codes"),
    **dict.fromkeys(("head", "describe", "summary"), "data.info()"),
    **dict.fromkeys(("levels", "state_names", "labels"), "data.states"),
    **dict.fromkeys(("nrow", "n_samples"), "data.n_rows"),
    **dict.fromkeys(("ncol", "n_features"), "data.n_variables"),
    "iloc": "data.take([0, 1])",
}
_OF_SETS = {
    **dict.fromkeys(("dag", "graph"), "credible.best"),
    **dict.fromkeys(("dags", "graphs"), "list(credible)"),
    **dict.fromkeys(("edges", "arcs", "edge_strengths"), "credible.edge_probabilities()"),
}
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "BayesianNetwork": _OF_NETWORKS,
    "Graph": _OF_GRAPHS,
    "LearnResult": _OF_RESULTS,
    "Dataset": _OF_DATA,
    "CredibleSet": _OF_SETS,
}
"""Attributes that are looked for in objects, by type."""
PARTS = {"BayesianNetwork": ("network", "dag"), "LearnResult": ("result", "graph")}
"""What an object is called in advice, and the graph in it, whose attributes are looked for in the object, too."""

_KNOWLEDGE = "knowledge=credenet.Knowledge({}=[('x', 'y')])"
_G2 = ("test='g2(significance=0.05)', method='pc'", "test='g2(significance=0.05)'")
_PRIOR = ("ess=1", "smoothing='bdeu(ess=1)'")
_KEYWORDS: Mapping[str, str | tuple[str, ...]] = {
    **dict.fromkeys(
        ("whitelist", "white_list", "required", "required_edges", "fixed_edges"), _KNOWLEDGE.format("required")
    ),
    **dict.fromkeys(("blacklist", "black_list", "forbidden", "forbidden_edges"), _KNOWLEDGE.format("forbidden")),
    **dict.fromkeys(("tiers", "tiers_list"), "knowledge=credenet.Knowledge(tiers=[['x'], ['y', 'z']])"),
    **dict.fromkeys(("background_knowledge", "expert_knowledge"), _KNOWLEDGE.format("required")),
    **dict.fromkeys(("alpha", "significance", "significance_level"), _G2),
    **dict.fromkeys(("max_indegree", "max_in_degree", "maxp", "maxP", "max_num_parents"), "max_parents=3"),
    **dict.fromkeys(("ci_test", "indep_test"), ("test='g2', method='pc'", "test='g2'")),
    **dict.fromkeys(("scoring_method", "score_type", "scoretype", "score_func"), "score='bic'"),
    **dict.fromkeys(("iss", "equivalent_sample_size", "imaginary_sample_size"), _PRIOR),
    **dict.fromkeys(("prior_type", "pseudo_counts"), _PRIOR[::-1]),
    **dict.fromkeys(("algorithm", "estimator", "learner"), "method='auto'"),
    **dict.fromkeys(("restart", "restarts"), "method='hill_climb(restarts=10)'"),
    **dict.fromkeys(("tabu_length", "tabu_size"), "method='tabu(length=10)'"),
    **dict.fromkeys(("random_state", "random_seed"), "seed=1"),
    **dict.fromkeys(("n_jobs", "num_threads", "threads", "n_cores"), "n_threads=2"),
    **dict.fromkeys(("timeout", "max_time", "time_budget"), "time_limit=60"),
    **dict.fromkeys(("verbose", "debug", "show_progress"), "on_progress=print"),
    **dict.fromkeys(("R", "n_boot", "n_bootstrap", "replicates"), "n_samples=100"),
    **dict.fromkeys(("n", "size", "nrows", "n_samples", "sample_size"), "n_rows=100"),
    **dict.fromkeys(("bf",), "bayes_factor=20"),
    **dict.fromkeys(("treewidth", "tw"), "tree_width=2"),
    **dict.fromkeys(("n_nodes", "num_nodes", "n_variables"), "variables=20"),
    **dict.fromkeys(("sep", "delimiter"), "format='csv'"),
    **dict.fromkeys(("usecols", "use_columns"), "columns=['x', 'y']"),
    **dict.fromkeys(("dropna", "drop_na"), "missing='drop'"),
}
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    name: (meant,) if isinstance(meant, str) else meant for name, meant in _KEYWORDS.items()
}
"""Arguments that are given to calls, and those that are meant: the first one that the call has."""

CHOICES: Mapping[str, Mapping[str, str]] = {
    "method": {
        **dict.fromkeys(("hc", "greedy", "greedy_hill_climbing", "hill_climb_search"), "hill_climb"),
        **dict.fromkeys(("tabu_search", "local_search_with_tabu_list"), "tabu"),
        **dict.fromkeys(("pc_stable", "gs", "iamb", "fast_iamb", "inter_iamb"), "pc"),
        **dict.fromkeys(("rsmax2", "h2pc"), "mmhc"),
        **dict.fromkeys(("tree", "maximum_spanning_tree"), "chow_liu"),
        **dict.fromkeys(("exhaustive", "dynamic_programming", "silander"), "dp"),
        **dict.fromkeys(("gobnilp", "milp", "cutting_planes"), "ilp"),
        **dict.fromkeys(("ve", "variable_elimination", "junction_tree", "lazy_propagation"), "exact"),
        **dict.fromkeys(("lbp", "loopy", "loopy_belief_propagation"), "loopy_bp"),
        **dict.fromkeys(("lw", "weighted_sampling"), "likelihood_weighting"),
        **dict.fromkeys(("gibbs_sampling", "mcmc_gibbs"), "gibbs"),
        **dict.fromkeys(("asobs", "order_based_search", "obs"), "order_search"),
    },
    "score": {
        **dict.fromkeys(("loglik", "log_lik", "ll", "log2likelihood"), "log_likelihood"),
        **dict.fromkeys(("bic-d", "bicscore", "scorebic", "local_score_bic"), "bic"),
        **dict.fromkeys(("aic-d", "aicscore", "scoreaic"), "aic"),
        **dict.fromkeys(("k2score", "scorek2"), "k2"),
        **dict.fromkeys(("bdeuscore", "scorebdeu", "local_score_bdeu"), "bdeu"),
        **dict.fromkeys(("bdj", "jeffreys_prior"), "jeffreys"),
        **dict.fromkeys(("bdsscore",), "bds"),
    },
    "test": {
        **dict.fromkeys(("x2", "chisq", "chi_square", "pearsonr", "pearson"), "chi2"),
        **dict.fromkeys(("g_sq", "gsq", "g_square", "mi", "loglikelihood_ratio"), "g2"),
        **dict.fromkeys(("mutual_information", "conditional_mutual_information"), "cmi"),
        **dict.fromkeys(("bf",), "bayes_factor"),
    },
    "smoothing": {**dict.fromkeys(("bayes", "laplace"), "k2")},
}
"""Names of choices, by the argument that they are given for."""


def package_advice(name: str, known: Iterable[str]) -> str:
    """The end of a message that suggests a name for an unknown one of the package."""
    return _use(PACKAGE[name]) if name in PACKAGE else _similar(name, known)


def attribute_advice(owner: type, name: str, graph: type | None = None) -> str:
    """The end of a message that suggests an attribute for an unknown one; ``graph`` is the type of a part (`PARTS`)."""
    words = [ATTRIBUTES.get(kind.__name__, {}) for kind in owner.__mro__]
    meant = next((own[name] for own in words if name in own), None)
    if meant is not None:
        asked = _graph_attribute(meant)
        return _use(meant) if asked is None or hasattr(owner, asked) else ""
    if graph is not None:
        meant = f"graph.{name}" if hasattr(graph, name) else ATTRIBUTES["Graph"].get(name)
        if meant is not None:
            return _use(_write_part_call(meant, owner, graph))
    return _similar(name, (each for each in dir(owner) if not each.startswith("_")))


def _graph_attribute(meant: str) -> str | None:
    """The attribute of a graph that the text of a call asks for."""
    found = re.match(r"(?:not )?graph\.(\w+)", meant)
    return None if found is None else found[1]


def _write_part_call(meant: str, owner: type, graph: type) -> str:
    """The text of a call of a graph for an object that has a graph, or an attribute of the same name and kind."""
    name, part = PARTS[owner.__name__]
    asked = _graph_attribute(meant)
    kinds = [callable(getattr(each, asked, None)) for each in (owner, graph)] if asked else []
    is_own = asked is not None and hasattr(owner, asked) and kinds[0] == kinds[1]
    return re.sub(r"\bgraph\b(?!\.txt)", name if is_own else f"{name}.{part}", meant)


def keyword_advice(name: str, known: Iterable[str]) -> str:
    """The end of a message that suggests an argument for an unknown one."""
    names = list(known)
    meant = meant_argument(name, names)
    if meant is not None:
        return _use(meant)
    return _similar(name, names) or f"; the arguments are {', '.join(names)}"


def meant_argument(name: str, known: Iterable[str]) -> str | None:
    """The arguments that another library calls by an unknown name, if the call has them all."""
    names = set(known)
    return next((meant for meant in KEYWORDS.get(name, ()) if _is_for(meant, names)), None)


def _is_for(meant: str, names: set[str]) -> bool:
    """Whether a call with these arguments takes those that are meant; methods of learning are for what learns only."""
    names_a_learner = "method='" in meant and "method='auto'" not in meant
    return set(re.findall(r"(?:^|, )(\w+)=", meant)) <= names and ("tree_width" in names or not names_a_learner)


def choice_advice(argument: str, value: object, known: Iterable[str]) -> str:
    """The end of a message that suggests a choice for an unknown one."""
    names = list(known)
    word = plain_name(value) if isinstance(value, str) else ""
    meant = next((ours for peer, ours in CHOICES.get(argument, {}).items() if plain_name(peer) == word), None)
    return f"; did you mean {meant!r}?" if meant in names else _similar(word, names)


def namesake_advice(argument: str, name: str) -> str:
    """The end of a message on a choice that has another meaning in another library."""
    return "; the bde of bnlearn is 'bdeu' here" if (argument, name) == ("score", "bde") else ""


def plain_name(name: str) -> str:
    """A name but for case, hyphens, underscores and blanks."""
    return "".join(letter for letter in name.casefold() if letter not in "-_ ")


def _use(meant: str) -> str:
    return f"; use {meant}"


def _similar(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f"; did you mean {close[0]!r}?" if close else ""
