"""The token trie: every candidate is a path, and nothing else is."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.learning.decoding import TokenTrie, TrieCache
from tests.tools.learning.decoding_models import END, small_tokenizer

SEQUENCES = st.lists(st.lists(st.integers(1, 4), max_size=6), min_size=1, max_size=30)
QUERIES = (
    "MATCH (a:Line)-[:RUNS_ON]->(b) RETURN b",
    "MATCH (a:Line)-[:RUNS_ON]->(b) RETURN b LIMIT 1",
    "MATCH (a:Line)<-[:STOPS_AT]-(b) RETURN b",
    "MATCH (é:Ligne) RETURN é.`größe`",
)


@given(SEQUENCES)
def test_children_are_the_tokens_that_can_follow(sequences: list[list[int]]) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    ended = [(*sequence, END) for sequence in sequences]
    prefixes = {each[:at] for each in ended for at in range(len(each) + 1)}
    assert len(trie) == len(prefixes)
    for prefix in prefixes:
        node = trie.walk(prefix)
        assert node is not None
        assert trie.depth[node] == len(prefix)
        assert trie.token[trie.path(node)].tolist() == list(prefix)
        following = sorted(
            {each[len(prefix)] for each in ended if len(each) > len(prefix) and each[: len(prefix)] == prefix}
        )
        assert trie.child_tokens(node).tolist() == following
        assert all(trie.parent[child] == node for child in trie.children_of(node))
        assert trie.is_leaf(node) == (prefix in ended)


@given(SEQUENCES)
def test_leaves_name_their_candidates_and_equal_ones_share_the_first(sequences: list[list[int]]) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    assert trie.candidates == len({tuple(sequence) for sequence in sequences})
    for sequence in sequences:
        assert trie.index_of([*sequence, END]) == sequences.index(sequence)
        assert trie.index_of([*sequence, END, 0, 0]) == sequences.index(sequence)
        assert trie.index_of(sequence) is None


@given(SEQUENCES, st.lists(st.integers(0, 5), max_size=7))
def test_what_is_no_prefix_leads_nowhere(sequences: list[list[int]], tokens: list[int]) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    assert (trie.walk(tokens) is not None) == any(sequence[: len(tokens)] == tokens for sequence in sequences)


@given(SEQUENCES)
def test_forced_tokens_have_consecutive_nodes(sequences: list[list[int]]) -> None:
    trie = TokenTrie.from_tokens(sequences, END)
    for node in range(len(trie)):
        stop = int(trie.stop[node])
        assert len(trie.children_of(stop)) != 1
        for forced in range(node, stop):
            assert trie.children_of(forced).tolist() == [forced + 1]


def test_candidates_are_tokenised_as_what_follows_a_line_break() -> None:
    tokenizer = small_tokenizer(QUERIES)
    trie = TokenTrie.build(tokenizer, QUERIES)
    for index, query in enumerate(QUERIES):
        ids = tokenizer("Question?\n" + query)["input_ids"][len(tokenizer("Question?\n")["input_ids"]) :]
        assert trie.index_of([*ids, tokenizer.eos_token_id]) == index
        assert trie.texts[index] == query


def test_a_tokenizer_that_marks_the_start_of_a_text_does_not_mark_candidates() -> None:
    tokenizer = small_tokenizer(["MATCH (a)", "MATCH (b)"], marks_start=True)
    assert tokenizer.convert_ids_to_tokens(tokenizer("MATCH")["input_ids"])[0].startswith("▁")
    trie = TokenTrie.build(tokenizer, ["MATCH (a)", "MATCH (b)"])
    assert "".join(tokenizer.convert_ids_to_tokens(trie.token[1 : trie.stop[0] + 1].tolist())).startswith("MATCH")


def test_where_the_boundary_merges_into_a_candidate_it_is_tokenised_alone() -> None:
    tokenizer = small_tokenizer(["\nMATCH"] * 50, merges_line_breaks=True)
    assert tokenizer("\nMATCH")["input_ids"][: len(tokenizer("\n")["input_ids"])] != tokenizer("\n")["input_ids"]
    trie = TokenTrie.build(tokenizer, ["MATCH"])
    assert trie.index_of([*tokenizer("MATCH")["input_ids"], tokenizer.eos_token_id]) == 0


def test_pieces_are_for_people() -> None:
    tokenizer = small_tokenizer(QUERIES)
    trie = TokenTrie.build(tokenizer, QUERIES[:1])
    path = trie.token[1:].tolist()
    assert "".join(trie.piece(token) for token in path) == QUERIES[0]
    assert trie.piece(tokenizer.eos_token_id) == ""


def test_what_cannot_be_decoded_is_refused() -> None:
    tokenizer = small_tokenizer(QUERIES)
    with pytest.raises(BadInput, match="no valid query"):
        TokenTrie.build(tokenizer, [])
    with pytest.raises(BadInput, match="contains the end token: 'b<eos>'"):
        TokenTrie.build(tokenizer, ["a", "b<eos>"])
    tokenizer.eos_token = None
    with pytest.raises(BadInput, match="no end-of-sequence"):
        TokenTrie.build(tokenizer, ["a"])
    assert TokenTrie.build(tokenizer, ["a"], end_token=0).end_token == 0


def test_a_trie_is_built_once_for_a_tokenizer_and_candidates() -> None:
    tokenizer, other = small_tokenizer(QUERIES), small_tokenizer(["something else", *QUERIES])
    cache = TrieCache()
    trie = cache.get(tokenizer, QUERIES)
    assert cache.get(small_tokenizer(QUERIES), list(QUERIES)) is trie
    assert cache.get(tokenizer, QUERIES[::-1]) is not trie
    assert cache.get(tokenizer, QUERIES, end_token=0) is not trie
    assert cache.get(tokenizer, QUERIES, boundary="") is not trie
    assert cache.get(other, QUERIES) is not trie
    assert cache.get(tokenizer, ["".join(QUERIES[:2]), *QUERIES[2:]]) is not trie
    assert len(cache) == 6


def test_the_cache_drops_what_was_used_longest_ago() -> None:
    tokenizer = small_tokenizer(QUERIES)
    one, two, three = ([query] for query in QUERIES[:3])
    cache = TrieCache(most_nodes=sum(len(TokenTrie.build(tokenizer, texts)) for texts in (one, two)))
    first, second = cache.get(tokenizer, one), cache.get(tokenizer, two)
    assert cache.get(tokenizer, one) is first
    cache.get(tokenizer, three)
    assert cache.get(tokenizer, one) is first
    assert cache.get(tokenizer, two) is not second
    small = TrieCache(most_nodes=0)
    assert small.get(tokenizer, one) is small.get(tokenizer, one)


def test_the_package_imports_torch_transformers_and_numpy_alone() -> None:
    allowed = {"numpy", "tools", "torch", "transformers"} | sys.stdlib_module_names
    root = Path(__file__).resolve().parents[3]
    files = [*(root / "tools" / "decoding").glob("*.py"), root / "tools" / "__init__.py", root / "tools" / "errors.py"]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            else:
                continue
            for name in names:
                assert name.split(".")[0] in allowed, f"{file.name} imports {name}"
                assert not name.startswith("tools") or name == "clew.tools.errors", f"{file.name} imports {name}"
