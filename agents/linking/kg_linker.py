"""KG-Linker with a model: one reply with entities, relation paths, Cypher and draft answers, checked and repaired.

Source: ByoKG-RAG section 3.1 (Equations 1-4), and Algorithm 2 for later iterations, whose prompt has the context found
so far and whose reply may be that it is enough. Nothing in a reply is trusted: paths are checked against the schema,
entities are trimmed and bounded. A reply without use is asked for once more, with its problems. If that fails too, the
reading without a model is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clew.agents.evidence import ArtifactsRef
from clew.agents.linking.matching import locate
from clew.agents.linking.relation_names import RelationNames
from clew.agents.linking.relation_paths import Reading, read_paths
from clew.agents.models.calls import Model, ModelFailed, Reply
from clew.agents.prompting import Prompt, prompt
from clew.agents.replies import RawArtifacts, parse_artifacts
from clew.tools.graph.schema import Schema
from clew.tools.linking.normalise import compact, fold

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder

MOST_ENTITIES = 12
MOST_PATHS = 12
MOST_ANSWERS = 20
LONGEST_NAME = 120
_REPLY_SHOWN = 3000
"""Characters of a reply that are sent back for repair."""
_NAMES_SHOWN = 30
_PATHS_READ = 50
_MOST_NOTES = 30
_QUALIFIED = re.compile(r"(.{1,200}?)\s*[(\[]([^()\[\]]{1,60})[)\]]")
_PREFIXED = re.compile(r"([^:]{1,60}):\s*(.{1,200})")
_LIST = re.compile(r"\s*[,;|/]\s*|\s+and\s+")


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known without a model, to check and correct paths."""

    names: tuple[tuple[str, str], ...] = ()
    """(name, label) of the entities that the question may mention, likeliest first; shown to the model."""
    labels: Callable[[str], Collection[str]] | None = None
    """Gives the labels of the entities that a name may link to; without it only `names` are used."""
    embedder: Embedder | None = None
    """Used to correct names of relations by meaning."""


@dataclass(frozen=True, slots=True)
class Linked:
    """The checked artifacts of the model."""

    artifacts: ArtifactsRef
    replies: tuple[str, ...] = ()
    """The model's replies: the first, and that to the repair prompt if there was one."""
    repaired: bool = False
    """Whether the artifacts include the reply to the repair prompt."""
    degraded: str = ""
    """Why there is nothing to use, so that the reading without a model is used; "" if there is something."""


def link(
    model: Model, question: str, schema: Schema, schema_text: str, context: str = "", *, hints: Hints | None = None
) -> Linked:
    """The artifacts for a question. Never raises for what a model does or writes.

    Args:
        schema_text: The part of `schema` that the prompt shows.
        context: What was found so far; "" in the first iteration. With it, the reply may be that this is enough.
        hints: What is known without the model.
    """
    checker = _Checker(question, context, schema, hints or Hints())
    asked = _first_prompt(question, schema_text, context, checker.hints)
    try:
        reply = model.ask(asked)
    except ModelFailed as failed:
        return _degraded(failed.message, ())
    raw = _parsed(reply)
    checked = checker.check(raw, asked)
    if reply.finish_reason == "length":
        checked.artifacts["notes"].append("the reply was cut off at the model's limit of tokens")
    if not checked.problems:
        return Linked(checked.artifacts, (reply.text,))
    return _repaired(model, checker, checked, raw, reply.text, question, schema_text)


@dataclass(frozen=True, slots=True)
class _Checked:
    artifacts: ArtifactsRef
    problems: tuple[str, ...]
    """Why the reply must be asked for again; none if it is usable."""

    @property
    def empty(self) -> bool:
        found = self.artifacts
        return not (found["entities"] or found["paths"] or found["cypher"] or found["answers"] or found["finished"])


def _first_prompt(question: str, schema_text: str, context: str, hints: Hints) -> Prompt:
    if context:
        return prompt("link_again", question=question, schema=schema_text, context=context)
    names = [f"{' '.join(name.split())[:LONGEST_NAME]} ({label})" for name, label in hints.names[:_NAMES_SHOWN]]
    return prompt("link", question=question, schema=schema_text, names="\n".join(names) or "(none found)")


def _repaired(
    model: Model, checker: _Checker, first: _Checked, raw: RawArtifacts, text: str, question: str, schema_text: str
) -> Linked:
    """The reply to the repair prompt, completed by the parts that only the first reply has."""
    problems = "\n".join(f"- {problem}" for problem in first.problems)
    asked = prompt(
        "repair_artifacts", question=question, schema=schema_text, reply=text[:_REPLY_SHOWN], problems=problems
    )
    try:
        reply = model.ask(asked)
    except ModelFailed as failed:
        reason = f"{'; '.join(first.problems)}; asked again: {failed.message}"
        if first.empty:
            return _degraded(reason, (text,), first.artifacts)
        first.artifacts["notes"].append(reason)
        return Linked(first.artifacts, (text,))
    second = _parsed(reply)
    filled = replace(
        second,
        entities=second.entities or raw.entities,
        paths=second.paths or raw.paths,
        cypher=second.cypher or raw.cypher,
        answers=second.answers or raw.answers,
    )
    checked = checker.check(filled, asked)
    checked.artifacts["notes"].insert(0, f"asked again: {'; '.join(first.problems)}")
    if checked.empty:
        return _degraded("; ".join(checked.problems or first.problems), (text, reply.text), checked.artifacts)
    return Linked(checked.artifacts, (text, reply.text), repaired=True)


def _parsed(reply: Reply) -> RawArtifacts:
    return parse_artifacts(reply.text, ended=reply.finish_reason != "length")


