"""UAI, the format of the inference competitions; a ``BAYES`` file is a Bayesian network.

There are no names: variables and states are numbered from 0. The last variable of a factor changes fastest and is the
one that the factor is the distribution of.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Never

from credenet.errors import FormatError
from credenet.io.numerals import count_text, decimals, whole
from credenet.io.parts import NetworkParts
from credenet.network import BayesianNetwork


def parse(text: str, path: str | Path) -> BayesianNetwork:
    """The network that a BAYES text describes."""
    return _Parser(text, path).network()


class _Parser:
    def __init__(self, text: str, path: str | Path) -> None:
        self.path = path
        self.words: list[str] = []
        self.lines: list[int] = []  # where each word is
        for number, line in enumerate(text.split("\n"), start=1):
            words = line.split()
            self.words += words
            self.lines += [number] * len(words)
        self.at = 0

    def network(self) -> BayesianNetwork:
        self.heading()
        n_variables = self.count("the number of variables")
        sizes = [self.count("the number of states of a variable") for _ in self.each(n_variables)]
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
            values = self.table(math.prod(sizes[variable] for variable in scope), scope[-1])
            names = [str(variable) for variable in scope]
            parts.add_table(names[-1], names[:-1], values, line)
        if self.at < len(self.words):
            self.fail(f"expected the end of the file, got {self.words[self.at]}", self.at)
        return parts.network(self.line(self.at))

    def heading(self) -> None:
        kind = self.next("BAYES").upper()
        if kind == "MARKOV":
            self.fail("this is a MARKOV network; only BAYES networks can be loaded as Bayesian networks")
        if kind != "BAYES":
            self.fail(f"expected BAYES, got {kind[:20]}")

    def scope(self, n_variables: int) -> list[int]:
        n_members = self.count("the number of variables of a factor")
        scope = [self.count("a variable of a factor", least=0) for _ in self.each(n_members)]
        if max(scope) >= n_variables:
            self.fail(f"the variables are 0 to {n_variables - 1}, got {max(scope)}")
        if len(set(scope)) < len(scope):
            self.fail("a factor has a variable twice")
        return scope

    def table(self, cells: int, child: int) -> list[float]:
        given = self.count("the number of entries of a table")
        if given != cells:
            self.fail(f"the table of variable {child} has {given} entries instead of {count_text(cells)}")
        words = self.words[self.at : self.at + cells]
        values = decimals(" ".join(words))
        if values is None or len(values) != len(words):
            wrong = next(at for at, word in enumerate(words) if len(decimals(word) or ()) != 1)
            self.fail(f"the table of variable {child} holds something that is not a number", self.at + wrong)
        if len(values) < cells:
            self.at = len(self.words)
            self.next(f"entry {len(values) + 1} of {cells} of the table of variable {child}")
        self.at += cells
        return values

    def count(self, what: str, least: int = 1) -> int:
        word = self.next(what)
        number = whole(word)
        if number is None or number < least:
            self.fail(f"expected {what}, got {word[:20]}")
        return number

    def each(self, count: int) -> range:
        """As many steps as are announced, or one more than the file can hold."""
        return range(min(count, len(self.words) + 1))

    def next(self, what: str) -> str:
        if self.at >= len(self.words):
            self.fail(f"expected {what}, but the file ends here", self.at)
        self.at += 1
        return self.words[self.at - 1]

    def line(self, word: int) -> int:
        """The line of a word by its number; the last line with anything on it where there is no such word."""
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
        warnings.warn(
            "UAI files hold no names; variables and states are replaced by their numbers",
            UserWarning,
            stacklevel=4,  # the caller of BayesianNetwork.save
        )
    lines = ["BAYES", str(len(numbers)), " ".join(map(str, network.n_states.tolist())), str(len(numbers))]
    for name in network.variables:
        scope = [numbers[member] for member in (*network.parents(name), name)]
        lines.append(" ".join(map(str, (len(scope), *scope))))
    for name in network.variables:
        table = network.table(name)
        lines += ["", str(table.size)]
        lines.extend(" ".join(map(repr, row)) for row in table.reshape(-1, table.shape[-1]).tolist())
    return "\n".join(lines) + "\n"
