"""Relations that repeat another one backwards (`x_inverse`, `inv_x`, `x^-1`): found by name, and folded into it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clew.tools.ingest.staging import Staging

_CERTAIN = re.compile(
    r"(?P<a>.+?)[_\s.-]?(?:\^-1|\^\{-1\})\Z|(?P<b>.+?)[_\s.-]inverse\Z|(?P<h>.+[a-z])Inverse\Z"
    r"|[~^](?P<c>.+)\Z|inverse[_\s.-](?:of[_\s.-])?(?P<d>.+)\Z|inverseOf(?P<i>[A-Z].*)\Z"
)
_POSSIBLE = re.compile(
    r"(?P<e>.+?)[_\s.-](?:inv|rev|reverse|reversed)\Z|(?:inv|rev|reverse|reversed)[_\s.-](?P<f>.+)\Z"
)
ENOUGH_REPEATED = 0.5
"""Share of a possible inverse's edges that must repeat its base, where only its name's ending speaks for it."""


@dataclass(frozen=True, slots=True)
class Inverse:
    """`relation` is `base` backwards; `certain` where its name leaves no doubt."""

    relation: str
    base: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A relation that was folded into the one that it repeats backwards."""

    relation: str
    base: str
    edges: int
    repeated: int
    """Of `edges`, those whose base edge was there already."""


def find(relations: Iterable[str]) -> list[Inverse]:
    """The relations that are inverses by name, sorted.

    A certain marker (`x_inverse`, `inverse_x`, `~x`, `x^-1`) needs no base among the relations; a possible one
    (`x_inv`, `inv_x`, `x_rev`, `rev_x`, `x_reverse`) does, and `fold` also checks its edges.
    """
    known = set(relations)
    found = []
    for relation in sorted(known):
        if base := _base(_CERTAIN, relation):
            found.append(Inverse(relation, base, certain=True))
        elif (base := _base(_POSSIBLE, relation)) in known:
            found.append(Inverse(relation, base, certain=False))
    return found


def fold(staging: Staging) -> list[Folded]:
    """Reverse the staged edges of inverse relations and merge them into the base relations."""
    db, folded = staging.db, []
    for inverse in find(staging.relation_ids):
        ids = {"inverse": staging.relation_ids[inverse.relation], "base": staging.relation_ids.get(inverse.base, 0)}
        edges = db.execute("SELECT count(*) FROM edges WHERE relation = :inverse", ids).fetchone()[0]
        repeated = db.execute(
            "SELECT count(*) FROM edges i JOIN edges b ON b.relation = :base AND b.source = i.target "
            "AND b.target = i.source AND b.properties = i.properties WHERE i.relation = :inverse",
            ids,
        ).fetchone()[0]
        if not inverse.certain and repeated < ENOUGH_REPEATED * edges:
            continue
        ids["base"] = staging.relation_id(inverse.base)
        db.execute(
            "INSERT OR IGNORE INTO edges SELECT :base, target, source, properties, place FROM edges "
            "WHERE relation = :inverse",
            ids,
        )
        db.execute("DELETE FROM edges WHERE relation = :inverse", ids)
        db.execute("DELETE FROM relations WHERE id = :inverse", ids)
        del staging.relation_ids[inverse.relation]
        folded.append(Folded(inverse.relation, inverse.base, edges, repeated))
    return folded


def _base(pattern: re.Pattern[str], relation: str) -> str:
    """The name without its marker of an inverse; "" where it has none."""
    match = pattern.match(relation)
    return next((text for text in match.groups() if text), "") if match else ""
