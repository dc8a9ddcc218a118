"""One step of a path in words: "directed by {}", "that own {}"."""

from __future__ import annotations

from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.space.words import form_of

_PLURAL_VERBS = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}


def step_words(relation: str, forward: bool, many: bool) -> str:
    """A step in words, with `{}` for what it leads to; `many` is whether the subject of its verb is in the plural."""
    words = relation_words(relation)
    form = form_of("_".join(words))
    if form in ("active", "verb and object") and not is_verbal(relation):
        form = "noun"  # A `HAS_BREED` leads to a breed.
    if many and form in ("active", "verb and object"):
        words = (_plural_verb(words[0]), *words[1:])
    said = " ".join(words)
    if form == "passive":
        return f"{said} {{}}" if forward else f"that {{}} {'are' if many else 'is'} {said}"
    if form in ("active", "verb and object"):
        return f"that {said} {{}}" if forward else f"that {{}} {words[0] if form == 'verb and object' else said}"
    if form == "noun of":
        return f"that are {said} {{}}" if forward else f"whose {said.removesuffix(' of')} is {{}}"
    return f"with {said} {{}}" if forward else f"that are {said} of {{}}"


def is_verbal(relation: str) -> bool:
    """Whether a relation is called by a verb, or "part of", rather than by what it leads to."""
    words = relation_words(relation)
    noun = relation.upper().startswith("HAS_") and (words[-1].endswith("eed") or not words[-1].endswith("ed"))
    return form_of("_".join(words)) in ("active", "verb and object", "passive", "noun of") and not noun


def _plural_verb(verb: str) -> str:
    if verb.endswith("ies") and len(verb) > len("dies"):  # "Lies", "dies", "ties" lose the "s" alone.
        return f"{verb.removesuffix('ies')}y"
    ending = "es" if verb.endswith(("ches", "shes", "sses", "xes")) else "s"
    return _PLURAL_VERBS.get(verb, verb.removesuffix(ending))
