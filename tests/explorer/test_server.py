"""The server: who is answered, what is refused, and what every answer says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from credenet.explorer.server import HEADERS, Server, application, cookie_name
from credenet.explorer.session import ExplorerSession
from explorer.examples import asia_session

PORT = 8123
HERE = f"http://127.0.0.1:{PORT}"
ORIGIN = {"Origin": HERE}


@pytest.fixture(scope="module")
def session() -> ExplorerSession:
    return asia_session(score="bic")


@pytest.fixture
def stranger(session: ExplorerSession) -> Iterator[TestClient]:
    with TestClient(application(session, "secret", PORT, lambda: False), base_url=HERE) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """With the token in its cookie."""
    stranger.cookies.set(cookie_name(PORT), "secret")
    return stranger


def test_the_token_is_in_the_address_once(stranger: TestClient) -> None:
    assert stranger.get("/").status_code == 403
    assert stranger.get("/?token=wrong").status_code == 403
    assert stranger.post("/api/state", json={}, headers=ORIGIN).status_code == 403
    assert stranger.get("/static/app.js").status_code == 403
    answer = stranger.get("/?token=secret", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page = stranger.get("/")
    assert page.status_code == 200
    assert "<title>credenet explorer</title>" in page.text
    assert stranger.post("/api/state", json={}, headers=ORIGIN).json()["kind"] == "credible"


def test_a_cookie_of_another_port_is_no_token(stranger: TestClient) -> None:
    stranger.cookies.set(cookie_name(PORT + 1), "secret")
    assert stranger.get("/").status_code == 403


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""])
def test_other_hosts_are_refused(client: TestClient, host: str) -> None:
    """A page that makes its own name point to this machine gets nothing."""
    assert client.get("/", headers={"Host": host}).status_code == 403
    assert client.get("/", headers={"Host": f"localhost:{PORT}"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"])
def test_other_origins_are_refused(client: TestClient, origin: str) -> None:
    assert client.post("/api/state", json={}, headers={"Origin": origin}).status_code == 403
    assert client.get("/events", headers={"Origin": origin}).status_code == 403
    assert client.post("/api/state", json={}).status_code == 403  # Browsers always tell the origin of a POST.
    assert client.post("/api/state", json={}, headers=ORIGIN).status_code == 200


def test_headers_of_every_answer(client: TestClient) -> None:
    refused = client.get("/", headers={"Host": "evil.example"})
    for answer in (client.get("/"), client.get("/static/app.js"), client.get("/nothing"), refused):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert "default-src 'self'" in HEADERS["Content-Security-Policy"]
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_only_static_files_are_served(client: TestClient) -> None:
    assert client.get("/static/app.js").headers["content-type"].startswith("text/javascript")
    for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static/nothing.js", "/server.py"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("nothing", "{}", "there is no call 'nothing'"),
        ("layout", "{}", "wrong arguments: 'focus'"),
        ("layout", '{"focus": 99, "depth": 1}', "focus must be the position of a variable, got 99"),
        ("state", "[]", "arguments must be an object"),
        ("state", "{", "wrong arguments"),
        ("evidence", '{"evidence": {"nobody": "yes"}}', "'nobody'"),
        ("evidence", '{"evidence": {"smoke": "often"}}', "'often'"),
        ("effects", '{"x": 99}', "wrong arguments"),
    ],
)
def test_wrong_calls(client: TestClient, name: str, body: str, message: str) -> None:
    answer = client.post(f"/api/{name}", content=body, headers=ORIGIN)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_large_requests_are_refused(client: TestClient) -> None:
    assert client.post("/api/check", content=b" " * 1_000_001, headers=ORIGIN).status_code == 413


def test_events() -> None:
    """Two readers of the stream hear of the same change, each at once."""
    session = asia_session(score="bic")
    with Server(session) as server:
        address = f"http://127.0.0.1:{server.port}"
        with (
            httpx.Client(base_url=address, headers={"Origin": address}) as one,
            one.stream("GET", "/events") as refused,
        ):
            assert refused.status_code == 403
        with httpx.Client(base_url=address, headers={"Origin": address}) as client:
            client.get(f"/?token={server.token}")
            with client.stream("GET", "/events") as first, client.stream("GET", "/events") as second:
                streams = [first.iter_lines(), second.iter_lines()]
                versions = [next_event(stream)["version"] for stream in streams]
                assert versions[0] == versions[1]
                client.post("/api/relearn", json={"rules": {"forbidden": [["lung", "xray"]]}})
                for stream in streams:
                    events = [next_event(stream)]
                    while events[-1]["job"] is not None or events[-1]["version"] == versions[0]:
                        events.append(next_event(stream))
                    assert events[-1]["version"] > versions[0]
        session.wait()
    assert session.listeners == set()


def next_event(lines: Iterator[str]) -> dict[str, Any]:
    text = next(line for line in lines if line)
    found: dict[str, Any] = json.loads(text.removeprefix("data: "))
    return found
