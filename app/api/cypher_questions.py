"""A Cypher query as a question in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.tools.cypher.guard import check

if TYPE_CHECKING:
    from clew.app.api.graph import Graph

_SECONDS = 3.0


def cypher_question(graph: Graph, cypher: str) -> dict[str, Any]:
    """A query as a question: `question`, or None and in `why` what of it has no words; `same`, whether Clew reads the
    question as this query, and `reading`, what it reads it as.

    Raises:
        QueryForbidden: The query does not only read.
    """
    from clew.tools.linking.mentions import find_mentions
    from clew.tools.queries.cypher_forms import NoWords, form_of_cypher, same_form
    from clew.tools.queries.questions import question
    from clew.tools.queries.reading.forms.form_words import words

    check(cypher)
    try:
        form = form_of_cypher(cypher, graph.schema())
    except NoWords as reason:
        return {"question": None, "why": str(reason), "same": False, "reading": ""}
    said, tools = question(form), graph.client.context(graph.name).tools
    mentions = find_mentions(said, tools.index).mentions
    found = tools.reader.read(said, mentions, seconds=_SECONDS) if tools.reader is not None else []
    read = found[0].form if found else None
    return {
        "question": said,
        "why": "",
        "same": read is not None and same_form(read, form),
        "reading": words(read) if read is not None else "",
    }
