"""What the fields of JSON objects hold, counted over all objects of one place, and whether their keys repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.cell_lists import SEPARATORS
from clew.tools.ingest.tables.sources.json_files.reading import Object, is_map, keyed
from clew.tools.ingest.tables.sources.json_files.values import Scalar, is_scalar, plain, text

MOST_FIELDS = 1000
DEEPEST = 12
"""Objects in objects; what is deeper is left out."""
_IDS = ("_id", "id", "uuid", "guid", "key", "code", "slug", "sku", "isbn", "iata", "iso")
_NAMES = ("name", "title", "login", "username", "email")
_COMPLETE = 0.95
"""The share of the objects that have their key."""
_MOST_KNOWN = 200_000
"""Keys of one place that are compared."""
_CONFLICTING = 0.2
"""The share of repetitions with another value, from which a field says something of the place and not of the object."""
_MAP_ROWS, _MAP_FIELDS, _MAP_PRESENCE = 3, 8, 0.34
Path = tuple[str, ...]


@dataclass(slots=True)
class Field:
    """A field of objects: how often it holds what."""

    scalars: int = 0
    texts: int = 0
    """Scalars that are texts."""
    lists: int = 0
    """Lists of scalars."""
    longest: int = 0
    """Items of the longest of these."""
    signs: set[str] = field(default_factory=set)
    """The separators of lists that stand in items."""
    objects: int = 0
    arrays: int = 0
    """Lists with objects, and maps (see `is_map`)."""
    others: int = 0
    """What becomes no column: lists in lists, shapes, what is too deep."""
    shape: Shape | None = None
    """Of the objects."""

    @property
    def separator(self) -> str:
        return next((each for each in SEPARATORS if each not in self.signs), "\x1f")


@dataclass(slots=True)
class Shape:
    """The objects of one place."""

    rows: int = 0
    fields: dict[str, Field] = field(default_factory=dict)
    key: str = ""
    """The field that identifies them; "" for none."""
    has_id: bool = False
    """The key is no name."""
    repeats: int = 0
    """Objects whose key an earlier one has."""
    shared: bool = False
    """The same key stands in several objects around them."""
    known: dict[str, tuple[Scalar | None, dict[str, Scalar]]] = field(default_factory=dict)
    """Key to the object around it and its scalars, as they first stood."""
    visited: int = 0
    """Objects whose keys have been compared."""
    _compared: Counter[str] = field(default_factory=Counter)
    _conflicts: Counter[str] = field(default_factory=Counter)

    def varies(self, name: str) -> bool:
        """Whether a field has other values where the same key is repeated."""
        return self._conflicts[name] > _CONFLICTING * self._compared[name]

    @property
    def is_local(self) -> bool:
        """Whether equal keys are not the same thing: items that are numbered anew in each order."""
        texts = [name for name in self._compared if name != self.key and self.fields[name].texts]
        return self.repeats > 0 and bool(texts) and all(map(self.varies, texts))

    def at(self, path: Path) -> Field:
        """The field of objects in objects."""
        found = self.fields[path[0]]
        return found if len(path) == 1 or found.shape is None else found.shape.at(path[1:])

    def choose_key(self, noun: table_words.Words) -> None:
        """Take the field that is called like a key and that nearly all objects have; `noun` is what they are."""
        usual = {name.lower(): name for name in reversed(self.fields)}
        ids = [usual[name] for name in _IDS if name in usual]
        ids += [name for name in self.fields if _is_key_of(name, noun)]
        names = [usual[name] for name in _NAMES if name in usual]
        self.key = next((name for name in (*ids, *names) if self._is_complete(name)), "")
        self.has_id = self.key in ids

    def _is_complete(self, name: str) -> bool:
        found = self.fields[name]
        return found.scalars >= _COMPLETE * self.rows and not (found.objects or found.arrays or found.lists)

    def compare(self, given: Object, around: Scalar | None) -> None:
        """Compare an object with the first of the same key. `around` identifies the object that holds it."""
        if not is_scalar(key := plain(given.get(self.key))):
            return
        value = text(key)
        scalars = {name: each for name, raw in given.items() if is_scalar(each := plain(raw))}
        first = self.known.get(value)
        if first is None:
            if len(self.known) < _MOST_KNOWN:
                self.known[value] = around, scalars
            return
        self.repeats += 1
        self.shared = self.shared or first[0] != around
        for name, one in first[1].items():
            if name in scalars:
                self._compared[name] += 1
                self._conflicts[name] += one != scalars[name]


def _is_key_of(name: str, noun: table_words.Words) -> bool:
    core, had = table_words.without_key_words(name)
    return had and table_words.singular(core) == noun


def items(value: Any, as_map: bool = False) -> list[Object]:
    """The objects of a list or of a map; of a map of scalars each with its `name` and its `value`."""
    if isinstance(value, dict) and as_map:
        if is_map(value) or all(isinstance(each, dict) for each in value.values()):
            return keyed(value)
        return [{"name": key, "value": each} for key, each in value.items()]
    return [each for each in map(plain, value) if isinstance(each, dict)] if isinstance(value, list) else []


def described(records: Iterable[Object], maps: frozenset[Path]) -> Shape:
    """The shape of some records; `maps` are the paths of fields that hold maps."""
    found = Shape()
    for record in records:
        _describe(found, record, (), maps)
    return found


def map_paths(shape: Shape, path: Path = ()) -> set[Path]:
    """The paths of fields whose objects differ in their fields, which are all of one kind: scores by year."""
    found = set()
    for name, each in shape.fields.items():
        inner = each.shape
        if inner is None:
            continue
        if each.objects and not each.arrays and _has_entries(inner):
            found.add((*path, name))
        else:
            found |= map_paths(inner, (*path, name))
    return found


def _has_entries(shape: Shape) -> bool:
    fields = list(shape.fields.values())
    if shape.rows < _MAP_ROWS or len(fields) < _MAP_FIELDS:
        return False
    present = sum(each.scalars + each.objects for each in fields)
    alike = not any(each.scalars for each in fields) or not any(each.objects for each in fields)
    return alike and 0 < present < _MAP_PRESENCE * shape.rows * len(fields)


def _describe(shape: Shape, record: Object, path: Path, maps: frozenset[Path]) -> None:
    shape.rows += 1
    for name, raw in record.items():
        value = plain(raw)
        if raw is None or value in ([], {}) or (value is None and isinstance(raw, str)):
            continue
        known = shape.fields.setdefault(name, Field())
        if is_scalar(value):
            known.scalars += 1
            known.texts += isinstance(value, str)
            continue
        as_map = (*path, name) in maps
        inner = inner_objects(value, as_map)
        if inner and len(path) < DEEPEST:
            known.objects += isinstance(value, dict) and not as_map
            known.arrays += isinstance(value, list) or as_map
            known.shape = known.shape or Shape()
            for each in inner:
                _describe(known.shape, each, (*path, name), maps)
        elif isinstance(value, list) and all(each is None or is_scalar(each) for each in map(plain, value)):
            _describe_list(known, [plain(each) for each in value])
        else:
            known.others += 1


def _describe_list(known: Field, values: Iterable[Any]) -> None:
    found = [each for each in values if each is not None]
    known.lists += 1
    known.longest = max(known.longest, len(found))
    known.signs |= {sign for each in found if isinstance(each, str) for sign in SEPARATORS if sign in each}


def choose_keys(shape: Shape, name: str, path: Path = ()) -> None:
    """Choose the keys of the objects of a table called `name`, and of all objects in them.

    Raises BadInput if objects of one place have too many different fields.
    """
    check_width(path[-1] if path else name, len(shape.fields))
    shape.choose_key(table_words.noun(path[-1] if path else name))
    for field_name, each in shape.fields.items():
        if each.shape is not None:
            choose_keys(each.shape, name, (*path, field_name))


def check_width(name: str, fields: int) -> None:
    """Raises BadInput if objects have more fields than a table has columns."""
    if fields > MOST_FIELDS:
        message = f"The JSON objects of {name} have {fields:,} different fields."
        raise BadInput(message, "Make a list of fields that differ from object to object.")


def compare_keys(shape: Shape, record: Object, around: Scalar | None, maps: frozenset[Path], path: Path = ()) -> None:
    """Compare the keys of a record, and of all objects in it, with those seen before; `around` identifies the object
    that holds the record."""
    if shape.key:
        shape.compare(record, around)
    shape.visited += 1
    own = plain(record.get(shape.key)) if shape.key else shape.visited
    for name, each in shape.fields.items():
        if each.shape is None or name not in record:
            continue
        for one in inner_objects(record[name], (*path, name) in maps):
            compare_keys(each.shape, one, own if is_scalar(own) else None, maps, (*path, name))


def inner_objects(raw: Any, as_map: bool) -> list[Object]:
    """The objects in a field: one, or those of a list or a map."""
    value = plain(raw)
    return [value] if isinstance(value, dict) and not as_map else items(value, as_map)
