"""link: ask the linker which words of the question name something; on a second round, what else they may name."""

from __future__ import annotations

from agents.findings import MentionRef, mention_of, mention_ref
from agents.linker import Artifacts, read, read_again
from graphs.context import Context
from graphs.recorder import Span
from graphs.state import State
from graphs.steps import Done
from tools.linking.entity import Mention


def link(state: State, context: Context, span: Span) -> Done:
    question = state["resolved"]
    given = [mention_of(mention) for mention in state["given"]]
    if state["iteration"] == 1:
        artifacts = read(question, context.index, given)
    else:
        before = Artifacts(_mentions(state["mentions"]), _mentions(state["alternatives"]))
        artifacts = read_again(question, before, state["tried"])
    groups = {(m["start"], m["end"]) for m in state["given"] if m.get("group")}
    mentions = [mention_ref(mention) for mention in artifacts.mentions]
    for mention in mentions:
        if (mention["start"], mention["end"]) in groups:
            mention["group"] = True
    span.event("reading", mentions=mentions, finished=artifacts.finished)
    update = {
        "mentions": mentions,
        "alternatives": [mention_ref(mention) for mention in artifacts.alternatives],
    }
    names = ", ".join(f"“{mention['text']}”" for mention in mentions)
    title = "Nothing more to link" if artifacts.finished else f"Names: {names}" if names else "No name found"
    return Done(update, title)


def _mentions(refs: list[MentionRef]) -> tuple[Mention, ...]:
    return tuple(mention_of(ref) for ref in refs)
