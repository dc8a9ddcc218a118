"""The polite beginnings of requests: "could you please tell me", "I would be grateful if you gave me a list of"."""

from __future__ import annotations

import re

_REQUESTS = (
    r"(?:tell|show|give|list|find|send|provide|name|check|get|count|sort|rank|let|look up|work out|help|confirm"
    r"|retrieve|put|(?:add|sum|tot|tally|count) up|pull up"
    r"|bring up|fetch|grab|display|return|report|print|dig out|run|calculate|compute)\b"
)
_MARK = r"flag|flag up|highlight|mark|point out|pick out"
_ASKED = r"(?:(?:for|in|at|on|from|to|by|with) )?(?:how|which|what|who|when|where)\b"
_BEGUN = r"(?:for|of|out of|i|we|if|take|look|consider|break|not|so|well|between|among|please|can|could|year|month)\b"
ASIDES = r"by the way|btw|incidentally|out of (?:curiosity|interest)|(?:a )?quick question|one more (?:thing|question)"
"""What begins a question about something else."""
_SETS = r"(?:the|a|an|all|whether|every|each|any|our|my)\b"
_SOFTLY = r"(?:please |kindly |just |possibly |maybe |also )*"
_SPOKEN = re.compile(r"\b(?:um+|uh+|uhm|erm|hmm+|mhm|(?<![Dd]o )you know)\b,?")
"""What speakers say while they think."""
_EXPLAINED = re.compile(
    r",?\s+(?:so|i\.e\.|that is|meaning|namely|in other words),?\s+(?:(?:its|the|their)\s+)?[\w ]+?\s"
    r"(?:times|multiplied by|less|minus|plus|divided by)\b[^?.!]*(?:\.(?=\s*$))?"
    r"|\s\((?:[\w'-]+,? ){4,}[\w'-]+\)"
    r"|\s\((?:in )?(?:m2|m\u00b2|km2|kg|g|km|m|cm|mm|l|ml|gbp|eur|usd|\u00a3|\u20ac|\$|%)\)"
    r"|,\s*(?:if )?any(?=\W*$)"
    r"|,?\s+(?:adding|totting|summing) up (?:all|every|each)(?: of)?(?: (?:the|their|our|its))?(?: [\w-]+){1,2}(?=\W*$)"
    r"|,?\s+(?:going by|according to|judging by|based on|as per) (?:the|our|my) (?:[\w-]+ ){0,2}?"
    r"(?:lists?|registers?|records?|files?|sheets?|tables?|data|spreadsheets?|databases?|books?|log|catalogue)(?=\W*$|,)"
    r"|(?<=\bwhat) exactly(?= (?:is|was|are|were|did|does|do|has|had)\b)"
    r"|,?\s+(?:counting|including|with) (?:the )?(?:[\w-]+ ){1,4}(?:ones )?(?:too|as well)(?=\W*$)"
    r"|,?\s+(?:both (?:colou?rs|home and away)|home (?:and|or|&) away|(?:with )?either colou?r)(?=\W*$|,)"
    r"|,?\s+(?:the )?(?:[\w-]+ ){1,3}(?:counted|included|counting) (?:in|too|as well)(?=\W*$)",
    re.IGNORECASE,
)
"""What a number is, behind its name: "the stock value, i.e. price times units in stock"; a remark in parentheses, or a
unit; what is not left out: "counting the cancelled ones too"; how to count: "adding up every receipt"; "exactly" behind
"what"; that both sides count: "home and away"."""
_COURTESIES = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        r"i(?: would| should|'d|\u2019d) (?:be (?:very |most |so )?(?:grateful|glad|happy|thankful|obliged)"
        r" if you (?:could|would|can|might)"
        rf"|appreciate it if you (?:could|would)|like you to|like to|love to)\s+{_SOFTLY}",
        rf"(?:could|can|would|will|might) you,?\s+{_SOFTLY}(?={_REQUESTS})",
        r"(?:would|do) you mind (?:telling|showing|giving|listing|sending|finding|naming)(?: me| us)?,?\s+"
        r"(?:please,?\s+)?",
        r"(?:might|may|could|can) (?:i|we) (?:please )?(?:ask(?: you)?|enquire|inquire),?\s+(?:please,?\s+)?",
        r"(?:might|may|could|can) (?:i|we) (?:please )?trouble you (?:for|to)\s+",
        r"i(?: would| should|'d|\u2019d) be (?:very |most |so )?(?:grateful|glad|happy|thankful) (?:of|for|with)\s+",
        r"please (?:to|say me|tell to me)\s+",
        rf"(?:could|can|may|might) (?:i|we) {_SOFTLY}(?:have|get|see|know|ask for)\s+"
        rf"(?=(?:a|the) (?:\w+ )?(?:list|number|count|total|average|names?)\b|{_ASKED})",
        r"(?:please|kindly)\s+",
        rf"(?:{ASIDES})[\s,:.!\u2013-]+",
        r"not the (?:very )?(?:first|top|highest|lowest|best|last)(?: one)?,? but\s+",
        r"(?:okay|ok|alright|all right|right|well|so|now|hey|yeah|and)\b[,.]?\s+"
        rf"(?={_ASKED}|{_REQUESTS}|{_SETS}|{_BEGUN})",
        r"(?:i (?:want|need|wish)(?: you)? to|i(?:'m| am) trying to|help me(?: to)?|let us|let's)\s+"
        rf"(?={_REQUESTS}|know\b|see\b)",
        rf"(?:do (?:you|we) (?:happen to )?know|any idea|i was wondering|i wonder)\s+(?={_ASKED})",
        r"(?:(?:tell|show|give|send|provide|get|let|remind) (?:me|us)(?: know| again)?|provide|send|check|know|see"
        r"|find out|work out"
        rf"|look up|retrieve|confirm)(?:,? please,?)?\s+(?={_ASKED}|{_SETS})",
        rf"(?:add|sum|tot|tally|count) up(?: for me)?\s+(?={_ASKED})",
        rf"(?:pull up|bring up|fetch|grab|display|dig out|print|return|{_MARK})(?: me| us)?\s+"
        rf"(?={_SETS}|(?-i:[A-Z])[\w-]+['\u2019]s\b)",
        r"(?:a|the) (?:full |complete |whole )?list (?:of|with)\s+",
    )
)
"""What stands before a request, one after the other."""


def without_remarks(text: str) -> str:
    """A text with blanks in the place of what it says beside its question, so that offsets stay."""
    return _EXPLAINED.sub(lambda found: " " * len(found.group()), text)


def without_courtesy(text: str) -> str:
    """A text with blanks in the place of polite words before what it asks for, so that offsets stay."""
    text = without_remarks(text)
    text = _SPOKEN.sub(lambda found: " " * len(found.group()), text)
    start = len(text) - len(text.lstrip())
    while (found := next(filter(None, (each.match(text, start) for each in _COURTESIES)), None)) is not None:
        start = found.end()
    left = text[start:]
    return " " * start + left if len(left.split()) > 1 else text
