"""The labels of what a question asks for, as its first words say."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


def asked_labels(said: Sequence[Token], words: SchemaWords) -> frozenset[str]:
    """The labels that "who" may mean, or the nouns behind "which" or "what", one of which is the name of a label or
    what people do ("actors"); none where the first words say nothing."""
    texts = [token.text for token in said]
    if texts[:1] in (["who"], ["whom"]):
        served = texts[1:2] in (["do"], ["does"], ["did"]) and texts[-1] in PREPOSITIONS  # "Who does Ann work for?"
        return words.persons | words.bodies if served and words.persons else words.persons
    found: set[str] = set()
    by_name = False
    for i, text in enumerate(texts[1:] if texts[:1] in (["which"], ["what"]) else (), 1):
        labels, roles = words.labels.get(text, ()), words.roles.get(text, ())
        if texts[i + 1 : i + 2] == ["'s"]:  # "Which film's director …"
            return frozenset()
        if not (labels or roles):
            break
        ends = {role.step.target for role in roles}
        found |= ends | {label for label, _ in labels}
        by_name = by_name or bool(ends & words.persons) or any(not cost for _, cost in labels)
    return frozenset(found) if by_name else frozenset()


def asked_things(said: Sequence[Token], words: SchemaWords) -> frozenset[str]:
    """The labels that the word behind "which" or "what" names in full."""
    texts = [token.text for token in said[:2]]
    labels = words.labels.get(texts[1], ()) if texts[:1] in (["which"], ["what"]) and len(texts) > 1 else ()
    return frozenset(label for label, own in labels if not own)


def subject_kinds(said: Sequence[Token], words: SchemaWords) -> frozenset[str]:
    """The labels that the word behind "what do" may name: "what do the *companies* make"."""
    behind = [token.text for token in said[2:4] if token.text not in ("the", "our", "all", "these", "those")]
    return frozenset(label for label, _ in words.labels.get(behind[0], ())) if behind else frozenset()
