"""The question graph and verification as Runnables, which LangServe serves.

A compiled LangGraph cannot be served as it is: its input schema demands every key of the state, LangServe has no place
for its runtime context, and what it streams is not all JSON. These have schemas of their own, take what may be set from
`configurable`, and stream plain dictionaries.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.utils import ConfigurableFieldSpec
from pydantic import BaseModel

from clew.app.serving.callers import Caller
from clew.app.serving.desk import Desk
from clew.app.serving.plain import plain
from clew.app.serving.shapes import AskInput, AskOptions, AskOutput, VerifyInput, VerifyOptions, VerifyOutput
from clew.tools.errors import ClewError

Options = TypeVar("Options", bound=BaseModel)

CALLER = "__caller"
"""Key of `configurable` that the server alone sets. LangChain keeps keys that begin so to itself."""


class ServedRunnable(Runnable[dict[str, Any], dict[str, Any]]):
    """What both have in common. It works asynchronously only: a server has one event loop."""

    takes: type[BaseModel]
    gives: type[BaseModel]
    options: type[BaseModel]
    name: str | None

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        return self.takes

    def get_output_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        return self.gives

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        return [
            ConfigurableFieldSpec(id=name, annotation=field.annotation, default=field.default)
            for name, field in self.options.model_fields.items()
        ]

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError("Use ainvoke.")

    async def ainvoke(
        self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        return await self._acall_with_config(cast(Any, self._result), input, config, **kwargs)

    async def astream(
        self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any | None
    ) -> AsyncIterator[dict[str, Any]]:
        async def inputs() -> AsyncIterator[dict[str, Any]]:
            yield input

        told = self._atransform_stream_with_config(inputs(), cast(Any, self._told), config, **kwargs)
        async with aclosing(cast(Any, told)) as events:
            async for event in events:
                yield event

    async def abatch(
        self,
        inputs: list[dict[str, Any]],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any | None,
    ) -> list[dict[str, Any]]:
        """Items that were given one session together get sessions of their own, NAME.1, NAME.2, …: asked at once, they
        are no conversation."""
        configs = config if isinstance(config, list) else [config or {} for _ in inputs]
        apart = _apart(configs)
        return await super().abatch(inputs, apart, return_exceptions=return_exceptions, **kwargs)

    async def _result(self, input: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        raise NotImplementedError

    async def _events(self, input: dict[str, Any], config: RunnableConfig) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError
        yield {}

    async def _told(
        self, inputs: AsyncIterator[dict[str, Any]], config: RunnableConfig
    ) -> AsyncIterator[dict[str, Any]]:
        """Events; the last one says what went wrong where something did that the client can do something about."""
        async for input in inputs:
            try:
                async with aclosing(cast(Any, self._events(input, config))) as events:
                    async for event in events:
                        yield plain(event)
            except ClewError as error:
                yield {"type": "error", "detail": error.message, "remedy": error.remedy}


class AskRunnable(ServedRunnable):
    """The question graph."""

    takes, gives, options, name = AskInput, AskOutput, AskOptions, "ask"

    async def _result(self, input: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        caller, options = _settings(config, AskOptions)
        asked = AskInput.model_validate(input)
        return cast(dict[str, Any], plain(await self.desk.result(caller, asked.question, options)))

    async def _events(self, input: dict[str, Any], config: RunnableConfig) -> AsyncIterator[dict[str, Any]]:
        caller, options = _settings(config, AskOptions)
        asked = AskInput.model_validate(input)
        async with aclosing(self.desk.ask(caller, asked.question, options)) as told:
            async for event in told:
                yield {key: value for key, value in event.items() if key != "turn"}


class VerifyRunnable(ServedRunnable):
    """The verification graph."""

    takes, gives, options, name = VerifyInput, VerifyOutput, VerifyOptions, "verify"

    async def _result(self, input: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        caller, options = _settings(config, VerifyOptions)
        statement = VerifyInput.model_validate(input).statement
        return cast(dict[str, Any], plain(await self.desk.verify(caller, statement, options.graph)))

    async def _events(self, input: dict[str, Any], config: RunnableConfig) -> AsyncIterator[dict[str, Any]]:
        yield {"type": "start"}
        yield {"type": "result", "result": await self._result(input, config)}


def _settings(config: RunnableConfig, options: type[Options]) -> tuple[Caller, Options]:
    configurable = config.get("configurable", {})
    given = {name: configurable[name] for name in options.model_fields if configurable.get(name) is not None}
    return configurable.get(CALLER, Caller()), options.model_validate(given)


def _apart(configs: Sequence[RunnableConfig]) -> list[RunnableConfig]:
    sessions = [config.get("configurable", {}).get("session") for config in configs]
    return [
        {**config, "configurable": {**config["configurable"], "session": f"{session}.{number}"}}
        if session is not None and sessions.count(session) > 1
        else config
        for number, (config, session) in enumerate(zip(configs, sessions, strict=True), 1)
    ]
