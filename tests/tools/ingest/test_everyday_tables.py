"""Databases as people have them at work: keys, references, names and types come out right without declarations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.tools.errors import BadInput
from clew.tools.ingest import inputs, relation_words
from clew.tools.ingest.tables import model_file, number_formats
from clew.tools.ingest.tables.plan import ImportPlan
from tests.tools.ingest import everyday_schemas, sample_schemas
from tests.tools.ingest.test_tables import links, nodes, planned, put

__all__ = ["planned"]


@pytest.mark.parametrize("name", everyday_schemas.ALL)
def test_the_model_is_right_at_the_first_try(planned: Callable[..., ImportPlan], tmp_path: Path, name: str) -> None:
    sample = sample_schemas.as_sqlite(everyday_schemas.ALL[name], tmp_path / "x.db", declared=False)
    found = planned(tmp_path / "x.db")
    tables = found.model.tables
    assert links(found.model) == sample.links
    assert {t: each.key for t, each in tables.items() if t in sample.keys} == {
        table: [column] for table, column in sample.keys.items()
    }
    names = everyday_schemas.NAMES[name]
    assert {table: " ".join(tables[table].name) for table in names} == names
    joins = [each.relationship for each in tables.values() if each.relationship is not None]
    ends = {(tables[join.source.table].node, join.type, tables[join.target.table].node) for join in joins}
    assert ends == everyday_schemas.JOINS[name]
    types = {(t, each.columns[0]): each.type for t, table in tables.items() for each in table.references}
    assert everyday_schemas.TYPES[name].items() <= types.items()
    for table, count in found.counts.items():
        assert count.rows == count.used == len(sample.rows[table])


def test_numbers_and_truth_values_are_read_as_they_are_written(
    planned: Callable[..., ImportPlan], tmp_path: Path
) -> None:
    rows = [
        "id;preis;summe;population;unclear;version;lieferbar",
        '1;"12,50";1.234,50;"1,234,567";"1,234";1.10;ja',
        '2;-3;99,9;850;"2,500";1.9;nein',
    ]
    found = planned(put(tmp_path / "in", {"t.csv": "\n".join(rows)}))
    assert list(nodes(found, "t").values()) == [
        {"id": 1, "preis": 12.5, "summe": 1234.5, "population": 1234567, "unclear": "1,234", "version": "1.10",
         "lieferbar": True},
        {"id": 2, "preis": -3, "summe": 99.9, "population": 850, "unclear": "2,500", "version": "1.9",
         "lieferbar": False},
    ]  # fmt: skip
    assert any("t.unclear: commas" in note for note in found.notes)
    path = tmp_path / "model.yaml"
    model_file.write(found.model, path)
    assert "format: 1.234,5" in path.read_text()
    path.write_text(path.read_text().replace("format: 1.234,5", "format: comma", 1))
    with pytest.raises(BadInput, match=r"model.yaml:\d+: .*`format` of numbers is one of 1.234,5"):
        model_file.read(path)


@pytest.mark.parametrize(
    ("texts", "formats"),
    [
        (["1,5", "0,250"], ["1.234,5"]), (["1 234,5", "7"], ["1 234,5"]), (["1,234.5", "12"], ["1,234.5"]),
        (["1,234"], ["1.234,5", "1,234.5"]), (["1,234", "12"], ["1,234.5"]), (["1.5", "2"], []), (["1,2,3"], []),
        (["007,5"], []), (["1.234.567"], ["1.234,5"]),
    ],
)  # fmt: skip
def test_marks_in_numbers_are_told_apart(texts: list[str], formats: list[str]) -> None:
    assert [each for each, _whole in number_formats.found(texts)] == formats


def test_an_empty_file_of_a_folder_is_left_out_and_named(tmp_path: Path) -> None:
    folder = put(tmp_path / "in", {"a.csv": "id,name\n1,x\n", "empty.csv": ""})
    found = inputs.read([folder], tmp_path)
    assert ([each.table for each in found.tables], found.notes) == (["a"], [f"Left out: {folder}/empty.csv is empty."])
    with pytest.raises(BadInput, match=r"empty\.csv is empty"):
        inputs.read([folder / "empty.csv"], tmp_path)


@pytest.mark.parametrize(
    ("word", "one"), [("diagnoses", "diagnosis"), ("analyses", "analysis"), ("doses", "dose"), ("houses", "house")]
)
def test_greek_plurals_have_their_singular(word: str, one: str) -> None:
    assert relation_words.singular(word) == one


def test_rows_are_referred_to_by_their_kind_by_codes_and_by_who_owns_them(
    planned: Callable[..., ImportPlan], tmp_path: Path
) -> None:
    pets = "".join(f"{i},Pet {i},{i % 3 + 1}\n" for i in range(1, 13))
    people = "\n".join(f"{i},fan{i},2023-01-{i:02}" for i in range(1, 13))
    owned = "\n".join(f"{i},List {i},{i % 12 + 1}" for i in range(1, 25))
    cast = "\n".join(f"{500 + i // 7},{i % 12 + 1},Role {i}" for i in range(28))
    rows = "\n".join(f"{500 + i},Series {i}" for i in range(4))
    majors = "\n".join(f"{3000 + i},Student {i},{('BIO', 'CHE', 'PHY', 'MUS')[i % 4]}" for i in range(20))
    found = planned(
        put(
            tmp_path / "in",
            {
                "listener.csv": f"user_id,username,signup_date\n{people}\n",
                "playlist.csv": f"playlist_id,playlist_name,owner_id\n{owned}\n",
                "tv_series.csv": f"series_id,title\n{rows}\n",
                "series_cast.csv": f"series_id,user_id,role_name\n{cast}\n",
                "department.csv": "dept_code,name\nBIO,Biology\nCHE,Chemistry\nPHY,Physics\nMUS,Music\n",
                "student.csv": f"student_id,full_name,major\n{majors}\n",
                "partner_zoos.csv": "partner_zoo_id,name\n1,Brackwater\n2,Lindenau\n3,Harrow\n",
                "animals.csv": f"animal_id,nickname,origin_zoo_id\n{pets}",
            },
        )
    )
    assert {
        ("playlist", "owner_id", "listener"), ("student", "major", "department"),
        ("animals", "origin_zoo_id", "partner_zoos"),
    } <= links(found.model)  # fmt: skip
    join = found.model.tables["series_cast"].relationship
    assert join is not None
    assert (join.source.table, join.type, join.target.table) == ("tv_series", "CAST", "listener")
    assert list(found.model.tables["series_cast"].columns) == ["series_id", "user_id", "role_name"]
    assert not found.model.tables["series_cast"].left_out


def test_a_winner_is_one_of_the_two_teams_and_no_player(planned: Callable[..., ImportPlan], tmp_path: Path) -> None:
    players = "player_id,first_name,last_name\n" + "".join(f"{i},Ann,Moss{i}\n" for i in range(1, 21))
    teams = "team_id,name\n" + "".join(f"{i},Team {i}\n" for i in range(1, 9))
    games = [(i, i % 8 + 1, (i + 3) % 8 + 1) for i in range(1, 13)]
    matches = "match_id,team1_id,team2_id,winner_id\n"
    matches += "".join(f"{i},{one},{other},{one if i % 3 else other}\n" for i, one, other in games)
    files = {"players.csv": players, "teams.csv": teams, "matches.csv": matches}
    found = planned(put(tmp_path / "in", files))
    winner = next(each for each in found.model.tables["matches"].references if each.columns == ["winner_id"])
    assert (winner.table, winner.why) == ("teams", "always team1_id or team2_id")


def test_what_refers_to_a_joining_table_refers_to_what_it_joins(
    planned: Callable[..., ImportPlan], tmp_path: Path
) -> None:
    pairs = [(book, book % 5 + 1) for book in range(1, 11)] + [(book, (book + 2) % 5 + 1) for book in range(1, 11)]
    files = {
        "books.csv": "book_id,title\n" + "".join(f"{i},Book {i}\n" for i in range(1, 11)),
        "authors.csv": "author_id,name\n" + "".join(f"{i},Author {i}\n" for i in range(1, 6)),
        "book_authors.csv": "book_id,author_id,role\n" + "".join(f"{b},{a},writer\n" for b, a in pairs),
        "contracts.csv": "contract_id,book_id,author_id,advance\n"
        + "".join(f"{i},{b},{a},{900 + i}\n" for i, (b, a) in enumerate(pairs, 1)),
    }
    model = planned(put(tmp_path / "in", files)).model
    for name in ("book_authors", "contracts"):
        join = model.tables[name].relationship
        assert join is not None
        assert {join.source.table, join.target.table} == {"books", "authors"}
