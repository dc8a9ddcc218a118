"""The entities and relations in a model's reply about chunks, checked against the chunks.

A name counts only if it occurs in the chunk or its title, a relation only between two such names. Texts are shortened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from clew.agents.replies import parse_json
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.extractions import Extraction, NamedEntity, NamedRelation

MOST_ENTITIES, MOST_RELATIONS = 20, 30
"""Most entities and relations of one chunk."""
LONGEST_NAME, LONGEST_TYPE, LONGEST_RELATION, LONGEST_DESCRIPTION = 80, 40, 80, 300
"""Characters. A longer description is cut between words; a longer name, type or relation is dropped."""
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


def read_extractions(text: str, chunks: Sequence[Chunk], *, cut_off: bool = False) -> dict[str, Extraction]:
    """The usable extractions by chunk id; chunks without one are left out.

    Args:
        text: The reply, in which chunks are numbered from 1.
        cut_off: Whether the reply ended at its limit; its last chunk is then incomplete and left out.
    """
    data = parse_json(text)
    if not isinstance(data, Mapping):
        return {}
    last = list(data)[-1] if cut_off and data else None
    found = {}
    for number, chunk in enumerate(chunks, start=1):
        row = data.get(str(number))
        if isinstance(row, Mapping) and str(number) != last and (extraction := _extraction(row, chunk)) is not None:
            found[chunk.id] = extraction
    return found


def _extraction(row: Mapping[object, object], chunk: Chunk) -> Extraction | None:
    """None if the reply has no list of entities, not even an empty one."""
    given = row.get("entities")
    if not isinstance(given, list):
        return None
    there = _Names(chunk)
    entities: dict[str, NamedEntity] = {}
    for each in _rows(given):
        name = there.of(each.get("name"))
        if name and len(entities) < MOST_ENTITIES:
            kind = _short(each.get("type"), LONGEST_TYPE).casefold()
            entities.setdefault(name.casefold(), NamedEntity(name, kind, _description(each.get("description"))))
    relations: dict[tuple[str, str, str], NamedRelation] = {}
    for each in _rows(row.get("relations")):
        head, tail = there.of(each.get("head")), there.of(each.get("tail"))
        words = _short(each.get("relation"), LONGEST_RELATION)
        if head and tail and words and head.casefold() != tail.casefold() and len(relations) < MOST_RELATIONS:
            for name in (head, tail):
                entities.setdefault(name.casefold(), NamedEntity(name))
            key = (head.casefold(), words.casefold(), tail.casefold())
            relations.setdefault(key, NamedRelation(head, words, tail, _description(each.get("description"))))
    if given and not entities:
        return None  # It names things, but none that the chunk has.
    return Extraction(tuple(entities.values()), tuple(relations.values()))


class _Names:
    """The names that a chunk has."""

    def __init__(self, chunk: Chunk) -> None:
        self._text = f"{_plain(chunk.title)}\n{_plain(chunk.text)}".casefold()

    def of(self, given: object) -> str:
        """The name in one spelling; "" if it does not occur in the chunk."""
        name = _short(given, LONGEST_NAME)
        folded = name.casefold()
        if not folded or folded not in self._text:
            return ""
        before, after = (r"(?<!\w)" if _cased(folded[0]) else ""), (r"(?!\w)" if _cased(folded[-1]) else "")
        return name if re.search(before + re.escape(folded) + after, self._text) else ""


def _cased(letter: str) -> bool:
    """Whether its script has capitals, and so separates words."""
    return letter.upper() != letter


def _rows(given: object) -> Iterator[Mapping[object, object]]:
    """The objects of a list."""
    if isinstance(given, list):
        yield from (each for each in given if isinstance(each, Mapping))


def _short(given: object, longest: int) -> str:
    text = _plain(given) if isinstance(given, str) else ""
    return text if len(text) <= longest else ""


def _description(given: object) -> str:
    text = _plain(given) if isinstance(given, str) else ""
    return text if len(text) <= LONGEST_DESCRIPTION else text[: LONGEST_DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"


def _plain(text: str) -> str:
    """On one line, without invisible characters."""
    return " ".join(_INVISIBLE.sub(" ", text).split())
