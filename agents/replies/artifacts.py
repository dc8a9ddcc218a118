"""The replies of the linker and of the traversal agent: entities, paths, queries, draft answers, selections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.agents.replies import answers, items
from clew.agents.replies.answers import CitedAnswer
from clew.agents.replies.loose_json import parse_json, read_json
from clew.agents.replies.parts import PartName, headed, part_named, tagged
from clew.agents.replies.prose import readable, without_fences
from clew.agents.replies.statements import QUERY_LANGUAGES, fenced_statements, statement

_FINISH = frozenset({"finish", "finished"})


@dataclass(frozen=True, slots=True)
class RawArtifacts:
    """A linker's reply, part by part, without repeats. Source: ByoKG-RAG section 3.1, Equations 1-4."""

    entities: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """One path each, as written; the relations of a list are joined by " -> "."""
    cypher: tuple[str, ...] = ()
    """One statement each, without fences and the prose around it."""
    answers: tuple[str, ...] = ()
    """Draft answers."""
    finished: bool = False
    """The model wrote only FINISH where entities were asked for."""
    parts: frozenset[str] = frozenset()
    """The parts of the reply, including empty ones: "entities", "paths", "opencypher", "answers", …"""
    cut_off: bool = False
    """The last part has no end."""


def parse_artifacts(text: str, *, ended: bool = True) -> RawArtifacts:
    """A linker's reply, by its tags, else by the keys of a JSON object, else by headings; a query may be in a fence.

    Args:
        text: The reply.
        ended: False if it broke off at the limit of tokens: the last item is then left out, since it may be a half.
    """
    plain = readable(text)
    found = tagged(plain)
    json = read_json(plain) if not found.texts else None
    if json is not None and isinstance(json.value, (dict, list)) and (parts := _parts_of(json.value)):
        cut_off = json.cut_off and not ended
        return _of_json(_without_last(parts) if cut_off else parts, cut_off=cut_off)
    if not found.texts:
        found = headed(without_fences(plain, QUERY_LANGUAGES))
    texts = found.texts
    if found.unended and not ended:
        whole = "" if found.unended == "opencypher" else texts[found.unended].rpartition("\n")[0]
        texts = {**texts, found.unended: whole}
    alone = plain if not texts and _is_finish(plain) else ""
    entities, finished = _entities(items.items(texts.get("entities", alone)))
    queries = [statement(texts.get("opencypher", ""))]
    if not queries[0]:
        queries = fenced_statements(plain)[:1] if ended else []
    return RawArtifacts(
        entities=tuple(entities),
        paths=tuple(items.items(texts.get("paths", ""))),
        cypher=tuple(query for query in queries if query),
        answers=_drafts(answers.of_part(texts.get("answers", ""))),
        finished=finished,
        parts=frozenset({*texts, *(("opencypher",) if any(queries) else ())}),
        cut_off=found.unended is not None,
    )


def parse_selected(text: str) -> list[str]:
    """The relations that a reply selects: tag <selected>, JSON, a heading, or the lines of a reply without tags."""
    return _listed(text, "selected")


def parse_next_entities(text: str) -> tuple[list[str], bool]:
    """The entities to explore next, best first, and whether the reply says FINISH instead: tag <next-entities>, else
    <entities>, JSON, a heading, or the lines of a reply without tags."""
    return _entities(_listed(text, "next-entities", "entities"))


def _listed(text: str, *names: PartName) -> list[str]:
    plain = readable(text)
    texts = tagged(plain).texts
    otherwise = ""
    if not texts:
        value = parse_json(plain)
        if isinstance(value, dict):
            parts = _parts_of(value)
            return items.strings(next((parts[name] for name in names if name in parts), []))
        if isinstance(value, list) and plain[:1] in ("[", "`"):
            return items.strings(value)
        texts = headed(plain).texts
        otherwise = "" if texts else plain
    return items.items(next((texts[name] for name in names if name in texts), otherwise))


def _parts_of(value: object, depth: int = 0) -> dict[PartName, object]:
    """The parts of a JSON value: its own keys, else those of the first object in it that has any."""
    if isinstance(value, dict):
        own = {part: each for key, each in value.items() if (part := part_named(str(key)))}
        if own:
            return own
    if isinstance(value, (dict, list)) and depth < 4:
        for each in value.values() if isinstance(value, dict) else value:
            if parts := _parts_of(each, depth + 1):
                return parts
    return {}


def _without_last(parts: dict[PartName, object]) -> dict[PartName, object]:
    """The parts without the last item of the last one, within which the reply broke off."""
    last = next(reversed(parts))
    value = parts[last]
    return {**parts, last: value[:-1] if isinstance(value, list) and last != "opencypher" else []}


def _of_json(parts: dict[PartName, object], *, cut_off: bool) -> RawArtifacts:
    entities, finished = _entities(items.strings(parts.get("entities")))
    queries = [statement(text) for text in _texts(parts.get("opencypher"))]
    return RawArtifacts(
        entities=tuple(entities),
        paths=tuple(items.distinct(_paths(parts.get("paths")))),
        cypher=tuple(query for query in dict.fromkeys(queries) if query)[:1],
        answers=_drafts(answers.of_json(parts.get("answers", []))),
        finished=finished,
        parts=frozenset(parts),
        cut_off=cut_off,
    )


def _texts(value: object) -> list[str]:
    """The texts of a value, with their line ends."""
    if isinstance(value, dict):
        value = list(value.values())
    return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]


def _paths(value: object) -> list[str]:
    """A list of texts is a list of paths; a list or an object within it is one path, step by step."""
    if not isinstance(value, list):
        return items.strings(value)
    found = []
    for each in value:
        inner = each.values() if isinstance(each, dict) else ()
        steps = next((value for value in inner if isinstance(value, list)), each)
        words = items.strings(steps)
        found.append(" -> ".join(words) if isinstance(steps, list) else "".join(words[:1]))
    return found


def _entities(found: list[str]) -> tuple[list[str], bool]:
    """The names without the word FINISH, and whether that was the only one."""
    named = [name for name in found if not _is_finish(name)]
    return named, bool(found) and not named


def _is_finish(text: str) -> bool:
    return text.casefold().strip(" .!*_[]<>\"'") in _FINISH


def _drafts(found: Iterable[CitedAnswer]) -> tuple[str, ...]:
    """Their names: a draft has nothing to cite."""
    return tuple(_entities(items.distinct(answer.name for answer in found))[0])
