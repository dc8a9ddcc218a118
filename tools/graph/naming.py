"""Which property names the nodes of a label, which hold aliases, and which hold running text.

Imports choose names by these rules, and so does the store for graphs that Clew did not import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.samples import Column, Sample

_MOST, _UNIQUE = 0.5, 0.9
"""Shares: of nodes that have a property, and of its values that are distinct."""
_SHARED = 0.25
"""Share of distinct values of a property that is called a name, where nothing else names nodes."""
_TEXT_LENGTH, _TEXT_WORDS = 60, 6
_SEVERAL, _LONGEST_NAME = 1.5, 80
_ALIASES = frozenset({
    "alias", "aliases", "aka", "alsoknownas", "altlabel", "altlabels", "alternatename", "alternatenames",
    "alternativename", "alternativenames", "synonym", "synonyms", "nickname", "nicknames", "othername", "othernames",
})  # fmt: skip
_FIRST = (
    "firstname", "fname", "firstnm", "givenname", "forename", "vorname", "vname", "rufname", "prénom", "prenom",
)  # fmt: skip
_LAST = (
    "lastname", "lname", "lastnm", "sname", "surname", "familyname", "nachname", "familienname", "zuname", "apellido",
    "apellidos", "cognome", "nom",
)  # fmt: skip
_TITLES = (
    "fullname", "displayname", "title", "label", "preflabel", "caption", "headline", "bezeichnung", "benennung",
    "titel", "titre", "título", "titulo", "titolo", "nom", "nombre", "nome", "naam", "navn", "namn", "subject", "nm",
)  # fmt: skip
_CODES = ("code", "key", "symbol", "abbreviation", "kürzel", "nr", "no", "number")
_REFERENCES = ("num", "ref", "reference")
_NAME_OF = re.compile(r"([Nn]om|[Nn]ombre|[Nn]ome)(?=[\s_A-Z])")
"""How a name begins in languages that put the noun first: `Nom commun`, `nombre_producto`."""
_SHORT_NAME = re.compile(r"[_\s](nm|bez)\Z|[a-z](Nm|Bez)\Z", re.ASCII)
"""How a name ends that is written short: `grp_nm`, `artBez`."""
_TITLE_ENDINGS = ("name", "title", "bezeichnung", "titel")
_COMPANIES = ("company", "organization", "organisation", "firma")
_BUSINESSES = (
    "businessname", "companyname", "tradingname", "tradename", "firmname", "organisationname", "organizationname",
    "shopname", "company", "firm", "business",
)  # fmt: skip
"""How the names of properties are called that hold the name of a firm, the surest first."""
_DESCRIPTIONS = ("description", "descr", "desc", "beschreibung")
_RUNNING = frozenset({"description", "summary", "abstract", "text", "content", "comment", "comments", "note", "notes"})
_OF_OTHERS = re.compile(r"contact|owner|manager|ship|bill|file|user|host|parent|mother|father|spouse|ansprech|kontakt")
"""How the names of properties begin that hold the name of someone else."""
_CONTACTS = re.compile(r"(.*(street|straße|strasse|adress|address|phone|telefon|mobile|postcode|zip|plz)|fax).*")
"""How properties are called that say where or how something is reached: they name a node only if nothing else does."""
_POSTCODES = re.compile(r"postcode|postalcode|zip|plz")
_NO_NAME = re.compile(
    r"(.*[a-z])?(ID|Id|Guid|Uuid|Url|Uri|Date|By)\Z|(.*_)?(id|guid|uuid|url|uri|iri|href|hash|date|by)\Z"
)


@dataclass(frozen=True, slots=True)
class Naming:
    """How the nodes of a label are named."""

    name: tuple[str, ...] = ()
    """Properties whose values, joined by a blank, are the name; empty where the node's key is."""
    aliases: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Properties with running text."""
    otherwise: tuple[str, ...] = ()
    """The property that names a node without a name: its code, if nearly every node has one of its own."""

    def to_json(self) -> dict[str, list[str]]:
        parts = {"name": self.name, "aliases": self.aliases, "texts": self.texts, "otherwise": self.otherwise}
        return {part: list(names) for part, names in parts.items()}

    @classmethod
    def from_json(cls, found: Mapping[str, list[str]]) -> Naming:
        return cls(*(tuple(found.get(part, ())) for part in ("name", "aliases", "texts", "otherwise")))

    def name_of(self, properties: Mapping[str, Any], key: str) -> str:
        """The name of a node with these properties; `key` where they give none."""
        return _joined(properties, self.name) or _joined(properties, self.otherwise) or key

    def aliases_of(self, properties: Mapping[str, Any]) -> list[str]:
        """The aliases of a node with these properties, each once."""
        found: dict[str, None] = {}
        for name in self.aliases:
            value = properties.get(name)
            listed = value if isinstance(value, list) else [] if value is None else [value]
            found.update((str(item), None) for item in listed)
        return list(found)


def choose_namings(samples: Iterable[Sample], given: Mapping[str, str]) -> dict[str, Naming]:
    """The naming of each label; `given` maps a label to its name property, or several joined by `+`."""
    return {sample.label: _naming(sample, given.get(sample.label)) for sample in samples}


def _naming(sample: Sample, given: str | None) -> Naming:
    names = tuple(given.split("+")) if given else _name(sample)
    aliases = tuple(name for name in sample.columns if _folded(name) in _ALIASES)
    texts = tuple(
        name
        for name, column in sample.columns.items()
        if column.texts and column.length >= _TEXT_LENGTH * column.count and column.words >= _TEXT_WORDS * column.count
    )
    return Naming(names, aliases, texts, () if names == (code := _shortest(sample)) else code)


def _joined(properties: Mapping[str, Any], names: Iterable[str]) -> str:
    parts = [str(properties[name]).strip() for name in names if properties.get(name) is not None]
    return " ".join(part for part in parts if part)


def _name(sample: Sample) -> tuple[str, ...]:
    """By rule: first and last name, or that of the firm before them; `name`; `<label>Name`; a title that identifies
    nodes; any `…Name` or `…Title`; a company; an `id` of words; else the shortest text that is nearly unique, or a
    short description beside a code; or the number of its label."""
    usual = {
        _folded(name): name
        for name, column in sample.columns.items()
        if column.texts and column.count >= _MOST * sample.nodes
    }
    first = next((usual[name] for name in _FIRST if name in usual), None)
    last = next((usual[name] for name in _LAST if name in usual), None)
    if "name" in usual:
        return (first, usual["name"]) if first and not last else (usual["name"],)
    if first and last:
        return (business,) if (business := _business(sample, usual, first)) else (first, last)
    if own := next((usual[name] for name in _own_names(sample.label) if name in usual), None):
        return (own,)
    apart = {folded: name for folded, name in usual.items() if sample.columns[name].unique >= _MOST}
    shared = {folded: name for folded, name in usual.items() if _is_shared_name(folded, sample.columns[name])}
    if alike := _called_alike(sample, apart):
        return (alike,)
    for title in _TITLES:
        if title in apart:
            return (apart[title],)
    named = [name for folded, name in apart.items() if folded.endswith(_TITLE_ENDINGS) and folded != "jobtitle"]
    named += [name for name in apart.values() if _NAME_OF.match(name) or _SHORT_NAME.search(name)]
    own_names = [name for name in named if not _OF_OTHERS.match(_folded(name))]
    companies = [apart[name] for name in _COMPANIES if name in apart]
    for fitting in (own_names, companies, named):
        if fitting:
            return (max(fitting, key=lambda name: sample.columns[name].unique),)
    if len(shared) == 1:
        return tuple(shared.values())
    if "id" in apart and sample.columns[apart["id"]].worded >= _UNIQUE * sample.nodes:
        return (apart["id"],)  # Marie Curie, as graphs that models made of texts have it
    return _numbered(sample) or _shortest(sample) or _number(sample, apart)


def _called_alike(sample: Sample, apart: Mapping[str, str]) -> str | None:
    """The property that is called as its label, or words that are called as the end of it: the `treatment` of a
    Treatment, and the `item` of a StockItem."""
    last = apart.get("".join(identifier_words(sample.label)[-1:]))
    in_words = last is not None and sample.columns[last].worded >= _UNIQUE * sample.nodes
    return apart.get(_folded(sample.label)) or (last if in_words else None)


def _own_names(label: str) -> Iterator[str]:
    """How the name of a label's nodes is called: the `topicName`, `topicLabel` or `topicTitle` of a Topic."""
    return (_folded(label) + ending for ending in ("name", "label", "title"))


