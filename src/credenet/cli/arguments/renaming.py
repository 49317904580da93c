"""Safe names in a network that a verb writes: which files may have them, and what was replaced."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from credenet.errors import ArgumentError

if TYPE_CHECKING:
    from credenet.networks.bayesian import BayesianNetwork
    from credenet.networks.safe_names import Renaming

Rename = Literal["safe"] | None


def check_rename(rename: Rename, path: Path | None, suffixes: Container[str], *, has_tables: bool = True) -> None:
    """Raises an error for a flag whose file holds no network."""
    from credenet._files.files import suffix_of

    if rename is not None and (path is None or suffix_of(path) not in suffixes or not has_tables):
        raise ArgumentError("rename='safe' goes with a network that is written as a network")


def safe_names_of(network: BayesianNetwork, rename: Rename) -> Renaming | None:
    """The names that are replaced, if the flag is given."""
    return None if rename is None else network.safe_names()


def described_names(names: Renaming | None) -> dict[str, Any]:
    """What JSON tells of names that were replaced."""
    return {} if names is None else {"renamed": names._asdict()}


def list_names(names: Renaming) -> str:
    """A line for each name that was replaced."""
    lines = [f"variable {old!r} -> {new}" for old, new in names.variables.items()]
    for name, states in names.states.items():
        lines += [f"state {old!r} of {name!r} -> {new}" for old, new in states.items()]
    return "\n".join(lines) or "all names are safe"
