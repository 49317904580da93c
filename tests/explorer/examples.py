"""Sessions that the tests of the explorer share."""

from __future__ import annotations

import polars as pl

from credenet import Dataset, Knowledge, textbook
from credenet.explorer.session import ExplorerSession
from credenet.explorer.source import OpenedSource

ODD = ("<b>bold</b>", "a & b", '"quoted"')


def asia_session(**options: object) -> ExplorerSession:
    """The credible networks of asia, learned."""
    data = textbook.asia().sample(1000, seed=1)
    return learned(OpenedSource("asia.csv", data, "credenet.textbook.asia().sample(1000, seed=1)", options))


def learned(source: OpenedSource, knowledge: Knowledge | None = None) -> ExplorerSession:
    session = ExplorerSession.begin(source, knowledge or Knowledge())
    session.wait()
    return session


def odd_data() -> Dataset:
    """Names and states that look like markup."""
    rows = [("<i>x</i>", "u", "1"), ("<i>x</i>", "u", "2"), ("y", "v", "1"), ("y", "v", "2")] * 25
    return Dataset.from_frame(pl.DataFrame(rows, schema=list(ODD), orient="row"))
