"""Files for the user: the network, the report, and the Python lines that make the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from credenet.drawing.reports.credible import html
from credenet.explorer.answer import ExplorerAnswer
from credenet.explorer.contract import ExportedFile
from credenet.explorer.evidence import MOST_NETWORKS, are_few
from credenet.explorer.source import OpenedSource
from credenet.networks.fitting import fit

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet


def network_file(answer: ExplorerAnswer, source: OpenedSource) -> ExportedFile:
    """The best network, fitted to the data, in BIF."""
    network = source.network
    if network is None:
        assert answer.dag is not None
        assert source.data is not None
        network = fit(source.data, answer.dag)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "network.bif"
        network.save(path)
        return {"name": "network.bif", "type": "text/plain", "text": path.read_text(encoding="utf-8")}


def report(answer: ExplorerAnswer, source: OpenedSource) -> ExportedFile:
    """The HTML report on the credible networks."""
    assert answer.networks is not None
    return {"name": "report.html", "type": "text/html", "text": html(answer.networks, data=source.data)}


def python_lines(answer: ExplorerAnswer, source: OpenedSource, view: Mapping[str, Any]) -> ExportedFile:
    """A program that reproduces the view: networks, pairs above the threshold, and probabilities given the evidence."""
    threshold, evidence = float(view.get("threshold", 0.0)), dict(view.get("evidence", {}))
    lines = ["import credenet", ""]
    if source.network is not None:
        lines += [f"network = {source.reading}", "edges = network.dag.edges"]
    else:
        lines += _learning(answer, source)
        if answer.weighted_networks is not None:
            pairs = "credible.pair_probabilities().items()"
            lines += [f"pairs = {{pair: shares for pair, shares in {pairs} if shares.joined >= {threshold:g}}}"]
    if answer.weighted_networks is not None and source.data is not None:
        lines += ["", *_averaging(answer.weighted_networks, evidence)]
    elif source.network is not None:
        lines += ["", f"marginals = network.infer({evidence!r}).marginals()"]
    elif source.data is not None and answer.dag is not None:
        lines += ["", "network = credenet.fit(data, best)", f"marginals = network.infer({evidence!r}).marginals()"]
    return {"name": "explored.py", "type": "text/x-python", "text": "\n".join(lines) + "\n"}


def _averaging(credible: CredibleSet, evidence: dict[str, str]) -> list[str]:
    """Inference in the networks that `evidence` chooses."""
    if are_few(credible):
        chosen = "(credenet.fit(data, one.dag), one.probability) for one in credible.classes"
    else:
        chosen = f"(credenet.fit(data, dag), 1 / {MOST_NETWORKS}) for dag in credible.sample({MOST_NETWORKS})"
    return [
        f"networks = [{chosen}]",
        f"answers = [(network.infer({evidence!r}).marginals(), weight) for network, weight in networks]",
        "marginals = {",
        "    name: {state: sum(weight * answer[name][state] for answer, weight in answers) for state in states}",
        "    for name, states in data.states.items()",
        "}",
    ]


def _learning(answer: ExplorerAnswer, source: OpenedSource) -> list[str]:
    options = {name: value for name, value in source.options.items() if value is not None}
    lines = [f"data = {source.reading}"]
    rules = answer.knowledge.to_dict()
    if rules:
        given = ", ".join(f"{name}={value!r}" for name, value in rules.items())
        lines.append(f"knowledge = credenet.Knowledge({given})")
    kept = ["knowledge=knowledge"] * bool(rules)
    words = [f"{name}={_write_value(value)}" for name, value in options.items()] + kept
    if answer.kind == "credible" or answer.credible is not None:
        lines.append(f"credible = credenet.credible_networks({', '.join(['data', *words])})")
        if answer.weighted_networks is not None:
            return lines
        best = "best = credible.best" if answer.kind == "credible" else "best = credible.listing.incumbent.dag"
        return [*lines, best, "graph = credible.class_of(best)"]
    if answer.best is not None:
        first = [f"{name}={_write_value(value)}" for name, value in source.first_look().items()]
        lines.append(f"learned = credenet.learn({', '.join(['data', *first, *kept])})")
        lines += ["best = learned.dag", "graph = learned.cpdag"]
    return lines


def _write_value(value: object) -> str:
    """A number or a text as it is; a score or a prior as the text that names it."""
    return repr(value) if isinstance(value, str | int | float) else repr(str(value))
