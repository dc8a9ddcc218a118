"""The language models that the settings name, and how those of this process are loaded."""

from __future__ import annotations

import os
from threading import Event
from urllib.parse import urlsplit

from pydantic import SecretStr

from clew.agents.models.cache import ReplyCache
from clew.agents.models.calls import ROLES, Model, Role
from clew.agents.models.endpoint import MAX_TOKENS, OPENAI, Endpoint, ModelSpec, parse_model_name
from clew.agents.models.prices import Prices
from clew.agents.models.role_models import Models
from clew.app.settings import RoleModel, Settings
from clew.app.traces.redaction import redacted
from clew.tools.errors import BadInput
from clew.tools.learning.generation.load_options import LoadOptions

LONG_SECONDS = 3600.0
"""For all calls of work that is no question; each call has its own limit."""
REQUESTS_PER_QUESTION = 2
"""One request may take half of a question's time, so that another one can still be tried."""


def models_of(settings: Settings) -> Models | None:
    """The models of all roles; None where no model is named. Nothing is loaded or connected yet.

    Raises BadInput where a model is named and a setting that it needs cannot be used.
    """
    specs = _specs(settings)
    if not specs:
        return None
    models = Models(
        specs,
        concurrency=settings.model_concurrency,
        request_seconds=settings.model_seconds / REQUESTS_PER_QUESTION,
        prices=Prices.load(settings.model_prices) if settings.model_prices else None,
        cache=ReplyCache(settings.home / "replies.sqlite", redact=redacted) if settings.model_cache else None,
        trusted_alone=settings.model_own_answers == "mark",
    )
    models.choices = {name: _specs(_all_roles(name, settings)) for name in _choices(settings)}
    return models


def model_for_long(models: Models | None, role: Role, missing: str, remedy: str) -> Model:
    """The model of a role for work that is no question, such as glosses: an hour for all calls together.

    Raises BadInput with these texts where no model is set.
    """
    found = None if models is None else models.of(role, seconds=LONG_SECONDS, cancelled=Event())
    if found is None:
        raise BadInput(missing, remedy)
    return found


def _specs(settings: Settings) -> dict[Role, ModelSpec]:
    return {role: spec for role in ROLES if (spec := spec_of(role, settings)) is not None}


def _choices(settings: Settings) -> list[str]:
    names = [settings.model or "", *(name.strip() for name in settings.model_choices.split(","))]
    return list(filter(None, dict.fromkeys(names)))


def _all_roles(name: str, settings: Settings) -> Settings:
    """The settings with one model in every role. The address and key stay with the provider that they are for."""
    limits = {role: settings.models.get(role, RoleModel()) for role in ROLES}
    models = {role: RoleModel(name=name, max_tokens=own.max_tokens) for role, own in limits.items()}
    return settings.model_copy(update={"models": models})


def spec_of(role: Role, settings: Settings) -> ModelSpec | None:
    """The model of a role; None if neither the role nor all roles have one.

    What the role's own settings leave open is as for all roles, if both have models of one provider: an address and a
    key go to no other provider.

    Raises:
        BadInput: The package of the model's provider is not installed, or OPENAI_BASE_URL is not a web address.
    """
    own = settings.models.get(role, RoleModel())
    named = own.name or settings.model
    if not named:
        return None
    provider, name = parse_model_name(named)
    if provider == "openai":
        base_url = own.base_url or _default_base_url(settings)
        api_key = own.api_key or _default_key(base_url, settings)
    else:
        shared = provider == _default_provider(settings) and own.base_url is None
        base_url = own.base_url or (settings.model_base_url if shared else None) or ""
        api_key = own.api_key or (settings.model_api_key if shared else None)
    temperature = own.temperature if own.temperature is not None else settings.model_temperature
    most = own.max_tokens or settings.model_max_tokens or MAX_TOKENS[role]
    return ModelSpec(Endpoint(name, base_url, api_key, provider), most, temperature)


def _default_provider(settings: Settings) -> str:
    """The provider whose address and key the settings for all roles name."""
    return parse_model_name(settings.model or "")[0]


def _default_base_url(settings: Settings) -> str:
    given = settings.model_base_url if _default_provider(settings) == "openai" else None
    url = given or os.environ.get("OPENAI_BASE_URL") or OPENAI
    if urlsplit(url).scheme not in ("http", "https"):
        raise BadInput(f"OPENAI_BASE_URL is not a web address: {url}.", "Set CLEW_MODEL_BASE_URL (--base-url).")
    return url


def _default_key(base_url: str, settings: Settings) -> SecretStr | None:
    """The key for all roles. It goes only to the server that it was given for."""
    if base_url != _default_base_url(settings):
        return None
    given = settings.model_api_key if _default_provider(settings) == "openai" else None
    variable = os.environ.get("OPENAI_API_KEY")
    return given or (SecretStr(variable) if variable else None)


def generator_loading(settings: Settings) -> LoadOptions:
    """How a generator is loaded in this process."""
    return {
        "device": settings.generator_device,
        "dtype": settings.generator_dtype,
        "four_bit": bool(settings.generator_4bit),
        "attention": settings.generator_attention,
        "downloads": settings.allow_downloads,
    }
