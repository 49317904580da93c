"""The call of ``credenet posterior`` that answers for all networks what ``credenet credible`` answers for some."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credenet.credible.class_set import CredibleClasses
    from credenet.credible.credible_set import CredibleSet

_WITH_VALUE = ("--bayes-factor", "--slack", "--ratio", "--mass", "--k", "--output", "-o", "--report")
_ALONE = ("--classes", "--covered-mass", "--no-covered-mass", "--json")


def print_posterior_command(credible: CredibleSet | CredibleClasses, command: Sequence[str]) -> None:
    """Prints the command where the networks hold less than half of the posterior."""
    from credenet.credible.output import wording

    if wording.warning(credible, wording.flag) is not None:
        print(f"\nProbabilities over all networks: {posterior_command(command)}")


def posterior_command(command: Sequence[str]) -> str:
    """A command ``credenet credible …`` with the verb and the flags of the posterior.

    Examples
    --------
    >>> posterior_command(["credenet", "credible", "a b.csv", "--mass", "0.9", "--score", "bic", "--slack=2", "--json"])
    "credenet posterior 'a b.csv' --score bic"
    """
    kept: list[str] = []
    words = iter(command)
    for word in words:
        name = word.partition("=")[0]
        if name in _WITH_VALUE and "=" not in word:
            next(words, None)
        elif name not in (*_WITH_VALUE, *_ALONE):
            kept.append(word)
    return shlex.join([kept[0], "posterior", *kept[2:]])
