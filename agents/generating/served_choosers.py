"""Choosers behind a server: `clew generator serve`, or an OpenAI-compatible one that supports structured outputs with a
list of choices (vLLM)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx

from clew.agents.generating.chooser import SECONDS, ChooserFailed
from clew.tools.learning.generation.chosen import Choice, ChosenText, within_budget

SECONDS_TO_TELL = 5.0
"""Time for a server to say what its model reads."""
LONGEST_REPLY = 2_000_000
"""Bytes."""
_LONGEST_CHOICE = 1000
"""Tokens."""


class _OverHttp:
    """A chooser with one HTTP client."""

    url: str
    token: str | None

    @property
    def counter(self) -> Callable[[str], int] | None:
        return None

    def _told(self, path: str) -> Any:
        """What a route of the server says of its model; None if it says nothing."""
        try:
            return self._client.get(path, timeout=SECONDS_TO_TELL).json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError):
            return None

    @cached_property
    def _client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return httpx.Client(base_url=self.url.rstrip("/") + "/", headers=headers, follow_redirects=False)

    def prepare(self) -> None:
        """Set up the client."""
        self._client.build_request("GET", "")


@dataclass
class ServiceChooser(_OverHttp):
    """A model behind `clew generator serve`."""

    url: str
    token: str | None = None

    @property
    def name(self) -> str:
        return f"the generator at {_shown(self.url)}"

    @cached_property
    def window(self) -> int | None:
        told = self._told("health")
        window = told.get("window") if isinstance(told, dict) else None
        return window if isinstance(window, int) else None

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = SECONDS) -> Choice:
        offered = within_budget(texts)
        asked = {"input": {"prompt": prompt, "candidates": offered, "m": m, "seconds": seconds}}
        value = _sent(self._client, "invoke", asked, seconds, self.name)
        try:
            return Choice.from_json(value["output"], len(offered))
        except (KeyError, TypeError, ValueError) as error:
            raise ChooserFailed(
                f"What {self.name} sent is not a choice: {error}.", "Is it `clew generator serve`, of this release?"
            ) from None


@dataclass
class OpenAIChooser(_OverHttp):
    """A model behind an OpenAI-compatible server with structured outputs, as vLLM has them.

    It gives one text, without alternatives. `model` is by default the first that the server lists.
    """

    url: str
    model: str | None = None
    token: str | None = None

    @property
    def name(self) -> str:
        return f"{self.model or 'the model'} at {_shown(self.url)}"

    @cached_property
    def window(self) -> int | None:
        told = self._told("models")
        listed = told.get("data") if isinstance(told, dict) else None
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict) and self.model in (None, each.get("id")):
                length = each.get("max_model_len")
                return length if isinstance(length, int) else None
        return None

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = SECONDS) -> Choice:
        began = time.monotonic()
        offered = within_budget(texts)
        asked = {
            "model": self._named(seconds),
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": _LONGEST_CHOICE,
            "logprobs": True,
        }
        places = {text: place for place, text in reversed(list(enumerate(offered)))}
        # The second is the name in releases of vLLM before 0.12; others ignore what they do not know.
        for constraint in ({"structured_outputs": {"choice": offered}}, {"guided_choice": offered}):
            left = max(0.1, seconds - (time.monotonic() - began))
            reply = _sent(self._client, "chat/completions", asked | constraint, left, self.name)
            text, probability = _said(reply, self.name)
            if text in places:
                ms = round((time.monotonic() - began) * 1000, 3)
                return Choice((ChosenText(places[text], probability),), False, len(offered), 0, ms)
        raise ChooserFailed(
            f"{self.name} says {text[:100]!r}, which is none of the queries that it may say.",
            "The server must support structured outputs with a list of choices, as vLLM does.",
        )

    def _named(self, seconds: float) -> str:
        if self.model is None:
            try:
                reply = self._client.get("models", timeout=seconds)
                self.model = str(reply.json()["data"][0]["id"])
            except (httpx.HTTPError, ValueError, KeyError, IndexError, TypeError):
                raise ChooserFailed(
                    f"{_shown(self.url)} does not say which models it has.", "Name one: CLEW_GENERATOR_ADAPTER."
                ) from None
        return self.model


def _sent(client: httpx.Client, path: str, body: Mapping[str, Any], seconds: float, name: str) -> dict[str, Any]:
    """The JSON of the reply. A busy server is asked again while there is time. Raises ChooserFailed."""
    end = time.monotonic() + seconds
    while True:
        try:
            reply = client.post(path, json=dict(body), timeout=max(0.1, end - time.monotonic()))
        except httpx.TimeoutException:
            raise ChooserFailed(f"{name} did not reply in {seconds:.0f} s.", "Give it more time.") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
            raise ChooserFailed(f"{name} cannot be reached.", "Is it running? Check CLEW_GENERATOR.") from None
        wait = _retry_after(reply)
        if reply.status_code in (429, 503) and time.monotonic() + wait < end:
            time.sleep(wait)
            continue
        break
    if reply.status_code in (401, 403):
        raise ChooserFailed(f"{name} refuses the token.", "Set CLEW_GENERATOR_TOKEN to the server's.")
    try:
        value = reply.json() if len(reply.content) <= LONGEST_REPLY else None
    except ValueError:
        value = None
    if reply.status_code >= 400 or not isinstance(value, dict):
        given = value if isinstance(value, dict) else {}
        said = " ".join(str(given[key]) for key in ("detail", "remedy", "error") if given.get(key))
        raise ChooserFailed(
            f"{name} answers with status {reply.status_code}{f': {said}'[:300] if said else ''}.",
            "Its log says more.",
        )
    return value


def _retry_after(reply: httpx.Response) -> float:
    try:
        return max(0.05, float(reply.headers.get("Retry-After", "1")))
    except ValueError:
        return 1.0


def _said(reply: Mapping[str, Any], name: str) -> tuple[str, float]:
    """The text and its probability: that of the model without constraint, so a lower bound; 0 if it gives none."""
    try:
        choice = reply["choices"][0]
        text = choice["message"]["content"]
        told = (choice.get("logprobs") or {}).get("content") or []
        score = sum(float(token["logprob"]) for token in told)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        text = None
    if not isinstance(text, str):
        raise ChooserFailed(f"What {name} sent is not a reply of a model.", "Its address usually ends in /v1.")
    return text.strip(), min(1.0, math.exp(score)) if told else 0.0


def _shown(url: str) -> str:
    """The address without parts that may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
