"""What results share that can be written as JSON."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any


class AsJson(ABC):
    """Something that `to_dict` tells as JSON values, of which `to_json` makes text."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""

    def to_json(self) -> str:
        """The same as the text of one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
