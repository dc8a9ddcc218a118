"""Questions with candidate queries from elsewhere: no graph is asked, their figures are given.

A line of JSON holds `question`, `n_answers` (how many answers are right; or `answers`, their names) and `candidates`
(or `queries`), each with `cypher` (a chain of nodes and relationships, one of the nodes named), `results` (how many
answers it gives) and, to learn from, `hits` (how many of those are right).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from clew.tools.learning.teaching.options import FEATURES, Option, replaced
from clew.tools.learning.teaching.pattern import ChainPattern, Pattern
from clew.tools.learning.teaching.training_examples import Rated, TrainingExample, f1
from clew.tools.queries.space.query import Hop
from clew.tools.queries.space.words import noun_of

PER_RESULTS = 0.3
"""What ten times as many results take off the untaught score: a query that leaves more out says more."""
_NODE = (
    r"\(\s*\w*\s*:\s*`?(?P<label>[^`{)\s]+)`?\s*"
    r"(?:\{\s*`?\w+`?\s*:\s*(?P<quote>[\"'])(?P<name>.*?)(?P=quote)\s*\})?\s*\)"
)
_STEP = re.compile(rf"(?P<back><)?-\[\s*\w*\s*:\s*`?(?P<relation>[^`\]\s]+)`?\s*\]-(?P<on>>)?{_NODE}")
_FIRST = re.compile(rf"^\s*MATCH\s*{_NODE}", re.I)
_WORD = re.compile(r"\w+")


def given_example(value: Mapping[str, Any]) -> TrainingExample:
    """The example of one line. Raises ValueError that says what is wrong with it."""
    question = value.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ValueError("no `question`")
    answers = tuple(str(answer) for answer in value.get("answers", ()))
    answer_count = value.get("n_answers", len(answers))
    queries = value.get("candidates", value.get("queries"))
    if not isinstance(queries, list) or not queries:
        raise ValueError("no `candidates`")
    options = options_given(question, queries)
    rated = []
    for query, option in zip(queries, options, strict=True):
        hits, total = int(query.get("hits", 0)), int(query["results"])
        rated.append(
            Rated(option, hits, total, f1(hits, total, int(answer_count)), option.pattern.words, query["cypher"])
        )
    return TrainingExample(question, answers, "found" if any(r.hits for r in rated) else "poor", tuple(rated))


def options_given(question: str, queries: Sequence[Mapping[str, Any]]) -> list[Option]:
    """Options for candidate queries with known `cypher` and `results`; `hits` is never used."""
    read = []
    for query in queries:
        pattern, name = read_cypher(str(query.get("cypher", "")))
        if not isinstance(query.get("results"), int):
            raise ValueError("a candidate has no number of `results`")
        named, text = _named(question, name, pattern.strands[0].start)
        read.append((pattern, text, named, math.log10(query["results"] + 1)))
    scores = [named - PER_RESULTS * results for _, _, named, results in read]
    found = []
    for (pattern, text, named, results), score in zip(read, scores, strict=True):
        best = max(scores)
        values = {"score": score - best, "first": float(score == best), "length": pattern.length, "strands": 1.0}
        features = tuple(float(values.get(name, 0.0)) for name in FEATURES)
        found.append(Option(pattern, text, features, (1.0, results, named)))
    return found


def read_cypher(cypher: str) -> tuple[Pattern, str]:
    """The pattern of a chain from one named node, and that node's name. Raises ValueError for any other query."""
    first = _FIRST.match(cypher)
    if first is None or first["name"] is None:
        raise ValueError(f"not a chain from a named node: {cypher!r}")
    hops, place = [], first.end()
    while step := _STEP.match(cypher, place):
        hops.append(Hop(step["relation"], step["back"] is None, step["label"], typed=True))
        place = step.end()
    if not hops:
        raise ValueError(f"not a chain of relationships: {cypher!r}")
    return Pattern((ChainPattern(first["label"], tuple(hops)),)), first["name"].replace('\\"', '"')


def _named(question: str, name: str, label: str) -> tuple[float, str]:
    """1 and the question without the name where it has it; else half the share of the name's words that it has, and
    the question behind the label's noun."""
    start = question.casefold().find(name.casefold())
    if start >= 0 and len(question) == len(question.casefold()):
        return 1.0, replaced(question, [(start, start + len(name), noun_of(label))])
    question_words, of_name = set(_WORD.findall(question.casefold())), _WORD.findall(name.casefold())
    if " ".join(of_name) and f" {' '.join(of_name)} " in f" {' '.join(_WORD.findall(question.casefold()))} ":
        return 1.0, f"{noun_of(label)}: {question}"
    share = sum(word in question_words for word in of_name) / max(1, len(of_name))
    return share / 2, f"{noun_of(label)}: {question}"
