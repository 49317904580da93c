"""Effects in words: what a difference is and how sure it is, tables, and what they rest on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, get_args

from credenet._html import first_rows, paragraph
from credenet._text import count, probability, table
from credenet.data.states import Label
from credenet.interventions.contrasts import Contrast, Kind
from credenet.interventions.frames import cells_to_show
from credenet.interventions.questions import denial_or_first

if TYPE_CHECKING:
    from credenet.interventions.result import Effect, Effects

Pair = tuple[str, str]
Labels = tuple[Label, Label, Label]

_ONE_OF_THEM = "the true network is one of {among}, drawn by their probabilities"
_POSTERIOR = "networks are as probable as the posterior has them"
_INTERVALS = (
    "Intervals hold the truth with a probability of {level} if {condition}. They hold it less often if its effect is "
    "the largest or smallest of networks that data cannot tell apart, or so weak that most of the networks lack it."
)
PATH = (
    "Path: the probability, among these networks, that x has a directed path to y; without one, x has no effect on y. "
    "Of networks that data cannot tell apart each counts alike, with the path and without."
)
_MOST = 0.5  # Share of the posterior from which on no warning is given.
_SHOWN = 40  # Lines of a report at most.
_MANY = 4  # Variables or pairs that a note names at most.
_FEW = 10  # Pairs up to which the report has a sentence for each.


def report(effects: Effects) -> str:
    headers, rows, n_lines = _rows(effects)
    more = f"\n… and {count(n_lines - len(rows), 'more line')}" if n_lines > len(rows) else ""
    parts = [[_title(effects)], _lead(effects), [table(headers, rows) + more], _notes(effects)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def html(effects: Effects) -> str:
    headers, rows, n_lines = _rows(effects)
    lead, notes = ("".join(map(paragraph, part)) for part in (_lead(effects), _notes(effects)))
    more = paragraph(f"… and {count(n_lines - len(rows), 'more line')}") if n_lines > len(rows) else ""
    return lead + first_rows(_title(effects), headers, rows, numbers=range(2, len(headers))) + more + notes


def source(effects: Effects) -> str:
    return f"averaged over {effects.among}" if effects.is_average else f"in {effects.among}"


def sentences(effect: Effect) -> list[str]:
    """A sentence for each state that x is set to, or why there is none."""
    if effect.probability == 0 and effect.size == 0:
        where = " in any of these networks" if effect._all.is_average else ""
        return [f"{effect.x} on {effect.y}: no effect{where}, as no path leads from the one to the other"]
    for name in (effect.x, effect.y):
        if len(effect._all.states[name]) < 2:
            return [f"{effect.x} on {effect.y}: no effect, as {name} has only one state"]
    return [
        _sentence(effect, (do, against, state))
        for do, against in effect._all._questions.comparisons(effect.x)
        for state in _told_states(effect._all, (effect.x, effect.y), do, against)
    ]


def largest_in_words(effect: Effect) -> tuple[str, float]:
    """The sentence about the probability that changes most, empty where there is nothing to compare, and its change."""
    labels, difference = largest_difference(effect._all, (effect.x, effect.y))
    return ("" if labels is None else _sentence(effect, labels)), difference


def _told_states(effects: Effects, pair: Pair, do: Label, against: Label) -> list[Label]:
    """The states of y to report: those asked for; if none, the state that means yes or the one that changes most."""
    labels, asked = effects.states[pair[1]], effects._questions.targets[pair[1]]
    if len(asked) < len(labels):
        return list(asked)
    if len(labels) == 2:
        return [label for label in labels if label != denial_or_first(labels)]
    return [max(asked, key=lambda state: abs(_difference(effects, pair, do, against, state)))]


def _difference(effects: Effects, pair: Pair, do: Label, against: Label, state: Label) -> float:
    rows, column = effects.states[pair[0]], effects.states[pair[1]].index(state)
    means = effects._means_of(pair)
    return float(means[rows.index(do), column] - means[rows.index(against), column])


def _sentence(effect: Effect, labels: Labels) -> str:
    found = {each.kind: each for each in effect.contrasts if (each.do, each.against, each.state) == labels}
    difference, ratio, odds_ratio = (found[kind] for kind in get_args(Kind))
    value, do, against = difference.estimate or 0.0, difference.do, difference.against
    event, interval = f"P({effect.y} = {difference.state})", ""
    is_same, is_lower = abs(value) < 0.0005, value < 0
    if difference.low is not None and difference.high is not None:
        ends = (-difference.high, -difference.low) if is_lower and not is_same else (difference.low, difference.high)
        of = " of the difference" if is_same else ""
        interval = f" ({_level(effect._all.level)} interval{of} {_ends(*ends)})"
    ratios = f"{_ratio('risk ratio', ratio)}, {_ratio('odds ratio', odds_ratio)}"
    if is_same:
        same = f"is the same to three digits{interval}"
        return f"{event} {same} when {effect.x} is set to {do} rather than {against}; {ratios}."
    change = f"{abs(value):.3f} {'lower' if is_lower else 'higher'}{interval}"
    return f"{event} is {change} when {effect.x} is set to {do} rather than {against}; {ratios}."


def _ratio(name: str, each: Contrast) -> str:
    if each.estimate is None:
        return f"{name} {each.note}"
    number = f"{name} {_short(each.estimate)}"
    if each.low is None:
        return number
    if each.high is None:
        return f"{number} ({_short(each.low)} or more: {each.note})"
    return f"{number} ({_short(each.low)} to {_short(each.high)})"


def _short(value: float) -> str:
    """Three digits of a ratio."""
    if 0 < value < 0.01 or value >= 10_000:
        return f"{value:.1e}"
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _title(effects: Effects) -> str:
    settings = effects._questions.settings
    what = f"do({next(iter(settings))})" if len(settings) == 1 else "interventions"
    return f"Effects of {what}, {source(effects)}"


def _lead(effects: Effects) -> list[str]:
    return _little(effects) + _tell_in_sentences(effects)


def _little(effects: Effects) -> list[str]:
    """A warning if the networks hold less than half of the posterior, with a way to learn of all networks."""
    if effects.covered_mass is None or effects.covered_mass >= _MOST:
        return []
    return [
        "As these networks hold less than half of the posterior, effects averaged over all networks may be far from "
        "these: credenet effect --posterior, in Python credenet.posterior(data).effects."
    ]


def _tell_in_sentences(effects: Effects) -> list[str]:
    return [line for effect in effects for line in sentences(effect)] if len(effects) <= _FEW else []


def _rows(effects: Effects) -> tuple[list[str], list[list[str]], int]:
    """A line for each probability if they are few, else for each pair; and the number of all lines."""
    if len(cells_to_show(effects)) <= _SHOWN:
        headers, rows = _cell_rows(effects)
        return headers, rows, len(rows)
    pairs = _sort_by_difference(effects)
    headers, rows = _pair_rows(effects, pairs[:_SHOWN])
    return headers, rows, len(pairs)


def _cell_rows(effects: Effects) -> tuple[list[str], list[list[str]]]:
    headers = ["do", "then", "probability"]
    with_intervals, with_range = effects._tables.low is not None, effects.is_average
    headers += [f"{_level(effects.level)} interval"] * with_intervals + ["over networks"] * with_range
    rows = []
    for effect in effects:
        for state, chances in effect.means.items():
            for label, mean in chances.items():
                row = [f"{effect.x}={state}", f"{effect.y}={label}", f"{mean:.3f}"]
                if effect.intervals is not None:
                    row.append(_ends(*effect.intervals[state][label]))
                rows.append(row + [_ends(*effect.range[state][label])] * with_range)
    return headers, rows


def _sort_by_difference(effects: Effects) -> list[tuple[Pair, Labels | None]]:
    """The pairs with the labels of their largest difference of a probability, the largest first."""
    found = [(pair, *largest_difference(effects, pair)) for pair in effects.pairs]
    return [(pair, labels) for pair, labels, _ in sorted(found, key=lambda each: -each[2])]


def largest_difference(effects: Effects, pair: Pair) -> tuple[Labels | None, float]:
    """The labels (do, against, state) of the largest reported difference, and its absolute value."""
    sizes = {
        (do, against, state): abs(_difference(effects, pair, do, against, state))
        for do, against in effects._questions.comparisons(pair[0])
        for state in _told_states(effects, pair, do, against)
    }
    labels = max(sizes, key=sizes.__getitem__, default=None)
    return labels, 0.0 if labels is None else sizes[labels]


def _pair_rows(effects: Effects, pairs: list[tuple[Pair, Labels | None]]) -> tuple[list[str], list[list[str]]]:
    with_intervals = effects._tables.low is not None
    headers = ["do", "rather than", "then", "difference"]
    headers += [f"{_level(effects.level)} interval"] * with_intervals + ["path", "size"]
    rows = []
    all_contrasts = effects._contrasts([pair for pair, _ in pairs])
    for (pair, labels), contrasts in zip(pairs, all_contrasts, strict=True):
        at = effects._places[pair]
        end = [probability(float(effects._probabilities[at])), f"{effects._tables.sizes[at, 0]:.4f}"]
        if labels is None:
            rows.append([pair[0], "", pair[1], "", *[""] * with_intervals, *end])
            continue
        do, against, state = labels
        contrast = next(each for each in contrasts if (each.do, each.against, each.state) == labels)
        row = [f"{pair[0]}={do}", str(against), f"{pair[1]}={state}", f"{contrast.estimate:+.3f}"]
        row += [_ends(contrast.low or 0.0, contrast.high or 0.0)] * with_intervals
        rows.append(row + end)
    return headers, rows


def _notes(effects: Effects) -> list[str]:
    notes = []
    if len(effects) <= _FEW:
        notes += [_size_note(effect) for effect in effects]
    elif len(cells_to_show(effects)) > _SHOWN:
        notes.append("Difference: of the probability that changes most, of those that were asked for.")
    if effects._by_parents is not None and effects.is_average:
        notes += _notes_on_parents(effects)
    elif effects.is_average:
        notes.append(PATH)
    notes.append(
        "Size: how far the distributions of y for the states of x are apart (Jensen-Shannon divergence in nats); 0 if "
        "x changes nothing."
    )
    if effects.is_average and effects._tables.low is not None:
        condition = _POSTERIOR if effects.covered_mass == 1 else _ONE_OF_THEM.format(among=effects.among)
        notes.append(_INTERVALS.format(level=_level(effects.level), condition=condition))
    if effects.n_drawn_networks is not None:
        number, error = f"{effects.n_drawn_networks:,}", 0.5 / math.sqrt(effects.n_drawn_networks)
        notes.append(f"Shares of networks are those of {number} networks drawn; standard error up to {error:.2g}.")
    if effects.left_out > 1e-12:
        notes.append(f"Adjustment sets with up to {100 * effects.left_out:.2g} % of the probability are left out.")
    if effects.judged_by is not None:
        notes.append(f"Networks by {effects.judged_by}; tables with ess {effects.ess:g}.")
    return [*notes, effects.assumption]


def _size_note(effect: Effect) -> str:
    interval = "" if effect.size_interval is None else f" ({_ends(*effect.size_interval, 4)})"
    path = "" if effect.probability >= 1 else f"; a path with probability {probability(effect.probability)}"
    return f"{effect.x} on {effect.y}: size {effect.size:.4f}{interval}{path}"


def _notes_on_parents(effects: Effects) -> list[str]:
    """Notes on the possible parent sets, and on effects that the graph does not determine."""
    assert effects._by_parents is not None
    sets = {x: [", ".join(parents) or "none" for parents in several] for (x, _), several in effects._by_parents.items()}
    notes = [f"Parents of {x} may be: {'; '.join(several)}." for x, several in sets.items() if len(sets) <= _MANY]
    if effects.untold:
        pairs = [f"{x} on {y}" for x, y in effects.untold[:_MANY]]
        more = f", and of {count(len(effects.untold) - _MANY, 'other pair')}" if len(effects.untold) > _MANY else ""
        notes.append(
            f"The graph does not tell the effect of {', '.join(pairs)}{more}: a causal path may begin with an edge "
            "without direction."
        )
    return [*notes, "Each parent set counts alike; path: the share of them with a directed path from x to y."]


def signed_interval(difference: Contrast) -> str:
    """The interval of a difference in brackets, if there is one."""
    if difference.low is None or difference.high is None:
        return ""
    return f" ({_ends(difference.low, difference.high)})"


def _level(level: float | None) -> str:
    return f"{100 * (level or 0):g} %"


def _ends(low: float, high: float, digits: int = 3) -> str:
    return f"{_signed_zero(low, digits)} to {_signed_zero(high, digits)}"


def _signed_zero(value: float, digits: int) -> str:
    """The value, or 0 without a sign if it rounds to 0."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
