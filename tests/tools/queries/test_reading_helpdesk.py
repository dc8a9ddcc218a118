"""Times in hours, what a date says was done, labour by the hour, and what nothing can be compared by."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

HELPDESK = Schema(
    {"Client": 30, "Ticket": 600, "Agent": 20, "Repair": 80, "Membership": 90, "Invoice": 70},
    (
        Relation("HAS_CLIENT", "Ticket", "Client", 600), Relation("TAKEN_BY", "Ticket", "Agent", 600),
        Relation("HAS_SUPERVISOR", "Agent", "Agent", 18), Relation("DONE_BY", "Repair", "Agent", 80),
    ),
    (
        Property("Ticket", "opened", "DATETIME", 600, ("2024-01-03T12:07:00", "2024-05-06T08:48:00")),
        Property("Ticket", "closed", "DATETIME", 580, ("2024-01-04T12:07:00", "2024-05-07T09:00:00")),
        Property("Ticket", "priority", "STRING", 600, ("high", "low")),
        Property("Ticket", "minutes", "INTEGER", 600, (5, 300)),
        Property("Agent", "agentId", "INTEGER", 20, (11, 64)),
        Property("Repair", "partsCost", "FLOAT", 80, (3.5, 200.0)),
        Property("Repair", "labourHours", "FLOAT", 80, (0.5, 6.0)),
        Property("Repair", "labourRate", "FLOAT", 80, (17.0, 25.0)),
        Property("Invoice", "invoiceDate", "DATE", 70, ("2024-01-03", "2024-05-06")),
        Property("Invoice", "netAmount", "FLOAT", 70, (10.0, 900.0)),
        Property("Invoice", "total", "FLOAT", 70, (12.0, 990.0)),
        Property("Membership", "discountPercent", "FLOAT", 20, (5.0, 20.0)),
    ),
    "1",
)  # fmt: skip
NAMES = {"Ann Lee": Entity("a1", "Ann Lee", "Agent")}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(HELPDESK, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "how long do tickets take from opening to closing, in hours?",
            "Average hours from opened to closed of tickets",
        ),
        (
            "average time from opening to closing of tickets in minutes",
            "Average minutes from opened to closed of tickets",
        ),
        (
            "How long does a ticket take from opening to closing on average, in hours, per priority?",
            "Average hours from opened to closed of tickets, for each priority",
        ),
        (
            "how many days does it take from opening to closing a ticket?",
            "Average days from opened to closed of tickets",
        ),
        (
            "Clients who have never opened a ticket",
            "Clients except those that are client of tickets whose opened is present",
        ),
        ("total parts plus labour of repairs", "Total parts cost + labour hours × labour rate of repairs"),  # noqa: RUF001
        (
            "how many clients opened tickets in May 2024?",
            "Number of clients that are client of tickets whose opened is present and with opened = 2024-05",
        ),
        ("what do the invoices of 2024 come to, VAT included?", "Total total of invoices with invoice date = 2024"),
        ("memberships without a discount", "Memberships with discount percent = 0"),
        ("60-minute tickets", "Tickets with minutes = 60"),
        ("who works under Ann Lee?", "Agents with supervisor Ann Lee"),
    ],
)
def test_questions_of_a_help_desk(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_a_missing_discount_is_none(reader: Reader) -> None:
    form = best_reading(reader, "memberships without a discount", NAMES).form
    assert "coalesce(" in render(form, NodeTerms(), {}).cypher


def test_what_is_done_most_is_counted(reader: Reader) -> None:
    form = best_reading(reader, "which client opened the most tickets?", NAMES).form
    assert form.nodes.order is not None
    assert form.nodes.order.by.function == "count"


def test_a_number_is_no_yes_or_no(reader: Reader) -> None:
    reading = best_reading(reader, "does any agent average more than 30 minutes?", NAMES)
    assert reading.form.asks == "truth" or reading.cost > 2
