"""Records of traces as lines of text, for the kinds that read better than their JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from clew.tools.graph.identifiers import shown

Data = Mapping[str, Any]
QUESTION_SHOWN = 60
"""Characters of a question in a list."""
_ROWS = 5
_CANDIDATES = 10


def record_lines(kind: str, data: Data) -> list[str] | None:
    """None for other kinds, and for a record of another form."""
    form = _FORMS.get(kind)
    if form is None:
        return None
    try:
        return list(form(data))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None  # It was cut, or an earlier release wrote it.


def _mentions(data: Data) -> Iterator[str]:
    if "words" in data:
        left = ", ".join(data["unexplained"]) or "nothing"
        yield f"reading: {data['words']} ({data['guesses']} guessed, not explained: {left})"
        return
    yield "reading" if "alternatives" in data else "candidates"
    for key, title in (
        ("mentions", ""),
        ("lost", "gave way: "),
        ("alternatives", "lost: "),
        ("drafts", "draft answer: "),
    ):
        for mention in _listed(data.get(key)):
            found = ", ".join(_candidate(each) for each in mention["candidates"])
            yield f"    {title}{mention['text']}: {found or 'to be looked up'}"
    for text, name, label, _, _ in data.get("ambiguous", ()):
        yield f"    ambiguous: {text}, taken for {shown(name)} ({label})"


def _candidate(each: Data) -> str:
    beside = "" if each["matched"] == each["name"] else f" as {each['matched']}"
    return f"{shown(each['name'])} ({each['label']}) {each['score']:.2f} {each['matcher']}{beside}"


def _looked_up(data: Data) -> Iterator[str]:
    yield f"looked up: {data['text']}, by spelling{' and by meaning' if data['dense'] else ''}"
    for name, label, score, matcher, _, kept in _listed(data["found"]):
        yield f"    {shown(name)} ({label}) {score:.2f} {matcher}{'' if kept else ', too far'}"


def _artifacts(data: Data) -> Iterator[str]:
    yield "artifacts, as the model wrote them"
    for reply in _listed(data["raw"]):
        for key, values in reply.items():
            if values:
                yield f"    {key}: {'; '.join(values)}"
    yield "  as they were used" + (", asked again" if data["repaired"] else "")
    for key in ("entities", "cypher", "answers"):
        if data[key]:
            yield f"    {key}: {'; '.join(data[key])}"
    if data["paths"]:
        yield f"    paths: {'; '.join(' -> '.join(_step(step) for step in path) for path in data['paths'])}"
    for note in [*data["notes"], *([data["degraded"]] if data["degraded"] else [])]:
        yield f"    note: {note}"


def _step(step: Data) -> str:
    return ("^" if step["forward"] is False else "") + str(step["relation"])


def _decision(data: Data) -> Iterator[str]:
    sent = f" ({', '.join(data['strategies'])})" if data.get("strategies") else ""
    yield f"next: {data['next']}, since {data['why']}{sent}"
    for each in data.get("attempts", ()):
        by = "the model's, " if each["by_model"] else ""
        yield f"    {each['confidence']:.2f}  {by}{each['strategy']}: {each['words']} ({each['answers']} answers)"


def _queries(data: Data) -> Iterator[str]:
    yield f"valid queries, as the ranker orders them: {data['considered']}"
    for each in _listed(data["candidates"])[:_CANDIDATES]:
        reasons = ", ".join(
            f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
            for name, value in each["reasons"].items()
            if value not in (0, "")
        )
        yield f"    {each['score']:7.3f}  {each['words']}"
        yield f"             {reasons}"


def _attempt(kind: str) -> Callable[[Data], Iterator[str]]:
    def lines(data: Data) -> Iterator[str]:
        rows = f"{data['rows']} rows" + (", truncated" if data["truncated"] else "")
        yield f"{kind}: {data['words']}: {rows}, confidence {data['confidence']:.2f}, {data['ms']:.0f} ms"
        yield from (f"    {line}" for line in data["cypher"].splitlines())
        for name, value in data["parameters"].items():
            yield f"    with ${name} = {value!r}"
        for row in _listed(data["answers"])[:_ROWS]:
            yield f"    → {shown(row['name'])} ({row['label']})"
        if data["rows"] > _ROWS:
            yield "    → …"

    return lines


def _matches(data: Data) -> Iterator[str]:
    proven = "proven" if data["proven"] else "not proven, the time was over"
    bound = "none" if data["bound"] is None else f"{data['bound']:.3f}"
    work = f"{data['expanded']} expanded, {data['ms']:.0f} ms"
    yield f"readings by graph semantic distance ({proven}; bound {bound}; {work})"
    for distance, mapping in zip(data["gsd"], data["mapping"], strict=False):
        yield f"    {distance:.3f}"
        for node, found, apart in mapping:
            yield f"        {node} is {found}{'' if apart is None else f', {apart:.3f} apart'}"


def _selected(data: Data) -> Iterator[str]:
    yield f"evidence: kept {data['kept']}, no room for {data['dropped']} in {data['budget_tokens']} tokens"
    for head, relation, tail, score, by in _listed(data["triplets"])[:_CANDIDATES]:
        yield f"    {score:.2f}  {head} —{relation}→ {tail}  ({', '.join(by)})"


def _listed(values: Any) -> list[Any]:
    """The items of a list, without the mark at its end where it was cut."""
    return [value for value in values or () if not (isinstance(value, str) and value.startswith("… (cut: "))]


_FORMS: dict[str, Callable[[Data], Iterator[str]]] = {
    "answers": _attempt("found"),
    "artifacts": _artifacts,
    "candidates": _mentions,
    "decision": _decision,
    "executed": _attempt("executed"),
    "followed": _attempt("followed"),
    "looked up": _looked_up,
    "matches": _matches,
    "queries": _queries,
    "query": _attempt("ran"),
    "reading": _mentions,
    "selected": _selected,
}
