"""UAI: syntax, errors, and the reference marginals of real files."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from credenet.errors import FormatError
from credenet.io.networks import uai
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.loading import load
from format_checks import PATH, check_error
from network_strategies import asymmetric_network
from shared import shared_data

TEXT = """BAYES
3
2 3 2
3
3 1 0 2
1 1
1 0

12
0.1 0.9  0.2 0.8
0.3 0.7  0.4 0.6
0.45 0.55  1 0
3
0.5 0.3 0.2

2
0.25 0.75
"""


def test_parse() -> None:
    network = uai.parse(TEXT, PATH)
    assert dict(network.states) == {"0": ("0", "1"), "1": ("0", "1", "2"), "2": ("0", "1")}
    assert network.parents("2") == ("1", "0")
    assert network.table("2").tolist() == [[[0.1, 0.9], [0.2, 0.8]], [[0.3, 0.7], [0.4, 0.6]], [[0.45, 0.55], [1, 0]]]
    assert uai.parse(TEXT.replace("\n", " "), PATH) == network


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("BAYES", "MARKOV", "this is a MARKOV network; only BAYES networks can be loaded", 1),
        ("BAYES", "PLAY", "expected BAYES, got PLAY", 1),
        ("BAYES\n3", "BAYES\n0", "expected the number of variables, got 0", 2),
        ("BAYES\n3", "BAYES\n" + "9" * 5000, "expected the number of variables, got 9999", 2),
        ("BAYES\n3", "BAYES\n999999999999", "expected the number of states of a variable, got 0", 5),
        ("2 3 2\n", "2 3 x\n", "expected the number of states of a variable, got x", 3),
        ("2 3 2\n", "2 3 999999999999999\n", "more than the file has entries", 3),
        ("2 3 2\n3", "2 3 2\n2", "needs a factor for each of its 3 variables, this has 2", 4),
        ("1 1\n", "1 0\n", "two factors have variable 0 last", 7),
        ("1 1\n", "1 3\n", "the variables are 0 to 2, got 3", 6),
        ("1 1\n", "2 1 1\n", "a factor has a variable twice", 6),
        ("1 1\n", "0\n", "expected the number of variables of a factor, got 0", 6),
        ("12\n", "1000000000000\n", "the table of variable 2 has 1000000000000 entries instead of 12", 9),
        ("0.7 ", "0,7 ", "the table of variable 2 holds something that is not a number", 11),
        ("0.7 ", "x ", "the table of variable 2 holds something that is not a number", 11),
        ("0.7 ", "nan ", "the table of variable 2 holds something that is not a number", 11),
        ("0.7 ", "0.8 ", "'2' given 1=1, 0=0 add up to 1.1, not 1", 9),
        ("0.75\n", "", "expected entry 2 of 2 of the table of variable 0, but the file ends here", 17),
        ("0.75\n", "0.75\n7", "expected the end of the file, got 7", 18),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(uai, TEXT.replace(old, new, 1), message, line)


def test_cycles_are_refused() -> None:
    check_error(uai, "BAYES 2 2 2 2\n2 0 1\n2 1 0\n4 1 0 0 1\n4 1 0 0 1\n", "cycle", 4)


def test_names_are_replaced_with_a_warning(tmp_path: Path) -> None:
    network = asymmetric_network()
    with pytest.warns(UserWarning, match="UAI files hold no names") as caught:
        network.save(tmp_path / "network.uai")
    assert caught[0].filename == __file__
    numbered = load(tmp_path / "network.uai")
    assert numbered.variables == ("0", "1", "2", "3")
    for at, name in enumerate(network.variables):
        assert np.array_equal(numbered.table(str(at)), network.table(name))
    numbered.save(tmp_path / "again.uai")  # Saving gives no warning.
    assert (tmp_path / "again.uai").read_text() == (tmp_path / "network.uai").read_text()


def test_state_labels_alone_are_warned_about_too() -> None:
    with pytest.warns(UserWarning, match="UAI files hold no names"):
        uai.render(BayesianNetwork({"0": ["no", "yes"]}, {}, {"0": [0.5, 0.5]}), PATH)


def test_reference_marginals() -> None:
    network = load(shared_data("inference", "cpcs54.uai"))
    words = shared_data("inference", "cpcs54.uai.MAR").read_text().split()
    assert words[:2] == ["MAR", "54"]
    numbers = iter(words[2:])
    marginals = network.marginals()
    for at in range(54):
        expected = [float(next(numbers)) for _ in range(int(next(numbers)))]
        np.testing.assert_allclose(list(marginals[str(at)].values()), expected, atol=2e-6)


def test_markov_networks_of_the_competition_are_refused() -> None:
    with pytest.raises(FormatError, match="MARKOV network"):
        load(shared_data("inference", "Pedigree_11.uai"))


def test_render_is_quiet_about_numbers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network = uai.parse(TEXT, PATH)
        assert uai.parse(uai.render(network, PATH), PATH) == network
