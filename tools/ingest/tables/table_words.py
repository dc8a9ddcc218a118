"""Labels and relationship types from the names of tables and columns: English rules, no data."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from clew.tools.ingest import relation_words

Words = tuple[str, ...]

KEY_WORDS = frozenset({
    "id", "ids", "key", "code", "cd", "no", "nr", "num", "number", "nummer", "uuid", "guid", "fk", "pk", "ref", "réf",
    "sk",
})  # fmt: skip
"""Words that end the name of a key column."""
_PREFIXES = frozenset({"tbl", "table", "dim", "fact", "vw", "fk", "pk", "ref", "réf", "id", "code", "código", "codigo"})
_KEY_ENDINGS = ("id", "code", "no", "nummer", "nr", "key")
"""With which names of one word end that are keys: `customerid`, `kundennr`."""
_PARTICLES = frozenset({"ins", "ons", "ups"})
"""With which plurals end that the usual rules take for short words: `check_ins`, `add_ons`, `follow_ups`."""
_SIGNS = {**dict.fromkeys(map(ord, "/#."), " "), **dict.fromkeys(map(ord, "'\u2019"), None)}
_UMLAUTS = str.maketrans("äöü", "aou")
_GERMAN_ENDINGS = ("en", "er", "es", "n", "e", "s")
PREPOSITIONS = frozenset({"by", "to", "from", "via", "in", "at", "of", "for", "on", "with", "into", "as", "under"})
_VERBS = frozenset({"has", "is", "was", "belongs", "contains", "includes", "uses", "owns", "lives", "works"})
_SUCCEEDING = frozenset({"replaces", "supersedes", "succeeds", "precedes", "follows", "duplicates", "extends"})
_LINKING = frozenset({
    "line", "item", "detail", "link", "map", "mapping", "xref", "rel", "relation", "relationship", "join", "junction",
    "assoc", "association", "entry", "row", "record",
})  # fmt: skip
"""Words by which tables that join two others are called, and that say nothing about how."""
_ENDS = frozenset({"to", "target", "destination", "dest", "child", "successor", "later", "new"})
"""Words with which columns begin that hold the second of two rows."""
_LINKED = {"link": "LINKED_TO", "map": "MAPPED_TO", "mapping": "MAPPED_TO"}
_FOLDED = re.compile(
    r"(ship|report|reports|created|updated|modified|assigned|approved|managed|owned|sold|paid|shipped|reported|reviewed|"
    r"posted|written|issued|ordered|requested)(via|to|by|from|in)"
)
"""Words that names in lower case run together with a preposition."""
_HUNDREDTHS = re.compile(r"(?<=[^\W_])((_in)?_(cents|pence)|(In)?(Cents|Pence)|(_IN)?_(CENTS|PENCE))\Z")
_NOUN_ENDINGS = ("ments", "ships", "tions", "sions", "ings", "ances", "ences")


def words(name: str) -> Words:
    """`customerID`, `customer_id` and `Customer ID` all give (customer, id)."""
    plain = name.translate(_SIGNS)
    found = tuple(relation_words.words(plain)) or (name.lower(),)
    folded = _FOLDED.fullmatch(found[0]) if len(found) == 1 else None
    return folded.groups() if folded else found


def noun(table: str) -> Words:
    """What one row of the table is: `order-details` gives (order, detail)."""
    found = words(table)
    while len(found) > 1 and found[0] in _PREFIXES:
        found = found[1:]
    last = found[-1][:-1] if len(found) > 1 and found[-1] in _PARTICLES else relation_words.singular(found[-1])
    return (*found[:-1], last)


def squashed(found: Sequence[str]) -> str:
    """Without the borders between words, which names in lower case do not have: `customerid`."""
    return "".join(found)


def apart(name: str, nouns: Collection[str]) -> str:
    """`orderdetails` as `order_details`, if `order` is a noun, and the rest is another or a word like "line"."""
    found = words(name)
    for start in nouns if len(found) == 1 else ():
        rest = relation_words.singular(found[0].removeprefix(start))
        if rest != relation_words.singular(found[0]) and (rest in nouns or rest in _LINKING):
            return f"{start}_{found[0].removeprefix(start)}"
    return name


def label(table: str) -> str:
    """`order-details` gives OrderDetail."""
    found = "".join(map(relation_words.title, noun(table)))
    return found if found[:1].isalpha() else f"T{found}"


def property_name(column: str) -> str:
    """The column's name if it is one word, else `Unit Price ($)` gives unitPrice."""
    name = column.strip()
    if name.isidentifier():
        return name
    found = [word for word in words(name) if word] or ["value"]
    return found[0] + "".join(map(relation_words.title, found[1:]))


def without_hundredths(property: str) -> str:
    """`price` of `price_in_cents`."""
    return _HUNDREDTHS.sub("", property)


