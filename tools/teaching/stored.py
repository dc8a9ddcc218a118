"""What a graph was taught, on disk: `taught.json`, and beside it the weights that it names.

It is used where the graph still has every label and relationship type of the taught patterns and the embedding model
is the one that it was made with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tools.embedding import MINILM_SHA256
from tools.errors import BadInput
from tools.schema import Schema
from tools.teaching.pattern import Pattern
from tools.teaching.preference import Preference
from tools.teaching.training import Trained

FORMAT = 1
_AGAIN = "Teach it again with `clew teach`, or remove it with `clew teach --reset`."


@dataclass(frozen=True, slots=True)
class Taught:
    """A trained preference, with the patterns that it may propose."""

    preference: Preference
    patterns: tuple[Pattern, ...]


def save_taught(folder: Path, trained: Trained, patterns: Sequence[Pattern], facts: Mapping[str, Any]) -> None:
    """Replace what was taught before in one step. `facts` (plain values) are kept for `--status`."""
    folder.mkdir(parents=True, exist_ok=True)
    held_back = trained.held_back
    name = f"weights-{uuid4().hex[:12]}.npz"
    trained.preference.save(folder / name)
    manifest = {
        "format": FORMAT,
        "embedder": MINILM_SHA256,
        "weights": name,
        "used": held_back.better,
        "strength": trained.strength,
        "held_back": {field: getattr(held_back, field) for field in held_back.__dataclass_fields__},
        **facts,
        "patterns": [pattern.to_json() for pattern in patterns],
    }
    draft = folder / f".taught-{uuid4().hex[:12]}.json"
    draft.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    draft.replace(folder / "taught.json")
    for old in folder.glob("weights-*.npz"):
        if old.name != name:
            old.unlink(missing_ok=True)


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """What was taught, for people; None where nothing was. Raises BadInput where the file cannot be read."""
    path = folder / "taught.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", _AGAIN) from None
    if not isinstance(found, dict):
        raise BadInput(f"{path} is not what `clew teach` writes.", _AGAIN)
    return found


def load_taught(folder: Path, schema: Schema) -> Taught | None:
    """What the graph was taught; None where nothing was, or nothing that helps.

    Raises BadInput, saying why, where it does not fit the graph or this release.
    """
    manifest = manifest_of(folder)
    if manifest is None or not manifest.get("used"):
        return None
    if manifest.get("format") != FORMAT:
        raise BadInput("What the graph was taught is of another release of Clew.", _AGAIN)
    if manifest.get("embedder") != MINILM_SHA256:
        raise BadInput("What the graph was taught was made with another embedding model.", _AGAIN)
    try:
        patterns = tuple(Pattern.from_json(value) for value in manifest["patterns"])
        preference = Preference.load(folder / str(manifest["weights"]))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"What the graph was taught cannot be read: {error}.", _AGAIN) from None
    if gone := missing(patterns, schema):
        raise BadInput(f"The graph was taught about {', '.join(gone)}, which it no longer has.", _AGAIN)
    return Taught(preference, patterns)


def missing(patterns: Sequence[Pattern], schema: Schema) -> list[str]:
    """The labels and relationship types of the patterns that a schema lacks."""
    has = {*schema.labels, *(relation.type for relation in schema.relations)}
    used: set[str] = set()
    for strand in (strand for pattern in patterns for strand in pattern.strands):
        used |= {strand.start, *(hop.relation for hop in strand.hops), *(hop.target for hop in strand.hops)}
    return sorted(used - has)
