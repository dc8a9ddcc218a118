"""Models behind a real socket: what a reply gives, which failures are tried again, and what they say at last."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from clew.agents.models.cache import ReplyCache
from clew.agents.models.calls import Model, ModelFailed, Reply, Role, Usage, total
from clew.agents.models.chat import LONGEST_REPLY
from clew.agents.models.endpoint import Endpoint, ModelSpec
from clew.agents.models.failures import Retries, retry_after
from clew.agents.models.prices import Prices
from clew.agents.models.role_models import Models
from clew.agents.prompting import Prompt
from clew.tools.errors import BadInput
from tests.scripted_model import (
    Request,
    Said,
    Script,
    ScriptedModel,
    by_model,
    failing,
    html,
    malformed,
    no_choices,
    null_content,
    rate_limited,
    refusing_json,
)

QUICK = Retries(attempts=4, first=0.001, most=0.004)
KEY = "sk-0123456789abcdefghij"
PROMPT = Prompt("test", "0" * 12, "You answer.", "Who directed Heat?")


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """No test's clock runs while the client is imported."""
    Models({}).prepare()


@contextmanager
def asking(script: Script, **settings: Any) -> Iterator[tuple[ScriptedModel, Callable[..., Model]]]:
    """A server, and what gives a model on it: `model(role="reasoner", seconds=10, cancelled=Event())`."""
    with ScriptedModel(script) as server, models_on(server.base_url, **settings) as models:

        def model(role: Role = "reasoner", seconds: float = 10.0, cancelled: Event | None = None) -> Model:
            found = models.of(role, seconds=seconds, cancelled=cancelled or Event())
            assert found is not None
            return found

        yield server, model


@contextmanager
def models_on(base_url: str, name: str = "scripted", **settings: Any) -> Iterator[Models]:
    spec = ModelSpec(Endpoint(name, base_url, SecretStr(KEY)), max_tokens=100)
    models = Models({"reasoner": spec, "linker": replace(spec, max_tokens=200)}, **{"retries": QUICK, **settings})
    try:
        yield models
    finally:
        models.close()


