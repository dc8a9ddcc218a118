"""What the failure of a request means: whether and when to send it again, and what to tell the user.

Retries are not left to tenacity: refused parameters, empty replies, servers known to be down, and the time left of a
call decide together, which would be the same code in callbacks.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isfinite

from clew.agents.models.calls import Reason
from clew.agents.models.endpoint import Endpoint

_LONGEST_QUOTE = 300
_SHORTEST_SECRET = 8
_UNSUPPORTED = re.compile(r"support|unknown|unrecogni[sz]ed|unexpected|not (?:permitted|allowed)|extra inputs|invalid")
_TOO_LONG = re.compile(r"context[ _](?:length|window)|too long|too many tokens|maximum context")
_TIMEOUTS = {"TimeoutError", "APITimeoutError", "TimeoutException"}
_DISCONNECTIONS = {"ConnectionError", "APIConnectionError", "TransportError"}
"""Names of error classes, of which several providers have their own; httpx has TimeoutException, TransportError."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One request without a usable reply."""

    reason: Reason
    message: str
    remedy: str
    again: bool = False
    """Whether the same request may succeed a little later."""
    wait: float | None = None
    """Seconds that the server asks to wait."""


@dataclass(frozen=True, slots=True)
class Retries:
    """Exponential backoff with jitter. A wait that the server asks for takes precedence."""

    attempts: int = 4
    """Most requests of one call, if a later one may succeed."""
    first: float = 0.5
    """Seconds before the second request; doubled with each further one."""
    most: float = 8.0
    """Longest pause of our own, in seconds."""
    chance: Callable[[], float] = random.random

    def pause(self, failures: int, asked: float | None = None) -> float:
        """Seconds to wait after the `failures`-th failure (from 1), for which the server `asked` for a wait.

        Half of our own pause is random, so that callers that failed together do not return together.
        """
        own = min(self.most, self.first * 2.0 ** (failures - 1)) * (0.5 + 0.5 * self.chance())
        return own if asked is None else max(0.0, asked)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, as a number or an HTTP date (RFC 9110, 10.2.3); None if there is none."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if isfinite(seconds) else None


def failure_of(error: Exception, endpoint: Endpoint) -> Failure:
    """What `error`, which a client raised, means. The message does not contain the API key."""
    status = _status(error)
    if status is not None:
        return _of_status(status, error, endpoint)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & _TIMEOUTS:
        return took_too_long(endpoint)
    if kinds & _DISCONNECTIONS:
        return Failure(
            "unavailable",
            f"The model's server at {endpoint.place} cannot be reached, or broke the connection off.",
            "Is the server running? Its address is CLEW_MODEL_BASE_URL (--base-url).",
            again=True,
        )
    if isinstance(error, IndexError):
        return empty_reply(endpoint, "")
    return Failure(
        "unavailable",
        f"What {endpoint.place} sent is not a reply of a model: {_quoted(error, endpoint)}",
        "Check CLEW_MODEL_BASE_URL: it usually ends in /v1, and the server must be OpenAI-compatible."
        if endpoint.provider == "openai"
        else f"Check the name of the model and the settings of the provider {endpoint.provider}.",
        again=True,
    )


def unusable_client(error: Exception, endpoint: Endpoint) -> Failure:
    """The client of a provider cannot be made, usually because it has no key."""
    return Failure(
        "rejected",
        f"The model {endpoint.full_name} cannot be set up: {_quoted(error, endpoint)}",
        "Set CLEW_MODEL_API_KEY, or the environment variable that the provider's package reads its key from.",
    )


def took_too_long(endpoint: Endpoint) -> Failure:
    """The time for a request is over."""
    return Failure(
        "timeout",
        f"The model {endpoint.name} at {endpoint.place} did not reply in time.",
        "Raise CLEW_MODEL_SECONDS, or use a faster model.",
        again=True,
    )


