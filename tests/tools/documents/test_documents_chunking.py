"""Cutting documents into chunks: laws that hold for any text, and what each method does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import METHODS, Chunking, Method, cut
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.chunking.table_segments import in_words, segments
from clew.tools.documents.chunking.units import joined, length
from clew.tools.documents.mentions.names import names_in
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.documents.reading.blocks import Block, Content, Outline, Paragraph, Table
from clew.tools.embedding import Vectors
from clew.tools.embedding.token_budget import estimate
from clew.tools.errors import BadInput
from clew.tools.text_search.sentences import sentences

SIGNS = st.sampled_from([*"abcXYZé日本。.!?,'\"-12 ", " ", "\n", "Mr. ", "3.14 ", "e.g. "])
TEXTS = st.lists(SIGNS, max_size=60).map("".join)


def split(text: str) -> list[str]:
    return [text[first:last] for first, last in sentences(text)]


@settings(deadline=None, max_examples=60)
@given(TEXTS)
def test_sentences_keep_every_word_in_order(text: str) -> None:
    spans = sentences(text)
    assert all(first < last for first, last in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "parts",
    [
        ["Mr. Smith met Dr. J. R. Jones.", "They talked."],
        ["It cost $3.50 in the U.S. market.", "Later it fell to 2.9 per cent."],
        ["He left the U.S. in May.", "She moved to the U.K.", "It rained."],
        ["“Is it far?” she asked.", "“No.”", "He was right."],
        ["Bring e.g. oil, flour etc. and rope!", "Ready?", "Go…", "Now."],
        ["Warner Bros. bought it.", "See Fig. 3 and pp. 4-5.", "S. Z. Sakall fled."],
        ["He was born in 1933.", "Peter fled."],
    ],
)
def test_where_sentences_end(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_where_sentences_end_without_spaces() -> None:
    parts = ["私は学生です。", "彼は「そうか。」", "と言った\uff01", "本当\uff1f", "はい"]
    assert split("".join(parts)) == parts
    assert split("यह एक वाक्य है। दूसरा।") == ["यह एक वाक्य है।", "दूसरा।"]


class Words:
    """Texts as bags of words."""

    name = "words"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.full((len(texts), self.dimension), 0.01, np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, sum(map(ord, word)) % self.dimension] += 1
        found: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return found


@st.composite
def documents(draw: st.DrawFn) -> list[Block]:
    """Blocks as readers make them."""
    outline, blocks = Outline(), list[Block]()
    words = st.text(st.sampled_from([*"abcdeABC", ".", "é"]), min_size=1, max_size=12)
    running = st.lists(words, min_size=1, max_size=90).map(" ".join)
    for kind in draw(st.lists(st.sampled_from(["text", "text", "lines", "heading", "table"]), max_size=9)):
        if kind == "heading":
            blocks.append(outline.heading(draw(running)[:60].strip(), draw(st.integers(1, 3))))
        elif kind == "table":
            width = draw(st.integers(1, 4))
            row = st.tuples(*[st.one_of(st.just(""), words, running) for _ in range(width)])
            rows = draw(st.lists(row, max_size=35))
            header = draw(st.sampled_from([(), tuple(f"c{i}" for i in range(width))]))
            blocks.append(Table(rows, header, draw(st.sampled_from(["", "A caption"])), outline.headings))
        else:
            text = draw(running) + ("\n" + draw(running) if kind == "lines" else "")
            blocks.append(Paragraph(text, outline.headings, draw(st.sampled_from([None, 3]))))
    return blocks


SIZES = st.tuples(st.sampled_from(METHODS), st.integers(20, 80), st.floats(0, 1), st.floats(0, 0.5)).map(
    lambda each: Chunking(each[0], each[1], int(each[2] * each[1]), int(each[3] * each[1]))
)


@settings(deadline=None, max_examples=60)
@given(documents(), SIZES)
def test_no_word_is_lost_and_none_moves(blocks: list[Block], chunking: Chunking) -> None:
    paragraphs = [block for block in blocks if isinstance(block, Paragraph)]
    cuts = list(cut(paragraphs, chunking, estimate, Words()))
    held: list[int] = []
    for units in cuts:
        repeated = next((n for n in range(len(units), 0, -1) if held[-n:] == [id(u) for u in units[:n]]), 0)
        assert not repeated or chunking.method == "tokens"
        assert length(units[:repeated]) <= chunking.overlap
        held += [id(unit) for unit in units[repeated:]]
    assert len(set(held)) == len(held)
    kept = {id(unit): unit for units in cuts for unit in units}
    words = joined([kept[each] for each in held]).split()
    assert words == [word for paragraph in paragraphs for word in paragraph.text.split()]


@settings(deadline=None, max_examples=60)
@given(documents(), SIZES)
def test_no_chunk_is_longer_than_the_most(blocks: list[Block], chunking: Chunking) -> None:
    paragraphs = [block for block in blocks if isinstance(block, Paragraph)]
    for units in cut(paragraphs, chunking, estimate, Words()):
        assert units
        assert length(units) <= chunking.most
        assert estimate(joined(units)) <= chunking.most


@settings(deadline=None, max_examples=60)
@given(documents(), SIZES)
def test_chunks_have_ids_of_their_own_an_order_and_say_the_same_again(blocks: list[Block], chunking: Chunking) -> None:
    def made() -> list[Chunk]:
        return list(chunks_of("d", Content("Title", blocks), chunking, Words(), estimate))

    found = made()
    assert made() == found
    assert len({chunk.id for chunk in found}) == len(found)
    assert [chunk.order for chunk in found] == list(range(len(found)))
    assert all(chunk.text.strip() and chunk.document == "d" and chunk.title for chunk in found)
    for chunk in found:
        assert all(name in chunk.text for name in chunk.entities)


@settings(deadline=None, max_examples=60)
@given(documents())
def test_sections_are_not_mixed_and_small_chunks_only_stand_where_nothing_fits(blocks: list[Block]) -> None:
    paragraphs = [block for block in blocks if isinstance(block, Paragraph)]
    chunking = Chunking("paragraph", 60, 25)
    found = list(cut(paragraphs, chunking, estimate))
    for units in found:
        sections = {unit.paragraph.headings for unit in units if not unit.paragraph.level}
        assert len(sections) <= 1
    for one, other in pairwise(found):
        same = one[-1].paragraph.headings == other[0].paragraph.headings and not other[0].paragraph.level
        if same and length(one) + length(other) <= chunking.most:
            assert min(length(one), length(other)) >= chunking.least


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.text("ab ", max_size=30).map(str.strip), st.text("cd", max_size=200)), max_size=60),
    st.integers(20, 60),
)
def test_segments_have_five_to_ten_rows_where_they_fit(rows: list[tuple[str, str]], most: int) -> None:
    header = ("one", "two")
    found = list(segments(Table(iter(rows), header), "Title", estimate, most))
    given_words = [word for row in rows for word in in_words(row, header).split()] if rows else ["one;", "two"]
    assert [word for each in found for word in each.text.removeprefix("Title").split()] == given_words
    spans = list(dict.fromkeys((each.first, each.last) for each in found)) if rows else []
    assert [n for first, last in spans for n in range(first, last + 1)] == list(range(1, len(rows) + 1))
    for each in found:
        assert each.text.startswith("Title")
        tokens = [estimate(in_words(row, header)) + 1 for row in rows[each.first - 1 : each.last]]
        assert len(tokens) <= 10
        assert len(tokens) <= 5 or sum(tokens) <= most
        if len(tokens) < 5 and each.last < len(rows):
            assert sum(tokens) + estimate(in_words(rows[each.last], header)) + 1 > 2 * most or each.last > len(rows) - 5


def test_an_endless_word_is_cut_and_not_counted() -> None:
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return estimate(text)

    found = list(chunks_of("d", Content("T", [Paragraph("x" * 100_000 + " end")]), Chunking(), count=count))
    assert "".join(chunk.text for chunk in found).replace(" ", "") == "x" * 100_000 + "end"
    assert max(counted) <= 20 * 200 + 1


def test_rows_in_words() -> None:
    assert in_words(("1975", "Jaws", ""), ("year", "title", "note")) == "year: 1975; title: Jaws"
    assert in_words(("Born:", "1946", "Cincinnati"), ()) == "Born: 1946 | Cincinnati"


def test_a_table_is_read_as_a_stream() -> None:
    read = 0

    def rows() -> Iterator[tuple[str, ...]]:
        nonlocal read
        for read in range(1, 100_001):
            yield (f"row {read}", "x")

    found = chunks_of("d", Content("T", [Table(rows(), ("a", "b"))]), Chunking(), count=estimate)
    first = next(found)
    assert (first.place, first.header, first.kind) == ("rows 1-10", ("a", "b"), "table")
    assert read < 50


def test_meaning_decides_where_a_text_is_cut() -> None:
    cats = ["Cats purr and cats sleep.", "Cats chase mice.", "Cats purr when cats sleep."] * 3
    ships = ["Ships sail over oceans.", "Sailors steer ships.", "Ships carry sailors over oceans."] * 3
    text = " ".join(cats + ships)
    found = list(cut([Paragraph(text)], Chunking("semantic", 120, 40), estimate, Words()))
    # A window holds three sentences, so a boundary may be one sentence off.
    assert len(found) == 2
    assert sum(unit.text in ships for unit in found[0]) <= 1
    assert sum(unit.text in cats for unit in found[1]) <= 1


@pytest.mark.parametrize("method", METHODS)
def test_a_heading_stands_with_the_text_under_it(method: Method) -> None:
    outline = Outline()
    blocks = [
        outline.heading("Title", 1),
        outline.heading("Part", 2),
        Paragraph("Body one two three.", outline.headings),
    ]
    (chunk,) = chunks_of("d", Content("Title", blocks), Chunking(method), Words())
    assert chunk.text == "Title\nPart\nBody one two three."
    assert (chunk.title, chunk.place, chunk.topic) == ("Title", "Part", "Part")


def test_places_are_pages_or_headings() -> None:
    pages = [Paragraph("one " * 30, page=2), Paragraph("two " * 60, page=3), Paragraph("three " * 60, page=3)]
    found = list(chunks_of("d", Content("T", pages), Chunking(most=100, least=50), count=estimate))
    assert [chunk.place for chunk in found] == ["pages 2-3", "page 3"]


def test_sizes_that_cannot_be_are_refused() -> None:
    for wrong in ({"most": 5}, {"least": 300}, {"method": "tokens", "overlap": 150}):
        with pytest.raises(BadInput):
            Chunking(**wrong)


def names(text: str, *marked: str) -> list[str]:
    return list(names_in(text, Vocabulary.of([text]), marked))


def test_names_by_their_form() -> None:
    text = (
        "When Alan Lee met J. R. R. Tolkien's son in New York, nobody knew. Nobody from Wētā Workshop came in 1999; "
        'the play "Everybody Comes to Rick\'s" cost 800,000 dollars. Ships sailed for the Lord of the Isles.'
    )
    assert names(text) == [
        "Alan Lee", "J. R. R. Tolkien", "New York", "Wētā Workshop", "1999", "Everybody Comes to Rick's", "800,000",
        "Lord of the Isles",
    ]  # fmt: skip


def test_names_in_other_languages() -> None:
    assert names("Der Film kam. Er sah der Stadt zu, und der Film lief in Köln, wo er blieb.", "Film") == [
        "Film", "Stadt", "Köln",
    ]  # fmt: skip
    assert names("彼は『となりのトトロ』とスタジオジブリを見た。", "宮崎") == ["となりのトトロ", "スタジオジブリ"]
    assert names("seen in the catalogue of ada", "Ada") == []
