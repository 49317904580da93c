"""The written form of objects that are no plain records, and their restoration.

Objects of the core are not written: the sums of a posterior are repeated from its families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet.credible.class_set import CredibleClasses, classes_of_parts
from credenet.credible.credible_set import CredibleSet
from credenet.credible.result import Findings
from credenet.data.dataset import Dataset
from credenet.families.arrays import FlatFamilies, check_flat
from credenet.families.table import FamilyTable
from credenet.graphs import DAG, PDAG
from credenet.knowledge.knowledge import Knowledge
from credenet.networks.bayesian import BayesianNetwork
from credenet.posteriors.parts import SummedPosterior
from credenet.posteriors.structure_posterior import StructurePosterior
from credenet.search.dag_sums import sum_over_networks
from credenet.search.ilp.proof import Proof, ProofNode
from credenet.structures.products.class_products import ClassProduct, ComponentClasses
from credenet.structures.products.network_products import NetworkProduct


class PartsCodec(NamedTuple):
    """The parts of an object, and the object of its parts."""

    of: Callable[[Any], Iterable[Any]]
    made: Callable[..., Any]


def _arguments(result: Any) -> tuple[Any, ...]:
    """The arguments from which an object is restored, as for copies."""
    arguments: tuple[Any, ...] = result.__reduce__()[1]
    return arguments


def _network_parts(network: BayesianNetwork) -> tuple[Any, ...]:
    tables = {name: network.table(name) for name in network.variables}
    return dict(network.states), network.dag, tables, network.elimination_order


def _network(states: Any, dag: DAG, tables: Any, order: Any) -> BayesianNetwork:
    return BayesianNetwork(states, dag, tables).with_elimination_order(order)


def _table_parts(table: FamilyTable) -> tuple[Any, ...]:
    flat = table.flat()
    return table.variables, np.diff(flat.starts), flat.scores, flat.sizes, flat.parents, table.made


def _table(variables: Any, counts: Any, scores: Any, sizes: Any, parents: Any, made: Any) -> FamilyTable:
    return FamilyTable.from_flat(variables, counts, scores, sizes, parents, made=made)


def _dataset(states: Any, codes: Any, weights: Any, cuts: Any) -> Dataset:
    return Dataset(states, codes, weights=weights, cuts=cuts)


def _flat_families(starts: Any, scores: Any, sizes: Any, parents: Any) -> FlatFamilies:
    names = tuple(map(str, range(len(starts) - 1)))
    return check_flat(names, np.diff(starts), scores, sizes, parents)


def _sum_parts(part: SummedPosterior) -> tuple[Any, ...]:
    by_orders = part.sums.__getstate__()[1]
    return part.members, part.families, part.rows, part.probabilities, by_orders, part.weights is not None


def _sum_part(
    members: Any, families: FlatFamilies, rows: Any, probabilities: Any, by_orders: bool, with_weights: bool
) -> SummedPosterior:
    """The sums over the networks of the families that were kept: the others together are less probable than 1e-9."""
    weights = _core.WeightTable(families.lists)
    status, sums = sum_over_networks(weights, by_orders, True, Run.from_limits(None, None, None, None))
    if status != "complete" or sums is None:
        raise KeyboardInterrupt
    sums.forget_families()
    return SummedPosterior(members, sums, families, rows, probabilities, weights if with_weights else None)


def _proof_parts(proof: Proof) -> tuple[Any, ...]:
    """The nodes one after another, as a tree may be too deep for JSON: each with the numbers of its children."""
    nodes, number = [proof.root], {id(proof.root): 0}
    rows = []
    for node in nodes:
        for _, child in node.children:
            number[id(child)] = len(nodes)
            nodes.append(child)
        children = [(relation, number[id(child)]) for relation, child in node.children]
        rows.append((node.charges, node.is_exhausted, node.pair, children))
    return proof.score, proof.members, proof.inequalities, rows


def _proof(score: Any, members: Any, inequalities: Any, rows: Any) -> Proof:
    nodes = [ProofNode(charges, is_exhausted, pair) for charges, is_exhausted, pair, _ in rows]
    for at, (_, _, _, children) in enumerate(rows):
        if any(child <= at for _, child in children):
            raise ValueError("a node of a proof comes before its parent")
        nodes[at].children = [(relation, nodes[child]) for relation, child in children]
    return Proof(score, members, inequalities, nodes[0])


def _network_product(components: Any, fixed: Any, tick: float, most: int) -> NetworkProduct:
    return NetworkProduct(components, fixed, tick, most)


def _credible_set(findings: Findings, product: NetworkProduct) -> CredibleSet:
    _check_choices(findings.families.flat(), product)
    return CredibleSet(findings, product)


def _credible_classes(
    findings: Findings, product: ClassProduct, n_networks: int, weight: float, is_whole: bool
) -> CredibleClasses:
    _check_choices(findings.families.flat(), product.best)
    return classes_of_parts(findings, product, n_networks, weight, is_whole)


def _check_choices(flat: FlatFamilies, product: NetworkProduct) -> None:
    """Checks that each variable of each network has one of its own families, as the core does not check positions."""
    for component in product.components:
        for column, member in enumerate(component.members.tolist()):
            _check_families(flat, member, component.starts[column] + component.positions[:, column].astype(np.int64))
    chosen = {member for component in product.components for member in component.members.tolist()}
    for variable, family in enumerate(product.fixed.tolist()):
        if variable not in chosen:
            _check_families(flat, variable, np.array([family]))


def _check_families(flat: FlatFamilies, variable: int, families: NDArray[np.int64]) -> None:
    if families.size and not (flat.starts[variable] <= families.min() <= families.max() < flat.starts[variable + 1]):
        raise ValueError("a network has a family that its table does not have")


PARTS: dict[type[Any], PartsCodec] = {
    DAG: PartsCodec(lambda dag: (dag.variables, dag._parent_order), DAG.from_indices),
    PDAG: PartsCodec(_arguments, PDAG.from_indices),
    BayesianNetwork: PartsCodec(_network_parts, _network),
    FamilyTable: PartsCodec(_table_parts, _table),
    Dataset: PartsCodec(
        lambda data: (dict(data.states), np.asarray(data.codes), data.weights, dict(data.cuts)), _dataset
    ),
    FlatFamilies: PartsCodec(lambda flat: (flat.starts, flat.scores, flat.sizes, flat.parents), _flat_families),
    Knowledge: PartsCodec(lambda rules: (_plain(rules.to_dict()),), Knowledge.from_dict),
    SummedPosterior: PartsCodec(_sum_parts, _sum_part),
    Proof: PartsCodec(_proof_parts, _proof),
    NetworkProduct: PartsCodec(
        lambda product: (product.components, product.fixed, product.tick, product.most), _network_product
    ),
    ComponentClasses: PartsCodec(lambda each: (each.best, each.networks, each.starts), ComponentClasses),
    ClassProduct: PartsCodec(
        lambda product: (product.classes, product.best.fixed, product.best.tick, product.best.most), ClassProduct
    ),
    CredibleSet: PartsCodec(_arguments, _credible_set),
    CredibleClasses: PartsCodec(_arguments, _credible_classes),
    StructurePosterior: PartsCodec(_arguments, StructurePosterior),
}


def _plain(value: Any) -> Any:
    """JSON values without tuples."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