def _number(sample: Sample, apart: Mapping[str, str]) -> tuple[str, ...]:
    """The text of digits that is called the number of its label: the `phoneNumber` of a Phone."""
    label = _folded(sample.label)
    numbers = {label + ending for ending in _CODES}
    own = (name for folded, name in apart.items() if folded in numbers or _is_part(folded, label))
    return next(((name,) for name in own if sample.columns[name].unique >= _UNIQUE), ())


def _numbered(sample: Sample) -> tuple[str, ...]:
    """The number or the code that people use, where programs identify nodes by other texts: the `orderNo` of an Order
    whose `id` is one of MongoDB, or a UUID."""
    opaque = [name for name, column in sample.columns.items() if column.opaque == column.count and column.texts]
    numbers = {_folded(sample.label) + ending for ending in (*_CODES, *_REFERENCES)} | {*_CODES, *_REFERENCES}
    own = (name for name in sample.columns if _folded(name) in numbers and name not in opaque) if opaque else ()
    return next(((name,) for name in own if _identifies(sample, name)), ())


def _identifies(sample: Sample, name: str) -> bool:
    column = sample.columns[name]
    return column.scalars and min(column.count / sample.nodes, column.unique) >= _UNIQUE


def _is_part(name: str, label: str) -> bool:
    """Whether a property is called as a label begins, or ends: the `ip` of an IpAddress, the `address` of one."""
    return len(label) > len(name) > 1 and (label.startswith(name) or label.endswith(name))


