"""The reasoner without a model: which findings answer the question, with what confidence and evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clew.agents.answering import confidence
from clew.agents.answering.agreement import same_answers
from clew.agents.answering.explanation import fact, not_found, of_attempt, of_none, of_triplets
from clew.agents.evidence import Answer, AnswerRef, Attempt, Evidence, Findings
from clew.agents.traits import Traits, traits_of
from clew.tools.graph.identifiers import shown

_SUPPORT_SHARE = 0.1
"""Share of an answer's score that depends on its support; it orders the answers of one query."""
_NEAREST_TRIPLETS = 0.35
"""Confidence of answers found only by nearness in meaning, at a triplet score of 1."""
_FOLLOWED_BACK = 25
_UNEXPLAINED = 0.05
"""What a word that an unsure attempt leaves unexplained takes from its confidence, beside other attempts. Of 186
development questions with two unsure attempts, 50 are answered rightly with it, 38 without."""
_LIKELY = 0.3
"""Confidence of there being nothing, from which on it answers rather than a sure query that leaves words out."""
_READER = "read"
"""The strategy that reads a question whole."""
_SEARCHED = 1
"""Words that nodes found by their texts are taken to leave unexplained."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answers, best first. Without answers the explanation says what was tried."""

    answers: list[Answer]
    supports: dict[str, list[str]]
    """Evidence key to the ids of the answers that the triplet supports (names, for values)."""
    cypher: str | None
    """The query whose rows the answers are."""
    confidence: float
    explanation: str
    reading: str = ""
    """What was asked of the graph, in words."""
    unexplained: tuple[str, ...] = ()
    """Words of the question that the reading does not explain."""


def reason(findings: Findings) -> Conclusion:
    """Answers from the best query, else from the triplets nearest to the question, else an explanation of why not."""
    attempt = best_attempt(findings.attempts.values(), findings.strategies)
    if attempt is not None and not attempt["answers"]:
        said = of_none(attempt, findings)
        return Conclusion([], {}, attempt["cypher"], attempt["confidence"], said, *reading_of(attempt))
    if attempt is not None:
        return _from_attempt(attempt, findings)
    return _from_triplets(findings) or Conclusion([], {}, None, 0.0, not_found(findings))


def reading_of(attempt: Attempt) -> tuple[str, tuple[str, ...]]:
    """What an attempt asks, in words, and the words of the question that it does not explain."""
    return sentence(attempt["words"]), tuple(dict.fromkeys(attempt.get("unexplained", ())))


def sentence(words: str) -> str:
    """The words of a query with a capital letter, names as they are spoken."""
    words = shown(words)
    return words[:1].upper() + words[1:]


def best_attempt(attempts: Iterable[Attempt], strategies: Traits) -> Attempt | None:
    """The attempt to answer from, or to say that there is nothing; the first of `ranked_attempts`."""
    return next(iter(ranked_attempts(attempts, strategies)), None)


def ranked_attempts(attempts: Iterable[Attempt], strategies: Traits) -> list[Attempt]:
    """The attempts that say something, best first: what the user chose, the preferred one, then a whole query or a
    model's path before a part of a query, then a sure one by a model, then the surest; of unsure ones, those that
    explain more words. Last are those that only name what the question names."""
    informative = [each for each in attempts if each["answers"] or each.get("none") or each.get("chosen")]
    ranked = sorted(informative, key=lambda attempt: _preference(attempt, strategies), reverse=True)
    best = next((each for each in ranked if _explains_more(each, ranked[0])), None)
    return ranked if best is None else [best, *(each for each in ranked if each is not best)]


def _explains_more(nothing: Attempt, best: Attempt) -> bool:
    """Whether "nothing" is a better answer than an unsure one that leaves words out, or than any that does if it is
    likely: to "who is married to X" where X is not married, than what else X did."""
    selected = best.get("chosen", False) or best.get("preferred", False)
    unsure = best["confidence"] < confidence.ENOUGH or nothing["confidence"] >= _LIKELY
    return unsure and bool(best.get("unexplained")) and not selected and nothing.get("none", False)


