"""Nodes with two labels that a Cypher script made: one label counts, questions may use both."""

from __future__ import annotations

from pathlib import Path

import clew

SCRIPT = """\
CREATE (:Server:Physical {hostname: 'ada', cores: 32, note: 'The old machine under the stairs of the left wing.'});
CREATE (:Server:Physical {hostname: 'bob', cores: 16, note: 'Bought from a bank that had closed its second office.'});
CREATE (:Server:Virtual {hostname: 'cyd', cores: 4, note: 'Runs the shop, and nothing else, since the last outage.'});
CREATE (:Server:Virtual {hostname: 'dot', cores: 8, note: 'Nobody knows what this one does, so leave it running.'});
CREATE (:Team {name: 'Storage'});
MATCH (t:Team {name: 'Storage'}), (s:Server {hostname: 'cyd'}) CREATE (t)-[:OWNS]->(s);
"""


def test_a_script_with_two_labels_a_node(clew_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "estate.cypher"
    path.write_text(SCRIPT, encoding="utf-8")
    with clew.connect("two-labels", home=clew_home) as estate:
        estate.import_files(path)
        assert estate.schema().labels == {"Server": 4, "Physical": 2, "Virtual": 2, "Team": 1}

        def names(question: str) -> list[str]:
            return sorted(each.name for each in estate.ask(question).answers)

        assert names("how many servers are there?") == ["4"]
        assert names("which physical servers are there?") == ["ada", "bob"]
        assert names("which virtual machine has the most cores?") == ["dot"]
        assert names("what does Storage own?") == ["cyd"]
        assert not estate.ask("how many wombats are in the wing?").answers
        (found,) = estate.link("cyd")
        assert found.candidates[0].label == "Virtual"  # Server only says what both have in common.
