"""The verbs, run as a user runs them."""

from __future__ import annotations

import json
import math
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import credenet
from commands import PROGRAM, answer, credenet_command
from polls import signalled


class TestInfo:
    def test_data(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("a,b,c,d\n1,x,0,1\n2,?,0,2\n10,y,0,10\n")
        result = answer("info", "t.csv", cwd=tmp_path)
        assert result["variables"] == ["a", "b", "c", "d"]
        assert result["rows"] == 3
        assert result["states"]["a"] == ["1", "2", "10"]
        assert result["missing"] == {"a": 0, "b": 1, "c": 0, "d": 0}
        assert result["constant"] == ["c"]
        assert result["duplicates"] == [["a", "d"]]

    def test_data_as_text(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("a,b,[c]\n1,x,0\n2,?,0\n")
        printed = credenet_command("info", "t.csv", cwd=tmp_path).stdout
        assert "2 rows, 3 variables" in printed
        assert "[c]" in printed
        assert "constant" in printed

    def test_model(self, folder: Path) -> None:
        result = answer("info", "asia.bif", cwd=folder)
        assert (result["arcs"], result["parameters"], result["max_in_degree"]) == (8, 18, 2)
        assert result["variables"] == list(credenet.textbook.asia().variables)

    def test_graph(self, folder: Path) -> None:
        for name in ("g.txt", "g.json"):
            credenet.save_graph(credenet.textbook.asia().dag.cpdag(), folder / name)
            result = answer("info", name, cwd=folder)
            assert (result["arcs"], result["undirected"], result["max_in_degree"]) == (5, 3, 2)

    def test_contents_decide_where_the_suffix_does_not(self, folder: Path) -> None:
        for suffix in (".bif", ".xmlbif", ".xdsl", ".net", ".dsc", ".uai", ".json"):
            credenet_command("convert", "asia.bif", f"m{suffix}", cwd=folder)
            (folder / "model").write_bytes((folder / f"m{suffix}").read_bytes())
            assert answer("info", "model", cwd=folder)["parameters"] == 18
        (folder / "data").write_bytes((folder / "asia.csv").read_bytes())
        assert answer("info", "data", cwd=folder)["rows"] == 2000

    def test_network_under_the_name_of_a_table(self, folder: Path) -> None:
        (folder / "m.csv").write_bytes((folder / "asia.bif").read_bytes())
        done = credenet_command("info", "m.csv", cwd=folder)
        assert done.returncode == 1
        assert "m.csv: holds a bif network, not a table" in done.stderr

    def test_standard_input(self, folder: Path) -> None:
        words = [str(PROGRAM), "info", "/dev/stdin", "--json"]
        done = subprocess.run(words, input="a,b\n1,2\n", cwd=folder, capture_output=True, text=True, check=False)
        assert json.loads(done.stdout)["rows"] == 1

    def test_ascii_terminal(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("größe\nklein\n")
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        words = [str(PROGRAM), "info", "t.csv"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "gr\\xf6" in done.stdout

    def test_flags_reach_the_reader(self, tmp_path: Path) -> None:
        (tmp_path / "t.txt").write_text("0.5;7;1\n1.5;8;2\n9.5;7;3\n")
        flags = ["--no-header", "--discretize", "0=median", "--weights", "2", "--format", "csv"]
        result = answer("info", "t.txt", *flags, cwd=tmp_path)
        assert result["states"] == {"0": ["<=1.5", ">1.5"], "1": ["7", "8"]}
        assert result["total_weight"] == 6

    def test_discretize_by_column_twice(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("a,b\n0.5,1.5\n2.5,3.5\n")
        flags = ["--discretize", "a=median", "--discretize", "b=cuts:2,3"]
        assert answer("info", "t.csv", *flags, cwd=tmp_path)["states"]["b"] == ["<=2", "(2,3]", ">3"]

    def test_discretize_with_a_default_and_exceptions(self, tmp_path: Path) -> None:
        rows = "".join(f"{k}.5,{k}.25,{k % 6}\n" for k in range(36))
        (tmp_path / "t.csv").write_text(f"a,b,c=d\n{rows}")
        first = answer("info", "t.csv", "--discretize", "frequency:3", cwd=tmp_path)
        advice = first["remarks"][0].partition("to cut it, too, pass ")[2]
        assert advice == "--discretize frequency:3 --discretize c=d=frequency:3"
        flags = [*shlex.split(advice), "--discretize", "b=cuts:2,3"]
        result = answer("info", "t.csv", *flags, cwd=tmp_path)
        assert result["states"] == {
            "a": ["<=11.5", "(11.5,23.5]", ">23.5"],
            "b": ["<=2", "(2,3]", ">3"],
            "c=d": ["<=1", "(1,3]", ">3"],
        }
        done = credenet_command("info", "t.csv", *flags, "--discretize", "width:3", cwd=tmp_path)
        assert done.returncode == 2
        assert "--discretize gives two methods for all columns: frequency:3 and width:3" in done.stderr


class TestSample:
    def test_writes_the_same_rows_for_a_seed(self, folder: Path) -> None:
        for name, threads in (("one.csv", 1), ("two.csv", 2)):
            flags = ["--rows", 3000, "--seed", 7, "--n-threads", threads, "-o", name]
            assert answer("sample", "asia.bif", *flags, cwd=folder)["rows"] == 3000
        assert (folder / "one.csv").read_bytes() == (folder / "two.csv").read_bytes()
        expected = credenet.textbook.asia().sample(3000, seed=7)
        read = credenet.read(folder / "one.csv").aligned(expected.states)
        assert read == expected

    def test_prints_csv_without_an_output(self, folder: Path) -> None:
        lines = credenet_command("sample", "asia.bif", "--rows", 4, cwd=folder).stdout.splitlines()
        assert lines[0] == "asia,tub,smoke,lung,bronc,either,xray,dysp"
        assert len(lines) == 5

    @pytest.mark.parametrize("suffix", [".csv", ".tsv", ".dat", ".parquet", ".csv.gz"])
    def test_every_suffix(self, folder: Path, suffix: str) -> None:
        answer("sample", "asia.bif", "--rows", 500, "-o", f"out{suffix}", cwd=folder)
        assert len(credenet.read(folder / f"out{suffix}")) == 500

    def test_json_needs_an_output(self, folder: Path) -> None:
        done = credenet_command("sample", "asia.bif", "--rows", 3, "--json", cwd=folder)
        assert done.returncode == 2
        assert "--output" in done.stderr

    def test_more_rows_than_memory(self, folder: Path) -> None:
        for rows in (10**12, 10**18, 10**30):
            done = credenet_command("sample", "asia.bif", "--rows", rows, "-o", "big.csv", cwd=folder)
            assert done.returncode == 2
            assert "this machine has" in done.stderr

    def test_closed_pipe_is_quiet(self, folder: Path) -> None:
        command = f"'{PROGRAM}' sample asia.bif --rows 200000 | head -n 1"
        done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.stdout.startswith("asia,tub")
        assert done.stderr == ""

    def test_interrupt(self, folder: Path) -> None:
        """Ctrl-C ends a long run with code 130 and leaves no file behind."""
        done = signalled("sample", "asia.bif", "--rows", 10**6, "-o", "big.csv", cwd=folder, during="sampling")
        assert done.returncode == 130, done.stderr
        assert "Traceback" not in done.stderr
        assert not [path for path in folder.iterdir() if "big.csv" in path.name]


class TestFit:
    def test_matches_the_library(self, folder: Path) -> None:
        result = answer("fit", "asia.csv", "--graph", "asia.bif", "-o", "fitted.bif", cwd=folder)
        data = credenet.read(folder / "asia.csv").aligned(credenet.textbook.asia().states)
        expected = credenet.fit(data, credenet.textbook.asia().dag)
        assert result["log_likelihood"] == pytest.approx(expected.log_likelihood(data), abs=1e-9)
        assert credenet.load(folder / "fitted.bif") == expected

    def test_text_graph_and_other_smoothing(self, folder: Path) -> None:
        (folder / "g.txt").write_text("smoke -> lung\nsmoke -> bronc\nasia\n")
        flags = ["--graph", "g.txt", "--smoothing", "none", "-o", "m.json"]
        answer("fit", "asia.csv", *flags, cwd=folder)
        fitted = credenet.load(folder / "m.json")
        assert set(fitted.variables) == {"smoke", "lung", "bronc", "asia"}

    def test_a_network_as_graph_declares_its_states(self, folder: Path) -> None:
        answer("sample", "asia.bif", "--rows", 3, "-o", "few.csv", cwd=folder)
        answer("fit", "few.csv", "--graph", "asia.bif", "-o", "m.bif", cwd=folder)
        assert dict(credenet.load(folder / "m.bif").states) == dict(credenet.textbook.asia().states)

    def test_class_as_graph(self, folder: Path) -> None:
        credenet.save_graph(credenet.textbook.asia().dag.cpdag(), folder / "class.txt")
        answer("fit", "asia.csv", "--graph", "class.txt", "-o", "m.bif", cwd=folder)
        assert credenet.load(folder / "m.bif").dag.equivalent(credenet.textbook.asia().dag)


class TestCompare:
    def test_networks(self, folder: Path) -> None:
        answer("fit", "asia.csv", "--graph", "asia.bif", "-o", "fitted.bif", cwd=folder)
        result = answer("compare", "asia.bif", "fitted.bif", "--data", "asia.csv", cwd=folder)
        for key in ("shd", "shd_dag", "extra", "missing", "misdirected", "sid"):
            assert result[key] == 0
        assert result["f1_skeleton"] == result["f1_arrow"] == 1
        assert 0 < result["hellinger"] < 0.05
        assert 0 < result["kl"]["value"] < 0.1
        assert result["log_likelihood"]["learned"] > result["log_likelihood"]["reference"]

    def test_graphs_in_several_formats(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("a -> b -> c; d")
        (tmp_path / "b.json").write_text('{"edges": [["a", "b"]], "undirected": [["b", "c"]], "isolated": ["d"]}')
        (tmp_path / "c.csv").write_text("a,b,c,d\n0,1,0,0\n0,0,1,0\n0,0,0,0\n0,0,0,0\n")
        assert answer("compare", "a.txt", "c.csv", cwd=tmp_path)["shd_dag"] == 0
        mixed = answer("compare", "a.txt", "b.json", cwd=tmp_path)
        assert mixed["shd"] == 1
        assert mixed["sid"][0] <= mixed["sid"][1]
        assert mixed["shd_dag"] is None

    def test_text(self, folder: Path) -> None:
        assert "SHD" in credenet_command("compare", "asia.bif", "asia.bif", cwd=folder).stdout


class TestConvert:
    @pytest.mark.parametrize("suffix", [".bif", ".xmlbif", ".xdsl", ".net", ".dsc", ".json", ".bif.gz"])
    def test_network(self, folder: Path, suffix: str) -> None:
        result = answer("convert", "asia.bif", f"out{suffix}", cwd=folder)
        assert result["format"] == suffix.removesuffix(".gz")[1:]
        assert credenet.load(folder / f"out{suffix}") == credenet.textbook.asia()

    def test_uai_says_what_is_lost(self, folder: Path) -> None:
        done = credenet_command("convert", "asia.bif", "asia.uai", cwd=folder)
        assert done.returncode == 0
        assert "warning" in done.stderr
        assert credenet.load(folder / "asia.uai").n_parameters == 18

    @pytest.mark.parametrize("suffix", [".txt", ".json", ".csv"])
    def test_graph(self, folder: Path, suffix: str) -> None:
        dag = credenet.textbook.asia().dag
        credenet.save_graph(dag, folder / "g.txt")
        answer("convert", "g.txt", f"out{suffix}", cwd=folder)
        assert credenet.load_graph(folder / f"out{suffix}") == dag

    def test_structure_of_a_network(self, folder: Path) -> None:
        for target in ("g.txt", "g.csv"):
            answer("convert", "asia.bif", target, cwd=folder)
            assert credenet.load_graph(folder / target) == credenet.textbook.asia().dag
        answer("convert", "asia.bif", "g.dot", cwd=folder)
        assert '"asia" -> "tub"' in (folder / "g.dot").read_text()

    @pytest.mark.parametrize("suffix", [".tsv", ".dat", ".parquet", ".csv.gz"])
    def test_table(self, folder: Path, suffix: str) -> None:
        answer("convert", "asia.csv", f"out{suffix}", cwd=folder)
        assert credenet.read(folder / f"out{suffix}") == credenet.read(folder / "asia.csv")

    def test_table_keeps_missing_cells(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("a,b\n1,x\n?,y\n")
        answer("convert", "t.csv", "t.parquet", cwd=tmp_path)
        assert credenet.read(tmp_path / "t.parquet", missing="keep").missing == {"a": 1}


class TestErrors:
    @pytest.mark.parametrize(
        ("contents", "message"),
        [
            ("", "is empty"),
            ("a,b\n", "no rows"),
            ("a,b\n1,2\n1\n", "t.csv:3: has 1 field where 2 were expected"),
            ("a,a\n1,2\n", "t.csv:1: columns 1 and 2 are both named 'a'"),
            ("a,b\n1.5,2\n", "discretise"),
            ("a,b\n?,2\n", "'a' (1)"),
        ],
    )
    def test_bad_tables(self, folder: Path, contents: str, message: str) -> None:
        (folder / "t.csv").write_text(contents)
        (folder / "g.txt").write_text("a -> b")
        done = credenet_command("fit", "t.csv", "--graph", "g.txt", "-o", "m.bif", cwd=folder)
        assert done.returncode == 1
        assert message in done.stderr
        assert done.stdout == ""
        assert not (folder / "m.bif").exists()

    def test_missing_file(self, tmp_path: Path) -> None:
        done = credenet_command("info", "nothing.csv", cwd=tmp_path)
        assert done.returncode == 1
        assert "nothing.csv: No such file or directory" in done.stderr

    def test_usage(self, folder: Path) -> None:
        for words in (
            ["info"],
            ["sample", "asia.bif"],
            ["info", "asia.csv", "--wrong"],
            ["nonsense"],
            ["sample", "asia.bif", "--rows", "0"],
            ["sample", "asia.bif", "--rows", "5", "--seed", "-1"],
            ["sample", "asia.bif", "--rows", "5", "--n-threads", "0"],
            ["fit", "asia.csv", "--graph", "asia.bif", "--ess", "0"],
            ["fit", "asia.csv", "--graph", "asia.bif", "--ess", "2", "--smoothing", "k2"],
            ["convert", "asia.csv", "asia2.bif"],
        ):
            assert credenet_command(*words, cwd=folder).returncode == 2, words

    def test_cycle_is_named(self, folder: Path) -> None:
        (folder / "g.txt").write_text("smoke -> lung -> xray -> smoke")
        done = credenet_command("fit", "asia.csv", "--graph", "g.txt", cwd=folder)
        assert done.returncode == 1
        assert "smoke -> lung -> xray -> smoke" in done.stderr

    def test_nothing_is_lost_when_writing_fails(self, folder: Path) -> None:
        target = folder / "kept.bif"
        target.write_text("precious")
        (folder / "odd.json").write_text(
            json.dumps(
                {
                    "format": "credenet network",
                    "version": 1,
                    "variables": [{"name": 'a"b', "states": ["x"], "parents": [], "table": [1.0]}],
                }
            )
        )
        done = credenet_command("convert", "odd.json", "kept.bif", cwd=folder)
        assert done.returncode == 1
        assert "BIF cannot hold" in done.stderr
        assert target.read_text() == "precious"

    def test_full_disk(self, folder: Path) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("no /dev/full")
        done = credenet_command("convert", "asia.bif", "/dev/full", "--json", cwd=folder)
        assert done.returncode == 1
        assert "/dev/full" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_unwritable_folder(self, folder: Path) -> None:
        closed = folder / "closed"
        closed.mkdir()
        closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
        done = credenet_command("sample", "asia.bif", "--rows", 10, "-o", closed / "x.csv", cwd=folder)
        assert done.returncode == 1
        assert "Permission denied" in done.stderr

    def test_folder_as_output(self, folder: Path) -> None:
        (folder / "there.csv").mkdir()
        done = credenet_command("sample", "asia.bif", "--rows", 10, "-o", "there.csv", cwd=folder)
        assert done.returncode == 1
        assert "is a folder" in done.stderr


def test_version(tmp_path: Path) -> None:
    assert credenet_command("--version", cwd=tmp_path).stdout.strip() == credenet.__version__


def test_help_loads_no_numerical_library(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from credenet.cli.app import run\n"
        "assert run(['--help']) == 0\n"
        "heavy = {'numpy', 'polars', 'narwhals', 'pandas', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "compare" in done.stdout


def test_json_has_no_infinity(folder: Path) -> None:
    """Rows that a network excludes make the log-likelihood infinite, which JSON cannot say."""
    sure = credenet.BayesianNetwork({"smoke": ["yes", "no"]}, {}, {"smoke": [1.0, 0.0]})
    sure.save(folder / "sure.bif")
    (folder / "smoke.csv").write_text("smoke\nyes\nno\n")
    result = answer("compare", "sure.bif", "sure.bif", "--data", "smoke.csv", cwd=folder)
    assert result["log_likelihood"] == {"reference": None, "learned": None}
    data = credenet.read(folder / "smoke.csv")
    assert math.isinf(sure.log_likelihood(data))
