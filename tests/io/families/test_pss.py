"""PSS: syntax, errors at their line, round trips."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.families.info import FamilyTableInfo
from credenet.families.table import FamilyTable
from credenet.io.families import pss
from family_strategies import PATH, check_any_text, check_prefixes, family_tables
from format_checks import check_error, mutated

TEXT = """META pss_version = 0.1
META input_file=rain.csv
META num_records = 250
meta parent_limit = 3
META score_type = BDeu
META ess = 1

# families
VAR rain
META arity=2
META values=no yes
-4.5
-3 wet sun

var sun
-1.5
VAR wet
-2.25 rain
-7
"""

MADE = FamilyTableInfo(score="BDeu(ess=1)", n_rows=250, max_parents=3)
TABLE = FamilyTable.from_lists(
    {
        "rain": [(-3, ["sun", "wet"]), (-4.5, [])],
        "sun": [(-1.5, [])],
        "wet": [(-2.25, ["rain"]), (-7, [])],
    },
    made=MADE,
)


def test_parse() -> None:
    assert pss.parse(TEXT, PATH) == TABLE


def test_header_that_says_nothing() -> None:
    text = "META num_records = many\nMETA parent_limit = -1\nMETA\nVAR a\n-1\n"
    assert pss.parse(text, PATH) == FamilyTable.from_lists({"a": [(-1.0, ())]})


def test_render() -> None:
    assert pss.render(TABLE.select(["rain", "wet"]), PATH).splitlines() == [
        '# credenet: {"n_variables": 2, "n_families": 3, "score": "bdeu", "max_parents": 3, "n_rows": 250.0}',
        "META pss_version = 0.1",
        "META num_records = 250",
        "META parent_limit = 3",
        "META score_type = bdeu",
        "",
        "VAR rain",
        "-4.5",
        "",
        "VAR wet",
        "-2.25 rain",
        "-7.0",
    ]


@pytest.mark.parametrize("name", ["variance", "Metal", "a b", "-1.5"])
def test_names_that_mislead_other_programs(name: str) -> None:
    table = FamilyTable.from_lists({name: [(-1.0, ["c"])], "c": [(-2.0, ())]})
    text = pss.render(table, PATH)
    assert text.splitlines()[2:] == ["", "VAR 0", "-1.0 1", "", "VAR 1", "-2.0"]
    assert pss.parse(text, PATH) == table


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("# families", "-1 rain", "expected META or VAR, got '-1'", 8),
        ("VAR rain", "VAR", "expected VAR and a name without blanks", 9),
        ("VAR rain", "VAR the rain", "expected VAR and a name without blanks", 9),
        ("VAR wet", "VAR sun", "variable 'sun' comes twice", 17),
        ("-3 wet sun", "-3 wet snow", "unknown parent 'snow'", 13),
        ("-3 wet sun", "-3 wet rain", "variable 'rain' is its own parent", 13),
        ("-3 wet sun", "-3 wet wet", "variable 'rain' has the parent 'wet' twice", 13),
        ("-3 wet sun", "-3", r"variable 'rain' has the parent set \{\} twice", 13),
        ("-3 wet sun", "wet sun", "expected a score, got 'wet'", 13),
        ("-3 wet sun", "nan wet sun", "expected a score, got 'nan'", 13),
        ("-3 wet sun", "1e999 wet sun", "a score of 'rain' is inf", 13),
        ("# families", '# credenet: {"n_families": 6}', "should have 6 parent sets, but has 5", 19),
        (TEXT, "", "has no variables", 1),
        (TEXT, "META a = b\n", "has no variables", 1),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(pss, TEXT.replace(old, new, 1), message, line)


@settings(max_examples=200, deadline=None)
@given(family_tables())
def test_round_trip(table: FamilyTable) -> None:
    assert pss.parse(pss.render(table, PATH), PATH) == table


@settings(max_examples=30, deadline=None)
@given(family_tables(st.sampled_from([["a", "b"], ["a b", "c", "d"]])))
def test_files_cut_off_within_the_families_are_refused(table: FamilyTable) -> None:
    check_prefixes(pss, table)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.text(), st.text("0123 \n-.VARMET="), mutated([TEXT, pss.render(TABLE, PATH)], "VAR META = rain -1"))
)
def test_any_text(text: str) -> None:
    check_any_text(pss, text)
