"""Names that every format of networks and every program known to us reads: letters, digits and underscores.

Accents are dropped, comparisons are written as words (``<=1.5`` becomes ``le_1_5``), and whatever else is no letter or
digit becomes an underscore. A name of a variable begins with a letter or an underscore. A name that is safe stays as it
is; another that would be the same as one before it gets a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from credenet.data.states import texts

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STATE = re.compile(r"[A-Za-z0-9_]+")
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_WORDS = {"<=": " le ", ">=": " ge ", "\u2264": " le ", "\u2265": " ge ", "<": " lt ", ">": " gt "}
# Keywords of BIF, which pyAgrum does not read as names, and of NET and DSC.
_RESERVED = {
    *("network", "variable", "probability", "property", "type", "discrete", "table", "default"),
    *("net", "node", "potential", "belief", "decision", "utility", "function", "continuous"),
}


class Renaming(NamedTuple):
    """New names by old ones, for variables and for the states of each variable; names that stay are left out.

    The variables of ``states`` have their old names.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.sprinkler().rename({"rain": "rain today"})
    >>> network.safe_names()
    Renaming(variables={'rain today': 'rain_today'}, states={})
    """

    variables: Mapping[str, str]
    states: Mapping[str, Mapping[str, str]]


def safe_names(network: BayesianNetwork) -> Renaming:
    """The safe names of all variables and states that have others."""
    variables = _new_names(network.variables, _VARIABLE)
    states = {name: _new_names(texts(labels), _STATE) for name, labels in network.states.items()}
    return Renaming(variables, {name: renamed for name, renamed in states.items() if renamed})


def rename_network(network: BayesianNetwork, names: Renaming) -> BayesianNetwork:
    """The same network with other names."""
    from credenet.networks.bayesian import BayesianNetwork

    new = {name: names.variables.get(name, name) for name in network.variables}
    states = {
        new[name]: [names.states.get(name, {}).get(str(label), label) for label in labels]
        for name, labels in network.states.items()
    }
    parents = {new[name]: [new[parent] for parent in network.parents(name)] for name in network.variables}
    order = network.elimination_order
    tables = {new[name]: network.table(name) for name in network.variables}
    again = BayesianNetwork(states, parents, tables)
    return again.with_elimination_order(None if order is None else [new[name] for name in order])


def _new_names(names: Iterable[str], is_safe: re.Pattern[str]) -> dict[str, str]:
    """Safe names for the unsafe ones, different from each other and from all safe names."""
    several = list(names)
    taken = {name for name in several if is_safe.fullmatch(name) and name not in _RESERVED}
    new_names: dict[str, str] = {}
    for name in several:
        if name in taken:
            continue
        stem = _stem(name)
        if not is_safe.fullmatch(stem) or stem in _RESERVED:
            stem = f"_{stem}"
        new, number = stem, 2
        while new in taken or new in new_names.values():
            new, number = f"{stem}_{number}", number + 1
        new_names[name] = new
    return new_names


def _stem(name: str) -> str:
    text = re.sub(r"^-(?=[0-9.])", "minus ", name)
    for sign, word in _WORDS.items():
        text = text.replace(sign, word)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _OTHER.sub("_", plain).strip("_")
