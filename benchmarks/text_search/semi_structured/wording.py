"""How questions say what they ask for: relations, comparisons, superlatives, and sentences to put them in.

Of two tuples of phrases the first is for graphs of even seeds, the second for those of odd ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.text_search.semi_structured.gold import Comparison, End, Operator, Step
from benchmarks.text_search.semi_structured.world import Node


@dataclass(frozen=True, slots=True)
class Route:
    """Steps from an answer of `label` to a node that the question names or describes."""

    label: str
    steps: tuple[Step, ...]
    phrases: tuple[tuple[str, ...], tuple[str, ...]]
    """{} is the node's name, or for `described` what is said of it."""
    described: str = ""
    """The label of the last node where the question does not name it but says what it is like."""


ROUTES = (
    Route("Paper", (("WROTE", "in"),), (("was written by {}", "has {} among its authors"),
                                        ("was authored by {}", "comes from the pen of {}"))),
    Route("Paper", (("STUDIES", "out"),), (("studies {}", "is about {}"), ("investigates {}", "deals with {}"))),
    Route("Paper", (("DISCUSSES", "out"),), (("discusses {}", "speaks of {}"), ("treats of {}", "talks about {}"))),
    Route("Paper", (("CITES", "out"),), (("cites “{}”", "refers to “{}”"),
                                         ("quotes “{}”", "has “{}” in its references"))),
    Route("Paper", (("CITES", "in"),), (("is cited by “{}”", "is referred to in “{}”"),
                                        ("is quoted in “{}”", "is in the references of “{}”"))),
    Route("Paper", (("WROTE", "in"), ("WORKS_AT", "out")), (("was written by someone who works at the {}",
          "has an author at the {}"), ("was authored by staff of the {}", "comes from an employee of the {}"))),
    Route("Compound", (("TREATS", "out"),), (("treats {}", "helps against {}"), ("is a remedy for {}", "cures {}"))),
    Route("Compound", (("INTERACTS_WITH", "both"),), (("interacts with {}", "does not go well together with {}"),
                                                      ("has an interaction with {}", "influences the action of {}"))),
    Route("Compound", (("CONTAINS", "in"),), (("is contained in {}", "is an ingredient of {}"),
                                              ("is part of {}", "can be found in {}"))),
    Route("Compound", (("DEVELOPED_AT", "out"),), (("was developed at the {}", "was invented at the {}"),
                                                   ("originated at the {}", "was created by the {}"))),
    Route("Compound", (("TREATS", "out"), ("DISCUSSES", "in")), (
        ("treats a condition that “{}” discusses", "helps against what is discussed in “{}”"),
        ("is a remedy for a disorder mentioned in “{}”", "cures something that “{}” talks about"))),
    Route("Compound", (("TREATS", "out"),), (("treats a disease that {}",), ("is a remedy for a disorder that {}",)),
          "Condition"),
    Route("Product", (("CONTAINS", "out"),), (("contains {}", "has {} in it"), ("is made with {}", "includes {}"))),
    Route("Product", (("BOUGHT_WITH", "both"),), (("is bought together with {}", "is often bought with {}"),
                                                  ("is sold along with {}", "lands in the same basket as {}"))),
    Route("Product", (("CONTAINS", "out"), ("TREATS", "out")), (("contains something that treats {}",
          "has an ingredient against {}"), ("includes a remedy for {}", "is made with a substance that cures {}"))),
    Route("Product", (("CONTAINS", "out"),), (("contains a drug that {}",), ("includes a substance that {}",)),
          "Compound"),
    Route("Condition", (("TREATS", "in"),), (("is treated with {}", "responds to {}"),
                                             ("is cured by {}", "has {} as a remedy"))),
    Route("Condition", (("DISCUSSES", "in"),), (("is discussed in “{}”", "is a subject of “{}”"),
                                                ("is talked about in “{}”", "is mentioned in “{}”"))),
    Route("Condition", (("TREATS", "in"), ("DEVELOPED_AT", "out")), (("is treated with a drug from the {}",
          "responds to a compound developed at the {}"), ("is cured by something that the {} created",
          "has a remedy that originated at the {}"))),
    Route("Researcher", (("WROTE", "out"),), (("wrote “{}”", "is an author of “{}”"),
                                              ("authored “{}”", "contributed to “{}”"))),
    Route("Researcher", (("WORKS_AT", "out"),), (("works at the {}", "is employed by the {}"),
                                                 ("is on the staff of the {}", "has a post at the {}"))),
    Route("Researcher", (("WROTE", "out"), ("STUDIES", "out")), (("wrote a paper about {}",), ("published on {}",))),
    Route("Researcher", (("WROTE", "out"),), (("wrote a paper that {}",), ("authored an article that {}",)), "Paper"),
)  # fmt: skip
NOUNS = {
    "Paper": (("paper", "study"), ("publication", "article")),
    "Compound": (("compound", "drug"), ("substance", "medicine")),
    "Product": (("product", "item"), ("product", "commodity")),
    "Condition": (("condition", "illness"), ("disease", "disorder")),
    "Researcher": (("researcher", "scientist"), ("scholar", "author")),
}
LEADS = (
    ("Which {} {}?", "Find a {} that {}.", "I am looking for a {} that {}.", "Is there a {} that {}?"),
    ("What {} {}?", "Name each {} that {}.", "Can you suggest a {} which {}?", "We want a {} which {}."),
)
BEST_LEADS = (
    ("Which is the {}{}{} that {}?", "Find the {}{}{} that {}."),
    ("Name the {}{}{} which {}.", "What is the {}{}{} that {}?"),
)
LAST = (("and", "and also"), ("and", "and at the same time"))


