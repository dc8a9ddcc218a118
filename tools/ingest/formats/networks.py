"""Files of networks: GraphML, GEXF and GML, which networkx reads, and the JSON of networkx, d3 and Cytoscape.

They know neither labels nor types; of the attributes, the ones that are called so and that have few values give them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest import relation_words, source
from clew.tools.ingest.formats import values
from clew.tools.ingest.records import EdgeRecord, Format, Kind, NodeRecord, Record
from clew.tools.ingest.source import Advance

_LABELS = ("labels", "label", "type", "kind", "class", "category", "node_type", "entity_type", "group")
_TYPES = (
    "label", "labels", "type", "relation", "relationship", "kind", "predicate", "interaction", "edge_type", "name",
    "key",
)  # fmt: skip
_NAMES = frozenset({"name", "title", "label", "display_name", "full_name"})
_DIRECTIONS = frozenset({"directed", "undirected", "mutual"})
"""Values of GEXF's own `type` of edges."""
_PRESENT, _FEW, _SHARE = 0.9, 12, 0.2
"""The share of the nodes that have the attribute that gives labels, and how many values it has at most."""
_LABEL, _TYPE = "Node", "LINKED_TO"
_GML = re.compile(r"\bgraph\s*\[", re.IGNORECASE)
_JSON = re.compile(r'"(nodes|links|edges|elements)"\s*:\s*[\[{]')
Attributes = Mapping[str, Any]


@dataclass(frozen=True)
class Network:
    """Nodes and edges with attributes, as a file has them."""

    nodes: Sequence[tuple[str, Attributes]]
    edges: Sequence[tuple[str, str, Attributes]]


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as a network, by its first element or keys; else None."""
    text = "\n".join(sample[:50]) if sample else ""
    begins = text.lstrip()[:1]
    if begins == "<" and "<graphml" in text:
        return _format(path, "graphml", "GraphML, by its element", partial(_by_networkx, "graphml"))
    if begins == "<" and "<gexf" in text:
        return _format(path, "gexf", "GEXF, by its element", partial(_by_networkx, "gexf"))
    if source.suffix(path) == ".gml" and _GML.search(text):
        return _format(path, "gml", "GML, by its extension", partial(_by_networkx, "gml"))
    head = source.head(path).decode("utf-8", "replace")
    if head.lstrip("\ufeff \r\n\t")[:1] == "{" and _JSON.search(head) and _of_json(path) is not None:
        return _format(path, "json-graph", "a network in JSON, by its nodes and links", _read_json)
    return None


def _format(path: Path, kind: Kind, why: str, read: Callable[[Path], Network]) -> Format:
    return Format(path, kind, why, partial(_records, path, read))


def _records(path: Path, read: Callable[[Path], Network], advance: Advance | None = None) -> Iterator[Record]:
    """NodeRecords and EdgeRecords; nodes that only edges name have no attributes."""
    network = read(path)
    label = _telling([attributes for _id, attributes in network.nodes], _LABELS, _NAMES)
    named = any(_NAMES - {label} & attributes.keys() for _id, attributes in network.nodes)
    known = set()
    every = _dated([_properties(attributes, label) for _id, attributes in network.nodes])
    for number, ((key, attributes), properties) in enumerate(zip(network.nodes, every, strict=True), start=1):
        known.add(key)
        if named:
            properties.setdefault("id", key)
        else:
            properties["name"] = key
        yield NodeRecord(key, _labels(attributes.get(label)), properties, number)
    kind = _telling([attributes for *_ends, attributes in network.edges], _TYPES)
    every = _dated([_properties(attributes, kind) for *_ends, attributes in network.edges])
    for number, ((start, end, attributes), properties) in enumerate(zip(network.edges, every, strict=True), start=1):
        for key in {start, end} - known:
            known.add(key)
            yield NodeRecord(key, (_LABEL,), {"name": key}, number)
        yield EdgeRecord(start, _type(attributes.get(kind)), end, properties, number)
    if advance is not None:
        advance(path.stat().st_size)


def _telling(every: Sequence[Attributes], names: Sequence[str], may_name: frozenset[str] = frozenset()) -> str:
    """The first of some attributes that nearly all have, with few different texts; "" for none. The ones in `may_name`
    are no names only where at least two nodes share each on average."""
    for name in names:
        same = next((key for attributes in every for key in attributes if key.lower() == name), None)
        found = [_texts(attributes[same]) for attributes in every if attributes.get(same)] if same else []
        distinct = {each for texts in found for each in texts}
        most = max(_FEW, _SHARE * len(every)) if name not in may_name else len(every) / 2
        are_few = len(distinct) <= most
        complete = found and all(found) and len(found) >= _PRESENT * len(every)
        if same and complete and are_few and not distinct <= _DIRECTIONS:
            return same
    return ""


def _texts(value: Any) -> tuple[str, ...]:
    """The texts of an attribute that may be a label: `:Person:Actor` as Neo4j writes two."""
    if isinstance(value, list | tuple):
        return tuple(each for each in value if isinstance(each, str) and each)
    if not isinstance(value, str):
        return ()
    return tuple(value.lstrip(":").split(":")) if value.startswith(":") else (value.strip(),)


def _labels(value: Any) -> tuple[str, ...]:
    found = []
    for text in _texts(value):
        words = relation_words.words(text)
        last = relation_words.singular(words[-1]) if words else ""
        found.append("".join(map(relation_words.title, (*words[:-1], last))) or _LABEL)
    return tuple(found) or (_LABEL,)


def _type(value: Any) -> str:
    texts = _texts(value)
    words = re.findall(r"\w+", texts[0]) if texts else []
    return "_".join(words).upper() or _TYPE


def _properties(attributes: Attributes, left_out: str) -> dict[str, Any]:
    """The attributes; `label` becomes the name where there is no other."""
    stored = {name: values.storable(value) for name, value in attributes.items() if name and name != left_out}
    if "label" in stored and "name" not in stored:
        stored["name"] = stored.pop("label")
    return {name: value for name, value in stored.items() if value is not None and value != ""}


def _dated(properties: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With dates where all values of an attribute are dates in ISO 8601."""
    others = {name for each in properties for name, value in each.items()
              if not isinstance(value, str) or values.iso_date(value) is None}  # fmt: skip
    return [{name: v if name in others else values.iso_date(v) for name, v in each.items()} for each in properties]


