"""The server: one process on this machine, open to users who have the address with its token.

Every request must name this server as its host, come from a page of this server if it says where it comes from, and
have the token: in the address once, then in a cookie that other sites cannot send. Pages may load nothing from
elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet._json import json_text
from credenet.errors import CredenetError, MissingExtraError

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from credenet.explorer.session import ExplorerSession

HOST = "127.0.0.1"
STATIC = Path(__file__).parent / "static"
POLICY = "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_MOST_BYTES = 1_000_000  # Bytes of a request at most.
_BETWEEN_LOOKS = 0.25  # Seconds between two checks of a silent stream whether the server ends.


def check_extra() -> None:
    """An error that names the extra if a library of it is missing."""
    try:
        import igraph  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        message = f"the explorer needs {error.name}: pip install credenet[explore]"
        raise MissingExtraError(message) from error


class Server:
    """A session behind an address."""

    def __init__(self, session: ExplorerSession, port: int = 0) -> None:
        import uvicorn

        self._session = session
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((HOST, port))
        self._socket.listen()  # From now on connections wait until they are accepted.
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        config = uvicorn.Config(
            application(session, self.token, self.port, lambda: self._server.should_exit),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """The address with the token."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def run(self) -> None:
        """Serves until Ctrl-C."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._session.close()

    def __enter__(self) -> Server:
        """Serves in a thread, until the block ends."""
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()


def application(session: ExplorerSession, token: str, port: int, is_ending: Callable[[], bool]) -> Starlette:
    """The pages, the calls and the stream of events, which ends with the server."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.responses import FileResponse, RedirectResponse, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    async def page(request: Request) -> Response:
        if "token" not in request.query_params:
            return FileResponse(STATIC / "index.html")
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(cookie_name(port), token, httponly=True, samesite="strict", path="/")
        return answer

    async def call(request: Request) -> Response:
        body = await request.body()
        if len(body) > _MOST_BYTES:
            return _json({"error": "the request is too large"}, 413)
        return await asyncio.to_thread(_answer, session, request.path_params["name"], body)

    async def events(request: Request) -> Response:
        return StreamingResponse(_stream(session, is_ending), media_type="text/event-stream")

    routes = [
        Route("/", page),
        Route("/api/{name}", call, methods=["POST"]),
        Route("/events", events),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, token=token, port=port)])


def cookie_name(port: int) -> str:
    """Cookies are shared by all ports of a host, so the name tells the port."""
    return f"credenet-{port}"


def _answer(session: ExplorerSession, name: str, body: bytes) -> Response:
    try:
        arguments = json.loads(body or b"{}")
        if not isinstance(arguments, dict):
            return _json({"error": "arguments must be an object"}, 400)
        return _json(session.call(name, arguments))
    except (CredenetError, KeyError, TypeError, ValueError, IndexError, RecursionError) as error:
        text = str(error) if isinstance(error, CredenetError) else f"wrong arguments: {error}"
        return _json({"error": text}, 400)


def _json(value: Any, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(json_text(value), status_code=status, media_type="application/json")


async def _stream(session: ExplorerSession, is_ending: Callable[[], bool]) -> AsyncIterator[str]:
    """An event at once, and after every change."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(news.set)

    session.listeners.add(tell)
    news.set()
    try:
        while not is_ending():
            if news.is_set():
                news.clear()
                yield f"data: {json_text(session.event())}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), _BETWEEN_LOOKS)
    finally:
        session.listeners.discard(tell)


class Guard:
    """Refuses requests to another host, from another origin, or without the token."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app, self._token, self._port = app, token, port
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import HTTPConnection
        from starlette.responses import PlainTextResponse

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        if scope["type"] != "http":  # The server has no other routes.
            return await self._app(scope, receive, send)
        reason = self._objection(HTTPConnection(scope))
        app = PlainTextResponse(f"{reason}\n", status_code=403) if reason else self._app
        return await app(scope, receive, send_with_headers)

    def _objection(self, request: Any) -> str:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return "This server answers to its own address only."
        if origin is not None and origin != f"http://{host}":
            return "Requests from other pages are refused."
        if request.scope["method"] not in ("GET", "HEAD") and origin is None:
            return "Requests must say which page they come from."
        given = request.query_params.get("token") if request.url.path == "/" else None
        given = given or request.cookies.get(cookie_name(self._port), "")
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return "The token is missing or wrong. Open the address that credenet explore printed."
        return ""
