"""Words of a question that stand for nothing in the graph: names that no node has, and what the schema lacks.

A question with such words is not answered from what is left of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import OSA

from clew.agents.answering.confidence import ENOUGH
from clew.agents.evidence import PASSAGE, Attempt, Findings, Unmatched
from clew.agents.planning.clauses import Description
from clew.tools.graph.entity import Candidate, Mention
from clew.tools.linking.normalise import fold
from clew.tools.linking.ordinary import QUESTION_WORDS, is_english, near_english, word_class
from clew.tools.linking.tokens import TITLES, words_of
from clew.tools.linking.tokens import Token as Word
from clew.tools.queries.lexical import Span, Token, overlaps
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.words import (
    FREE,
    NEGATIVE,
    countries,
    light,
    tokens,
    unit_measure,
)
from clew.tools.queries.values import MONTHS

NAME_IN_SCHEMA = 0.57
"""Cosine from which on a word that may be a name belongs to the schema: "PhD", "CEO". In 617 questions about five
graphs, the unknown names were at most at 0.48, and other words at least at 0.59; "penicillin" is at 0.56."""
WORDS_IN_SCHEMA = 0.5
"""Cosine from which on what a question asks for may be something of the schema. In the same questions, what the graphs
lacked was at most at 0.48, and questions that were answered right below the threshold at least at 0.54."""
WORD_IN_SCHEMA = 0.6
"""The same for each of its words: "issues labelled" is not near the schema of an issue tracker, but "labelled" is."""
_MISSPELT = 0.8
"""Link score from which on a name with two wrong letters or more is taken for a typing error."""
_NEAR = 0.75
"""Link score from which on a name is offered as what was meant."""
_MOST_NEAR = 3
_BEFORE_NOUNS = frozenset(
    {"the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "his", "her", "its", "their", "any",
     "some", "all", "each", "every", "no", "many", "much", "few", "most", "more", "fewest", "least", "which", "what",
     "how", "whose", "as", "very", "too", "so", "not", "number", "average", "mean", "median", "total", "overall",
     "highest", "lowest", "largest", "smallest", "biggest", "greatest", "longest", "shortest", "best", "worst"}
)  # fmt: skip
"""Words behind which a noun or an adjective stands rather than a name."""
_VERSUS = frozenset({"vs", "vs.", "versus"})
_SHORTEST_NAME = 4
"""Letters from which on a word in lower case may be an unknown name."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a graph knows of words."""

    unmatched: Callable[[str, Sequence[Mention]], list[Token]]
    """The words of a question that name nothing, given its mentions."""
    nearness: Callable[[Sequence[str]], list[float]]
    """The cosine of each text with what is nearest in the schema."""
    similar: Callable[[str], list[Candidate]]
    """The nodes whose names are spelled most like a text."""
    in_texts: Callable[[str], bool] = lambda word: False
    """Whether a word stands in some text of the graph."""


def unmatched_in(
    findings: Findings,
    attempt: Attempt | None,
    vocabulary: Vocabulary,
    *,
    by_texts: bool = False,
    description: Description | None = None,
) -> list[Unmatched]:
    """The names and words of a question that the graph does not have.

    Args:
        findings: What was found for the question.
        attempt: The attempt that would be the answer.
        vocabulary: What the graph knows of words.
        by_texts: Whether the user asked for nodes whose texts are near the question. Their words may be others, so only
            what is written as a name counts.
        description: What the texts of the graph were searched for without having been asked to. Words in it describe,
            unless they are written as a name, or stand where a name may and nothing else of their clause needs the
            texts.
    """
    question = findings.question
    linked = [mention for mention in findings.mentions if mention.start < mention.end and mention.candidates]
    spans = [(mention.start, mention.end) for mention in linked]
    left = cache(lambda: vocabulary.unmatched(question, linked))
    sure = attempt if attempt is not None and attempt["confidence"] >= ENOUGH else None
    names = list(_another_name(question, attempt, linked))
    if sure is None or sure.get("unexplained") != []:
        runs = _runs(findings.question, spans, written=by_texts)
        if description is not None:
            written = _runs(findings.question, spans, written=True)
            runs = [run for run in runs if overlaps(*run, written) or not _describes(run, description, left())]
        names = [*_unknown_names(findings, left, runs, vocabulary), *names]
    unread = any(failure["step"] == "read" for failure in findings.errors.values())
    anything = description is not None and description.anything
    if names or unread or by_texts or anything or _passages(findings) or sure is not None:
        return names
    question = asking_sentence(question).text
    asked = _asked(question, spans)
    if description is not None and description.asked is not None:
        asked = [description.asked]
    core = [token for token in asked if token.text not in light()]
    starts = {token.start for token in left()}
    if not core or any(token.start not in starts for token in core) or _told(core, findings, vocabulary):
        return []
    text = findings.question[asked[0].start : asked[-1].end]
    whole, *each = vocabulary.nearness([text.lower(), *(token.text for token in core)])
    if whole >= WORDS_IN_SCHEMA or max(each) >= WORD_IN_SCHEMA:
        return []
    return [{"kind": "schema", "text": text, "near": []}]


def _describes(run: Span, description: Description, left: Sequence[Token]) -> bool:
    """Whether words belong to a description: "glucose" in "pushes up glucose" does if nothing in the graph explains
    "pushes" either, but "zorblax" in "made by zorblax" is a name if there is a relation for "made"."""
    clauses = [clause for clause in description.clauses if overlaps(*run, [clause])]
    beside = [token for token in left if overlaps(token.start, token.end, clauses)]
    return any(not overlaps(each.start, each.end, [run]) and word_class(each.text) != "function" for each in beside)