def _preference(attempt: Attempt, strategies: Traits) -> tuple[bool, bool, bool, bool, bool, float, int, int]:
    by_model, sure = attempt.get("by_model", False), attempt["confidence"]
    if sure < confidence.ENOUGH:
        sure -= _UNEXPLAINED * (_SEARCHED if attempt.get("searched") else len(attempt.get("unexplained", ())))
    whole = traits_of(attempt["strategy"], strategies).complete_answers or by_model
    return (
        attempt.get("chosen", False),
        attempt.get("preferred", False),
        not _echoes(attempt),
        whole,
        by_model and sure >= confidence.ENOUGH,
        sure,
        -attempt["rank"],
        -attempt["iteration"],
    )


def _echoes(attempt: Attempt) -> bool:
    """Whether an attempt only names what the question names, and does not explain the rest: "Texas" to "what is the
    capital of Texas". A choice between two names is no echo: "which is longer, A or B"."""
    topics = {anchor["id"] for anchor in attempt["anchors"]}
    form = attempt.get("form")
    if form is not None and form["nodes"].get("order") is not None and len(topics) > 1:
        return False
    return bool(attempt.get("unexplained")) and all(answer["id"] in topics for answer in attempt["answers"])


def _beside_topic(attempt: Attempt) -> list[AnswerRef]:
    """The answers other than the query's anchors. There may be none: a father's son's father is himself. Of united
    queries each has left out its own already."""
    if "united" in attempt:
        return attempt["answers"]
    topics = {anchor["id"] for anchor in attempt["anchors"]}
    return [answer for answer in attempt["answers"] if answer["id"] not in topics]


def _from_attempt(attempt: Attempt, findings: Findings) -> Conclusion:
    rows = _beside_topic(attempt) or attempt["answers"]
    sure = attempt["confidence"]
    final = attempt.get("chosen", False) or bool(attempt.get("searched"))  # queries say nothing of a description
    if not final and (_corroborated({row["id"] for row in rows}, attempt, findings) or _read_alike(attempt, findings)):
        sure = confidence.corroborated(sure)
    elif not final and _contradicted(attempt, findings):
        sure = confidence.contradicted(sure)
    most = max(row["support"] for row in rows) or 1
    answers = [_answer(row, round(sure * _share(row, attempt, most), 4)) for row in rows]
    supports = supports_of(rows, attempt, findings.evidence)
    said = of_attempt(attempt, len(answers), findings)
    return Conclusion(answers, supports, attempt["cypher"], sure, said, *reading_of(attempt))


def _answer(row: AnswerRef, score: float) -> Answer:
    answer: Answer = {"name": row["name"], "id": row["id"], "label": row["label"], "score": score}
    if "detail" in row:
        answer["detail"] = row["detail"]
    if "values" in row:
        answer["values"] = row["values"]
    if "passage" in row:
        answer["passage"] = row["passage"]
    if "queries" in row:
        answer["queries"] = row["queries"]
    if row.get("near"):
        answer["near"] = True
    return answer


def _share(row: AnswerRef, attempt: Attempt, most: int) -> float:
    """An answer's share of the attempt's confidence: how well it fits if that is known, else by its support."""
    fits = attempt.get("fits", {})
    return fits[row["id"]] if row["id"] in fits else 1 - _SUPPORT_SHARE * (1 - row["support"] / most)


def _corroborated(ids: set[str | None], attempt: Attempt, findings: Findings) -> bool:
    """Whether a triplet found by nearness in meaning joins an anchor of the query and one of its answers."""
    topics = {anchor["id"] for anchor in attempt["anchors"]}
    return any(
        traits_of(source["strategy"], findings.strategies).by_meaning
        for item in findings.evidence.values()
        if {item["head"]["id"], item["tail"]["id"]} & topics and {item["head"]["id"], item["tail"]["id"]} & ids
        for source in item["provenance"].values()
    )


def _read_alike(attempt: Attempt, findings: Findings) -> bool:
    """Whether another strategy without a model has the same answers by itself. What texts were searched for may be what
    the attempt leaves out."""
    attempts = (each for each in findings.attempts.values() if not each.get("searched"))
    others = [each for each in attempts if each["strategy"] != attempt["strategy"]]
    return any(same_answers(attempt, each) for each in others if not (each.get("by_model") or attempt.get("by_model")))


def _contradicted(attempt: Attempt, findings: Findings) -> bool:
    """Whether a path or a plan has other answers than the question as it was read."""
    alone = traits_of(attempt["strategy"], findings.strategies).stands_alone
    if alone or attempt["strategy"] == _READER or attempt.get("by_model"):
        return False
    read = (each for each in findings.attempts.values() if each["strategy"] == _READER and each["answers"])
    return any(not same_answers(attempt, each) for each in read)


