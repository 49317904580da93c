"""The contents of a page without a server: the answers to most calls, computed beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credenet.explorer.front_end import page_part
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource
from credenet.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.data.dataset import Dataset

_ROWS = 50  # Networks and classes that a page lists.
_MOST_EFFECTS = 15_000  # Probabilities P(y | do(x)) of all pairs together, at most.


def session_of(credible: CredibleSet, data: Dataset | None, *, shell: bool = False) -> ExplorerSession | None:
    """A session that shows a credible set and learns nothing; None if the set has nothing to show."""
    source = OpenedSource("Credible networks", data, "data", shell=shell)
    answer = source.answer_of(credible, credible.provenance.knowledge or Knowledge())
    return None if answer is None else ExplorerSession(source, answer, can_learn=False)


def embed_explorer(credible: CredibleSet, data: Dataset | None, *, shell: bool = False) -> str:
    """The explorer as a part of an HTML page; empty if there is nothing to show."""
    session = session_of(credible, data, shell=shell)
    if session is None:
        return ""
    contents: dict[str, Any] = {"state": session.call("state", {})}
    if credible.optimum is not None and credible:
        contents["curve"] = session.call("curve", {})
        contents["networks"] = session.call("networks", {"number": _ROWS})
        contents["distinctions"] = session.call("distinctions", {})
        if credible.diagram.has_quick_classes:
            contents["classes"] = session.call("classes", {"number": _ROWS})
    if data is not None:
        contents["data"] = session.call("data", {})
        cells = sum(len(data.states[name]) for name in credible.variables) ** 2
        if cells <= _MOST_EFFECTS and credible.has_quick_paths:
            contents["effects"] = [session.call("effects", {"x": at}) for at in range(len(credible.variables))]
    return page_part(contents)
