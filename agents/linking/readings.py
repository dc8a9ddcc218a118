"""Entity linking with a model: its entities and the reading of the entity index become one reading of the question.

Source: ByoKG-RAG section 3.2, where a model's entities are linked. The index's reading stays unless the model's is
better: the index knows the names of the graph, and a model's entity that is not in the graph must not hide one that is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from clew.agents.linking.matching import locate
from clew.tools.graph.entity import Mention, MentionSource
from clew.tools.linking.normalise import fold
from clew.tools.linking.ordinary import word_class

MOST_NAMES = 12
"""Most entities, and most draft answers, of one reply."""
_SLACK = 0.05
"""How much worse a model's entity may link than the index's reading of the same words."""


def located(question: str, names: Iterable[str]) -> list[Mention]:
    """A model's entities as mentions that are still to be looked up, with an empty span at the end of the question if
    it does not contain them. So do ordinary words that are not written as a name: "director" names the relation, even
    if the graph has an entity of that name."""
    found: list[Mention] = []
    for name in list(dict.fromkeys(" ".join(name.split()) for name in names if name.strip()))[:MOST_NAMES]:
        span = locate(name, question)
        taken = [(m.start, m.end) for m in found]
        if span is None or not _is_name(question[slice(*span)]) or any(_across(span, other) for other in taken):
            found.append(unlocated(question, name, "model"))
            continue
        text = question[slice(*span)]
        found.append(Mention(*span, text, (), said="" if text == name else name, source="question"))
    return found


def unlocated(question: str, text: str, source: MentionSource) -> Mention:
    """A mention of an entity that has no place in the question."""
    return Mention(len(question), len(question), text, (), source=source)


def settled(
    question: str, offered: Sequence[Mention], read: Sequence[Mention], given: Collection[tuple[int, int]]
) -> tuple[list[Mention], list[Mention]]:
    """The mentions to work with, all with candidates, and those of the index that lost.

    The model's mentions without a span come last, in its order, and only if no other mention has their entity first.

    Args:
        offered: The model's mentions, looked up.
        read: The index's mentions, looked up.
        given: The spans that a conversation determines, which always stay.
    """
    kept = [mention for mention in read if mention.candidates]
    lost: list[Mention] = []
    beside: list[Mention] = []
    for mention in (m for m in offered if m.candidates):
        rivals = [r for r in kept if _overlap(mention, r)]
        without_place = unlocated(question, mention.said or mention.text, "model")
        without_place = replace(without_place, candidates=mention.candidates)
        if mention.start == mention.end:
            beside.append(mention)
        elif not rivals:
            kept.append(mention)
        elif any((r.start, r.end) in given for r in rivals) or not _yield(rivals, mention):
            beside.append(without_place)
        elif len(rivals) == 1 and _same_span(rivals[0], mention) and _score(rivals[0]) >= _score(mention):
            kept[kept.index(rivals[0])] = replace(rivals[0], source="question")
            beside.append(without_place)
        else:
            lost += [rival for rival in rivals if not _same_span(rival, mention)]
            kept = [*(r for r in kept if r not in rivals), mention]
    kept.sort(key=lambda m: m.start)
    covered = {c.entity.id for m in kept for c in (m.candidates if m.group else m.candidates[:1])}
    for mention in beside:
        if mention.candidates[0].entity.id not in covered:
            covered.add(mention.candidates[0].entity.id)
            kept.append(mention)
    return kept, lost


def _is_name(text: str) -> bool:
    """Whether the text is written as a name, or has a rare word."""
    return text != text.lower() or any(word_class(word) == "rare" for word in fold(text).split())


def _yield(rivals: Sequence[Mention], mention: Mention) -> bool:
    """Whether the index's readings give way to the model's, which links as well or is longer and around them."""
    inside = all(mention.start <= r.start and r.end <= mention.end for r in rivals)
    longer = mention.end - mention.start > sum(r.end - r.start for r in rivals)
    return (inside and longer) or _score(mention) >= max(map(_score, rivals)) - _SLACK


def _score(mention: Mention) -> float:
    return mention.candidates[0].score


def _overlap(one: Mention, other: Mention) -> bool:
    return _across((one.start, one.end), (other.start, other.end))


def _across(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _same_span(one: Mention, other: Mention) -> bool:
    return (one.start, one.end) == (other.start, other.end)
