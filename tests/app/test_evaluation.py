"""Question files, scores worked out by hand, and runs that meet failures."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from clew.app.cli.evaluate import evaluate
from clew.app.cli.evaluation_report import figure_lines
from clew.app.evaluation.evaluation import METRICS, Evaluation, linked_at_1, percentile, score, score_ids
from clew.app.evaluation.questions import Question, read_questions, sample
from clew.tools.errors import BadInput, DatabaseUnavailable, QueryFailed


def test_a_list_answer_scored_by_hand() -> None:
    s = score(["c", "a", "x", "b"], ["a", "b", "d"])
    assert (s.hits_at_1, s.hits_at_5, s.mrr) == (0, 1, 1 / 2)
    assert (s.set_precision, s.set_recall) == (2 / 4, 2 / 3)
    assert s.set_f1 == pytest.approx(4 / 7)
    assert (s.recall_at_20, s.exact_set, s.answered) == (2 / 3, 0, 1)


def test_a_complete_answer_in_any_order_is_exact() -> None:
    s = score(["B", "a"], ["A ", "b"])
    assert all(getattr(s, metric) == 1 for metric in METRICS)


def test_nothing_answered_scores_nothing() -> None:
    s = score([], ["a"])
    assert all(getattr(s, metric) == 0 for metric in METRICS)


def test_a_question_without_gold_is_right_when_nothing_is_answered() -> None:
    right, wrong = score([], []), score(["a"], [])
    assert (right.hits_at_1, right.exact_set, right.set_f1, right.answered) == (1, 1, 1, 0)
    assert (wrong.hits_at_1, wrong.exact_set, wrong.set_f1, wrong.answered) == (0, 0, 0, 1)


def test_ranks_beyond_five_and_twenty() -> None:
    names = [f"x{i}" for i in range(25)]
    sixth = score(names, ["x5"])
    assert (sixth.hits_at_5, sixth.mrr, sixth.recall_at_20) == (0, 1 / 6, 1)
    late = score(names, ["x0", "x24"])
    assert (late.hits_at_1, late.recall_at_20, late.set_recall, late.set_precision) == (1, 1 / 2, 1, 2 / 25)


def test_nodes_of_one_name_count_once() -> None:
    s = score(["a", "A", "b"], ["b"])
    assert (s.mrr, s.set_precision) == (1 / 2, 1 / 2)


def test_names_are_compared_composed_and_folded() -> None:
    assert score(["Ame\u0301lie  POULAIN"], ["Amélie Poulain"]).exact_set == 1
    assert score(["Amelie"], ["Amélie"]).exact_set == 0


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_laws_of_the_scores(answers: list[str], gold: list[str]) -> None:
    s = score(answers, gold)
    assert all(0 <= getattr(s, metric) <= 1 for metric in METRICS)
    assert s.hits_at_1 <= s.mrr
    assert s.hits_at_1 <= s.hits_at_5
    assert (s.set_f1 == 1) == (s.exact_set == 1)
    assert min(s.set_precision, s.set_recall) <= s.set_f1 <= max(s.set_precision, s.set_recall)
    assert s.hits_at_1 <= s.answered or not gold


def test_ids_are_compared_as_they_are() -> None:
    s = score_ids(["Person-1", "person-2", "person-1"], ["person-1"])
    assert (s.hits_at_1, s.hits_at_5, s.mrr, s.recall_at_20, s.set_precision) == (0, 1, 1 / 3, 1, 1 / 3)


def test_answers_without_an_id_take_their_ranks() -> None:
    s = score_ids([None, None, "a"], ["a"])
    assert (s.mrr, s.set_precision, s.answered) == (1 / 3, 1 / 3, 1)
    assert score_ids([None] * 20 + ["a"], ["a"]).recall_at_20 == 0


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_where_names_are_ids_both_scores_are_the_same(answers: list[str], gold: list[str]) -> None:
    assert score_ids(answers, gold) == score(answers, gold)


def test_percentiles_interpolate() -> None:
    assert percentile([], 0.5) is None
    assert percentile([7], 0.95) == 7
    assert percentile([4, 1, 3, 2], 0.5) == 2.5
    assert percentile([10, 20, 30], 0.95) == pytest.approx(29)


def test_linking_wants_every_topic_first_for_some_mention() -> None:
    answer = {"linked": [{"candidates": [{"name": "Emma"}, {"name": "Emmanuel"}]}, {"candidates": []}]}
    assert linked_at_1(answer, ["emma"]) == 1
    assert linked_at_1(answer, ["Emmanuel"]) == 0
    assert linked_at_1(answer, ["Emma", "Jane"]) == 0
    assert linked_at_1({}, ["Emma"]) == 0


def replies(given: dict[str, list[str]]) -> Any:
    def ask(question: str) -> Mapping[str, Any]:
        if question == "breaks":
            raise QueryFailed("no such thing")
        if question == "crashes":
            raise KeyError("x")
        if question == "gone":
            raise DatabaseUnavailable("The database does not answer.")
        return {"answers": [{"name": name} for name in given[question]], "linked": []}

    return ask


def test_a_run_groups_by_path_and_counts_failures() -> None:
    questions = [
        Question("one", ("a",), ("t",), "p > q"),
        Question("two", ("a", "b"), (), "p > q"),
        Question("breaks", (), (), "r"),
        Question("crashes", ("a",)),
    ]
    seen: list[None] = []
    evaluation = Evaluation()
    evaluation.run(questions, replies({"one": ["a"], "two": ["a"]}), done=lambda: seen.append(None))
    figures = evaluation.figures()
    assert len(seen) == figures["n"] == 4
    assert (figures["hits_at_1"], figures["exact_set"], figures["answered"]) == (0.5, 0.25, 0.5)
    assert figures["set_f1"] == pytest.approx((1 + 2 / 3) / 4, abs=1e-6)
    assert (figures["errors"], figures["linking_at_1"]) == (2, 0)
    assert figures["error_messages"] == ["breaks: no such thing", "crashes: KeyError: 'x'"]
    assert list(figures["by_path"]) == ["p > q", "r"]
    assert (figures["by_path"]["p > q"]["n"], figures["by_path"]["p > q"]["hits_at_1"]) == (2, 1)
    assert figures["by_path"]["r"]["linking_at_1"] is None
    assert figures["latency_ms"]["p95"] >= figures["latency_ms"]["p50"] >= 0


def test_a_run_compares_ids_where_a_question_has_them() -> None:
    evaluation = Evaluation()
    found = {"answers": [{"name": "Emma", "id": "book-2"}, {"name": "Emma", "id": "book-1"}, {"name": "3", "id": None}]}
    by_name, by_id = Question("?", ("emma",)), Question("?", ("emma",), answer_ids=("book-1",))
    evaluation.run([by_name, by_id, Question("?", (), answer_ids=("3",))], lambda _: found)
    assert evaluation.figures()["scored_by_id"] == 2
    assert [s.mrr for s in evaluation.overall.scores] == [1, 1 / 2, 0]


def test_a_lost_database_ends_the_run_and_keeps_what_was_scored() -> None:
    evaluation = Evaluation()
    questions = [Question("one", ("a",)), Question("gone", ("a",)), Question("one", ("a",))]
    with pytest.raises(DatabaseUnavailable):
        evaluation.run(questions, replies({"one": ["a"]}))
    assert evaluation.figures()["n"] == 1


def test_no_question_gives_no_figures() -> None:
    figures = Evaluation().figures()
    assert (figures["n"], figures["hits_at_1"], figures["latency_ms"]["p50"]) == (0, None, None)


GOOD = {"question": "who?", "answers": ["a", 1994], "topics": ["t"], "path": ["p", "q"]}


@pytest.mark.parametrize("name", ["questions.jsonl", "questions.jsonl.gz"])
def test_files_plain_and_gzipped(tmp_path: Path, name: str) -> None:
    text = json.dumps(GOOD) + "\n\n" + json.dumps({"question": "and?", "answers": [], "path": "p_q"}) + "\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    read = read_questions(path)
    assert read.items == [Question("who?", ("a", "1994"), ("t",), "p > q"), Question("and?", (), (), "p_q")]
    assert read.bad_lines == []


def test_bad_lines_are_named_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    lines = [json.dumps(GOOD), "{", "[]", '{"question": "x"}', '{"question": "x", "answers": "y"}', '{"answers": []}']
    path.write_text("\n".join(lines), encoding="utf-8")
    read = read_questions(path)
    assert len(read.items) == 1
    assert [line.split(": ")[0] for line in read.bad_lines] == [f"{path}:{n}" for n in range(2, 7)]
    assert "not JSON" in read.bad_lines[0]
    assert "`answers` is not a list" in read.bad_lines[3]


BOTH = {"question": "who?", "answers": ["a"], "answer_ids": ["n1", 2], "type": "person"}


def test_lines_may_have_ids_names_or_both(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    only_ids = {"question": "which?", "answer_ids": []}
    path.write_text("\n".join(map(json.dumps, [BOTH, GOOD, only_ids])), encoding="utf-8")
    assert read_questions(path).items == [
        Question("who?", ("a",), (), "person", ("n1", "2")),
        Question("who?", ("a", "1994"), ("t",), "p > q"),
        Question("which?", (), answer_ids=()),
    ]
    by_id, by_name = read_questions(path, "id"), read_questions(path, "name")
    assert [question.answer_ids for question in by_id.items] == [("n1", "2"), ()]
    assert by_id.bad_lines == [f"{path}:2: no `answer_ids`"]
    assert [question.answer_ids for question in by_name.items] == [None, None]
    assert by_name.bad_lines == [f"{path}:3: no `answers`"]


def test_a_line_with_neither_says_both(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"question": "x"}), encoding="utf-8")
    with pytest.raises(BadInput, match="no `answers` and no `answer_ids`"):
        read_questions(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no file"),
        (b"", "is empty"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"{\n", ":1: not JSON"),
        (b"\x1f\x8b\x08", "read"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "q.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=says):
        read_questions(path)


def test_samples_are_the_seeds_own() -> None:
    questions = [Question(str(i), ()) for i in range(100)]
    first = sample(questions, 10, 1)
    assert first == sample(questions, 10, 1)
    assert len({q.text for q in first}) == 10
    assert first != sample(questions, 10, 2)
    assert sample(questions, None, 1) == sample(questions, 100, 1) == questions


def test_what_models_took_is_added_up() -> None:
    def told(calls: int, price: float | None) -> dict[str, object]:
        cost = {"calls": calls, "input_tokens": 100, "output_tokens": 10, "estimated": calls > 2, "price": price}
        return {"answers": [{"name": "x"}], "model": cost}

    answers = [told(2, 0.25), told(3, 0.5), {"answers": [], "model": None}]
    evaluation = Evaluation()
    evaluation.run([Question(str(i), ("x",)) for i in range(3)], lambda text: answers[int(text)])
    assert evaluation.figures()["model"] == {
        "calls": 5, "calls_per_question": 2.5, "most_calls": 3, "input_tokens": 200, "output_tokens": 20,
        "estimated": True, "price": 0.75,
    }  # fmt: skip
    evaluation.run([Question("0", ("x",))], lambda _: told(1, None))
    assert evaluation.figures()["model"]["price"] is None


def test_without_a_model_there_are_no_costs() -> None:
    evaluation = Evaluation()
    evaluation.run([Question("0", ("x",))], lambda _: {"answers": []})
    assert evaluation.figures()["model"] is None


def test_the_report_says_what_was_compared_by_id() -> None:
    evaluation = Evaluation()
    found = {"answers": [{"name": "Emma", "id": "book-1"}]}
    evaluation.run([Question("?", (), (), "a > b", ("book-1",)), Question("?", ("x",))], lambda _: found)
    lines = list(figure_lines(evaluation.figures()))
    assert lines[0].endswith("2 (1 scored by node id)")
    head, row = (next(line.split() for line in lines if line.startswith(start)) for start in ("gold path", "a > b"))
    assert head[2:] == ["n", "hits_at_1", "hits_at_5", "recall_at_20", "mrr", "set_f1"]
    assert row[3:] == ["1", *["1.000"] * 5]


def test_the_help_tells_of_ids() -> None:
    said = CliRunner().invoke(evaluate, ["--help"]).output
    assert "answer_ids" in said
    assert "--by [id|name]" in said
