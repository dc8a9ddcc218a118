"""Tables that hold people, and columns that are called after somebody."""

from __future__ import annotations

from math import comb

from clew.tools.ingest import relation_words
from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.column_types import quoted
from clew.tools.ingest.tables.statistics import Statistics
from clew.tools.ingest.tables.table_words import Words

_ROLES = frozenset({
    "rep", "representative", "agent", "assignee", "owner", "reviewer", "approver", "reporter", "requester", "operator",
    "seller", "buyer", "sender", "receiver", "recipient", "responsible", "contact", "referrer", "follower", "followee",
    "member", "tutor", "instructor", "head", "lead", "assistant", "deputy", "moderator", "organizer", "organiser",
    "supervisor", "boss", "clerk", "driver", "nurse", "surgeon", "pilot", "attendee", "participant", "staff", "mgr",
    "chief", "superior", "coach", "witness", "spouse", "cook", "judge", "host", "guest", "mate", "leader", "curator",
    "courier", "holder", "keyholder", "keeper", "caretaker", "conservator", "editor", "author", "artist", "designer",
    "inspector", "auditor", "examiner", "interviewer", "foreman", "winemaker", "brewer", "chef", "teacher", "lecturer",
    "secretary", "treasurer", "steward", "warden", "captain", "planner", "dispatcher", "handler", "checker", "packer",
})  # fmt: skip
_AGENTS = ("er", "or", "ist", "ian", "ee", "ant")
"""Endings of nouns for people who do something …"""
_NO_AGENTS = frozenset({
    "order", "number", "letter", "quarter", "register", "voucher", "folder", "counter", "container", "computer",
    "server", "tender", "committee", "degree", "plant", "variant", "restaurant", "chapter", "filter", "meter", "center",
    "sensor", "motor", "color", "vector", "factor", "error", "monitor", "offer", "layer", "header", "paper", "floor",
})  # fmt: skip
"""… and words for other things with the same endings."""
_LEAST_AGENT = 5
_MOST_PEOPLE, _BY_CHANCE = 5000, 0.01
_HOUSE = frozenset({
    "staff", "employee", "emp", "empl", "user", "personnel", "worker", "team", "technician", "colleague", "crew",
})  # fmt: skip
"""The people of the organisation itself, who do what others ask for: "taken by" …"""
_OF_OTHERS = frozenset({"referred", "introduced", "recommended", "requested", "bought", "invited"})
"""… but not what these verbs say."""
_PEOPLE = frozenset({
    "staff", "personnel", "emp", "empl", "worker", "client", "technician", "mechanic", "volunteer", "donor", "vet",
    "pupil", "trainer", "therapist", "guide", "adviser", "advisor", "consultant", "colleague", "officer",
    "helper", "runner", "observer", "presenter", "climber", "hiker", "walker", "rider", "swimmer", "singer", "musician",
    "performer", "speaker", "visitor", "dancer", "guardian", "carer", "coordinator", "gardener", "grower", "farmer",
    "tenant", "subscriber", "listener", "viewer", "passenger", "applicant", "candidate", "recruiter", "user",
})  # fmt: skip
"""Further words by which tables of people are called."""
_GIVEN = frozenset(
    {"assigned", "allocated", "delegated", "escalated", "sold", "issued", "given", "lent", "rented", "sent"}
)
"""What is done with a thing to a person: `assigned_to`."""
_PERSONAL = (
    "firstname", "fname", "givenname", "forename", "lastname", "lname", "surname", "familyname", "fullname", "hiredon",
    "hiredate", "hired", "datehired", "jobtitle", "username", "signupdate", "signedup",
)  # fmt: skip
"""Columns that only people have, as one word."""


def is_person(core: Words, is_key: bool) -> bool:
    """Whether a column is called after somebody; `is_key` if its name says that it holds keys."""
    is_given = core[-1] == "to" and bool(set(core) & _GIVEN)
    is_agent = is_key and any(
        len(word) >= _LEAST_AGENT and word.endswith(_AGENTS) and word not in _NO_AGENTS for word in core
    )
    is_done = core[-1] == "by" and len(core) > 1
    return is_agent or is_given or is_done or says_role(core)


def says_role(core: Words) -> bool:
    """Whether a column is called after a role that only people have: `gang_leader`, but not `diameter`."""
    guess = relation_words.guess("_".join(core), "object")
    return bool(set(core) & (_ROLES | _PEOPLE)) or (guess is not None and guess.name == "Person")


def holds_people(statistics: Statistics, table: str) -> bool:
    """Whether rows have what only people have, such as a first name, or the table is called after people."""
    columns = {table_words.squashed(statistics.words(name)) for name in statistics.tables[table].types}
    noun = statistics.noun(table)
    guess = relation_words.guess("has_" + "_".join(noun), "object")
    return bool(columns & set(_PERSONAL) or noun[-1] in _PEOPLE) or (guess is not None and guess.name == "Person")


def acts(statistics: Statistics, table: str) -> bool:
    """Whether the rows are people, also in a role such as member: they do something with other rows."""
    return bool(set(statistics.noun(table)) & _ROLES) or holds_people(statistics, table)


def rows_say(statistics: Statistics, table: str, column: str, other: str, target: str, core: Words) -> str:
    """Which text column of the referred rows has a word of the role in all of them: "Sales Support Agent"."""
    texts = [name for name, kind in statistics.tables[other].types.items() if kind.kind == "text"]
    for word in core:
        if len(word) < 4:
            continue
        for text in texts:
            values = f"SELECT CAST({quoted(column)} AS VARCHAR) FROM {quoted(table)}"
            query = (
                f"SELECT count(*), count(*) FILTER (contains(lower({quoted(text)}), ?)) FROM {quoted(other)} "
                f"WHERE CAST({quoted(target)} AS VARCHAR) IN ({values})"
            )
            rows, having = statistics.workspace.rows(query, [word])[0]
            if rows and rows == having:
                return f"{text} of the rows is {word}"
    return ""


def are_alike(statistics: Statistics, table: str, column: str, other: str, target: str) -> bool:
    """Whether the rows that a column would refer to have a word in common that so many would not have by chance: they
    are vets, of vets and nurses."""
    types = statistics.tables[other].types
    texts = [quoted(name) for name, kind in types.items() if kind.kind == "text" and name != target]
    rows = f"SELECT {', '.join((quoted(target), *texts))} FROM {quoted(other)} LIMIT {_MOST_PEOPLE}"
    told = {str(key): {(i, w) for i, t in enumerate(row) for w in str(t or "").lower().split()}
            for key, *row in statistics.workspace.rows(rows)}  # fmt: skip
    values = (
        f"SELECT DISTINCT CAST({quoted(column)} AS VARCHAR) FROM {quoted(table)} WHERE {quoted(column)} IS NOT NULL"
    )
    referred = [told[key] for (key,) in statistics.workspace.rows(values) if key in told]
    common = set.intersection(*referred) if referred else set()
    having = (sum(word in words for words in told.values()) for word in common)
    return any(comb(n, len(referred)) <= _BY_CHANCE * comb(len(told), len(referred)) for n in having)


def is_house(statistics: Statistics, table: str) -> bool:
    """Whether a table holds the people of the organisation itself."""
    return bool(_HOUSE & set(statistics.noun(table)))


def done_by_others(column: Words) -> bool:
    """Whether a column says what people of the organisation seldom do: `referred_by`."""
    return bool(_OF_OTHERS & set(column))
