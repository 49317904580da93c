"""Text tables: the fast reader against a slow one, and what is said about files that cannot be read."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import credenet.io.tables.delimited
from credenet import Dataset, read
from credenet._run.progress import Progress
from credenet.errors import ArgumentError, CredenetError, DataError, FormatError
from slow_tables import SlowTable, decoded, slow_dat_table, slow_rows, slow_table

# Labels as they may stand in a file without quotes; numbers that are no integers have tests of their own.
plain = st.text(st.characters(codec="utf-8", exclude_characters='\0\r\n\t ,;|"'), min_size=1, max_size=9)
plain = plain.filter(lambda text: not re.fullmatch(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?", text))
integers = st.integers(-20, 300).map(str)
awkward = st.text(st.sampled_from('ab ,;\t"\n\r\u00e9\U0001f600\u00a0\u2028'), min_size=1, max_size=6)
awkward = awkward.filter(lambda text: text == text.strip(" \t"))
anything = plain | integers | awkward | st.sampled_from(["", "?", "NA"])


@st.composite
def fields(draw: st.DrawFn, label: str) -> str:
    """A field that stands for a label: quoted where it must be, and now and then where it need not."""
    if not label or set(label) & set(' ,;\t"\r\n') or draw(st.integers(0, 9)) == 0:
        doubled = label.replace('"', '""')
        return f'"{doubled}"'
    return label


@st.composite
def texts(draw: st.DrawFn, separators: str | list[str]) -> tuple[str, str]:
    """A text and its separator, "" for runs of blanks; the same number of fields in every row."""
    separator = draw(st.sampled_from(separators))
    width = draw(st.integers(1, 4))
    small = st.integers(0, 3).map(str)
    kinds = [draw(st.sampled_from([integers, small, anything, plain])) for _ in range(width)]
    rows = [[draw(kind) for kind in kinds] for _ in range(draw(st.integers(1, 8)))]
    if draw(st.booleans()):
        rows.insert(0, draw(st.lists(plain | awkward, min_size=width, max_size=width, unique=True)))
    lines: list[str] = []
    for row in rows:
        # A tab would separate fields.
        blanks = ["", " "] if separator else [" ", "  ", " \t"] if lines else [" ", "  "]
        lines.append((separator + draw(st.sampled_from(blanks))).join(map(draw, map(fields, row))))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join(lines) + draw(st.sampled_from(["", end, end + end, end + "  " + end]))
    return draw(st.sampled_from(["", "\ufeff"])) + text, separator


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def check_reading(path: Path, header: bool | None, block_bytes: int, expected: SlowTable) -> None:
    """A file is read as expected, in blocks of any size, or refused if that is no data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(credenet.io.tables.delimited, "BLOCK_BYTES", block_bytes)
        if expected.is_usable():
            assert decoded(read(path, header=header, missing="keep", n_threads=2)) == expected
        else:
            with pytest.raises((DataError, FormatError)):
                read(path, header=header, missing="keep", n_threads=2)


headers = st.sampled_from([None, None, True, False])
block_sizes = st.sampled_from([1, 7, 40, 1 << 20])


@given(table=texts([",", ";", "\t"]), header=headers, block_bytes=block_sizes)
@example(table=('a,b\r\n"x, ""y""\r\nz",1\r\n"",2', ","), header=None, block_bytes=1)
@example(table=("a\tb\n1\t2\n3\t", "\t"), header=None, block_bytes=1)
@example(table=('"two\nlines";b\n1;2\n', ";"), header=None, block_bytes=1)
# The table has row names, and None among numbers.
@example(table=(",a,b\nx,None,0\ny,1,2\n", ","), header=None, block_bytes=1)
@example(table=(",a,b\nx,None,0\nx,1,2\n", ","), header=None, block_bytes=1)  # The table has no row names.
@example(table=(",7,8\n1,2,0\n", ","), header=None, block_bytes=1)  # The row lacks its first cell.
@settings(max_examples=500, deadline=None)
def test_separated_text_agrees_with_a_slow_reader(
    folder: Path, table: tuple[str, str], header: bool | None, block_bytes: int
) -> None:
    text, separator = table
    path = written(folder, "table.csv", text)
    check_reading(path, header, block_bytes, slow_table(slow_rows(text, separator), header))


