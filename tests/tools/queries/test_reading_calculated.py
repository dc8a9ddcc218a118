"""Questions about what is calculated: revenue, stock value, days until something is done, and totals with a bound."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.calculated import Calculated, Calculation, Operand, parsed, term
from clew.tools.queries.follow_ups.stored_forms import restored, stored
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SHOP = Schema(
    {"Customer": 40, "Order": 300, "Product": 60, "Category": 8},
    (
        Relation("PLACED", "Customer", "Order", 300), Relation("CONTAINS", "Order", "Product", 900),
        Relation("IN_CATEGORY", "Product", "Category", 60),
    ),
    (
        Property("Customer", "name", "STRING", 40, ("Bolt & Sons", "Kestrel")),
        Property("Customer", "country", "STRING", 40, ("Chile", "Ghana")),
        Property("Order", "orderDate", "DATE", 300, ("2024-01-03",)),
        Property("Order", "shippedDate", "DATE", 280, ("2024-01-09",)),
        Property("Order", "dueDate", "DATE", 300, ("2024-01-20",)),
        Property("Order", "freight", "FLOAT", 300, (3.5, 81.0), 0.5, 400.0),
        Property("Product", "name", "STRING", 60, ("Lamp", "Kettle")),
        Property("Product", "listPrice", "FLOAT", 60, (12.0, 40.0), 2.0, 300.0),
        Property("Product", "stock", "INTEGER", 60, (5, 80), 0, 500),
        Property("Category", "name", "STRING", 8, ("Kitchen",)),
    ),
    "1",
    (
        Property("CONTAINS", "price", "FLOAT", 900, (12.0, 40.0), 2.0, 300.0),
        Property("CONTAINS", "quantity", "INTEGER", 900, (1, 5), 1, 90),
    ),
)  # fmt: skip
_NAMES = {"Kestrel": Entity("c1", "Kestrel", "Customer"), "Lamp": Entity("p1", "Lamp", "Product")}
_REVENUE = "revenue (price × quantity)"  # noqa: RUF001
_TO_SHIP = "days from order date to shipped date"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SHOP, _NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("total revenue", f"Total {_REVENUE} of products of orders"),
        ("revenue per customer", f"Total {_REVENUE} of orders for each of customers"),
        ("total revenue by category", f"Total {_REVENUE} of products for each of categories"),
        ("total revenue of Kestrel", f"Total {_REVENUE} of products of orders that Kestrel placed"),
        ("top 3 customers by revenue", f"Customers, by total {_REVENUE} of orders, highest first: 3"),
        ("which category has the highest revenue", f"Categories, by total {_REVENUE} of products, highest first: 1"),
        (
            "which customer's orders have the highest revenue",
            f"Customers, by total {_REVENUE} of orders, highest first",
        ),
        ("revenue per customer in 2024", f"Total {_REVENUE} of orders with order date = 2024 for each of customers"),
        ("revenue per year", f"Total {_REVENUE} of products of orders, for each year of order date"),
        ("which year had the highest revenue", "for each year of order date, highest first: 1"),
        ("total revenue in 2024", f"Total {_REVENUE} of products of orders with order date = 2024"),
        ("total revenue by country", f"Total {_REVENUE} of products of orders, for each country"),
        ("customers with total revenue above 50000", f"Customers with total {_REVENUE} of orders > 50000"),
        ("which product has the highest stock value", "Products, by stock value (list price × stock)"),  # noqa: RUF001
        ("the list price times the stock of Lamp", "list price × stock of Lamp"),  # noqa: RUF001
        ("products with list price divided by stock above 3", "Products with list price ÷ stock > 3"),
        ("how many days between order and shipping of order 7", _TO_SHIP),
        ("average shipping time", f"Average {_TO_SHIP} of orders"),
        ("orders that took more than 10 days to ship", f"Orders with {_TO_SHIP} > 10"),
        ("orders shipped within 2 weeks", f"Orders with {_TO_SHIP} <= 14"),
        ("which order took the longest to ship", f"Orders, by {_TO_SHIP}, highest first: 1"),
        ("orders with a delay of more than 5 days", "Orders with delay (days from due date to shipped date) > 5"),
        ("how many orders were delayed", "Number of orders with delay (days from due date to shipped date) > 0"),
        ("orders shipped on time", "Orders with delay (days from due date to shipped date) <= 0"),
        ("customers whose total freight is more than 1000", "Customers with total freight of orders > 1000"),
        ("categories with an average list price above 30", "Categories with average list price of products > 30"),
        ("how many categories have an average list price above 30", "Number of categories with average list price"),
        ("customers with total freight between 100 and 200", "total freight of orders >= 100 and with total freight"),
    ],
)
def test_calculated_questions(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


_FORMULAS = st.recursive(
    st.integers(0, 99).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(" ".join), inner.map(lambda text: f"({text})")
    ),
    max_leaves=8,
)


@given(_FORMULAS)
def test_formulas_follow_the_rules_of_arithmetic(formula: str) -> None:
    made = parsed(formula, lambda name: None)
    if made is not None:
        assert eval(term("n", Calculated(made))) == eval(formula)


@pytest.mark.parametrize("formula", ["price *", "* price", "(price", "price)", "price quantity 3", "", "price ^ 2"])
def test_what_is_no_formula_is_refused(formula: str) -> None:
    assert parsed(formula, lambda name: Operand(name) if " " not in name else None) is None


def test_a_calculated_property_is_quoted_and_survives_storage() -> None:
    product = Calculated(Calculation("*", Operand("a`b"), Calculation("/", Operand("c"), 2.0)), "worth")
    assert term("n", product) == "(n.`a``b` * (1.0 * n.`c` / 2.0))"
    for kept in (pickle.loads(pickle.dumps(product)), copy.deepcopy(product), restored(stored(product))):
        assert isinstance(kept, Calculated)
        assert (kept, kept.calculation) == (product, product.calculation)
    assert not Calculated(Calculation("/", Operand("c"), Operand("d"))).adds_up


def test_a_formula_is_a_definition() -> None:
    own = reader_of(SHOP, _NAMES)
    formulas = {
        "gross": "price * quantity * 1.2",
        "waiting time": "shipped date - order date of an Order",
        "stock": "list price * 2",
        "cover": "list price / freight",
    }
    found = {each.phrase: each for each in own.define(formulas, lambda text: [])}
    assert {phrase for phrase, each in found.items() if each.problem} == {"stock", "cover"}
    assert "is the name of a property already" in found["stock"].problem
    assert "no formula of properties that one label" in found["cover"].problem
    assert "Total gross (price × quantity × 1.2) of orders" in words(  # noqa: RUF001
        best_reading(own, "total gross per customer", _NAMES).form
    )
    waited = best_reading(own, "orders with a waiting time above 9", _NAMES).form
    assert words(waited) == f"Orders with waiting time ({_TO_SHIP}) > 9"


@pytest.mark.parametrize(
    ("name", "greatest", "formula", "term_of_discount"),
    [
        ("discount", 0.3, "(1 − discount)", "(1.0 - coalesce(r.`discount`, 0))"),  # noqa: RUF001
        ("disc_pct", 17.5, "(1 − disc pct ÷ 100)", "(1.0 - (1.0 * coalesce(r.`disc_pct`, 0) / 100.0))"),  # noqa: RUF001
    ],
)
def test_a_discount_is_a_fraction_or_in_percent_and_none_is_0(
    name: str, greatest: float, formula: str, term_of_discount: str
) -> None:
    edges = (*SHOP.relation_properties, Property("CONTAINS", name, "FLOAT", 300, (0.1, 0.2), 0.0, greatest))
    found = best_reading(reader_of(replace(SHOP, relation_properties=edges), _NAMES), "total revenue", _NAMES)
    value = found.form.value
    assert value is not None
    assert isinstance(value.property, Calculated)
    assert formula in value.property
    assert term_of_discount in term("r", value.property)
    assert restored(stored(found.form)) == found.form
