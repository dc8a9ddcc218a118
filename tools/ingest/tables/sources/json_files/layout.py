"""What each kind of object in JSON documents becomes: rows of a table, columns of the row around it, or both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Literal

from clew.tools.errors import BadInput
from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.sources.json_files.shape import Path, Shape, check_width
from clew.tools.ingest.tables.sources.json_files.values import bare

MOST_TABLES = 100
_HOLDERS = frozenset({
    "attributes", "attrs", "details", "fields", "info", "meta", "metadata", "props", "properties", "specs",
})  # fmt: skip
"""Fields whose objects only group others."""
_SAYS_NOTHING = frozenset({"amount", "label", "name", "text", "title", "value"})
_GENERIC = frozenset({"children", "data", "details", "entries", "items", "lines", "list", "rows", "values"})
"""Names of lists that say nothing without the object around them."""
_AMONG = 0.95
"""The share of the keys of one kind that another kind has, if they are the same things."""
ROW_NUMBER = "row_number"
Role = Literal["row", "entity", "flat"]


@dataclass(slots=True, eq=False)
class Kind:
    """The objects of one place."""

    path: Path
    """From the records of a table: () for these."""
    shape: Shape
    role: Role
    """`row`: each object is a row. `entity`: one of the rows that are told apart by their key. `flat`: columns of the
    object around it."""
    many: bool
    """A list of them, or a map."""
    table: str = ""
    key_column: str = ""
    """That of the table; "" where nothing refers to its rows."""
    column: str = ""
    """Where the key stands that refers to the row around it, or in the row around it to this one."""
    link: str = ""
    """The table that joins them with the objects around them: the same object stands in several."""
    columns: dict[Path, str] = field(default_factory=dict)
    """Field, with the fields of flat objects around it, to column."""
    link_columns: dict[str, str] = field(default_factory=dict)
    """Field to column of the link, or of the row around: what it says varies with the place."""
    children: dict[str, Kind] = field(default_factory=dict)
    around: Kind | None = None
    """The nearest kind around this one that has rows of its own."""

    @property
    def is_numbered(self) -> bool:
        """Whether its rows are numbered, for want of a key that others could refer to."""
        return self.key_column == ROW_NUMBER

    @property
    def name(self) -> str:
        return bare(self.path[-1]) if self.path else self.table


def laid_out(shapes: Mapping[str, Shape], maps: Mapping[str, frozenset[Path]]) -> dict[str, Kind]:
    """The kinds of objects of all tables, by table.

    Args:
        shapes: by table that of its records.
        maps: by table the paths of fields with maps.
    """
    roots = {name: _kind(shape, (), False, maps[name]) for name, shape in shapes.items()}
    every = [kind for root in roots.values() for kind in walk(root)]
    for name, root in roots.items():
        root.table = name
        _set_around(root)
    with_rows = [kind for kind in every if kind.role != "flat"]
    for kind in with_rows:
        kind.table = kind.table or _table_name(kind, [each.table for each in with_rows])
    if len({kind.table for kind in with_rows}) > MOST_TABLES:
        raise BadInput(
            f"The JSON would make more than {MOST_TABLES} tables.", "Import a part of it, or save it as CSV."
        )
    for kind in with_rows:
        kind.key_column = _key_column(kind)
    for kind in sorted(with_rows, key=lambda each: -len(each.path)):
        if kind.role == "entity" or (kind.many and kind.path and kind.shape.has_id and not kind.shape.is_local):
            _unify(kind, with_rows)
    for kind in with_rows:
        _name_columns(kind)
    taken = {kind.table.lower() for kind in with_rows}
    for kind in with_rows:
        if kind.around is not None:
            _connect(kind, kind.around, taken)
    return roots


def _kind(shape: Shape, path: Path, many: bool, maps: frozenset[Path]) -> Kind:
    found = Kind(path, shape, _role(shape, path, many), many)
    for name, each in shape.fields.items():
        if each.shape is not None:
            inner = (*path, name)
            found.children[name] = _kind(each.shape, inner, each.arrays > 0 or inner in maps, maps)
    return found


def _role(shape: Shape, path: Path, many: bool) -> Role:
    others = [name for name in shape.fields if name != shape.key]
    if not path:
        return "row"
    if many:
        return "entity" if shape.key and shape.shared and not shape.is_local else "row"
    if shape.has_id and others and not shape.is_local:
        return "entity"
    same = [name for name in others if not shape.varies(name)]
    return "entity" if shape.key and shape.repeats and same else "flat"


def walk(kind: Kind) -> Iterator[Kind]:
    """The kind and all in it."""
    yield kind
    for each in kind.children.values():
        yield from walk(each)


def _set_around(kind: Kind, around: Kind | None = None) -> None:
    kind.around = around
    for each in kind.children.values():
        _set_around(each, around if kind.role == "flat" else kind)


def _table_name(kind: Kind, taken: Sequence[str]) -> str:
    """The name of the field; with that of the object around it where it says nothing, or another table has it."""
    noun = table_words.noun(kind.name)
    known = {table_words.noun(each) for each in taken if each}
    if kind.name.lower() not in _GENERIC and noun not in known:
        return kind.name
    longer = f"{'_'.join(table_words.noun(kind.around.table if kind.around else ''))}_{kind.name}"
    numbered = (f"{longer}_{number}" for number in count(2))
    return next(each for each in chain([longer], numbered) if table_words.noun(each) not in known)


def _key_column(kind: Kind) -> str:
    """The column that others refer to, if any do."""
    if kind.role == "entity":
        return bare(kind.shape.key)
    if not any(each.many or each.role == "entity" for child in kind.children.values() for each in walk(child)):
        return ""
    return bare(kind.shape.key) if kind.shape.key and not kind.shape.repeats else ROW_NUMBER


def _unify(kind: Kind, every: Sequence[Kind]) -> None:
    """Let an entity be of the table of another kind, if that has its keys, and says the same of them."""
    size, depth = len(kind.shape.known), len(kind.path)
    candidates = [
        each for each in every
        if each.table != kind.table and each.role != "flat" and each.shape.has_id == kind.shape.has_id
        and (len(each.shape.known) >= size or len(each.path) < depth)
    ]  # fmt: skip
    fitting = [each for each in candidates if _are_the_same(kind, each)]
    if not fitting:
        return
    best = min(fitting, key=lambda each: (len(each.path), -len(each.shape.known)))
    kind.role = best.role = "entity"
    best.key_column = bare(best.shape.key)
    if kind.many and not kind.shape.repeats:  # Nothing tells whether they vary.
        kind.link_columns = {name: bare(name) for name, each in kind.shape.fields.items()
                             if name not in best.shape.fields and (each.scalars or each.lists)}  # fmt: skip
    for each in [each for each in every if each.table == kind.table]:
        each.table, each.key_column = best.table, best.key_column


def _are_the_same(kind: Kind, other: Kind) -> bool:
    """Whether two kinds are of the same things: the keys of one are among those of the other, or they are called alike
    and share a key; and they say the same of what they share."""
    mine, theirs = kind.shape.known, other.shape.known
    among = [key for key in mine if key in theirs]
    alike = kind.path[-1:] == other.path[-1:] and kind.name.lower() not in _GENERIC and kind.shape.has_id
    if not among or not (alike or len(among) >= _AMONG * len(mine)) or other.shape.repeats > len(theirs):
        return False
    agreeing = differing = 0
    for key in among:
        one, same = mine[key][1], theirs[key][1]
        for name in one.keys() & same.keys() - {kind.shape.key, other.shape.key}:
            if isinstance(one[name], str) and not kind.shape.varies(name):
                agreeing += one[name] == same[name]
                differing += one[name] != same[name]
    called = table_words.noun(kind.name)[-1:] == table_words.noun(other.table)[-1:]
    if agreeing + differing == 0:
        return called or not kind.shape.has_id
    return agreeing >= 4 * differing


def _name_columns(kind: Kind) -> None:
    """Name the columns of the kind's own fields and of the flat objects in it."""
    taken: set[str] = {ROW_NUMBER} if kind.is_numbered else set()
    if kind.path and kind.role == "entity":
        kind.link_columns |= {name: bare(name) for name in kind.shape.fields
                             if name != kind.shape.key and kind.shape.varies(name)}  # fmt: skip
    leaves = list(_leaves(kind))
    check_width(kind.table, len(leaves))
    for path in leaves:
        if path[0] in kind.link_columns:
            continue
        names = [kind.key_column] if kind.key_column and path == (kind.shape.key,) else []
        names += [_short(path), "_".join(map(bare, path))]
        kind.columns[path] = _new(names, taken)
        taken.add(kind.columns[path].lower())


