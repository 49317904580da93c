"""What the page says that no cell does: the papers, what we found different, and aims that are not met."""

from __future__ import annotations

PAPERS = {  # in the order of the page
    "priors": "PRIORS: structure priors (Eggeling, Viinikka, Vuoksenmaa and Koivisto, 2019)",
    "tutorial": "TUTORIAL: learning optimal networks (Cussens, Malone and Yuan, 2013)",
    "credible": "CREDIBLE: all networks within a Bayes factor (Liao and others, 2019)",
    "rai": "RAI-BF: independence tests by Bayes factors (Natori, Uto and Ueno, 2017)",
    "treewidth": "TREEWIDTH: networks of bounded tree-width (Nie, de Campos and Ji, 2016)",
}

FOUND_DIFFERENT: tuple[tuple[str, str, str], ...] = ()

NOT_MET: tuple[str, ...] = ()
