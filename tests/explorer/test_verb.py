"""``credenet explore``, as a user starts it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import credenet
from commands import PROGRAM, credenet_command
from credenet.explorer.session import ExplorerSession


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asia = credenet.textbook.asia()
    asia.save(tmp_path / "asia.bif")
    asia.sample(500, seed=1).save(tmp_path / "asia.csv")
    credenet.score_families(asia.sample(500, seed=1), slack=3.0).save(tmp_path / "asia.jkl")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "kind", "lines"),
    [
        (["asia.csv", "--score", "bic", "--header"], "credible", "data = credenet.read('asia.csv', header=True)"),
        (["asia.jkl", "--slack", "1"], "credible", "data = credenet.load_families('asia.jkl')"),
        (["asia.bif"], "network", "network = credenet.load('asia.bif')"),
    ],
)
def test_serves_until_interrupted(folder: Path, words: list[str], kind: str, lines: str) -> None:
    command = [str(PROGRAM), "explore", *words, "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = next(line for line in process.stderr if "exploring" in line)
            state, text = asked(said)
            assert state["kind"] == kind
            assert lines in text
        finally:
            process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 0, rest
    assert "Traceback" not in rest


def asked(said: str) -> tuple[dict[str, Any], str]:
    """The state when nothing is being learned any more, and the Python lines, from the address that was printed."""
    found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", said)
    assert found is not None
    address = f"http://127.0.0.1:{found[1]}"
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=60) as client:
        client.get(found[0])
        with client.stream("GET", "/events") as events:
            assert any('"job": null' in line for line in events.iter_lines())
        return client.post("/api/state", json={}).json(), client.post("/api/python", json={}).json()["text"]


def test_the_python_lines_read_the_table_with_all_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"{k},{k}.5,{k % 7}.25,{k % 12},{'-' if k == 5 else 'ab'[k % 2]}\n" for k in range(60))
    (tmp_path / "t.csv").write_text(f"id,dose,x=y,visits,arm\n{rows}")
    monkeypatch.chdir(tmp_path)
    flags = ["--discretize", "frequency:3", "--discretize", "x=y=cuts:2", "--discretize", "visits=median"]
    flags += ["--drop", "id", "--na-values", "-", "--missing", "drop", "--no-browser", "--max-parents", "1"]
    opened: list[ExplorerSession] = []
    monkeypatch.setattr("credenet.explorer.server.Server.__init__", lambda server, session, _: opened.append(session))
    monkeypatch.setattr("credenet.explorer.server.Server.address", "nowhere")
    monkeypatch.setattr("credenet.explorer.server.Server.run", lambda server: opened[0].wait())
    done = credenet_command("explore", "t.csv", *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = {}
    exec(opened[0].call("python", {})["text"], made)
    assert made["data"] == opened[0]._source.data
    assert made["data"].states["x=y"] == ("<=2", ">2")
    assert len(made["data"]) == 59
    assert opened[0].answer.weighted_networks is not None
    assert made["pairs"] == opened[0].answer.weighted_networks.pair_probabilities()


def test_opens_a_browser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("credenet.explorer.server.Server.run", lambda server: server._socket.close())
    done = credenet_command("explore", "asia.bif", cwd=folder)
    assert done.returncode == 0
    assert opened[0] in done.stderr


def test_mistakes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = credenet_command("explore", "asia.csv", "--port", 70000, "--no-browser", cwd=folder)
    assert (done.returncode, "--port must be 0 to 65535, got 70000" in done.stderr) == (2, True)
    done = credenet_command("explore", "nothing.csv", "--no-browser", cwd=folder)
    assert (done.returncode, "nothing.csv" in done.stderr) == (1, True)
    monkeypatch.setitem(sys.modules, "starlette", None)
    done = credenet_command("explore", "asia.csv", "--no-browser", cwd=folder)
    assert done.returncode != 0
    assert "the explorer needs starlette: pip install credenet[explore]" in done.stderr
