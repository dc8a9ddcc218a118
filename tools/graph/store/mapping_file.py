"""The file in which users say what names the nodes of a graph that Clew did not import (docs/neo4j.md)."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput

_PARTS = ("name", "aliases", "texts")


@dataclass(frozen=True, slots=True)
class NameMapping:
    """What a mapping file says."""

    properties: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Label to "name", "aliases" and "texts", each with properties."""
    digest: str = ""
    """Of the file; "" if there is none."""

    @classmethod
    def read(cls, path: Path | None) -> NameMapping:
        """The content of a mapping file, which need not exist. Raises BadInput."""
        if path is None or not path.exists():
            return cls()
        content = path.read_bytes()
        try:
            found = tomllib.loads(content.decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read: {error}.", "Correct it, or remove it.") from None
        digest = hashlib.sha256(content).hexdigest()[:12]
        return cls({label: _checked(path, label, each) for label, each in found.items()}, digest)


def _checked(path: Path, label: str, said: Any) -> dict[str, tuple[str, ...]]:
    remedy = 'Write, for example, [Person] and below it name = ["firstName", "lastName"].'
    if not isinstance(said, dict) or (unknown := sorted(said.keys() - set(_PARTS))):
        what = (
            f"[{label}] has {', '.join(unknown)}, and knows only" if isinstance(said, dict) else f"{label} is none of"
        )
        raise BadInput(f"{path}: {what} {', '.join(_PARTS)}.", remedy)
    listed = {part: [each] if isinstance(each, str) else each for part, each in said.items()}
    for part, names in listed.items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadInput(f"{path}: {part} of [{label}] is not a list of properties.", remedy)
    return {part: tuple(names) for part, names in listed.items()}
