"""Statements taken apart into claims, and the logic that puts their verdicts together."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.verifying.claims import Claim, Conjunction, Disjunction, Formula, Negation, claims_of
from clew.agents.verifying.decomposition import decompose
from clew.agents.verifying.sentence import plain
from clew.agents.verifying.verdicts import (
    REFUTED,
    SUPPORTED,
    UNKNOWN,
    Finding,
    Verdict,
    conjunction,
    denied,
    disjunction,
    judged,
    negation,
)
from clew.graphs.verify.state import as_plain, from_plain

NAME = re.compile(r"\[(.*?)\]")


def read(statement: str) -> Formula | None:
    """The claims of a statement whose names stand in square brackets."""
    text, turned = plain(statement)
    names: list[tuple[int, int]] = []
    bare = ""
    for part in re.split(r"(\[.*?\])", text):
        if part.startswith("["):
            names.append((len(bare), len(bare) + len(part) - 2))
        bare += part.strip("[]") if part.startswith("[") else part
    formula = decompose(bare, names)
    return Negation(formula) if turned and formula is not None else formula


def told(formula: Formula) -> str:
    if isinstance(formula, Claim):
        return formula.text
    if isinstance(formula, Negation):
        return f"not({told(formula.of)})"
    return f"{'all' if isinstance(formula, Conjunction) else 'any'}({' | '.join(map(told, formula.of))})"


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("No team spends more on pay than the Foxes.", "the Foxes spends the most on pay"),
        ("O'Hare has more runways than any other airport", "O'Hare has the most runways"),
        ("Ann did the most tests of anyone in the lab", "Ann did the most tests"),
        ("Pretty sure Ann both wrote and sang it", "Ann wrote and sang it"),
        ("Ann is one of the writers of Arrival", "Ann is a writer of Arrival"),
        ("It is treated by Ann as well as by Bo", "It is treated by Ann and by Bo"),
        ("No one is here, and more than ten left", "No one is here, and more than ten left"),
    ],
)  # fmt: skip
def test_statements_in_plainer_words(statement: str, meant: str) -> None:
    assert plain(statement)[0] == meant


@pytest.mark.parametrize(
    ("statement", "claims"),
    [
        ("[A] directed [B].", "A directed B"),
        ("[A] directed [B] and [C]", "all(A directed B | A directed C)"),
        ("[A] directed [B], [C] and [D]", "all(A directed B | A directed C | A directed D)"),
        ("Both [A] and [B] starred in [C]", "all(A starred in C | B starred in C)"),
        ("[A] directed [B] and was born in [C]", "all(A directed B | A was born in C)"),
        ("[A] directed [B] and [C] wrote [D]", "all(A directed B | C wrote D)"),
        ("[A], which was directed by [B], stars [C]", "all(A was directed by B | A stars C)"),
        ("[A] stars [B], who was born in [C]", "all(A stars B | B was born in C)"),
        (
            "The director of [A] was born in [B] and won [C]",
            "all(The director of A was born in B | The director of A won C)",
        ),
        ("[A] was directed and written by [B]", "all(A was directed by B | A was written by B)"),
        ("[A] directed a film and was born in [B]", "all(A directed a film | A was born in B)"),
        ("[A] was directed by [B] and has a sequel", "all(A was directed by B | A has a sequel)"),
        ("[A] belongs to the [B] genre and stars [C]", "all(A belongs to the B genre | A stars C)"),
        ("[A] is a [B] film and also starred [C]", "all(A is a B film | A starred C)"),
        ("[A] was directed by [B] or [C]", "any(A was directed by B | A was directed by C)"),
        ("[A] did not direct [B]", "not(A did direct B)"),
        ("[A] didn't direct [B] or [C]", "all(not(A did direct B) | not(A did direct C))"),
        ("[A] was directed by neither [B] nor [C]", "all(not(A was directed by B) | not(A was directed by C))"),
        ("[A] directed [B] but not [C]", "all(A directed B | not(A directed C))"),
        ("[A] was directed by [B], not by [C]", "all(A was directed by B | not(A was directed by C))"),
        ("[A] has no spouse", "not(A has spouse)"),
        ("Nobody directed [A]", "not(someone directed A)"),
        ("It is not true that [A] directed [B] and [C]", "not(all(A directed B | A directed C))"),
        ("It is false that it is not true that [A] directed [B]", "A directed B"),
        ("[A] and [B] are married", "A is married to B"),
        ("[A] and [B] are not siblings", "not(A is a sibling of B)"),
        ("[A] and [B] are films", "A and B are films"),
        ("[A] played [B] in [C]", "all(A played B | any(A in C | B in C))"),
        ("[A]'s flight [B] is flown with [C]", "all(A's flight B | any(B is flown with C))"),
        ("[A]'s flight [B] left [C] and reached [D]", "all(all(A's flight B | any(B left C)) | B reached D)"),
        ("[A] was released in 1979 and was directed by [B]", "all(A was released in 1979 | A was directed by B)"),
    ],
)  # fmt: skip
def test_claims(statement: str, claims: str) -> None:
    formula = read(statement)
    assert formula is not None
    assert told(formula) == claims


def test_parts_are_where_the_names_are() -> None:
    formula = read("[Ridley Scott] directed [Alien] and was born in [South Shields]")
    assert formula is not None
    for claim in claims_of(formula):
        assert claim.text[claim.parts[0].start : claim.parts[0].end] == "Ridley Scott"
    assert [part.mention for claim in claims_of(formula) for part in claim.parts] == [0, 1, 0, 2]


def test_no_name_no_claims() -> None:
    assert decompose("it rains", []) is None


@given(st.text(max_size=80), st.lists(st.integers(0, 80), max_size=8))
def test_any_text_is_decompose(text: str, cuts: list[int]) -> None:
    bare, _ = plain(text)
    ends = sorted({cut for cut in cuts if cut <= len(bare)})
    names = [(a, b) for a, b in zip(ends[::2], ends[1::2], strict=False) if a < b]
    formula = decompose(bare, names)
    if formula is None:
        assert not names
        return
    for claim in claims_of(formula):
        for part in claim.parts:
            assert 0 <= part.start <= part.end <= len(claim.text)


WORDS = st.sampled_from(
    [
        "[A]",
        "[B]",
        "[C]",
        "and",
        "or",
        "not",
        "neither",
        "nor",
        ",",
        "who",
        "which",
        "directed",
        "was",
        "by",
        "born",
        "in",
        "the",
        "a",
        "film",
        "'s",
        "has",
        "no",
        "3",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=14))
def test_any_order_of_words_is_decompose(words: list[str]) -> None:
    formula = read(" ".join(words))
    if formula is not None:
        assert from_plain(json.loads(json.dumps(as_plain(formula)))) == formula
        assert len(denied(formula)) == len(claims_of(formula))


# ---- logic ----------------------------------------------------------------------------------------------------------

verdicts = st.sampled_from([SUPPORTED, REFUTED, UNKNOWN])
ORDER = {REFUTED: 0, UNKNOWN: 1, SUPPORTED: 2}


def finding(verdict: Verdict, confidence: float = 0.5) -> Finding:
    return {"claim": "", "verdict": verdict, "confidence": confidence, "reason": "", "reading": "", "evidence": []}


CLAIM = Claim("x", ())
formulas = st.recursive(
    st.just(CLAIM),
    lambda inner: st.one_of(
        inner.map(Negation), st.lists(inner, min_size=1, max_size=3).map(lambda f: Conjunction(tuple(f))),
        st.lists(inner, min_size=1, max_size=3).map(lambda f: Disjunction(tuple(f))),
    ),
    max_leaves=8,
)  # fmt: skip


@given(verdicts)
def test_twice_not_is_nothing(verdict: Verdict) -> None:
    assert negation(negation(verdict)) == verdict


@given(st.lists(verdicts), verdicts)
def test_a_further_part_never_helps_a_conjunction(parts: list[Verdict], more: Verdict) -> None:
    assert ORDER[conjunction([*parts, more])] == min(ORDER[conjunction(parts)], ORDER[more])
    assert ORDER[disjunction([*parts, more])] == max(ORDER[disjunction(parts)], ORDER[more])


@given(st.lists(verdicts))
def test_de_morgan(parts: list[Verdict]) -> None:
    assert negation(conjunction(parts)) == disjunction([negation(part) for part in parts])


@given(formulas, st.data())
def test_formulas(formula: Formula, data: st.DataObject) -> None:
    count = len(claims_of(formula))
    found = [finding(data.draw(verdicts), data.draw(st.floats(0, 1))) for _ in range(count)]
    result = judged(formula, found)
    assert judged(Negation(Negation(formula)), found) == result
    assert judged(Negation(formula), found).verdict == negation(result.verdict)
    assert 0 <= result.confidence <= 1
    assert set(result.decisive) <= set(range(count))
    assert result.decisive


def raised(found: list[Finding], at: int) -> Iterator[list[Finding]]:
    """The findings with one verdict nearer to support."""
    for verdict in (SUPPORTED, REFUTED, UNKNOWN):
        if ORDER[verdict] >= ORDER[found[at]["verdict"]]:
            yield [*found[:at], finding(verdict), *found[at + 1 :]]


@given(st.lists(verdicts, min_size=1, max_size=4), st.data())
def test_a_conjunction_is_monotone(parts: list[Verdict], data: st.DataObject) -> None:
    formula = Conjunction(tuple(CLAIM for _ in parts))
    found = [finding(part) for part in parts]
    at = data.draw(st.integers(0, len(parts) - 1))
    before = ORDER[judged(formula, found).verdict]
    assert all(ORDER[judged(formula, better).verdict] >= before for better in raised(found, at))