@given(table=texts([""]), header=headers, block_bytes=block_sizes)
@example(table=("a b\n2 3\n0 2\n1 0", ""), header=None, block_bytes=1)  # The second line has arities.
@example(table=("a b\n2 3\n2 2\n1 0", ""), header=None, block_bytes=1)  # The second line is a row, as 2 is not below 2.
@example(table=("a b\n2 3\nx 0\ny NA", ""), header=None, block_bytes=1)  # The second line has arities, of labels, too.
# The second line is a row, as there are two labels.
@example(table=("a b\n1 3\nx 0\ny 1", ""), header=None, block_bytes=1)
@example(table=("1\n2\n3\n0\n1\n1", ""), header=None, block_bytes=1)  # The file begins with counts and arities.
@example(table=("1\n2\n3\n0\n1", ""), header=None, block_bytes=1)  # The file has only rows, as the count is wrong.
@example(table=("1\n2\n2\n0\n2", ""), header=None, block_bytes=1)  # The file has only rows, as 2 is not below 2.
# The second line is a row, as the arity is too large.
@example(table=("a\n70000\n5\n6", ""), header=None, block_bytes=1)
@example(table=('"" 0\n1 1\n0 0', ""), header=None, block_bytes=1)  # The table has row names, and no arities.
@example(table=('"" a b\nx 1 1\ny 0 0', ""), header=None, block_bytes=1)
@settings(max_examples=400, deadline=None)
def test_blank_separated_text_agrees_with_a_slow_reader(
    folder: Path, table: tuple[str, str], header: bool | None, block_bytes: int
) -> None:
    text, separator = table
    path = written(folder, "table.dat", text)
    check_reading(path, header, block_bytes, slow_dat_table(slow_rows(text, separator), header))


def test_numbers_of_variables_arities_and_rows_before_the_rows(tmp_path: Path) -> None:
    data = read(written(tmp_path, "counted.dat", "3\n2 2 4\n2\n0 1 3\n1 0 ?\n"), missing="keep")
    assert data.variables == ("0", "1", "2")
    assert data.states["2"] == ("0", "1", "2", "3")
    assert data.codes.tolist() == [[0, 1, 3], [1, 0, 255]]
    assert read(written(tmp_path, "plain.dat", "1\n2\n2\n0\n1\n"), header=False).n_rows == 5


