"""LangServe's routes: invoke, batch, stream, stream_log, stream_events, schemas and playground, for `RemoteRunnable`.

LangServe 0.3.3 reports some invalid requests as its own errors: a batch with one bad input, a body that is not UTF-8,
and `"config": null`. They are checked before it, and the runs of a request are admitted before it answers. The caller
and the places of the runs reach a run only through `per_req_config_modifier`, which replaces what a client writes under
that name.

A compiled LangGraph cannot be served as it is: its input schema requires every key of the state, LangServe has no place
for its runtime context, and not all that it streams is JSON. `ServedRunnable` has schemas of its own, takes options
from `configurable`, and streams plain dictionaries.
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, cast

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.utils import ConfigurableFieldSpec
from langserve import add_routes
from pydantic import BaseModel, ConfigDict, Field

from clew.app.serving.authentication import Caller, caller_of
from clew.app.serving.errors import client_error, validated
from clew.app.serving.playground import add_playground
from clew.app.serving.request_models import (
    MOST_INPUTS,
    AskInput,
    AskOptions,
    AskOutput,
    VerifyInput,
    VerifyOptions,
    VerifyOutput,
)
from clew.app.serving.responses import to_json_value
from clew.app.serving.runs import Places
from clew.app.serving.service import QuestionService

ADMITTED = "__admitted"
"""Key of `configurable` that only the server sets. LangChain keeps keys that begin so private."""
_ENDPOINTS: Any = (
    "invoke", "batch", "stream", "stream_log", "stream_events",
    "input_schema", "output_schema", "config_schema",
)  # fmt: skip
_Input = TypeVar("_Input", bound=BaseModel)
_Options = TypeVar("_Options", bound=BaseModel)
_Names = list[str] | None


class _Config(BaseModel, Generic[_Options]):
    """LangServe passes on `configurable` only; tags and the like are accepted and ignored."""

    model_config = ConfigDict(extra="ignore")

    configurable: _Options | None = None


class _SingleBody(BaseModel, Generic[_Input, _Options]):
    """The body of all routes but `/batch`."""

    input: _Input
    config: _Config[_Options] = Field(default_factory=_Config[_Options])
    include_names: _Names = None
    include_types: _Names = None
    include_tags: _Names = None
    exclude_names: _Names = None
    exclude_types: _Names = None
    exclude_tags: _Names = None


class _BatchBody(BaseModel, Generic[_Input, _Options]):
    """The body of `/batch`: one configuration for all inputs, or one for each."""

    inputs: Annotated[list[_Input], Field(min_length=1, max_length=MOST_INPUTS)]
    config: _Config[_Options] | list[_Config[_Options]] = Field(default_factory=_Config[_Options])


Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AdmittedRequest:
    """A request whose runs have their places."""

    caller: Caller
    places: Places


@dataclass(frozen=True)
class RunnableSpec:
    """What a ServedRunnable serves."""

    name: str
    input: type[BaseModel]
    output: type[BaseModel]
    options: type[BaseModel]
    result: Callable[[AdmittedRequest, Any, Any], Awaitable[Values]]
    events: Callable[[AdmittedRequest, Any, Any], AsyncGenerator[Values, None]]


class ServedRunnable(Runnable[Values, Values]):
    """Questions or statements as a Runnable. It is asynchronous only: a server has one event loop."""

    def __init__(self, served: RunnableSpec) -> None:
        self.served = served
        self.name = served.name

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        return self.served.input

    def get_output_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        return self.served.output

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        return [
            ConfigurableFieldSpec(id=name, annotation=field.annotation, default=field.default)
            for name, field in self.served.options.model_fields.items()
        ]

    def invoke(self, input: Values, config: RunnableConfig | None = None, **kwargs: Any) -> Values:
        raise NotImplementedError("Use ainvoke.")

    async def ainvoke(self, input: Values, config: RunnableConfig | None = None, **kwargs: Any) -> Values:
        return await self._acall_with_config(cast(Any, self._result), input, config, **kwargs)

    async def astream(
        self, input: Values, config: RunnableConfig | None = None, **kwargs: Any | None
    ) -> AsyncIterator[Values]:
        async def inputs() -> AsyncIterator[Values]:
            yield input

        stream = self._atransform_stream_with_config(inputs(), cast(Any, self._events), config, **kwargs)
        async with aclosing(cast(Any, stream)) as events:
            async for event in events:
                yield event

    async def abatch(
        self,
        inputs: list[Values],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any | None,
    ) -> list[Values]:
        """Inputs with one session in common get sessions of their own, NAME.1, NAME.2, …: they run at the same time, so
        they are no conversation."""
        configs = config if isinstance(config, list) else [config or {} for _ in inputs]
        separate = _separate_sessions(configs)
        return await super().abatch(inputs, separate, return_exceptions=return_exceptions, **kwargs)

    async def _result(self, input: Values, config: RunnableConfig) -> Values:
        return cast(Values, to_json_value(await self.served.result(*self._arguments(input, config))))

    async def _events(self, inputs: AsyncIterator[Values], config: RunnableConfig) -> AsyncIterator[Values]:
        """Events; the last one describes the error if one ended them."""
        async for input in inputs:
            try:
                async with aclosing(self.served.events(*self._arguments(input, config))) as events:
                    async for event in events:
                        yield to_json_value(event)
            except Exception as error:
                known = client_error(error)
                yield {"type": "error", "detail": known.message, "remedy": known.remedy}

    def _arguments(self, input: Values, config: RunnableConfig) -> tuple[AdmittedRequest, BaseModel, BaseModel]:
        configurable, options = config.get("configurable", {}), self.served.options
        given = {name: configurable[name] for name in options.model_fields if configurable.get(name) is not None}
        return configurable[ADMITTED], self.served.input.model_validate(input), options.model_validate(given)


def add_langserve_routes(app: FastAPI, service: QuestionService) -> None:
    """`/ask/…` and `/verify/…`."""

    async def ask_result(admitted: AdmittedRequest, input: AskInput, options: AskOptions) -> Values:
        return await service.result(admitted.caller, input.question, options, places=admitted.places)

    async def ask_events(
        admitted: AdmittedRequest, input: AskInput, options: AskOptions
    ) -> AsyncGenerator[Values, None]:
        events = service.ask(admitted.caller, input.question, options, places=admitted.places)
        async with aclosing(events):
            async for event in events:
                yield {key: value for key, value in event.items() if key != "turn"}

    async def verify_result(admitted: AdmittedRequest, input: VerifyInput, options: VerifyOptions) -> Values:
        return await service.verify(admitted.caller, input.statement, options.graph, admitted.places)

    async def verify_events(*given: Any) -> AsyncGenerator[Values, None]:
        yield {"type": "start"}
        yield {"type": "result", "result": await verify_result(*given)}

    ask = RunnableSpec("ask", AskInput, AskOutput, AskOptions, ask_result, ask_events)
    _add(app, service, ask, _SingleBody[AskInput, AskOptions], _BatchBody[AskInput, AskOptions])
    verify = RunnableSpec("verify", VerifyInput, VerifyOutput, VerifyOptions, verify_result, verify_events)
    _add(app, service, verify, _SingleBody[VerifyInput, VerifyOptions], _BatchBody[VerifyInput, VerifyOptions])


def _add(app: FastAPI, service: QuestionService, served: RunnableSpec, one: Any, several: Any) -> None:
    runnable, admitted = ServedRunnable(served), [Depends(_admission(service, one, several))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangChain deprecates astream_log, which LangServe's clients may still use.
        add_routes(
            app,
            runnable,
            path=f"/{served.name}",
            config_keys=("configurable",),
            enabled_endpoints=_ENDPOINTS,
            per_req_config_modifier=_with_admitted,
            dependencies=admitted,
        )
    add_playground(app, f"/{served.name}", runnable, dependencies=admitted)


def _admission(service: QuestionService, one: Any, several: Any) -> Callable[[Request], Any]:
    async def admission(request: Request) -> AsyncIterator[None]:
        """Admits the runs of a request until its response has ended.

        Raises RequestValidationError, UnknownGraph, BadInput or QueueFull before anything is answered.
        """
        if request.method != "POST":
            yield
            return
        batch = request.url.path.endswith("/batch")
        body = validated(several if batch else one, await request.body())
        configs = body.config if isinstance(body.config, list) else [body.config]
        if batch and isinstance(body.config, list) and len(configs) != len(body.inputs):
            raise RequestValidationError([{"loc": ("config",), "msg": "has another number of items than inputs"}])
        caller = caller_of(request)
        for config in configs:
            options = config.configurable
            await service.graph(caller, getattr(options, "graph", None), getattr(options, "session", None))
        session = getattr(configs[0].configurable, "session", None) if configs else None
        with service.admitted(caller, session, runs=len(body.inputs) if batch else 1) as places:
            request.state.admitted = AdmittedRequest(caller, places)
            yield

    return admission


def _with_admitted(config: Values, request: Request) -> Values:
    """The client's configuration with the caller, after whom the threads of sessions are named, and the places."""
    return {**config, "configurable": {**(config.get("configurable") or {}), ADMITTED: request.state.admitted}}


def _separate_sessions(configs: Sequence[RunnableConfig]) -> list[RunnableConfig]:
    sessions = [config.get("configurable", {}).get("session") for config in configs]
    return [
        {**config, "configurable": {**config["configurable"], "session": f"{session}.{number}"}}
        if session is not None and sessions.count(session) > 1
        else config
        for number, (config, session) in enumerate(zip(configs, sessions, strict=True), 1)
    ]
