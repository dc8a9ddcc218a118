"""Models by the names of LangChain: which names have a provider, what its client gets, and what is missing without its
package."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any, ClassVar

import pytest
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, SecretStr

from clew.agents.models.calls import ModelFailed, Reply, Usage
from clew.agents.models.endpoint import PROVIDERS, Endpoint, ModelSpec, parse_model_name
from clew.agents.models.failures import Retries
from clew.agents.models.prices import Prices
from clew.agents.models.role_models import Models
from clew.agents.prompting import Prompt
from clew.app.models import spec_of
from clew.app.settings import load_settings
from clew.tools.errors import BadInput
from tests.scripted_model import Said, ScriptedModel

KEY = "gsk-0123456789abcdef"
PROMPT = Prompt("test", "0" * 12, "You answer.", "Who directed Heat?")
QUICK = Retries(attempts=3, first=0.001, most=0.002)


class Refusal(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


class FakeChat(BaseChatModel):
    """A provider's class: it forbids options that it does not know, and can be told what to do."""

    model_config = ConfigDict(extra="forbid")
    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    api_key: SecretStr | None = None
    base_url: str | None = None

    made: ClassVar[list[FakeChat]] = []
    script: ClassVar[list[str | Exception | float]] = []
    """A reply, an error, or seconds to wait before an empty reply."""
    usage: ClassVar[UsageMetadata | None] = None

    def model_post_init(self, context: Any, /) -> None:
        FakeChat.made.append(self)

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise AssertionError("only asynchronous calls are made")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        assert not kwargs
        text = await self._next()
        metadata = {"stop_reason": "max_tokens" if text == "cut" else "end_turn"}
        message = AIMessage(text, response_metadata=metadata, usage_metadata=self.usage)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _next(self) -> str:
        step = FakeChat.script.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, float):
            await asyncio.sleep(step)
        return str(step)


class StreamingChat(FakeChat):
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        assert not kwargs
        for piece in (await self._next()).split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(piece))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeChat]]:
    """Packages of two providers: the second one streams."""
    from langchain.chat_models import base

    base._get_chat_model_creator.cache_clear()
    for package, name, kind in (("langchain_groq", "ChatGroq", FakeChat), ("langchain_xai", "ChatXAI", StreamingChat)):
        module = ModuleType(package)
        setattr(module, name, kind)
        module.__spec__ = sys.__spec__
        monkeypatch.setitem(sys.modules, package, module)
    FakeChat.made, FakeChat.script, FakeChat.usage = [], [], None
    yield FakeChat
    base._get_chat_model_creator.cache_clear()


def ask(
    *steps: str | Exception | float, name: str = "groq", seconds: float = 5.0, heard: Any = None, **settings: Any
) -> Reply:
    FakeChat.script = list(steps)
    spec = ModelSpec(Endpoint("m:8b", "", SecretStr(KEY), name), max_tokens=100, temperature=0.5)
    models = Models({"reasoner": spec}, retries=QUICK, **settings)
    try:
        model = models.of("reasoner", seconds=seconds, cancelled=Event(), on_token=heard)
        assert model is not None
        return model.ask(PROMPT, json=True)
    finally:
        models.close()


def test_only_known_providers_are_split_off() -> None:
    for name in (
        "gpt-4.1-mini",
        "llama3.1:8b",
        "mistral:7b",
        "qwen3:4b-q4_K_M",
        "ft:gpt-4o:org",
        "openai:",
        "Openai:x",
    ):
        assert parse_model_name(name) == ("openai", name)
    assert parse_model_name("openai:gpt-4.1-mini") == ("openai", "gpt-4.1-mini")
    assert parse_model_name("openai:ft:gpt-4o:org") == ("openai", "ft:gpt-4o:org")


def test_the_providers_are_those_of_langchain() -> None:
    from langchain.chat_models import base

    known = getattr(base, "_BUILTIN_PROVIDERS", {})
    assert PROVIDERS.keys() <= known.keys() or not known
    for provider, (module, _, _) in known.items():
        if provider in PROVIDERS:
            assert module.split(".")[0] == PROVIDERS[provider].replace("-", "_")


def test_a_missing_package_is_named() -> None:
    with pytest.raises(BadInput, match="langchain-upstage") as caught:
        parse_model_name("upstage:solar-pro")
    assert "pip install langchain-upstage" in caught.value.remedy


