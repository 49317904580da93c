"""A `Dataset` from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, get_args

from credenet._advised import check_keywords
from credenet._arguments import check_callback, flag, instance, show_value
from credenet._files.files import beginning_of
from credenet._files.suffixes import DataFormat
from credenet._run.progress import OnProgress, thread_count
from credenet.data.coding import MAX_STATES, CodingOptions, Missing, States, arguments_of, code_table, options_of
from credenet.data.dataset import Dataset
from credenet.data.discretize import Method
from credenet.data.labels import Decimal
from credenet.data.merging import Groups
from credenet.data.problems import all_problems
from credenet.data.states import Label
from credenet.errors import ArgumentError, DataError, FormatError
from credenet.io.blocks.opening import is_block_file, read_blocks
from credenet.io.results.kinds import describe_file
from credenet.io.sniffing import sniff_format
from credenet.io.tables.formats import read_columns

_NOT_A_FILE = "make a Dataset of a frame or an array with Dataset.from_frame, or pass it to learn and the like as it is"


@check_keywords
def read(
    path: str | Path,
    *,
    format: DataFormat | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    drop: str | Sequence[str] = (),
    discretize: Method | Mapping[str, Method] | None = None,
    decimal: Decimal | None = None,
    missing: Missing = "error",
    na_values: str | Iterable[object] = (),
    weights: str | None = None,
    states: States | Mapping[str, Sequence[Label]] = "declared",
    max_states: int = MAX_STATES,
    merge_states: Mapping[str, Groups] | None = None,
    repair: bool = False,
    n_threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> Dataset:
    """The dataset in a ``.csv``, ``.tsv``, ``.dat``, ``.data`` or ``.parquet`` file, or in a ``.gz`` of one.

    A block file (``.cnb``, see `credenet.ingest`) is opened, not read into memory: the result is a `BlockDataset`. Of
    the parameters, only ``columns``, ``drop`` and ``missing`` (``"error"`` or ``"keep"``) apply to it.

    Parameters
    ----------
    format
        How to read the file, whatever its suffix: ``"csv"``, ``"tsv"``, ``"dat"``, ``"parquet"`` or ``"cnb"``.
    header
        Whether the first row holds the names. By default, a first row of numbers only is data.
    encoding
        The encoding of a text file that is not UTF-8, such as ``"cp1252"`` or ``"latin-1"``.
    columns, drop
        The columns to read, in this order; or those to leave out.
    discretize
        How to cut columns of fractional numbers (or with more than ``max_states`` values) into states:
        ``"width:4"``, ``"frequency:4"``, ``"median"``, ``"cuts:1.5,3"``; or a mapping from column names to these, to
        cut just those columns, where ``"*"`` stands for all other columns that need it. Columns of whole numbers with
        fewer values are cut if they are named.
    decimal
        How numbers are written: with a decimal ``","`` (and perhaps points between thousands), or with a decimal
        ``"."`` (and perhaps commas between thousands). By default, numbers with commas are refused.
    missing
        What to do with missing cells (empty, ``?``, ``.``, ``NA``, ``NaN``, …): ``"error"``, ``"drop"`` their rows,
        or ``"keep"`` them, which learning and fitting refuse. ``"state"`` makes them a state of their own: only if
        being missing is itself informative, as learning takes it for a value.
    na_values
        Other labels that stand for missing cells.
    weights
        Name of a column that holds row weights and is not a variable.
    states
        ``"declared"`` keeps states that are declared but do not occur, ``"observed"`` drops them. Or the states of
        variables, in their order, such as ``network.states``: their columns need have no values.
    max_states
        A column with more states is refused.
    merge_states
        States that become one, by column: ``{"answer": {"yes": ["Yes", "yes"]}}``. See `Dataset.merge_states`.
    repair
        Whether a text table is read in spite of faults: rows with too few or too many fields are left out, and columns
        without a name, or with one that occurs twice, get names. Remarks say what was done.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("rain.csv").write_text("rain,grass\\nno,dry\\nyes,wet\\nyes,wet\\n")
    >>> read("rain.csv").states["grass"]
    ('dry', 'wet')
    """
    if not isinstance(path, str | PathLike):
        raise ArgumentError(f"path must be the path of a file, got {show_value(path)}; {_NOT_A_FILE}")
    check_callback(on_progress)
    if format is not None:
        instance("format", format, str, f"one of {', '.join(get_args(DataFormat))}")
    if header is not None:
        flag("header", header)
    options = CodingOptions.from_arguments(
        columns=columns,
        drop=drop,
        discretize=discretize,
        decimal=decimal,
        missing=missing,
        na_values=na_values,
        weights=weights,
        states=states,
        max_states=max_states,
        merge_states=merge_states,
    )
    threads = thread_count(n_threads)
    if format == "cnb" or (format is None and is_block_file(path)):
        return read_blocks(path, options, threads)

    def attempt(arguments: dict[str, Any]) -> Dataset:
        now = options_of(arguments)
        raw, notes = read_columns(
            path,
            format,
            header=header,
            encoding=arguments["encoding"],
            decimal=now.decimal,
            na_values=now.na_values,
            repair=arguments["repair"],
            n_threads=threads,
            on_progress=on_progress,
        )
        return Dataset._from_table(code_table(raw, now, notes))._with_states(now.known)

    given = {**arguments_of(options), "encoding": encoding, "repair": flag("repair", repair)}
    try:
        return attempt(given)
    except (DataError, FormatError) as error:
        if format is None and (network := sniff_format(beginning_of(path))) is not None:
            what = f"holds a {network} network, not a table"
            told = describe_file(path, "holds JSON, not a table") if network == "json" else what
            raise FormatError(told, path=path) from None
        hides_more = any({"repair", "encoding"} & set(problem.arguments) for problem in error.problems)
        problems = all_problems(error, given, attempt) if hides_more else error
        raise (DataError.name_file(path, problems) if isinstance(problems, DataError) else problems) from None