def _new(names: Sequence[str], taken: Collection[str]) -> str:
    """The first of the names that is not taken, or the last with a number."""
    numbered = (f"{names[-1]}_{number}" for number in count(2))
    return next(each for each in chain(names, numbered) if each.lower() not in taken)


def _leaves(kind: Kind, path: Path = ()) -> Iterator[Path]:
    """The fields that become columns, first those of the kind itself."""
    yield from ((*path, name) for name, each in kind.shape.fields.items() if each.scalars or each.lists)
    for name, child in kind.children.items():
        if child.role == "flat":
            yield from _leaves(child, (*path, name))


def _short(path: Path) -> str:
    """`address_city` of an address's city; `category` of a category's name; `height` of the height in `properties`."""
    if len(path) == 1:
        return bare(path[0])
    parts = [part for part in path[:-1] if part.lower() not in _HOLDERS]
    leaf = [] if parts and path[-1].lower() in _SAYS_NOTHING else [path[-1]]
    return "_".join(map(bare, [*parts, *leaf]))


def _connect(kind: Kind, around: Kind, taken: set[str]) -> None:
    """Say where the row of an object and that of the object around it refer to each other; `taken` are the tables."""
    if not kind.many:
        field_name = "_".join(map(bare, kind.path[len(around.path) :]))
        kind.column = f"{field_name}_{kind.key_column}" if kind.shape.has_id else field_name
        return
    noun = "_".join(table_words.noun(around.table))
    has_id = around.is_numbered or around.shape.has_id
    kind.column = f"{noun}_{around.key_column}" if has_id else noun
    if kind.role == "entity" and kind.path:
        kind.link = _new([f"{noun}_{kind.name}", f"{noun}_{kind.name}_links"], taken)
        taken.add(kind.link.lower())


def linked_column(kind: Kind) -> str:
    """The column of a link that holds the key of the inner object."""
    noun = "_".join(table_words.noun(kind.name))
    found = f"{noun}_{kind.key_column}" if kind.shape.has_id else noun
    return found if found != kind.column else f"other_{found}"
