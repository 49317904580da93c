"""JKL: syntax, errors at their line, round trips."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet.families.info import FamilyTableInfo
from credenet.families.table import Family, FamilyTable
from credenet.io.families import jkl
from family_strategies import PATH, check_any_text, check_prefixes, family_tables
from format_checks import check_error, mutated

TEXT = """# Method: by hand
3
 # between blocks
rain 2
-4.5 0
-3 2 wet sun

sun 1
-1.5e0 0
# Time for variable: 1.0
wet 2
-2.25 1 rain
-7 0
"""

TABLE = FamilyTable.from_lists(
    {
        "rain": [(-3, ["sun", "wet"]), (-4.5, [])],
        "sun": [(-1.5, [])],
        "wet": [(-2.25, ["rain"]), (-7, [])],
    }
)


def test_parse() -> None:
    assert jkl.parse(TEXT, PATH) == TABLE
    assert jkl.parse(TEXT.rstrip(), PATH) == TABLE


def test_numbers_give_the_order() -> None:
    table = jkl.parse("3\n2 1\n-1 1 0\n0 1\n-2 0\n1 1\n-3 2 0 2\n", PATH)
    assert table.variables == ("0", "1", "2")
    assert [list(table.families(name)) for name in table.variables] == [
        [Family(-2.0, ())],
        [Family(-3.0, ("0", "2"))],
        [Family(-1.0, ("0",))],
    ]


def test_numbers_that_are_names() -> None:
    assert jkl.parse("2\n2 1\n-1 1 1\n1 0\n", PATH).variables == ("2", "1")


@pytest.mark.parametrize("names", [["1", "0"], ["0", "2", "1"], ["01", "1"], ["2", "1"], ["1.5", "0"], ["#", "a"]])
def test_names_that_are_numbers_come_back_in_order(names: list[str]) -> None:
    table = FamilyTable.from_lists({name: [(-1.0, names[place + 1 :])] for place, name in enumerate(names)})
    assert jkl.parse(jkl.render(table, PATH), PATH) == table


def test_render() -> None:
    assert jkl.render(TABLE, PATH).splitlines() == [
        '# credenet: {"n_variables": 3, "n_families": 5}',
        "3",
        "rain 2",
        "-3.0 2 sun wet",
        "-4.5 0",
        "sun 1",
        "-1.5 0",
        "wet 2",
        "-2.25 1 rain",
        "-7.0 0",
    ]


def test_names_that_are_not_words() -> None:
    made = FamilyTableInfo(score="bic", slack=3.0)
    table = FamilyTable.from_lists({"a b": [(-1.0, ["c"])], "c": []}, made=made)
    text = jkl.render(table, PATH)
    assert text.splitlines() == [
        '# credenet: {"n_variables": 2, "n_families": 1, "score": "bic", "slack": 3.0, "variables": ["a b", "c"]}',
        "2",
        "0 1",
        "-1.0 1 1",
        "1 0",
    ]
    assert jkl.parse(text, PATH) == table


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("3\n", "x\n", "expected the number of variables", 2),
        ("3\n", "-3\n", "expected the number of variables", 2),
        ("3\n", "3 variables\n", "expected the number of variables", 2),
        ("3\n", "4\n", "should have 4 variables, but ends after 3", 13),
        ("3\n", "99999999999999\n", "should have 99999999999999 variables, but ends after 3", 13),
        ("3\n", "2\n", "expected the end of the file after 2 variables", 11),
        ("rain 2", "rain", "expected a variable and the number of its parent sets, got 'rain'", 4),
        ("rain 2", "rain two", "expected a variable and the number of its parent sets, got 'rain two'", 4),
        ("rain 2", "rain -2", "expected a variable and the number", 4),
        ("rain 2", "rain 1", "expected a variable and the number of its parent sets, got '-3 2 wet sun'", 6),
        ("rain 2", "rain 0", "expected a variable and the number of its parent sets, got '-4.5 0'", 5),
        ("rain 2", "rain 3", "announces 1 parents, but has 0", 8),
        ("wet 2", "wet 3", "variable 'wet' should have 3 parent sets, but the file ends after 2", 13),
        ("wet 2", "wet 999999999999", "should have 999999999999 parent sets, but the file ends after 2", 13),
        ("wet 2", "rain 2", "unknown parent 'wet'|variable 'rain' comes twice", 11),
        ("-3 2 wet sun", "-3 2 wet", "announces 2 parents, but has 1", 6),
        ("-3 2 wet sun", "-3 1 wet sun", "announces 1 parents, but has 2", 6),
        ("-3 2 wet sun", "-3 2.0 wet sun", "expected a score, the number of parents and the parents", 6),
        ("-3 2 wet sun", "-3", "expected a score, the number of parents and the parents, got '-3'", 6),
        ("-3 2 wet sun", "-3 2 wet snow", "unknown parent 'snow'", 6),
        ("-3 2 wet sun", "-3 2 wet rain", "variable 'rain' is its own parent", 6),
        ("-3 2 wet sun", "-3 2 wet wet", "variable 'rain' has the parent 'wet' twice in a set", 6),
        ("-7 0", "-7 1 rain", r"variable 'wet' has the parent set \{rain\} twice", 13),
        ("-7 0", "x 0", "expected a score, got 'x'", 13),
        ("-7 0", "nan 0", "expected a score, got 'nan'", 13),
        ("-7 0", "-inf 0", "expected a score, got '-inf'", 13),
        ("-7 0", "-1e999 0", "a score of 'wet' is -inf; it must be finite", 13),
        ("-7 0", "1_0 0", "expected a score, got '1_0'", 13),
        ("-7 0", "1,0 0", "expected a score, got '1,0'", 13),
        ("-7 0", ", 0", "expected a score, got ','", 13),
        ("# Method: by hand", "# credenet: {", "does not fit: it is not JSON", 1),
        ("# Method: by hand", "# credenet: []", "does not fit: it must be a JSON object", 1),
        ("# Method: by hand", '# credenet: {"slack": -1}', "does not fit: slack must be at least 0", 1),
        ("# Method: by hand", '# credenet: {"n_families": 4}', "should have 4 parent sets, but has 5", 13),
        ("# Method: by hand", '# credenet: {"n_families": "4"}', "n_families must be a whole number", 1),
        ("# Method: by hand", '# credenet: {"variables": ["a"]}', "1 variables are named, but the file has 3", 1),
        ("# Method: by hand", '# credenet: {"variables": ["a", "a"]}', "variable 'a' is named twice", 1),
        ("# Method: by hand", '# credenet: {"variables": "abc"}', "variables must be a list of names", 1),
        (
            "# Method: by hand",
            '# credenet: {"variables": ["a", "b", "c"]}',
            "expected the position of .* got 'rain'",
            4,
        ),
        (" # between blocks", "# credenet: {}\n# credenet: {}", "a second '# credenet:' line", 4),
        ("# Method: by hand", '# credenet: {"n_variables": 2}', "should have 2 variables, but has 3", 13),
        (TEXT, "", "expected the number of variables", 1),
        (TEXT, "# credenet: {}\n0", "the last line is cut off", 2),
    ],
)
def test_errors(old: str, new: str, message: str, line: int) -> None:
    assert old in TEXT
    check_error(jkl, TEXT.replace(old, new, 1), message, line)


@settings(max_examples=200, deadline=None)
@given(family_tables())
def test_round_trip(table: FamilyTable) -> None:
    assert jkl.parse(jkl.render(table, PATH), PATH) == table


@settings(max_examples=30, deadline=None)
@given(family_tables())
def test_cut_off_files_are_refused(table: FamilyTable) -> None:
    check_prefixes(jkl, table)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.text(),
        st.text("0123 \n-.ab#"),
        mutated(
            [TEXT, jkl.render(TABLE, PATH), jkl.render(TABLE.select(["wet"]), PATH)], 'rain sun wet # credenet: {"'
        ),
    )
)
def test_any_text(text: str) -> None:
    check_any_text(jkl, text)
