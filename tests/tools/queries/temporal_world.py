"""An invented town and its offices, clubs and events, with times written in the ways that graphs write them, and
questions about them: those that the rules were made with, and paraphrases that were written before and kept apart."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.index import EntityIndex, IndexedNode

PEOPLE = """Tessa Holm;Ivo Marsh;Nell Crane;Bram Oakes;Lise Varga;Otto Reeve;Ada Finch;Piet Lund;Mara Sole;Henk Dorr;
Ruth Ebel;Simon Vale;Carla Nuss;Felix Thorn;Greta Lohm;Jory Pell;Milo Vance;Kass Orme;Dov Hale;Rafe Lind"""
NODES: dict[str, dict[str, dict[str, Any]]] = {
    "Person": {name.strip(): {} for name in PEOPLE.split(";")},
    "Office": {
        "Mayor of Garrick": {},
        "Harbour Master of Orwen": {},
        "Chancellor of Tamsin College": {},
        "Editor of the Salt Gazette": {},
    },
    "Club": {"Dunmere Rovers": {}, "Port Ansel United": {}, "Thistle Athletic": {}},
    "Trophy": {"Moor Cup": {}},
    "Town": {"Garrick": {}, "Orwen": {}},
    "Company": {"Corvane Works": {}, "Bellhaven Foods": {}},
    "Event": {
        "Great Garrick Flood": {"date": date(1980, 2, 11)},
        "Orwen Dock Strike": {"date": date(1978, 9, 4)},
        "Night of Sails": {"date": date(1989, 6, 1)},
        "Lantern Fire": {"date": date(1993, 8, 20)},
    },
    "Book": {
        "The Salt Road": {"year": 1976},
        "Low Tide": {"year": 1984},
        "Nine Bells": {"year": 1992},
        "Ash Wharf": {"year": 1997},
    },
    "Race": {"Orwen Regatta": {}},
    "Edition": {
        "First Regatta": {"date": date(1979, 7, 1)},
        "Second Regatta": {"date": date(1984, 7, 2)},
        "Third Regatta": {"date": date(1991, 7, 7)},
    },
}
HELD = """
Tessa Holm|1971|1979|Mayor of Garrick
Ivo Marsh|1979|1983|Mayor of Garrick
Nell Crane|1983|1990|Mayor of Garrick
Bram Oakes|1990|1998|Mayor of Garrick
Lise Varga|1998||Mayor of Garrick
Otto Reeve|1965|1977|Harbour Master of Orwen
Ada Finch|1977|1981|Harbour Master of Orwen
Piet Lund|1981|1992|Harbour Master of Orwen
Mara Sole|1992|2004|Harbour Master of Orwen
Henk Dorr|1960|1975|Chancellor of Tamsin College
Ruth Ebel|1975|1985|Chancellor of Tamsin College
Simon Vale|1985|1996|Chancellor of Tamsin College
Ivo Marsh|1996|2003|Chancellor of Tamsin College
Carla Nuss|1978|1982|Editor of the Salt Gazette
Felix Thorn|1982|1991|Editor of the Salt Gazette
Greta Lohm|1991|2001|Editor of the Salt Gazette
"""
PLAYED = """
Jory Pell|1988-07-01|1993-06-30|Dunmere Rovers
Jory Pell|1993-07-01|1997-06-30|Port Ansel United
Milo Vance|1990-07-01|1995-06-30|Dunmere Rovers
Kass Orme|1986-01-15|1992-05-31|Port Ansel United
Dov Hale|1995-07-01|2001-06-30|Port Ansel United
Rafe Lind|1996-07-01||Dunmere Rovers
"""
OTHERS = """
Dunmere Rovers|WON|year|1989|Moor Cup
Port Ansel United|WON|year|1991|Moor Cup
Dunmere Rovers|WON|year|1994|Moor Cup
Thistle Athletic|WON|year|1996|Moor Cup
Port Ansel United|WON|year|1999|Moor Cup
Ivo Marsh|MARRIED_TO|year|1986|Nell Crane
Piet Lund|MARRIED_TO|year|1990|Greta Lohm
Corvane Works|HEADQUARTERED_IN|period|1950 - 1972|Garrick
Corvane Works|HEADQUARTERED_IN|period|1973 - 1990|Orwen
Bellhaven Foods|HEADQUARTERED_IN|period|1961 - 1984|Orwen
Bellhaven Foods|HEADQUARTERED_IN|period|1985 - 2005|Garrick
Great Garrick Flood|HAPPENED_IN|||Garrick
Lantern Fire|HAPPENED_IN|||Garrick
Orwen Dock Strike|HAPPENED_IN|||Orwen
Night of Sails|HAPPENED_IN|||Orwen
The Salt Road|WRITTEN_BY|||Ruth Ebel
Low Tide|WRITTEN_BY|||Felix Thorn
Nine Bells|WRITTEN_BY|||Felix Thorn
Ash Wharf|WRITTEN_BY|||Greta Lohm
First Regatta|EDITION_OF|||Orwen Regatta
Second Regatta|EDITION_OF|||Orwen Regatta
Third Regatta|EDITION_OF|||Orwen Regatta
First Regatta|WON_BY|||Kass Orme
Second Regatta|WON_BY|||Ada Finch
Third Regatta|WON_BY|||Dov Hale
"""

QUESTIONS = """
When Ivo Marsh was Mayor of Garrick, who was the Harbour Master of Orwen?|Ada Finch;Piet Lund
Who was the Editor of the Salt Gazette while Nell Crane was Mayor of Garrick?|Felix Thorn
Who was Mayor of Garrick during the Great Garrick Flood?|Ivo Marsh
Who was Mayor of Garrick in 1981?|Ivo Marsh
Who was the Chancellor of Tamsin College during 1990?|Simon Vale
Who was Harbour Master of Orwen between 1979 and 1983?|Ada Finch;Piet Lund
Who has been Mayor of Garrick since 1995?|Bram Oakes;Lise Varga
Who was Editor of the Salt Gazette before 1982?|Carla Nuss
Who was Mayor of Garrick after 1985?|Nell Crane;Bram Oakes;Lise Varga
Which players played for Dunmere Rovers in 1992?|Jory Pell;Milo Vance
Who played for Port Ansel United from 1993 to 1996?|Jory Pell;Dov Hale
Which club won the Moor Cup in 1994?|Dunmere Rovers
Who was Mayor of Garrick before Nell Crane?|Ivo Marsh
Who succeeded Ada Finch as Harbour Master of Orwen?|Piet Lund
Who was Chancellor of Tamsin College after Ruth Ebel?|Simon Vale
Who was the first Mayor of Garrick?|Tessa Holm
Who was the last Harbour Master of Orwen?|Mara Sole
Which club was the first to win the Moor Cup?|Dunmere Rovers
When was Piet Lund Harbour Master of Orwen?|1981\u20131992
When did Bram Oakes become Mayor of Garrick?|1990
How long was Simon Vale Chancellor of Tamsin College?|1985\u20131996
When did Milo Vance play for Dunmere Rovers?|1990-07-01\u20131995-06-30
When did Ivo Marsh marry Nell Crane?|1986
In what years did Dunmere Rovers win the Moor Cup?|1989;1994
Which events happened in Garrick between 1975 and 1985?|Great Garrick Flood
What happened in Orwen before 1985?|Orwen Dock Strike
Which books did Felix Thorn write after 1990?|Nine Bells
Who won the Orwen Regatta in 1984?|Ada Finch
Which books were written between 1980 and 1995?|Low Tide;Nine Bells
When was the Great Garrick Flood?|1980-02-11
Where was Corvane Works headquartered in 1980?|Orwen
How many people were Mayor of Garrick between 1975 and 1985?|3
Who became Mayor of Garrick in 1983?|Nell Crane
Who left Dunmere Rovers in 1993?|Jory Pell
"""
HELD_OUT = """
Who held the post of Harbour Master of Orwen when Ivo Marsh was the Mayor of Garrick?|Ada Finch;Piet Lund
While Nell Crane was Mayor of Garrick, who was Editor of the Salt Gazette?|Felix Thorn
At the time of the Orwen Dock Strike, who was the Chancellor of Tamsin College?|Ruth Ebel
In 1981, who was the Mayor of Garrick?|Ivo Marsh
Name the Chancellor of Tamsin College in 1990.|Simon Vale
Which people were Harbour Master of Orwen from 1979 until 1983?|Ada Finch;Piet Lund
Since 1995, who has been the Mayor of Garrick?|Bram Oakes;Lise Varga
Who held the position of Editor of the Salt Gazette prior to 1982?|Carla Nuss
List everyone who was Mayor of Garrick after 1992.|Bram Oakes;Lise Varga
Who was playing for Dunmere Rovers in 1992?|Jory Pell;Milo Vance
Who were the players of Port Ansel United between 1993 and 1996?|Jory Pell;Dov Hale
Who won the Moor Cup in 1991?|Port Ansel United
Who preceded Nell Crane as Mayor of Garrick?|Ivo Marsh
Who came after Ada Finch as Harbour Master of Orwen?|Piet Lund
Who was Ruth Ebel's successor as Chancellor of Tamsin College?|Simon Vale
Who was the first person to be Harbour Master of Orwen?|Otto Reeve
Who was the most recent Harbour Master of Orwen?|Mara Sole
Which club was the last to win the Moor Cup?|Port Ansel United
In which years was Piet Lund the Harbour Master of Orwen?|1981\u20131992
What year did Bram Oakes become the Mayor of Garrick?|1990
For how long was Simon Vale the Chancellor of Tamsin College?|1985\u20131996
When was Milo Vance a player of Dunmere Rovers?|1990-07-01\u20131995-06-30
What year did Ivo Marsh get married to Nell Crane?|1986
When did Dunmere Rovers win the Moor Cup?|1989;1994
What happened in Garrick from 1975 to 1985?|Great Garrick Flood
Which events took place in Orwen before 1985?|Orwen Dock Strike
What did Felix Thorn write since 1990?|Nine Bells
In 1984, who won the Orwen Regatta?|Ada Finch
Which books came out between 1980 and 1995?|Low Tide;Nine Bells
In what year was the Great Garrick Flood?|1980-02-11
In which town was Corvane Works headquartered during 1980?|Orwen
How many people have been Mayor of Garrick since 1985?|3
Who took over as Mayor of Garrick in 1983?|Nell Crane
Which player left Port Ansel United in 1997?|Jory Pell
"""


def questions(text: str) -> list[tuple[str, set[str]]]:
    """Each question with its answers."""
    rows = [line.split("|") for line in text.strip().split("\n")]
    return [(question, set(answers.split(";"))) for question, answers in rows]


def entities() -> dict[str, Entity]:
    return {name: Entity(f"{label}/{name}", name, label) for label, names in NODES.items() for name in names}


def facts() -> list[tuple[str, str, dict[str, Any], str]]:
    """Head, relation, properties and tail; an end that is not known is left out."""
    found: list[tuple[str, str, dict[str, Any], str]] = []
    for line in HELD.strip().split("\n"):
        head, start, end, tail = line.split("|")
        found.append((head, "HELD_POSITION", {"start_time": int(start), "end_time": int(end) if end else None}, tail))
    for line in PLAYED.strip().split("\n"):
        head, start, end, tail = line.split("|")
        times = {"since": date.fromisoformat(start), "until": date.fromisoformat(end) if end else None}
        found.append((head, "PLAYED_FOR", times, tail))
    for line in OTHERS.strip().split("\n"):
        head, relation, name, value, tail = line.split("|")
        found.append((head, relation, {name: int(value) if value.isdigit() else value} if name else {}, tail))
    return found


def store_town(graph: GraphStore) -> None:
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    known = entities()
    for label, names in NODES.items():
        graph.ensure_index(label, "nodeId")
        rows = [{"nodeId": f"{label}/{name}", "name": name, **properties} for name, properties in names.items()]
        graph.write(f"UNWIND $rows AS row CREATE (n:{quoted(label)}{scope}) SET n = row", {"rows": rows})
    for head, relation, properties, tail in facts():
        graph.write(
            f"MATCH (a:{quoted(known[head].label)}{scope} {{nodeId: $a}}), "
            f"(b:{quoted(known[tail].label)}{scope} {{nodeId: $b}}) CREATE (a)-[r:{quoted(relation)}]->(b) SET r = $p",
            {"a": known[head].id, "b": known[tail].id, "p": {k: v for k, v in properties.items() if v is not None}},
        )
    graph.set_version("1")


def index_town(directory: Path) -> EntityIndex:
    nodes = [IndexedNode(entity.id, entity.name, entity.label) for entity in entities().values()]
    return EntityIndex.build(nodes, directory, "1")