def failure(model: Model, **how: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        model.ask(PROMPT, **how)
    assert caught.value.message
    assert caught.value.remedy
    return caught.value


def test_a_prompt_becomes_a_request_and_a_reply_what_the_model_said() -> None:
    with asking(Said("Michael Mann", usage=(31, 4))) as (server, model):
        reply = model().ask(PROMPT)
    assert (reply.text, reply.finish_reason, reply.model, reply.attempts) == ("Michael Mann", "stop", "scripted", 1)
    assert reply.usage == Usage(31, 4)
    (request,) = server.requests
    assert (request.system, request.user, request.model) == (PROMPT.system, PROMPT.user, "scripted")
    assert (request["temperature"], request["max_tokens"]) == (0.0, 100)
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert not request.wants_json


def test_a_role_has_its_own_limits_and_may_have_no_model() -> None:
    with asking("x") as (server, model):
        model("linker").ask(PROMPT)
        assert server.requests[0]["max_tokens"] == 200
        with models_on(server.base_url) as models:
            assert models.of("glosser", seconds=1, cancelled=Event()) is None


def test_roles_may_have_models_on_different_servers() -> None:
    with (
        ScriptedModel(by_model({"small": "from small"})) as one,
        ScriptedModel(by_model({"large": "from large"})) as two,
    ):
        specs: dict[Role, ModelSpec] = {
            "linker": ModelSpec(Endpoint("small", one.base_url), 10),
            "reasoner": ModelSpec(Endpoint("large", two.base_url, SecretStr(KEY)), 10, temperature=0.7),
        }
        models = Models(specs, retries=QUICK)
        said = {role: _asked(models, role).text for role in specs}
        models.close()
    assert said == {"linker": "from small", "reasoner": "from large"}
    assert KEY not in one.requests[0].headers["authorization"]
    assert two.requests[0]["temperature"] == 0.7


@pytest.mark.parametrize(
    "fault",
    [
        rate_limited(0),
        rate_limited(),
        failing(500),
        failing(503, headers={"Retry-After": "0"}),
        Said("x", cut="before"),
        Said("x" * 999, cut="within"),
        malformed(),
        html(),
        Said(raw=b'{"choices": null}'),
        Said(raw=b'{"error": {"message": "overloaded"}}'),
        Said(raw=b"def f():\n    return 1\n", content_type="text/plain"),
    ],
    ids=lambda fault: f"{fault.status}-{fault.cut}-{(fault.raw or b'')[:20]!r}",
)
def test_what_may_pass_is_tried_again(fault: Said) -> None:
    with asking([fault, fault, "Michael Mann"]) as (server, model):
        reply = model().ask(PROMPT)
    assert (reply.text, reply.attempts, len(server.requests)) == ("Michael Mann", 3, 3)


@pytest.mark.parametrize(
    ("fault", "reason", "remedy"),
    [
        (failing(429, "slow down"), "rate limited", "CLEW_MODEL_CONCURRENCY"),
        (failing(500, "it burns"), "unavailable", "log"),
        (malformed(), "unavailable", "CLEW_MODEL_BASE_URL"),
        (html(), "unavailable", "/v1"),
        (Said("x", cut="before"), "unavailable", "running?"),
    ],
)
def test_what_does_not_pass_ends_after_a_few_requests(fault: Said, reason: str, remedy: str) -> None:
    with asking(fault) as (server, model):
        failed = failure(model())
    assert (failed.reason, failed.attempts, len(server.requests)) == (reason, 4, 4)
    assert remedy in failed.remedy
    assert "4 times" in failed.message


@pytest.mark.parametrize(
    ("fault", "reason", "remedy"),
    [
        (failing(401, f"Incorrect API key provided: {KEY}"), "unauthorised", "CLEW_MODEL_API_KEY"),
        (failing(403), "unauthorised", "CLEW_MODEL_API_KEY"),
        (failing(404, "The model scripted does not exist"), "rejected", "CLEW_MODEL"),
        (
            failing(400, "maximum context length is 4096, max_tokens too large"),
            "rejected",
            "CLEW_QUESTION_TOKENS",
        ),
        (failing(409), "rejected", "CLEW_MODEL_BASE_URL"),
    ],
)
def test_other_refusals_are_final(fault: Said, reason: str, remedy: str) -> None:
    with asking(fault) as (server, model):
        failed = failure(model())
    assert (failed.reason, failed.attempts, len(server.requests)) == (reason, 1, 1)
    assert remedy in failed.remedy
    assert KEY not in str(failed)


def test_an_account_without_quota_is_not_asked_again() -> None:
    body = json.dumps({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}).encode()
    with asking(Said(status=429, raw=body)) as (server, model):
        assert "billing" in failure(model()).remedy
    assert len(server.requests) == 1


def test_a_server_that_is_not_there() -> None:
    with ScriptedModel() as gone:
        pass
    with models_on(gone.base_url) as models:
        model = models.of("reasoner", seconds=10, cancelled=Event())
        assert model is not None
        first, second = failure(model), failure(model)
    assert first.reason == "unavailable"
    assert "running?" in first.remedy
    assert "127.0.0.1" in first.message
    assert (first.attempts, second.attempts) == (4, 1)  # it is known to be away


def test_a_server_that_comes_back_is_trusted_again() -> None:
    with asking([failing(500)] * 4 + ["here", failing(500), "here again"]) as (_, model):
        failure(model())
        assert model().ask(PROMPT).attempts == 1
        assert model().ask(PROMPT).attempts == 2


@pytest.mark.parametrize("fault", [no_choices(), null_content(), Said(""), Said("<think>so long"), Said(" \n")])
def test_nothing_said_is_asked_once_more(fault: Said) -> None:
    with asking([fault, "Heat"]) as (_, model):
        reply = model().ask(PROMPT)
        assert (reply.text, reply.attempts) == ("Heat", 2)
    with asking(fault) as (server, model):
        failed = failure(model())
    assert (failed.reason, len(server.requests)) == ("empty", 2)


def test_a_model_that_thought_until_its_limit_says_which_setting() -> None:
    with asking(Said(None, finish_reason="length", reasoning="hm " * 50, usage=(10, 100))) as (_, model):
        failed = failure(model())
    assert "CLEW_MODEL_MAX_TOKENS" in failed.remedy
    assert failed.usage == Usage(20, 200)  # both requests are paid for


@pytest.mark.parametrize(
    "said",
    [
        Said("Heat", reasoning="Which film?"),
        Said("<think>Which film?</think>\n\nHeat"),
        Said("Which <b>film</b>?\n</think>Heat"),
    ],
)
def test_thinking_is_left_out(said: Said) -> None:
    with asking(said) as (_, model):
        assert model().ask(PROMPT).text == "Heat"


def test_a_very_long_answer_is_cut_and_keeps_its_finish_reason() -> None:
    with asking(Said("Heat, " * 40_000, finish_reason="length", usage=None)) as (_, model):
        reply = model().ask(PROMPT)
    assert (len(reply.text), reply.finish_reason, reply.usage.estimated) == (LONGEST_REPLY, "length", True)


def test_usage_that_is_missing_is_counted_and_marked() -> None:
    with asking(Said("Michael Mann", usage=None)) as (_, model):
        usage = model().ask(PROMPT).usage
    assert usage.estimated
    assert 3 <= usage.input_tokens <= 20
    assert 2 <= usage.output_tokens <= 5


def test_a_price_is_given_where_it_is_known() -> None:
    script = Said("x", usage=(1000, 100))
    with asking(script, prices=Prices({"scripted": (2.0, 10.0)})) as (_, model):
        assert model().ask(PROMPT).usage.price == pytest.approx(0.003)
    with asking(script, prices=Prices({"another": (2.0, 10.0)})) as (_, model):
        assert model().ask(PROMPT).usage.price is None


@pytest.mark.parametrize("text", ["{name} {{x}} {", "Zoë → 東京 🎬", "<answers>\n\t</answers>", "x" * 200_000])
def test_what_is_asked_arrives_as_it_is(text: str) -> None:
    with asking("x") as (server, model):
        model().ask(replace(PROMPT, system=text, user=text))
    assert (server.requests[0].system, server.requests[0].user) == (text, text)


def test_a_name_that_is_no_text_is_no_obstacle() -> None:
    with asking("x") as (server, model):
        model().ask(replace(PROMPT, user="Heat\ud800"))
    assert server.requests[0].user == "Heat?"


# JSON mode, and other parameters that a server may not know


def test_json_mode_is_asked_for() -> None:
    with asking('{"a": 1}') as (server, model):
        assert model().ask(PROMPT, json=True).text == '{"a": 1}'
    assert server.requests[0]["response_format"] == {"type": "json_object"}


def test_a_server_without_json_mode_is_asked_plainly_and_remembered() -> None:
    with asking(refusing_json(lambda _: '{"a": 1}')) as (server, model):
        first, second = model().ask(PROMPT, json=True), model("linker").ask(PROMPT, json=True)
    assert (first.attempts, second.attempts) == (2, 1)
    assert [request.wants_json for request in server.requests] == [True, False, False]


def test_a_refusal_for_another_reason_is_not_blamed_on_json_mode() -> None:
    with asking([failing(400, "no"), failing(400, "no"), "fine"]) as (server, model):
        assert failure(model(), json=True).reason == "rejected"
        assert model().ask(PROMPT, json=True).text == "fine"
    assert [request.wants_json for request in server.requests] == [True, False, True]


@pytest.mark.parametrize(
    ("message", "gone", "instead"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'", "max_tokens", "max_completion_tokens"),
        ("'temperature' does not support 0.0 with this model", "temperature", None),
    ],
)
def test_parameters_that_a_server_refuses_by_name_are_left_out(message: str, gone: str, instead: str | None) -> None:
    with asking(lambda request: failing(400, message) if gone in request else "x") as (server, model):
        assert model().ask(PROMPT).attempts == 2
        assert model().ask(PROMPT).attempts == 1
    assert gone in server.requests[0]
    assert gone not in server.requests[1]
    assert instead is None or server.requests[1][instead] == 100


# Time


def test_the_server_is_taken_at_its_word_about_when_to_come_back() -> None:
    with asking([rate_limited(0.3), "x"]) as (_, model):
        began = time.monotonic()
        model().ask(PROMPT)
        assert 0.3 <= time.monotonic() - began < 2


def test_a_wait_beyond_the_time_left_is_not_begun() -> None:
    with asking(rate_limited(3600)) as (server, model):
        began = time.monotonic()
        failed = failure(model(seconds=5))
        assert time.monotonic() - began < 2
    assert (failed.reason, len(server.requests)) == ("rate limited", 1)


@pytest.mark.parametrize("slow", [Said("x", wait=20), Said("x" * 2000, drip=1)], ids=["wait", "drip"])
def test_a_call_ends_with_the_time_it_was_given(slow: Said) -> None:
    with asking(slow) as (server, model):
        began = time.monotonic()
        failed = failure(model(seconds=1))  # On a busy machine the first request takes a client a while to send.
        assert time.monotonic() - began < 2.1
        assert server.wait_until(lambda s: s.left == 1)
    assert failed.reason == "timeout"
    assert "CLEW_MODEL_SECONDS" in failed.remedy


def test_a_request_that_hangs_is_replaced_by_another() -> None:
    with asking([Said("x", wait=20), "quick"], request_seconds=0.5) as (_, model):
        reply = model().ask(PROMPT)
    assert (reply.text, reply.attempts) == ("quick", 2)


def test_no_time_at_all_sends_nothing() -> None:
    with asking("x") as (server, model):
        assert failure(model(seconds=-1)).reason == "timeout"
    assert server.requests == []


def test_a_run_without_a_deadline_is_served() -> None:
    with asking("x") as (_, model):
        assert model(seconds=float("inf")).ask(PROMPT).text == "x"


@pytest.mark.parametrize(
    "slow",
    [Said("x", wait=20), Said("x" * 2000, drip=0.2), failing(500), rate_limited(5)],
    ids=["wait", "drip", "backoff", "retry-after"],
)
def test_a_caller_that_leaves_is_let_go_and_the_connection_closed(slow: Said) -> None:
    with asking(slow, retries=Retries(first=5, most=5)) as (server, model):
        cancelled, left = Event(), []

        def leave() -> None:
            assert server.wait_until(lambda s: len(s.requests) == 1)
            time.sleep(0.3)
            left.append(time.monotonic())
            cancelled.set()

        threading.Thread(target=leave).start()
        with pytest.raises(ModelFailed) as caught:
            model(cancelled=cancelled).ask(PROMPT)
        assert time.monotonic() - left[0] < 0.2
        assert caught.value.reason == "cancelled"
        if slow.status == 200:
            assert server.wait_until(lambda s: s.left == 1)
        with pytest.raises(ModelFailed):
            model(cancelled=cancelled).ask(PROMPT)
        assert len(server.requests) == 1


def test_ctrl_c_ends_a_call_and_the_process_at_once() -> None:
    code = (
        "import sys\nfrom threading import Event\n"
        "from clew.agents.models.role_models import Models\n"
        "from clew.agents.models.endpoint import Endpoint, ModelSpec\n"
        "from clew.agents.prompting import Prompt\n"
        "models = Models({'linker': ModelSpec(Endpoint('m', sys.argv[1]), 10)})\n"
        "models.of('linker', seconds=60, cancelled=Event()).ask(Prompt('test', '0', '', 'x'))"
    )
    with ScriptedModel(Said("x", wait=50)) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", code, server.base_url],
            stderr=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
        )
        assert server.wait_until(lambda s: len(s.requests) == 1, seconds=60)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
        assert server.wait_until(lambda s: s.left == 1)
    assert b"KeyboardInterrupt" in said