def without_key_words(column: str, nouns: frozenset[str] = frozenset()) -> tuple[Words, bool]:
    """The words of a column without those that make it a key, and whether it had any.

    Args:
        column: the name of the column.
        nouns: the nouns of the tables, written as one word: with them, `customerid` gives customer.
    """
    found = words(column)
    core = found
    while len(core) > 1 and core[-1] in KEY_WORDS:
        core = core[:-1]
    while len(core) > 1 and core[0] in _PREFIXES:
        core = core[1:]
    if core == found and len(core) == 1:
        for suffix in _KEY_ENDINGS:
            stem = core[0].removesuffix(suffix)
            if stem == core[0]:
                continue
            if relation_words.singular(stem) in nouns:
                return (stem,), True
            if same := next((noun for noun in sorted(nouns) if _german_stem(noun) == _german_stem(stem)), None):
                return (same,), True
    return core, core != found


def _german_stem(word: str) -> str:
    """`auftrag` of `aufträge` and of the `auftrags` in `auftragsnr`; a short word as it is."""
    stem = word.translate(_UMLAUTS)
    ending = next((each for each in _GERMAN_ENDINGS if stem.endswith(each)), "")
    return stem.removesuffix(ending) if len(stem) - len(ending) >= 4 else stem


def singular(found: Words) -> Words:
    """With the last word in the singular."""
    return (*found[:-1], relation_words.singular(found[-1])) if found else found


def reference_type(column: str, target: str, nouns: frozenset[str] = frozenset()) -> str:
    """The type of the relationship that a column stands for: `reportsTo` gives REPORTS_TO, `category_id` HAS_CATEGORY.

    Args:
        column: the column that refers to another table.
        target: the table to which it refers.
        nouns: see `without_key_words`.
    """
    core, _had = without_key_words(column, nouns)
    if core[0] in KEY_WORDS and len(core) == 1:
        core = noun(target)
    place = next((i for i, word in enumerate(core) if i and word in PREPOSITIONS), None)
    if place is not None:
        after = singular(core[place + 1 :])
        says_no_more = after == noun(target) or is_abbreviation(after, noun(target))
        return _typed(core[: place + 1] if says_no_more else core)
    if len(core) == 1 and core[0] in PREPOSITIONS:
        return _typed(core)
    is_verb = core[0] in _VERBS if len(core) > 1 else core[0] in _SUCCEEDING
    return _typed(core if is_verb else ("has", *core))


def join_type(table: str, source: str, target: str, column: str) -> str:
    """The type of the relationships that the rows of a table are.

    Args:
        table: the table that joins two others: `order-details` gives HAS_PRODUCT, `enrollments` ENROLLMENT.
        source: the table at which they start.
        target: the table at which they end.
        column: the column that refers to `target`.
    """
    kept = list(words(table))
    left = [relation_words.singular(word) for word in kept]
    for name in (noun(source), noun(target)):
        for start in range(len(left) - len(name) + 1):
            part = tuple(left[start : start + len(name)])
            if part == name or is_abbreviation(left[start : start + 1], name):
                del left[start : start + len(name)], kept[start : start + len(name)]
                break
    said = [word for word, one in zip(kept, left, strict=True) if one not in _LINKING and one not in _PREFIXES]
    said = [word for word in said if word not in ("and", "x", "2")]
    if not said or set(said) <= PREPOSITIONS:
        if source != target:
            return _typed(("has", *noun(target)))
        core, _had = without_key_words(column)
        says_no_more = core[0] in PREPOSITIONS | _ENDS and core[1:] == noun(target)
        linked = next((_LINKED[word] for word in left if word in _LINKED), "RELATED_TO")
        return linked if says_no_more else reference_type(column, target)
    if said[-1].endswith(_NOUN_ENDINGS):
        said[-1] = relation_words.singular(said[-1])
    return _typed(said)


def is_end(column: str) -> bool:
    """Whether a column says that it holds the second of the two rows that a table joins: `to_station`."""
    return words(column)[0] in _ENDS


def is_abbreviation(short: Sequence[str], noun: Sequence[str]) -> bool:
    """Whether one word of at least three letters shortens the noun: `emp` employee, `dept` department."""
    if len(short) != 1 or not 3 <= len(short[0]) <= 6:
        return False
    long = noun[-1]
    if len(long) <= len(short[0]) or short[0][0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short[0])


def is_linking(table: str, ends: Sequence[str]) -> bool:
    """Whether the name of a table says that it joins others: it names one of them, or it is a "line", "item", …"""
    found = {relation_words.singular(word) for word in words(table)}
    return bool(found & _LINKING) or any(set(noun(end)) < found for end in ends)


def _typed(found: Sequence[str]) -> str:
    return "_".join(found).upper()
