"""``credenet explore``: credible networks in the browser."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credenet.cli.kinds import ModularPriorArgument, ScoreArgument, scored_by
from credenet.cli.options import (
    DataOptions,
    MemoryLimit,
    Threads,
    Whole,
    WholeOrNone,
    kind_of,
    read_source,
    reading_arguments,
    seconds_of,
)

if TYPE_CHECKING:
    from credenet.explorer.source import Source


def explore(
    data: Path,
    *,
    port: Whole = 0,
    browser: bool = True,
    bayes_factor: float | None = None,
    slack: float | None = None,
    ratio: float | None = None,
    score: ScoreArgument | None = None,
    ess: float | None = None,
    prior: ModularPriorArgument | None = None,
    knowledge: Path | None = None,
    max_parents: WholeOrNone = None,
    time_limit: str | None = None,
    memory_limit: MemoryLimit = None,
    n_threads: Threads = None,
    options: DataOptions | None = None,
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
    bayes_factor
        Keep a network if the best is at most this many times as probable; 20 if nothing else is given.
    slack
        The same limit as a difference of scores, in nats.
    ratio
        The same limit as a ratio of scores.
    score
        The score; bdeu if not given.
    ess
        Equivalent sample size of bdeu, bds and bde; 1 if not given.
    prior
        The structure prior; uniform if not given.
    knowledge
        A file of knowledge that the networks must obey (.json or GOBNILP constraints).
    max_parents
        The largest number of parents of a variable.
    time_limit
        The time for learning (90, 90s, 10m), each time that it is done; 60s if there are more than 60 variables.
    memory_limit
        The memory that may be used (8e9, 500MB, 8GB); three quarters of the free memory if not given.
    n_threads
        Number of threads; all cores if not given.
    """
    import credenet
    from credenet.explorer.server import Server, check_extra
    from credenet.explorer.session import Session

    check_extra()
    if not 0 <= port <= 65535:
        raise credenet.ArgumentError(f"--port must be 0 to 65535, got {port}")
    given: dict[str, Any] = {
        "bayes_factor": bayes_factor,
        "slack": slack,
        "ratio": ratio,
        **scored_by(score, ess),
        "prior": prior,
        "max_parents": max_parents,
        "time_limit": seconds_of(time_limit),
        "memory_limit": memory_limit,
        "n_threads": n_threads,
    }
    rules = credenet.Knowledge() if knowledge is None else credenet.Knowledge.load(knowledge)
    source = _source(data, options, {name: value for name, value in given.items() if value is not None})
    server = Server(Session.opened(source, rules), port)
    print(f"exploring {source.name} at {server.address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    if browser:
        webbrowser.open(server.address)
    try:
        server.run()
    except KeyboardInterrupt:  # how a server is ended
        print("ended", file=sys.stderr)
    return 0


def _source(path: Path, options: DataOptions | None, given: dict[str, Any]) -> Source:
    import credenet
    from credenet.explorer.source import Source

    if kind_of(path) == "network":
        network = credenet.load(path)
        if not isinstance(network, credenet.BayesianNetwork):
            raise credenet.ArgumentError(f"{path} holds a Markov network; give a Bayesian network")
        return Source(path.name, network, f"credenet.load({str(path)!r})")
    opened, states = read_source(path, options, n_threads=given.get("n_threads"))
    if isinstance(opened, credenet.FamilyTable):
        return Source(path.name, opened, f"credenet.load_families({str(path)!r})", given, shell=True)
    reading = ", ".join([repr(str(path)), *_said(options)])
    known = given | ({} if states is None else {"states": states})
    return Source(path.name, opened, f"credenet.read({reading})", known, shell=True)


def _said(options: DataOptions | None) -> list[str]:
    """The arguments of `credenet.read` that differ from their defaults."""
    usual = reading_arguments(None)
    return [f"{name}={value!r}" for name, value in reading_arguments(options).items() if value != usual[name]]
