"""The verification graph: START → parse → link → match → judge → END.

A statement is taken apart into claims, each claim is looked for in the knowledge graph, and three-valued logic makes a
verdict of what was found. The steps are traced and timed like those of the question graph, and run in its context.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import cache
from threading import Event
from typing import TypedDict, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy

from clew.agents.verifying.verdicts import Finding, Verdict
from clew.graphs.ask import check_text
from clew.graphs.context import Context
from clew.graphs.result import Support
from clew.graphs.run import ModelCost
from clew.graphs.steps import Work, as_node
from clew.graphs.verify.judge import judge
from clew.graphs.verify.link import link
from clew.graphs.verify.match import match
from clew.graphs.verify.parse import parse
from clew.graphs.verify.state import CONVERSIONS_OF_STATEMENTS, VerifyInput, VerifyOutput, VerifyState
from clew.tools.arrays.one_thread import ONE_THREAD
from clew.tools.errors import DatabaseUnavailable

VerificationGraph = CompiledStateGraph[VerifyState, Context, VerifyInput, VerifyOutput]

_STEPS: dict[str, tuple[Work, tuple[str, ...]]] = {
    "parse": (parse, ("statement",)),
    "link": (link, ("text",)),
    "match": (match, ("formula", "mentions")),
    "judge": (judge, ("formula", "turned")),
}
_AGAIN = RetryPolicy(max_attempts=2, initial_interval=0.2, jitter=False, retry_on=DatabaseUnavailable)
MOST_CHARACTERS = 2000


class VerifyResult(TypedDict):
    """What `clew verify --json` prints."""

    statement: str
    verdict: Verdict
    confidence: float
    """0 to 1: confidence in the reading of the words; does not account for missing facts in the graph."""
    reason: str
    notes: list[str]
    """Failures after which a step continued without a model."""
    claims: list[Finding]
    evidence: list[Support]
    trace_id: str
    """Empty without a trace."""
    ms: float
    model: ModelCost | None


@cache
def build_verification_graph() -> VerificationGraph:
    """Compile the graph; it takes VerifyInput and returns VerifyOutput, in a Context."""
    builder: StateGraph[VerifyState, Context, VerifyInput, VerifyOutput] = StateGraph(
        VerifyState, context_schema=Context, input_schema=VerifyInput, output_schema=VerifyOutput
    )
    for name, (work, reads) in _STEPS.items():
        node = as_node(name, work, reads=reads, conversions=CONVERSIONS_OF_STATEMENTS)
        builder.add_node(name, node, retry_policy=_AGAIN)
    names = list(_STEPS)
    builder.add_edge(START, names[0])
    for one, following in zip(names, [*names[1:], END], strict=True):
        builder.add_edge(one, following)
    return builder.compile(name="verification")


def verify(context: Context, statement: str, cancelled: Event | None = None) -> VerifyResult:
    """Check one statement. Another thread sets `cancelled` to end its model calls. Raises ClewError."""
    text = " ".join(statement.split())
    check_text(text, MOST_CHARACTERS, "statement", "Say something, such as “Ridley Scott directed Alien.”",
               "Check it in parts.")  # fmt: skip
    started = time.monotonic()
    live = context.for_question(text, cancelled=cancelled)
    with ONE_THREAD, live.run.trace:
        live.run.trace.begun(kind="statement", budget=asdict(live.budget), graph_version=live.tools.schema.version)
        output = cast(VerifyOutput, build_verification_graph().invoke({"statement": text}, context=live))
        result = _result(output, live, (time.monotonic() - started) * 1000)
        live.run.trace.outcome(result)
    return result


def _result(output: VerifyOutput, context: Context, ms: float) -> VerifyResult:
    cited = dict.fromkeys([*output["cited"], *(key for f in output["findings"] for key in f["evidence"])])
    evidence: list[Support] = []
    for key in cited:
        item = output["evidence"][key]
        claims = [finding["claim"] for finding in output["findings"] if key in finding["evidence"]]
        evidence.append({
            "head": item["head"], "relation": item["relation"], "tail": item["tail"],
            "properties": item["properties"], "score": item["score"], "supports": claims, "found_by": [],
        })  # fmt: skip
    return {
        "statement": output["statement"],
        "verdict": output["verdict"],
        "confidence": output["confidence"],
        "reason": output["reason"],
        "notes": [failed["message"] for failed in output["errors"].values()],
        "claims": output["findings"],
        "evidence": evidence,
        "trace_id": context.run.trace.id,
        "ms": round(ms, 3),
        "model": context.run.ledger.summary() if context.tools.models is not None else None,
    }