def test_the_number_of_requests_at_once_is_limited_for_all_runs() -> None:
    with asking(Said("x", wait=0.05), concurrency=3) as (server, model):
        replies = _in_threads(12, lambda: model().ask(PROMPT))
    assert [reply.text for reply in replies] == ["x"] * 12
    assert server.most_at_once == 3


def test_waiting_for_others_takes_from_the_time_too() -> None:
    with asking(Said("x", wait=3), concurrency=1) as (server, model):
        leave = Event()

        def ask_first() -> None:
            with suppress(ModelFailed):
                model(cancelled=leave).ask(PROMPT)

        first = threading.Thread(target=ask_first)
        first.start()
        assert server.wait_until(lambda s: len(s.requests) == 1)
        assert failure(model(seconds=0.2)).reason == "timeout"
        leave.set()
        first.join()
    assert len(server.requests) == 1


# The cache


def test_a_cached_reply_costs_nothing_and_outlives_the_process(tmp_path: Path) -> None:
    file = tmp_path / "replies.sqlite"
    with asking([Said("first", finish_reason="length"), "second"], cache=ReplyCache(file)) as (server, model):
        first, again = model().ask(PROMPT), model().ask(PROMPT)
        assert (again.text, again.finish_reason, again.attempts) == ("first", "length", 0)
        assert again.usage == Usage(price=0.0)
        assert first.attempts == 1
        with models_on(server.base_url, cache=ReplyCache(file)) as others:
            assert _asked(others, "reasoner").text == "first"
    assert KEY.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("change", ["prompt", "limit", "json", "model", "place"])
