"""What an endpoint's failure means: whether to try again, and what to tell the user."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from clew.agents.models.calls import Reason
from clew.agents.models.retries import retry_after
from clew.agents.models.spec import Endpoint

_LONGEST_QUOTE = 300
_UNSUPPORTED = re.compile(r"support|unknown|unrecogni[sz]ed|unexpected|not (?:permitted|allowed)|extra inputs|invalid")
_TOO_LONG = re.compile(r"context[ _](?:length|window)|too long|too many tokens|maximum context")


@dataclass(frozen=True, slots=True)
class Failure:
    """One request that gave no usable reply."""

    reason: Reason
    message: str
    remedy: str
    again: bool = False
    """Whether the same request may do better a little later."""
    wait: float | None = None
    """Seconds that the server asks to wait."""


def failure_of(error: Exception, endpoint: Endpoint) -> Failure:
    """What `error`, which the client raised, means. The API key is in none of it."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _of_status(status, error, endpoint)
    import openai

    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return took_too_long(endpoint)
    if isinstance(error, openai.APIConnectionError):
        return Failure(
            "unavailable",
            f"The model's server at {endpoint.place} cannot be reached, or broke the connection off.",
            "Is the server running? Its address is CLEW_MODEL_BASE_URL (--base-url).",
            again=True,
        )
    if isinstance(error, IndexError):
        return nothing_said(endpoint, "")
    return Failure(
        "unavailable",
        f"What {endpoint.place} sent is no reply of a model: {_quoted(error, endpoint)}",
        "Check CLEW_MODEL_BASE_URL: it usually ends in /v1, and the server must be OpenAI-compatible.",
        again=True,
    )


def took_too_long(endpoint: Endpoint) -> Failure:
    return Failure(
        "timeout",
        f"The model {endpoint.name} at {endpoint.place} did not reply in time.",
        "Raise CLEW_MODEL_SECONDS, or use a faster model.",
        again=True,
    )


def nothing_said(endpoint: Endpoint, finish_reason: str) -> Failure:
    if finish_reason == "length":
        remedy = "It used up its tokens before it said anything: raise CLEW_MODEL_MAX_TOKENS."
    else:
        remedy = "Ask again, or use another model: CLEW_MODEL (--model)."
    return Failure("empty", f"The model {endpoint.name} at {endpoint.place} said nothing.", remedy)


def refused_parameter(error: Exception, sent: Collection[str]) -> str | None:
    """Which of the optional parameters `sent` an endpoint refuses, where it is that what `error` says.

    A refusal that names none may be about `response_format`, which the fewest servers know.
    """
    text = str(error).casefold()
    if getattr(error, "status_code", None) not in (400, 422) or _TOO_LONG.search(text):
        return None
    # "Unsupported: max_tokens. Use max_completion_tokens": the one that is named first was sent.
    named = sorted((text.index(name), name) for name in sent if name in text)
    if named and _UNSUPPORTED.search(text):
        return named[0][1]
    return "response_format" if "response_format" in sent else None


def _of_status(status: int, error: Exception, endpoint: Endpoint) -> Failure:
    said = _quoted(error, endpoint)
    if status in (401, 403):
        return Failure(
            "unauthorised",
            f"{endpoint.place} does not accept the API key for the model {endpoint.name} ({status}).",
            "Set CLEW_MODEL_API_KEY to a key of this server; a role with its own server has its own key.",
        )
    if status == 404:
        return Failure(
            "rejected",
            f"{endpoint.place} has no model {endpoint.name}, or is no address of models (404): {said}",
            f"Set CLEW_MODEL (--model) to a name that {endpoint.place}/models lists, and check CLEW_MODEL_BASE_URL "
            "(--base-url), which usually ends in /v1.",
        )
    if status == 429:
        used_up = getattr(error, "code", None) == "insufficient_quota"
        return Failure(
            "rate limited",
            f"{endpoint.place} takes no more requests now (429): {said}",
            "The account's quota is used up; see its billing."
            if used_up
            else "Ask fewer at once: lower CLEW_MODEL_CONCURRENCY, or wait a little.",
            again=not used_up,
            wait=_asked_wait(error),
        )
    if status >= 500:
        return Failure(
            "unavailable",
            f"{endpoint.place} failed ({status}): {said}",
            "The server's log says why.",
            again=True,
            wait=_asked_wait(error),
        )
    too_long = bool(_TOO_LONG.search(said.casefold()))
    return Failure(
        "rejected",
        f"{endpoint.place} refused the request ({status}): {said}",
        "Lower CLEW_QUESTION_TOKENS or CLEW_MODEL_MAX_TOKENS, or use a model with a longer context."
        if too_long
        else "Check CLEW_MODEL and CLEW_MODEL_BASE_URL against what the server offers.",
    )


def _asked_wait(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    return None if response is None else retry_after(response.headers)


def _quoted(error: Exception, endpoint: Endpoint) -> str:
    """What the error says, on one line, cut, without the key."""
    text = " ".join(str(error).split())
    if endpoint.api_key is not None and (key := endpoint.api_key.get_secret_value()):
        text = text.replace(key, "(the key)")
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
