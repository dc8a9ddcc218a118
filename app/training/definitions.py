"""The phrases that a graph's users define, in the graph's gloss file (docs/glosses.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from clew.app.container import Container
from clew.app.graph_context import reader_of
from clew.graphs.form_support import query_of
from clew.tools.atomic_files import write_text
from clew.tools.errors import BadInput
from clew.tools.graph.store.graph_store import Limits
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.calculated_definitions import values_of
from clew.tools.queries.reading.anchors.definitions import Definition as Read
from clew.tools.queries.reading.anchors.definitions import phrase_forms
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.form_words import set_words

_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Definition:
    """A phrase that stands for a set of nodes, or for a calculated property."""

    phrase: str
    meaning: str
    """As it is written in the gloss file."""
    reading: str
    """How it was read; empty where it has no effect."""
    cypher: str
    """A query for the number of its nodes, or of its values; empty where it has no effect."""
    count: int | None
    """The number of nodes, or of values, that it stands for now; None where it has no effect."""
    problem: str
    """Why it has no effect, and what to do; empty where it has one."""

    def __str__(self) -> str:
        """The definition, how it is read, its query and how many nodes it stands for; or why it has no effect."""
        head = f"{self.phrase} = {self.meaning}"
        if self.problem:
            return f"{head}\n  has no effect: {self.problem}"
        query = self.cypher.replace("\n", "\n  ")
        return f"{head}\n  read as: {self.reading} ({self.count:,} now)\n  {query}"


def definitions(container: Container, graph: str) -> list[Definition]:
    """The definitions of a graph's gloss file.

    Raises:
        UnknownGraph: There is no graph of that name.
        BadInput: The gloss file cannot be read.
    """
    path = container.files(graph).gloss_file
    texts = Glosses.load(path).definitions if path.exists() else {}
    return [_shown(each, container, graph) for each in _read(container, graph, texts)]


def define(container: Container, graph: str, phrase: str, meaning: str) -> Definition:
    """Add a definition to the graph's gloss file, or change one.

    Raises:
        BadInput: It is not read as a set of nodes, or another definition no longer is; nothing is changed.
    """
    phrase, meaning = " ".join(phrase.split()), " ".join(meaning.split())
    if not phrase or not meaning:
        raise BadInput(
            "A definition has a phrase and a meaning.", "For example: major city = a City with population > 150000"
        )
    defined = _changed(container, graph, phrase, meaning)
    assert defined is not None
    return defined


def undefine(container: Container, graph: str, phrase: str) -> None:
    """Remove a definition from the graph's gloss file.

    Raises:
        BadInput: There is no such definition, or another one uses it; nothing is changed.
    """
    _changed(container, graph, " ".join(phrase.split()), None)


def _changed(container: Container, graph: str, phrase: str, meaning: str | None) -> Definition | None:
    """Change a definition, or remove it, unless one of them loses its effect by that. Returns it as it is read."""
    path = container.files(graph).gloss_file
    old = Glosses.load(path).definitions if path.exists() else {}
    forms = set(phrase_forms(phrase))
    alike = [each for each in old if forms & set(phrase_forms(each))]
    known = phrase if phrase in alike else next(iter(alike), None)
    if meaning is None and known is None:
        has = f"It has {', '.join(old)}." if old else "It has none."
        raise BadInput(f"{path}: [definitions] has no “{phrase}”.", has)
    phrase = known or phrase
    new = {each: text for each, text in old.items() if each != phrase}
    new |= {} if meaning is None else {phrase: meaning}
    before = {each.phrase for each in _read(container, graph, old) if each.problem} if old else set()
    found = {each.phrase: each for each in _read(container, graph, new)}
    for each in found.values():
        if each.problem and (each.phrase == phrase or each.phrase not in before):
            raise BadInput(
                f"{path}: [definitions] “{each.phrase}” = “{each.meaning}”: {each.problem}", "Nothing was changed."
            )
    defined = None if meaning is None else _shown(found[phrase], container, graph)
    _save(path, phrase, meaning)
    container.forget(graph)
    return defined


def _save(path: Path, phrase: str, meaning: str | None) -> None:
    """Change or remove one definition; comments, line ends and the order of the file stay."""
    text = path.read_bytes().decode() if path.exists() else ""
    ends = "\r\n" if "\r\n" in text else "\n"
    document = tomlkit.parse(text.replace(ends, "\n"))
    table: Any = document.setdefault("definitions", tomlkit.table())
    key = next((each for each in table if " ".join(each.split()) == phrase), phrase)
    if meaning is None:
        del table[key]
    else:
        table[key] = meaning
    write_text(path, tomlkit.dumps(document).replace("\n", ends))


def _read(container: Container, graph: str, texts: Mapping[str, str]) -> tuple[Read, ...]:
    tools = container.context(graph).tools
    return reader_of(container.files(graph), tools.schema, tools.index, texts).definitions


def _shown(read: Read, container: Container, graph: str) -> Definition:
    context = container.context(graph)
    if read.calculated is not None:
        form = values_of(read.calculated, context.tools.schema)
        said = f"{read.calculated.name} of {read.calculated.label}"
    elif read.nodes is not None:
        form, said = Form("number", read.nodes, None, "count"), set_words(read.nodes)
    else:
        return Definition(read.phrase, read.meaning, "", "", None, read.problem)
    query = query_of(form, context)
    records = container.store(graph).read(query.cypher, query.parameters, Limits(_SECONDS, 1)).records
    return Definition(
        read.phrase, read.meaning, said[:1].upper() + said[1:], query.cypher, int(records[0]["value"]), ""
    )
