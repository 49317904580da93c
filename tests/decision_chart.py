"""The page "Which method when" and its pictures, made from the settings and from what the calls do.

``python tests/decision_chart.py`` writes them. A chart is a ladder of questions: the first one that is answered with
yes names the call. Sizes are constants of the code, the calls are run by the test of the page, and the table of methods
has what each method takes, honours and proves.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import credenet
from credenet.families.scoring.core_scoring import MOST_VARIABLES
from credenet.learners.exploring_search import DEFAULT_SECONDS
from credenet.posteriors.components import MOST_SUMMED_TOGETHER
from credenet.search.cost import LARGEST_RESORT, QUICK_TABLE, SUMMED_BY_DEFAULT
from credenet.search.dag_sums import MOST_SUMMED
from credenet.settings.method_bases import GLOBAL_KINDS
from credenet.settings.methods import METHODS, Method
from credenet.settings.sizes import LARGEST_TABLE

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "explanation" / "which_method.md"
PICTURES = DOCS / "figures"


class Step(NamedTuple):
    """A question of a chart, the call for those who answer yes, and what it gives."""

    question: str
    call: str
    gives: str


class Chart(NamedTuple):
    """A ladder of questions; the last step has no question and is for all others."""

    title: str
    steps: tuple[Step, ...]


CHARTS = {
    "which_call": Chart(
        "What do you want to know?",
        (
            Step(
                "What happens to y if x is changed from outside?",
                "credenet.credible_networks(data).effects('smoke', 'lung', data=data)",
                "an effect with an interval, averaged over the credible networks",
            ),
            Step(
                "How probable is an edge, a path or a set of parents?",
                "credenet.posterior(data)",
                "probabilities over all networks",
            ),
            Step(
                "Which networks are nearly as good as the best?",
                "credenet.credible_networks(data)",
                "every network within a Bayes factor of the best, and their classes",
            ),
            Step(
                "Are two variables independent, given others?",
                "credenet.independence_test(data, 'smoke', 'xray', ['either'])",
                "one test, without a network",
            ),
            Step(
                "Which score, prior or method suits the data?",
                "credenet.validate(data, scores=['bdeu', 'bic'])",
                "a ranking that needs no true network",
            ),
            Step("", "credenet.learn(data)", "the best network, to draw, to ask and to predict with"),
        ),
    ),
    "which_learner": Chart(
        "Which method of learning?",
        (
            Step(
                "Must the network stay fast to ask, whatever is learned?",
                "credenet.learn(data, tree_width=2)",
                "the best network of this tree-width that was found",
            ),
            Step(
                "Do you want hardly any false edge, and no score?",
                "credenet.learn(data, method='pc')",
                "a class of networks, by tests; method='rai' is nearer to the truth on the whole",
            ),
            Step(
                f"More than {MOST_VARIABLES:,} variables, or an answer within seconds?",
                "credenet.learn(data, method='hill_climb')",
                "a local optimum, without a bound",
            ),
            Step(
                "Is a proof worth any time?",
                "credenet.learn(data, time_limit=math.inf)",
                "the optimum, where time and memory suffice",
            ),
            Step(
                "",
                "credenet.learn(data)",
                f"method 'auto': a proof where one can be had, else the best network after {DEFAULT_SECONDS:g} seconds "
                "of work",
            ),
        ),
    ),
    "which_posterior": Chart(
        "Which method of the posterior?",
        (
            Step(
                f"At most {SUMMED_BY_DEFAULT} variables?",
                "credenet.posterior(data)",
                "method 'auto': a sum over all networks, exact",
            ),
            Step(
                f"At most {MOST_SUMMED} variables, with time and memory to spare?",
                "credenet.posterior(data, method='exact')",
                "the same sum; if it does not fit into memory, the error says how much it needs",
            ),
            Step(
                "Do you want numbers that can be compared with programs that sum over orders?",
                "credenet.posterior(data, method='order')",
                "networks with many orders count more than their score says",
            ),
            Step(
                "",
                "credenet.posterior(data, method='mcmc(max_error=0.01)')",
                f"Markov chains; method 'auto' draws them for components of more than {MOST_SUMMED_TOGETHER} variables",
            ),
        ),
    ),
    "which_inference": Chart(
        "Which method of inference?",
        (
            Step(
                "Does the clique tree fit into memory?",
                "network.infer({'xray': 'yes'})",
                "exact answers; if it does not fit, an error says so before the work begins",
            ),
            Step(
                "Do you need standard errors?",
                "network.infer({'xray': 'yes'}, method='importance_sampling')",
                "also 'likelihood_weighting' where the evidence is not rare, and 'gibbs' for Markov networks",
            ),
            Step(
                "Are there very many questions to come?",
                "credenet.sample_learn_infer(network, n_rows=5000)",
                "a simpler network in its place, which answers fast",
            ),
            Step(
                "",
                "network.infer({'xray': 'yes'}, method='auto')",
                "exact where that fits, else 'ijgp', whose errors are not known",
            ),
        ),
    ),
}

OPENING = """\
# Which method when

> [!NOTE]
> Leave `method` at `auto` if you are in doubt. It chooses by the size of the problem, and `result.provenance.reason`
> says what it chose and why. A method that cannot do what you ask is refused, with an error that names those that can;
> nothing is ignored silently.

Read a chart from the top. The first question that you answer with yes names the call. Pictures, tables and sizes are
made from the code, and the tests run every call.
"""
SIZES = f"""\
## Sizes

