"""The common part of results that can be written as JSON."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any


def json_values(value: Any) -> Any:
    """The value with None in place of infinities and NaN, which JSON lacks.

    Examples
    --------
    >>> json_values({"score": -math.inf, "trace": [(0.1, math.nan)]})
    {'score': None, 'trace': [[0.1, None]]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: json_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_values(each) for each in value]
    return value


def json_text(value: Any) -> str:
    """The text of a JSON value; infinities and not-a-number are written as null."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(json_values(value), ensure_ascii=False, allow_nan=False)


class AsJson(ABC):
    """An object whose `to_dict` gives JSON values, which `to_json` writes as text."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""

    def to_json(self) -> str:
        """The values of `to_dict` as the text of one JSON object; numbers that are not finite are null."""
        return json_text(self.to_dict())