def empty_reply(endpoint: Endpoint, finish_reason: str) -> Failure:
    """The reply has no text."""
    if finish_reason == "length":
        remedy = "It reached its limit of tokens before it wrote an answer: raise CLEW_MODEL_MAX_TOKENS."
    else:
        remedy = "Ask again, or use another model: CLEW_MODEL (--model)."
    return Failure("empty", f"The model {endpoint.name} at {endpoint.place} gave an empty reply.", remedy)


def refused_parameter(error: Exception, sent: Collection[str]) -> str | None:
    """Which of the optional parameters `sent` the server refuses; None if `error` is something else.

    A refusal that names none may be about `response_format`, which few servers support.
    """
    text = str(error).casefold()
    if _status(error) not in (400, 422) or _TOO_LONG.search(text):
        return None
    # "Unsupported: max_tokens. Use max_completion_tokens": the one that is named first was sent.
    named = sorted((text.index(name), name) for name in sent if name in text)
    if named and _UNSUPPORTED.search(text):
        return named[0][1]
    return "response_format" if "response_format" in sent else None


def _status(error: Exception) -> int | None:
    """The HTTP status of an error, where the clients of the providers have it."""
    if isinstance(status := getattr(error, "status_code", None), int):
        return status
    if type(error).__name__ == "HTTPStatusError":  # httpx's, which some providers let through
        return int(error.response.status_code)  # type: ignore[attr-defined]
    code = getattr(error, "code", None)  # Google's
    return int(code) if isinstance(code, HTTPStatus) else None


def _of_status(status: int, error: Exception, endpoint: Endpoint) -> Failure:
    quote = _quoted(error, endpoint)
    if status in (401, 403):
        return Failure(
            "unauthorised",
            f"{endpoint.place} does not accept the API key for the model {endpoint.name} ({status}).",
            "Set CLEW_MODEL_API_KEY to a key of this server; a role with its own server has its own key.",
        )
    if status == 404:
        return Failure(
            "rejected",
            f"{endpoint.place} has no model {endpoint.name}, or is not the address of models (404): {quote}",
            f"Set CLEW_MODEL (--model) to a name that {endpoint.place}/models lists, and check CLEW_MODEL_BASE_URL "
            "(--base-url), which usually ends in /v1."
            if endpoint.base_url
            else f"Set CLEW_MODEL (--model) to a model that {endpoint.provider} offers.",
        )
    if status == 429:
        used_up = getattr(error, "code", None) == "insufficient_quota"
        return Failure(
            "rate limited",
            f"{endpoint.place} accepts no more requests now (429): {quote}",
            "The account's quota is used up; see its billing."
            if used_up
            else "Send fewer requests at once: lower CLEW_MODEL_CONCURRENCY, or wait a little.",
            again=not used_up,
            wait=_asked_wait(error),
        )
    if status >= 500:
        return Failure(
            "unavailable",
            f"{endpoint.place} failed ({status}): {quote}",
            "The server's log says why.",
            again=True,
            wait=_asked_wait(error),
        )
    return Failure(
        "rejected",
        f"{endpoint.place} refused the request ({status}): {quote}",
        "Lower CLEW_QUESTION_TOKENS or CLEW_MODEL_MAX_TOKENS, or use a model with a longer context."
        if _TOO_LONG.search(quote.casefold())
        else "Check CLEW_MODEL and CLEW_MODEL_BASE_URL against what the server offers.",
    )


def _asked_wait(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return None if headers is None else retry_after(headers)


def _quoted(error: Exception, endpoint: Endpoint) -> str:
    """The text of an error on one line, shortened, without the key: ours, or one that a package read by itself."""
    text = " ".join(str(error).split())
    secrets = [value for name, value in os.environ.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET"))]
    own = [endpoint.api_key.get_secret_value()] if endpoint.api_key is not None else []
    for secret in [*filter(None, own), *(value for value in secrets if len(value) >= _SHORTEST_SECRET)]:
        text = text.replace(secret, "(the key)")
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
