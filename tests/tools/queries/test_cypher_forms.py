"""Cypher as a logical form, and as a question in words."""

from __future__ import annotations

import pytest

from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.cypher_forms import NoWords, form_of_cypher, same_form
from clew.tools.queries.questions import question
from clew.tools.queries.reading.forms.form import Form

SCHEMA = Schema(
    {"Film": 7, "Person": 6, "Award": 2, "Genre": 3},
    (
        Relation("DIRECTED", "Person", "Film", 7),
        Relation("ACTED_IN", "Person", "Film", 3),
        Relation("WON", "Person", "Award", 2),
        Relation("HAS_GENRE", "Film", "Genre", 7),
    ),
    (Property("Film", "year", "INTEGER", 7, (1995,)), Property("Film", "name", "STRING", 7, ("Heat",))),
    "1",
)


@pytest.mark.parametrize(
    ("cypher", "said"),
    [
        ("MATCH (n:Film) RETURN n LIMIT 25;", "What are the films?"),
        ("MATCH (p:Person {name: 'Ann'})-[:DIRECTED]->(f) RETURN f.name", "What are the films that Ann directed?"),
        (
            "MATCH (f:Film)<-[:DIRECTED]-(p:Person) WHERE p.name = 'Ann' AND f.year >= 1990 RETURN f.name, f.year",
            "What are the films that Ann directed and with year at least 1990, each with its year?",
        ),
        ("MATCH (f:Film {name: 'Heat'}) RETURN f.year", "What is the year of Heat?"),
        ("MATCH (f:Film) WHERE 2000 < f.year RETURN f", None),
        ("MATCH (f:Film) RETURN f ORDER BY f.year DESC LIMIT 3", "What are the 3 films with the highest year?"),
        ("MATCH (f:Film) RETURN f ORDER BY f.year LIMIT 1", "What is the film with the lowest year?"),
        ("MATCH (f:Film) RETURN f ORDER BY f.name LIMIT 200", "What are the films?"),
        ("MATCH (f:Film) RETURN avg(f.year) AS mean", "What is the average year of films?"),
        (
            "MATCH (p)-[:DIRECTED]->(f)<-[:ACTED_IN]-({name: 'Bo'}), (p)-[:WON]->(:Award) RETURN count(DISTINCT p)",
            "What is the number of people that won awards and that directed films that Bo acted in?",
        ),
        ("MATCH (p:Person)-[:WON]->(a:Award) RETURN count(p)", None),
        ("MATCH (f:Film {name: 'Heat'}) RETURN f", None),
        ("MATCH (p:Person) WHERE p.born < 1900 OR p.born > 1950 RETURN p", None),
        ("MATCH (p:Person) WHERE NOT (p)-[:WON]->() RETURN p", "What are the people except those that won awards?"),
        ("MATCH (f:Film) WHERE f.year = 1995 OR f.year = 1999 RETURN f", "What are the films with year 1995 or 1999?"),
        ("MATCH (f:Film) WHERE f.year IN [1995, 1999] RETURN f", "What are the films with year 1995 or 1999?"),
        (
            "MATCH (p:Person)-[:DIRECTED]->(f:Film) WHERE (p.name = 'Ann' OR p.name = 'Bo') AND f.year > 1990 RETURN f",
            "What are the films that Ann or Bo directed and with year over 1990?",
        ),
        ("MATCH (f:Film) WHERE NOT f.year >= 1990 RETURN f", "What are the films with year not at least 1990?"),
        ("MATCH (f:Film) WHERE NOT (f.year IS NULL) RETURN f", "What are the films whose year is present?"),
        ("MATCH (f:Film) WHERE f.name CONTAINS 'Love' RETURN f", "What are the films whose name contains Love?"),
        ("MATCH (f:Film) WHERE f.name STARTS WITH 'The' RETURN f", "What are the films whose name starts with The?"),
        (
            "MATCH (p:Person)-[:DIRECTED]->(f:Film) RETURN p.name, count(f) AS n ORDER BY n DESC",
            "What is the number of films for each of people that directed films?",
        ),
        (
            "MATCH (f:Film)-[:HAS_GENRE]->(g:Genre) RETURN g.name, count(f)",
            "What is the number of films for each genre?",
        ),
        ("MATCH (f:Film) RETURN f.year, count(*)", "What is the number of films, for each year?"),
        ("MATCH (f:Film) WHERE f.year = 1 OR f.name = 'Heat' RETURN f", None),
        ("MATCH (f:Film) WHERE f.year > 1 AND f.year = 2 OR f.year = 3 RETURN f", None),
        ("MATCH (f:Film) WHERE NOT (f.year = 1 OR f.year = 2) RETURN f", None),
        ("MATCH (f:Film) WHERE f.year > 1 XOR f.year < 3 RETURN f", None),
        ("MATCH (p:Person)-[:WON]->(a:Award), (f:Film) WHERE NOT (p)-[:DIRECTED]->(f) RETURN f", None),
        ("MATCH (p:Person)-[:DIRECTED]->(f:Film) RETURN p, count(f) AS n ORDER BY n DESC LIMIT 1", None),
        ("MATCH (p:Person)-[:DIRECTED]->(f:Film)<-[:ACTED_IN]-(q) RETURN p.name, count(f)", None),
        ("MATCH (p:Person), (f:Film) RETURN p", None),
        ("MATCH (p:Person)-[:DIRECTED]->(f:Film), (p)-[:ACTED_IN]->(f) RETURN p", None),
        ("MATCH (p:Person)-[:DIRECTED*1..2]->(f:Film) RETURN p", None),
        ("MATCH (p:Person)-[:DIRECTED]->(f:Film) RETURN p, f", None),
        ("MATCH (a)-[r]->(b) RETURN a", None),
        ("MATCH (f:Film) RETURN f SKIP 5", None),
        ("MATCH (f:Film) WITH f LIMIT 2 RETURN f", None),
        ("MATCH (f:Film) OPTIONAL MATCH (f)<-[:DIRECTED]-(p) RETURN f", None),
        ("MATCH (f:Film) RETURN f UNION MATCH (f:Film) RETURN f", None),
        ("MATCH (f:Film) WHERE f.year > $year RETURN f", None),
        ("MATCH (f:Film) WHERE f.year + 1 > 2 RETURN f", None),
        ("RETURN 1", None),
        ("MATCH (f:Film RETURN f", None),
    ],
)
def test_a_query_is_put_in_words_or_has_none(cypher: str, said: str | None) -> None:
    if said is None:
        with pytest.raises(NoWords):
            form_of_cypher(cypher, SCHEMA)
    else:
        assert question(form_of_cypher(cypher, SCHEMA)) == said


def test_forms_are_the_same_in_any_order_of_their_parts() -> None:
    def form(cypher: str) -> Form:
        return form_of_cypher(cypher, SCHEMA)

    one = form("MATCH (p:Person)-[:DIRECTED]->(f:Film {year: 1995}), (p)-[:WON]->(a:Award) RETURN p")
    other = form("MATCH (a:Award)<-[:WON]-(p:Person)-[:DIRECTED]->(f) WHERE f.year = 1995 RETURN DISTINCT p LIMIT 9")
    assert same_form(one, other)
    assert not same_form(one, form("MATCH (p:Person)-[:ACTED_IN]->(f {year: 1995}), (p)-[:WON]->(a:Award) RETURN p"))
