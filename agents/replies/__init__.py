"""Replies of language models, parsed tolerantly.

In: the text of a reply, whatever a model wrote. Out: plain values, not yet checked against any graph.
Parsing never fails, never runs anything, and takes linear time.
"""

from __future__ import annotations

from clew.agents.replies.answers import CitedAnswer, parse_answers
from clew.agents.replies.artifacts import RawArtifacts, parse_artifacts, parse_next_entities, parse_selected
from clew.agents.replies.loose_json import parse_json, read_json

__all__ = [
    "CitedAnswer",
    "RawArtifacts",
    "parse_answers",
    "parse_artifacts",
    "parse_json",
    "parse_next_entities",
    "parse_selected",
    "read_json",
]