Draw = Callable[[Node, Random], tuple[str, Comparison]]


def _number(name: str, under: Sequence[str], over: Sequence[str], least: Sequence[str], step: float) -> Draw:
    """A comparison with a round number near the node's own."""

    def draw(node: Node, chance: Random) -> tuple[str, Comparison]:
        own = node.properties[name]
        ways: list[tuple[Operator, Sequence[str]]] = [("<", under), (">", over)]
        operator, phrases = chance.choice([*ways, (">=", least)] if least else ways)
        bound = own * chance.uniform(1.1, 1.8) if operator == "<" else own * chance.uniform(0.5, 0.9)
        rounded = round(bound / step) * step
        value = int(rounded) if float(rounded).is_integer() else round(rounded, 2)
        return chance.choice(phrases).format(value), Comparison(name, operator, value)

    return draw


def _date(name: str, after: Sequence[str], before: Sequence[str], within: Sequence[str]) -> Draw:
    def draw(node: Node, chance: Random) -> tuple[str, Comparison]:
        year = node.properties[name].year
        way = chance.randrange(4)
        if way == 0:
            bound = year - chance.randint(1, 6)
            return chance.choice(after).format(bound), Comparison(name, ">", f"{bound}-12-31")
        if way == 1:
            bound = year + chance.randint(1, 6)
            return chance.choice(before).format(bound), Comparison(name, "<", f"{bound}-01-01")
        if way == 2:
            return chance.choice(within).format(f"in {year}"), _years(name, year, year)
        low, high = year - chance.randint(0, 4), year + chance.randint(1, 4)
        return chance.choice(within).format(f"between {low} and {high}"), _years(name, low, high)

    return draw


def _years(name: str, low: int, high: int) -> Comparison:
    return Comparison(name, "between", f"{low}-01-01", f"{high}-12-31")


COMPARISONS: dict[str, tuple[Draw, ...]] = {
    "Paper": (
        _number("citationCount", ("has fewer than {} citations", "was cited less than {} times"),
                ("has more than {} citations", "was cited over {} times"), ("has at least {} citations",), 5),
        _date("published", ("was published after {}", "appeared later than {}"),
              ("was published before {}", "came out earlier than {}"), ("was published {}", "appeared {}")),
    ),
    "Compound": (
        _number("halfLife", ("has a half-life below {} hours", "has a half-life shorter than {} hours"),
                ("has a half-life of more than {} hours", "has a half-life above {} hours"), (), 0.5),
        _date("approved", ("was approved after {}", "got approval later than {}"),
              ("was approved before {}", "got approval prior to {}"), ("was approved {}", "got approval {}")),
    ),
    "Condition": (
        _number("prevalence", ("has a prevalence under {}",), ("has a prevalence over {}",),
                ("has a prevalence of at least {}",), 0.5),
    ),
    "Product": (
        _number("price", ("costs less than {} dollars", "is priced under {} dollars"),
                ("costs more than {} dollars", "has a price above {} dollars"), ("costs at least {} dollars",), 1),
        _number("rating", ("is rated below {} stars",), ("is rated above {} stars",),
                ("is rated {} stars or better", "has a rating of at least {}"), 0.5),
        _date("released", ("was released after {}", "reached the shops later than {}"),
              ("was released before {}", "reached the shops earlier than {}"), ("was released {}", "came on sale {}")),
    ),
}  # fmt: skip
BEST: dict[str, tuple[tuple[str, End, str, str], ...]] = {
    "Paper": (("citationCount", "max", "most cited ", ""), ("citationCount", "min", "least cited ", ""),
              ("published", "max", "newest ", ""), ("published", "max", "most recent ", ""),
              ("published", "min", "oldest ", "")),
    "Compound": (("halfLife", "max", "", " with the longest half-life"),
                 ("halfLife", "min", "", " with the shortest half-life"),
                 ("approved", "max", "most recently approved ", ""), ("approved", "min", "earliest approved ", "")),
    "Condition": (("prevalence", "max", "", " with the highest prevalence"),
                  ("prevalence", "min", "", " with the lowest prevalence")),
    "Product": (("price", "min", "cheapest ", ""), ("price", "max", "most expensive ", ""),
                ("rating", "max", "best rated ", ""),
                ("released", "max", "latest ", ""), ("price", "max", "priciest ", "")),
}  # fmt: skip
