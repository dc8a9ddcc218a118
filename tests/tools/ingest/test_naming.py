"""Which property names a node, which holds aliases, which running text."""

from __future__ import annotations

from typing import Any

import pytest

from clew.tools.graph.naming import Naming, choose_namings
from clew.tools.graph.samples import Sample


def chosen(label: str, rows: list[dict[str, Any]], given: dict[str, str] | None = None) -> Naming:
    sample = Sample(label)
    for row in rows:
        sample.add(row)
    return choose_namings([sample], given or {})[label]


def rows(**columns: str) -> list[dict[str, Any]]:
    """Twenty nodes; `#` in a value becomes the node's number."""
    return [{name: value.replace("#", str(i)) for name, value in columns.items()} for i in range(20)]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"title": "t#", "name": "n"}, ("name",)),
        ({"Name": "n#", "x": "y#"}, ("Name",)),
        ({"firstName": "f", "lastName": "l", "title": "Dr"}, ("firstName", "lastName")),
        ({"given_name": "f", "surname": "l"}, ("given_name", "surname")),
        ({"business_name": "b#", "first_name": "f", "last_name": "l"}, ("business_name",)),
        ({"first_name": "f", "last_name": "l", "company_name": "c#"}, ("first_name", "last_name")),
        ({"company_name": "c", "first_name": "f", "last_name": "l"}, ("first_name", "last_name")),
        ({"fname": "f", "lname": "l", "ext": "2#"}, ("fname", "lname")),
        ({"subject": "s#", "ctr_no": "C-#"}, ("subject",)),
        ({"key": "P-#", "productLabel": "p#"}, ("productLabel",)),
        ({"contactName": "c#", "productName": "p#", "title": "t#"}, ("productName",)),
        ({"title": "t#", "summary": "s#"}, ("title",)),
        ({"title": "Sales", "code": "c#"}, ("code",)),
        ({"companyName": "c#", "city": "x"}, ("companyName",)),
        ({"productId": "p#", "url": "http://#", "slogan": "a longer one #"}, ("slogan",)),
        ({"productID": "#", "price": "#"}, ()),
        ({}, ()),
    ],
)
def test_the_name_is_chosen_by_rule(columns: dict[str, str], expected: tuple[str, ...]) -> None:
    assert chosen("Product", rows(**columns)).name == expected


def test_a_number_names_a_label_that_it_is_the_number_of() -> None:
    numbers = rows(phoneNumber="07700 9000#", network="Orbit")
    assert chosen("Phone", numbers).name == ("phoneNumber",)
    assert chosen("Contract", numbers).name == ()


def test_a_given_property_wins() -> None:
    assert chosen("P", rows(name="n#", code="c#"), {"P": "code+name"}).name == ("code", "name")


def test_aliases_and_texts_are_recognised() -> None:
    text = "a sentence of quite a few words that goes on and on, until it is long enough to be text #"
    naming = chosen("P", rows(name="n#", also_known_as="k#", description=text))
    assert naming.aliases == ("also_known_as",)
    assert naming.texts == ("description",)
    assert naming.aliases_of({"also_known_as": ["a", "b", "a"]}) == ["a", "b"]
    assert naming.aliases_of({"also_known_as": "a"}) == ["a"]


def test_a_node_without_the_property_is_named_by_its_key() -> None:
    naming = Naming(("first", "last"))
    assert naming.name_of({"first": "Ada", "last": "Lovelace"}, "7") == "Ada Lovelace"
    assert naming.name_of({"last": "Lovelace"}, "7") == "Lovelace"
    assert naming.name_of({"first": " "}, "7") == "7"
    assert Naming.from_json(naming.to_json()) == naming


def test_the_name_of_somebody_else_names_nothing() -> None:
    companies = [{"contactName": f"Person {i}", "companyName": f"Firm {i % 19}"} for i in range(20)]
    assert chosen("Customer", companies).name == ("companyName",)


def test_an_id_of_words_is_a_name_and_a_code_is_none() -> None:
    people = [{"id": "Marie Curie", "description": "physicist"}, {"id": "Ada", "description": "x"}]
    assert chosen("Person", people).name == ("id",)
    assert chosen("Place", [{"id": "c1", "city": "Bonn"}, {"id": "c2", "city": "Ulm"}]).name == ("city",)


@pytest.mark.parametrize(("ordered", "name"), [(True, "groupOfHirers"), (False, "contact")])
def test_the_first_property_names_rows_only_where_properties_have_an_order(ordered: bool, name: str) -> None:
    sample = Sample("Hirer", ordered=ordered)
    for i in range(20):
        letter = chr(ord("a") + i)
        sample.add({"groupOfHirers": f"Long Society {letter}", "contact": f"Ann {letter}"})
    assert choose_namings([sample], {})["Hirer"].name == (name,)
