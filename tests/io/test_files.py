"""Files: all or nothing when writing, bounded when unpacking."""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import credenet
from credenet import Dataset
from credenet._files.files import atomic_writer, read_bytes, read_text, suffix_of, write_text
from credenet.errors import FormatError, WriteError
from full_disk import full_disk


@pytest.fixture
def data() -> Dataset:
    return credenet.textbook.student().sample(2000)


NAMES = ["new.csv", "new.tsv.gz", "new.dat", "new.parquet", "new.parquet.gz"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", [[], [b"what was there"]], ids=["nothing there", "something there"])
def test_a_full_disk_changes_nothing(tmp_path: Path, data: Dataset, name: str, before: list[bytes]) -> None:
    target = tmp_path / name
    for contents in before:
        with io.FileIO(target, "w") as file:
            file.write(contents)
    with full_disk(), pytest.raises(WriteError, match=f"{name}: File too large"):
        data.save(target)
    assert [path.name for path in tmp_path.iterdir()] == [name for _ in before]
    for contents in before:
        with io.FileIO(target) as file:
            assert file.read() == contents


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no /dev/full")
@pytest.mark.parametrize("name", NAMES)
def test_a_device_that_is_full(tmp_path: Path, data: Dataset, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(WriteError, match=f"{name}: No space left on device"):
        data.save(tmp_path / name)


@pytest.mark.parametrize("name", ["new.csv", "new.csv.gz"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, RuntimeError])
def test_an_interruption_changes_nothing(tmp_path: Path, name: str, failure: type[BaseException]) -> None:
    target = tmp_path / name
    target.write_bytes(b"what was there")

    def write_half() -> None:
        with atomic_writer(target) as file:
            file.write(b"half of it")
            raise failure

    with pytest.raises(failure):
        write_half()
    assert target.read_bytes() == b"what was there"
    assert list(tmp_path.iterdir()) == [target]


def test_nothing_is_there_before_the_end(tmp_path: Path) -> None:
    target = tmp_path / "new.txt"
    with atomic_writer(target) as file:
        file.write(b"all of it")
        assert not target.exists()
    assert target.read_bytes() == b"all of it"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", NAMES)
def test_folders_that_cannot_be_written_to(tmp_path: Path, data: Dataset, name: str) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        data.save(tmp_path / "nowhere" / name)
    assert caught.value.filename == str(tmp_path / "nowhere" / name)
    (tmp_path / name).mkdir()
    with pytest.raises(IsADirectoryError, match=f"{name}: is a folder"):
        data.save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "the temporary name")

    monkeypatch.setattr("credenet._files.files._WatchedFile", refused)
    with pytest.raises(PermissionError, match="Permission denied") as caught:
        write_text(tmp_path / "new.txt", "text")
    assert isinstance(caught.value, WriteError)
    assert caught.value.filename == str(tmp_path / "new.txt")


def test_permissions(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        write_text(tmp_path / "new.txt", "text")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640
    (tmp_path / "new.txt").chmod(0o600)
    write_text(tmp_path / "new.txt", "other")
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o600


def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "folder" / "real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "folder" / "real.txt").read_text() == "new"


def test_names_as_long_as_they_may_be(tmp_path: Path) -> None:
    write_text(tmp_path / ("x" * 251 + ".txt"), "text")
    assert read_text(tmp_path / ("x" * 251 + ".txt")) == "text"


def test_streams_are_written_in_place() -> None:
    write_text("/dev/null", "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_compressed_files_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.txt.gz", "b.txt.GZ"):
        write_text(tmp_path / name, "text")
        assert gzip.decompress((tmp_path / name).read_bytes()) == b"text"
    assert (tmp_path / "a.txt.gz").read_bytes() == (tmp_path / "b.txt.GZ").read_bytes()


def test_unpacking_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "zeros.csv.gz"
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    assert len(read_bytes(path, limit=1 << 20)) == 1 << 20
    with pytest.raises(FormatError, match=r"zeros.csv.gz: decompresses to more than 1 kB, which may not fit into"):
        read_bytes(path, limit=1000)


def test_unpacking_takes_memory_for_what_is_there(tmp_path: Path) -> None:
    contents = os.urandom(3 << 20)
    path = tmp_path / "large.gz"
    path.write_bytes(gzip.compress(contents))
    assert read_bytes(path, limit=1 << 60) == contents
    assert read_bytes(path, limit=3 << 20) == contents
    with pytest.raises(FormatError, match="decompresses to more than"):
        read_bytes(path, limit=(3 << 20) - 1)


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(os.urandom(5000))
    path = tmp_path / "damaged.gz"
    for damaged in (packed[:-1], packed[:100], packed[:2], packed[:-8] + bytes(8), packed + b"more", b"\x1f\x8b" * 20):
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"damaged.gz: the gzip data is damaged or cut off"):
            read_bytes(path)


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(path) == "a\nb\nc\n"
    path.write_bytes(b"a\n\nb\xff\n")
    with pytest.raises(FormatError, match=r"text:3: is not UTF-8 text"):
        read_text(path)


def test_suffixes() -> None:
    assert suffix_of("a/b.CSV.gz") == ".csv"
    assert suffix_of(Path("x.tar.parquet")) == ".parquet"
    assert suffix_of("folder.csv/plain") == ""
    assert suffix_of("x.gz") == ""
