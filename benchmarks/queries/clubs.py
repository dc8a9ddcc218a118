"""What people ask of tables that they keep by hand, by the default command: exact answers, precision, latency.

Twenty-four clubs, farms, small firms and charities, each a folder of three to five CSV files as a spreadsheet exports
them: headers in four styles, rows that name others by a key or by a name, empty cells, dates, durations, yes and no.
Each has 32 questions of 13 kinds; those of the kind "nothing" ask for what the tables do not tell. Twelve writers, each
with another kind of person in mind, computed the answers from the files and saw no reader. `--held` asks only the six
folders whose errors nobody used to mend the reader.

    python -m benchmarks.queries.clubs --json clubs.json
"""

from __future__ import annotations

from benchmarks.queries import offices

HELD = ("feast", "flock", "funrun", "starclub", "dicehouse", "biolab")
CLUBS = (
    "allotment", "filmclub", "pantry", "radio", "craghoppers", "itdesk", "lettings", "playhouse", "toolshed",
    "dolphins", "roaster", "hall", "depot", "birders", "guesthouse", "chessclub", "press", "wheels", *HELD,
)  # fmt: skip


def main() -> None:
    offices.run("clubs", CLUBS, lambda folder: [folder / "csv"], __doc__, held=HELD)


if __name__ == "__main__":
    main()