def _unknown_names(
    findings: Findings, left: Callable[[], list[Token]], runs: Sequence[Span], vocabulary: Vocabulary
) -> Iterator[Unmatched]:
    """Those of the `runs` of words that nothing in the graph is called."""
    suspects = [
        (run, token)
        for run in runs
        for token in left()
        if overlaps(token.start, token.end, [run]) and token.text.lower() not in MONTHS
    ]
    if not suspects:
        return
    cosines = vocabulary.nearness([token.text.lower() for _, token in suspects])
    unknown = [
        run
        for (run, token), cosine in zip(suspects, cosines, strict=True)
        if (token.quoted or cosine < NAME_IN_SCHEMA) and not _told([token], findings, vocabulary)
    ]
    for start, end in dict.fromkeys(unknown):
        text = findings.question[start:end]
        near = [each.entity.name for each in vocabulary.similar(text) if each.score >= _NEAR]
        yield {"kind": "name", "text": text, "near": list(dict.fromkeys(near))[:_MOST_NEAR]}


def _runs(question: str, linked: Sequence[Span], *, written: bool) -> list[Span]:
    """The spans of words that stand together and may be a name, with numbers behind them, outside the linked names:
    capitalised or quoted, or, unless `written`, no words of the language."""
    runs: list[Span] = []
    words = words_of(question).tokens
    for place, token in enumerate(words):
        if overlaps(token.start, token.end, linked):
            continue
        beside = bool(runs) and not question[runs[-1][1] : token.start].strip(" .-&_'\u2019")
        capital = question[token.start].isupper() and token.kind not in ("question", "function")
        behind = words[place + 1 : place + 2]
        of_linked = any(overlaps(each.start, each.end, linked) for each in behind)
        titled = capital and token.folded in TITLES and not of_linked
        as_name = token.marked or titled
        if not (as_name or written):
            as_name = _is_no_word(token.folded) and _where_names_stand(question, words, place, linked)
        if beside and (as_name or capital or token.kind == "number"):
            runs[-1] = (runs[-1][0], token.end)
        elif as_name:
            runs.append((token.start, token.end))
    return runs


def _where_names_stand(question: str, words: Sequence[Word], place: int, linked: Sequence[Span]) -> bool:
    """Whether a name may stand there: behind a word that neither is a name nor announces a noun, and not before a name,
    where verbs stand."""
    beside = [words[i] for i in (place - 1, place + 1) if 0 <= i < len(words)]
    free = not any(overlaps(each.start, each.end, linked) or each.marked for each in beside)
    if not free or not place or words[place - 1].folded in _BEFORE_NOUNS:
        return False
    return question[words[place - 1].end : words[place].start].isspace()


def _is_no_word(word: str) -> bool:
    """Whether a folded word is neither a word of the language nor a misspelt one: "zorblax"."""
    return len(word) >= _SHORTEST_NAME and word.isalpha() and not is_english(word) and not near_english(word)


def _another_name(question: str, attempt: Attempt | None, linked: Sequence[Mention]) -> Iterator[Unmatched]:
    """Capitalised or quoted names that the attempt took for one that is spelled otherwise: "Atlantis" for Atlanta."""
    marked = [(token.start, token.end) for token in words_of(question).tokens if token.marked]
    anchors = {anchor["id"] for anchor in attempt["anchors"]} if attempt is not None else set()
    for mention in linked:
        used = [candidate for candidate in mention.candidates if candidate.entity.id in anchors]
        if (
            used
            and overlaps(mention.start, mention.end, marked)
            and all(
                each.matcher == "fuzzy"
                and each.score < _MISSPELT
                and OSA.distance(fold(mention.text), fold(each.matched)) > 1
                and countries().get(fold(mention.text)) != fold(each.matched)
                for each in used
            )
        ):
            yield {"kind": "name", "text": mention.text, "near": [each.entity.name for each in used][:_MOST_NEAR]}


def _asked(question: str, linked: Sequence[Span]) -> list[Token]:
    """The first content words of a question that stand together: what it asks for. Words of names are not among
    them."""
    run: list[Token] = []
    for token in tokens(question):
        free = token.text in FREE | QUESTION_WORDS | NEGATIVE or (not run and _names_nothing(token.text))
        if not free and not overlaps(token.start, token.end, linked):
            run.append(token)
        elif any(each.text not in light() for each in run):
            break
        else:
            run = []
    return run


def _names_nothing(word: str) -> bool:
    """Whether a word is a title, joins others or measures: alone, it stands for nothing that a graph has."""
    joins = word in TITLES | _VERSUS or word_class(word) == "function"
    return joins or bool(unit_measure(singular(word)))


def _told(words: Sequence[Token], findings: Findings, vocabulary: Vocabulary) -> bool:
    """Whether all of some words stand in a passage that was found, or in the texts of the graph."""
    folded = [fold(word.text) for word in words]
    told = any(all(word in text for word in folded) for text in _passages(findings))
    return told or all(map(vocabulary.in_texts, folded))


def _passages(findings: Findings) -> list[str]:
    """The passages of documents that were found, folded. They may answer what the graph's schema lacks."""
    return [fold(item["tail"]["name"]) for item in findings.evidence.values() if item["tail"]["label"] == PASSAGE]
