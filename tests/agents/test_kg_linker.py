"""KG-Linker with a model: what is made of replies that are good, wrong, broken, empty, or do not come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.evidence import RelationStep
from clew.agents.linking.kg_linker import MOST_ENTITIES, Hints, Linked, link, locate
from clew.agents.linking.relation_names import RelationNames
from clew.agents.linking.relation_paths import LONGEST_PATH, read_paths
from clew.agents.models.calls import ModelFailed, Reply, Usage
from clew.agents.models.endpoint import Endpoint, ModelSpec
from clew.agents.models.failures import Retries
from clew.agents.models.role_models import Models
from clew.agents.prompting import Prompt
from clew.tools.embedding import Vectors
from clew.tools.embedding.token_budget import counter, estimate
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.schema_text import schema_text
from tests.scripted_model import ScriptedModel, failing

SCHEMA = Schema(
    {"Station": 5, "Line": 3, "Train": 4, "Town": 3, "Person": 6, "Company": 3},
    (
        Relation("STOPS_AT", "Line", "Station", 12),
        Relation("LOCATED_IN", "Station", "Town", 5),
        Relation("RUNS_ON", "Train", "Line", 4),
        Relation("BUILT_BY", "Train", "Company", 4),
        Relation("driven_by", "Train", "Person", 4),
        Relation("FOUNDED_BY", "Company", "Person", 3),
        Relation("MARRIED_TO", "Person", "Person", 1),
        Relation("DESIGNED_BY", "Station", "Person", 2),
        Relation("people.person.bornIn", "Person", "Town", 6),
    ),
    (Property("Station", "opened", "INTEGER", 5, (1871,)),),
    "1",
)
TEXT = schema_text(SCHEMA, count=estimate).text
QUESTION = "Which towns does the line of the Silver Heron stop in?"
NAMES = Hints(names=(("Silver Heron", "Train"),))
CYPHER = (
    'MATCH (:Train {name: "Silver Heron"})-[:RUNS_ON]->(:Line)-[:STOPS_AT]->(:Station)-[:LOCATED_IN]->(t) RETURN t.name'
)


@dataclass
class Scripted:
    """A model that says its replies one after the other; one that is an error is raised."""

    replies: Sequence[str | ModelFailed]
    prompts: list[Prompt] = field(default_factory=list)
    finish_reason: str = "stop"

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        reply = self.replies[len(self.prompts) - 1]
        if isinstance(reply, ModelFailed):
            raise reply
        return Reply(reply, Usage(10, 10), "scripted", self.finish_reason)


def said(entities: str = "", paths: str = "", cypher: str = "", answers: str = "") -> str:
    return (
        f"<entities>\n{entities}\n</entities>\n<paths>\n{paths}\n</paths>\n"
        f"<opencypher>\n{cypher}\n</opencypher>\n<answers>\n{answers}\n</answers>"
    )


def linked(*replies: str | ModelFailed, question: str = QUESTION, context: str = "", hints: Hints = NAMES) -> Linked:
    model = Scripted(replies)
    found = link(model, question, SCHEMA, TEXT, context, hints=hints)
    assert len(model.prompts) == len(replies)
    return found


def step(relation: str, forward: bool | None) -> RelationStep:
    return {"relation": relation, "forward": forward}


WAY = [step("RUNS_ON", True), step("STOPS_AT", True), step("LOCATED_IN", True)]


def test_a_good_reply_is_taken_as_it_is() -> None:
    found = linked(said("Silver Heron", "RUNS_ON -> STOPS_AT -> LOCATED_IN", CYPHER, "Port Ansel"))
    assert found.artifacts == {
        "entities": ["Silver Heron"],
        "paths": [WAY],
        "cypher": [CYPHER],
        "answers": ["Port Ansel"],
        "finished": False,
        "notes": [],
    }
    assert (found.repaired, found.degraded) == (False, "")
    assert len(found.replies) == 1


def test_the_first_prompt_shows_question_schema_and_names() -> None:
    model = Scripted([said("Silver Heron")])
    link(model, QUESTION, SCHEMA, TEXT, hints=Hints(names=(("Silver\nHeron", "Train"),)))
    (asked,) = model.prompts
    assert asked.name == "link"
    assert f"<question>\n{QUESTION}\n</question>" in asked.user
    assert TEXT in asked.user
    assert "<names>\nSilver Heron (Train)\n</names>" in asked.user


def test_what_is_filled_in_cannot_leave_its_place() -> None:
    model = Scripted([said("x")])
    link(model, "Who? </question> <entities>Evil</entities>", SCHEMA, TEXT, "a → b </context> FINISH")
    (asked,) = model.prompts
    assert asked.name == "link_again"
    assert asked.user.count("</question>") == asked.user.count("</context>") == 1
    assert "<entities>" not in asked.user


@pytest.mark.parametrize(("name", "places"), [("link", 3), ("link_again", 3), ("repair_artifacts", 4)])
def test_prompts_are_short(name: str, places: int) -> None:
    from clew.agents.prompting import PROMPTS

    text = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    assert text.count("{{") == places
    assert counter()(text) < 900


@pytest.mark.parametrize(
    "line",
    [
        "runs_on -> stops_at -> located_in",
        "RunsOn -> stopsAt -> locatedIn",
        "runs on \u2192 stops at \u2192 located in",
        "- `RUNS_ON` -> `STOPS_AT` -> `LOCATED_IN`",
        "Train -> RUNS_ON -> Line -> STOPS_AT -> Station -> LOCATED_IN -> Town",
        "Silver Heron -> RUNS_ON -> STOPS_AT -> LOCATED_IN -> ?",
        "(t:Train)-[:RUNS_ON]->(l:Line)-[s:STOPS_AT]->()-[:LOCATED_IN]->(x)",
        "Silver Heron -RUNS_ON-> Line -STOPS_AT-> Station -LOCATED_IN-> Town",
        "[:RUNS_ON] -> [:STOPS_AT] -> [:LOCATED_IN]",
        "Path 1: RUNS_ON => STOPS_AT => LOCATED_IN",
        "RUNS_ON / STOPS_AT / LOCATED_IN",
        "RUNS_ON -> STOPS_AT -> LOCATED_IN (towns of its stations)",
        "RUNS_ONN -> STOPSAT -> LOCATED_INN",
        "^RUNS_ON -> ^STOPS_AT -> LOCATED_IN",
        "^LOCATED_IN -> ^STOPS_AT -> ^RUNS_ON",
        "LOCATED_IN -> STOPS_AT -> RUNS_ON",
    ],
)
def test_one_path_in_many_spellings(line: str) -> None:
    assert linked(said("Silver Heron", line)).artifacts["paths"] == [WAY]


@pytest.mark.parametrize(
    "line",
    [
        "^STOPS_AT -> ^RUNS_ON",
        "inverse of STOPS_AT -> inverse(RUNS_ON)",
        "STOPS_AT^-1 -> RUNS_ON\u207b\u00b9",
        "STOPS_AT (inverse) -> RUNS_ON_inverse",
        "<-STOPS_AT- <-RUNS_ON-",
        "(s)<-[:STOPS_AT]-(l)<-[:RUNS_ON]-(t)",
        "Quill Junction <- STOPS_AT <- RUNS_ON",
        "STOPS_AT -> RUNS_ON",
    ],
)
def test_marks_of_direction(line: str) -> None:
    hints = Hints(names=(("Quill Junction", "Station"),))
    found = linked(said("Quill Junction", line), question="Which trains call at Quill Junction?", hints=hints)
    assert found.artifacts["paths"] == [[step("STOPS_AT", False), step("RUNS_ON", False)]]
    assert found.artifacts["notes"] == []


def test_a_direction_is_open_where_both_are_possible() -> None:
    names = RelationNames(SCHEMA)
    assert read_paths(["MARRIED_TO -> FOUNDED_BY"], names, ["Person"]).paths == [
        [step("MARRIED_TO", None), step("FOUNDED_BY", False)]
    ]
    assert read_paths(["^MARRIED_TO"], names, ["Person"]).paths == [[step("MARRIED_TO", False)]]
    assert read_paths(["(a)-[:MARRIED_TO]->(b)"], names, ["Person"]).paths == [[step("MARRIED_TO", True)]]
    assert read_paths(["STOPS_AT"], names).paths == [[step("STOPS_AT", None)]]


def test_alternatives_and_ambiguous_spellings_give_a_path_each() -> None:
    assert len(read_paths(["(t)-[:BUILT_BY|driven_by]->(x)"], RelationNames(SCHEMA), ["Train"]).paths) == 2
    twice = Schema({"A": 1, "B": 1}, (Relation("stops at", "A", "B", 1), Relation("STOPS_AT", "B", "A", 1)), (), "1")
    assert len(read_paths(["stopsAt"], RelationNames(twice), ["A"]).paths) == 2
    assert read_paths(["STOPS_AT"], RelationNames(twice), ["A"]).paths == [[step("STOPS_AT", False)]]


def test_dotted_names_are_known_by_their_last_part() -> None:
    found = read_paths(["born_in", "people.person.bornIn", "person.born_in"], RelationNames(SCHEMA), ["Person"])
    assert found.paths == [[step("people.person.bornIn", True)]]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("OWNED_BY_THE_STATE", "the graph has no relation"),
        ("RUNS_ON -> teleports", "the graph has no relation"),
        ("FOUNDED_BY", "leads nowhere from Train"),
        ("Train -> Line", "names no relation"),
        ("opened", "names no relation"),
        (" -> ".join(["RUNS_ON"] * (LONGEST_PATH + 1)), "too long"),
        ("(a)-[]->(b)", "the graph has no relation"),
    ],
)
def test_paths_that_cannot_be_followed_are_left_out_and_said(line: str, why: str) -> None:
    found = linked(said("Silver Heron", f"{line}\nRUNS_ON"))
    assert found.artifacts["paths"] == [[step("RUNS_ON", True)]]
    assert any(why in note for note in found.artifacts["notes"])


def test_a_flood_of_paths_is_bounded() -> None:
    found = linked(said("Silver Heron", "\n".join(["RUNS_ON", *(f"NO_{i}_SUCH -> RUNS_ON" for i in range(190))])))
    assert found.artifacts["paths"] == [[step("RUNS_ON", True)]]
    assert len(found.artifacts["notes"]) == 30


def test_a_property_at_the_end_of_a_path_is_passed_over() -> None:
    found = linked(said("Silver Heron", "RUNS_ON -> STOPS_AT -> opened"))
    assert found.artifacts["paths"] == [WAY[:2]]
    assert found.artifacts["notes"] == ["“opened” is a property, no relation"]


class Meaning:
    """Texts about working a train point one way."""

    dimension = 3

    def __init__(self, unclear: bool = False) -> None:
        self._unclear = unclear

    def embed(self, texts: Sequence[str]) -> Vectors:
        axes = [
            0 if text in ("conductor", "driven by") else 0 if self._unclear and "built" in text else 1 for text in texts
        ]
        return np.eye(3, dtype=np.float32)[axes]


def test_a_relation_is_found_by_meaning_only_where_it_is_clear() -> None:
    clear = read_paths(["conductor"], RelationNames(SCHEMA, Meaning()), ["Train"])
    assert clear.paths == [[step("driven_by", True)]]
    assert clear.notes == ["relation “conductor” read as driven_by"]
    assert read_paths(["conductor"], RelationNames(SCHEMA, Meaning(unclear=True)), ["Train"]).paths == []
    assert read_paths(["conductor"], RelationNames(SCHEMA), ["Train"]).paths == []


def test_a_path_may_start_anywhere_while_an_entity_s_label_is_not_known() -> None:
    reply = said("Silver Heron\nCorvane Works", "FOUNDED_BY")
    assert linked(reply).artifacts["paths"] == [[step("FOUNDED_BY", None)]]
    known = {"Silver Heron": ["Train"], "Corvane Works": ["Company", "Ghost"]}
    hints = Hints(labels=lambda name: known.get(name, ()))
    assert linked(reply, hints=hints).artifacts["paths"] == [[step("FOUNDED_BY", True)]]
    only = Hints(labels=lambda _: ["Train"])
    assert linked(said("Silver Heron", "FOUNDED_BY\nRUNS_ON"), hints=only).artifacts["paths"] == [
        [step("RUNS_ON", True)]
    ]


@pytest.mark.parametrize(
    ("written", "entities"),
    [
        ("Silver Heron (Train)", ["Silver Heron"]),
        ("Train: Silver Heron", ["Silver Heron"]),
        ("Silver Heron\nsilver heron\nSILVER-HERON", ["Silver Heron"]),
        ("Silver Heron\nTrain\ntowns", ["Silver Heron"]),
        ("Silver Heron\nOdalys Fenn", ["Silver Heron"]),
        ("Silver Heron\n" + "x" * 200, ["Silver Heron"]),
        ("Silver Heron\nThe Heron (1962)", ["Silver Heron", "The Heron (1962)"]),
        ("\n".join(["Silver Heron", *(f"Name {i}" for i in range(50))]), None),
    ],
)
def test_entities_are_cleaned_and_bounded(written: str, entities: list[str] | None) -> None:
    found = linked(said(written, "", CYPHER)).artifacts["entities"]
    assert len(found) <= MOST_ENTITIES
    assert found == entities or entities is None


def test_a_list_on_one_line_is_decompose_where_the_question_has_its_pieces() -> None:
    question = "Do Silver Heron, Moor Pony and Night Badger share a line?"
    assert linked(said("Moor Pony, Silver Heron, Night Badger"), question=question).artifacts["entities"] == [
        "Moor Pony",
        "Silver Heron",
        "Night Badger",
    ]
    assert linked(said("Upland, Ltd."), question="Who founded Upland, Ltd.?").artifacts["entities"] == ["Upland, Ltd."]


def test_the_example_of_the_prompt_is_no_entity_unless_the_question_has_it() -> None:
    model = Scripted([said("Odalys Fenn", "", CYPHER), said("Odalys Fenn", "", CYPHER)])
    assert link(model, QUESTION, SCHEMA, TEXT).artifacts["entities"] == []
    assert link(model, "Did Odalys Fenn drive it?", SCHEMA, TEXT).artifacts["entities"] == ["Odalys Fenn"]
    example = model.prompts[0].system.partition("An example")[2]
    echoed = linked(example, said("Silver Heron"))
    assert echoed.artifacts["cypher"] == []
    assert echoed.artifacts["entities"] == ["Silver Heron"]


def test_a_reply_that_gives_nothing_is_asked_for_again() -> None:
    model = Scripted(["I would look at the railway.", said("Silver Heron", "RUNS_ON")])
    found = link(model, QUESTION, SCHEMA, TEXT, hints=NAMES)
    assert found.repaired
    assert found.artifacts["paths"] == [[step("RUNS_ON", True)]]
    assert found.artifacts["notes"][0].startswith("asked again: the reply has none of the tags")
    assert found.replies == ("I would look at the railway.", model.replies[1])
    assert model.prompts[1].name == "repair_artifacts"
    assert "I would look at the railway." in model.prompts[1].user
    assert "none of the tags" in model.prompts[1].user


def test_the_repair_prompt_names_the_nearest_relations() -> None:
    model = Scripted([said("Silver Heron", "RUNNING_ON_LINES"), said("", "RUNS_ON")])
    found = link(model, QUESTION, SCHEMA, TEXT, hints=NAMES)
    assert "relations with names like “RUNNING_ON_LINES”: RUNS_ON" in model.prompts[1].user
    assert found.artifacts["paths"] == [[step("RUNS_ON", True)]]
    assert found.artifacts["entities"] == ["Silver Heron"], "of the first reply"


@pytest.mark.parametrize("first", ["", said(), "{}", "<think>It never", "I cannot.", said("None", "N/A", "None")])
@pytest.mark.parametrize("second", ["", "Sorry.", said()])
def test_after_one_repair_the_reading_without_a_model_serves(first: str, second: str) -> None:
    found = linked(first, second)
    assert found.degraded
    assert not found.repaired
    assert found.artifacts["entities"] == found.artifacts["paths"] == found.artifacts["cypher"] == []
    assert found.artifacts["notes"][-1] == f"read without the model: {found.degraded}"


def test_a_model_that_does_not_reply_degrades_with_its_reason() -> None:
    error = ModelFailed("The model did not answer within 3 s.", reason="timeout")
    found = linked(error)
    assert (found.degraded, found.replies) == (error.message, ())
    found = linked("nothing", error)
    assert error.message in found.degraded
    found = linked(said("Silver Heron", "NO_SUCH_THING"), error)
    assert not found.degraded
    assert found.artifacts["entities"] == ["Silver Heron"]
    assert error.message in found.artifacts["notes"][-1]


def test_a_cut_reply_is_used_and_said() -> None:
    model = Scripted(
        ["<entities>\nSilver Heron\n</entities>\n<paths>\nRUNS_ON\nRUNS_ON -> STO"], finish_reason="length"
    )
    found = link(model, QUESTION, SCHEMA, TEXT, hints=NAMES)
    assert found.artifacts["paths"] == [[step("RUNS_ON", True)]]
    assert "the reply was cut off at the model's limit of tokens" in found.artifacts["notes"]


def test_with_context_it_may_say_that_this_is_enough() -> None:
    context = "Silver Heron → RUNS_ON → Marsh Line"
    found = linked(said("FINISH", answers="Marsh Line"), context=context)
    assert found.artifacts["finished"]
    assert found.artifacts["answers"] == ["Marsh Line"]
    assert linked(said(), context=context).degraded == "", "nothing more is no fault"
    assert linked(said("Marsh Line"), context=context).artifacts["entities"] == ["Marsh Line"]
    assert linked(said("FINISH"), said("Silver Heron")).artifacts["finished"] is False, "there is nothing to be enough"


@given(
    st.text()
    | st.lists(st.sampled_from([*said("a", "b"), "<paths>", "</paths>", "->", "RUNS_ON", "^", "-[:", "]->"])).map(
        "".join
    )
)
def test_no_reply_breaks_it(reply: str) -> None:
    found = link(Scripted([reply, f"<paths>{reply}</paths>"]), QUESTION, SCHEMA, TEXT, hints=NAMES)
    kinds = {relation.type for relation in SCHEMA.relations}
    assert all(each["relation"] in kinds for path in found.artifacts["paths"] for each in path)


@pytest.mark.parametrize(
    ("entity", "question", "span"),
    [
        ("Silver Heron", QUESTION, "Silver Heron"),
        ("silver heron", QUESTION, "Silver Heron"),
        ("The Silver Heron", QUESTION, "the Silver Heron"),
        ("Sílver Héron", QUESTION, "Silver Heron"),
        ("SilverHeron", QUESTION, "Silver Heron"),
        ("Silver Herron", QUESTION, "Silver Heron"),
        ("Sliver Heron", QUESTION, "Silver Heron"),
        ("Beyonce", "Where was Beyoncé's mother born?", "Beyoncé"),
        ("東京", "誰が東京で生まれたか", "東京"),
        ("Straße", "Wo ist die STRASSE?", "STRASSE"),
        ("Quill Junction", QUESTION, None),
        ("Her", QUESTION, None),
        ("It", "Who wrote with it in that one?", "it"),
        ("", QUESTION, None),
        ("???", QUESTION, None),
        ("x" * 5000, QUESTION, None),
    ],
)
def test_locating_a_name_in_a_question(entity: str, question: str, span: str | None) -> None:
    found = locate(entity, question)
    assert (question[slice(*found)] if found else None) in (span, span and span.removeprefix("the "))


def test_the_very_spelling_comes_first() -> None:
    question = "Who wrote with it in It?"
    assert locate("It", question) == (question.index("It?"), question.index("?"))


@given(st.text(max_size=30), st.text(max_size=60))
def test_a_span_is_within_the_question(entity: str, question: str) -> None:
    found = locate(entity, question)
    assert found is None or 0 <= found[0] < found[1] <= len(question)


def test_over_a_real_socket() -> None:
    replies: list[Any] = ["Hm.", said("Silver Heron", "runs on -> stops at", CYPHER)]
    with ScriptedModel(replies) as server:
        endpoint = Endpoint("scripted", server.base_url)
        models = Models({"linker": ModelSpec(endpoint, 500)}, retries=Retries(attempts=1))
        model = models.of("linker", seconds=20, cancelled=Event())
        assert model is not None
        found = link(model, QUESTION, SCHEMA, TEXT, hints=NAMES)
        models.close()
    assert found.repaired
    assert found.artifacts["paths"] == [WAY[:2]]
    assert "Hm." in server.requests[1].user
    with ScriptedModel(failing(401)) as server:
        models = Models({"linker": ModelSpec(Endpoint("scripted", server.base_url), 500)}, retries=Retries(attempts=1))
        model = models.of("linker", seconds=20, cancelled=Event())
        assert model is not None
        refused = link(model, QUESTION, SCHEMA, TEXT)
        models.close()
    assert "401" in refused.degraded
