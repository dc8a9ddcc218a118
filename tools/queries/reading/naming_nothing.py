"""Words of a question that name nothing in the graph."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.english.words import FREE, NEGATIVE, light
from clew.tools.queries.reading.forms.items import AnyItem, Number


def naming_nothing(said: Sequence[Token], meant: Sequence[Token], anchors: Sequence[AnyItem]) -> list[Token]:
    """The words that are in no anchor, but for those of general English; quoted words also where they are a text.

    Args:
        said: The words of the question.
        meant: The same words without typing errors.
        anchors: What they name.
    """
    quoted = [item for item in anchors if isinstance(item.meaning, Number) and item.meaning.text]
    named = {i for item in anchors if item not in quoted for i in range(item.first, item.last)}
    named |= words_of_depth(said)
    known = FREE | NEGATIVE | light() | QUESTION_WORDS
    return [t for i, t in enumerate(said) if i not in named and (t.quoted or meant[i].text not in known)]
