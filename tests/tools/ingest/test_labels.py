"""Labels from relation ends: what words tell, what overlaps join, and what must stay apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.ingest import inverses, read_labels
from clew.tools.ingest.labels import LabelMap, infer
from clew.tools.ingest.records import Triple
from clew.tools.ingest.relation_words import guess, singular, words
from clew.tools.ingest.staging import Staging

Triples = Iterable[tuple[str, str, str]]


def staged(folder: Path, triples: Triples) -> Staging:
    staging = Staging.create(folder / "staged.sqlite")
    assert not list(staging.add((Triple(*each, 1) for each in triples), "f"))
    assert not list(staging.merge_parts())
    return staging


def labels(folder: Path, triples: Triples, given: LabelMap | None = None) -> dict[str, str]:
    staging = staged(folder, triples)
    infer(staging, given or {})
    return dict(staging.db.execute("SELECT key, label FROM nodes"))


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        ("has_genre", ["has", "genre"]),
        ("birthPlace", ["birth", "place"]),
        ("/film/film/directed-by", ["directed", "by"]),
        ("http://e.org/x#isPartOf", ["is", "part", "of"]),
        ("HTTPServer", ["http", "server"]),
    ],
)
def test_words_of_a_relation(relation: str, found: list[str]) -> None:
    assert words(relation) == found


@pytest.mark.parametrize(
    ("plural", "one"),
    [("countries", "country"), ("children", "child"), ("glasses", "glass"), ("boxes", "box"), ("series", "series"),
     ("status", "status"), ("gas", "gas"), ("tags", "tag")],
)  # fmt: skip
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


@pytest.mark.parametrize(
    ("relation", "subject", "tail"),
    [
        ("release_year", None, "Year"),
        ("in_language", None, "Language"),
        ("place_of_birth", "Person", "Place"),
        ("birthPlace", "Person", "Place"),
        ("painted_by", "Work", "Person"),
        ("hasRating", None, "Rating"),
        ("spouse", "Person", "Person"),
        ("children", "Person", "Person"),
        ("capital_of", "Capital", "Place"),
        ("author_of", "Person", "Work"),
        ("/geo/river/mouth", "River", "Mouth"),
        ("treats", None, None),
        ("interacts_with", None, None),
        ("is_located_in", None, "Place"),
    ],
)
def test_what_a_name_tells_of_its_ends(relation: str, subject: str | None, tail: str | None) -> None:
    found = [guess(relation, "subject"), guess(relation, "object")]
    assert [each and each.name for each in found] == [subject, tail]


@given(st.text(max_size=30))
def test_any_name_can_be_asked(relation: str) -> None:
    for found in (guess(relation, "subject"), guess(relation, "object")):
        assert found is None or found.name


def films(count: int = 60) -> list[tuple[str, str, str]]:
    found = []
    for i in range(count):
        found += [
            (f"film {i}", "directed_by", f"director {i % 15}"),
            (f"film {i}", "starring", f"actor {i % 25}"),
            (f"film {i}", "has_genre", f"genre {i % 5}"),
            (f"film {i}", "release_year", str(1950 + i % 30)),
        ]
        if i % 5 == 0:  # a partial view of the same class
            found.append((f"film {i}", "in_language", f"language {i % 3}"))
    return found


def test_ends_of_one_class_are_joined_and_named(tmp_path: Path) -> None:
    found = labels(tmp_path, films())
    assert {key.split()[0]: label for key, label in found.items() if not key.isdigit()} == {
        "film": "Film", "director": "Person", "actor": "Person", "genre": "Genre", "language": "Language",
    }  # fmt: skip
    assert {label for key, label in found.items() if key.isdigit()} == {"Year"}


def test_tags_that_are_also_titles_do_not_join_tags_and_films(tmp_path: Path) -> None:
    triples = films()
    triples += [(f"film {i}", "has_tag", f"tag {i % 40}") for i in range(60)]
    triples += [(f"film {i}", "has_tag", f"film {i + 1}") for i in range(10)]
    found = labels(tmp_path, triples)
    assert found["tag 3"] == "Tag"
    assert found["film 3"] == "Film"


def test_a_small_set_of_values_that_are_all_titles_stays_a_class(tmp_path: Path) -> None:
    triples = films() + [(f"film {i}", "has_rating", ("good", "bad", "famous")[i % 3]) for i in range(60)]
    triples += [(title, "directed_by", "director 1") for title in ("good", "bad", "famous")]
    found = labels(tmp_path, triples)
    assert {found[title] for title in ("good", "bad", "famous")} == {"Rating"}
    assert found["film 1"] == "Film"


def test_a_hub_takes_the_class_of_most_of_its_edges(tmp_path: Path) -> None:
    triples = [*films(), ("genre 1", "directed_by", "director 1"), ("genre 1", "starring", "actor 1")]
    assert labels(tmp_path, triples)["genre 1"] == "Genre"


def test_objects_that_look_like_years_are_years_whatever_the_relation(tmp_path: Path) -> None:
    found = labels(tmp_path, [(f"club {i}", "begun", str(1900 + i)) for i in range(10)])
    assert found["1905"] == "Year"


def test_a_class_that_no_word_tells_is_an_entity(tmp_path: Path) -> None:
    assert set(labels(tmp_path, [("a", "zorps_with", "b"), ("b", "zorps_with", "c")]).values()) == {"Entity"}


def test_an_end_without_a_telling_name_follows_its_nodes_other_ends(tmp_path: Path) -> None:
    triples = [(f"p{i}", "spouse", f"p{i + 1}") for i in range(0, 20, 2)]
    triples += [(f"p{i}", "zorps", f"z{i}") for i in range(3)] + [("only here", "zorps", "z9")]
    assert labels(tmp_path, triples)["only here"] == "Person"


def test_given_labels_win_over_inferred_ones(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("# mine\nhas_genre,object,Kind\ndirected_by,subject,Movie\n")
    found = labels(tmp_path, films(), read_labels(file))
    assert found["genre 1"] == "Kind"


@pytest.mark.parametrize("line", ["a,b", "a,head,X", ",object,X", "a,object,", '"a,object,X'])
def test_a_wrong_labels_file_names_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(f"r,object,X\n{line}\n")
    with pytest.raises(BadInput, match=":2: "):
        read_labels(file)


@pytest.mark.parametrize(
    ("relation", "base"),
    [("parent_inverse", "parent"), ("inverse_parent", "parent"), ("inverse_of_parent", "parent"), ("~parent", "parent"),
     ("parent^-1", "parent"), ("parentInverse", "parent"), ("^parent", "parent")],
)  # fmt: skip
def test_certain_inverses_need_no_base(relation: str, base: str) -> None:
    assert [(each.relation, each.base, each.certain) for each in inverses.find([relation])] == [(relation, base, True)]


@pytest.mark.parametrize("relation", ["parent_inv", "inv_parent", "parent_rev", "rev_parent", "reverse_parent"])
def test_possible_inverses_need_their_base(relation: str) -> None:
    assert inverses.find([relation]) == []
    assert [each.base for each in inverses.find([relation, "parent"])] == ["parent"]


def test_inverses_are_folded_and_counted(tmp_path: Path) -> None:
    staging = staged(
        tmp_path, [("a", "r", "b"), ("b", "r_inverse", "a"), ("d", "r_inverse", "c"), ("x", "inverse_q", "y")]
    )
    folded = {each.relation: (each.base, each.edges, each.repeated) for each in inverses.fold(staging)}
    assert folded == {"r_inverse": ("r", 2, 1), "inverse_q": ("q", 1, 0)}
    edges = staging.db.execute(
        "SELECT s.key, r.name, t.key FROM edges e JOIN relations r ON r.id = relation "
        "JOIN nodes s ON s.id = source JOIN nodes t ON t.id = target ORDER BY 1, 2"
    )
    assert list(edges) == [("a", "r", "b"), ("c", "r", "d"), ("y", "q", "x")]


def test_a_possible_inverse_that_repeats_nothing_stays_a_relation(tmp_path: Path) -> None:
    staging = staged(tmp_path, [("a", "version", "b"), ("a", "version_rev", "c"), ("b", "version_rev", "c")])
    assert inverses.fold(staging) == []
    assert set(staging.relation_names().values()) == {"version", "version_rev"}


def test_too_many_relations_are_refused(tmp_path: Path) -> None:
    staging = Staging.create(tmp_path / "s.sqlite")
    with pytest.raises(BadInput, match="different relations"):
        list(staging.add((Triple(f"a{i}", f"r{i}", "b", i) for i in range(20_000)), "f"))


def test_what_nothing_names_is_told(tmp_path: Path) -> None:
    triples = [(f"m{i}", "crewMember", f"p{i % 3}") for i in range(5)] + [("m1", "outcome", "lost")]
    (note,) = infer(staged(tmp_path, triples), {})
    assert "5 nodes are, so they are called Entity" in note
    assert "`crewMember,subject,LABEL`" in note
    assert infer(staged(tmp_path, triples), {("crewMember", "subject"): "Mission"}) == []
