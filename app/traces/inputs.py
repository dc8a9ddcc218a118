"""What a trace keeps so that a run can be done again, whole or from one of its steps.

`given` is a map: `kind` ("question" or "statement"), `history` (the turns before), `strategies`, `budget`,
`clarify`, `graph_version`, `setup` (release, models, other settings), `fork` where it is one, and `redacted` where the
question held a secret. `writes` is a list of supersteps, each a list of [node, what it wrote into the state]:
LangGraph's checkpoints can be made of them again. They take 2 to 6 KB and a millisecond or two of work for a question,
where checkpoints of every step would take a write to disk at each.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from langgraph.types import Overwrite

from clew.app.traces.redaction import json_without_secrets

MOST_BYTES = 4_000_000
"""Of JSON; a run whose nodes wrote more cannot be gone on with from a step."""


def packed(value: Any) -> bytes:
    """As compressed JSON, without secrets."""
    return zlib.compress(_json(value), 1)


def unpacked(kept: bytes) -> Any:
    return json.loads(zlib.decompress(kept))


Superstep = Sequence[tuple[str, Mapping[str, Any]]]
"""Nodes that ran side by side, each with what it wrote."""


class Writes:
    """What the nodes of a run write, as they come."""

    def __init__(self, before: Sequence[Superstep] = ()) -> None:
        """`before`: what another run wrote from which this one goes on."""
        self._lock = Lock()
        self._supersteps = {number - len(before): list(superstep) for number, superstep in enumerate(before)}

    def add(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        with self._lock:
            self._supersteps.setdefault(superstep, []).append((node, update))

    def packed(self) -> bytes | None:
        """None where there are none, or too much was written."""
        with self._lock:
            supersteps = [self._supersteps[number] for number in sorted(self._supersteps)]
        plain = [[[node, _plain(update)] for node, update in superstep] for superstep in supersteps]
        text = _json(plain)
        return zlib.compress(text, 1) if plain and len(text) <= MOST_BYTES else None


def _plain(update: Mapping[str, Any]) -> dict[str, Any]:
    """A question begins with an empty state, where to overwrite is to write."""
    return {key: value.value if isinstance(value, Overwrite) else value for key, value in update.items()}


def _json(value: Any) -> bytes:
    return json_without_secrets(value).encode("utf-8", "replace")
