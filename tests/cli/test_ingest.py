"""``credenet ingest`` as a user runs it, and block files as input of other verbs."""

from __future__ import annotations

from pathlib import Path

import pytest

import credenet
from commands import answer, credenet_command
from credenet.io.blocks.writer import BlockWriter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = credenet.textbook.asia().sample(3000, seed=1)
    data.save(tmp_path / "asia.csv")
    data.save(tmp_path / "asia.parquet")
    return tmp_path


def test_the_same_as_in_python(folder: Path) -> None:
    found = answer(
        *("ingest", "asia.csv", "-o", "a.cnb", "--drop", "xray", "--block-rows", 512, "--memory-limit", "1GB"),
        *("--n-threads", 1),
        cwd=folder,
    )
    data = credenet.read(folder / "a.cnb")
    assert data == credenet.read(folder / "asia.csv", drop="xray")
    assert found["output"] == "a.cnb"
    assert found["rows"] == found["stored_rows"] == 3000
    assert found["variables"] == list(data.variables)
    assert found["blocks"] == 6
    assert found["bytes"] == (folder / "a.cnb").stat().st_size
    assert found["merged"] is False
    assert found["seconds"] > 0


def test_merged(folder: Path) -> None:
    found = answer("ingest", "asia.parquet", "-o", "a.cnb", "--merge", "yes", cwd=folder)
    assert found["merged"] is True
    assert found["rows"] == 3000
    assert found["stored_rows"] == len(credenet.read(folder / "a.cnb")) < 256
    done = credenet_command("ingest", "asia.parquet", "-o", "a.cnb", "--merge", "yes", cwd=folder)
    assert done.stdout.startswith(f"{found['stored_rows']} rows, merged from 3,000 rows, 8 variables, ")
    assert done.stderr == "written to a.cnb\n"


def test_many_files(folder: Path) -> None:
    assert answer("ingest", "asia.csv", "asia.csv", "-o", "a.cnb", cwd=folder)["rows"] == 6000
    assert answer("ingest", "asia.c*", "-o", "a.cnb", cwd=folder)["rows"] == 3000


def test_other_verbs_open_block_files(folder: Path) -> None:
    answer("ingest", "asia.csv", "-o", "a.cnb", cwd=folder)
    assert answer("info", "a.cnb", cwd=folder) == answer("info", "asia.csv", cwd=folder)
    ours, theirs = (answer("learn", name, cwd=folder) for name in ("a.cnb", "asia.csv"))
    assert [ours[key] for key in ("score", "edges", "provenance")] == [
        theirs[key] for key in ("score", "edges", "provenance")
    ]
    assert credenet_command("convert", "a.cnb", "b.csv", cwd=folder).returncode == 0
    assert credenet.read(folder / "b.csv") == credenet.read(folder / "asia.csv")
    assert credenet_command("convert", "asia.parquet", "b.cnb", cwd=folder).returncode == 0
    assert credenet.read(folder / "b.cnb") == credenet.read(folder / "asia.parquet")


def test_interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(BlockWriter, "finish", lambda *arguments: (_ for _ in ()).throw(KeyboardInterrupt()))
        with pytest.raises(SystemExit, match="130"):
            credenet_command("ingest", "asia.csv", "-o", "a.cnb", cwd=folder)
    assert not (folder / "a.cnb").exists()
    assert (folder / "a.cnb.part").exists()
    done = credenet_command("ingest", "asia.csv", "-o", "a.cnb", cwd=folder)
    assert done.returncode == 0
    assert credenet.read(folder / "a.cnb") == credenet.read(folder / "asia.csv")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-o", "a.cnb"], 2, "data must be files, got none"),
        (["asia.csv"], 2, "--output"),
        (["nothing.csv", "-o", "a.cnb"], 1, "error: nothing.csv: No such file or directory"),
        (["asia.csv", "-o", "none/a.cnb"], 1, "error: none/a.cnb: the folder does not exist"),
        (["asia.csv", "-o", "a.csv"], 1, "error: a.csv: a block file needs the suffix .cnb"),
        (["asia.csv", "-o", "a.cnb", "--block-rows", "100"], 2, "block_rows must be a multiple of 512, got 100"),
        (["gaps.csv", "-o", "a.cnb"], 1, "error: gaps.csv: cells are missing in 'x' (1); pass --missing drop"),
        (["asia.csv", "-o", "a.cnb", "--drop", "fever"], 1, "drop names the column 'fever'"),
    ],
)
def test_errors(words: list[str], code: int, message: str, folder: Path) -> None:
    (folder / "gaps.csv").write_text("x,y\n1,2\n?,2\n")
    done = credenet_command("ingest", *words, cwd=folder)
    assert done.returncode == code
    assert message in done.stdout + done.stderr
    assert not (folder / "a.cnb").exists()


def test_a_damaged_file(folder: Path) -> None:
    answer("ingest", "asia.csv", "-o", "a.cnb", "--block-rows", 1024, cwd=folder)
    contents = bytearray((folder / "a.cnb").read_bytes())
    contents[64 + 8 * 128 + 5] ^= 1
    (folder / "a.cnb").write_bytes(contents)
    done = credenet_command("learn", "a.cnb", cwd=folder)
    assert done.returncode == 1
    assert "a.cnb: is damaged: the checksum of block 2 of 3 is wrong (rows 1,025 to 2,048)" in done.stderr
