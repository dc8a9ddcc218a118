"""Any value as JSON has it: what nodes write into the state may hold more than JSON knows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from langgraph.types import Overwrite


def plain(value: Any) -> Any:
    """A copy of `value` of nothing but maps, lists, texts, numbers, booleans and None."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Overwrite):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(plain(str(key))): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return plain(str(value))


def one_line(value: Any) -> str:
    """As JSON without line breaks, which server-sent events could not hold."""
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))
