"""Prompts: files of `prompts/`, filled in with what a question brings, and known by name and content hash.

A prompt file has a part headed `# system`, one headed `# user`, and places such as `{{question}}`. What is filled in is
data: a name or a document of the graph that looks like one of the tags of a reply is made harmless, so that it can
neither close a part of the prompt nor speak for the model.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_TAG = re.compile(r"<(/?[a-zA-Z][\w-]*)>")
_PARTS = re.compile(r"^# (system|user)[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One filled-in prompt."""

    name: str
    """The file's name without its ending."""
    digest: str
    """Of the file as it is, before anything is filled in: the same prompt has the same digest in every trace."""
    system: str
    user: str


@dataclass(frozen=True, slots=True)
class _Template:
    digest: str
    system: str
    user: str


def prompt(name: str, **values: str) -> Prompt:
    """The prompt `name` with every place filled in. Raises KeyError where a place gets no value, or a value no place:
    both are mistakes in the code that asks."""
    template = _load(name)
    places = set(_PLACE.findall(template.system + template.user))
    if places != values.keys():
        raise KeyError(f"prompts/{name}.md: places {sorted(places)}, values {sorted(values)}")
    safe = {key: harmless(value) for key, value in values.items()}
    fill = {
        part: _PLACE.sub(lambda match: safe[match.group(1)], text)
        for part, text in (("system", template.system), ("user", template.user))
    }
    return Prompt(name, template.digest, fill["system"], fill["user"])


def harmless(text: str) -> str:
    """`text` with its tags in square brackets."""
    return _TAG.sub(r"[\1]", text)


@cache
def _load(name: str) -> _Template:
    text = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    parts = _PARTS.split(text)
    found = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    return _Template(hashlib.sha256(text.encode()).hexdigest()[:12], found.get("system", ""), found["user"])