def supports_of(rows: list[AnswerRef], attempt: Attempt, evidence: Mapping[str, Evidence]) -> dict[str, list[str]]:
    """Evidence key to those of the answers `rows` (ids, or names) that a shortest path from one of the query's anchors
    reaches through that triplet."""
    neighbours: dict[str, list[tuple[str, str]]] = {}
    united = attempt.get("united", ())
    queries = {attempt["cypher"], *(each["cypher"] for each in united)}
    found_by_query = {key for key, item in evidence.items() if _has_cypher(item, queries)}
    for key in found_by_query or evidence:
        head, tail = evidence[key]["head"]["id"], evidence[key]["tail"]["id"]
        neighbours.setdefault(head, []).append((tail, key))
        neighbours.setdefault(tail, []).append((head, key))
    supports: dict[str, list[str]] = {}
    topics = {anchor["id"] for each in (attempt, *united) for anchor in each["anchors"]}
    ways = [_distances(topic, neighbours) for topic in topics]
    for row in rows[:_FOLLOWED_BACK]:
        name = row["id"] or row["name"]
        if "passage" in row:
            keys = {key for _, key in neighbours.get(row["passage"]["id"], [])}
        elif row["id"] is None or row["id"] in topics:
            keys = found_by_query  # a number rests on all of it; a path back to the topic has no shortest end
        elif ways:
            keys = {key for distances in ways for key in _path_back(row["id"], distances, neighbours)}
        else:
            keys = {key for _, key in neighbours.get(row["id"], [])}
        for key in keys:
            supports.setdefault(key, []).append(name)
    return supports


def _has_cypher(item: Evidence, queries: set[str]) -> bool:
    return any(source["cypher"] in queries for source in item["provenance"].values())


def _distances(start: str, neighbours: Mapping[str, list[tuple[str, str]]]) -> dict[str, int]:
    """The distance in triplets from `start` to every node that the evidence joins to it."""
    distances, frontier = {start: 0}, [start]
    while frontier:
        following = []
        for node in frontier:
            for other, _ in neighbours.get(node, []):
                if other not in distances:
                    distances[other] = distances[node] + 1
                    following.append(other)
        frontier = following
    return distances


def _path_back(node: str, distances: Mapping[str, int], neighbours: Mapping[str, list[tuple[str, str]]]) -> set[str]:
    keys: set[str] = set()
    frontier = {node} if node in distances else set()
    while frontier:
        steps = [(o, k) for n in frontier for o, k in neighbours.get(n, []) if distances.get(o, 0) == distances[n] - 1]
        keys |= {key for _, key in steps}
        frontier = {other for other, _ in steps}
    return keys


def _from_triplets(findings: Findings) -> Conclusion | None:
    """The far ends of the nearest triplet, and of those with the same relation to the same entity."""
    topics = {candidate.entity.id for mention in findings.mentions for candidate in mention.candidates}
    scored: list[tuple[float, str, Evidence]] = []
    for key, item in findings.evidence.items():
        sources = item["provenance"].values()
        scores = [s["score"] for s in sources if traits_of(s["strategy"], findings.strategies).by_meaning]
        if scores and (item["head"]["id"] in topics) != (item["tail"]["id"] in topics):
            scored.append((max(scores), key, item))
    if not scored:
        return None
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    said = _statement(scored[0][2], topics)
    answers: list[Answer] = []
    supports: dict[str, list[str]] = {}
    for score, key, item in scored:
        if _statement(item, topics) == said:
            far = item["tail"] if item["head"]["id"] in topics else item["head"]
            if far["id"] not in {answer["id"] for answer in answers}:
                sure = round(_NEAREST_TRIPLETS * score, 4)
                answers.append({"name": far["name"], "id": far["id"], "label": far["label"], "score": sure})
            supports[key] = [far["id"]]
    nearest = scored[0][2]
    reading = f"The fact nearest to the question in meaning: {fact(nearest)}"
    return Conclusion(answers, supports, None, answers[0]["score"], of_triplets(nearest, findings), reading)


def _statement(item: Evidence, topics: set[str]) -> tuple[str, bool, str]:
    """The relation, its direction and the topic."""
    outward = item["head"]["id"] in topics
    return item["relation"], outward, item["head"]["id"] if outward else item["tail"]["id"]
