"""LangServe's playground, with a Content-Security-Policy.

Its page and scripts come with LangServe. They need more than Clew's own pages: the page has one inline script, known by
its hash, with the schemas in it; its library of widgets writes style sheets, and its validator of JSON compiles schemas
to functions. The page cannot show a field that may be null, so its schemas leave that out: such fields are optional.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from langchain_core.runnables import Runnable
from langserve.playground import serve_playground
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import NullableSchema, WithDefaultSchema
from starlette.exceptions import HTTPException

from clew.app.serving.page_routes import PAGE_HEADERS

_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def add_playground(app: FastAPI, path: str, runnable: Runnable[Any, Any], **route: Any) -> None:
    """`PATH/playground/`, and the files of its page. `route` is what the route has beside."""

    @app.get(path + "/playground/{file_path:path}", include_in_schema=False, **route)
    async def playground(file_path: str, request: Request) -> Response:
        base = request.scope.get("root_path", "").rstrip("/") + path + "/playground"
        options: Any = _Options(runnable)
        input: Any = _Shown(runnable.input_schema)
        output: Any = _Shown(runnable.output_schema)
        try:
            page = await serve_playground(
                options, input, output, ("configurable",), base, file_path, False, False, playground_type="default"
            )
        except (IsADirectoryError, NotADirectoryError, ValueError):
            raise HTTPException(404) from None
        page.headers.update({**PAGE_HEADERS, "Content-Security-Policy": policy(bytes(page.body))})
        return page

    @app.get(path + "/c/{options}/input_schema", include_in_schema=False, **route)
    async def input_schema() -> dict[str, Any]:
        """The page asks for it when an option is set, which changes nothing of it."""
        return _Shown(runnable.input_schema).model_json_schema()


class _WithoutNull(GenerateJsonSchema):
    def nullable_schema(self, schema: NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        return super().default_schema(schema) if schema.get("default") else self.generate_inner(schema["schema"])


@dataclass(frozen=True, slots=True)
class _Shown:
    """What stands for a model on the page."""

    model: Any

    def model_json_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = self.model.model_json_schema(schema_generator=_WithoutNull)
        return schema


@dataclass(frozen=True, slots=True)
class _Options:
    """What stands for the options of a Runnable. The page sends an empty list for each list, so it gets none."""

    runnable: Runnable[Any, Any]

    def config_schema(self, *, include: Sequence[str]) -> _Options:
        return self

    def model_json_schema(self) -> dict[str, Any]:
        schema = _Shown(self.runnable.config_schema(include=["configurable"])).model_json_schema()
        properties = schema["$defs"]["Configurable"]["properties"]
        for name in [name for name, each in properties.items() if each.get("type") == "array"]:
            del properties[name]
        return schema


def policy(page: bytes) -> str:
    """What a page of the playground may do: nothing beyond this server, and no script that is not its own."""
    own = [f"'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}'" for text in _INLINE.findall(page)]
    return "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self' 'unsafe-eval'", *own]),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )
