"""Replies of language models, read tolerantly: whatever a model writes, reading it neither fails nor runs anything."""

from __future__ import annotations

from clew.agents.replies.answers import parse_answers
from clew.agents.replies.artifacts import parse_artifacts, parse_next_entities, parse_selected
from clew.agents.replies.loose_json import parse_json
from clew.agents.replies.shapes import CitedAnswer, RawArtifacts

__all__ = [
    "CitedAnswer",
    "RawArtifacts",
    "parse_answers",
    "parse_artifacts",
    "parse_json",
    "parse_next_entities",
    "parse_selected",
]
