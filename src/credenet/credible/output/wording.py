"""Sentences about a credible set: what is known, what is not known, and what to try next.

No sentence may suggest that an incomplete set is whole. A statement that holds only for the networks found, or only for
those made of the scored families, says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from credenet._advice import flag as flag  # An argument as the command line spells it.
from credenet._run.status import Status, why_unscored
from credenet._text import byte_count, count
from credenet.credible.covered_mass import check_known
from credenet.credible.limit import factor_of
from credenet.errors import ArgumentError
from credenet.families.few_rows import SPARSE_PRIOR, few_rows_remarks
from credenet.families.scoring.child_rules import ISOLATION_SWITCH, isolation_remark
from credenet.search.dag_sums import MOST_SUMMED

if TYPE_CHECKING:
    from credenet.credible.result import CredibleResult, Stage
    from credenet.data.dataset import Dataset

Rows = list[tuple[str, str]]
Name = Callable[[str], str]
"""Spells an argument for the reader: as a Python argument or as a flag of the command line."""

_MOST = 0.5  # Share of the posterior from which on a set needs no warning.
_ENDINGS: dict[Stage, dict[Status, str]] = {
    "scoring": {
        "time_limit": "the time for scoring (at most half of the time limit) was up before all families were scored",
        "memory_limit": "memory was full before all families were scored",
        "iteration_limit": "scoring ended after a fixed amount of work, before all families were scored",
        "stopped": "it was stopped while families were scored",
    },
    "optimum": {
        "time_limit": "time was up before the best score was proven",
        "memory_limit": "memory was full before the best score was proven",
        "iteration_limit": "the limit of work was reached before the best score was proven",
        "stopped": "it was stopped before the best score was proven",
    },
    "enumeration": {
        "time_limit": "time was up while networks were listed",
        "memory_limit": "there are more networks than fit into memory",
        "iteration_limit": "the limit of work was reached while networks were listed",
        "stopped": "it was stopped while networks were listed",
    },
    "sum": {
        "time_limit": "time was up before it was known how much of the posterior the networks hold",
        "stopped": "it was stopped before it was known how much of the posterior the networks hold",
    },
}


def argument(name: str) -> str:
    """The argument as Python spells it."""
    return name


def percent(share: float) -> str:
    """A share in percent that rounding turns neither into 0 nor into 100.

    Examples
    --------
    >>> [percent(share) for share in (1e-9, 3.3e-5, 0.004, 0.317, 0.9996)]
    ['<0.0001 %', '0.003 %', '0.40 %', '32 %', '99.96 %']
    """
    if 0.1 <= share <= 0.99:
        return f"{100 * share:.0f} %"
    if 0.01 <= share < 0.1:
        return f"{100 * share:.1f} %"
    if share < 1e-4:
        return f"{100 * share:.1g} %" if share >= 1e-6 else "<0.0001 %"
    return ">99.99 %" if share > 0.9999 else f"{100 * share:.2f} %"


def mass_text(mass: float | None) -> str:
    """The share that was asked for in percent, not rounded; empty if none was."""
    return "" if mass is None else f"{100 * mass:.10g} %"


def remarks(result: CredibleResult, named: Name) -> list[str]:
    """Sentences that a user should know before relying on the set."""
    switch = "--no-isolate-constant" if named is flag else ISOLATION_SWITCH
    made, prior = result._families.made, "--prior edge" if named is flag else SPARSE_PRIOR
    isolation = [isolation_remark(result.isolated, switch)] if result.isolated else []
    return isolation + few_rows_remarks(made.score, result.provenance.prior_name, made.n_rows, prior)


def ending(result: CredibleResult) -> str:
    """A phrase on the limit that ended a search, or one that says that no network exists."""
    if result.listing.ended_in is None:
        knowledge = result.provenance.knowledge
        obeys = " and obeys the knowledge" if knowledge is not None and knowledge.restricts_networks else ""
        return f"no network is made of the families{' of this table' if result._is_relative else ''}{obeys}"
    return _ENDINGS[result.listing.ended_in].get(result.status, result.status.replace("_", " "))


def say_parents_scored(result: CredibleResult) -> str:
    """A phrase on the largest parent sets that were scored; empty if that is not known."""
    most = result._families.made.max_parents
    if most is None:
        return ""
    knowledge = result.provenance.knowledge
    beyond = " beyond those required" if knowledge is not None and knowledge.required else ""
    return f"at most {count(most, 'parent')}{beyond}" if most else f"no parents{beyond}"


def _options(result: CredibleResult) -> str:
    """A phrase on the limits and the knowledge that networks must obey."""
    most, knowledge = result.provenance.max_parents, result.provenance.knowledge
    limits = [] if most is None else [f"at most {count(most, 'parent')}"]
    limits += [f"{count(len(result.isolated), 'variable')} isolated"] if result.isolated else []
    limited = f" with {' and '.join(limits)}" if limits else ""
    obeying = " that obey the knowledge" if knowledge is not None and knowledge.restricts_networks else ""
    return f"{limited}{obeying}"


def scope(result: CredibleResult) -> str:
    """A phrase that names the networks from which the set was chosen."""
    if not result._is_relative:
        return f"all networks{_options(result)}"
    if result.provenance.complete is not False:
        return "the networks made of the families of this table"
    limit = say_parents_scored(result)
    return f"the networks made of the scored families{f' ({limit})' if limit else ''}"


def write_among(result: CredibleResult) -> str | None:
    """A phrase that names the networks which shares refer to; None if there are none."""
    if result.optimum is None:
        return None
    share = result.share_told()
    held = "" if share is None else f", which hold {percent(share)} of the posterior"
    if result.complete:
        return f"the credible networks{' with the property asked for' if result._is_filtered else ''}{held}"
    if not result.has_probabilities:
        return f"the networks found only{held}"
    assert result.listing.complete_slack is not None
    within = f"within {limit_text(result, result.listing.complete_slack)} of the best"
    return f"{scope(result)} {within}{held}"


def warning(result: CredibleResult, named: Name, *, has_table: bool = True) -> str | None:
    """A warning if the networks hold less than half of the posterior, with a way to learn of all networks; else None.

    That way may be the table of pairs, if one is shown with the text.
    """
    share = result.share_told()
    if result.optimum is None or share is None or share >= _MOST:
        return None
    told = "credenet posterior tells" if named is flag else "credenet.posterior(data) tells"
    if has_table and result._findings.all_networks.edges is not None and result._shows_pairs:
        told = "the last column of the table has"
    what = "probabilities among them" if result.has_probabilities else "shares of them"
    held = f"these networks hold only {percent(share)} of the posterior"
    return f"{held}, so {what} may be far from those over all networks, which {told}"


def write_limit(result: CredibleResult) -> str:
    """A phrase on the limit of the set."""
    limit = f"{limit_text(result, result.listing.slack)} of the best{' of these' if result._is_relative else ''}"
    if result.listing.mass is None:
        return limit
    if result.complete:
        return f"{limit}, the least that covers {mass_text(result.listing.mass)} of the posterior"
    return f"{limit}; {mass_text(result.listing.mass)} of the posterior was asked for"


def limit_text(result: CredibleResult, slack: float) -> str:
    """A difference of scores in words, as a Bayes factor if the score has one."""
    factor, score = factor_of(slack), result.provenance.score
    if score is not None and not score.has_bayes_factor:
        return f"{slack:.6g} in score"
    return f"a Bayes factor of {factor:.6g}" if factor < 1e6 else f"{slack:.6g} nats"


def tie(result: CredibleResult) -> str:
    """A sentence on the number of networks with the best score."""
    networks, classes = result.listing.ties
    least = "" if result.listing.complete_slack is not None else "at least "
    of = " of these families" if result._is_relative else ""
    if networks == 1:
        return f"{least}one network has the best score{of}"
    several = ""
    if classes is not None:
        several = ", all equivalent (1 class)" if classes == 1 else f", in {classes:,} equivalence classes"
    return f"{least}{networks:,} networks tie for the best score{of}{several}"


def say_left_out(result: CredibleResult, share: float | None, unknown: str) -> str:
    """A sentence on the networks outside the set; ``share`` is the posterior share of those inside."""
    held = f"an unknown share: {unknown}" if share is None else f"{percent(1 - share)} of the posterior"
    if result.listing.complete_slack is None or result.provenance.complete is False:
        known = "" if share is None else f"; all networks left out together hold {held}"
        if result.listing.complete_slack is None:
            more = " or more" if result._is_relative else ""
            return f"networks that are as probable as these{more} may be missing{known}"
        return f"networks that were not looked at may be more probable than all of these{known}"
    if result.provenance.complete is None or result._is_relative:
        return f"{_distance(result, 'each other network made of the families of this table')}; others are not known"
    if result._is_filtered:
        distance = _distance(result, "each network with the property that is left out")
        return f"{distance}; all networks left out together hold {held}"
    return f"{_distance(result, 'each network left out')}; together they hold {held}"


def _distance(result: CredibleResult, what: str) -> str:
    assert result.listing.complete_slack is not None
    slack, score = result.listing.complete_slack, result.provenance.score
    factor = factor_of(slack)
    if score is not None and not score.has_bayes_factor:
        return f"{what} scores lower than the best by at least {slack:.6g}"
    if factor <= 1:
        return f"{what} is less probable than the best"
    if factor < 1e6:
        return f"{what} is at least {factor:.6g} times less probable than the best"
    return f"{what} scores lower than the best by at least {slack:.6g} nats"


def unknown_share(result: CredibleResult, named: Name, data: Dataset | None) -> str:
    """The reason why the share of the posterior is not known."""
    if result.optimum is None:
        return "no network is listed"
    if result.listing.sum_ended is not None:
        return "time was up" if result.listing.sum_ended == "time_limit" else "the sum was stopped"
    if len(result.variables) - len(result.isolated) > MOST_SUMMED:
        return f"there are more than {MOST_SUMMED} variables"
    try:
        check_known(result.provenance)
    except ArgumentError as error:
        return str(error)
    data = result._findings.all_networks.data if data is None else data
    why = None if data is None else result._why_unasked(data)
    if why is None:
        return f"not computed ({named('covered_mass')}, from the data)"
    return f"{why} ({named('covered_mass')} computes it)"


def how_many(result: CredibleResult, number: int, one: str = "", several: str = "") -> str:
    """A number of networks or classes, with a noun if given, and a remark if these may not be all."""
    noun = one if number == 1 else several
    text = f"{number:,} {noun}" if noun else f"{number:,}"
    if result.complete or result.status == "complete":
        return text
    return f"{text} found" if result.provenance.complete is False else f"{text} (at least)"


def write_limit_briefly(result: CredibleResult) -> str:
    """The limit in a few words, and the reason if the set may be incomplete."""
    return f"within {limit_text(result, result.listing.slack)}{doubt(result)}"


def doubt(result: CredibleResult) -> str:
    """The reason in a few words why a set may be incomplete; empty if it is complete."""
    if result.complete:
        return ""
    if result.listing.ended_in is None:
        return f", relative to {scope(result)}"
    return f"; not complete: {ending(result)}"


def completeness(result: CredibleResult) -> str:
    """A phrase that says whether credible networks are missing, and why."""
    if result.status == "infeasible":
        return f"{'yes' if result.complete else f'relative to {scope(result)}'}: {ending(result)}"
    if result.complete:
        return "yes, of the networks with the property asked for" if result._is_filtered else "yes"
    if result.status == "complete":
        return f"relative to {scope(result)}"
    text = f"no: {ending(result)}"
    least = result._findings.least_networks
    if least is not None:
        text += f"; at least {least:,} are needed to cover {mass_text(result.listing.mass)} of the posterior"
    if result.provenance.complete is False and result.listing.ended_in != "scoring":
        text += f", and not all families were scored{why_unscored(result._families.made.status)}"
    if result.listing.complete_slack is None or result._is_relative:
        return text
    return f"{text}; complete within {limit_text(result, result.listing.complete_slack)}"


def _say_scope(result: CredibleResult) -> str:
    return f", of {scope(result)}" if result._is_relative else ""


def families(result: CredibleResult) -> str:
    """A phrase on the number of families scored, and on those not scored."""
    statistics = result.statistics
    number = (
        f"{statistics.evaluated:,} scored" if statistics.evaluated else f"{statistics.families or 0:,} in the table"
    )
    if result.provenance.complete:
        most = result.provenance.max_parents
        limited = "" if most is None else f" with at most {count(most, 'parent')}"
        return f"{number}; all others{limited} were proven to be of no use"
    limit = say_parents_scored(result)
    if result.provenance.complete is None or not limit:
        return f"{number}; it is not known whether others matter"
    return f"{number}, with {limit}; larger parent sets were not scored"


def explanation(result: CredibleResult, named: Name) -> Rows:
    """Rows on what is known, what is not known, and what to try; no rows for a complete set."""
    if result.complete:
        return []
    rows = [("families", families(result)), ("known", _write_optimum(result)), ("not known", _say_not_known(result))]
    return [*rows, ("try", "; ".join(advice(result, named)))]


def _write_optimum(result: CredibleResult) -> str:
    incumbent = result.listing.incumbent
    if result.optimum is None:
        if incumbent is None:
            return "no network was found"
        bound = f"none of {scope(result)} scores above {incumbent.bound:.6f}"
        if not result._is_relative:
            bound = f"no network{_options(result)} scores above {incumbent.bound:.6f}"
        network = f"the best network so far scores {incumbent.score:.6f} and has {count(incumbent.dag.n_edges, 'edge')}"
        return f"{network}; {bound}"
    if result.listing.complete_slack is None:
        within = limit_text(result, result.listing.slack)
        return f"the best score{_say_scope(result)}; the networks found are within {within} of it"
    within = limit_text(result, result.listing.complete_slack)
    return f"{scope(result)} within {within} of the best{' of these' if result._is_relative else ''} are listed"


def _say_not_known(result: CredibleResult) -> str:
    if result.optimum is None:
        return "the best score, which networks are credible, and how probable any edge is"
    beyond = "whether other networks are more probable"
    if result.listing.complete_slack is None:
        more = "how many more there are"
        more = f"{more}, and {beyond}" if result._is_relative else more
        return f"{more}; shares of the networks found are not probabilities"
    if result.provenance.complete is False:
        return f"{beyond}; shares of the networks found are not probabilities"
    if result._is_relative:
        return beyond
    if result.listing.mass is not None:
        return (
            f"the networks beyond, as far as they are needed to cover {mass_text(result.listing.mass)} of the posterior"
        )
    return f"the networks beyond, within {limit_text(result, result.listing.slack)}"


def advice(result: CredibleResult, named: Name) -> list[str]:
    """Options that may give more networks, most promising first."""
    tried = [*_more_of_what_ended(result, named)]
    scored = result._families.made.max_parents
    factor = f"a smaller {named('bayes_factor')} or {named('slack')}"
    if result.listing.mass is not None:
        factor = f"a smaller {named('mass')}"
    if result.provenance.complete is False:
        if scored:
            tried.append(f"{named('max_parents')} {scored}, for which all families were scored")
        return [*tried, factor, "fewer variables"]
    if result.provenance.complete is None or result.status == "complete":
        return [*tried, "score the data with at least this slack"]
    if result.optimum is None:
        return [*tried, f"a smaller {named('max_parents')}", factor, "fewer variables"]
    if named is flag:
        return [factor, f"the best {named('k')}", named("classes"), *tried]
    return [factor, "k_best", "credible_classes", *tried]


def _more_of_what_ended(result: CredibleResult, named: Name) -> list[str]:
    match result.status:
        case "time_limit":
            return [f"a larger {named('time_limit')}"]
        case "memory_limit":
            needed = result._findings.needed_bytes
            least = "" if needed is None else f" (the search for the best score needs {byte_count(needed)})"
            return [f"a larger {named('memory_limit')}{least}"]
        case "iteration_limit":
            return [f"a {named('time_limit')} longer than this took"]
        case "stopped":
            return ["letting it run on"]
    return []
