"""The names under which an engine stores labels, relationship types and properties.

ArcadeDB makes file names of labels and types, which bounds their length, and refuses some characters; the names of
Clew's own records are taken in every engine. A name that cannot be stored as it is gets one that looks the same: a
character that is refused is replaced by its double in Unicode, and a long name is cut and ends with a part of its hash.
The same name always becomes the same name, and a stored name stays as it is, so that later imports find what earlier
ones have written.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from clew.tools.graph.identifiers import shortened
from clew.tools.graph.store.graph_store import Engine

MOST_BYTES = 200
"""Of a label or type in ArcadeDB, percent-encoded: its longest file name adds 50, and file systems allow 255."""
_DOUBLES = str.maketrans({",": "\u201a", "~": "\u223c", "*": "\u2217"})
"""What ArcadeDB refuses in labels and types, and characters that look like it."""
_ESCAPE, _BACKSLASH = re.compile(r"\\(?=u)"), "\u2216"
"""What begins a character's code, which Neo4j reads even in a quoted name: `\\u0060` would end it."""
_AT = "\uff20"
_NUL = "\u2400"
_OWN = ("ClewGraph", "Clew_")
"""How the labels of Clew's own records begin."""


@lru_cache(maxsize=16384)
def stored_type(name: str, engine: Engine) -> str:
    """The name under which a label or a relationship type is stored."""
    if not name.strip():
        return "_"
    if name == _OWN[0] or name.startswith(_OWN[1]):
        name = f"_{name}"
    name = name.replace("\0", _NUL)
    if engine == "neo4j":
        return _ESCAPE.sub(_BACKSLASH, name)
    name = name.translate(_DOUBLES)
    if _encoded(name) <= MOST_BYTES:
        return name
    length = len(name)
    while _encoded(cut := shortened(name, length)) > MOST_BYTES:
        length -= max(1, (_encoded(cut) - MOST_BYTES) // 12)
    return cut


@lru_cache(maxsize=16384)
def stored_property(name: str) -> str:
    """The name under which a property is stored; ArcadeDB has properties of its own that begin with `@`."""
    name = (_AT + name[1:] if name.startswith("@") else name).replace("\0", _NUL)
    return _ESCAPE.sub(_BACKSLASH, name)


def _encoded(name: str) -> int:
    return len(quote(name, safe="", errors="replace"))
