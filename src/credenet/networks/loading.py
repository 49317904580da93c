"""Networks read from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credenet import _later
from credenet._advised import check_keywords
from credenet.networks.bayesian import BayesianNetwork

if TYPE_CHECKING:
    from credenet._files.suffixes import NetworkFormat


@check_keywords
def load(path: str | Path, *, format: NetworkFormat | None = None) -> BayesianNetwork:
    """The network in a BIF, XMLBIF, XDSL, NET, DSC, UAI or JSON file, or in a ``.gz`` of one.

    The suffix determines the format unless ``format`` is given. Rows of tables must sum to 1 within 1e-5.

    Examples
    --------
    >>> import credenet
    >>> credenet.textbook.asia().save("asia.bif")
    >>> credenet.load("asia.bif")
    <BayesianNetwork 8 variables, 8 edges, 18 parameters>
    """
    return _later.io_networks_formats.load_network(path, format)
