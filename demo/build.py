"""Write the demo graph's CSV files from the short texts in `source/`.

    python demo/build.py [--check]

The texts are what a person edits; the CSV files are what `clew import` reads (the neo4j-admin header
convention). With `--check` nothing is written and the exit code says whether the CSV files are up to date.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
Value = str | int

NODE_FILES = {
    "films": ("Film", ("year:int", "runtime:int", "oscars:int", "boxOffice:int", "aliases:string[]")),
    "people": ("Person", ("born:int", "aliases:string[]")),
    "characters": ("Character", ("aliases:string[]",)),
    "books": ("Book", ("year:int", "aliases:string[]")),
    "songs": ("Song", ()),
    "cities": ("City", ("aliases:string[]",)),
    "countries": ("Country", ("aliases:string[]",)),
    "places": ("Place", ("aliases:string[]",)),
    "genres": ("Genre", ("aliases:string[]",)),
    "studios": ("Studio", ("aliases:string[]",)),
    "awards": ("Award", ("aliases:string[]",)),
}
EDGE_COLUMNS = (":START_ID", ":TYPE", ":END_ID", "character", "year:int", "film")
CREDITS = {"directed": "DIRECTED", "wrote": "WROTE", "music": "COMPOSED_MUSIC_FOR"}
LINKS = {
    "genre": ("HAS_GENRE", "Genre"),
    "studio": ("PRODUCED_BY", "Studio"),
    "based": ("BASED_ON", "Book"),
    "sequel": ("SEQUEL_OF", "Film"),
}
FESTIVAL_AWARDS = frozenset({"Palme d'Or", "Golden Lion", "Golden Bear"})
FAMILY = {"married": "MARRIED_TO", "child of": "CHILD_OF", "siblings": "SIBLING_OF"}


def slug(name: str) -> str:
    """The name in ASCII letters, digits and hyphens: the second half of a node id."""
    folded = unicodedata.normalize("NFKD", name.replace("Ł", "L").replace("ł", "l"))
    ascii_name = folded.encode("ascii", "ignore").decode().lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")


def node_id(label: str, name: str) -> str:
    return f"{label.lower()}:{slug(name)}"


@dataclass
class Graph:
    """Nodes by id and edges by their ends, type and properties; adding the same twice changes nothing."""

    nodes: dict[str, dict[str, Value]] = field(default_factory=dict)
    edges: dict[tuple[Value, ...], None] = field(default_factory=dict)
    locations: dict[str, str] = field(default_factory=dict)
    """Place name → node id, over cities, countries and other places, whose names do not overlap."""

    def node(self, label: str, name: str, **properties: Value) -> str:
        key = node_id(label, name)
        row = self.nodes.setdefault(key, {"id:ID": key, "name": name, ":LABEL": label})
        if row["name"] != name:
            raise ValueError(f"{name!r} and {row['name']!r} share the id {key}")
        row.update({column: value for column, value in properties.items() if value != ""})
        return key

    def known(self, label: str, name: str) -> str:
        key = node_id(label, name)
        if key not in self.nodes:
            raise ValueError(f"no {label} is named {name!r}")
        return key

    def place(self, name: str) -> str:
        if name not in self.locations:
            raise ValueError(f"{name!r} is missing from places.txt")
        return self.locations[name]

    def edge(self, start: str, kind: str, end: str, character: str = "", year: Value = "", film: str = "") -> None:
        self.edges[(start, kind, end, character, year, film)] = None


def lines(name: str) -> Iterator[str]:
    for line in (HERE / "source" / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def fields(line: str, count: int) -> list[str]:
    """The `|`-separated fields, "" for those that are "-" or missing."""
    parts = [part.strip() for part in line.split("|")]
    return ["" if part == "-" else part for part in parts + [""] * (count - len(parts))]


def number(text: str) -> Value:
    return int(text) if text else ""


def items(text: str) -> list[str]:
    return [item.strip() for item in text.split(";") if item.strip()]


def alias_list(names: str, separator: str) -> str:
    return ";".join(name.strip() for name in names.split(separator) if name.strip())


def add_places(graph: Graph) -> None:
    located: list[tuple[str, str]] = []
    for line in lines("places.txt"):
        heading, _, names = line.partition(": ")
        label, _, country = heading.partition(" in ")
        for item in items(names):
            name, _, aliases = item.partition(" = ")
            key = graph.node(label, name, **{"aliases:string[]": alias_list(aliases, ",")})
            graph.locations[name] = key
            if country:
                located.append((key, country))
    for key, country in located:
        graph.edge(key, "LOCATED_IN", graph.known("Country", country))


def add_books(graph: Graph) -> None:
    for line in lines("books.txt"):
        title, year, authors, aliases, award = fields(line, 5)
        properties: dict[str, Value] = {"year:int": number(year), "aliases:string[]": alias_list(aliases, ";")}
        book = graph.node("Book", title, **properties)
        for author in items(authors):
            graph.edge(graph.node("Person", author), "AUTHORED", book)
        if award:
            name, _, won_in = award.partition(" : ")
            graph.edge(book, "WON", graph.node("Award", name), year=number(won_in))


def add_cast(graph: Graph, film: str, cast: str) -> None:
    for item in items(cast):
        actor, _, role = item.partition(" = ")
        person = graph.node("Person", actor)
        graph.edge(person, "ACTED_IN", film, character=role.removeprefix("@"))
        if role.startswith("@"):
            character = graph.node("Character", role[1:])
            graph.edge(person, "PLAYED", character)
            graph.edge(character, "APPEARS_IN", film)


def add_songs(graph: Graph, film: str, songs: str) -> None:
    for item in items(songs):
        title, _, performers = item.partition(" = ")
        song = graph.node("Song", title)
        graph.edge(song, "FEATURED_IN", film)
        for performer in performers.split(", ") if performers else ():
            graph.edge(graph.node("Person", performer), "PERFORMED", song)


def add_awards(graph: Graph, film: str, awards: str) -> None:
    """Academy Awards go by the year of the ceremony, the year after the film's unless one is given."""
    film_row = graph.nodes[film]
    for item in items(awards):
        item, _, given = item.partition(" : ")
        name, _, winners = item.partition(" = ")
        festival = name in FESTIVAL_AWARDS
        award = graph.node("Award", name if festival else f"Academy Award for {name}")
        year = number(given) or int(film_row["year:int"]) + (0 if festival else 1)
        if not winners:
            graph.edge(film, "WON", award, year=year)
        elif winners.startswith("song "):
            graph.edge(graph.known("Song", winners.removeprefix("song ")), "WON", award, year=year)
        else:
            for winner in winners.split(", "):
                graph.edge(graph.known("Person", winner), "WON", award, year=year, film=str(film_row["name"]))


