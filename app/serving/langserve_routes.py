"""LangServe's routes: invoke, batch, stream, stream_log, stream_events, schemas and playground, for `RemoteRunnable`.

What LangServe 0.3.3 leaves open is looked at before it: a batch of which one input is bad, a body that is no UTF-8, and
`"config": null` are answered by it as faults of its own. The caller and the session reach the run only through
`per_req_config_modifier`; what a client writes under those names is checked first, and replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from langserve import add_routes
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clew.app.serving.callers import caller_of
from clew.app.serving.desk import Desk
from clew.app.serving.runnables import CALLER, AskRunnable, ServedRunnable, VerifyRunnable
from clew.app.serving.shapes import MOST_INPUTS, AskInput, AskOptions, VerifyInput, VerifyOptions

_ENDPOINTS: Any = (
    "invoke", "batch", "stream", "stream_log", "stream_events",
    "input_schema", "output_schema", "config_schema", "playground",
)  # fmt: skip
_Input = TypeVar("_Input", bound=BaseModel)
_Options = TypeVar("_Options", bound=BaseModel)
_Names = list[str] | None


class _Config(BaseModel, Generic[_Options]):
    """LangServe passes on nothing but `configurable`; tags and the like are taken and left."""

    model_config = ConfigDict(extra="ignore")

    configurable: _Options | None = None


class _One(BaseModel, Generic[_Input, _Options]):
    """To all routes but `/batch`."""

    input: _Input
    config: _Config[_Options] = Field(default_factory=_Config[_Options])
    include_names: _Names = None
    include_types: _Names = None
    include_tags: _Names = None
    exclude_names: _Names = None
    exclude_types: _Names = None
    exclude_tags: _Names = None


class _Several(BaseModel, Generic[_Input, _Options]):
    """To `/batch`: one configuration for all inputs, or one for each."""

    inputs: Annotated[list[_Input], Field(min_length=1, max_length=MOST_INPUTS)]
    config: _Config[_Options] | list[_Config[_Options]] = Field(default_factory=_Config[_Options])


def add_langserve_routes(app: FastAPI, desk: Desk) -> None:
    """`/ask/…` and `/verify/…`."""
    _add(app, desk, "/ask", AskRunnable(desk), _One[AskInput, AskOptions], _Several[AskInput, AskOptions])
    one, several = _One[VerifyInput, VerifyOptions], _Several[VerifyInput, VerifyOptions]
    _add(app, desk, "/verify", VerifyRunnable(desk), one, several)


def _add(app: FastAPI, desk: Desk, path: str, runnable: ServedRunnable, one: Any, several: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # astream_log is deprecated in LangChain; LangServe's clients may want it still.
        add_routes(
            app,
            runnable,
            path=path,
            config_keys=("configurable",),
            enabled_endpoints=_ENDPOINTS,
            per_req_config_modifier=_with_caller,
            dependencies=[Depends(_admitted(desk, one, several))],
        )


def _admitted(desk: Desk, one: Any, several: Any) -> Callable[[Request], Any]:
    async def admitted(request: Request) -> None:
        """Raises RequestValidationError, UnknownGraph, BadInput or Full, before anything is answered."""
        if request.method != "POST":
            return
        batch = request.url.path.endswith("/batch")
        asked = _checked(several if batch else one, await request.body())
        configs = asked.config if isinstance(asked.config, list) else [asked.config]
        if batch and isinstance(asked.config, list) and len(configs) != len(asked.inputs):
            raise RequestValidationError([{"loc": ("config",), "msg": "has another number of items than inputs"}])
        caller = caller_of(request)
        for config in configs:
            options = config.configurable
            await desk.graph(caller, getattr(options, "graph", None), getattr(options, "session", None))
        desk.runs.refuse_unless_room(len(asked.inputs) if batch else 1)

    return admitted


def _checked(shape: Any, body: bytes) -> Any:
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None


def _with_caller(config: dict[str, Any], request: Request) -> dict[str, Any]:
    """The client's configuration, with who asks. Sessions are the caller's: their threads are named after both."""
    return {**config, "configurable": {**(config.get("configurable") or {}), CALLER: caller_of(request)}}
