"""The planner with a model: one call gives the plan, and a second may correct it. Source: SAGE section 2.2.

The model sees the question and the schema with its examples of values, never the content of nodes. Of the result of its
plan it learns only that there was none: names and texts of the graph are not sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clew.agents.models.calls import Model, ModelFailed
from clew.agents.planning.plan_reply import Unfit, read_plan
from clew.agents.prompting import prompt
from clew.tools.queries.plans.checking import CheckedPlan, PlanRefused
from clew.tools.queries.plans.plan import Plan

GAVE_NOTHING = "The plan is sound, but its answer step gave no nodes."
_REPLY_SHOWN = 4000

Check = Callable[[Plan], CheckedPlan]
"""Raises PlanRefused for a plan that cannot be run."""


@dataclass(frozen=True, slots=True)
class PlanReply:
    """The outcome of a call: a checked plan, or why there is none."""

    checked: CheckedPlan | None
    reply: str = ""
    """As the model wrote it."""
    problem: str = ""
    """What is wrong with it; "" if there is a plan."""
    failure: ModelFailed | None = None
    """What kept the model from replying."""


def write(model: Model, question: str, schema_text: str, check: Check) -> PlanReply:
    """The plan of a model's first reply. Never raises for what a model does or writes."""
    try:
        text = model.ask(prompt("plan", question=question, schema=schema_text), json=True).text
    except ModelFailed as failed:
        return PlanReply(None, "", failed.message, failed)
    return _checked(text, check)


def correct(model: Model, question: str, schema_text: str, reply: str, problem: str, check: Check) -> PlanReply:
    """The plan of a second reply, to what is wrong with the first."""
    asked = prompt("repair_plan", question=question, schema=schema_text, plan=reply[:_REPLY_SHOWN], problem=problem)
    try:
        text = model.ask(asked, json=True).text
    except ModelFailed as failed:
        return PlanReply(None, reply, f"{problem}; asked again: {failed.message}", failed)
    return _checked(text, check)


def _checked(text: str, check: Check) -> PlanReply:
    try:
        return PlanReply(check(read_plan(text)), text)
    except Unfit as fault:
        return PlanReply(None, text, str(fault))
    except PlanRefused as refused:
        return PlanReply(None, text, " ".join(str(refused).split()))