def test_a_bare_name_and_openai_are_one_and_the_same(tmp_path: Path) -> None:
    with ScriptedModel(Said("Michael Mann", usage=(31, 4))) as server:
        given = {"model_base_url": server.base_url, "model_api_key": KEY}
        specs = [spec_of("reasoner", load_settings(home=tmp_path, model=m, **given)) for m in ("m:8b", "openai:m:8b")]
        assert specs[0] is not None
        assert specs[0] == specs[1]
        models = Models({"reasoner": specs[0]})
        model = models.of("reasoner", seconds=10, cancelled=Event())
        assert model is not None
        assert (model.ask(PROMPT).text, server.requests[0].model) == ("Michael Mann", "m:8b")
        models.close()


def test_the_provider_gets_what_it_takes(provider: type[FakeChat]) -> None:
    reply = ask("Michael Mann", prices=Prices({"groq:m:8b": (1.0, 1.0)}))
    assert (reply.text, reply.model, reply.finish_reason, reply.attempts) == (
        "Michael Mann",
        "groq:m:8b",
        "end_turn",
        1,
    )
    assert reply.usage.estimated
    assert reply.usage.price
    (client,) = provider.made
    assert (client.model, client.temperature, client.max_tokens, client.base_url) == ("m:8b", 0.5, 100, None)
    assert client.api_key is not None
    assert client.api_key.get_secret_value() == KEY


def test_usage_and_the_limit_are_read(provider: type[FakeChat]) -> None:
    provider.usage = UsageMetadata(input_tokens=30, output_tokens=5, total_tokens=35)
    reply = ask("cut")
    assert (reply.usage, reply.finish_reason) == (Usage(30, 5), "length")


def test_replies_are_streamed_where_the_provider_can(provider: type[FakeChat]) -> None:
    heard: list[str] = []
    assert ask("Michael  Mann", name="xai", heard=lambda _, text: heard.append(text)).text == "MichaelMann"
    assert heard == ["Michael", "Mann"]
    heard.clear()
    assert ask("Michael Mann", heard=lambda _, text: heard.append(text)).text == "Michael Mann"
    assert heard == ["Michael Mann"]


def test_what_may_pass_is_tried_again(provider: type[FakeChat]) -> None:
    assert ask(Refusal(503, "busy"), ConnectionError("gone"), "Heat").attempts == 3


def test_a_parameter_that_is_refused_is_left_out(provider: type[FakeChat]) -> None:
    assert ask(Refusal(400, "temperature is not supported"), "Heat").text == "Heat"
    assert [client.temperature for client in provider.made] == [0.5, None]


def test_keys_are_in_no_message(provider: type[FakeChat], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "another-secret-key")
    with pytest.raises(ModelFailed) as caught:
        ask(Refusal(400, f"no {KEY} and no another-secret-key"))
    assert caught.value.reason == "rejected"
    assert "secret" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_call_ends_with_its_time(provider: type[FakeChat]) -> None:
    with pytest.raises(ModelFailed) as caught:
        ask(20.0, seconds=0.5)
    assert caught.value.reason == "timeout"


def test_a_client_that_cannot_be_made_is_told_once(provider: type[FakeChat], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: FakeChat, context: Any, /) -> None:
        raise RuntimeError("no credentials")

    monkeypatch.setattr(FakeChat, "model_post_init", broken)
    with pytest.raises(ModelFailed, match="no credentials") as caught:
        ask("Heat")
    assert "CLEW_MODEL_API_KEY" in caught.value.remedy


@pytest.mark.usefixtures("provider")
def test_keys_and_addresses_stay_with_their_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def endpoint(role: Any = "linker", **given: Any) -> Endpoint:
        spec = spec_of(role, load_settings(home=tmp_path, **given))
        assert spec is not None
        return spec.endpoint

    general: dict[str, Any] = {"model": "groq:a", "model_api_key": KEY, "model_base_url": "https://groq.example/v1"}
    assert endpoint(**general) == Endpoint("a", "https://groq.example/v1", SecretStr(KEY), "groq")
    same = endpoint(**general, models={"linker": {"name": "groq:b"}})
    assert same == Endpoint("b", "https://groq.example/v1", SecretStr(KEY), "groq")
    other = endpoint(**general, models={"linker": {"name": "xai:b"}})
    assert other == Endpoint("b", "", None, "xai")
    openai = endpoint(**general, models={"linker": {"name": "gpt"}})
    assert openai == Endpoint("gpt", "https://api.openai.com/v1", SecretStr("sk-openai"))
    alone = endpoint(model_api_key=KEY, models={"linker": {"name": "groq:b"}})
    assert alone == Endpoint("b", "", None, "groq")
    elsewhere = endpoint(**general, models={"linker": {"base_url": "https://b.example"}})
    assert elsewhere == Endpoint("a", "https://b.example", None, "groq")
