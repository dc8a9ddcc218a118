"""A scripted model that errs as real ones do, at a stated rate: each reply is spoilt with that probability, in one way.

The kinds are those that users of language models for graphs report: they name relations that the schema does not have,
turn arrows round, wrap code in prose, break off in the middle of JSON, ignore the format, repeat themselves until the
limit, refuse, and answer in another language.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.scripted_model import Request, Said

Script = Callable[[Request], str | Said]
_TAGGED = re.compile(r"<([a-z-]+)>\n(.*?)\n?</\1>", re.S)
_RELATIONS = re.compile(r"\b(?:directed_by|written_by|starred_actors|release_year|in_language|has_\w+)\b")
_ARROW = re.compile(r"(<?)-\[:(\w+)\]-(>?)")
_PATHS = re.compile(r"(?<=<paths>\n).+")
_INVENTED = {
    "directed_by": "HAS_FILM_DIRECTOR", "written_by": "scriptAuthor", "starred_actors": "castMember",
    "release_year": "yearOfRelease", "in_language": "spokenLanguage", "has_genre": "belongsToCategory",
    "has_tags": "keywordOf", "has_imdb_rating": "score", "has_imdb_votes": "numberOfVotes",
}  # fmt: skip
_GERMAN = {
    "directed_by": "regie_von", "written_by": "geschrieben_von", "starred_actors": "hauptdarsteller",
    "release_year": "erscheinungsjahr", "in_language": "in_sprache", "has_genre": "hat_genre",
    "has_tags": "schlagworte", "has_imdb_rating": "bewertung", "has_imdb_votes": "stimmen",
}  # fmt: skip


def unknown_relations(text: str, chance: random.Random) -> str:
    return _RELATIONS.sub(lambda found: _INVENTED.get(found[0], "relatedTo"), text)


def reversed_arrows(text: str, chance: random.Random) -> str:
    """Every arrow of a query, and the direction of every path and of every triple, the other way."""
    if text.startswith("{"):
        data = json.loads(text)
        return json.dumps({**data, "triples": [triple[::-1] for triple in data["triples"]]})
    turned = _ARROW.sub(lambda arrow: f"{'<' if arrow[3] else ''}-[:{arrow[2]}]-{'>' if arrow[1] else ''}", text)
    return _PATHS.sub(lambda found: " -> ".join(reversed(found[0].split(" -> "))), turned)


def prose(text: str, chance: random.Random) -> str:
    """Reasoning before, a fence around every part, and an offer after."""
    fenced = _TAGGED.sub(
        lambda found: f"**{found[1].title()}**:\n<{found[1]}>\n```\n{found[2]}\n```\n</{found[1]}>", text
    )
    if fenced == text:
        fenced = f"```json\n{text}\n```"
    return (
        f"Sure! Let me think step by step.\n\nThe question asks for a path.\n\n{fenced}\n\nLet me know if I can help!"
    )


def half_json(text: str, chance: random.Random) -> Said:
    """JSON, whatever was asked for, that breaks off."""
    parts = {name: body.splitlines() for name, body in _TAGGED.findall(text)}
    whole = json.dumps(parts, indent=1) if parts else text
    return Said(whole[: int(len(whole) * chance.uniform(0.4, 0.8))], finish_reason="length")


def ignored(text: str, chance: random.Random) -> str:
    """An answer in sentences, without the format that was asked for."""
    lines = [line for _, body in _TAGGED.findall(text) for line in body.splitlines()]
    said = ", ".join(re.sub(r"\s*\[[QF]\d+\]", "", line) for line in lines) or text
    return (
        f"Based on the information available, I believe that the answer to your question is {said}. It is well known."
    )


def overlong(text: str, chance: random.Random) -> Said:
    """The same lines again and again, until the limit."""
    found = _TAGGED.search(text)
    repeated = f"<{found[1]}>\n" + f"{found[2]}\n" * 400 if found else text[:-1] + text[1:-1] * 40
    return Said(repeated[:20_000], finish_reason="length")


def refusal(text: str, chance: random.Random) -> str:
    return "I'm sorry, but I can't assist with that request."


def other_language(text: str, chance: random.Random) -> str:
    """The tags, the relations and what stands around them in German."""
    tags = {"entities": "entitäten", "paths": "pfade", "answers": "antworten", "selected": "ausgewählt"}
    for name, german in tags.items():
        text = text.replace(f"<{name}>", f"<{german}>").replace(f"</{name}>", f"</{german}>")
    text = _RELATIONS.sub(lambda found: _GERMAN.get(found[0], "verbunden_mit"), text)
    return f"Gerne! Hier ist die Antwort auf Ihre Frage:\n\n{text}\n\nIch hoffe, das hilft Ihnen weiter."


ERRORS: dict[str, Callable[[str, random.Random], str | Said]] = {
    "unknown relations": unknown_relations,
    "reversed arrows": reversed_arrows,
    "prose around code": prose,
    "half JSON": half_json,
    "ignored instructions": ignored,
    "over-long replies": overlong,
    "refusals": refusal,
    "wrong language": other_language,
}
"""By name: takes a right reply, and gives a wrong one."""


@dataclass(slots=True)
class Erring:
    """The script of a model whose replies are spoilt with a probability, the same ones in every run of a seed."""

    right: Script
    kind: str
    """A key of `ERRORS`, or "any" for one of them at random."""
    rate: float
    seed: int = 0
    spoilt: int = 0
    replies: int = 0

    def __call__(self, request: Request) -> str | Said:
        said = self.right(request)
        self.replies += 1
        # A reply's fate hangs on its prompt alone, not on the order in which questions run.
        chance = random.Random(f"{self.seed} {request.system} {request.user}")
        if chance.random() >= self.rate or not isinstance(said, str):
            return said
        self.spoilt += 1
        kind = self.kind if self.kind in ERRORS else chance.choice(list(ERRORS))
        return ERRORS[kind](said, chance)
