"""Words that the users of a graph define, beside the schema that a language model sees."""

from __future__ import annotations

from clew.graphs.context import GraphTools

_HEADING = "The users of this graph define these words, whose meaning counts:"


def with_definitions(schema: str, text: str, tools: GraphTools) -> str:
    """A schema as text, followed by the definitions of the words in a question or a statement."""
    found = tools.reader.defined_in(text) if tools.reader is not None else []
    if not found:
        return schema
    return "\n".join([schema, "", _HEADING, *(f"“{each.phrase}”: {each.meaning}" for each in found)])
