"""``credenet tutorial``: the files of the tutorial in a new folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from credenet.cli.answers import print_answer
from credenet.cli.arguments.parameters import Json, Seed
from credenet.cli.overwriting import WRITTEN

FILES = {
    "patients.csv": "1,500 patients of a clinic, as a spreadsheet program saved them",
    "columns.txt": "what the columns mean",
    "rules.json": "what doctors know before they look at the table",
    "truth.xdsl": "the network that the rows were drawn from, for the last chapter",
}


def tutorial(folder: Annotated[Path, WRITTEN] = Path("clinic"), *, seed: Seed = 1, json: Json = False) -> None:
    """Write the files of the tutorial into a new folder, and tell the first command.

    Parameters
    ----------
    folder
        The folder to write; it must not hold any files yet.
    seed
        The seed of the rows; the pages of the tutorial show those of seed 1. fresh draws one and tells it.
    """
    from credenet._files.files import write_text
    from credenet.errors import ArgumentError
    from credenet.networks.examples.clinic import COLUMNS, RULES, clinic_network, raw_table

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ArgumentError(f"{folder} exists and would be changed; name a new folder")
    table = raw_table(seed)
    folder.mkdir(parents=True, exist_ok=True)
    width = max(map(len, COLUMNS))
    columns = "\n".join(f"{name:<{width}}  {meaning}" for name, meaning in COLUMNS.items())
    write_text(folder / "patients.csv", table)
    write_text(folder / "columns.txt", f"{columns}\n\nThe patients are made up.\n")
    write_text(folder / "rules.json", RULES)
    clinic_network().save(folder / "truth.xdsl")
    begin = f"credenet info {shlex.quote(str(folder / 'patients.csv'))}"
    listed = "\n".join(f"  {name:<12}  {what}" for name, what in FILES.items())
    print_answer(
        json,
        lambda: {"folder": str(folder), "files": FILES, "seed": seed, "next": begin},
        f"written to {folder}:\n{listed}\nbegin with:\n  {begin}",
    )
