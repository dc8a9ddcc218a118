"""Model calls of a run: how many there may be, what is counted, and what the trace keeps."""

from __future__ import annotations

import threading
from dataclasses import replace
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clew.agents.models.calls import Model, ModelFailed, Reply, Role, Usage
from clew.agents.models.endpoint import Endpoint, ModelSpec
from clew.agents.models.failures import Retries
from clew.agents.models.prices import Prices
from clew.agents.models.role_models import Models
from clew.agents.prompting import Prompt
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.run import Budget, Deadline, Ledger, Run
from tests.scripted_model import Said, ScriptedModel, failing

PROMPT = Prompt("link", "abc123", "You link.", "Who directed Heat?")


class Heard:
    """A span that remembers its events."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def event(self, kind: str, **data: Any) -> None:
        self.events.append((kind, data))

    def output(self, **data: Any) -> None:
        raise AssertionError("calls put nothing out")


class Answering:
    """Models that need no server."""

    trusted_alone = True

    def __init__(self, *outcomes: Reply | ModelFailed) -> None:
        self.outcomes = list(outcomes)
        self.seconds: list[float] = []

    def of(self, role: Role, *, seconds: float, cancelled: Event) -> Model | None:
        self.seconds.append(seconds)
        return None if role == "glosser" else self

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, ModelFailed):
            raise outcome
        return outcome


REPLY = Reply("Michael Mann", Usage(30, 5, price=0.25), "m", "stop")


def run_with(models: Any, *, most: int = 12, seconds: float = 60.0) -> Context:
    """A run's context, as far as calls need it."""
    context = SimpleNamespace(
        messages=False,
        tools=SimpleNamespace(models=models),
        budget=Budget(max_model_calls=most),
        run=Run(deadline=Deadline.after(seconds)),
    )
    return cast(Context, context)


def asked(context: Context, role: Role = "linker") -> tuple[Model, Heard]:
    heard = Heard()
    model = model_of(role, context, heard)
    assert model is not None
    return model, heard


def test_a_run_or_a_role_without_a_model_has_none() -> None:
    assert model_of("linker", run_with(None), Heard()) is None
    assert model_of("glosser", run_with(Answering(REPLY)), Heard()) is None


def test_a_call_is_counted_and_traced() -> None:
    context = run_with(Answering(REPLY))
    model, heard = asked(context)
    assert model.ask(PROMPT) is REPLY
    ((kind, data),) = heard.events
    assert kind == "model call"
    assert data.pop("ms") >= 0
    assert data == {
        "role": "linker",
        "model": "m",
        "prompt": "link",
        "digest": "abc123",
        "system": "You link.",
        "user": "Who directed Heat?",
        "reply": "Michael Mann",
        "input_tokens": 30,
        "output_tokens": 5,
        "estimated": False,
        "price": 0.25,
        "attempts": 1,
        "finish_reason": "stop",
    }


def test_the_summary_adds_up_by_role() -> None:
    told = replace(REPLY, usage=Usage(10, 1, estimated=True, price=0.5))
    context = run_with(Answering(REPLY, REPLY, told))
    roles: list[Role] = ["linker", "linker", "reasoner"]
    for role in roles:
        asked(context, role)[0].ask(PROMPT)
    linker = {"calls": 2, "input_tokens": 60, "output_tokens": 10, "estimated": False, "price": 0.5}
    reasoner = {"calls": 1, "input_tokens": 10, "output_tokens": 1, "estimated": True, "price": 0.5}
    whole = {"calls": 3, "input_tokens": 70, "output_tokens": 11, "estimated": True, "price": 1.0}
    assert context.run.ledger.summary() == {**whole, "by_role": {"linker": linker, "reasoner": reasoner}}


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    context = run_with(Answering(REPLY, replace(REPLY, usage=Usage(1, 1))))
    model, _ = asked(context)
    model.ask(PROMPT)
    model.ask(PROMPT)
    assert context.run.ledger.summary()["price"] is None


def test_a_run_that_asked_nothing_has_zeros() -> None:
    summary = Ledger().summary()
    assert (summary["calls"], summary["price"], summary["by_role"]) == (0, 0.0, {})


def test_a_failed_call_is_counted_traced_and_raised() -> None:
    usage = Usage(7, 0, price=0.1)
    failed = ModelFailed("It burns.", "Wait.", reason="unavailable", model="m", attempts=4, usage=usage)
    context = run_with(Answering(failed))
    model, heard = asked(context)
    with pytest.raises(ModelFailed) as caught:
        model.ask(PROMPT)
    assert caught.value is failed
    ((_, data),) = heard.events
    assert (data["error"], data["reason"], data["attempts"], data["input_tokens"]) == ("It burns.", "unavailable", 4, 7)
    assert "reply" not in data
    assert context.run.ledger.summary()["calls"] == 1
    assert context.run.ledger.summary()["input_tokens"] == 7


def test_calls_beyond_the_budget_are_refused_told_and_not_counted() -> None:
    context = run_with(Answering(REPLY), most=2)
    model, heard = asked(context)
    model.ask(PROMPT)
    asked(context, "reasoner")[0].ask(PROMPT)
    with pytest.raises(ModelFailed, match="2 model calls") as caught:
        model.ask(PROMPT)
    assert caught.value.reason == "over budget"
    assert "CLEW_MODEL_CALLS" in caught.value.remedy
    assert heard.events[-1][1]["reason"] == "over budget"
    assert context.run.ledger.summary()["calls"] == 2


def test_calls_past_the_deadline_are_refused() -> None:
    context = run_with(Answering(REPLY), seconds=0.0)
    model, heard = asked(context)
    with pytest.raises(ModelFailed) as caught:
        model.ask(PROMPT)
    assert caught.value.reason == "timeout"
    assert heard.events[0][1]["reason"] == "timeout"
    assert context.run.ledger.summary()["calls"] == 0


def test_a_call_leaves_a_little_time_for_what_follows() -> None:
    models = Answering(REPLY)
    asked(run_with(models, seconds=100.0))[0].ask(PROMPT)
    assert 80 < models.seconds[-1] <= 90


def test_threads_share_the_budget_exactly() -> None:
    context = run_with(Answering(REPLY), most=50)
    outcomes: list[str] = []

    def ask() -> None:
        model, _ = asked(context)
        for _ in range(20):
            try:
                model.ask(PROMPT)
                outcomes.append("said")
            except ModelFailed as failed:
                outcomes.append(failed.reason)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (outcomes.count("said"), outcomes.count("over budget")) == (50, 110)
    assert context.run.ledger.summary()["calls"] == 50


def test_over_a_socket_the_tokens_of_the_endpoint_are_in_the_account() -> None:
    with ScriptedModel([Said("x", usage=(1000, 10)), failing(401)]) as server:
        spec = ModelSpec(Endpoint("scripted", server.base_url), 10)
        models = Models({"linker": spec}, prices=Prices({"scripted": (1.0, 2.0)}), retries=Retries(first=0.001))
        context = run_with(models)
        model, heard = asked(context)
        model.ask(PROMPT)
        with pytest.raises(ModelFailed):
            model.ask(PROMPT)
        models.close()
    summary = context.run.ledger.summary()
    assert (summary["calls"], summary["input_tokens"], summary["price"]) == (2, 1000, 0.00102)
    assert [data["model"] for _, data in heard.events] == ["scripted", "scripted"]
