"""What the pages say that no cell does: the papers, and what we found different."""

from __future__ import annotations

PAPERS = {  # The papers in the order of the pages.
    "priors": "PRIORS: structure priors (Eggeling, Viinikka, Vuoksenmaa and Koivisto, 2019)",
    "tutorial": "TUTORIAL: learning optimal networks (Cussens, Malone and Yuan, 2013)",
    "credible": "CREDIBLE: all networks within a Bayes factor (Liao and others, 2019)",
    "rai": "RAI-BF: independence tests by Bayes factors (Natori, Uto and Ueno, 2017)",
    "treewidth": "TREEWIDTH: networks of bounded tree-width (Nie, de Campos and Ji, 2016)",
}

FOUND_DIFFERENT: dict[str, tuple[tuple[str, str, str], ...]] = {  # Rows of where, what and evidence by paper.
    "credible": (
        (
            "Tables 1 and 2",
            "The numbers of equivalence classes are too large: 576 for wine (BIC, factor 20), where there are 101.",
            "The numbers of networks agree. Closing each network under reversal of covered edges gives our classes. "
            "If colliders of adjacent parents are taken for v-structures, the published ones come out "
            "(`credible_classes`).",
        ),
        (
            "Table 1, factor 150",
            "Networks past the limit are counted: 26,197 for wine, where 26,153 are within it.",
            "The 44 others score up to 1.4e-4 less than the limit allows, which is the tolerance of a solver.",
        ),
        (
            "Table 1, factor 20",
            "Some networks seem to be missing: 28,424 for wdbc, where we list 28,428; 123,352 for alarm against "
            "123,566.",
            "Ours of alarm were checked one by one: they differ, have no cycles and are within the limit. alarm may be "
            "another sample.",
        ),
        (
            "Table 2, adult",
            "Within a factor of 20 by BDeu are 51 networks, not 792.",
            "Counted as the paper counts classes, our 51 networks fall into 19, the published number "
            "(`credible_classes`). The ten best classes hold the published 68 networks, and of its Figure 2 the paper "
            "says that adult takes fewer than 50 networks to reach a factor of 20.",
        ),
        (
            "Table 2, letter",
            "The ten best classes hold 844 networks, not 200.",
            "Listing all networks within their slack gives the same 844; some have 7 parents.",
        ),
    ),
    "rai": (
        (
            "Tables 3 and 4, munin",
            "The data probably had two states for each variable; the network has up to 21.",
            "The paper's table of networks says two states; the same graph with two states and random tables gives "
            "SHDs near the published ones, and the network itself does not.",
        ),
        (
            "Table 4, alarm",
            "Rows are printed as 20,000 and 50,000 where Table 3 has 200,000 and 500,000.",
            "The two tables are of the same runs.",
        ),
    ),
    "treewidth": (
        (
            "Table 1",
            "The columns of exact methods are those of at most three parents, while tree-width 4 allows four.",
            "GOBNILP's scores on nursery, breast, housing and letter are, to their printed digits, our optima with at "
            "most three parents.",
        ),
    ),
}
