"""Writing Cypher safely: names are quoted, values travel as parameters."""

from __future__ import annotations


def quoted(name: str) -> str:
    """A label, relationship type or property name as a Cypher identifier.

    Backticks inside are doubled, which both Neo4j 5 and ArcadeDB read back as one.
    """
    return "`" + name.replace("`", "``") + "`"


def quoted_text(text: str) -> str:
    """A text as a Cypher string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
