"""What people ask of data in all formats, by the default command: exact answers, precision, latency.

Sixty collections as their owners have them: RDF in Turtle, workbooks, SQLite databases of applications, triples
without a schema, Cypher scripts, CSV files of spreadsheets, JSON of MongoDB and of APIs, GraphML, node-link JSON.
Twelve have events with two sides: matches, letters, flights, payments; four have running times and times of day. Each
has 32 questions of 13 kinds; those of the kind "nothing" ask for what the data does not tell. Thirty writers computed
the answers from the files and saw no reader. `--held` asks only the nineteen whose errors nobody used to mend the
reader. Twenty-three have conversations and statements, too (`talk.py`).

    python -m benchmarks.queries.formats --json formats.json
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.queries import offices

HELD = (
    "maritime", "potters", "hosting", "luthier", "rhizo", "hollinbeck", "castles", "tapfield", "caves", "podcasts",
    "trees", "labs", "physio", "terriers", "mules", "squash", "mailbox", "forwarder", "rugby",
)  # fmt: skip
FORMATS = (
    "pedal", "cellar", "solar", "pawdesk", "stagepass", "bands", "orbits", "folkfest", "bells", "jazz", "wrecks",
    "hall", "wineshop", "hive", "meeple", "limelight", "lingua", "marina", "raptors", "reef", "arthouse",
    "glaciers", "fencing", "glassworks", "ambulance", "soapmakers", "monastery", "bakehouse",
    "services", "saga", "allotments", "league", "castling", "swapmeet", "epistles", "islandair", "kinfolk",
    "harriers", "vinyl", "recipes", "airtime",
    *HELD,
)  # fmt: skip


def _files(folder: Path) -> list[Path]:
    return sorted((folder / "data").iterdir())


def main() -> None:
    offices.run("formats", FORMATS, _files, __doc__, held=HELD)


if __name__ == "__main__":
    main()