def _business(sample: Sample, usual: Mapping[str, str], person: str) -> str | None:
    """The name of a firm that stands before those of whoever speaks for it: the vendors of a market."""
    order = list(sample.columns)
    before = order[: order.index(person)]
    for name in (usual[each] for each in _BUSINESSES if usual.get(each) in before):
        column = sample.columns[name]
        if column.unique >= _UNIQUE and column.count >= _UNIQUE * sample.nodes:
            return name
    return None


def _is_shared_name(folded: str, column: Column) -> bool:
    """Whether a property names nodes of which many have the same name, as pets do."""
    fits = folded.endswith("name") and not _OF_OTHERS.match(folded)
    return fits and column.unique >= _SHARED and column.worded >= _UNIQUE * column.count


def _shortest(sample: Sample) -> tuple[str, ...]:
    fitting = [
        name
        for name, column in sample.columns.items()
        if column.texts and column.count >= _UNIQUE * sample.nodes and column.unique >= _UNIQUE
        and column.lettered >= _UNIQUE * column.count and column.length <= _LONGEST_NAME * column.count
        and not _NO_NAME.match(name) and _folded(name) not in _ALIASES | _RUNNING
    ]  # fmt: skip
    if not fitting:
        return ()
    label = _folded(sample.label)
    best = min(
        fitting,
        key=lambda name: (
            _is_contact(name, label),
            _is_code_of_place(name),
            not _comes_first(sample, name),
            sample.columns[name].length,
        ),
    )
    told = next((name for name in sample.columns if _folded(name) in _DESCRIPTIONS), None)
    is_code = sample.columns[best].words == sample.columns[best].count and _folded(best).endswith(_CODES)
    if not is_code:
        return (best,)
    behind = list(sample.columns)[list(sample.columns).index(best) + 1 :][:1]
    told = told or next((name for name in behind if name in fitting and _in_words(sample, name)), None)
    return (told,) if told and _is_short(sample, told) else (best,)


def _comes_first(sample: Sample, name: str) -> bool:
    """Whether a property is the first column of a table, and its texts have words: the `group` of hirers before its
    contact."""
    first = sample.ordered and name == next(iter(sample.columns))
    return first and sample.columns[name].worded >= _MOST * sample.columns[name].count


def _in_words(sample: Sample, name: str) -> bool:
    """Whether the texts of a property are no codes themselves, nor names of others: the `product` behind a code, or a
    `model` such as "Helios 415 Black", of SEVERAL words on average."""
    column = sample.columns[name]
    in_words = column.worded >= _MOST * column.count or column.words >= _SEVERAL * column.count
    return in_words and not _OF_OTHERS.match(_folded(name))


def _is_code_of_place(name: str) -> bool:
    """Whether a property is a postal code, which names an address less than its street does."""
    return bool(_POSTCODES.search(_folded(name)))


def _is_contact(name: str, label: str) -> bool:
    return _folded(name) != label and bool(_CONTACTS.fullmatch(_folded(name)))


def _is_short(sample: Sample, name: str) -> bool:
    """Whether each of the nodes has a text of its own that is short enough for a name."""
    column = sample.columns[name]
    whole = column.texts and min(column.count / sample.nodes, column.unique) >= _UNIQUE
    return whole and column.length <= _TEXT_LENGTH * column.count


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
