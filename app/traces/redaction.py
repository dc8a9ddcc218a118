"""Copies of values that are safe to keep or send: small, and without secrets.

Secrets are recognised by their key ("password"), by their form (a key's prefix, a token after "Bearer", a password in
an address), and by their value if the settings contain them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any
from urllib.parse import quote

LONGEST_TEXT = 2000
LONGEST_LIST = 50
DEEPEST = 8
LONGEST_VALUE = 64_000
"""Characters of one JSON value; a longer one has its texts and lists cut shorter, and at last a mark replaces it."""
_SHORTER = ((20, 600), (8, 200))
"""Items of a list and characters of a text if the value as a whole is too long."""
NOT_KEPT = "(not kept)"

_SHORTEST_KNOWN = 8
"""Characters of a secret that is searched by value: a shorter one could be a common word."""
_BESIDE_THE_CUT = 4000
"""Characters after a cut that are searched too, for secrets that begin before it."""
_NAMES = r"pass(?:word|wd|phrase)|secret|api[_-]?key|access[_-]?key|credentials?|authorization"
_SECRET_NAME = re.compile(rf"(?:{_NAMES}|token)$|secret|api_?key|credential", re.I)
_HINT = re.compile(r"[:=_-]|earer|EARER|AKIA|AIza|eyJ")
"""Without one of these, none of the patterns below matches."""
_SHAPES = (
    (("://",), re.compile(r"(?<=://)[^\s/\"'<>]+(?=@)")),
    (("earer ", "EARER "), re.compile(
        r"(?<=\bBearer )\S+|(?<=\bbearer )(?=\S*\d|\S{20})\S+|(?<=\bBEARER )(?=\S*\d|\S{20})\S+"
    )),
    (("sk-", "pk-", "rk-", "glpat-", "xox"), re.compile(r"\b(?:sk|pk|rk|glpat|xox[abprs])-[A-Za-z0-9_-]{12,}")),
    (("clew_", "hf_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "lsv2_", "pypi"), re.compile(
        r"\b(?:clew|hf|gh[pousr]|github_pat|lsv2|pypi)[_-][A-Za-z0-9_-]{16,}"
    )),
    (("AKIA", "AIza"), re.compile(r"\bAKIA[0-9A-Z]{16}|\bAIza[A-Za-z0-9_-]{30,}")),
    (("eyJ",), re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?")),
    (("PRIVATE KEY",), re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    )),
)  # fmt: skip
"""Patterns of addresses, headers, keys of known services, JSON web tokens and private keys, each after texts without
which it cannot match."""
_STEMS = (
    "password", "passwd", "passphrase", "secret", "apikey", "api_key", "api-key", "access_key", "access-key",
    "accesskey", "credential", "authorization", "token",
)  # fmt: skip
_ASSIGNED = re.compile(
    rf"((?:{_NAMES}|auth[_-]?token|access[_-]?token|\btoken)[\"']?\s*[=:]\s*)"
    r"(?!\$|\(not kept\))(\"[^\"]*\"?|'[^']*'?|(?:(?:basic|bearer|token)\s+)?[^\s\"'&,;)}\]]+)",
    re.I,
)
_SHORTEST_WORD = 5
_OF_CARRIERS = frozenset(["basic", "bearer", "token", "begin", "private"])
"""Words of the patterns themselves."""
_known: frozenset[str] = frozenset()


def never_keep(*secrets: str | None) -> None:
    """Redact these secrets in all texts that this process keeps or sends from now on."""
    global _known
    for secret in secrets:
        if secret and len(secret) >= _SHORTEST_KNOWN:
            _known |= {secret, quote(secret, safe=""), json.dumps(secret, ensure_ascii=False)[1:-1]}
    _key.cache_clear()
    _short.cache_clear()
    _words_of_secrets.cache_clear()


def redacted(text: str, beside: str = "") -> str:
    """`text` with a mark in place of every recognised secret, and of the words of those in `beside`: what was read of
    “password=…” may name what follows by itself."""
    kept = _short(text) if len(text) <= LONGEST_TEXT else _without_secrets(text)
    words = _words_of_secrets(beside) if beside else None
    return kept if words is None else words.sub(NOT_KEPT, kept)


def without_words_of_secrets(value: Any, beside: str) -> Any:
    """A plain value without secrets and the words of those in `beside`; the same one if that has none."""
    return value if _words_of_secrets(beside) is None else _cleaned(value, {}, beside)


@lru_cache(maxsize=64)
def _words_of_secrets(text: str) -> re.Pattern[str] | None:
    """What finds the words of the secrets that are recognised in `text`; None if there are none."""
    if redacted(text) == text:
        return None
    found = [secret for secret in _known if secret in text]
    found += [match[0] for _, shape in _SHAPES for match in shape.finditer(text)]
    found += [match[2] for match in _ASSIGNED.finditer(text)]
    words = {word for secret in found for word in re.findall(r"\w+", secret) if len(word) >= _SHORTEST_WORD}
    words = {word for word in words if word.lower() not in _OF_CARRIERS}
    return re.compile(rf"\b(?:{'|'.join(sorted(words))})\b", re.I) if words else None


@lru_cache(maxsize=4096)
def _short(text: str) -> str:
    """As `redacted`, cached: the same names, labels and queries recur."""
    return _without_secrets(text)


def _without_secrets(text: str) -> str:
    for secret in _known:
        if secret in text:
            text = text.replace(secret, NOT_KEPT)
    if not _HINT.search(text):
        return text
    for hints, shape in _SHAPES:
        if any(hint in text for hint in hints):
            text = shape.sub(NOT_KEPT, text)
    if ("=" in text or ":" in text) and _names_one(text.lower()):
        text = _ASSIGNED.sub(rf"\1{NOT_KEPT}", text)
    return text


def _names_one(lowered: str) -> bool:
    return any(stem in lowered for stem in _STEMS)


def json_without_secrets(value: Any) -> str:
    """`value` as complete JSON without secrets. The value is walked through only if its JSON may hold one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    if not _may_hold_secret(text):
        return text
    return json.dumps(_cleaned(value, {}), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, _SETS) else str(value)


