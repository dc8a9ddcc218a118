"""Questions and readings as texts without names."""

from __future__ import annotations

from clew.tools.graph.entity import Entity
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step
from clew.tools.queries.reading.forms.paraphrase import paraphrase

HEAT = Entity("f1", "Heat", "FeatureFilm")
DIRECTED = Link((Step("directed_by", False, "FeatureFilm"),), Nodes("FeatureFilm", (HEAT,)))
DIRECTORS = Form("nodes", Nodes("Person", links=(DIRECTED,)))


def test_labels_stand_for_names() -> None:
    asked, read_as = paraphrase("Who directed Heat?", DIRECTORS)
    assert asked == "who directed feature film?"
    assert "heat" not in read_as
    assert "feature film" in read_as


def test_a_name_that_the_question_does_not_spell_out_stays() -> None:
    asked, read_as = paraphrase("Who directed the heatwave film?", DIRECTORS)
    assert asked == "who directed the heatwave film?"
    assert "heat" in read_as


def test_a_label_is_no_short_form_of_a_relation() -> None:
    anchor = Entity("p1", "The Anchor", "Pub")
    form = Form("nodes", Nodes("Person", links=(Link((Step("OWNS", True, "Pub"),), Nodes("Pub", (anchor,))),)))
    assert paraphrase("Who owns The Anchor?", form)[0] == "who owns pub?"
