"""The page of settings, made from the code.

``python tests/settings_page.py > docs/reference/settings.md`` writes it.
"""

from __future__ import annotations

import inspect
from typing import Any

from credenet.settings.choices import ChoiceKind, describe_settings
from credenet.settings.inference import INFERENCE_METHODS
from credenet.settings.methods import METHODS
from credenet.settings.posterior import POSTERIOR_METHODS
from credenet.settings.priors import PRIORS
from credenet.settings.scores import SCORES
from credenet.settings.tests import TESTS

KINDS: list[tuple[str, str, ChoiceKind[Any]]] = [
    ("Methods of learning", "`method=` of `learn` and `bootstrap`, `credenet learn --method`", METHODS),
    ("Scores", "`score=`, `--score`", SCORES),
    ("Structure priors", "`prior=`, `--prior`", PRIORS),
    ("Tests of independence", "`test=`, `credenet learn --test`", TESTS),
    (
        "Methods of inference",
        "`method=` of `infer`, `credenet query --method`; besides `exact` and `auto`",
        INFERENCE_METHODS,
    ),
    (
        "Methods of the posterior",
        "`method=` of `posterior`, `credenet posterior --method`; besides `auto`, `exact` and `order`",
        POSTERIOR_METHODS,
    ),
]
OPENING = """\
# Settings

A method, a score, a prior or a test is named in any case, with or without underscores. Settings that differ from the
defaults follow in brackets, in Python and in a shell alike:

    credenet.learn(data, method="astar(heuristic=simple)", score="bdeu(ess=10)")
    credenet learn data.csv --method "astar(heuristic=simple)" --score "bdeu(ess=10)"

In Python the classes do the same: `AStar(heuristic="simple")`, `BDeu(10)`. `str(BDeu(10))` is the text again; results
and files hold it. In a shell a setting that is a graph or a network is given as a file:
`--prior "expert(dag=g.txt, kappa=0.5)"`.

The tables are made from the code.
"""


def page() -> str:
    return "\n".join([OPENING, *(_section(*kind) for kind in KINDS)])


def _section(title: str, where: str, kind: ChoiceKind[Any]) -> str:
    rows = [f"## {title}", "", f"{where}.", "", "| | setting | default | may be |", "|---|---|---|---|"]
    for choice in kind.choices:
        summary = " ".join((inspect.getdoc(choice) or "").split("\n\n")[0].split()).replace("`", "").replace("|", "\\|")
        first = f"`{choice.short_name}`: {summary}"
        for name, default, allowed in describe_settings(choice) or [("", "", "")]:
            cells = [first, f"`{name}`" if name else "", f"`{default}`" if default else "", allowed]
            rows.append(f"| {' | '.join(cells)} |")
            first = ""
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    print(page(), end="")
