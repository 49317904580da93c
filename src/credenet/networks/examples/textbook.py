"""Small networks from the literature."""

from __future__ import annotations

from credenet.networks.bayesian import BayesianNetwork

__all__ = ["asia", "cancer", "earthquake", "sprinkler", "student"]

_YES_NO = ("yes", "no")
_TRUE_FALSE = ("true", "false")


def asia() -> BayesianNetwork:
    """Chest clinic: a visit to Asia, smoking, three diseases and two findings (Lauritzen and Spiegelhalter, 1988).

    Examples
    --------
    >>> import credenet
    >>> credenet.textbook.asia()
    <BayesianNetwork 8 variables, 8 edges, 18 parameters>
    """
    names = ("asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp")
    return BayesianNetwork(
        states=dict.fromkeys(names, _YES_NO),
        parents={
            "tub": ("asia",),
            "lung": ("smoke",),
            "bronc": ("smoke",),
            "either": ("tub", "lung"),
            "xray": ("either",),
            "dysp": ("bronc", "either"),
        },
        tables={
            "asia": (0.01, 0.99),
            "tub": ((0.05, 0.95), (0.01, 0.99)),
            "smoke": (0.5, 0.5),
            "lung": ((0.1, 0.9), (0.01, 0.99)),
            "bronc": ((0.6, 0.4), (0.3, 0.7)),
            "either": (((1.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (0.0, 1.0))),
            "xray": ((0.98, 0.02), (0.05, 0.95)),
            "dysp": (((0.9, 0.1), (0.8, 0.2)), ((0.7, 0.3), (0.1, 0.9))),
        },
    )


def cancer() -> BayesianNetwork:
    """Lung cancer, two causes and two findings (Korb and Nicholson, 2010).

    Examples
    --------
    >>> import credenet
    >>> credenet.textbook.cancer().parents("cancer")
    ('pollution', 'smoker')
    """
    return BayesianNetwork(
        states={
            "pollution": ("low", "high"),
            "smoker": _TRUE_FALSE,
            "cancer": _TRUE_FALSE,
            "xray": ("positive", "negative"),
            "dyspnoea": _TRUE_FALSE,
        },
        parents={"cancer": ("pollution", "smoker"), "xray": ("cancer",), "dyspnoea": ("cancer",)},
        tables={
            "pollution": (0.9, 0.1),
            "smoker": (0.3, 0.7),
            "cancer": (((0.03, 0.97), (0.001, 0.999)), ((0.05, 0.95), (0.02, 0.98))),
            "xray": ((0.9, 0.1), (0.2, 0.8)),
            "dyspnoea": ((0.65, 0.35), (0.3, 0.7)),
        },
    )


def earthquake() -> BayesianNetwork:
    """A burglar alarm, an earthquake and two neighbours who may call (Pearl, 1988).

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.earthquake()
    >>> answers = network.infer({"john_calls": "true", "mary_calls": "true"})
    >>> round(answers.marginals()["burglary"]["true"], 3)
    0.557
    """
    names = ("burglary", "earthquake", "alarm", "john_calls", "mary_calls")
    return BayesianNetwork(
        states=dict.fromkeys(names, _TRUE_FALSE),
        parents={"alarm": ("burglary", "earthquake"), "john_calls": ("alarm",), "mary_calls": ("alarm",)},
        tables={
            "burglary": (0.01, 0.99),
            "earthquake": (0.02, 0.98),
            "alarm": (((0.95, 0.05), (0.94, 0.06)), ((0.29, 0.71), (0.001, 0.999))),
            "john_calls": ((0.9, 0.1), (0.05, 0.95)),
            "mary_calls": ((0.7, 0.3), (0.01, 0.99)),
        },
    )


def sprinkler() -> BayesianNetwork:
    """Why is the grass wet? (Russell and Norvig)

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.sprinkler()
    >>> round(network.infer({"wet_grass": "true"}).marginals()["rain"]["true"], 3)
    0.708
    """
    names = ("cloudy", "sprinkler", "rain", "wet_grass")
    return BayesianNetwork(
        states=dict.fromkeys(names, _TRUE_FALSE),
        parents={"sprinkler": ("cloudy",), "rain": ("cloudy",), "wet_grass": ("sprinkler", "rain")},
        tables={
            "cloudy": (0.5, 0.5),
            "sprinkler": ((0.1, 0.9), (0.5, 0.5)),
            "rain": ((0.8, 0.2), (0.2, 0.8)),
            "wet_grass": (((0.99, 0.01), (0.9, 0.1)), ((0.9, 0.1), (0.0, 1.0))),
        },
    )


def student() -> BayesianNetwork:
    """A grade, what it depends on and what depends on it (Koller and Friedman, 2009).

    Examples
    --------
    >>> import credenet
    >>> credenet.textbook.student().states["grade"]
    ('A', 'B', 'C')
    """
    return BayesianNetwork(
        states={
            "difficulty": ("easy", "hard"),
            "intelligence": ("low", "high"),
            "grade": ("A", "B", "C"),
            "sat": ("low", "high"),
            "letter": ("weak", "strong"),
        },
        parents={"grade": ("intelligence", "difficulty"), "sat": ("intelligence",), "letter": ("grade",)},
        tables={
            "difficulty": (0.6, 0.4),
            "intelligence": (0.7, 0.3),
            "grade": (((0.3, 0.4, 0.3), (0.05, 0.25, 0.7)), ((0.9, 0.08, 0.02), (0.5, 0.3, 0.2))),
            "sat": ((0.95, 0.05), (0.2, 0.8)),
            "letter": ((0.1, 0.9), (0.4, 0.6), (0.99, 0.01)),
        },
    )
