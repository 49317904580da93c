"""``credenet explore``: credible networks in the browser."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet.cli.arguments.groups import CredibleFlags, LimitFlags, ScoringFlags, TableFlags
from credenet.cli.arguments.parameters import Whole
from credenet.cli.inputs import kind_of, read_source

if TYPE_CHECKING:
    from credenet.explorer.source import OpenedSource


def explore(
    data: Path,
    *,
    port: Whole = 0,
    browser: bool = True,
    limit: CredibleFlags = CredibleFlags(),
    scoring: ScoringFlags = ScoringFlags(),
    limits: LimitFlags = LimitFlags(),
    options: TableFlags = TableFlags(),
) -> int:
    """Explore credible networks, or one network, in the browser. Ctrl-C ends it.

    The page is served on this machine only, at the address that is printed. Needs the extra credenet[explore].

    Parameters
    ----------
    data
        A table of data, a family table, or a network file.
    port
        The port; 0 for a free one.
    browser
        Whether a browser is opened.
    limits.time_limit
        The time for learning (90, 90s, 10m), each time that it is done; 60s if there are more than 60 variables.
    """
    import credenet
    from credenet.explorer.server import Server, check_extra
    from credenet.explorer.session import ExplorerSession

    check_extra()
    if not 0 <= port <= 65535:
        raise credenet.errors.ArgumentError(f"--port must be 0 to 65535, got {port}")
    arguments = vars(limit) | limits.arguments() | scoring.arguments()
    given = {name: value for name, value in arguments.items() if value is not None}
    rules = given.pop("knowledge", credenet.Knowledge())
    source = _source(data, options, given)
    server = Server(ExplorerSession.begin(source, rules), port)
    print(f"exploring {source.name} at {server.address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    if browser:
        webbrowser.open(server.address)
    try:
        server.run()
    except KeyboardInterrupt:  # Ctrl-C is the normal end of a server.
        print("ended", file=sys.stderr)
    return 0


def _source(path: Path, options: TableFlags, given: dict[str, Any]) -> OpenedSource:
    import credenet
    from credenet.explorer.source import OpenedSource

    if kind_of(path) == "network":
        network = credenet.load(path)
        if not isinstance(network, credenet.BayesianNetwork):
            raise credenet.errors.ArgumentError(f"{path} holds a Markov network; give a Bayesian network")
        return OpenedSource(path.name, network, f"credenet.load({str(path)!r})")
    opened, states = read_source(path, options, n_threads=given.get("n_threads"))
    if isinstance(opened, credenet.FamilyTable):
        return OpenedSource(path.name, opened, f"credenet.load_families({str(path)!r})", given, shell=True)
    reading = ", ".join([repr(str(path)), *_write_arguments(options)])
    return OpenedSource(path.name, opened, f"credenet.read({reading})", given | {"states": states}, shell=True)


def _write_arguments(options: TableFlags) -> list[str]:
    """The arguments of `credenet.read` that differ from their defaults."""
    usual = TableFlags().arguments()
    return [f"{name}={value!r}" for name, value in options.arguments().items() if value != usual[name]]
