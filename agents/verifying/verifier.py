"""The verifier with a model: it reads the facts that were found, judges the statement, and cites them.

"Supported" and "refuted" count only with a cited fact that was shown; otherwise the verdict made without the model
stands. The subgraphs of the statement's pattern are shown whole, as one item each. Source: SimGRAG section 4.4
(verbalised subgraphs, then a verdict).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.agents.answering.confidence import of_model
from clew.agents.answering.verbalising import Verbalised, verbalised, verbalised_subgraphs
from clew.agents.evidence import Evidence
from clew.agents.models.calls import Model
from clew.agents.prompting import one_line, prompt
from clew.agents.replies import parse_json
from clew.agents.replies.composed import fit_to_show
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding, Verdict
from clew.tools.embedding.token_budget import counter

LONGEST_REASON = 600
_FINDINGS_SHOWN = 24
PATTERN = "pattern/1"
"""Marks the evidence of the subgraphs."""
_MARK = re.compile(r"\b([FS])\s*(\d+)", re.I)
_WORDS: tuple[tuple[re.Pattern[str], Verdict], ...] = (
    (re.compile(r"not[\s_-]*(?:enough|sufficient)|insufficient|unknown|unverifiable|nei\b|cannot", re.I), UNKNOWN),
    (re.compile(r"refut|false|contradict|incorrect|not[\s_-]*(?:true|supported|correct)", re.I), REFUTED),
    (re.compile(r"support|true|correct|entail", re.I), SUPPORTED),
)
"""Words for verdicts; the first match counts."""


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """A model's verdict, with the keys of the evidence that it cites."""

    verdict: Verdict
    confidence: float
    reason: str
    cited: tuple[str, ...]


def judge(
    model: Model,
    statement: str,
    evidence: Mapping[str, Evidence],
    findings: Sequence[Finding],
    subgraphs: Sequence[Sequence[str]],
    max_tokens: int,
) -> ModelVerdict | str:
    """The model's verdict, or why there is none. Raises ModelFailed.

    `subgraphs` has the keys of the evidence of each subgraph that is most similar to the statement's pattern.
    """
    similar = verbalised_subgraphs(subgraphs, evidence, max_tokens // 2)
    alone = {key: item for key, item in evidence.items() if any(by != PATTERN for by in item["provenance"])}
    facts = verbalised({}, alone, max_tokens - counter()(similar.text))
    shown = Verbalised("\n".join(filter(None, (facts.text, similar.text))), {}, {**facts.facts, **similar.facts})
    lines = [one_line(f"- {f['claim']}: {f['verdict']}. {f['reason']}") for f in findings[:_FINDINGS_SHOWN]]
    asked = prompt(
        "verdict", statement=statement, facts=shown.text or "(none)", findings="\n".join(lines) or "(nothing)"
    )
    reply = model.ask(asked, json=True)
    same = [f["confidence"] for f in findings]
    return read_verdict(reply.text, shown, max(same, default=0.0), asked.system)


def read_verdict(text: str, shown: Verbalised, found: float = 0.0, system: str = "") -> ModelVerdict | str:
    """The verdict in a reply, or why there is none.

    Args:
        text: The reply.
        shown: The facts that the prompt showed.
        found: The confidence of the findings without the model.
        system: The instructions of the prompt; a reason that repeats them, or holds a link, is not shown.
    """
    data = parse_json(text)
    if not isinstance(data, Mapping):
        return "the reply is no JSON object"
    verdict = _verdict(data.get("verdict", data.get("label", data.get("answer"))))
    if verdict is None:
        return "it gives none of the three verdicts"
    found_marks = _MARK.findall(str(data.get("facts", data.get("evidence"))))
    marks = list(dict.fromkeys(f"{kind.upper()}{number}" for kind, number in found_marks))
    cited = tuple(dict.fromkeys(key for mark in marks for key in shown.facts.get(mark, ())))
    if verdict != UNKNOWN and not cited:
        return f"it says \u201c{verdict}\u201d and cites no fact that was shown"
    reason = " ".join(str(data.get("reason") or "").split())
    reason = "".join(c for c in reason if c.isprintable())[:LONGEST_REASON]
    told = reason if reason and fit_to_show(reason, system) else "The model gives no reason that may be shown."
    return ModelVerdict(verdict, of_model([found], bool(cited)), told, cited)


def _verdict(data: object) -> Verdict | None:
    if isinstance(data, bool):
        return SUPPORTED if data else REFUTED
    if not isinstance(data, str):
        return None
    return next((verdict for pattern, verdict in _WORDS if pattern.search(data)), None)
