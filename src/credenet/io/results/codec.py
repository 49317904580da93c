"""Objects of the library as JSON values, and back, without loss.

A value that JSON has is itself. Any other is an object with one key that says what it is: ``tuple``, ``pairs`` (a
mapping), ``float`` (not finite), ``integer`` (large), ``array``, ``numbers`` (an array of large integers), or ``is``,
the class of an object with its fields or parts. A file can create only data classes and named tuples of the library,
the classes in `parts`, and added choices (`ChoiceKind.add`); no code in it is run.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet.io.results.parts import PARTS
from credenet.settings.choices import ChoiceKind
from credenet.settings.methods import METHODS
from credenet.settings.priors import PRIORS
from credenet.settings.scores import SCORES
from credenet.settings.tests import TESTS

_LARGEST = 1 << 63  # Integers from this on are written in hexadecimal, which has no limit on digits.
_ROOMS = (
    "_run settings data families graphs independence interventions knowledge learners networks placement posteriors "
    "search structures validation credible"
)
_KINDS: tuple[ChoiceKind[Any], ...] = (SCORES, PRIORS, TESTS, METHODS)
_MOVED = {  # Modules that earlier versions wrote, and where their classes are now.
    "credenet.posteriors.chains": "credenet.posteriors.sampling.chains",
    "credenet.structures.class_products": "credenet.structures.products.class_products",
    "credenet.structures.deviations": "credenet.structures.products.deviations",
    "credenet.structures.network_products": "credenet.structures.products.network_products",
}
_RENAMED = {  # Classes that earlier versions wrote, and what they are called now.
    f"credenet.{module}:{old}": f"credenet.{module}:{new}"
    for module, old, new in (
        ("interventions.adjusting", "Estimates", "TableEstimates"),
        ("interventions.adjusting", "Group", "AdjustmentGroup"),
        ("interventions.adjusting", "Settings", "EffectSettings"),
        ("interventions.adjusting", "Tables", "AdjustedTables"),
        ("posteriors.components", "AlonePart", "LoneVariablePosterior"),
        ("posteriors.components", "ChainPart", "SampledPosterior"),
        ("posteriors.components", "Folded", "FoldedFamilies"),
        ("posteriors.parts", "SummedPart", "SummedPosterior"),
        ("search.ilp.rule_rows", "Adjacent", "AdjacentRow"),
        ("search.ilp.rule_rows", "Count", "CountRow"),
        ("search.ilp.rule_rows", "LeadsOut", "LeadsOutRow"),
        ("search.ilp.rule_rows", "NoPathCluster", "NoPathRow"),
        ("search.ilp.rule_rows", "Shielded", "ShieldedRow"),
        ("search.ilp.rule_rows", "Trail", "TrailRow"),
    )
} | {"credenet.posteriors.structure_posterior:PosteriorFindings": "credenet.posteriors.findings:PosteriorFindings"}
_RENAMED_FIELDS = {  # Fields that earlier versions wrote, by today's class, and what they are called now.
    "ChainResult": {"edge_ess": "effective_sizes"},
    "MCMC": {"max_sweeps": "max_iterations"},
    "SampledPosterior": {"found": "result"},
}
_HOME = re.compile(rf"credenet\.(?:{'|'.join(_ROOMS.split())})(?:\.[a-z_]+)+")


class CodecError(ValueError):
    """A value that cannot be written, or that says nothing that can be read."""


def encode(value: Any) -> Any:
    """The value as one that JSON has."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer):
        number = int(value)
        return number if -_LARGEST < number < _LARGEST else {"integer": hex(number)}
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if isinstance(value, list):
        return [encode(each) for each in value]
    if isinstance(value, Mapping):
        key = "read_only" if isinstance(value, MappingProxyType) else "pairs"
        return {key: [[encode(name), encode(each)] for name, each in value.items()]}
    if type(value) is tuple:
        return {"tuple": [encode(each) for each in value]}
    return _encode_object(value)


def _encode_array(array: NDArray[Any]) -> dict[str, Any]:
    if array.dtype == object:
        return {"numbers": [encode(each) for each in array.tolist()], "shape": list(array.shape)}
    order: Literal["C", "F"] = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    data = base64.b64encode(array.tobytes(order)).decode()
    return {"array": array.dtype.str, "shape": list(array.shape), "order": order, "data": data}


def _encode_object(value: Any) -> dict[str, Any]:
    kind = type(value)
    name = f"{kind.__module__}:{kind.__name__}"
    if kind in PARTS:
        return {"is": name, "parts": [encode(part) for part in PARTS[kind].of(value)]}
    if _class_of(name) is not kind:
        raise CodecError(f"a {kind.__name__} cannot be written")
    if isinstance(value, tuple):
        return {"is": name, "parts": [encode(part) for part in value]}
    names = [each.name for each in fields(value) if each.init]
    return {"is": name, "fields": {each: encode(getattr(value, each)) for each in names}}


def decode(value: Any) -> Any:
    """The value that `encode` wrote."""
    if isinstance(value, list):
        return [decode(each) for each in value]
    if not isinstance(value, dict):
        return value
    match next(iter(value), None):
        case "tuple":
            return tuple(decode(each) for each in value["tuple"])
        case "pairs":
            return {decode(name): decode(each) for name, each in value["pairs"]}
        case "read_only":
            return MappingProxyType({decode(name): decode(each) for name, each in value["read_only"]})
        case "float":
            return float(value["float"])
        case "integer":
            return int(value["integer"], 16)
        case "numbers":
            array = np.empty(len(value["numbers"]), dtype=object)
            array[:] = [decode(each) for each in value["numbers"]]
            return array.reshape(value["shape"])
        case "array":
            return _decode_array(value)
        case "is":
            return _decode_object(value)
    raise CodecError("an object that says what it is was expected")


def _decode_array(value: Mapping[str, Any]) -> NDArray[Any]:
    dtype = np.dtype(value["array"])
    if dtype.kind not in "biuf":
        raise CodecError("an array of numbers was expected")
    flat = np.frombuffer(base64.b64decode(value["data"], validate=True), dtype=dtype)
    return flat.reshape(value["shape"], order=value["order"]).copy(order="K")


def _decode_object(value: Mapping[str, Any]) -> Any:
    kind = _class_of(value["is"])
    if kind in PARTS:
        return PARTS[kind].made(*(decode(part) for part in value["parts"]))
    if "parts" in value:
        return kind(*(decode(part) for part in value["parts"]))
    renamed = _RENAMED_FIELDS.get(kind.__name__, {})
    return kind(**{renamed.get(name, name): decode(each) for name, each in value["fields"].items()})


def _class_of(name: str) -> type[Any]:
    """The class of a name, if a file may create its objects."""
    module, _, kind_name = _RENAMED.get(name, name).partition(":")
    module = _MOVED.get(module, module)
    if _HOME.fullmatch(module):
        kind = getattr(import_module(module), kind_name, None)
        is_record = isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))
        if is_record or kind in PARTS:
            return kind  # type: ignore[return-value]
    for choice in (choice for each in _KINDS for choice in each.choices):
        if name == f"{choice.__module__}:{choice.__name__}":
            return choice
    raise CodecError(f"a {kind_name or name} cannot be read or written")
