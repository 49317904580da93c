"""The table of the tutorial: patients of a clinic, as a spreadsheet program would have saved them.

The rows are drawn from a small network with made-up numbers. The file then gets what real files have: two columns of
numbers, a column of identifiers, a column with one value, a state that hardly occurs, two spellings of a label, a
decimal comma, and lines that do not fit. No cell is missing.
"""

from __future__ import annotations

import numpy as np

from credenet._run.progress import read_seed
from credenet.data.dataset import Dataset
from credenet.networks.bayesian import BayesianNetwork

N_ROWS = 1500
COLUMNS = {
    "patient": "a number for each patient",
    "site": "the clinic",
    "season": "when the patient came",
    "age": "in years",
    "smoker": "whether the patient smokes",
    "lung_disease": "whether a chronic disease of the lungs was known before",
    "severity": "of the pneumonia, as judged on the first day",
    "temperature": "in degrees Celsius, on the first day",
    "treatment": "the standard drug, or a new one",
    "ward": "where the patient lay",
    "recovered": "whether the patient was well after two weeks",
    "readmitted": "whether the patient came back within three months",
}
# What doctors know: the order in which things happen, and that the ward and the drug are chosen by severity alone.
RULES = """\
{
 "format": "credenet knowledge",
 "tiers": [
  ["season", "age"], ["smoker"], ["lung_disease"], ["severity"],
  ["temperature", "treatment", "ward"], ["recovered"], ["readmitted"]
 ],
 "forbidden": [["ward", "treatment"], ["treatment", "ward"]]
}
"""
_YEARS = {"<=49": (18, 49), "(49,69]": (50, 69), ">69": (70, 94)}
_TENTHS = {"<=37.4": (362, 374), "(37.4,38.9]": (375, 389), ">38.9": (390, 407)}
_YES_NO = ("no", "yes")
_N_OTHER_SPELLING = 12  # Rows with "Yes" in the column smoker.
_N_RARE_WARD = 3  # Rows of ward C.


def clinic_network() -> BayesianNetwork:
    """The network that the rows of the tutorial are drawn from; ages and temperatures are intervals in it.

    Doctors give the new drug above all to severe cases, so that it looks worse than it is.
    """
    return BayesianNetwork(
        states={
            "season": ("summer", "winter"),
            "age": tuple(_YEARS),
            "smoker": _YES_NO,
            "lung_disease": _YES_NO,
            "severity": ("mild", "moderate", "severe"),
            "temperature": tuple(_TENTHS),
            "treatment": ("standard", "new"),
            "ward": ("A", "B"),
            "recovered": _YES_NO,
            "readmitted": _YES_NO,
        },
        parents={
            "smoker": ("age",),
            "lung_disease": ("smoker", "age"),
            "severity": ("lung_disease", "age"),
            "temperature": ("severity",),
            "treatment": ("severity",),
            "ward": ("severity",),
            "recovered": ("treatment", "severity"),
            "readmitted": ("recovered", "lung_disease"),
        },
        tables={
            "season": (0.4, 0.6),
            "age": (0.3, 0.4, 0.3),
            "smoker": ((0.6, 0.4), (0.7, 0.3), (0.85, 0.15)),
            "lung_disease": (((0.97, 0.03), (0.92, 0.08), (0.85, 0.15)), ((0.9, 0.1), (0.72, 0.28), (0.55, 0.45))),
            "severity": (
                ((0.65, 0.27, 0.08), (0.5, 0.33, 0.17), (0.35, 0.38, 0.27)),
                ((0.4, 0.38, 0.22), (0.27, 0.4, 0.33), (0.15, 0.37, 0.48)),
            ),
            "temperature": ((0.5, 0.4, 0.1), (0.25, 0.5, 0.25), (0.1, 0.4, 0.5)),
            "treatment": ((0.9, 0.1), (0.5, 0.5), (0.1, 0.9)),
            "ward": ((0.8, 0.2), (0.55, 0.45), (0.2, 0.8)),
            "recovered": (((0.1, 0.9), (0.4, 0.6), (0.75, 0.25)), ((0.03, 0.97), (0.15, 0.85), (0.4, 0.6))),
            "readmitted": (((0.75, 0.25), (0.55, 0.45)), ((0.95, 0.05), (0.85, 0.15))),
        },
    )


def raw_table(seed: int = 1) -> str:
    """The text of the file of the tutorial, with ``;`` between fields and decimal commas."""
    seed = read_seed(seed)
    generator = np.random.default_rng(seed)
    lines = _lines(clinic_network().sample(N_ROWS, seed=seed), generator)
    for at in sorted(generator.choice(N_ROWS, size=3, replace=False).tolist()):
        lines[at] = ";".join(lines[at].split(";")[:7])  # A line that was cut off.
    lines[int(generator.integers(N_ROWS))] += ";called by phone"
    lines.insert(int(generator.integers(N_ROWS)), "")
    return "\n".join([";".join(COLUMNS), *lines, ""])


def _lines(data: Dataset, generator: np.random.Generator) -> list[str]:
    """The rows of the file, of which none is damaged yet."""
    codes = dict(zip(data.variables, data.codes.T.tolist(), strict=True))
    cells = {name: [str(labels[code]) for code in codes[name]] for name, labels in data.states.items()}
    smokers = [row for row, label in enumerate(cells["smoker"]) if label == "yes"]
    for row in generator.choice(smokers, size=_N_OTHER_SPELLING, replace=False):
        cells["smoker"][row] = "Yes"
    for row in generator.choice(N_ROWS, size=_N_RARE_WARD, replace=False):
        cells["ward"][row] = "C"
    cells["age"] = [str(_draw_in(_YEARS[label], generator)) for label in cells["age"]]
    tenths = [_draw_in(_TENTHS[label], generator) for label in cells["temperature"]]
    cells["temperature"] = [f"{number // 10},{number % 10}" for number in tenths]
    cells["patient"] = [f"P{row + 1:04d}" for row in range(N_ROWS)]
    cells["site"] = ["North"] * N_ROWS
    return [";".join(row) for row in zip(*(cells[name] for name in COLUMNS), strict=True)]


def _draw_in(ends: tuple[int, int], generator: np.random.Generator) -> int:
    """A whole number between two ends, both included."""
    return int(generator.integers(ends[0], ends[1] + 1))
