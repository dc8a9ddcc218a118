"""Which way a relation is stated: whether the noun before a verb, or beside "the N of", is where the relationship
starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import stem
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import NOBODY, RELATIVE
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.space.words import PREPOSITIONS, form_of

_INSIDE = frozenset(map(stem, ("belongs", "part", "located", "situated", "lies", "inside", "within", "stored")))
_OUTSIDE = frozenset(map(stem, ("includes", "contains", "comprises", "houses", "holds", "covers")))
"""Stems of what is said of a thing that is in another, and of the other."""
_PARTICIPLES = frozenset(
    {"born", "made", "built", "led", "won", "held", "sold", "sung", "set", "shot", "bought", "kept"}
)
_SHOWING = frozenset(
    map(stem, ("stars", "features", "starred", "featured", "includes", "depicts", "shows", "involves"))
)
"""Verbs of a work, whose objects do what other verbs say: "Heat stars Al Pacino", who acts in it."""
_ARTICLES = ("the", "a", "an")
_WAYS = frozenset({"through", "on", "for", "with", "from", "under", "over", "across", "into", "at"})
_KINDS = {"person": 0, "work": 1, "group": 2, "place": 3, "country": 4, "time": 5, "number": 5, "language": 5}
"""Kinds of things in the order in which one is "in" or "from" another."""


def source_is_subject(step: Step) -> bool | None:
    """Whether the node that a relationship starts from does what its verb says; None where it is no verb."""
    form = form_of(step.relation)
    if form in ("active", "verb and object"):
        return True
    if form == "passive" and relation_words(step.relation)[-1] == "by":
        return False
    verb = relation_words(step.relation)[0]
    return True if verb.endswith("s") and not verb.endswith("ss") else None


@dataclass(frozen=True, slots=True)
class Voices:
    """The directions of one graph's relations in sentences."""

    glosses: Glosses
    is_placing: Callable[[Step], bool]

    def starts_left(self, step: Step, between: Gap) -> bool | None:
        """Whether the noun before a verb is where the relationship starts; None if the words do not tell."""
        texts, said = between.texts, {stem(word) for word in between.texts}
        if texts[:1] == ("'s",) and between.copula:
            return self.leads_to(step.relation, " ".join(between.words))
        if between.possessive or (between.having and not between.words):
            return None
        if _of_nobody(texts):  # "dentists nobody supervises"
            subject = source_is_subject(step)
            return None if subject is None else not subject
        plain = [text for text in texts if text not in _ARTICLES]
        before = texts[:-1] if texts[-1:] and texts[-1] in _ARTICLES else texts  # "Superior to *the* Supreme Court".
        if between.copula and plain[-1:] and plain[-1] in ("of", "to", "for") and len(plain) < len(before):
            return self._noun_left(step, plain)
        own = relation_words(step.relation)
        last = own[-1] if len(own) > 1 else ""
        verb = next((text for text in texts if _same_verb(text, own[0])), None)
        if verb is not None:
            passive = "by" in texts or (between.copula and _is_participle([verb]))
            if last == "under" and last not in texts:
                return passive  # "X trained Y" for TRAINED_UNDER
            if last in PREPOSITIONS:
                return True if last in texts else False if last == "by" and not passive else None
            subject = source_is_subject(step)
            return None if subject is None else not passive
        if last in _WAYS and last in texts and plain[:1] != [last]:
            return True  # "runs through" for FLOWS_THROUGH
        placing = self.is_placing(Step(step.relation, True, ""))
        if placing and said & (_INSIDE | _OUTSIDE):
            return bool(said & _INSIDE) and not said & _OUTSIDE
        if placing and between.copula and plain[-1:] and plain[-1] in ("in", "at"):
            return True
        return self._by_meaning(step, between, plain)

    def opposes(self, step: Step, label: str, between: Gap) -> bool:
        """Whether the words behind a noun say that a relation between things of its label leads the other way."""
        starts_left = self.starts_left(step, between) if step.target == label and not step.either else None
        return starts_left is not None and starts_left != step.forward

    def opposes_alone(self, step: Step, label: str, clause: Gap) -> bool:
        """The same of a verb with no noun behind it: "that are not supervised", "nobody supervises", or a participle
        before the noun: "supervised"."""
        subject, verbs = source_is_subject(step), [t for t in clause.texts if _same_verb(t, _own_verb(step))]
        if step.target != label or subject is None or step.either or not verbs:
            return False
        bare = not (clause.relative or clause.having)
        passive = _of_nobody(clause.texts) or ((clause.copula or bare) and _is_participle(verbs))
        return passive == (step.forward == subject)

    def same_way(self, step: Step, said: Sequence[str]) -> bool | None:
        """Whether a verb that means the same relation leads to the same end: "reports to" for SUPERVISED_BY, but not
        "supervises". None where its own verb, or one that nothing is known of, is said."""
        own, other = meaning(step.relation), meaning(" ".join(said)) if len(said) > 1 else None
        if own is None or other is None or own.concept != other.concept or "by" in said:
            return None
        return None if any(_same_verb(word, _own_verb(step)) for word in said) else own.end == other.end

    def leads_to_doer(self, step: Step, said: Sequence[str]) -> bool | None:
        """Whether the relationship leads to whoever does what one of the verbs of its meaning says; None where no such
        verb is said."""
        verbs, leads_to_subject = self.glosses.verbs(step.relation, forward=True)
        stems = set(map(stem, said))
        return leads_to_subject if any(set(map(stem, each.split())) <= stems for each in verbs) else None

    def is_turned(self, step: Step, said: Sequence[str]) -> bool:
        """Whether the subject of a verb, or of "is the boss of", is what the relationship leads to: "manages" for
        REPORTS_TO."""
        own = relation_words(step.relation)
        if own[-1] == "under" and any(_same_verb(word, own[0]) for word in said):
            return "under" not in said  # "trained" for TRAINED_UNDER
        verbs, leads_to_subject = self.glosses.verbs(step.relation, forward=True)
        stems = set(map(stem, said))
        if not leads_to_subject or stem(relation_words(step.relation)[0]) in stems:
            return False
        nouns = self.glosses.phrases(step.relation, forward=True) if said[-1:] == ("of",) else ()
        return any(set(map(stem, each.split())) <= stems for each in (*verbs, *nouns))

    def _by_meaning(self, step: Step, between: Gap, plain: Sequence[str]) -> bool | None:
        """The direction by the verbs of the relation's meaning, or by the kinds of its ends."""
        said = {stem(word) for word in plain}
        verbs, leads_to_subject = self.glosses.verbs(step.relation, forward=True)
        spoken = next((phrase for phrase in verbs if set(map(stem, phrase.split())) <= said), None)
        stems = {stem(word) for word in (spoken or "").split()}
        bare = "by" not in plain and between.copula and _is_participle(t for t in plain if stem(t) in stems)
        if spoken is not None and not bare:
            return leads_to_subject == ("by" in plain)
        if len(plain) == 1 and plain[0] not in PREPOSITIONS and not (between.copula or between.having):
            subject = source_is_subject(step)  # Another verb mostly has the same subject as the relation's own.
            return not subject if subject is not None and stem(plain[0]) in _SHOWING else subject
        if between.copula and plain[-1:] == ["by"] and source_is_subject(step) is not None:
            return not source_is_subject(step)
        if plain[-1:] and plain[-1] in ("in", "from"):
            source, target = (self.glosses.kind(step.relation, forward=forward) for forward in (False, True))
            ranks = _KINDS.get(source or ""), _KINDS.get(target or "")
            if ranks[0] is not None and ranks[1] is not None and ranks[0] != ranks[1]:
                return ranks[0] < ranks[1]
        return None

    def _noun_left(self, step: Step, plain: Sequence[str]) -> bool | None:
        """ "A is the N of B": whether N is where the relationship starts."""
        led = self.leads_to(step.relation, " ".join(plain))
        return None if led is None else not led

    def leads_to(self, relation: str, noun: str) -> bool | None:
        """Whether a noun ("parent", "supplier") is what the relation leads to, rather than where it starts."""
        said, own = {stem(word) for word in noun.split()}, relation_words(relation)
        ahead, back = (
            any(
                {stem(word) for word in phrase.split() if word not in PREPOSITIONS} <= said
                for phrase in self.glosses.phrases(relation, forward=forward)
                if phrase and not (own[-1] in PREPOSITIONS and tuple(phrase.split()) == own)
            )
            for forward in (True, False)
        )
        if ahead != back:
            return ahead
        agent = next((word for word in noun.split() if word.endswith(("er", "or"))), None)
        subject = source_is_subject(Step(relation, True, ""))
        if agent is not None and subject is not None and _same_verb(agent[:-2], own[0]):
            return not subject
        return (form_of(relation) == "noun" and stem(own[-1]) in said) or None


def _of_nobody(clause: Sequence[str]) -> bool:
    """Whether nobody is the subject of a clause behind a noun."""
    said = clause[bool(clause) and clause[0] in RELATIVE :]
    return not NOBODY.isdisjoint(said[:1]) or tuple(said[:2]) == ("no", "one")


def _own_verb(step: Step) -> str:
    return relation_words(step.relation)[0]


def _same_verb(said: str, own: str) -> bool:
    """Whether two words are forms of one verb: "supplied" and "supplies"."""
    if stem(said) == stem(own):
        return True
    shared = next((i for i, (a, b) in enumerate(zip(said, own, strict=False)) if a != b), min(len(said), len(own)))
    return shared >= max(4, min(len(said), len(own)) - 2) and min(len(said), len(own)) >= 4


def _is_participle(texts: Iterable[str]) -> bool:
    return any(text.endswith(("ed", "en")) or text in _PARTICIPLES for text in texts)
