"""What the graph of a run knows of the words of a question."""

from __future__ import annotations

from collections.abc import Sequence

from clew.graphs.context import Context
from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.surroundings.asked import GraphWords


def graph_words(question: str, mentions: Sequence[Mention], context: Context) -> GraphWords:
    """What the graph of a run knows of the words of a question with these mentions."""
    schema, reader = context.tools.schema, context.tools.reader

    def schema_words() -> set[str]:
        named = {word for each in schema.relations for word in relation_words(each.type)}
        names = (*schema.labels, *(each.name for each in schema.properties))
        return named.union(*map(identifier_words, names))

    if reader is None:
        return GraphWords(schema=schema_words)
    return GraphWords(
        reader.words.labels,
        reader.words.persons,
        schema_words,
        lambda: [token.start for token in reader.unmatched(question, mentions)],
    )
