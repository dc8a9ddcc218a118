"""Yes-or-no questions, statements and follow-ups over tables of rows: the sales of a market."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.app.api.graph import Graph
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings

VENDORS = """\
vendor_id,name,town,organic,joined_on,members
1,Ashby Apples,Ashby,yes,2015-03-01,4
2,Berry Barn,Corran,yes,2018-06-12,9
3,Crumb & Co,Corran,no,2020-02-20,6
4,Dale Dairy,Ashby,yes,2012-09-30,6
"""
PRODUCTS = """\
product_id,name,category,unit_price
1,Cox Apples,fruit,2.50
2,Plum Jam,preserve,3.20
3,Sourdough,bread,3.80
4,Butter,dairy,3.05
5,Raspberries,fruit,4.10
"""
SALES = """\
sale_id,vendor_id,product_id,sold_on,amount
101,1,1,2024-04-06,120.50
102,2,2,2024-04-13,80.00
103,2,5,2024-05-04,95.50
104,3,3,2024-05-11,210.00
105,4,4,2024-05-18,60.00
106,1,5,2024-05-25,40.00
107,2,2,2023-05-06,70.00
"""
SUPPORTED, REFUTED, UNKNOWN = "supported", "refuted", "not enough evidence"


@pytest.fixture(scope="module")
def market(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("market")
    for name, text in {"vendors": VENDORS, "products": PRODUCTS, "sales": SALES}.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    with Container(load_settings(home=clew_home), NoProgress()) as container:
        graph = Graph(container, f"market-{uuid.uuid4().hex[:8]}")
        graph.import_files(folder)
        yield graph


def _answers(graph: Graph, question: str, session: str | None = None) -> list[str]:
    return [answer.name for answer in graph.ask(question, session=session).answers]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Berry Barn have the most members?", "yes"),
        ("Does Crumb & Co have the most members?", "no"),
        ("Is Dale Dairy the vendor with the most members?", "no"),
        ("Are all vendors organic?", "no"),
        ("Are all vendors in Ashby organic?", "yes"),
        ("Is every vendor from Corran organic?", "no"),
        ("Are Ashby Apples and Dale Dairy both organic?", "yes"),
        ("Are Ashby Apples and Crumb & Co both organic?", "no"),
        ("Are there four vendors?", "yes"),
        ("Are there five vendors?", "no"),
        ("Is the average unit price of the products above 3?", "yes"),
        ("Is the average unit price of the products above 4?", "no"),
        ("Is Berry Barn a vendor?", "yes"),
        ("Is Berry Barn a product?", "no"),
        ("Is it true that Berry Barn is in Corran?", "yes"),
    ],
)
def test_yes_or_no(market: Graph, question: str, answer: str) -> None:
    assert _answers(market, question) == [answer]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What does Berry Barn sell?", ["Plum Jam", "Raspberries"]),
        ("Which vendors sold Plum Jam more than once?", ["Berry Barn"]),
        ("How many vendors are there in Corran?", ["2"]),
    ],
)
def test_facts_of_things(market: Graph, question: str, answers: list[str]) -> None:
    assert sorted(_answers(market, question)) == answers


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("Every vendor in Ashby is organic.", SUPPORTED),
        ("All vendors are organic.", REFUTED),
        ("Two of the vendors are in Corran.", SUPPORTED),
        ("Three of the vendors are in Corran.", REFUTED),
        ("The average unit price of the products is 3.33.", SUPPORTED),
        ("The average unit price of the products is just over 4.", REFUTED),
        ("The sales of Berry Barn come to £245.50 in total.", SUPPORTED),
        ("The sales of Berry Barn add up to £300.", REFUTED),
        ("Berry Barn has the most members.", SUPPORTED),
        ("Of all the vendors, Crumb & Co has the most members.", REFUTED),
        ("Ashby Apples is in Ashby, but Berry Barn is in Corran.", SUPPORTED),
        ("Ashby Apples is in Ashby, but Berry Barn is in Ashby.", REFUTED),
        ("It was Berry Barn who joined on 12 June 2018.", SUPPORTED),
        ("Berry Bakery is organic.", UNKNOWN),
        ("Berry Barn speaks fluent Danish.", UNKNOWN),
        ("Dale Dairy has 40 windows.", UNKNOWN),
        ("Berry Barn only sells fruit.", UNKNOWN),
        ("They joined in 2018.", UNKNOWN),
    ],
)
def test_statements(market: Graph, statement: str, verdict: str) -> None:
    found = market.verify(statement)
    assert (found.verdict, found.reason) == (verdict, found.reason)


@pytest.mark.parametrize(
    "turns",
    [
        [
            ("Which vendors sell Raspberries?", ["Ashby Apples", "Berry Barn"]),
            ("Which other vendors are there?", ["Crumb & Co", "Dale Dairy"]),
        ],
        [
            ("How many sales were there in 2024?", ["6"]),
            ("And in 2023?", ["1"]),
            ("how much is that altogether?", ["70"]),
        ],
        [
            ("Which vendors are in Corran?", ["Berry Barn", "Crumb & Co"]),
            ("Which has more members?", ["Berry Barn"]),
            ("What does it sell?", ["Plum Jam", "Raspberries"]),
            ("Who else sells Raspberries?", ["Ashby Apples"]),
        ],
        [("When did Berry Barn join?", ["2018-06-12"]), ("same for Dale Dairy", ["2012-09-30"])],
        [("How many members has Berry Barn?", ["9"]), ("And Crumb & Co, where is it?", ["Corran"])],
        [
            ("Which products are fruit?", ["Cox Apples", "Raspberries"]),
            ("the cheapest one?", ["Cox Apples"]),
            ("Back to the fruit products: which cost more than 3?", ["Raspberries"]),
        ],
    ],
)
def test_conversations(market: Graph, turns: list[tuple[str, list[str]]]) -> None:
    session = uuid.uuid4().hex
    for question, expected in turns:
        assert sorted(_answers(market, question, session)) == expected, question
