"""Best readings of a question: items are joined over the schema, shorter spans first, the cheapest of each span kept.

A chart parser whose rules may skip words at a cost (a floating grammar; Pasupat and Liang 2015).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest
from time import monotonic

from clew.tools.queries.reading.anchors.spending import of_money
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    CountOf,
    Direction,
    Grouped,
    GroupedBy,
    Noun,
    Number,
    Operator,
    Period,
    PropertyNoun,
    Ranking,
    Share,
    Sorting,
    Superlative,
    Whole,
)
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.rules import bare_properties as bare
from clew.tools.queries.reading.rules import bounded_groups as having
from clew.tools.queries.reading.rules import (
    but_not,
    columns,
    contents,
    journeys,
    number_of,
    only,
    ranked_links,
    truths,
    two_verbs,
)
from clew.tools.queries.reading.rules import comparison_rules as comparisons
from clew.tools.queries.reading.rules import condition_parts as parts
from clew.tools.queries.reading.rules import condition_rules as conditions
from clew.tools.queries.reading.rules import edge_values as edges
from clew.tools.queries.reading.rules import group_rules as groups
from clew.tools.queries.reading.rules import limit_rules as limits
from clew.tools.queries.reading.rules import most_often as often
from clew.tools.queries.reading.rules import narrowed_groups as narrowed
from clew.tools.queries.reading.rules import noun_rules as nouns
from clew.tools.queries.reading.rules import number_rules as numbers
from clew.tools.queries.reading.rules import order_rules as orders
from clew.tools.queries.reading.rules import own_properties as own
from clew.tools.queries.reading.rules import peer_averages as peers
from clew.tools.queries.reading.rules import period_rules as periods
from clew.tools.queries.reading.rules import ranked_groups as extremes
from clew.tools.queries.reading.rules import ranked_totals as totals
from clew.tools.queries.reading.rules import related_values as related
from clew.tools.queries.reading.rules import several_rules as several
from clew.tools.queries.reading.rules import share_rules as shares
from clew.tools.queries.reading.rules import sorted_rules as sorting
from clew.tools.queries.reading.rules import statement_rules as statements
from clew.tools.queries.reading.rules import total_conditions as bounds
from clew.tools.queries.reading.rules import union_rules as unions
from clew.tools.queries.reading.rules import value_rules as values
from clew.tools.queries.reading.rules import verb_rules as verbs
from clew.tools.queries.reading.rules.events_between import events_between
from clew.tools.queries.reading.rules.grammar import FURTHEST, Grammar, Rule
from clew.tools.queries.reading.rules.side_rules import of_sides

_BEAM = 3
"""Items kept of one span and kind."""
_REBATE = 1.0
"""What two sets together may cost less than each by itself."""
_LONGEST_GAP = 6
_BY_KIND = 0.7
"""What it costs to join the sets of "films by genre", which asks for a number for each genre."""


def _noun_noun(left: AnyItem, between: Gap, right: AnyItem, grammar: Grammar) -> Iterator[AnyItem]:
    noun: Noun = right.meaning
    by_kind = groups.by_kind(between, noun)
    of_each = between.texts[-1:] in (("each",), ("every",)) and groups.is_any(noun)
    if noun.each or by_kind or (of_each and left.meaning.nodes.order is not None):
        yield from groups.noun_each(left, between, right, grammar)
    if noun.each:
        return
    if between.empty and ranked_links.counts(left.meaning.nodes, noun.nodes):
        return  # "The director who directed the most" + "films"
    yield from events_between(left, between, right, grammar)
    related = ranked_links.by_linked_order(nouns.join_nouns(left, between, right, grammar), left, grammar)
    joined = totals.of_all_together(related, between)
    for item in only.those_alone(joined, between):
        yield with_features(item, ("guess", 2.0 if of_each else _BY_KIND)) if by_kind or of_each else item


def _property_noun(left: AnyItem, between: Gap, right: AnyItem, grammar: Grammar) -> Iterator[AnyItem]:
    each = right.meaning.each or groups.by_each(left, between, right)
    return (groups.property_each if each else values.property_noun)(left, between, right, grammar)


RULES: Mapping[tuple[type, type], tuple[Rule, ...]] = {
    (Noun, Noun): (_noun_noun, contents.contents, journeys.journey, of_sides, two_verbs.both_verbs, truths.of_kind),
    (Superlative, Noun): (orders.superlative_noun,),
    (Noun, Superlative): (orders.noun_superlative, related.noun_also),
    (Superlative, PropertyNoun): (orders.superlative_property,),
    (Superlative, Operator): (orders.superlative_operator,),
    (PropertyNoun, Superlative): (orders.property_superlative,),
    (PropertyNoun, Ranking): (often.commonest_value, totals.value_ranked),
    (Noun, Ranking): (orders.noun_ranking, related.noun_also, totals.noun_ranked),
    (Ranking, Noun): (orders.ranking_noun, comparisons.ranking_than, totals.ranking_of, extremes.ranking_each),
    (Ranking, PropertyNoun): (extremes.ranking_by_property,),
    (Noun, PropertyNoun): (
        limits.by_property,
        values.noun_property,
        groups.noun_by_property,
        conditions.noun_presence,
        columns.noun_columns,
        groups.each_property,
        sorting.noun_by_property,
    ),
    (Noun, Sorting): (sorting.noun_sorting,),
    (Noun, Direction): (sorting.noun_direction,),
    (PropertyNoun, Direction): (sorting.property_direction,),
    (Direction, PropertyNoun): (sorting.direction_property,),
    (Noun, Whole): (limits.noun_by,),
    (Noun, Operator): (totals.on_the_whole,),
    (Noun, Period): (periods.noun_period,),
    (PropertyNoun, Period): (periods.property_period,),
    (Whole, Period): (periods.whole_period,),
    (Period, Ranking): (periods.period_ranking,),
    (Ranking, Whole): (limits.busiest_by,),
    (Ranking, Operator): (comparisons.ranking_average,),
    (PropertyNoun, PropertyNoun): (parts.compound_property, parts.listed_properties, groups.property_by_property),
    (Operator, Superlative): (limits.first_superlative,),
    (PropertyNoun, Noun): (_property_noun,),
    (Operator, Noun): (
        values.operator_noun,
        limits.first_noun,
        several.operator_counted,
        shares.share_of,
        often.commonest_of,
    ),
    (Operator, Whole): (several.operator_whole, limits.first_commonest, having.number_of_groups),
    (PropertyNoun, CountOf): (having.property_count,),
    (Period, CountOf): (having.period_count,),
    (Whole, Number): (narrowed.groups_narrowed, truths.number_is),
    (Grouped, Number): (narrowed.groups_narrowed,),
    (Grouped, ConditionNoun): (narrowed.groups_narrowed,),
    (Whole, Noun): (several.difference_than, edges.value_between),
    (Operator, PropertyNoun): (values.operator_property, limits.first_commonest_bare),
    (Whole, Operator): (values.whole_operator,),
    (Operator, Grouped): (groups.operator_grouped, several.average_grouped),
    (Operator, GroupedBy): (groups.operator_grouped,),
    (PropertyNoun, Grouped): (groups.property_grouped,),
    (PropertyNoun, GroupedBy): (groups.property_grouped,),
    (Comparator, Number): (parts.comparator_number,),
    (Comparator, Noun): (parts.comparator_noun, related.comparator_related),
    (Comparator, Whole): (parts.comparator_value,),
    (Comparator, PropertyNoun): (own.comparator_property, parts.comparator_average),
    (Comparator, Operator): (parts.comparator_operator,),
    (Number, Number): (parts.between_numbers,),
    (PropertyNoun, ConditionNoun): (parts.property_condition, bare.property_condition, having.property_worked_out),
    (PropertyNoun, Operator): (values.property_operator,),
    (ConditionNoun, PropertyNoun): (parts.condition_property, peers.average_of_alike),
    (PropertyNoun, Number): (parts.property_number, bare.property_number),
    (ConditionNoun, ConditionNoun): (parts.either_condition,),
    (ConditionNoun, Noun): (conditions.condition_noun, peers.average_of_peers),
    (Number, Noun): (numbers.number_noun,),
    (Number, PropertyNoun): (parts.number_property,),
    (Whole, ConditionNoun): (
        numbers.value_condition,
        number_of.number_condition,
        truths.number_is,
        narrowed.groups_narrowed,
        bounds.number_worked_out,
    ),
    (Whole, Superlative): (number_of.number_superlative,),
    (Noun, CountOf): (conditions.noun_count,),
    (Noun, ConditionNoun): (conditions.noun_condition, own.noun_compared, but_not.not_so),
    (Noun, Number): (numbers.noun_number, but_not.not_then),
}
_STATEMENT_RULES: Mapping[tuple[type, type], tuple[Rule, ...]] = {
    (Noun, Noun): (statements.among, statements.includes, statements.wrong_kind),
    (Noun, Ranking): (statements.has_most,),
    (Whole, Number): (statements.value_is,),
    (Whole, ConditionNoun): (statements.value_is,),
    (Number, PropertyNoun): (statements.number_of_units,),
}
"""Further rules for statements …"""
_TRUTH_RULES: Mapping[tuple[type, type], tuple[Rule, ...]] = {(Noun, Ranking): (statements.has_most,)}
"""… and for yes-or-no questions."""


class Chart:
    """The items of a question by where they begin and end."""

    def __init__(self, least: dict[tuple[int, int], float]) -> None:
        self._spans: dict[tuple[int, int], dict[object, AnyItem]] = defaultdict(dict)
        self._least = least
        """The least cost of a set over each span."""

    def add(self, item: AnyItem) -> None:
        """Keep an item where it is the cheapest of its meaning."""
        kept = self._spans[item.first, item.last]
        known = kept.get(item.meaning)
        if known is None or item.cost < known.cost:
            kept[item.meaning] = item
        if isinstance(item.meaning, Noun):
            span = (item.first, item.last)
            self._least[span] = min(item.cost, self._least.get(span, item.cost))

    def hopeless(self, first: int, last: int, left: AnyItem, right: AnyItem) -> bool:
        """Whether the set that two others give would be pruned, since they cost too much already."""
        if not (isinstance(left.meaning, Noun) and isinstance(right.meaning, Noun)):
            return False
        least = self._least.get((first, last))
        return least is not None and left.cost + right.cost > least + FURTHEST + _REBATE

    def prune(self, first: int, last: int) -> None:
        """Keep the cheapest items of each kind of a span."""
        kept = self._spans.get((first, last))
        if not kept:
            return
        by_kind: dict[type, list[tuple[object, AnyItem]]] = defaultdict(list)
        for meaning, item in kept.items():
            by_kind[type(meaning)].append((meaning, item))
        best: list[tuple[object, AnyItem]] = []
        for pairs in by_kind.values():
            least = min(item.cost for _, item in pairs)
            near = [pair for pair in pairs if pair[1].cost <= least + FURTHEST]
            best += nsmallest(_BEAM, near, key=lambda pair: pair[1].cost)
        self._spans[first, last] = dict(sorted(best, key=lambda pair: pair[1].cost))

    def at(self, first: int, last: int) -> list[AnyItem]:
        return list(self._spans.get((first, last), {}).values())

    def __iter__(self) -> Iterator[AnyItem]:
        for items in self._spans.values():
            yield from items.values()


def compose(anchors: Iterable[AnyItem], grammar: Grammar, until: float) -> Chart | None:
    """All items of a question; None where the time is over before (`time.monotonic`)."""
    size = len(grammar.tokens)
    chart = Chart(grammar.least)
    for item in anchors:
        if not of_money(item, grammar.tokens):
            chart.add(item)
    for length in range(1, size + 1):
        for first in range(size - length + 1):
            last = first + length
            for split in range(first + 1, last):
                _join(chart, grammar, first, split, last)
            chart.prune(first, last)
            for item in chart.at(first, last):
                if isinstance(item.meaning, Noun):
                    for longer in (*verbs.done(item, grammar), *two_verbs.second_behind(item, grammar)):
                        chart.add(longer)
        if monotonic() > until:
            return None
    return chart


def _join(chart: Chart, grammar: Grammar, first: int, split: int, last: int) -> None:
    """Join the items of [first, split) with those that end at `last` behind a short gap."""
    lefts = chart.at(first, split)
    if not lefts:
        return
    for start in range(split, min(split + _LONGEST_GAP + 1, last)):
        rights = chart.at(start, last)
        if not rights:
            continue
        between = grammar.gap(split, start)
        for left in lefts:
            for right in rights:
                if chart.hopeless(first, last, left, right):
                    continue
                if isinstance(left.meaning, Share):
                    of_whole = RULES.get((Noun, type(right.meaning)), ())
                    for item in shares.shared(left, between, right, grammar, of_whole):
                        chart.add(item)
                    continue
                kinds = (type(left.meaning), type(right.meaning))
                either = unions.joined_by_or(left, between, right)
                if either:
                    for item in unions.united(left, between, right, grammar, RULES.get(kinds, ())):
                        chart.add(item)
                more = _STATEMENT_RULES.get(kinds, ()) if grammar.statement else ()
                more = more or (_TRUTH_RULES.get(kinds, ()) if grammar.asks_truth else ())
                for rule in (*RULES.get(kinds, ()), *more):
                    for item in rule(left, between, right, grammar):
                        chart.add(unions.doubted(item, left) if either else item)
