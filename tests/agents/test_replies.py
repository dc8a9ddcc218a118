"""Replies of models: every form they come in is read, nothing fails, nothing is run, nothing takes long."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clew.agents.replies import (
    CitedAnswer,
    RawArtifacts,
    parse_answers,
    parse_artifacts,
    parse_json,
    parse_next_entities,
    parse_selected,
)

PARSERS: list[Callable[[str], object]] = [
    parse_artifacts,
    parse_answers,
    parse_selected,
    parse_next_entities,
    parse_json,
]
CYPHER = 'MATCH (t:Train {name: "Silver Heron"})-[:RUNS_ON]->(l:Line)\nRETURN l.name'
WHOLE = f"""<entities>
Silver Heron
Quill Junction
</entities>
<paths>
RUNS_ON -> STOPS_AT
RUNS_ON
</paths>
<opencypher>
{CYPHER}
</opencypher>
<answers>
Marsh Line
</answers>"""
READ = RawArtifacts(
    ("Silver Heron", "Quill Junction"),
    ("RUNS_ON -> STOPS_AT", "RUNS_ON"),
    (CYPHER,),
    ("Marsh Line",),
    parts=frozenset({"entities", "paths", "opencypher", "answers"}),
)


def test_a_reply_as_it_was_asked_for() -> None:
    assert parse_artifacts(WHOLE) == READ


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE.replace("entities>", "ENTITIES>").replace("<answers>", "<Answers>"),
        WHOLE.replace("<", "< ").replace("</ ", "</"),
        WHOLE.replace("<entities>", "<Topic Entities>").replace("</entities>", "</topic_entities>"),
        WHOLE.replace("<opencypher>", "<cypher>").replace("</opencypher>", "</cypher>"),
        WHOLE.replace("<entities>", '<entities type="list">'),
        WHOLE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
        WHOLE.replace("<entities>", "\uff1centities\uff1e").replace("</entities>", "\uff1c/entities\uff1e"),
        f"Sure! Here is what you asked for:\n\n{WHOLE}\n\nI hope that this helps. Let me know!",
        f"```xml\n{WHOLE}\n```",
        f"<think>Perhaps <entities>Wrong</entities>, or {{'entities': 3}}?</think>{WHOLE}",
        f"The question asks <entities>Wrong</entities></think>\n{WHOLE}",
        f"<entities>\nname one\n</entities>\nNow for the question:\n{WHOLE}",
        f"<think>this never ends\n{WHOLE}",
        WHOLE.replace("\n", "\r\n"),
        WHOLE.replace(CYPHER, f"```cypher\n{CYPHER}\n```"),
        WHOLE.replace(CYPHER, f"cypher\n{CYPHER};"),
        WHOLE.replace(CYPHER, f"Here is the query:\n{CYPHER}\n\nIt returns the line."),
        WHOLE.replace(CYPHER, f"{CYPHER};\nMATCH (n) DETACH DELETE n"),
        WHOLE.replace(CYPHER, f"{CYPHER}\n\nMATCH (n) RETURN n"),
        WHOLE.replace("Silver Heron\nQuill", "- Silver Heron\n- Quill", 1),
        WHOLE.replace("Silver Heron\nQuill", "1. Silver Heron\n2. Quill", 1),
        WHOLE.replace("Silver Heron\nQuill", "\u2022 **Silver Heron**\n* Quill", 1),
        WHOLE.replace("Silver Heron\nQuill", "\u201eSilver Heron\u201c,\n\u00abQuill Junction\u00bb;\nQuill", 1),
        WHOLE.replace("Silver Heron\nQuill", "\u300cSilver Heron\u300d\n\u2018Quill Junction\u2019\nNone\nQuill", 1),
        WHOLE.replace("Silver Heron\nQuill Junction", '["Silver Heron", "Quill Junction",]', 1),
        WHOLE.replace("Silver Heron\nQuill Junction", '"Silver Heron", "Quill Junction"', 1),
        WHOLE.replace("Silver Heron\n", "<entity>Silver Heron</entity><entity>Quill Junction</entity>\n", 1),
        WHOLE.replace("Marsh Line", "Marsh Line [F1]"),
        WHOLE.replace("RUNS_ON -> STOPS_AT\n", "- RUNS_ON -> STOPS_AT\n* `RUNS_ON`\n"),
    ],
)  # fmt: skip
def test_the_same_reply_in_other_clothes(reply: str) -> None:
    assert parse_artifacts(reply) == READ


@pytest.mark.parametrize(
    "reply",
    [
        '{"entities": ["Silver Heron", "Quill Junction"], "paths": ["RUNS_ON -> STOPS_AT", "RUNS_ON"], '
        '"opencypher": "CYPHER", "answers": ["Marsh Line"]}',
        "Here:\n```json\n{'Entities': ['Silver Heron', 'Quill Junction',], // what it names\n 'relation_paths': "
        "[['RUNS_ON', 'STOPS_AT'], ['RUNS_ON']],\n 'cypher': 'CYPHER', 'answers': ('Marsh Line'),}\n```\nDone {so}.",
        "{entities: [Silver Heron, Quill Junction], paths: ['RUNS_ON -> STOPS_AT', RUNS_ON], /* one */ "
        "opencypher: \u201cCYPHER\u201d, answers: {\u00abMarsh Line\u00bb}}",
        '{"result": {"entities": [{"name": "Silver Heron", "type": "Train"}, {"name": "Quill Junction"}], "paths": '
        '[{"relations": ["RUNS_ON", "STOPS_AT"]}, "RUNS_ON"], "opencypher": ["CYPHER"], "answers": "Marsh Line"',
    ],
)
def test_json_in_place_of_tags(reply: str) -> None:
    written = CYPHER.replace("\n", "\\n").replace('"', '\\"')
    assert parse_artifacts(reply.replace("CYPHER", written)) == READ


def test_headings_in_place_of_tags() -> None:
    lists = "**Entities:**\n- Silver Heron\n- Quill Junction\n\n### Paths:\nRUNS_ON -> STOPS_AT\n\nAnswers: Marsh Line"
    found = parse_artifacts(f"{lists}\n\n```cypher\n{CYPHER}\n```")
    assert found.entities == ("Silver Heron", "Quill Junction")
    assert found.paths == ("RUNS_ON -> STOPS_AT",)
    assert found.answers == ("Marsh Line",)
    assert found.cypher == (CYPHER,)


def test_a_cut_reply_gives_what_came() -> None:
    found = parse_artifacts("<entities>\nSilver Heron\n</entities>\n<paths>\nRUNS_ON -> STOPS_AT\nRUNS_ON -> ST")
    assert (found.entities, found.paths) == (("Silver Heron",), ("RUNS_ON -> STOPS_AT", "RUNS_ON -> ST"))
    assert found.cut_off
    assert parse_artifacts("<entities>\nSilver Heron\n</enti").entities == ("Silver Heron",)
    assert parse_artifacts("<think>Let me see, the train is").parts == frozenset()


def test_empty_parts_are_parts() -> None:
    found = parse_artifacts("<entities>\n</entities>\n<paths>None</paths><answers/>")
    assert found == RawArtifacts(parts=frozenset({"entities", "paths", "answers"}))
    assert parse_artifacts("I cannot answer that.") == RawArtifacts()


@pytest.mark.parametrize("word", ["FINISH", "finish", "**FINISH**", "FINISH.", "- Finished"])
def test_finish(word: str) -> None:
    assert parse_artifacts(f"<entities>\n{word}\n</entities>").finished
    assert parse_next_entities(f"<next-entities> {word} </next-entities>") == ([], True)


def test_finish_next_to_names_ends_nothing() -> None:
    assert parse_next_entities("<next_entities>\nFINISH\nQuill Junction\n</next_entities>") == (
        ["Quill Junction"],
        False,
    )
    assert parse_next_entities("<next-entities></next-entities>") == ([], False)
    assert parse_artifacts("FINISH").finished


@pytest.mark.parametrize(
    ("part", "query"),
    [
        ("MATCH (a)\nRETURN a.x,\n  a.y\nORDER BY a.x\nThis is it.", "MATCH (a)\nRETURN a.x,\n  a.y\nORDER BY a.x"),
        ("MATCH (a {n: 'x; y'}) RETURN a; MATCH (b) RETURN b", "MATCH (a {n: 'x; y'}) RETURN a"),
        ("MATCH (a) RETURN a\nUNION\nMATCH (b) RETURN b", "MATCH (a) RETURN a\nUNION\nMATCH (b) RETURN b"),
        ("CALL {\nMATCH (a) RETURN a\n}\nRETURN a", "CALL {\nMATCH (a) RETURN a\n}\nRETURN a"),
        ("Query: MATCH (a) RETURN a", "MATCH (a) RETURN a"),
        ("The query is MATCH (a) RETURN a", "MATCH (a) RETURN a"),
        ("With the schema above:\nMATCH (a) RETURN a", "MATCH (a) RETURN a"),
        ("with 3 as x match (a) return a", "with 3 as x match (a) return a"),
        ("WITH 3 AS x\nMATCH (a) RETURN a", "WITH 3 AS x\nMATCH (a) RETURN a"),
        ("MATCH (a) WHERE a.x &lt; 3 RETURN a", "MATCH (a) WHERE a.x < 3 RETURN a"),
        ("MATCH (a) WHERE a.x < 3 AND a.y > 2 RETURN a", "MATCH (a) WHERE a.x < 3 AND a.y > 2 RETURN a"),
        ("MATCH (n) DETACH DELETE n", "MATCH (n) DETACH DELETE n"),
    ],
)  # fmt: skip
def test_one_clean_statement(part: str, query: str) -> None:
    assert parse_artifacts(f"<opencypher>\n{part}\n</opencypher>").cypher == (query,)


@pytest.mark.parametrize("part", ["", "None", "No query is needed.", "```\n```"])
def test_no_statement(part: str) -> None:
    assert parse_artifacts(f"<opencypher>{part}</opencypher>").cypher == ()


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("Alder Cross [F1]", [CitedAnswer("Alder Cross", ("F1",))]),
        ("- **Alder Cross** [F1, q2]", [CitedAnswer("Alder Cross", ("F1", "Q2"))]),
        ("1. \u201cAlder Cross\u201d [F1][F3]", [CitedAnswer("Alder Cross", ("F1", "F3"))]),
        ("Alder Cross \u3010F1, F2\u3011", [CitedAnswer("Alder Cross", ("F1", "F2"))]),
        ("Alder Cross (F1)", [CitedAnswer("Alder Cross", ("F1",))]),
        ("[F1] Alder Cross", [CitedAnswer("Alder Cross", ("F1",))]),
        ("Alder Cross [F1-F3]", [CitedAnswer("Alder Cross", ("F1", "F2", "F3"))]),
        ("Alder Cross [F1] \u2013 because [F2] says so", [CitedAnswer("Alder Cross", ("F1", "F2"))]),
        ("Alder Cross", [CitedAnswer("Alder Cross")]),
        ("Upland, Ltd. [F1], Marsh [F2]", [CitedAnswer("Upland, Ltd.", ("F1",)), CitedAnswer("Marsh", ("F2",))]),
        ("Signals [1999] (F3)", [CitedAnswer("Signals [1999]", ("F3",))]),
        ("Signals (ballet)", [CitedAnswer("Signals (ballet)")]),
        ("Alder Cross [2]", [CitedAnswer("Alder Cross")]),
        ("ALL [Q1]", [CitedAnswer("", ("Q1",), all=True)]),
        ("all of [Q1, Q2]", [CitedAnswer("", ("Q1", "Q2"), all=True)]),
        ("All rows from [Q2]", [CitedAnswer("", ("Q2",), all=True)]),
        ("ALL Q1", [CitedAnswer("", ("Q1",), all=True)]),
        ("All Saints [F2]", [CitedAnswer("All Saints", ("F2",))]),
        ("None", []),
        ("I don't know.", []),
        ("Alder Cross [F1]\nAlder Cross [F2]", [CitedAnswer("Alder Cross", ("F1", "F2"))]),
        ('["Alder Cross [F1]", "Marsh"]', [CitedAnswer("Alder Cross", ("F1",)), CitedAnswer("Marsh")]),
        ('[{"name": "Alder Cross", "citations": ["F1", "Q2"]}]', [CitedAnswer("Alder Cross", ("F1", "Q2"))]),
    ],
)
def test_answers_with_citations(line: str, answers: list[CitedAnswer]) -> None:
    assert parse_answers(f"It is so.\n<answers>\n{line}\n</answers>").lines == answers


def test_answers_without_tags() -> None:
    assert parse_answers("The answer is: Alder Cross [F1]").lines == [CitedAnswer("Alder Cross", ("F1",))]
    assert parse_answers('{"answers": [{"answer": "Marsh", "sources": "F2"}]}').lines == [CitedAnswer("Marsh", ("F2",))]
    assert parse_answers("Answers:\n- Marsh [F2]\n- Alder [F3]").lines == [
        CitedAnswer("Marsh", ("F2",)),
        CitedAnswer("Alder", ("F3",)),
    ]
    assert parse_answers("<answer>Marsh [F2]</answer>\n<answer>Alder</answer>").lines == [
        CitedAnswer("Marsh", ("F2",)),
        CitedAnswer("Alder"),
    ]
    assert parse_answers("<entities>\nMarsh\n</entities>").lines == []


def test_each_parser_takes_its_own_part() -> None:
    reply = f"{WHOLE}\n<selected>\nRUNS_ON\n- stops at\n</selected>\n<next-entities>\nMarsh Line\n</next-entities>"
    assert parse_selected(reply) == ["RUNS_ON", "stops at"]
    assert parse_next_entities(reply) == (["Marsh Line"], False)
    assert parse_next_entities(WHOLE) == (["Silver Heron", "Quill Junction"], False)
    assert parse_selected("RUNS_ON\nSTOPS_AT") == ["RUNS_ON", "STOPS_AT"]
    assert parse_selected('```json\n["RUNS_ON"]\n```') == ["RUNS_ON"]
    assert parse_selected("<select>RUNS_ON</select>") == ["RUNS_ON"]
    assert parse_selected(WHOLE) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, true, null, "x\\u00e9\\n"]}', {"a": [1, 2.5, True, None, "xé\n"]}),
        ("{'a': None, 'b': True, 'c': (1, 2),}", {"a": None, "b": True, "c": [1, 2]}),
        ("so [note]: {a: 1, /* x */ b: 'it''s' # y\n}", {"a": 1, "b": "it''s"}),
        ("{'names': ['Thornton's Mill', \"O'Hara\"]}", {"names": ["Thornton's Mill", "O'Hara"]}),
        ('{"a": "she said "so" twice", "b": 2}', {"a": 'she said "so" twice', "b": 2}),
        ('{"a": ["x", "y', {"a": ["x", "y"]}),
        ('{"a": {"b": [', {"a": {"b": []}}),
        ('{"a" = 1, "b" => 2}', {"a": 1, "b": 2}),
        ('["a" "b"\n"c"]', ['a" "b', "c"]),
        ("{'x', 'y'}", ["x", "y"]),
        ("\u201ca\u201d is [\u201eb\u201c, \u00abc\u00bb, \u300cd\u300d]", ["b", "c", "d"]),
        ('{"a": 1} {"a": 1, "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "\\ud83d\\ude80 \\ud83d"}', {"a": "\U0001f680 \ufffd"}),
        ('{"a": 1' + "0" * 5000 + "}", {"a": "1" + "0" * 5000}),
        ("__import__('os').system('x')", None),
        ("nothing here", None),
        ("[]", None),
    ],
)
def test_json_as_models_write_it(text: str, value: object) -> None:
    assert parse_json(text) == value


FRAGMENTS = st.sampled_from(
    ["<entities>", "</entities>", "<paths>", "</paths>", "<opencypher>", "</opencypher>", "<answers>", "</answers>",
     "<answer>", "</answer>", "<selected>", "<next-entities>", "FINISH", "<think>", "</think>", "```", "```json", "{",
     "}", "[", "]", "(", ")", '"', "'", "\\", ":", ",", ";", "\n", " ", "//", "/*", "*/", "#", "&lt;", "&gt;",
     "[F1, Q2]", "[F1-F9999]", "ALL", "None", "- ", "1. ", "->", "MATCH (n)", "RETURN n", "\u201e", "\u300c", "\uff1c",
     "\ud800",
     "\x00", "null", "1e999", "-", "**", "0", "Answers:", "\\u12", "a"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.one_of(FRAGMENTS, st.text(max_size=3)), max_size=60).map("".join))


@given(TEXTS)
@example("[" * 5000)
@example('{"a":' * 5000)
@example("1" * 5000)
@example('["\\')
def test_no_text_breaks_a_parser(text: str) -> None:
    found = parse_artifacts(text)
    for item in (*found.entities, *found.paths, *found.answers):
        assert 0 < len(item) <= 300
        assert item == item.strip()
    assert len(found.cypher) <= 1
    for answer in parse_answers(text).lines:
        assert answer.all != bool(answer.name)
        assert all(code[0] in "FQ" and code[1:].isdigit() for code in answer.citations)
    assert all(parse_selected(text))
    names, finished = parse_next_entities(text)
    assert not (names and finished)
    assert isinstance(parse_json(text), dict | list | None)


NO_NAMES = {"none", "na", "null", "nil", "nothing", "empty", "finish", "finished", "undefined"}
NAMES = st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=12).filter(
    lambda name: name.casefold() not in NO_NAMES and not name.isdigit()
)  # fmt: skip


@given(
    st.lists(NAMES, max_size=8, unique=True), st.sampled_from(["{}", "- {}", '"{}"', "\u00ab{}\u00bb", "**{}**"]), TEXTS
)
def test_what_is_between_the_tags_is_found_whatever_is_around(names: list[str], form: str, before: str) -> None:
    lines = "\n".join(form.replace("{}", name) for name in names)
    around = before.replace("<", "").replace("&", "").replace("\uff1c", "").replace("`", "")
    reply = f"{around}\n<entities>\n{lines}\n</entities>\n{around}"
    assert list(parse_artifacts(reply).entities) == names


LONG = {
    "prose": "word and word. " * 13_000,
    "brackets": "[" * 200_000,
    "tags": "<entities>" * 20_000,
    "nested tags": "<answers><answer>" * 12_000,
    "open quotes": "[\u00aba\n" * 50_000,
    "inner quotes": '{"a": "b" "c\' ' * 14_000,
    "escapes": '["\\' * 66_000,
    "fences": "```\n" * 50_000,
    "citations": "<answers>" + "a [F1] " * 28_000,
    "ranges": "<answers>" + "a [F1-F99999] " * 14_000,
    "quoted line": "<entities>" + '"a", ' * 40_000,
    "spaces": "<entities>" + " \t" * 99_000 + "x",
    "statement": "<opencypher>MATCH (n) " + "'\\\"" * 60_000,
    "comments": "[/*" * 66_000,
    "thinking": "<think>" * 28_000,
    "numbers": "<answers>" + "".join(f"{i}. a\n" for i in range(25_000)),
    "blanks in a line": "- a" + " " * 190_000 + "b",
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("parse", PARSERS)
def test_200_kb_take_no_time(kind: str, parse: Callable[[str], object]) -> None:
    text = LONG[kind]
    assert len(text) > 150_000
    started = time.process_time()
    parse(text)
    assert time.process_time() - started < 0.5, "0.1 s on an idle machine; the rest is for busy ones"