def _by_networkx(kind: str, path: Path) -> Network:
    import networkx

    text = _text(path)
    if "<!ENTITY" in text:
        raise BadInput(f"{path}: it declares entities.", "Write the file again, without a document type.")
    readers = {"graphml": networkx.parse_graphml, "gexf": _gexf, "gml": _gml}
    try:
        graph = readers[kind](text)
    except Exception as error:  # Of many kinds: networkx does not check what it reads.
        line = getattr(error, "position", (0, 0))[0]
        where = f"{path}:{line}" if line else str(path)
        message = f"{where}: not {kind}: {str(error)[:120] or type(error).__name__}."
        raise BadInput(message, "Correct the file and import it again.") from error
    nodes = [(str(key), attributes) for key, attributes in graph.nodes(data=True)]
    return Network(nodes, [(str(a), str(b), attributes) for a, b, attributes in graph.edges(data=True)])


def _gexf(text: str) -> Any:
    import io

    import networkx

    return networkx.read_gexf(io.BytesIO(text.encode()))


def _gml(text: str) -> Any:
    import networkx

    return networkx.parse_gml(text, label="id")


def _read_json(path: Path) -> Network:
    found = _of_json(path)
    if found is None:
        raise BadInput(f"{path} has no list of nodes with one of links.", "Write the file again.")
    return found


def _of_json(path: Path) -> Network | None:
    """The network of `nodes` with `links` or `edges`, also in `elements` or `graph`; None for other JSON."""
    try:
        value = json.loads(_text(path))
    except (ValueError, RecursionError, BadInput):  # Tables of objects may be larger, if each has a line.
        return None
    value = next((value[key] for key in ("elements", "graph") if isinstance(value.get(key), dict)
                  and "nodes" in value[key]), value)  # fmt: skip
    nodes, edges = value.get("nodes"), value.get("links", value.get("edges"))
    if isinstance(nodes, dict):  # JSON Graph Format: by key.
        nodes = [{"id": key} | each for key, each in nodes.items() if isinstance(each, dict)]
    if not nodes or not _are_objects(nodes) or not _are_objects(edges):
        return None
    inner = [_flat(each) for each in nodes]
    ids = [_id(each.pop("id", each.pop("key", each.get("name", number)))) for number, each in enumerate(inner)]
    known = set(ids)
    links: list[tuple[str, str, Attributes]] = []
    for each in map(_flat, edges):
        ends = [each.pop(name, each.pop(other, None)) for name, other in (("source", "from"), ("target", "to"))]
        if any(one is None or isinstance(one, list) for one in ends):
            return None
        start, end = (_end(one, ids, known) for one in ends)
        links.append((start, end, each))
    return Network(list(zip(ids, inner, strict=True)), links)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _flat(value: Attributes) -> dict[str, Any]:
    """With the attributes in `data` (Cytoscape), `attributes` or `metadata`, and without those that only draw."""
    inner = [value[name] for name in ("data", "attributes", "metadata") if isinstance(value.get(name), dict)]
    rest = {name: each for name, each in value.items() if each not in inner}
    for name in ("position", "selected", "index", "x", "y", "vx", "vy", "fx", "fy") if inner or "vx" in rest else ():
        rest.pop(name, None)
    return {name: each for part in (rest, *inner) for name, each in part.items()}


def _id(value: Any) -> str:
    return str(value.get("id")) if isinstance(value, dict) else str(value)


def _end(value: Any, ids: Sequence[str], known: set[str]) -> str:
    """The id of an end; old versions of d3 name nodes by their places."""
    found = _id(value)
    if found not in known and isinstance(value, int) and 0 <= value < len(ids):
        return ids[value]
    return found


def _text(path: Path) -> str:
    return source.whole_text(path, path, "a network", "Write nodes and edges as CSV with neo4j-admin headers.")
