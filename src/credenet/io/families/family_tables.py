"""Files of family tables: the module that reads and writes each format."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import get_args

from credenet._advised import check_keywords
from credenet._arguments import instance, show_value
from credenet._files.files import beginning_of, read_bytes, read_text, suffix_of, write_text
from credenet._files.suffixes import DATA_SUFFIXES, FAMILY_SUFFIXES, FamilyFormat
from credenet.errors import FormatError
from credenet.families.table import FamilyTable
from credenet.io.results.kinds import describe_file, told_by_suffix

# Each module has ``parse(text, path) -> FamilyTable`` and ``render(table, path) -> str``; parquet is not text.
_MODULES: Mapping[FamilyFormat, str] = {"jkl": "credenet.io.families.jkl", "pss": "credenet.io.families.pss"}


@check_keywords
def load_families(path: str | Path, *, format: FamilyFormat | None = None) -> FamilyTable:
    """The table in a ``.jkl``, ``.scores``, ``.jaa``, ``.pss`` or ``.parquet`` file, or in a ``.gz`` of one.

    The format is the one given, or that of the suffix; for an unknown suffix it is found from the contents.

    Examples
    --------
    >>> import credenet
    >>> families = credenet.score_families(credenet.datasets.asia(), score="bic")
    >>> families.save("asia.jkl")
    >>> credenet.load_families("asia.jkl")
    <FamilyTable 8 variables, 117 families>
    """
    kind = _check_format(path, format) or FAMILY_SUFFIXES.get(suffix_of(path)) or _sniff(path)
    if kind == "parquet":
        from credenet.io.families import family_parquet

        return family_parquet.read(path)
    try:
        table: FamilyTable = import_module(_MODULES[kind]).parse(read_text(path), path)
    except FormatError as error:
        if format is not None or suffix_of(path) in FAMILY_SUFFIXES:
            raise
        others = describe_file(path, told_by_suffix(path) or "")
        raise (FormatError(f"is no table of families; {others}", path=path) if others else error) from None
    return table


def save_families(table: FamilyTable, path: str | Path, format: str | None = None) -> None:
    """Writes a table in the format given or that of the suffix."""
    instance("table", table, FamilyTable, "a FamilyTable")
    kind = _check_format(path, format) or FAMILY_SUFFIXES.get(suffix_of(path))
    if kind is None:
        known, suffix = ", ".join(FAMILY_SUFFIXES), suffix_of(path)
        raise FormatError(f"families can be written as {known}, not {suffix or 'without a suffix'}", path=path)
    if kind == "parquet":
        from credenet.io.families import family_parquet

        family_parquet.write(table, path)
        return
    text: str = import_module(_MODULES[kind]).render(table, path)
    write_text(path, text)


def holds_families(path: str | Path) -> bool:
    """Whether a file holds a family table, by its suffix, or by its contents if the suffix is ambiguous or unknown."""
    suffix = suffix_of(path)
    if suffix == ".parquet":
        from credenet.io.families import family_parquet

        return family_parquet.holds_families(path)
    if suffix in FAMILY_SUFFIXES or suffix in DATA_SUFFIXES:
        return suffix in FAMILY_SUFFIXES
    lines = [line.split() for line in beginning_of(path).decode("utf-8-sig", "replace").splitlines()]
    words = [line for line in lines if line and not line[0].startswith("#")][:2]
    if words and words[0][0].lower() in ("meta", "var"):
        return True
    return (
        len(words) == 2
        and len(words[0]) == 1
        and words[0][0].isdecimal()
        and len(words[1]) == 2
        and words[1][1].isdecimal()
    )


def _check_format(path: str | Path, format: str | None) -> FamilyFormat | None:
    if format is None:
        return None
    for known in get_args(FamilyFormat):
        if isinstance(format, str) and format == known:
            return known  # type: ignore[no-any-return]
    raise FormatError(f"format must be one of {', '.join(get_args(FamilyFormat))}, got {show_value(format)}", path=path)


def _sniff(path: str | Path) -> FamilyFormat:
    """The format by the contents: the magic bytes of parquet, or META or VAR as the first word after comments."""
    contents = read_bytes(path)
    if contents.startswith(b"PAR1"):
        return "parquet"
    for line in contents.removeprefix(b"\xef\xbb\xbf").splitlines():
        words = line.split()
        if words and not words[0].startswith(b"#"):
            return "pss" if words[0].lower() in (b"meta", b"var") else "jkl"
    return "jkl"
