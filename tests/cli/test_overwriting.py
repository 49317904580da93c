"""No verb writes onto a file that it reads, whatever name it is given, or two outputs to one file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

import pytest

import credenet
from commands import credenet_command
from credenet.cli.app import VERBS
from credenet.cli.arguments.flags import arguments_of
from credenet.cli.overwriting import WRITTEN
from credenet.errors import ArgumentError

# Every file that a verb reads, by the name of its parameter. A new one must be added to COMMANDS, too.
READ = {"beside", "candidates", "cliques", "data", "evidence_file", "graph", "input", "knowledge", "learned", "model"}
READ |= {"query_file", "reference", "source"}
FOLDERS = {"scratch_dir"}

# Commands that read every file that their verb can read at a time; a word in braces is such a file.
COMMANDS = {
    "score": ("score", "{a.csv}", "--knowledge", "{rules.json}", "--max-parents", "1"),
    "score a graph": ("score", "{a.csv}", "--graph", "{g.txt}"),
    "learn": ("learn", "{a.csv}", "--knowledge", "{rules.json}"),
    "learn in cliques": ("learn", "{a.csv}", "--cliques", "{cliques.json}", "--tree-width", "1"),
    "learn by an oracle": ("learn", "{a.csv}", "--method", "pc", "--test", "oracle(dag={g.txt})"),
    "learn from families": ("learn", "{f.jkl}"),
    "credible": ("credible", "{a.csv}", "--knowledge", "{rules.json}", "--score", "bde(network={m.bif})"),
    "posterior": ("posterior", "{a.csv}", "--knowledge", "{rules.json}"),
    "effect": ("effect", "{a.csv}", "--knowledge", "{rules.json}", "--do", "smoke"),
    "effect in a graph": ("effect", "{a.csv}", "--graph", "{g.txt}", "--do", "smoke"),
    "effect in a network": ("effect", "{m.bif}", "--do", "smoke"),
    "validate": ("validate", "{a.csv}", "--knowledge", "{rules.json}", "--candidates", "{candidates.json}"),
    "fit": ("fit", "{a.csv}", "--graph", "{g.txt}"),
    "query": ("query", "{m.bif}", "--evidence-file", "{e.evid}", "--task", "mpe"),
    "query some": ("query", "{m.bif}", "--query-file", "{q.query}", "--task", "mmap"),
    "query rows": ("query", "{m.bif}", "lung", "--data", "{a.csv}"),
    "approximate": ("approximate", "{m.bif}", "--evidence-file", "{e.evid}", "--rows", "50"),
    "sample": ("sample", "{m.bif}", "--rows", "3"),
    "convert": ("convert", "{m.bif}"),
    "ingest": ("ingest", "{a.csv}", "{b.csv}"),
    "draw": ("draw", "{g.txt}", "--beside", "{m.bif}"),
}
ONLY_READING = {"info", "explain", "explore", "compare", "example", "tutorial"}  # The last two read no file.


class Flags(NamedTuple):
    """The flags of files that a verb writes, and the names of the parameters of files that it reads."""

    written: list[str]
    read: set[str]


def files_of(verb: str) -> Flags:
    """By the signature of a verb."""
    written, read = [], set()
    for name, _, hint, _ in arguments_of(getattr(import_module(f"credenet.cli.verbs.{verb}"), verb)):
        kinds = get_args(get_args(hint)[0]) or get_args(hint)[:1] if get_origin(hint) is not None else (hint,)
        if Path not in (hint, *kinds, *get_args(hint)):
            continue
        if WRITTEN in getattr(hint, "__metadata__", ()):
            written.append("" if name == "target" else f"--{name}")
        elif name not in FOLDERS:
            read.add(name)
    return Flags(written, read)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    network = credenet.textbook.asia()
    network.save(folder / "m.bif")
    data = network.sample(60, seed=1)
    for name in ("a.csv", "b.csv"):
        data.save(folder / name)
    credenet.score_families(data, max_parents=1).save(folder / "f.jkl")
    credenet.save_graph(network.dag, folder / "g.txt")
    (folder / "rules.json").write_text('{"forbidden": [["lung", "smoke"]]}')
    (folder / "cliques.json").write_text(f"[{list(network.variables)}]".replace("'", '"'))
    (folder / "candidates.json").write_text('{"one": {"score": "bic"}, "two": {"score": "bdeu"}}')
    (folder / "e.evid").write_text("1 0 0\n")
    (folder / "q.query").write_text("1 2\n")
    return folder


def names_of(file: str, folder: Path) -> Iterator[str]:
    """The same file by other names."""
    yield file
    yield f"../{folder.name}/{file}"
    yield str((folder / file).resolve())
    (folder / "soft").symlink_to(file)
    yield "soft"
    os.link(folder / file, folder / "hard")
    yield "hard"


def copies(original: Path, folder: Path) -> dict[str, bytes]:
    for path in original.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("command", COMMANDS)
def test_inputs_stay_as_they_are(command: str, original: Path, tmp_path: Path) -> None:
    words = COMMANDS[command]
    before = copies(original, tmp_path)
    plain = [word.replace("{", "").replace("}", "") for word in words]
    inputs = [word.partition("{")[2].partition("}")[0] for word in words if "{" in word]
    for file in inputs:
        for name in names_of(file, tmp_path):
            for flag in files_of(words[0]).written:
                done = credenet_command(*plain, *filter(None, (flag, name)), cwd=tmp_path)
                assert done.returncode == 2, (flag, name, done.stderr)
                assert name in done.stderr
                assert file in done.stderr
                assert "another name" in done.stderr or "read" in done.stderr
                assert done.stdout == ""
                assert {key: (tmp_path / key).read_bytes() for key in before} == before
        for link in ("soft", "hard"):
            (tmp_path / link).unlink()


@pytest.mark.parametrize("command", COMMANDS)
def test_two_outputs_are_two_files(command: str, original: Path, tmp_path: Path) -> None:
    copies(original, tmp_path)
    words = [word.replace("{", "").replace("}", "") for word in COMMANDS[command]]
    for one, other in combinations(files_of(words[0]).written, 2):
        done = credenet_command(*words, one, "x.html", other, tmp_path / "x.html", cwd=tmp_path)
        assert done.returncode == 2
        assert "are the same file; give them different names" in done.stderr
        assert not (tmp_path / "x.html").exists()


def test_every_file_of_every_verb_is_known() -> None:
    for verb in VERBS:
        flags = files_of(verb)
        assert flags.read <= READ, verb
        assert bool(flags.written and flags.read) == (verb not in ONLY_READING), verb
        if verb in ONLY_READING:
            continue
        tried = {word for words in COMMANDS.values() if words[0] == verb for word in words}
        n_positional = {"convert": {"source"}, "draw": {"graph"}}.get(verb, {"data", "model"})
        assert {f"--{name.replace('_', '-')}" for name in flags.read - n_positional} <= tried, verb


def test_streams_may_be_the_same() -> None:
    from credenet._files.files import is_same_file

    assert not is_same_file("/dev/null", "/dev/null")


def test_the_parts_of_an_ingest(tmp_path: Path) -> None:
    """An unfinished block file lies beside the finished one, where there may be a table."""
    for name in ("t.cnb.part", "t.cnb.journal"):
        credenet.datasets.asia(20).save(tmp_path / "t.csv")
        (tmp_path / "t.csv").rename(tmp_path / name)
        with pytest.raises(ArgumentError, match="path must differ from the files that are read"):
            credenet.ingest(tmp_path / name, tmp_path / "t.cnb", format="csv")


def test_outputs_beside_inputs(original: Path, tmp_path: Path) -> None:
    """Files that exist and are not read may be written again."""
    copies(original, tmp_path)
    options: Any = ("-o", "b.csv", "--trace", "t.csv")
    for _ in range(2):
        done = credenet_command("learn", "a.csv", *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
