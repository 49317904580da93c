"""Tables as other programs write them: read as they are meant, or refused with what to do."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credenet import Dataset, read
from credenet.errors import ArgumentError, DataError, FormatError
from slow_tables import decoded


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


class TestDecimalCommas:
    @pytest.mark.parametrize(
        "text",
        [
            "weight;smoker\n70,5;yes\n61,25;no\n80;no\n",
            "weight\tsmoker\n70,5\tyes\n61,25\tno\n80\tno\n",
            'weight,smoker\n"70,5",yes\n"61,25",no\n80,no\n',
        ],
    )
    def test_are_refused_or_read_as_asked(self, tmp_path: Path, text: str) -> None:
        path = written(tmp_path, "t.csv", text)
        message = r"column 'weight' holds numbers with commas \(70,5 on line 2\); pass decimal=',' if .* decimal='.' if"
        for discretize in (None, "median", {"weight": "median"}):
            with pytest.raises(DataError, match=message):
                read(path, discretize=discretize)
        data = read(path, decimal=",", discretize={"weight": "cuts:61.25,75"})
        assert data.codes[:, 0].tolist() == [1, 0, 2]
        with pytest.raises(DataError, match=r"fractional numbers \(70.5 on line 2\)"):
            read(path, decimal=",")

    def test_without_a_header(self, tmp_path: Path) -> None:
        """As many commas as semicolons, or more, do not make the comma a separator."""
        path = written(tmp_path, "t.csv", "70,5;1,5;3,5\n61,5;2,5;4,5\n")
        with pytest.raises(DataError, match=r"columns '0', '1', '2' hold numbers with commas"):
            read(path, header=False)
        data = read(path, header=False, decimal=",", discretize="median")
        assert data.variables == ("0", "1", "2")
        assert len(data) == 2

    def test_between_thousands(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", 'income\n"1,234"\n"5,678"\n999\n')
        with pytest.raises(DataError, match="numbers with commas"):
            read(path)
        assert read(path, decimal=".").states["income"] == ("999", "1234", "5678")
        path = written(tmp_path, "t.csv", "income\n1.234\n5.678\n999\n")
        assert read(path, decimal=",").states["income"] == ("999", "1234", "5678")

    def test_labels_with_commas(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", 'answers\n"1,2"\n1\n"2,3"\n')
        assert read(path, decimal=".").states["answers"] == ("1", "1,2", "2,3")
        path = written(tmp_path, "t.csv", 'place\n"Paris, Texas"\nParis\n')
        assert read(path).states["place"] == ("Paris", "Paris, Texas")

    def test_among_many_a_typing_error(self, tmp_path: Path) -> None:
        text = "a\n" + "".join(f"{k},5\n" for k in range(20)) + "o,5\n"
        path = written(tmp_path, "t.tsv", text)
        with pytest.raises(DataError, match="numbers with commas"):
            read(path)
        with pytest.raises(DataError, match=r"fractional numbers and 'o,5' on line 22.* pass na_values=\['o,5'\]"):
            read(path, decimal=",", discretize="median")

    def test_in_weights_and_beside_missing_cells(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "a;b;w\nx;1,5;0,5\ny;None;1,5\nx;NA;2\n")
        data = read(path, decimal=",", weights="w", discretize="median", missing="keep")
        assert data.weights is not None
        assert data.weights.tolist() == [0.5, 1.5, 2.0]
        assert data.missing == {"b": 2}

    def test_in_frames(self) -> None:
        frame = pl.DataFrame({"weight": ["70,5", "61,5"]})
        with pytest.raises(DataError, match="numbers with commas"):
            Dataset.from_frame(frame)
        assert Dataset.from_frame(frame, decimal=",", discretize="median").codes.tolist() == [[1], [0]]
        declared = pl.DataFrame({"a": pl.Series(["1,5", "2,5"], dtype=pl.Enum(["1,5", "2,5"]))})
        assert Dataset.from_frame(declared).states["a"] == ("1,5", "2,5")

    def test_decimal_is_a_mark(self, tmp_path: Path) -> None:
        with pytest.raises(ArgumentError, match=r"decimal must be '.' or ',', got ';'"):
            read(written(tmp_path, "t.csv", "a\n1\n"), decimal=";")  # type: ignore[arg-type]


class TestMissingCells:
    def test_are_written_in_many_ways(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "a,b,c\n1,x,#N/A\n.,#N/A,z\nNone,NULL,\\N\n2,y,z\n")
        with pytest.raises(DataError, match=r"'a' \(2, written '\.', 'None'\), 'b' \(2, written '#N/A', 'NULL'\)"):
            read(path)
        data = read(path, missing="keep")
        assert data.states == {"a": ("1", "2"), "b": ("x", "y"), "c": ("z",)}
        assert data.missing == {"a": 2, "b": 2, "c": 2}

    def test_keep_is_not_advised(self, tmp_path: Path) -> None:
        with pytest.raises(DataError) as caught:
            read(written(tmp_path, "t.csv", "a\n?\n1\n"))
        assert "missing='drop'" in str(caught.value)
        assert "'keep'" not in str(caught.value)

    def test_none_is_a_state_among_words(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "pain\nNone\nMild\nSevere\n")
        assert read(path).states["pain"] == ("Mild", "None", "Severe")
        assert read(path, na_values=["None"], missing="drop").states["pain"] == ("Mild", "Severe")
        assert read(path, na_values="None", missing="drop").states["pain"] == ("Mild", "Severe")

    def test_codes_of_missing_cells(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "age,b\n34,-9\n-9,1\n-9.0,0\n")
        data = read(path, na_values=[-9, "x"], missing="keep")
        assert data.states == {"age": ("34",), "b": ("0", "1")}
        assert data.missing == {"age": 2, "b": 1}

    def test_of_declared_states_only_those_that_are_named(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"a": pl.Series(["NA", "x", "?"], dtype=pl.Enum(["NA", "x", "?"]))})
        assert Dataset.from_frame(frame).states["a"] == ("NA", "x", "?")
        data = Dataset.from_frame(frame, na_values=["?"], missing="keep")
        assert data.states["a"] == ("NA", "x")
        assert data.missing == {"a": 1}
        path = written(tmp_path, "t.dat", "a b\n2 3\n0 9\n1 2\n")
        assert read(path, na_values=["9"], missing="keep").states["b"] == ("0", "1", "2")

    def test_dropped_rows_are_told(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "a,b\n1,?\n2,1\n?,2\n1,?\n1,1\n")
        (remark,) = read(path, missing="drop").info().remarks[:1]
        assert remark.startswith("3 of 5 rows have missing cells and are left out; 'b' alone lacks 2 cells")
        with pytest.raises(DataError, match=r"every row has a missing cell, .* drop=\['b'\] leaves 2 complete rows"):
            read(written(tmp_path, "t.csv", "a,b\n1,?\n2,?\n?,2\n"), missing="drop")


class TestRowNames:
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({"rain": ["no", "yes", "yes"], "wet": [0, 1, 1]}, index=[4, 8, 15])

    @pytest.mark.parametrize(("name", "sep"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t"), ("t.txt", ",")])
    def test_of_pandas(self, tmp_path: Path, name: str, sep: str) -> None:
        self.frame().to_csv(tmp_path / name, sep=sep)
        data = read(tmp_path / name)
        assert data.states == {"rain": ("no", "yes"), "wet": ("0", "1")}
        assert data.info().remarks[0] == "the first column holds row names and is left out"
        assert data.select(["rain"]).info().remarks == ()

    def test_of_pandas_with_numbered_columns(self, tmp_path: Path) -> None:
        pd.DataFrame([[5, 6], [5, 7]]).to_csv(tmp_path / "t.csv")
        assert read(tmp_path / "t.csv").states == {"0": ("5",), "1": ("6", "7")}
        with pytest.raises(FormatError, match="column 1 has no name"):  # The row lacks its first cell.
            read(written(tmp_path, "t.csv", ",3,1\n1,2,0\n"))

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("t.csv", '"","rain","wet"\n"1","no",0\n"2","yes",1\n'),  # R's write.csv made this file.
            ("t.txt", '"rain" "wet"\n"1" "no" 0\n"2" "yes" 1\n'),  # R's write.table made this file.
            ("t.csv", '"rain" "wet"\n"Mazda RX4" "no" 0\n"b" "yes" 1\n'),
            ("t.tsv", "rain\twet\n1\tno\t0\n2\tyes\t1\n"),
            ("t.dat", "rain wet\na no 0\nb yes 1\n"),
        ],
    )
    def test_of_r(self, tmp_path: Path, name: str, text: str) -> None:
        data = read(written(tmp_path, name, text))
        assert data.states == {"rain": ("no", "yes"), "wet": ("0", "1")}
        assert data.codes.tolist() == [[0, 0], [1, 1]]

    def test_of_parquet(self, tmp_path: Path) -> None:
        self.frame().to_parquet(tmp_path / "t.parquet")
        data = read(tmp_path / "t.parquet")
        assert data.variables == ("rain", "wet")
        assert data.info().remarks[0] == "column '__index_level_0__' holds row names and is left out"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (",a\nx,1\nx,2\n", "t.csv:1: column 1 has no name, and as its values repeat it holds no row names"),
            ("a,b\nx,1,2\nx,3,4\n", "t.csv:2: has 3 fields where 2 were expected"),
            ("a,b\n1,2,\n3,4,\n", "t.csv:2: has 3 fields where 2 were expected"),  # Each row ends with a comma.
            (",a,,b\n1,2,3,4\n", "t.csv:1: column 3 has no name"),
            (",a,b,a\n1,2,3,4\n", "t.csv:1: columns 2 and 4 are both named 'a'"),
        ],
    )
    def test_what_is_no_column_of_row_names(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            read(written(tmp_path, "t.csv", text))


class TestSeparators:
    @pytest.mark.parametrize(
        "text",
        [
            "a;b, in cm;c\nx;1;2\ny;3;4\n",
            "sep=;\na;b, in cm;c\nx;1;2\ny;3;4\n",
            'sep=,\r\na,"b, in cm",c\r\nx,1,2\r\ny,3,4\r\n',
            "a|b, in cm|c\nx|1|2\ny|3|4\n",
            "a\tb, in cm\tc\nx\t1\t2\ny\t3\t4\n",
        ],
    )
    def test_lines_agree_on_one(self, tmp_path: Path, text: str) -> None:
        data = read(written(tmp_path, "t.csv", text))
        assert data.variables == ("a", "b, in cm", "c")
        assert data.states["b, in cm"] == ("1", "3")

    def test_blanks(self, tmp_path: Path) -> None:
        assert read(written(tmp_path, "t.txt", "a b\n1 2\n3 4\n")).variables == ("a", "b")
        assert read(written(tmp_path, "t.txt", "quality\nvery good\nbad\n")).variables == ("quality",)

    def test_lines_are_counted_from_the_first(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"t.csv:4: has 1 field where 2 were expected"):
            read(written(tmp_path, "t.csv", "sep=;\na;b\n1;2\n3\n"))
        with pytest.raises(FormatError, match=r"t.csv:2: columns 1 and 2 are both named 'a'"):
            read(written(tmp_path, "t.csv", "sep=;\na;a\n1;2\n"))


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-8"])
    def test_are_read(self, tmp_path: Path, encoding: str) -> None:
        path = written(tmp_path, "t.csv", "größe,x\nklein,é\ngroß,e\n".encode(encoding))
        assert read(path, encoding=encoding).states == {"größe": ("groß", "klein"), "x": ("e", "é")}
        packed = written(tmp_path, "t.csv.gz", gzip.compress(path.read_bytes()))
        assert read(packed, encoding=encoding) == read(path, encoding=encoding)

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
    def test_are_told_by_a_mark(self, tmp_path: Path, encoding: str) -> None:
        path = written(tmp_path, "t.txt", "größe\tx\nklein\té\n".encode(encoding))
        assert read(path).variables == ("größe", "x")

    def test_what_is_not_in_an_encoding(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "a,b\n1,é\n".encode("latin-1"))
        with pytest.raises(FormatError, match=r"t.csv:2: is not UTF-8 text; pass the encoding .* encoding='cp1252'"):
            read(path)
        with pytest.raises(FormatError, match=r"t.csv:2: is not ascii text"):
            read(path, encoding="ascii")
        for wrong in ("latin1000", "hex", 5):
            with pytest.raises(ArgumentError, match="encoding must be one that Python knows"):
                read(path, encoding=wrong)  # type: ignore[arg-type]
        with pytest.raises(FormatError, match=r"t.csv: is not text, or in UTF-16"):
            read(written(tmp_path, "t.csv", "a,b\n1,2\n".encode("utf-16-le")))


class TestColumns:
    TEXT = "id,a,b,w\np1,x,1,0.5\np2,y,0,1.5\n"

    def test_some_or_all_but_some(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", self.TEXT)
        assert read(path, columns=["b", "a"]).variables == ("b", "a")
        assert read(path, drop=["id", "w"]).variables == ("a", "b")
        assert read(path, drop="id", weights="w").variables == ("a", "b")
        weighted = read(path, columns=["a"], weights="w")
        assert weighted.variables == ("a",)
        assert weighted.weights is not None
        frame = pd.read_csv(path)
        assert Dataset.from_frame(frame.astype({"b": str}), drop=["w", "id"]) == read(path, columns=["a", "b"])

    def test_nothing_is_said_of_columns_that_are_left_out(self, tmp_path: Path) -> None:
        text = "id,a\n" + "".join(f"{k}.5,{k % 2}\n" for k in range(2000))
        assert read(written(tmp_path, "t.csv", text), drop=["id"]).info().remarks == ()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"columns": ["aa"]}, "columns names the column 'aa', which the data do not have; did you mean 'a'"),
            ({"drop": ["ID"]}, "drop names the column 'ID', which the data do not have"),
            ({"columns": ["a"], "drop": ["b"]}, "columns and drop cannot both be given"),
            ({"columns": ["a", "a"]}, "columns names a column twice"),
            ({"columns": []}, "there are no variables"),
            ({"drop": 3}, "drop must be a list, got 3"),
        ],
    )
    def test_wrong_names(self, tmp_path: Path, options: dict[str, Any], message: str) -> None:
        with pytest.raises((ArgumentError, DataError), match=message):
            read(written(tmp_path, "t.csv", self.TEXT), **options)


def zipped(*members: str) -> bytes:
    contents = io.BytesIO()
    with zipfile.ZipFile(contents, "w") as archive:
        for member in members:
            archive.writestr(member, "application/vnd.oasis.opendocument.spreadsheet" if member == "mimetype" else "x")
    return contents.getvalue()


FOREIGN = [
    ("t.xlsx", zipped("[Content_Types].xml", "xl/workbook.xml"), r"is an Excel workbook \(.xlsx\); save the table as"),
    ("t.csv", zipped("[Content_Types].xml", "xl/workbook.xml"), "is an Excel workbook"),
    ("t.ods", zipped("mimetype", "content.xml"), r"is a spreadsheet \(.ods\)"),
    ("t.zip", zipped("table.csv"), "is a zip archive; unpack it first"),
    ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, r"is an Excel workbook \(.xls\)"),
    ("t.sav", b"$FL2@(#) SPSS DATA FILE" + b"\0" * 50, "is an SPSS file"),
    ("t.sas7bdat", b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14", "is a SAS file"),
    ("t.dta", b"<stata_dta><header>", "is a Stata file"),
    ("t.rds", gzip.compress(b"X\n\0\0\0\3\0\4"), r"is an R object \(.rds\); write the table in R with write.csv"),
    ("t.RData", gzip.compress(b"RDX3\nX\n\0\0\0"), "is an R workspace"),
    ("t.bz2", b"BZh91AY&SY\x00", "is a bzip2 archive; unpack it"),
    ("t.bin", b"\x00\x01\x02", "is not text"),
    ("t.html", b"\n<!DOCTYPE html>\n<html>", "is a web page"),
    ("t.arff", b"% a comment\n@RELATION iris\n", "is a Weka file"),
    ("t.json", b'[{"a": 1, "b": 2}]', "is JSON; save the table as .csv"),
]


@pytest.mark.parametrize(("name", "contents", "message"), FOREIGN, ids=[name for name, _, _ in FOREIGN])
def test_files_of_other_programs_are_refused(tmp_path: Path, name: str, contents: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(written(tmp_path, name, contents))


def test_parquet_under_another_name(tmp_path: Path) -> None:
    pl.DataFrame({"a": ["x", "y"]}).write_parquet(tmp_path / "table")
    assert read(tmp_path / "table").states["a"] == ("x", "y")


def test_a_graph_is_no_table(tmp_path: Path) -> None:
    for text in ("smoke -> lung\nlung -> xray\n", "[A][S][T|A]\n"):
        with pytest.raises(
            FormatError, match=r"looks like a graph, not a table of data; pass format='csv' if it is one"
        ):
            read(written(tmp_path, "g.txt", text))
    assert read(written(tmp_path, "t.txt", "move,n\na->b,1\nb->c,2\n")).states["move"] == ("a->b", "b->c")


labels = st.sampled_from(["yes", "no", "ä,b", "x y", "3", "-1", "None", "a;b", "50-59"])


@given(
    rows=st.lists(st.tuples(labels, st.floats(-1e6, 1e6), st.integers(0, 5)), min_size=2, max_size=12),
    sep=st.sampled_from([",", ";", "\t"]),
    decimal=st.sampled_from([",", "."]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"]),
    index=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_what_pandas_writes_is_read_as_the_frame_is(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, float, int]],
    sep: str,
    decimal: str,
    encoding: str,
    index: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "pandas.csv"
    frame = pd.DataFrame(rows, columns=["größe", "b, in cm", "c"])
    frame.to_csv(path, sep=sep, decimal=decimal, encoding=encoding, index=index)
    options: dict[str, Any] = {"discretize": {"b, in cm": "median"}, "missing": "keep"}
    try:
        expected = Dataset.from_frame(frame, **options)
    except DataError as error:  # The column holds only None, which means missing among numbers.
        with pytest.raises(DataError, match=str(error)[:20]):
            read(path, decimal=decimal, encoding=encoding, **options)  # type: ignore[arg-type]
        return
    back = read(path, decimal=decimal, encoding=encoding, **options)  # type: ignore[arg-type]
    assert decoded(back).states == decoded(expected).states  # Integers of a frame are no text.
    assert np.array_equal(back.codes, expected.codes)