_SETS = (set, frozenset)
_GIVES = re.compile(r'[^"=:]*(?:[=:]|"\s*[=:])')
"""After a name: it is a JSON key, or is assigned a value."""


def _may_hold_secret(text: str) -> bool:
    """Whether `redacted` might find a secret in a text or a key of this JSON."""
    if any(secret in text for secret in _known):
        return True
    if any(hint in text and shape.search(text) for hints, shape in _SHAPES for hint in hints):
        return True
    lowered = text.lower()
    for stem in _STEMS:
        at = lowered.find(stem)
        while at >= 0:
            if _GIVES.match(lowered, at):
                return True
            at = lowered.find(stem, at + 1)
    return False


def _cleaned(value: Any, seen: dict[str, str], beside: str = "") -> Any:
    """`seen` caches texts: the same names and queries recur."""
    if isinstance(value, str):
        if value not in seen:
            seen[value] = redacted(value, beside)
        return seen[value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {
            _cleaned(str(key), seen): NOT_KEPT if _key(str(key))[1] else _cleaned(item, seen, beside)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_cleaned(item, seen, beside) for item in value]
    return redacted(str(value), beside)


def bounded_json(value: Any, whole: Mapping[str, str] | None = None) -> str:
    """`value` as JSON without secrets, with long texts, long lists and deep levels cut with a mark. The texts in
    `whole` are added uncut to the map, which `value` then has to be."""
    kept = bounded(value)
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    for items, characters in _SHORTER if len(text) > LONGEST_VALUE else ():
        kept = bounded(value, 0, items, characters)
        text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
        if len(text) <= LONGEST_VALUE:
            break
    if whole and len(text) <= LONGEST_VALUE:
        return json.dumps({**kept, **whole}, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= LONGEST_VALUE else json.dumps(f"… (cut: {len(text)} characters)")


def bounded(value: Any, depth: int = 0, items: int = LONGEST_LIST, characters: int = LONGEST_TEXT) -> Any:
    """A small plain copy of `value` without secrets, with at most `items` of a list and `characters` of a text."""
    if isinstance(value, str):
        return bounded_text(value, characters)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth >= DEEPEST:
        return "… (cut: too deep)"
    if isinstance(value, (list, tuple, set, frozenset)):
        every = list(value)
        shown = [bounded(item, depth + 1, items, characters) for item in every[:items]]
        return [*shown, f"… (cut: {len(every)} items)"] if len(every) > items else shown
    if isinstance(value, (dict, Mapping)):  # The check for dict is much faster than that for Mapping.
        kept = {}
        for key, item in islice(value.items(), items):
            name, secret = _key(str(key))
            kept[name] = NOT_KEPT if secret else bounded(item, depth + 1, items, characters)
        return kept | {"…": f"(cut: {len(value)} entries)"} if len(value) > items else kept
    return bounded_text(str(value), characters)


@lru_cache(maxsize=4096)
def _key(name: str) -> tuple[str, bool]:
    """The key of a map as it is kept, and whether its value is secret; cached, since the same keys recur."""
    return bounded_text(name), bool(_SECRET_NAME.search(name))


def bounded_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """`text` without secrets, cut with a mark if it is longer than `longest`."""
    length = len(text)
    if length <= longest:
        return redacted(text)
    return f"{redacted(text[: longest + _BESIDE_THE_CUT])[:longest]}… (cut: {length} characters)"