def _degraded(reason: str, replies: tuple[str, ...], found: ArtifactsRef | None = None) -> Linked:
    notes = [*(found["notes"] if found else ()), f"read without the model: {reason}"]
    nothing: ArtifactsRef = {
        "entities": [], "paths": [], "cypher": [], "answers": [], "finished": False, "notes": notes
    }  # fmt: skip
    return Linked(nothing, replies, degraded=reason)


class _Checker:
    """Checks replies for one question."""

    def __init__(self, question: str, context: str, schema: Schema, hints: Hints) -> None:
        self.hints = hints
        self._question = question
        self._again = bool(context)
        self._examples: list[RawArtifacts] = []
        """The examples in the prompts so far: a model may repeat them."""
        self._known = f" {fold(question)} {fold(context)} "
        self._relations = RelationNames(schema, hints.embedder)
        self._labels = {fold(label) for label in schema.labels}
        self._named = {compact(fold(name)): label for name, label in reversed(hints.names)}

    def check(self, raw: RawArtifacts, asked: Prompt) -> _Checked:
        """The usable parts of a reply to `asked`, and why they are not enough."""
        self._examples.append(parse_artifacts(asked.system))
        echoed = {fold(name) for example in self._examples for name in (*example.entities, *example.answers)}
        queries = [query for example in self._examples for query in example.cypher]
        notes: list[str] = ["the reply ends within a part"] if raw.cut_off else []
        entities = self._entities(raw.entities, echoed, notes)
        paths = self._paths(raw.paths, entities, notes)
        artifacts: ArtifactsRef = {
            "entities": entities,
            "paths": paths.paths[:MOST_PATHS],
            "cypher": [query for query in raw.cypher if query not in queries],
            "answers": self._answers(raw.answers, echoed, notes),
            "finished": self._again and raw.finished,
            "notes": notes[:_MOST_NOTES],
        }
        return _Checked(artifacts, tuple(self._problems(raw, artifacts, paths)))

    def _entities(self, proposed: Iterable[str], echoed: Collection[str], notes: list[str]) -> list[str]:
        found: dict[str, str] = {}
        for name in (part for each in proposed for part in self._apart(each)):
            key = fold(name)
            if why := self._unfit(name, key, echoed):
                notes.append(f"entity “{name[:LONGEST_NAME]}” left out: {why}")
            elif key not in found and len(found) < MOST_ENTITIES:
                found[key] = name
        return list(found.values())

    def _answers(self, proposed: Iterable[str], echoed: Collection[str], notes: list[str]) -> list[str]:
        found: dict[str, str] = {}
        for name in proposed:
            key = fold(name)
            if len(name) > LONGEST_NAME or (key in echoed and f" {key} " not in self._known):
                notes.append(f"draft answer “{name[:LONGEST_NAME]}” left out")
            else:
                found.setdefault(key, name)
        return list(found.values())[:MOST_ANSWERS]

    def _apart(self, proposed: str) -> list[str]:
        """A name without its label ("Quill Junction (Station)"); a list on one line is split if the question has every
        piece of it."""
        if locate(proposed, self._question):
            return [proposed]
        if (match := _QUALIFIED.fullmatch(proposed)) and fold(match.group(2)) in self._labels:
            return [match.group(1)]
        if (match := _PREFIXED.fullmatch(proposed)) and fold(match.group(1)) in self._labels:
            return [match.group(2)]
        pieces = [piece for piece in _LIST.split(proposed) if piece]
        return pieces if len(pieces) > 1 and all(locate(piece, self._question) for piece in pieces) else [proposed]

    def _unfit(self, name: str, key: str, echoed: Collection[str]) -> str:
        """Why a name is not an entity to look up; "" if it may be one."""
        if len(name) > LONGEST_NAME:
            return "it is too long for a name"
        if key in echoed and f" {key} " not in self._known:
            return "it is the prompt's example"
        if (key in self._labels or key.removesuffix("s") in self._labels) and not self._labels_of(name):
            return "it is a label"
        return ""

    def _paths(self, proposed: Sequence[str], entities: Sequence[str], notes: list[str]) -> Reading:
        keys = {fold(name) for name in (*entities, *(name for name, _ in self.hints.names))}
        reading = read_paths(
            proposed[:_PATHS_READ], self._relations, self._starts(entities), lambda word: fold(word) in keys
        )
        notes += reading.notes
        return reading

    def _starts(self, entities: Iterable[str]) -> set[str]:
        """The labels from which a path may start; none if the label of some entity is unknown."""
        found = set(self._named.values())
        for name in entities:
            labels = set(self._labels_of(name)) & self._relations.labels
            if not labels:
                return set()
            found |= labels
        return found

    def _labels_of(self, name: str) -> Collection[str]:
        if self.hints.labels is not None:
            return self.hints.labels(name)
        label = self._named.get(compact(fold(name)))
        return () if label is None else (label,)

    def _problems(self, raw: RawArtifacts, found: ArtifactsRef, paths: Reading) -> list[str]:
        """Why the reply must be repaired. On a further iteration a reply may be empty, as nothing may be missing."""
        if found["cypher"] or found["paths"] or found["finished"]:
            return []
        if not raw.parts and not found["entities"]:
            return ["the reply has none of the tags <entities>, <paths>, <opencypher>, <answers>"]
        if raw.paths:
            return [f"no path can be followed: {note}" for note in paths.notes[:5]] + [
                f"relations with names like “{word}”: {', '.join(near)}" for word, near in paths.near.items() if near
            ][:5]
        if found["entities"] or found["answers"] or self._again:
            return []
        return ["the reply names nothing to look up: no entity, no path, no query"]
