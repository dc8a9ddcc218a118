"""A relation that is taken any number of times, as Cypher clauses.

A pattern of a variable length finds every way to a node: on a graph of 70 users who follow each other, all that one can
reach takes longer than any limit. Here each step keeps what it reaches once, so that a step looks at each relationship
at most twice.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.tools.queries.reading.forms.form import DEEPEST, Link
from clew.tools.queries.reading.forms.wider_relations import any_of

AGAIN = "*0..1"
"""A further step, which need not be taken."""


def every_step(link: Link, bound: str, name: Callable[[], str], kept: str) -> tuple[list[str], str]:
    """The clauses of all steps but the last one, and the variable of what they reach.

    Args:
        link: A link of one step, seen from what is reached.
        bound: The variable of the nodes that the steps start from.
        name: Gives new variables.
        kept: The variables that the clauses keep beside, each with a comma behind it.
    """
    lines = []
    for times in ("", *[AGAIN] * (DEEPEST - 2)):
        reached = name()
        lines.append(f"MATCH {one_step(bound, link, reached, times)} WITH DISTINCT {kept}{reached}")
        bound = reached
    return lines, bound


def one_step(bound: str, link: Link, far: str, times: str) -> str:
    """The pattern of one step from nodes that are bound to what a link starts from."""
    hop = link.path[0]
    relation = f"-[:{any_of(hop.relation)}{times}]-"
    return f"({bound}){relation if hop.either else f'<{relation}' if hop.forward else f'{relation}>'}({far})"
