"""Table 2 of Liao and others (2019): the k best networks and classes, and all within a factor of 20, by BDeu."""

from __future__ import annotations

from ..frame import Number, Table, beside, table_text
from ..store import Job, Scale, Store
from .incomplete import incomplete_aims
from .runs import (
    BESIDE_COLUMNS,
    FACTORS,
    LIMITS,
    NO_DATA,
    PUBLISHED,
    beside_published,
    best_of,
    count_text,
    listing,
    set_numbers,
    timing,
    why_not,
    without_ours,
)

K = (10, 100, 1_000)
LARGER = ("insurance1000", "alarm1000", "hailfinder500", "horse", "flag", "bands", "wdbc", "sponge")
LARGER_PARENTS = 3
SLOW = ("autos", "parkinsons", *LARGER[4:])
BEST_COLUMNS = (
    *("data", "k", "networks, s published", "ours", "ratio"),
    *("classes, s published", "ours", "ratio", "networks in them, published", "ours"),
)


def jobs(scale: Scale) -> list[Job]:
    is_paper, limit = scale == "paper", LIMITS[scale]
    plain = [data for data in PUBLISHED["table2, factor 20"] if data not in (*LARGER, *NO_DATA)]
    found = [listing(data, "bdeu", 20, limit) for data in plain if is_paper or data not in SLOW]
    found += [
        listing(data, "bdeu", factor, limit, LARGER_PARENTS)
        for data in LARGER
        if is_paper or data not in SLOW
        for factor in (FACTORS if is_paper else (20,))
    ]
    found += [
        Job(best_of, {"data": data, "k": k, "what": what}, {"limit": limit}, seconds=10.0, value=2.0)
        for data in PUBLISHED["table2, k best"]
        if data not in NO_DATA
        if is_paper or data not in SLOW
        for k in K
        for what in ("networks", "classes")
    ]
    return found


def text(store: Store) -> str:
    within, behind = [], []
    for data in dict.fromkeys((*PUBLISHED["table2, factor 20"], *LARGER)):
        for factor in FACTORS:
            paper = PUBLISHED["table2, factor 20"].get(data) if factor == 20 else None
            cells = store.select(data=data, factor=factor)
            for cell in cells:
                row = [data, str(cell.get("max_parents", "")), str(factor)]
                within.append([*row, *beside_published(cell, paper)])
                behind.append([cell])
            if not cells and paper is not None:
                within.append([data, "", str(factor), *without_ours(data, paper)])
                behind.append([])
    pairs = [(data, k) for data in PUBLISHED["table2, k best"] for k in K]
    best = [best_row(store, data, k) for data, k in pairs]
    of_best = [store.select(data=data, k=k) for data, k in pairs]
    return "\n".join(
        [
            "All networks within a factor (BDeu, equivalent sample size 1), beside GOBNILP, which ends at 150,000 "
            "networks; data sets with a limit of three parents, and factors of 3 and 150, are ours alone. Seconds are "
            "as in Table 1, and so are the published classes; insurance is another sample.\n",
            table_text(["data", "most parents", "factor", *BESIDE_COLUMNS], within, behind),
            "The k best networks and the k best classes, beside KBest and KBestEC. Ours are CPU seconds of one thread "
            "with the scoring, which theirs leave out. Of networks that score the same as the last all are listed, so "
            "that ours may be more than k. Nothing is published where the other program ran out of time or memory.\n",
            table_text(BEST_COLUMNS, best, of_best),
        ]
    )


def best_row(store: Store, data: str, k: int) -> list[str]:
    paper = PUBLISHED["table2, k best"][data]
    found = {cell["what"]: cell for cell in store.select(data=data, k=k)}
    seconds, held = paper["classes"].get(str(k), (None, None))
    row = [data, f"{k:,}"]
    for what, theirs in (("networks", paper["networks"].get(str(k))), ("classes", seconds)):
        if what in found:
            row += timing(found[what]["cpu"], theirs, found[what]["complete"])
        else:
            row += ["" if theirs is None else f"{theirs:,}", why_not(data), ""]
    return [*row, count_text(held), count_text(found.get("classes", {}).get("networks"))]


def numbers(store: Store) -> list[Number]:
    found = []
    for data, paper in PUBLISHED["table2, factor 20"].items():
        found += set_numbers(f"Table 2: {data}, factor 20", data, store.select(data=data, factor=20), paper)
    for data, paper in PUBLISHED["table2, k best"].items():
        for k, seconds in paper["networks"].items():
            cells = store.select(data=data, k=int(k), what="networks")
            where = f"Table 2: {data}, {k} best networks, seconds"
            found.append(beside(where, f"{seconds:,}", "".join(f"{cell['cpu']:.2g}" for cell in cells), why_not(data)))
        for k, (seconds, networks) in paper["classes"].items():
            cells = store.select(data=data, k=int(k), what="classes")
            where = f"Table 2: {data}, {k} best classes"
            ours = "".join(f"{cell['cpu']:.2g}" for cell in cells), "".join(f"{cell['networks']:,}" for cell in cells)
            found.append(beside(f"{where}, seconds", f"{seconds:,}", ours[0], why_not(data)))
            found.append(beside(f"{where}, networks in them", f"{networks:,}", ours[1], why_not(data)))
    return found


TABLES = (
    Table(
        "credible_table2",
        "Table 2: the k best, and all within a factor of 20, BDeu",
        jobs,
        text,
        numbers=numbers,
        aims=incomplete_aims,
    ),
)
