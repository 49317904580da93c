"""The pages of the reference: every public name of the library, by subject, with its entry made from its docstring.

The pages are Markdown with directives of Sphinx, which reads signatures and docstrings from the code. Calls, main types
and the types of what calls return stand together by subject; a namespace whose members an argument takes has a page.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from type_aliases import definitions, type_aliases

FOLDER = "reference/api"  # Where the pages stand in the site.
ALIASES_TITLE = "Types in signatures"


class ReferencePage(NamedTuple):
    """A page of the reference: what it is about, and the names on it, as they follow ``credenet.``."""

    title: str
    about: str
    names: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    """Namespaces whose members are all on the page."""
    shows_members: bool = True
    """Whether methods and properties of classes have entries."""


def _page(
    title: str, about: str, names: str = "", types: str = "", *, spaces: str = "", members: bool = True
) -> ReferencePage:
    listed = (*names.split(), *(f"types.{name}" for name in types.split()))
    return ReferencePage(title, about, listed, tuple(spaces.split()), members)


PAGES = {
    "data": _page(
        "Data",
        "Tables of discrete data: read, described, stored as blocks, and counted on other devices.",
        "read ingest placed Dataset",
        "DatasetInfo BlockDataset BlockFile DataOptions",
    ),
    "graphs": _page(
        "Graphs",
        "Graphs, their files, and distances between them.",
        "DAG PDAG load_graph save_graph compare",
        "Comparison Estimate HeldOutLogLikelihoods AdjustmentSets EliminationOrder TreeDecomposition ResFile Picture",
    ),
    "networks": _page(
        "Networks",
        "Bayesian networks and Markov networks with their tables.",
        "BayesianNetwork MarkovNetwork fit load marginal_errors",
        "ConditionalTable MarginalErrors Renaming",
    ),
    "inference": _page(
        "Inference",
        "Answers of a network given evidence. `BayesianNetwork.infer` and `MarkovNetwork.infer` make them.",
        "sample_learn_infer",
        "Inference ApproximateInference MostProbable Explanation Explanations SampledModel RowSampling HeldOutWidth",
    ),
    "families": _page(
        "Scored families",
        "Scores of graphs, and tables of scored families, which learners search.",
        "score score_families load_families FamilyTable",
        "GraphScore Family FamilyArrays FlatFamilies FamilyStatistics FamilyTableInfo UnscoredSets",
    ),
    "learning": _page(
        "Learning",
        "The best network, its bound and its checks; tests of independence; rules that a network obeys.",
        "learn independence_test Knowledge LearnResult",
        "Statistics Provenance BoundPoint KTreePoint Progress Proof Check Verification IndependenceResult ParentRules",
    ),
    "credible": _page(
        "Credible networks",
        "All networks within a Bayes factor of the best, and their classes.",
        "credible_networks credible_classes k_best k_best_classes CredibleSet CredibleClasses",
        "EquivalenceClass NetworkListing CredibleListing CredibleDiagram WeightedNetwork PairProbabilities Ties "
        "Incumbent",
    ),
    "posterior": _page(
        "Posterior and resampling",
        "Probabilities over all networks, frequencies among samples of the rows, and settings compared without a true "
        "network.",
        "posterior bootstrap validate StructurePosterior",
        "ChainResult EdgeConfidence IntersectionValidation Agreement Standing MeanDistance PartialDistance",
    ),
    "effects": _page(
        "Effects",
        "What happens to one variable if another one is set.",
        "effects Effects",
        "Effect Contrast",
    ),
    "methods": _page("Methods", "What `method=` takes.", spaces="methods", members=False),
    "scores": _page("Scores", "What `score=` and `smoothing=` take.", spaces="scores", members=False),
    "priors": _page("Priors", "What `prior=` takes, and numbers of DAGs.", spaces="priors", members=False),
    "tests": _page("Tests", "What `test=` takes.", spaces="tests", members=False),
    "discretize": _page("Discretising", "What `discretize=` takes.", spaces="discretize", members=False),
    "examples": _page(
        "Networks and data to try",
        "Networks from textbooks, rows sampled from them, and random graphs and networks.",
        spaces="textbook datasets random",
    ),
    "errors": _page("Errors", "What is raised.", "CredenetError", spaces="errors", members=False),
}


def reference_pages() -> dict[str, str]:
    """The text of each page of the reference, by its path in the site."""
    pages = {f"{FOLDER}/{stem}.md": _text(page) for stem, page in PAGES.items()}
    return pages | {f"{FOLDER}/signatures.md": _page_of_aliases()}


def names_on(page: ReferencePage) -> list[str]:
    """The public names on a page, in its order."""
    listed = list(page.names)
    for space in page.spaces:
        listed += [f"{space}.{name}" for name in sorted(_members(space), key=str.lower) if name not in page.names]
    return listed


def public_object(name: str) -> object:
    """What a public name, as it follows ``credenet.``, stands for."""
    import credenet

    value: object = credenet
    for part in name.split("."):
        value = getattr(value, part)
    return value


def list_of_pages() -> str:
    """The list of the pages, for the page that says where the names are."""
    rows = [f"- [{page.title}](/{FOLDER}/{stem}.md): {page.about}" for stem, page in PAGES.items()]
    last = f"- [{ALIASES_TITLE}](/{FOLDER}/signatures.md): what `DataLike` and other names in signatures stand for"
    return "\n".join(["", "## All names by subject", "", *rows, last, ""])


def aliases() -> list[str]:
    """The names of types in signatures that are not public names themselves."""
    values = [public_object(name) for name in every_name()]
    public = {getattr(value, "__name__", "") for value in values}
    return [name for name in type_aliases(values) if name not in public]


def _page_of_aliases() -> str:
    lines = [f"# {ALIASES_TITLE}", "", "Names that signatures give to types. They cannot be imported.", ""]
    for name in aliases():
        meanings = definitions()[name]
        lines += ["```{eval-rst}", f".. py:type:: {name}"]
        lines += [f"   :canonical: {meanings[0][0]}"] if len(meanings) == 1 else []
        lines += ["", *(f"   {line}" for _, remark in meanings for line in remark.split("\n"))]
        lines += (
            ["", f"   Either of {' and '.join(f'``{text}``' for text, _ in meanings)}."] if len(meanings) > 1 else []
        )
        lines += ["```", ""]
    return "\n".join(lines)


def _members(space: str) -> list[str]:
    """The names that a namespace lists or, where it has no list, those of ours that it holds."""
    import credenet

    module = getattr(credenet, space)
    return getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "").startswith("credenet")
    ]


def _text(page: ReferencePage) -> str:
    names = names_on(page)
    lines = [f"# {page.title}", "", page.about, ""]
    for space in page.spaces:
        lines += _directive(f"module:: credenet.{space}")
    lines += ["| name | what it is |", "|---|---|"]
    lines += [f"| {{py:obj}}`{name} <credenet.{name}>` | {summary(public_object(name))} |" for name in names]
    for name in names:
        lines += ["", *_entry(name, page)]
    return "\n".join([*lines, ""])


def summary(value: object) -> str:
    """The first sentence of a docstring in Markdown, safe within a table."""
    first = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return first.replace("``", "`").replace("|", "\\|")


def _entry(name: str, page: ReferencePage) -> list[str]:
    value = public_object(name)
    if not inspect.isclass(value):
        return _directive(f"autofunction:: credenet.{name}")
    if not page.shows_members:
        return _directive(f"autoclass:: credenet.{name}")
    return _directive(f"autoclass:: credenet.{name}", ":members:", f":inherited-members: {', '.join(_bases(value))}")


def _bases(kind: type) -> list[str]:
    """The bases whose members have entries elsewhere: public classes, and classes of Python."""
    public = {value for name in every_name() if inspect.isclass(value := public_object(name))}
    bases = [base for base in kind.__mro__[1:] if base in public or not base.__module__.startswith("credenet")]
    return [base.__name__ for base in bases]


def every_name() -> list[str]:
    """All names on all pages."""
    return [name for page in PAGES.values() for name in names_on(page)]


def _directive(first: str, *options: str) -> list[str]:
    return ["```{eval-rst}", f".. {first}", *(f"   {option}" for option in options), "```", ""]


def plain_name(text: str) -> str | None:
    """The name in a piece of code such as ``learn(data)``; None if there is no more than a word."""
    match = re.fullmatch(r"(credenet\.)?([A-Za-z_][\w.]*)(\(.*\))?", text)
    if match is None:
        return None
    package, name, call = match.groups()
    return name if package or call or "." in name or name[0].isupper() else None
