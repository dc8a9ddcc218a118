"""Prompts: the files of `prompts/`, filled in for a question, with name and content hash.

A prompt file has a part headed `# system`, one headed `# user`, and placeholders such as `{{question}}`. Values are
data: tags in a name or document of the graph are neutralised, so that they can neither close a part of the prompt nor
pass for the model's words.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_TAG = re.compile(r"<(/?[a-zA-Z][\w-]*)>")
_PART = (
    "schema|names|question|context|relations|passages|reply|problems?|plan|entities|paths|opencypher|answers?|selected"
    "|next-entities|questions|think(?:ing)?"
)
_OPENING, _CLOSING = "<\uff1c\u2039\ufe64", ">\uff1e\u203a\ufe65"
_LOOSE_PART = re.compile(
    rf"[{_OPENING}]\s*(/?)\s*({_PART})\b[^{_OPENING}{_CLOSING}]{{0,200}}[{_CLOSING}]", re.IGNORECASE
)
"""What a model may take for a tag of a prompt or of its own reply."""
_PARTS = re.compile(r"^# (system|user)[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One filled-in prompt."""

    name: str
    """The file's name without its ending."""
    digest: str
    """A hash of the file, before anything is filled in: the same prompt has the same digest in every trace."""
    system: str
    user: str


def prompt(name: str, **values: str) -> Prompt:
    """The prompt `name` with every placeholder filled in.

    Raises:
        KeyError: A placeholder has no value, or a value no placeholder: a mistake in the calling code.
    """
    template = _load(name)
    places = set(_PLACE.findall(template.system + template.user))
    if places != values.keys():
        raise KeyError(f"prompts/{name}.md: places {sorted(places)}, values {sorted(values)}")
    safe = {key: harmless(value) for key, value in values.items()}
    system, user = (_PLACE.sub(lambda match: safe[match.group(1)], text) for text in (template.system, template.user))
    return replace(template, system=system, user=user)


def one_line(text: str) -> str:
    """A name or value for a line of a prompt, in which its own line ends could pass for the ends of the prompt's."""
    return " ".join(text.split())


def harmless(text: str) -> str:
    """`text` with its tags in square brackets instead of angle brackets."""
    return _TAG.sub(r"[\1]", _LOOSE_PART.sub(r"[\1\2]", text))


@cache
def _load(name: str) -> Prompt:
    text = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    parts = _PARTS.split(text)
    found = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Prompt(name, digest, found.get("system", ""), found["user"])
