"""LangGraph's own conformance tests for checkpointers, on both kinds of conversations."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from clew.graphs.conversations import Conversations, open_conversations

conformance = pytest.importorskip(
    "langgraph.checkpoint.conformance", reason="langgraph-checkpoint-conformance is not installed"
)


class InThreads(BaseCheckpointSaver[str]):
    """A saver whose asynchronous methods are the other one's own in threads, as LangGraph's tests want them."""

    def __init__(self, saver: Conversations) -> None:
        super().__init__(serde=JsonPlusSerializer())
        self.saver = saver

    async def aput(self, *given: Any) -> Any:
        return await asyncio.to_thread(self.saver.put, *given)

    async def aput_writes(self, *given: Any, **named: Any) -> None:
        await asyncio.to_thread(lambda: self.saver.put_writes(*given, **named))

    async def aget_tuple(self, config: Any) -> Any:
        return await asyncio.to_thread(self.saver.get_tuple, config)

    async def alist(self, config: Any, **given: Any) -> AsyncIterator[Any]:
        for each in await asyncio.to_thread(lambda: list(self.saver.list(config, **given))):
            yield each

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.saver.delete_thread, thread_id)

    async def aprune(self, thread_ids: Any, *, strategy: str = "keep_latest", **given: Any) -> None:
        await asyncio.to_thread(lambda: self.saver.prune(thread_ids, strategy=strategy))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_conversations_pass_the_tests_of_langgraph(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        kept: Conversations = open_conversations(tmp_path / "conversations.sqlite")
    else:
        url = request.getfixturevalue("state_url")
        from clew.graphs.shared_conversations import SharedConversations
        from clew.tools.state.postgres import Postgres

        kept = SharedConversations(Postgres(url))

    @conformance.checkpointer_test(name=kind)
    async def saver() -> AsyncGenerator[InThreads, None]:
        yield InThreads(kept)

    report = await conformance.validate(saver)
    kept.close()
    failed = {name: each.failures for name, each in report.results.items() if each.failures}
    assert failed == {}
    assert report.passed_all_base()
    assert report.results["prune"].passed
    assert sum(each.tests_passed for each in report.results.values()) > 40
