"""Running a checked plan step by step: every step gives ranked nodes, within a cap on rows and the run's time.

Where a search finds nothing among the nodes of the step that it starts from, these are kept as they are: a text that
nobody wrote is no reason to lose what the graph's relationships say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.rows import Lookup, read_result, shape_query
from clew.tools.errors import QueryFailed, QueryTimeout
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.queries.plans.checking import CheckedPlan
from clew.tools.queries.plans.plan import (
    MOST_K,
    MOST_ROWS,
    Match,
    Narrowing,
    PlanOutcome,
    PlanStepResult,
    Predicate,
    RankedNode,
    Related,
    Search,
    Step,
    Traverse,
    ranked_node,
)
from clew.tools.queries.plans.predicates import conditions
from clew.tools.queries.space import render
from clew.tools.queries.space.query import ANSWER, Hop

if TYPE_CHECKING:
    from clew.tools.text_search.index import TextHit

ORDERED_SHARE = 0.5
"""Nodes of a search that score less than this share of its best stay behind the others where an order comes after: the
most cited of all papers is not about the text."""


class Texts(Protocol):
    """As clew.tools.text_search.index.TextIndex."""

    def search(
        self,
        text: str,
        k: int = 20,
        *,
        label: str | None = None,
        properties: Sequence[str] = (),
        within: Collection[str] | None = None,
        describes: bool = False,
    ) -> list[TextHit]: ...


@dataclass(frozen=True, slots=True)
class PlanRunner:
    """Runs the plans of one graph. Thread-safe."""

    store: GraphStore
    schema: Schema
    lookup: Lookup
    """Finds nodes where a row of a query holds no more than an id or a name."""
    texts: Texts | None = None
    """None where the graph's texts are not indexed: searches then find nothing."""
    limits: Callable[[int], Limits] = lambda rows: Limits(max_rows=rows)
    """The limits of the next query, by its maximum number of rows."""
    passed: Callable[[], bool] = lambda: False
    """Whether the time is over."""

    def run(self, checked: CheckedPlan, on_result: Callable[[PlanStepResult], None] = lambda _: None) -> PlanOutcome:
        """Run the steps in order; `on_result` receives the result of each. A query that fails, or the time limit, ends
        the plan early.

        Raises DatabaseUnavailable.
        """
        done: dict[str, PlanStepResult] = {}
        error: QueryFailed | None = None
        for step in checked.plan.steps:
            started = time.monotonic()
            try:
                if self.passed():
                    raise QueryTimeout("The question's time is over.")
                found = self._step(step, done, {each.entity.id for each in checked.anchors})
            except QueryFailed as failed:
                error = failed
                on_result(PlanStepResult(step.name, note=failed.message, cypher=failed.cypher, ms=_since(started)))
                break
            found = replace(found, ms=_since(started))
            done[step.name] = found
            on_result(found)
        answer = done.get(checked.plan.answer, PlanStepResult(checked.plan.answer))
        return PlanOutcome(
            tuple(done.values()), answer if error is None else PlanStepResult(checked.plan.answer), error
        )

    def meeting(self, nodes: Sequence[RankedNode], where: Sequence[Predicate]) -> list[RankedNode]:
        """Those of the nodes that meet the checked conditions, in their order; none where the time is over."""
        if not where or not nodes:
            return list(nodes)
        if self.passed():
            return []
        return list(self._narrowed(PlanStepResult("", tuple(nodes)), Narrowing(tuple(where))).nodes)

    def _step(self, step: Step, done: Mapping[str, PlanStepResult], anchors: Collection[str]) -> PlanStepResult:
        narrowing = step.narrowing
        if isinstance(step, Search):
            found, narrowing = self._search(step, done)
        elif isinstance(step, Match):
            found = self._match(step, done, anchors)
        elif isinstance(step, Related):
            found = self._related(step)
        elif isinstance(step, Traverse):
            found = self._along(step, done)
        elif step.within is None:
            return self._all(step.name, step.label or "", step.narrowing, MOST_ROWS)
        else:
            before = done[step.within].nodes
            found = PlanStepResult(step.name, _of_label(before, step.label))
        return self._narrowed(found, narrowing)

    # ---- where nodes come from -------------------------------------------------------------------------------------

    def _search(self, step: Search, done: Mapping[str, PlanStepResult]) -> tuple[PlanStepResult, Narrowing]:
        """What a search finds, and how that is still to be narrowed."""
        if self.texts is None:
            return PlanStepResult(step.name, note="the graph's texts are not indexed"), step.narrowing
        if step.within is not None and (before := _of_label(done[step.within].nodes, step.label)):
            return self._search_among(step, before), step.narrowing
        note = "" if step.within is None else f"{step.within} gave no such node: searched everywhere"
        if not step.narrowing.where:
            return PlanStepResult(step.name, self._hits(step, step.k, None), note=note), step.narrowing
        fitting = self._all(step.name, step.label, Narrowing(step.narrowing.where), MOST_ROWS) if step.label else None
        if fitting is None or fitting.truncated:  # too many to search among: searched first, narrowed then
            return PlanStepResult(step.name, self._hits(step, min(MOST_K, step.k * 5), None), note=note), step.narrowing
        found = self._hits(step, step.k, [each.entity.id for each in fitting.nodes])
        return replace(fitting, nodes=found, note=note), replace(step.narrowing, where=())

    def _search_among(self, step: Search, before: tuple[RankedNode, ...]) -> PlanStepResult:
        """The nodes of an earlier step: those that the search finds, and behind them the others."""
        hits = self._hits(step, len(before), [each.entity.id for each in before])
        if not hits:
            return PlanStepResult(step.name, before, note=f"nothing in {step.within} is like the text: kept as it is")
        found = {each.entity.id for each in hits}
        others = [replace(each, score=0.0) for each in before if each.entity.id not in found]
        return PlanStepResult(step.name, (*hits, *others)[: max(step.k, len(hits))])

    def _hits(self, step: Search, k: int, within: Sequence[str] | None) -> tuple[RankedNode, ...]:
        assert self.texts is not None
        hits = self.texts.search(
            step.text, k, label=step.label, properties=step.properties, within=within, describes=True
        )
        return tuple(ranked_node(hit) for hit in hits[:MOST_ROWS])

    def _match(self, step: Match, done: Mapping[str, PlanStepResult], anchors: Collection[str]) -> PlanStepResult:
        """A node that an earlier step gave keeps its score; the others follow in the order of the rows."""
        known = {each.entity.id: each for name in step.bound.values() for each in done[name].nodes}
        ids = {key: [each.entity.id for each in done[name].nodes] for key, name in step.bound.items()}
        query = shape_query(step.cypher, {**step.parameters, **ids}, self.schema, self.store.terms)
        rows = self.store.read(query.cypher, query.parameters, self.limits(MOST_ROWS))
        found = read_result(rows.records, query, self.lookup, anchors)
        nodes = [
            known.get(row.id, RankedNode(Entity(row.id, row.name, row.label), 1.0)) for row in found.answers if row.id
        ]
        if any(each.entity.id in known for each in nodes) and "ORDER BY" not in step.cypher.upper():
            nodes.sort(key=lambda each: -each.score)
        values = tuple(str(row.name) for row in found.answers if row.id is None)
        kept = tuple(nodes[:MOST_ROWS])
        return PlanStepResult(step.name, kept, values, rows.truncated, "", query.cypher, query.parameters)

    def _related(self, step: Related) -> PlanStepResult:
        statement = render.cypher(step.query, self.store.terms)
        cypher = f"{statement.cypher}\nLIMIT {MOST_ROWS}"
        rows = self.store.read(cypher, statement.parameters, self.limits(MOST_ROWS))
        if rows.records and "id" not in rows.records[0]:
            values = tuple(str(row.get("value", row.get("began"))) for row in rows.records)
            return PlanStepResult(step.name, (), values, rows.truncated, "", cypher, statement.parameters)
        entities = dict.fromkeys(render.entity_of(row) for row in rows.records)
        asked = {anchor.id for anchor in step.query.anchors}
        others = [each for each in entities if each.id not in asked] or list(entities)
        nodes = tuple(RankedNode(each, 1.0) for each in others)
        return PlanStepResult(step.name, nodes, (), len(rows.records) >= MOST_ROWS, "", cypher, statement.parameters)

    def _along(self, step: Traverse, done: Mapping[str, PlanStepResult]) -> PlanStepResult:
        terms, starts = self.store.terms, done[step.start].nodes
        found: dict[str, RankedNode] = {}
        query, parameters = "", dict[str, Any]()
        for label, members in _by_label(starts):
            scores = {each.entity.id: each.score for each in members}
            query = (
                f"{terms.by_ids('start', label, 'ids')}\nMATCH (start){replace(step.hop, typed=True).pattern(ANSWER)}\n"
                f"RETURN DISTINCT {terms.id('start')} AS start, {render.node_columns(ANSWER, terms)}\nLIMIT {MOST_ROWS}"
            )
            parameters = {"ids": list(scores), **terms.parameters}
            for row in self.store.read(query, parameters, self.limits(MOST_ROWS)).records:
                each = RankedNode(render.entity_of(row), scores[str(row["start"])])
                if each.entity.id not in found or found[each.entity.id].score < each.score:
                    found[each.entity.id] = each
        nodes = sorted(found.values(), key=lambda each: -each.score)
        if step.within is not None:
            allowed = {each.entity.id for each in done[step.within].nodes}
            nodes = [each for each in nodes if each.entity.id in allowed]
        return PlanStepResult(step.name, tuple(nodes[:MOST_ROWS]), (), len(nodes) >= MOST_ROWS, "", query, parameters)

    # ---- which of them are kept ------------------------------------------------------------------------------------

    def _all(self, name: str, label: str, narrowing: Narrowing, most: int) -> PlanStepResult:
        """All nodes of a label that meet the conditions, in the order asked for."""
        query, parameters = self._narrowing_query(
            f"MATCH {self.store.terms.node(ANSWER, label)}", narrowing, min(narrowing.top or most, most) + 1
        )
        rows = self.store.read(query, parameters, self.limits(most + 1)).records
        wanted = min(narrowing.top or most, most)
        nodes = _scored([render.entity_of(row) for row in rows[:wanted]], narrowing)
        truncated = len(rows) > wanted and narrowing.top is None
        return PlanStepResult(name, nodes, (), truncated, "", query, parameters)

    def _narrowed(self, found: PlanStepResult, narrowing: Narrowing) -> PlanStepResult:
        """The nodes of a step that meet the conditions, in the order asked for, else in their own."""
        if narrowing.empty or not found.nodes:
            return found
        nodes = found.nodes
        if not narrowing.where and narrowing.order is None:
            return replace(found, nodes=nodes[: narrowing.top])
        unlike: tuple[RankedNode, ...] = ()
        if narrowing.order is not None and (best := max(each.score for each in nodes)) > 0:
            unlike = tuple(each for each in nodes if each.score < ORDERED_SHARE * best)
            nodes = tuple(each for each in nodes if each.score >= ORDERED_SHARE * best)
        known = {each.entity.id: each for each in nodes}
        rows: list[Mapping[str, Any]] = []
        query, parameters = "", dict[str, Any]()
        for label, members in _by_label(nodes):
            query, parameters = self._narrowing_query(
                self.store.terms.by_ids(ANSWER, label, "ids") + f" WITH {ANSWER}", narrowing, MOST_ROWS
            )
            parameters["ids"] = [each.entity.id for each in members]
            rows += self.store.read(query, parameters, self.limits(MOST_ROWS)).records
        if narrowing.order is None:
            fitting = {str(row["id"]) for row in rows}
            kept = tuple(each for each in nodes if each.entity.id in fitting)
        else:
            rows.sort(key=lambda row: _sortable(row["value"]), reverse=narrowing.order.descending)
            entities = [known[str(row["id"])].entity for row in rows if str(row["id"]) in known]
            kept = tuple(replace(known[each.entity.id], score=each.score) for each in _scored(entities, narrowing))
            behind = min((each.score for each in kept), default=1.0)
            kept += tuple(replace(each, score=behind * each.score) for each in unlike)
        kept = kept[: narrowing.top]
        if found.cypher:
            return replace(found, nodes=kept)
        return replace(found, nodes=kept, cypher=query, parameters=parameters)

    def _narrowing_query(self, matched: str, narrowing: Narrowing, limit: int) -> tuple[str, dict[str, Any]]:
        terms, order = self.store.terms, narrowing.order
        expressions, parameters = conditions(narrowing.where, ANSWER)
        columns = render.node_columns(ANSWER, terms)
        counted = f"\nMATCH ({ANSWER}){order.by.pattern('counted')}" if order and isinstance(order.by, Hop) else ""
        if order is not None and isinstance(order.by, str):
            expressions.append(f"{ANSWER}.{quoted(order.by)} IS NOT NULL")
            columns += f", {ANSWER}.{quoted(order.by)} AS value"
        elif order is not None:
            columns += ", count(DISTINCT counted) AS value"
        where = f"\nWITH {ANSWER} WHERE {' AND '.join(expressions)}" if expressions else ""
        direction = "" if order is None else f"\nORDER BY value {'DESC' if order.descending else 'ASC'}, name"
        text = f"{matched}{where}{counted}\nRETURN {columns}{direction}\nLIMIT {int(limit)}"
        return text, {**parameters, **terms.parameters}


def _by_label(nodes: Iterable[RankedNode]) -> Iterator[tuple[str, Iterator[RankedNode]]]:
    """The nodes by label, in the order of the labels."""
    return groupby(sorted(nodes, key=lambda each: each.entity.label), lambda each: each.entity.label)


def _of_label(nodes: Iterable[RankedNode], label: str | None) -> tuple[RankedNode, ...]:
    return tuple(each for each in nodes if label in (None, each.entity.label))


def _scored(entities: Sequence[Entity], narrowing: Narrowing) -> tuple[RankedNode, ...]:
    """Alike without an order; with one, falling by place."""
    fall = 1.0 / len(entities) if entities and narrowing.order is not None else 0.0
    return tuple(RankedNode(each, round(1.0 - fall * place, 6)) for place, each in enumerate(entities))


def _sortable(value: Any) -> tuple[int, float, str]:
    """Numbers before texts; times sort as ISO text does."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0, float(value), ""
    return 1, 0.0, str(value)


def _since(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 3)