def film_blocks() -> Iterator[tuple[str, dict[str, str]]]:
    """Each film's heading, and its lines by their keys."""
    heading = ""
    block: dict[str, str] = {}
    for part in (1, 2, 3):
        for line in lines(f"films-{part}.txt"):
            if line.startswith("= "):
                if heading:
                    yield heading, block
                heading, block = line[2:], {}
            else:
                key, _, value = line.partition(": ")
                block[key] = value
    yield heading, block


def add_film(graph: Graph, heading: str, block: dict[str, str]) -> None:
    title, year, runtime, oscars, box_office = fields(heading, 5)
    properties: dict[str, Value] = {
        "year:int": number(year),
        "runtime:int": number(runtime),
        "oscars:int": number(oscars),
        "boxOffice:int": number(box_office),
        "aliases:string[]": alias_list(block.get("aka", ""), ";"),
    }
    film = graph.node("Film", title, **properties)
    unknown = set(block) - {"aka", "cast", "set", "filmed", "song", "won", *CREDITS, *LINKS}
    if unknown:
        raise ValueError(f"{title}: unknown keys {sorted(unknown)}")
    for key, kind in CREDITS.items():
        for person in items(block.get(key, "")):
            graph.edge(graph.node("Person", person), kind, film)
    add_cast(graph, film, block.get("cast", ""))
    for key, (kind, label) in LINKS.items():
        for name in items(block.get(key, "")):
            named = graph.known if label in ("Book", "Film") else graph.node
            graph.edge(film, kind, named(label, name))
    for key, kind in (("set", "SET_IN"), ("filmed", "FILMED_IN")):
        for name in items(block.get(key, "")):
            graph.edge(film, kind, graph.place(name))
    add_songs(graph, film, block.get("song", ""))
    add_awards(graph, film, block.get("won", ""))


def add_people(graph: Graph) -> None:
    for line in lines("people.txt"):
        heading, _, pairs = line.partition(": ")
        if heading in FAMILY:
            for item in items(pairs):
                first, second = (graph.known("Person", name) for name in item.split(" + "))
                graph.edge(first, FAMILY[heading], second)
            continue
        name, born, birthplace, aliases = fields(line, 4)
        person = graph.known("Person", name)
        graph.node("Person", name, **{"born:int": number(born), "aliases:string[]": alias_list(aliases, ",")})
        if birthplace:
            graph.edge(person, "BORN_IN", graph.place(birthplace))


def add_names(graph: Graph) -> None:
    for line in lines("names.txt"):
        heading, _, pairs = line.partition(": ")
        for item in items(pairs):
            name, _, value = item.partition(" = ")
            if heading == "Seat":
                graph.edge(graph.known("Studio", name), "LOCATED_IN", graph.place(value))
            elif heading == "Won":
                award, _, year = value.partition(" : ")
                graph.edge(graph.known("Person", name), "WON", graph.node("Award", award), year=number(year))
            else:
                graph.known(heading, name)
                graph.node(heading, name, **{"aliases:string[]": alias_list(value, ",")})


def drop_unused_places(graph: Graph) -> None:
    """A city or place that nothing but its own country mentions is left out, then a country likewise."""
    for labels in (("City", "Place"), ("Country",)):
        mentioned = {edge[2] for edge in graph.edges}
        unused = {key for key, row in graph.nodes.items() if row[":LABEL"] in labels and key not in mentioned}
        for edge in [edge for edge in graph.edges if edge[0] in unused]:
            del graph.edges[edge]
        for key in unused:
            del graph.nodes[key]


def build() -> Graph:
    graph = Graph()
    add_places(graph)
    add_books(graph)
    for heading, block in film_blocks():
        add_film(graph, heading, block)
    add_people(graph)
    add_names(graph)
    drop_unused_places(graph)
    return graph


def table(header: tuple[str, ...], rows: list[list[Value]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def files(graph: Graph) -> dict[str, str]:
    """File name → its text."""
    result = {}
    for name, (label, columns) in NODE_FILES.items():
        header = ("id:ID", "name", ":LABEL", *columns)
        rows = [row for row in graph.nodes.values() if row[":LABEL"] == label]
        result[f"nodes-{name}.csv"] = table(header, [[row.get(column, "") for column in header] for row in rows])
    result["edges.csv"] = table(EDGE_COLUMNS, [list(edge) for edge in graph.edges])
    return result


def main() -> int:
    texts = files(build())
    target = HERE / "graph"
    if "--check" in sys.argv[1:]:
        stale = [
            name
            for name, text in texts.items()
            if not (target / name).is_file() or (target / name).read_text(encoding="utf-8") != text
        ]
        for name in stale:
            print(f"demo/graph/{name} is not what demo/source says; run: python demo/build.py")
        return 1 if stale else 0
    target.mkdir(exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