def test_the_cache_tells_requests_apart(change: str, tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite")
    with asking(["first", "second"], cache=cache) as (server, model), ScriptedModel("second") as elsewhere:
        model().ask(PROMPT)
        if change in ("model", "place"):
            at = ("scripted", elsewhere.base_url) if change == "place" else ("another", server.base_url)
            with models_on(at[1], at[0], cache=cache) as others:
                said = _asked(others, "reasoner").text
        else:
            prompt = replace(PROMPT, user="Another question") if change == "prompt" else PROMPT
            said = model("linker" if change == "limit" else "reasoner").ask(prompt, json=change == "json").text
    assert said == "second"


def test_the_cache_forgets_the_oldest(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite", replies_kept=3)
    for number in range(5):
        cache.put(str(number), f"reply {number}", "stop")
    assert [cache.get(str(number)) for number in range(5)] == [None, None, *((f"reply {n}", "stop") for n in (2, 3, 4))]


def test_a_cache_that_cannot_be_used_is_no_obstacle(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "replies.sqlite").mkdir()
    with asking("x", cache=ReplyCache(tmp_path / "replies.sqlite")) as (_, model):
        assert model().ask(PROMPT).text == "x"
    assert "not cached" in caplog.text


# Secrets, accounts, values


def test_the_key_is_in_no_log_and_no_representation(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), asking([failing(500, f"key {KEY}"), "x"]) as (_, model):
        asked = model()
        asked.ask(PROMPT)
        assert KEY not in repr(asked)
    assert caplog.records
    assert KEY not in caplog.text


def test_credentials_in_an_address_are_not_shown() -> None:
    endpoint = Endpoint("m", "http://user:secret@127.0.0.1:1/v1?token=secret")
    assert endpoint.place == "http://127.0.0.1:1/v1"
    models = Models({"reasoner": ModelSpec(endpoint, 10)}, retries=Retries(attempts=1))
    with pytest.raises(ModelFailed) as caught:
        _asked(models, "reasoner")
    models.close()
    assert "secret" not in str(caught.value)


USAGES = st.builds(
    Usage,
    st.integers(0, 1000),
    st.integers(0, 1000),
    st.booleans(),
    st.none() | st.integers(0, 100).map(lambda cents: cents / 64),
)


@given(st.lists(USAGES), st.lists(USAGES))
def test_totals_add_up_however_they_are_grouped(one: list[Usage], two: list[Usage]) -> None:
    assert total([total(one), total(two)]) == total(one + two)


@given(st.integers(1, 60), st.floats(0, 1))
def test_pauses_grow_up_to_a_limit_and_are_never_below_half(failures: int, chance: float) -> None:
    retries = Retries(first=0.5, most=8.0, chance=lambda: chance)
    whole = min(8.0, 0.5 * 2.0 ** (failures - 1))
    assert whole / 2 <= retries.pause(failures) <= whole
    assert retries.pause(failures, 3.0) == 3.0


def test_retry_after_is_seconds_or_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    assert retry_after({"retry-after": "2.5"}) == 2.5
    assert 27 <= (retry_after({"retry-after": soon}) or 0) <= 30
    assert retry_after({"retry-after": past}) == 0
    assert [retry_after({"retry-after": value}) for value in ("", "soon", "nan", "inf", "-1")] == [None] * 4 + [0]
    assert retry_after({}) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("prices.toml", '["vendor/m-1.5"]\ninput = 2.5\noutput = 10'),
        ("p.json", '{"vendor/m-1.5": {"input": 2.5, "output": 10}}'),
    ],
)
def test_prices_are_read_from_a_file(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert Prices.load(tmp_path / name).price("vendor/m-1.5", 1_000_000, 100_000) == 3.5


@pytest.mark.parametrize(
    "text", ["[m]\ninput = 1", "[m]\ninput = 'a'\noutput = 1", "m = 3", "[m", "[m]\ninput=-1\noutput=1"]
)
def test_a_price_list_that_cannot_be_used_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(text)
    with pytest.raises(BadInput, match=r"prices\.toml") as caught:
        Prices.load(tmp_path / "prices.toml")
    assert "CLEW_MODEL_PRICES" in caught.value.remedy


def test_a_price_list_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml"):
        Prices.load(tmp_path / "none.toml")


def _asked(models: Models, role: Role) -> Reply:
    model = models.of(role, seconds=10, cancelled=Event())
    assert model is not None
    return model.ask(PROMPT)


def _in_threads(number: int, work: Callable[[], Reply]) -> list[Reply]:
    replies: list[Reply] = []
    threads = [threading.Thread(target=lambda: replies.append(work())) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return replies


def test_scripts_see_the_request() -> None:
    def script(request: Request) -> str:
        return f"{request.model}: {request.user}"

    with asking(script) as (_, model):
        assert model().ask(PROMPT).text == "scripted: Who directed Heat?"


# The scripted server itself, for those who stream


@pytest.mark.parametrize("usage", [(12, 3), None])
def test_the_scripted_server_streams(usage: tuple[int, int] | None) -> None:
    from langchain_openai import ChatOpenAI

    with ScriptedModel(Said("Michael Mann and others", usage=usage, reasoning="hm")) as server:
        client = ChatOpenAI(model="m", base_url=server.base_url, api_key=SecretStr("k"), stream_usage=True)
        pieces = list(client.stream("Who directed Heat?"))
    assert "".join(str(piece.content) for piece in pieces) == "Michael Mann and others"
    assert len(pieces) > 10
    told = [piece.usage_metadata for piece in pieces if piece.usage_metadata]
    assert [(entry["input_tokens"], entry["output_tokens"]) for entry in told] == ([usage] if usage else [])


def test_the_scripted_server_lists_its_model() -> None:
    with ScriptedModel() as server, urllib.request.urlopen(f"{server.base_url}/models") as reply:
        assert [entry["id"] for entry in json.load(reply)["data"]] == ["scripted"]
