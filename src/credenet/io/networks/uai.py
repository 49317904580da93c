"""UAI, the format of the inference competitions: a ``BAYES`` file is a Bayesian network, a ``MARKOV`` file factors.

There are no names: variables and states are numbered from 0. The last variable of a factor changes fastest; in a
``BAYES`` file it is the child.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Never

import numpy as np

from credenet._warnings import warn_caller
from credenet.errors import FormatError, NetworkError
from credenet.io.networks.parts import NetworkParts
from credenet.io.numerals import count_text, decimals, whole
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.markov import MarkovNetwork


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a BAYES text describes."""
    return _UaiParser(text, path).network()


def parse_factors(text: str, path: str | Path) -> MarkovNetwork:
    """The factors of a BAYES or MARKOV text; their product is the model."""
    return _UaiParser(text, path).factors()


class _UaiParser:
    def __init__(self, text: str, path: str | Path) -> None:
        self.path = path
        self.words: list[str] = []
        self.lines: list[int] = []  # The line of each word.
        for number, line in enumerate(text.split("\n"), start=1):
            words = line.split()
            self.words += words
            self.lines += [number] * len(words)
        self.at = 0

    def sizes(self) -> list[int]:
        n_variables = self.count("the number of variables")
        return [self.count("the number of states of a variable") for _ in self.each(n_variables)]

    def factors(self) -> MarkovNetwork:
        self.heading("BAYES", "MARKOV")
        sizes = self.sizes()
        n_factors = self.count("the number of factors", least=0)
        scopes = [self.scope(len(sizes), least=0) for _ in self.each(n_factors)]
        factors = []
        for number, scope in enumerate(scopes):
            shape = [sizes[variable] for variable in scope]
            start = self.at + 1
            values = np.array(self.table(math.prod(shape), f"the table of factor {number}"))
            if (values < 0).any():
                self.fail(f"the table of factor {number} has a negative entry", start + int(np.argmax(values < 0)))
            factors.append(([str(variable) for variable in scope], values.reshape(shape)))
        self.end()
        states = {str(variable): [str(state) for state in range(size)] for variable, size in enumerate(sizes)}
        try:
            return MarkovNetwork(states, factors)
        except NetworkError as error:
            raise FormatError(str(error), path=self.path, line=self.line(2)) from None

    def network(self) -> BayesianNetwork:
        self.heading("BAYES")
        sizes = self.sizes()
        n_variables = len(sizes)
        if sum(sizes) > len(self.words):
            self.fail(f"the variables have {count_text(sum(sizes))} states, more than the file has entries", 2)
        n_factors = self.count("the number of factors")
        if n_factors != n_variables:
            self.fail(f"a BAYES file needs a factor for each of its {n_variables} variables, this has {n_factors}")
        scopes = [(self.at, self.scope(n_variables)) for _ in self.each(n_factors)]
        children: set[int] = set()
        for place, scope in scopes:
            if scope[-1] in children:
                self.fail(f"two factors have variable {scope[-1]} last, that is, as their child", place)
            children.add(scope[-1])
        parts = NetworkParts(self.path)
        for variable, size in enumerate(sizes):
            parts.add_variable(str(variable), [str(state) for state in range(size)], self.line(2 + variable))
        for _, scope in scopes:
            line = self.line(self.at)
            cells = math.prod(sizes[variable] for variable in scope)
            values = self.table(cells, f"the table of variable {scope[-1]}")
            names = [str(variable) for variable in scope]
            parts.add_table(names[-1], names[:-1], values, line)
        self.end()
        return parts.network(self.line(self.at))

    def heading(self, *kinds: str) -> None:
        kind = self.next(kinds[0]).upper()
        if kind in kinds:
            return
        if kind == "MARKOV":
            self.fail(
                "this is a MARKOV network; only BAYES networks can be loaded as Bayesian networks, "
                "use MarkovNetwork.load"
            )
        self.fail(f"expected {' or '.join(kinds)}, got {kind[:20]}")

    def scope(self, n_variables: int, least: int = 1) -> list[int]:
        n_members = self.count("the number of variables of a factor", least)
        scope = [self.count("a variable of a factor", least=0) for _ in self.each(n_members)]
        if max(scope, default=0) >= n_variables:
            self.fail(f"the variables are 0 to {n_variables - 1}, got {max(scope)}")
        if len(set(scope)) < len(scope):
            self.fail("a factor has a variable twice")
        return scope

    def table(self, cells: int, what: str) -> list[float]:
        given = self.count("the number of entries of a table")
        if given != cells:
            self.fail(f"{what} has {given} entries instead of {count_text(cells)}")
        words = self.words[self.at : self.at + cells]
        values = decimals(" ".join(words))
        if values is None or len(values) != len(words):
            wrong = next(at for at, word in enumerate(words) if len(decimals(word) or ()) != 1)
            self.fail(f"{what} holds something that is not a number", self.at + wrong)
        if len(values) < cells:
            self.at = len(self.words)
            self.next(f"entry {len(values) + 1} of {cells} of {what}")
        self.at += cells
        return values

    def end(self) -> None:
        if self.at < len(self.words):
            self.fail(f"expected the end of the file, got {self.words[self.at]}", self.at)

    def count(self, what: str, least: int = 1) -> int:
        word = self.next(what)
        number = whole(word)
        if number is None or number < least:
            self.fail(f"expected {what}, got {word[:20]}")
        return number

    def each(self, count: int) -> range:
        """A range of the announced length, or of one more than the number of words in the file."""
        return range(min(count, len(self.words) + 1))

    def next(self, what: str) -> str:
        if self.at >= len(self.words):
            self.fail(f"expected {what}, but the file ends here", self.at)
        self.at += 1
        return self.words[self.at - 1]

    def line(self, word: int) -> int:
        """The line of a word by its number; beyond the last word, the last line that is not blank."""
        return self.lines[min(word, len(self.lines) - 1)] if self.lines else 1

    def fail(self, message: str, word: int | None = None) -> Never:
        line = self.line(self.at - 1 if word is None else word)
        raise FormatError(message, path=self.path, line=line)


def render(network: BayesianNetwork, path: str | Path) -> str:
    """The network as BAYES text."""
    numbers = {name: at for at, name in enumerate(network.variables)}
    numbered = all(
        name == str(at) and labels == tuple(map(str, range(len(labels))))
        for at, (name, labels) in enumerate(network.states.items())
    )
    if not numbered:
        warn_caller("UAI files hold no names; variables and states are replaced by their numbers")
    lines = ["BAYES", str(len(numbers)), " ".join(map(str, network.n_states.tolist())), str(len(numbers))]
    for name in network.variables:
        scope = [numbers[member] for member in (*network.parents(name), name)]
        lines.append(" ".join(map(str, (len(scope), *scope))))
    for name in network.variables:
        table = network.table(name)
        lines += ["", str(table.size)]
        lines.extend(" ".join(map(repr, row)) for row in table.reshape(-1, table.shape[-1]).tolist())
    return "\n".join(lines) + "\n"