def test_fuzz_of_lines_across_blocks_and_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels by first appearance somewhere in many blocks, and more than 256 of them in some."""
    rows = [(row * row % 997, f"label {row % 13 if row < 3000 else row % 700}", "") for row in range(6000)]
    path = written(tmp_path, "many.csv", "a,b,c\n" + "".join(f"{a},{b},{c or 'x'}\n" for a, b, c in rows))
    whole = read(path, n_threads=1)
    for block_bytes, n_threads in [(1, 4), (100, 2), (1000, 3), (30_000, 1)]:
        monkeypatch.setattr(credenet.io.tables.delimited, "BLOCK_BYTES", block_bytes)
        assert read(path, n_threads=n_threads) == whole
    assert [whole.states["b"][code] for code in whole.codes[:, 1].tolist()] == [b for _, b, _ in rows]
    assert [int(whole.states["a"][code]) for code in whole.codes[:, 0].tolist()] == [a for a, _, _ in rows]


@pytest.mark.parametrize("block_bytes", [1, 50, 1 << 20])
def test_lines_are_numbered_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block_bytes: int) -> None:
    monkeypatch.setattr(credenet.io.tables.delimited, "BLOCK_BYTES", block_bytes)
    lines = ["a,b", *(f"{k % 7},{k}" for k in range(200))]
    lines[150] = "1,2,3"
    lines[170] = ""
    path = written(tmp_path, "ragged.csv", "\n".join(lines))
    with pytest.raises(FormatError, match=r"ragged.csv:151: has 3 fields where 2 were expected") as caught:
        read(path, n_threads=3)
    assert caught.value.line == 151
    lines[150] = "1,0.5"
    del lines[170]
    with pytest.raises(DataError, match=r"'b' holds fractional numbers \(0.5 on line 151\)"):
        read(written(tmp_path, "fraction.csv", "\n".join(lines)), n_threads=3)


BAD = [
    ("empty.csv", b"", "empty.csv: is empty"),
    ("blank.csv", b"\n \r\n\t\n", "is empty"),
    ("bom.csv", b"\xef\xbb\xbf", "is empty"),
    ("names.csv", b"a,b\n", "names.csv:1: has a line of names and no rows"),
    ("ragged.csv", b"a,b\n1,2\n1\n", "ragged.csv:3: has 1 field where 2 were expected"),
    ("gap.csv", b"a,b\n1,2\n\n3,4\n", "gap.csv:3: is blank"),
    ("gap.dat", b"a b\n1 2\n \t\n3 4\n", "gap.dat:3: is blank"),
    ("first.csv", b"\na,b\n1,2\n", "first.csv:1: is blank"),
    ("open.csv", b'a,b\n1,2\n"3,4\n5,6\n', "open.csv:3: a quote opens here and is never closed"),
    ("open.csv", b'a,"b\n1,2\n', "open.csv:1: a quote opens here"),
    ("after.csv", b'a,b\n1,"2"3\n', "after.csv:2: text follows a closing quote"),
    ("after.dat", b'a b\n1 "2"3\n', "after.dat:2: text follows a closing quote"),
    ("after.csv", b'"a"x,b\n1,2\n', "after.csv:1: text follows a closing quote"),
    ("latin.csv", b"a,\xe9\n1,2\n", "latin.csv:1: is not UTF-8"),
    ("latin.csv", b"a,b\n1,2\n1,3\n2,\xe9\n", r"latin.csv:4: is not UTF-8 text \(column 'b'\)"),
    ("twice.csv", b"a,b,a\n1,2,3\n", "twice.csv:1: columns 1 and 3 are both named 'a'"),
    ("unnamed.csv", b"a,,c\n1,2,3\n", "unnamed.csv:1: column 2 has no name"),
    ("fraction.csv", b"a,b\n1,2\n1,2.5\n", r"column 'b' holds fractional numbers \(2.5 on line 3\); discretise it"),
    ("missing.csv", b"a,b\n1,?\n2,3\n", r"missing.csv: cells are missing in 'b' \(1\); pass missing='drop'"),
    ("cut.csv.gz", gzip.compress(b"a,b\n1,2\n" * 1000)[:-20], "cut.csv.gz: the gzip data is damaged or cut off"),
    ("bytes.parquet", b"PAR1 and then nothing of the kind", "bytes.parquet: is damaged or cut off"),
    ("text.parquet", b"a,b\n1,2\n", "text.parquet: is not a parquet file"),
]


@pytest.mark.parametrize(
    ("name", "contents", "message"), BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, name: str, contents: bytes, message: str) -> None:
    with pytest.raises((DataError, FormatError), match=message):
        read(written(tmp_path, name, contents))


def test_truncated_parquet_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    credenet.textbook.asia().sample(100).save(whole)
    path = written(tmp_path, "cut.parquet", whole.read_bytes()[:-30])
    with pytest.raises(
        FormatError, match=r"cut.parquet: is damaged or cut off: it does not end as a parquet file does"
    ):
        read(path)


def test_nothing_left_of_a_row_or_a_column(tmp_path: Path) -> None:
    path = written(tmp_path, "gaps.csv", "a,b\n1,?\n,2\n")
    with pytest.raises(DataError, match=r"gaps.csv: every row has a missing cell"):
        read(path, missing="drop")
    path = written(tmp_path, "hollow.csv", "a,b\n1,?\n2,NA\n")
    for missing in ("drop", "keep"):
        with pytest.raises(DataError, match=r"hollow.csv: column 'b' has no values at all"):
            read(path, missing=missing)
    assert read(path, missing="state").states["b"] == ("missing",)


def test_too_many_states(tmp_path: Path) -> None:
    path = written(tmp_path, "ids.csv", "id\n" + "\n".join(map(str, range(100_000))))
    with pytest.raises(
        DataError,
        match=r"column 'id' has 100000 states, one for each row, as identifiers have; leave it out with drop",
    ):
        read(path)
    path = written(tmp_path, "names.csv", "id,name\n" + "".join(f"{k},n{k % 2000}\n" for k in range(3000)))
    with pytest.raises(
        DataError, match=r"column 'name' has 2000 states; leave it out with drop=\['name'\] or pass max_states=2000"
    ):
        read(path, discretize={"id": "width:2"})
    data = read(path, discretize={"id": "width:2"}, max_states=2000)
    assert len(data.states["name"]) == 2000
    assert data.codes.dtype == "uint16"


def test_unreadable_paths_are_system_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.csv"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(IsADirectoryError):
        read(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nowhere.parquet")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "ignore"}, "missing must be one of error, drop, state, keep, got 'ignore'"),
        ({"states": "all"}, "states must be declared or observed, got 'all'"),
        ({"max_states": 0}, "max_states must be at least 1, got 0"),
        ({"max_states": 65535}, "max_states must be at most 65534"),
        ({"n_threads": 0}, "n_threads must be at least 1, got 0"),
        ({"format": "xlsx"}, "format must be one of csv, tsv, dat, parquet, cnb, got 'xlsx'"),
        ({"discretize": "thirds"}, "discretize must be 'width:BINS'"),
        ({"discretize": {"c": "median"}}, "discretize names columns that do not exist: c"),
        ({"weights": "c"}, "there is no column 'c' to take weights from"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = written(tmp_path, "good.csv", "a,b\n1,2.5\n2,3\n")
    with pytest.raises((ArgumentError, DataError, FormatError), match=message):
        read(path, **{"discretize": {"b": "median"}, **options})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["1", "-2"], "weights must be non-negative numbers, but column 'w' has '-2' on line 3"),
        (["1", "?"], "column 'w' has '\\?' on line 3"),
        (["1", ""], "column 'w' has '' on line 3"),
        (["1", "x"], "column 'w' has 'x' on line 3"),
        (["1", "1e999"], "column 'w' has '1e999' on line 3"),
        (["0", "0.0"], "all weights in column 'w' are zero"),
    ],
)
def test_bad_weights(tmp_path: Path, column: list[str], message: str) -> None:
    path = written(tmp_path, "weights.csv", "a,w\n" + "".join(f"{k},{w}\n" for k, w in enumerate(column)))
    with pytest.raises(DataError, match=message):
        read(path, weights="w")


def test_weights_are_no_variable(tmp_path: Path) -> None:
    path = written(tmp_path, "weights.csv", "a,w,b\n0,0.5,x\n1,2,?\n1,3e0,y\n")
    data = read(path, weights="w", missing="drop")
    assert data.variables == ("a", "b")
    assert data.weights is not None
    assert data.weights.tolist() == [0.5, 3.0]
    assert data.codes.tolist() == [[0, 0], [1, 1]]
    with pytest.raises(DataError, match="there are no variables"):
        read(written(tmp_path, "only.csv", "w\n1\n"), weights="w")


def test_missing_cells(tmp_path: Path) -> None:
    path = written(tmp_path, "gaps.csv", "a,b\nx,1\n?,2\ny,NA\nmissing,3\n")
    kept = read(path, missing="keep")
    assert kept.missing == {"a": 1, "b": 1}
    assert kept.codes.tolist() == [[1, 0], [255, 1], [2, 255], [0, 2]]
    assert read(path, missing="drop").codes.tolist() == [[1, 0], [0, 2]]
    assert read(path, missing="drop").states["a"] == ("missing", "x", "y")
    assert read(path, missing="drop", states="observed").states == {"a": ("missing", "x"), "b": ("1", "3")}
    as_state = read(path, missing="state")
    assert as_state.states["a"] == ("missing", "x", "y", "missing_")
    assert as_state.states["b"] == ("1", "2", "3", "missing")
    assert as_state.codes.tolist() == [[1, 0], [3, 1], [2, 3], [0, 2]]


def test_declared_states_are_kept_unless_told_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path, "declared.dat", "a b\n3 2\n0 1\n2 1\n")
    assert read(path).states == {"a": ("0", "1", "2"), "b": ("0", "1")}
    observed = read(path, states="observed")
    assert observed.states == {"a": ("0", "2"), "b": ("1",)}
    assert observed.codes.tolist() == [[0, 0], [1, 0]]


def test_states_are_ordered_by_number_or_by_letter(tmp_path: Path) -> None:
    data = read(written(tmp_path, "order.csv", "n,s,z\n10,b,2\n9,a10,x\n-3,a9,10\n+4,B,1\n"))
    assert data.states == {"n": ("-3", "+4", "9", "10"), "s": ("B", "a10", "a9", "b"), "z": ("1", "10", "2", "x")}


@pytest.mark.parametrize(("name", "separator"), [("t.csv", ","), ("t.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t")])
def test_the_separator_is_found_in_the_first_line(tmp_path: Path, name: str, separator: str) -> None:
    rows = [['"a,;\tb"', "c", "d"], ["1", "x y", "z"]]
    path = written(tmp_path, name, "\n".join(map(separator.join, rows)))
    assert decoded(read(path)).names == ["a,;\tb", "c", "d"]
    assert decoded(read(path)).rows == [["1", "x y", "z"]]


def test_formats_by_suffix_and_by_name(tmp_path: Path) -> None:
    text = "a b\n2 2\n0 1\n1 1\n"
    for name in ("t.dat", "t.DATA"):
        assert read(written(tmp_path, name, text)).states["b"] == ("0", "1")
    assert read(written(tmp_path, "t.txt", text), format="dat").states["b"] == ("0", "1")
    assert read(written(tmp_path, "t.txt", text)).variables == ("a", "b")  # The file has no arities.
    assert read(written(tmp_path, "t.txt", "a,b\n1,2\n")).variables == ("a", "b")
    assert read(written(tmp_path, "packed", gzip.compress(b"a,b\n1,2\n"))).variables == ("a", "b")
    assert read(written(tmp_path, "t.data", "0,1\n1,1\n")).codes.tolist() == [[0, 0], [1, 0]]


def test_integers_written_as_fractions_and_very_long_ones(tmp_path: Path) -> None:
    data = read(written(tmp_path, "t.csv", "a\n1\n1.0\n2e0\n"))
    assert decoded(data).rows == [["1"], ["1"], ["2"]]
    digits = "9" * 400
    assert read(written(tmp_path, "t.csv", f"a\n{digits}\n1\n")).states["a"] == ("1", digits)
    with pytest.raises(DataError, match="column 'a' has numbers too large to discretise"):
        read(written(tmp_path, "t.csv", f"a\n{digits}\n1\n"), discretize={"a": "median"})
    with pytest.raises(DataError, match="column 'a'"):
        read(written(tmp_path, "t.csv", f"a\n{'9' * 5000}\n1\n"))
    with pytest.raises(DataError, match="column 'a'"):
        read(written(tmp_path, "t.dat", f"a\n{'9' * 5000}\n1\n"))


def test_line_ends_of_old_macintosh(tmp_path: Path) -> None:
    assert decoded(read(written(tmp_path, "t.csv", "a,b\r1,2\r3,4\r"))).rows == [["1", "2"], ["3", "4"]]


def check_invariants(data: Dataset) -> None:
    assert data.n_rows >= 1
    assert len(set(data.variables)) == data.n_variables >= 1
    assert all(data.variables)
    for at, labels in enumerate(data.states.values()):
        assert len(set(labels)) == len(labels) >= 1
        column = data.codes[:, at]
        assert bool(((column < len(labels)) | (column == data.missing_code)).all())
    assert not data.codes.flags.writeable
    assert data.codes.flags.f_contiguous


table_like = st.lists(st.sampled_from([*map(bytes, zip(b'a01-.,;\t "\n\r\0\xff')), b"\n", b",", b"1", b"\xc3\xa9"]))


@given(
    contents=st.binary(max_size=60) | st.text(max_size=40).map(str.encode) | table_like.map(b"".join),
    name=st.sampled_from(["f.csv", "f.tsv", "f.dat", "f.parquet"]),
    header=headers,
    missing=st.sampled_from(["error", "drop", "state", "keep"]),
    discretize=st.sampled_from([None, "width:2", "frequency", "median"]),
)
@settings(max_examples=1500, deadline=None)
def test_any_bytes_make_a_dataset_or_a_clear_error(
    folder: Path, contents: bytes, name: str, header: bool | None, missing: Any, discretize: str | None
) -> None:
    path = written(folder, name, contents)
    try:
        outcome: Dataset | CredenetError = read(
            path, header=header, missing=missing, discretize=discretize, n_threads=1
        )
    except CredenetError as error:
        outcome = error
    if isinstance(outcome, Dataset):
        check_invariants(outcome)
    else:
        assert str(path) in str(outcome)


def test_progress_is_told_and_may_stop_or_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credenet.io.tables.delimited, "BLOCK_BYTES", 1 << 16)
    row = ",".join(str(k % 5) for k in range(37))
    # Reading takes a few times as long as callbacks are apart.
    path = written(tmp_path, "long.csv", f"{row}\n" * 1_000_000)
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return False

    with pytest.raises(DataError, match="reading was stopped"):
        read(path, n_threads=1, on_progress=stop)
    assert len(seen) == 1
    assert 0 < seen[0].done < seen[0].total == path.stat().st_size - 1

    def fail(_: Progress) -> bool:
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        read(path, n_threads=2, on_progress=fail)
