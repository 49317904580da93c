"""CPDAG and SHD of munin (1,041 variables, 1,397 edges), against pgmpy, causal-learn and pyAgrum."""

from __future__ import annotations

import logging
import warnings

import credenet
from measure import DATA, Report, best_of


def main() -> None:
    import numpy as np
    import pyagrum
    from causallearn.graph.Dag import Dag
    from causallearn.graph.GraphNode import GraphNode
    from causallearn.graph.SHD import SHD
    from causallearn.utils.DAG2CPDAG import dag2cpdag

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    import pgmpy.base
    import pgmpy.metrics

    report = Report("graphs", "How long do the CPDAG and SHD of munin take?", "pgmpy", "causal-learn", "pyagrum")
    network = credenet.load(DATA / "networks" / "munin.bif.gz")
    truth = network.dag
    # The other graph lacks every tenth edge.
    learned = credenet.DAG(truth.variables, [edge for at, edge in enumerate(truth.edges) if at % 10])

    ours = best_of(truth.cpdag, 5)
    report.add("CPDAG", "credenet", ours)
    peer = pgmpy.base.DAG(list(truth.edges))
    report.add("CPDAG", "pgmpy", best_of(peer.to_pdag, 1), ours=ours, note="to_pdag")
    model = network.to_pyagrum()
    report.add("CPDAG", "pyagrum", best_of(lambda: pyagrum.EssentialGraph(model), 3), ours=ours, note="EssentialGraph")

    def causal_learn(dag: credenet.DAG) -> object:
        nodes = {name: GraphNode(name) for name in dag.variables}
        graph = Dag(list(nodes.values()))
        for parent, child in dag.edges:
            graph.add_directed_edge(nodes[parent], nodes[child])
        return graph

    other = causal_learn(truth)
    report.add("CPDAG", "causal-learn", best_of(lambda: dag2cpdag(other), 1), ours=ours, note="dag2cpdag")

    first, second = truth.cpdag(), learned.cpdag()
    ours = best_of(lambda: credenet.compare(first, second), 5)
    report.add("SHD of two CPDAGs", "credenet", ours, note="with F1, extra, missing, misdirected")

    def general(graph: credenet.PDAG) -> object:
        from causallearn.graph.GeneralGraph import GeneralGraph

        nodes = {name: GraphNode(name) for name in graph.variables}
        result = GeneralGraph(list(nodes.values()))
        index = {name: at for at, name in enumerate(graph.variables)}
        marks = np.zeros((len(nodes), len(nodes)), dtype=int)
        for a, b in graph.directed:
            marks[index[a], index[b]], marks[index[b], index[a]] = -1, 1
        for a, b in graph.undirected:
            marks[index[a], index[b]] = marks[index[b], index[a]] = -1
        result.graph = marks
        return result

    theirs = general(first), general(second)
    distance = SHD(*theirs).get_shd()
    agree = distance == credenet.compare(first, second).shd
    note = f"same distance: {agree} ({distance})"
    report.add("SHD of two CPDAGs", "causal-learn", best_of(lambda: SHD(*theirs), 1), ours=ours, note=note)
    both = pgmpy.base.DAG(list(truth.edges)), pgmpy.base.DAG(list(learned.edges))
    for graph in both:
        graph.add_nodes_from(truth.variables)
    dag_ours = best_of(lambda: credenet.compare(truth, learned), 5)
    report.add("SHD of two DAGs", "credenet", dag_ours, note="with SHD of the CPDAGs, SID, F1, …")
    report.add("SHD of two DAGs", "pgmpy", best_of(lambda: pgmpy.metrics.SHD()(*both), 1), ours=dag_ours)
    report.save()


if __name__ == "__main__":
    main()