| variables | what that means |
|---|---|
| up to {QUICK_TABLE} in one component | the best network and its proof take less than a second after scoring |
| up to {LARGEST_TABLE} in one component | credible networks are listed from a table of all subsets |
| up to {SUMMED_BY_DEFAULT} | the posterior is exact without a request |
| up to {MOST_SUMMED} | the posterior can be exact, with much memory and time |
| up to {LARGEST_RESORT} in one component | a table of all subsets is the last resort for the best network (4 GB) |
| up to {MOST_VARIABLES:,} | families can be scored and searched |
| more | hill climbing and tests of independence |

A component is a strongly connected component of the graph of candidate parents. Each is solved by itself, so that many
variables are often no more than a few at a time.
"""
METHODS_OPENING = """\
## What each method of learning takes, honours and proves

*Ends with* is the status of a run without a limit on 500 rows of asia: `optimal` is a proof, the others are not.
*Input* tells whether a table of scored families suffices. *Rules* are those that not every method honours; all honour
required and forbidden edges, tiers and orders.

"""
LIMITS = "limits on parents"
NONE = "\N{EN DASH}"


def page() -> str:
    sections = [_section(name, chart) for name, chart in CHARTS.items()]
    return "\n".join([OPENING, *sections, SIZES, METHODS_OPENING + _table_of_methods()])


def pictures() -> dict[Path, str]:
    """The text of each picture, by its path."""
    return {PICTURES / f"{name}.svg": _picture(chart) for name, chart in CHARTS.items()}


def _section(name: str, chart: Chart) -> str:
    rows = [f"## {chart.title}", "", f"![{chart.title}](../figures/{name}.svg)", ""]
    rows += ["| question | if yes | what comes back |", "|---|---|---|"]
    rows += [f"| {step.question or 'otherwise'} | `{step.call}` | {step.gives} |" for step in chart.steps]
    return "\n".join([*rows, ""])


def _table_of_methods() -> str:
    rows = ["| `method=` | ends with | input | options | rules | tree-width |", "|---|---|---|---|---|---|"]
    data = credenet.datasets.asia(500, seed=1)
    rows += [f"| `{choice.short_name}` | {' | '.join(_abilities(choice(), data))} |" for choice in METHODS.choices]
    return "\n".join([*rows, ""])


def _abilities(method: Method, data: credenet.Dataset) -> Iterator[str]:
    width = 1 if method.needs_tree_width else None
    yield f"`{credenet.learn(data, method=method, tree_width=width).status}`"
    yield "data or families" if method.needs is None else "data"
    options = [name for name, is_used in (("`score=`", method.uses_score), ("`test=`", method.uses_test)) if is_used]
    yield ", ".join(options)
    kinds = [kind for kind in GLOBAL_KINDS if kind in method.honours]
    limits = [LIMITS] if "max_parents" in method.honours else []
    yield ", ".join(limits + (["all"] if len(kinds) == len(GLOBAL_KINDS) else [f"`{kind}`" for kind in kinds])) or NONE
    yield "must be given" if method.needs_tree_width else "may be given" if method.bounds_tree_width else NONE


WIDTH, QUESTION, GAP, LINE, PAD = 980, 330, 70, 18, 12  # Pixels: of the picture, a box, an arrow, a line and a margin.
STYLE = (
    "text{font:14px sans-serif;fill:#1a1a1a}.code{font:13px monospace}.box{fill:#fff;stroke:#57606a}"
    ".call{fill:#eef4fb;stroke:#2563a8}.arrow{stroke:#57606a;fill:none;marker-end:url(#head)}"
)
HEAD = (
    '<marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
    '<path d="M0 0L8 4L0 8z"/></marker>'
)


def _picture(chart: Chart) -> str:
    body: list[str] = []
    y = PAD
    left, width = PAD + QUESTION + GAP, WIDTH - QUESTION - GAP - 2 * PAD
    for step in chart.steps:
        asked = wrap(step.question, 44)
        told = [(line, "code") for line in wrap(step.call, 70)] + [(line, "") for line in wrap(step.gives, 76)]
        height = LINE * max(len(asked), len(told)) + 2 * PAD
        middle = y + height / 2
        if asked:
            body += _box(PAD, y, QUESTION, height, "box", [(line, "") for line in asked])
            body += [_arrow(PAD + QUESTION, middle, left, middle), _word(PAD + QUESTION + 20, middle - 6, "yes")]
            body += [_word(PAD + QUESTION / 2 + 8, y + height + PAD + 5, "no")]
            if y > PAD:
                body += [_arrow(PAD + QUESTION / 2, y - 2 * PAD, PAD + QUESTION / 2, y)]
        else:
            elbow = f"M{PAD + QUESTION / 2:g} {y - 2 * PAD:g}V{middle:g}H{left:g}"
            body += [f'<path class="arrow" d="{elbow}"/>']
        body += _box(left, y, width, height, "call", told)
        y += height + 2 * PAD
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" height="{y:g}">'
    title = f"<title>{escape(chart.title)}</title><style>{STYLE}</style><defs>{HEAD}</defs>"
    return "\n".join([head, title, '<rect width="100%" height="100%" rx="8" fill="#fff"/>', *body, "</svg>", ""])


def _box(x: float, y: float, width: float, height: float, kind: str, lines: list[tuple[str, str]]) -> list[str]:
    first = y + height / 2 - LINE * (len(lines) - 1) / 2 + 5
    box = f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"/>'
    return [box, *(_word(x + PAD, first + LINE * at, text, style) for at, (text, style) in enumerate(lines))]


def _word(x: float, y: float, text: str, style: str = "") -> str:
    of = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{of}>{escape(text)}</text>'


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<path class="arrow" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


if __name__ == "__main__":
    for path, text in {PAGE: page(), **pictures()}.items():
        path.write_text(text, encoding="utf-8")
