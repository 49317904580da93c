"""Effects of setting a variable, as the browser shows them."""

from __future__ import annotations

from credenet.data.dataset import Dataset
from credenet.explorer.answer import UNSURE, ExplorerAnswer
from credenet.explorer.contract import EffectRow, EffectTable
from credenet.interventions.calls import effects
from credenet.interventions.result import Effect, Effects
from credenet.interventions.wording import PATH, largest_in_words
from credenet.networks.bayesian import BayesianNetwork

_ONE_NETWORK = "the best network found so far, as if it were true, directions that data cannot tell included"


def effects_of(x: str, answer: ExplorerAnswer, known: Dataset | BayesianNetwork) -> EffectTable:
    """The effects of do(x) on all other variables, the largest first."""
    place = {name: at for at, name in enumerate(answer.variables)}
    effects = _effects(x, answer, known)
    rows = [_row(effect, place) for effect in effects]
    return {
        "x": place[x],
        "among": effects.among if answer.edges_of != UNSURE else _ONE_NETWORK,
        "path": PATH if effects.is_average else "",
        "assumption": effects.assumption,
        "rows": sorted(rows, key=lambda row: -row["difference"]),
    }


def _effects(x: str, answer: ExplorerAnswer, known: Dataset | BayesianNetwork) -> Effects:
    if isinstance(known, BayesianNetwork):
        return effects(known, x)
    networks = answer.weighted_networks or answer.dag
    assert networks is not None
    return effects(networks, x, data=known)


def _row(effect: Effect, place: dict[str, int]) -> EffectRow:
    told, difference = largest_in_words(effect)
    return {
        "y": place[effect.y],
        "told": told,
        "difference": difference,
        "probability": effect.probability,
        "means": [list(row.values()) for row in effect.means.values()],
        "intervals": None if effect.intervals is None else [list(row.values()) for row in effect.intervals.values()],
        "ranges": [list(row.values()) for row in effect.range.values()],
    }
