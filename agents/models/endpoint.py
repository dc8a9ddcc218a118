"""Where a model runs and how it is reached: names, addresses, keys, and LangChain's client for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from clew.agents.models.calls import Role
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

OPENAI = "https://api.openai.com/v1"
CONNECT_SECONDS = 10.0
MAX_TOKENS: dict[Role, int] = {
    "linker": 4096, "traversal": 2048, "reasoner": 8192, "glosser": 4096, "pattern": 2048, "verifier": 2048,
    "plan": 2048, "extractor": 4096,
}  # fmt: skip
"""Default limit of a reply, in tokens: room for a long list of answers and for a model that thinks aloud."""
PROVIDERS: dict[str, str] = {
    "anthropic": "langchain-anthropic", "anthropic_bedrock": "langchain-aws", "azure_ai": "langchain-azure-ai",
    "azure_openai": "langchain-openai", "baseten": "langchain-baseten", "bedrock": "langchain-aws",
    "bedrock_converse": "langchain-aws", "cohere": "langchain-cohere", "deepseek": "langchain-deepseek",
    "fireworks": "langchain-fireworks", "google_anthropic_vertex": "langchain-google-vertexai",
    "google_genai": "langchain-google-genai", "google_vertexai": "langchain-google-vertexai",
    "groq": "langchain-groq", "huggingface": "langchain-huggingface", "ibm": "langchain-ibm",
    "litellm": "langchain-litellm", "mistralai": "langchain-mistralai", "nvidia": "langchain-nvidia-ai-endpoints",
    "ollama": "langchain-ollama", "openai": "langchain-openai", "openrouter": "langchain-openrouter",
    "perplexity": "langchain-perplexity", "together": "langchain-together", "upstage": "langchain-upstage",
    "xai": "langchain-xai",
}  # fmt: skip
"""The providers of `langchain.chat_models.init_chat_model`, and the package that each needs."""
_MAX_TOKENS_NAMES = {"ollama": "num_predict"}
"""What a provider's class calls `max_tokens`, where it has another name for it."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server."""

    name: str
    """As the server calls the model."""
    base_url: str = OPENAI
    """The server's address. For OpenAI-compatible servers it usually ends in /v1; "" means the provider's own."""
    api_key: SecretStr | None = None
    """None for a server that needs none, or a provider that reads it from its own environment variable."""
    provider: str = "openai"
    """A key of PROVIDERS. "openai" covers every OpenAI-compatible server."""

    @property
    def full_name(self) -> str:
        """The model's name with its provider, unless that is "openai"."""
        return self.name if self.provider == "openai" else f"{self.provider}:{self.name}"

    @property
    def place(self) -> str:
        """The address without user, password and query, safe to show; the provider's name where there is none."""
        if not self.base_url:
            return self.provider
        parts = urlsplit(self.base_url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        return f"{parts.scheme}://{host}{parts.path}"

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own server."""
        return urlsplit(self.base_url).hostname == urlsplit(OPENAI).hostname


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The model of one role."""

    endpoint: Endpoint
    max_tokens: int
    """Limit of one reply."""
    temperature: float = 0.0


def parse_model_name(name: str) -> tuple[str, str]:
    """Split `PROVIDER:MODEL`, as `init_chat_model` takes it, into provider and model.

    A prefix counts only if it is a key of PROVIDERS, so that `llama3.1:8b` stays a model of an OpenAI-compatible
    server. Returns the provider "openai" for a bare name.

    Raises:
        BadInput: The provider's package is not installed.
    """
    provider, colon, model = name.partition(":")
    if not colon or not model or provider not in PROVIDERS:
        return "openai", name
    package = PROVIDERS[provider]
    if find_spec(package.replace("-", "_")) is None:
        raise BadInput(f"The model {name} needs the package {package}.", f"Install it: pip install {package}")
    return provider, model


class Clients:
    """One LangChain client for each endpoint and its parameters. Their packages are imported when first needed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made: dict[tuple[object, ...], BaseChatModel] = {}
        self._connections: Any = None
        """An openai.DefaultAsyncHttpxClient of the loop in use; langchain-openai's shared ones belong to no loop."""

    def client(self, endpoint: Endpoint, parameters: Mapping[str, Any]) -> tuple[BaseChatModel, dict[str, Any]]:
        """The client, and the arguments that each of its calls needs. The first call for an endpoint takes a while.

        The client sends each request once; repeating it is up to the caller.
        """
        openai = endpoint.provider == "openai"
        key = (endpoint, *(() if openai else sorted(parameters.items())))
        with self._lock:
            if key not in self._made:
                self._made[key] = self._openai(endpoint) if openai else _provider_client(endpoint, parameters)
            # In `extra_body` parameters are sent unchanged, whatever the client thinks of the model.
            return self._made[key], {"extra_body": dict(parameters)} if openai else {}

    async def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._made, connections, self._connections = {}, self._connections, None
        if connections is not None:
            await connections.aclose()

    def _openai(self, endpoint: Endpoint) -> BaseChatModel:
        import openai
        from langchain_openai import ChatOpenAI

        timeout = openai.Timeout(None, connect=CONNECT_SECONDS)
        if self._connections is None:
            self._connections = openai.DefaultAsyncHttpxClient(timeout=timeout)
        return ChatOpenAI(
            model=endpoint.name,
            base_url=endpoint.base_url,
            api_key=endpoint.api_key or SecretStr("none"),
            max_retries=0,
            timeout=timeout,
            http_async_client=self._connections,
            http_client=_unused_sync_client(),
            use_responses_api=False,
        )


@cache
def _unused_sync_client() -> Any:
    """One client for synchronous calls, which are never made; without it ChatOpenAI sets one up per endpoint."""
    import openai

    return openai.DefaultHttpxClient()


def _provider_client(endpoint: Endpoint, parameters: Mapping[str, Any]) -> BaseChatModel:
    """The class of another provider. Options that it forbids are left out."""
    from langchain.chat_models import init_chat_model

    options = {"max_retries": 0, **parameters}
    if "max_tokens" in options:
        options[_MAX_TOKENS_NAMES.get(endpoint.provider, "max_tokens")] = options.pop("max_tokens")
    if endpoint.base_url:
        options["base_url"] = endpoint.base_url
    if endpoint.api_key is not None:
        options["api_key"] = endpoint.api_key
    while True:
        try:
            client: BaseChatModel = init_chat_model(endpoint.name, model_provider=endpoint.provider, **options)
            return client
        except ValidationError as error:
            forbidden = {str(fault["loc"][0]) for fault in error.errors() if fault["type"] == "extra_forbidden"}
            if not forbidden & options.keys():
                raise
            options = {name: value for name, value in options.items() if name not in forbidden}


def import_client(provider: str) -> None:
    """Import the package of a provider's client, which takes a second or more."""
    import_module(PROVIDERS[provider].replace("-", "_"))
    if provider != "openai":
        import_module("langchain.chat_models")
