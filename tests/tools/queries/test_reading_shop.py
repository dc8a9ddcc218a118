"""What a shop asks of its orders: numbers for each month of a year, what sells best in a year, who buys what most."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SHOP = Schema(
    {"Order": 830, "Customer": 91, "Employee": 9, "Product": 77, "Shipper": 3},
    (
        Relation("HAS_CUSTOMER", "Order", "Customer", 830), Relation("HAS_EMPLOYEE", "Order", "Employee", 830),
        Relation("HAS_PRODUCT", "Order", "Product", 2155), Relation("SHIP_VIA", "Order", "Shipper", 830),
    ),
    (
        Property("Order", "name", "STRING", 830, ("10248", "10249")),
        Property("Order", "freight", "FLOAT", 830, (32.38, 11.61), 0.02, 1007.64),
        Property("Order", "requiredDate", "DATE", 830, ("1996-08-01", "1998-05-06")),
        Property("Order", "shippedDate", "DATE", 809, ("1996-07-16", "1998-05-06")),
        Property("Order", "orderDate", "DATE", 830, ("1996-07-04", "1998-05-06")),
        Property("Employee", "hireDate", "DATE", 9, ("1992-05-01", "1994-11-15")),
        Property("Product", "unitPrice", "FLOAT", 77, (18.0, 19.0), 2.5, 263.5),
        Property("Product", "unitsInStock", "INTEGER", 77, (39, 17), 0, 125),
        Property("HAS_PRODUCT", "quantity", "INTEGER", 2155, (12, 10), 1, 130),
        Property("HAS_PRODUCT", "unitPrice", "FLOAT", 2155, (14.0, 9.8), 2.0, 263.5),
    ),
    "1",
)  # fmt: skip
NAMES = {
    "Ernst Handel": Entity("c1", "Ernst Handel", "Customer"), "Chai": Entity("p1", "Chai", "Product"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SHOP, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many orders per month in 1997", "Number of orders with order date = 1997, for each month of order date"),
        ("how many orders shipped per month in 1997", "with shipped date = 1997, for each month of shipped date"),
        ("how many orders were placed each month of 1997", "with order date = 1997, for each month of order date"),
        ("total freight by quarter in 1997", "with order date = 1997, for each quarter of order date"),
        ("how many orders per year", "Number of orders, for each year of order date"),
        (
            "which month of 1997 had the most orders",
            "order date = 1997, for each month of order date, highest first: 1",
        ),
        ("orders after May 1997", "Orders with order date > 1997-05"),
        ("orders shipped after May 1997", "Orders with shipped date > 1997-05"),
        ("in 1997, which employee had the most orders", "Employees, by number of orders with order date = 1997"),
        ("most ordered product in May 1997", "Products, by number of orders with order date = 1997-05, highest first"),
        ("which product did Ernst Handel order most often", "Products, by number of orders with customer Ernst Handel"),
        ("which product did Ernst Handel order the most", "Ernst Handel"),
        ("what is the total value of our stock", "Total stock value (unit price × units in stock) of products"),  # noqa: RUF001
    ],
)
def test_orders(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, NAMES)
    assert read in words(reading.form)
    assert not reading.unexplained
