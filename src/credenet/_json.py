"""What results share that can be written as JSON."""

from __future__ import annotations

import json
from typing import Any


class AsJson:
    """Something that `to_dict` tells as JSON values, of which `to_json` makes text."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        raise NotImplementedError

    def to_json(self) -> str:
        """The same as the text of one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
