"""langchain-openai's clients, over one pool of connections that belongs to one asyncio loop."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from clew.agents.models.spec import Endpoint

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

CONNECT_SECONDS = 10.0


class Clients:
    """One client for each endpoint. What they need is imported when the first one is made."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made: dict[Endpoint, ChatOpenAI] = {}
        self._connections: Any = None
        """An openai.DefaultAsyncHttpxClient. Those that langchain-openai shares belong to no particular loop."""

    def of(self, endpoint: Endpoint) -> ChatOpenAI:
        """The client of `endpoint`, which sends each request once. Takes a while when it is the first."""
        with self._lock:
            if endpoint not in self._made:
                self._made[endpoint] = self._make(endpoint)
            return self._made[endpoint]

    async def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._made, connections, self._connections = {}, self._connections, None
        if connections is not None:
            await connections.aclose()

    def _make(self, endpoint: Endpoint) -> ChatOpenAI:
        import openai
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

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
            http_client=_unused(),
            use_responses_api=False,
        )


@cache
def _unused() -> Any:
    """For calls that do not wait on a loop, which are never made; without it, one is set up for every endpoint."""
    import openai

    return openai.DefaultHttpxClient()
