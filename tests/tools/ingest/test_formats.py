"""Reading: every format is recognised, read back whole, and refused by line where it is wrong."""

from __future__ import annotations

import csv
import gzip
import io
import re
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.ingest.formats import detect
from clew.tools.ingest.formats.cypher_script import read as read_script
from clew.tools.ingest.formats.cypher_script import split
from clew.tools.ingest.formats.rdf_statements import local_name
from clew.tools.ingest.records import NAME_CANDIDATES, BadLine, EdgeRecord, NodeRecord, Record, Triple

RELAXED = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def records(path: Path) -> list[Record]:
    return list(detect(path).read(None))


def triples(path: Path) -> list[tuple[str, str, str]]:
    return [record[:3] for record in records(path) if isinstance(record, Triple)]


def bad(path: Path) -> list[str]:
    return [f"{record.line}: {record.reason}" for record in records(path) if isinstance(record, BadLine)]


def refusal(path: Path) -> str | None:
    """Why the file is refused as a whole, None where it is not; every other error is the test's."""
    try:
        found = detect(path)
        list(found.read(None))
        if found.kind == "cypher":
            read_script(path)
    except BadInput as error:
        return error.message
    return None


@pytest.mark.parametrize("delimiter", ["\t", ",", "|"])
def test_triples_by_each_delimiter(tmp_path: Path, delimiter: str) -> None:
    lines = [["a b", "likes", "c"], ["c", "likes", "d"]]
    path = put(tmp_path, "kb.txt", "\n".join(delimiter.join(line) for line in lines))
    assert detect(path).kind == "triples"
    assert triples(path) == [("a b", "likes", "c"), ("c", "likes", "d")]


def test_gzip_is_known_by_its_content_and_a_bom_is_dropped(tmp_path: Path) -> None:
    path = put(tmp_path, "kb.txt", gzip.compress(b"\xef\xbb\xbfa\tr\tb\r\nb\tr\tc\r\n"))
    assert triples(path) == [("a", "r", "b"), ("b", "r", "c")]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("head,relation,tail\nx,r,y\n", ("x", "r", "y")),
        ("subject|object|predicate\nx|y|r\n", ("x", "r", "y")),
        ("relation\thead\ttail\nr\tx\ty\n", ("x", "r", "y")),
        ("from,to,type\nx,y,r\n", ("x", "r", "y")),
        ("head,relation,name\nx,r,y\n", ("head", "relation", "name")),
    ],
)
def test_a_header_gives_the_order_of_the_columns(tmp_path: Path, text: str, first: tuple[str, str, str]) -> None:
    assert triples(put(tmp_path, "kb.csv", text))[0] == first


def test_without_a_header_a_last_column_of_few_values_is_the_relation(tmp_path: Path) -> None:
    path = put(tmp_path, "kb.tsv", "".join(f"x{i}\ty{i}\tr{i % 2}\n" for i in range(60)))
    assert triples(path)[:2] == [("x0", "r0", "y0"), ("x1", "r1", "y1")]
    assert "third" in detect(path).why


def test_bad_lines_of_triples_are_named(tmp_path: Path) -> None:
    text = b'a,r,b\na,b\nc,,d\n"open,r,x\n\xff\xfe,r,y\n# a comment\n\n"q, ""1""",r,z\n'
    path = put(tmp_path, "kb.csv", text + b"a,r,b\n" * 4)
    assert bad(path) == [
        "2: 2 columns instead of 3",
        "3: the relation is empty",
        "4: a quote is not closed, or text follows a closing quote",
        "5: not UTF-8 text, or longer than 16 MiB",
    ]
    assert ('q, "1"', "r", "z") in triples(path)


NAME = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0\v\f\x1c\x1d\x1e\x85\u2028\u2029"), min_size=1)
CLEAN = NAME.map(str.strip).filter(lambda text: text and not text.startswith(("#", "\ufeff")))


@RELAXED
@given(st.lists(st.tuples(CLEAN, CLEAN, CLEAN), min_size=1, max_size=20))
def test_comma_triples_round_trip(tmp_path: Path, written: list[tuple[str, str, str]]) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([("head", "relation", "tail"), *written])
    assert triples(put(tmp_path, "kb.csv", text.getvalue())) == written


@RELAXED
@given(st.lists(st.tuples(CLEAN, CLEAN, CLEAN), min_size=1, max_size=20))
def test_tab_triples_round_trip(tmp_path: Path, drawn: list[tuple[str, str, str]]) -> None:
    written = [tuple(name.replace("\t", " ").strip() or "x" for name in triple) for triple in drawn]
    text = "".join("\t".join(triple) + "\n" for triple in [("head", "relation", "tail"), *written])
    assert triples(put(tmp_path, "kb.tsv", text)) == written


@RELAXED
@given(st.binary(max_size=400), st.sampled_from(["x.txt", "x.csv", "x.nt", "x.ttl", "x.cypher", "x.jsonl", "x.gz"]))
def test_arbitrary_bytes_raise_nothing_but_bad_input(tmp_path: Path, content: bytes, name: str) -> None:
    path = put(tmp_path, name, content)
    assert str(path) in (refusal(path) or str(path))


HEADERS = [":ID,name,:LABEL,age:int", ":START_ID,:END_ID,:TYPE,w:float", "id:ID(A),x:int[]", "a,b,c", '{"type": "node"']
LINE = st.text(st.sampled_from("a1,\"\n;|\t {}:<>._/\\'`"), max_size=60)


@RELAXED
@given(st.sampled_from(HEADERS), LINE)
def test_arbitrary_lines_below_a_header_raise_nothing_but_bad_input(tmp_path: Path, header: str, text: str) -> None:
    path = put(tmp_path, "x.csv", f"{header}\n{text}")
    assert str(path) in (refusal(path) or str(path))


def test_node_csv_has_types_lists_spaces_and_labels(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "people.csv",
        "personId:ID(P),name,:LABEL,age:int,score:float,tags:string[],ok:boolean,born:date,seen:datetime,x:IGNORE\n"
        '1,"Ada\nL.",Person;Writer,36,1.5,a;b,true,1815-12-10,2020-01-01T10:00:00+02:00,zz\n'
        "2,Bob,Person,,,,,,,\n",
    )
    first, second = (record for record in records(path) if isinstance(record, NodeRecord))
    assert (first.key, first.labels, first.line) == ("P:1", ("Person", "Writer"), 2)
    seen = first.properties.pop("seen")
    assert seen == datetime.fromisoformat("2020-01-01T08:00:00+00:00")
    assert first.properties == {
        "personId": "1", "name": "Ada\nL.", "age": 36, "score": 1.5, "tags": ["a", "b"], "ok": True,
        "born": date(1815, 12, 10),
    }  # fmt: skip
    assert (second.key, second.line, second.properties) == ("P:2", 4, {"personId": "2", "name": "Bob"})


def test_edge_csv_takes_its_type_from_the_file_where_it_has_no_column(tmp_path: Path) -> None:
    path = put(tmp_path, "KNOWS.csv", ":START_ID(P);:END_ID(P);since:int\n1;2;1999\n1;;2000\n1;2;x\n1;2;3;4\n")
    assert [record for record in records(path) if isinstance(record, EdgeRecord)] == [
        EdgeRecord("P:1", "KNOWS", "P:2", {"since": 1999}, 2)
    ]
    assert bad(path) == [
        "3: the :END_ID is empty",
        "4: `x` in column `since` is not of type int",
        "5: 4 columns instead of 3",
    ]


@pytest.mark.parametrize("name", ["Person.csv", "nodes-Person.csv", "node_Person.csv.1", "Nodes Person.csv"])
def test_a_label_from_a_file_leaves_out_that_it_has_nodes(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, "id:ID,name\n1,Ada\n")
    assert [record.labels for record in records(path) if isinstance(record, NodeRecord)] == [("Person",)]
    edges = put(tmp_path, "rels-KNOWS.csv", ":START_ID,:END_ID\n1,2\n")
    assert [record.type for record in records(edges) if isinstance(record, EdgeRecord)] == ["KNOWS"]


def test_a_quote_that_never_closes_costs_one_line(tmp_path: Path) -> None:
    path = put(tmp_path, "n.csv", ':ID,name\n1,"open\n' + "".join(f"{i},n\n" for i in range(2, 3000)))
    found = records(path)
    assert [record.line for record in found if isinstance(record, BadLine)] == [2]
    assert sum(isinstance(record, NodeRecord) for record in found) == 2998


@pytest.mark.parametrize("header", [":ID,:START_ID,:END_ID", ":START_ID,name", ":ID,:ID", ":ID,age:integre"])
def test_a_wrong_csv_header_is_refused(tmp_path: Path, header: str) -> None:
    with pytest.raises(BadInput, match=":1: the header"):
        detect(put(tmp_path, "n.csv", header + "\n1,2,3\n"))


def test_json_lines(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "export.json",
        '{"type":"node","id":"0","labels":["User"],"properties":{"a":[1,2.5],"b":{"x":1},"c":null,"d":[1,"x"]}}\n'
        '{"id":"9","type":"relationship","label":"KNOWS","properties":{"since":1993},"start":{"id":"0"},"end":{"id":1}}\n'
        '{"type":"relationship","label":"KNOWS","start":{"id":"0"}}\n'
        "{not json}\n[1]\n"
        '{"type":"node"}\n',
    )
    node, edge, *_others = records(path)
    assert node == NodeRecord("0", ("User",), {"a": [1.0, 2.5], "b": '{"x": 1}', "d": '[1, "x"]'}, 1)
    assert edge == EdgeRecord("0", "KNOWS", "1", {"since": 1993}, 2)
    assert [line.split(":")[0] for line in bad(path)] == ["3", "4", "5", "6"]


NT = """<http://e.org/ada> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/Person> .
<http://e.org/ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada"@en .
<http://e.org/ada> <http://e.org/born> "1815-12-10"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://e.org/ada> <http://e.org/knows> _:x .
# a comment
<http://e.org/ada> nonsense .
"""


def test_n_triples_stream_line_by_line(tmp_path: Path) -> None:
    path = put(tmp_path, "some.data", NT)
    assert detect(path).kind == "n-triples"
    ada = "http://e.org/ada"
    assert records(path) == [
        NodeRecord(ada, ("Person",), {}, 1, partial=True),
        NodeRecord(ada, (), {NAME_CANDIDATES: [[0, "Ada"]]}, 2, partial=True),
        NodeRecord(ada, (), {"born": date(1815, 12, 10)}, 3, partial=True),
        EdgeRecord(ada, "knows", "_:some.x", {}, 4, declares=True),
        BadLine(str(path), 6, "not a statement `<subject> <predicate> object .`"),
    ]


def test_turtle_reads_like_n_triples_and_names_the_line_of_an_error(tmp_path: Path) -> None:
    path = put(tmp_path, "g", "@prefix e: <http://e.org/> .\ne:ada e:knows e:bob, [ e:age 3 ] .\n")
    assert detect(path).kind == "turtle"
    found = records(path)
    assert EdgeRecord("http://e.org/ada", "knows", "http://e.org/bob", {}, 0, declares=True) in found
    assert found == records(path)
    with pytest.raises(BadInput, match=":3: not Turtle"):
        records(put(tmp_path, "h.ttl", "@prefix e: <http://e.org/> .\ne:a e:b e:c .\ne:a e:b .\n"))


def test_durations_of_rdf_are_numbers(tmp_path: Path) -> None:
    prefixes = "@prefix e: <http://e.org/> .\n@prefix x: <http://www.w3.org/2001/XMLSchema#> .\n"
    ride = 'e:r e:moving "PT5H18M"^^x:duration ; e:rest_time "PT90S"^^x:dayTimeDuration ; e:loan "P14D"^^x:duration .\n'
    found: dict[str, object] = {}
    for each in records(put(tmp_path, "r.ttl", prefixes + ride)):
        assert isinstance(each, NodeRecord)
        found |= each.properties
    assert found == {"movingMinutes": 318, "rest_time_minutes": 1.5, "loanDays": 14}


@pytest.mark.parametrize(
    ("iri", "name"),
    [("http://e.org/a#b", "b"), ("http://e.org/A_B/", "A_B"), ("urn:isbn:12", "12"), ("http://e.org/a%20b", "a b")],
)
def test_local_names(iri: str, name: str) -> None:
    assert local_name(iri) == name


def test_a_script_is_split_outside_of_strings_names_and_comments() -> None:
    text = "// a; b\nCREATE (a {x: 'one; \\' two'});\n/* c; */ CREATE (`a;b`); MATCH (n) SET n.x = \";\"\n"
    assert [(s.line, s.text) for s in split(text, "f")] == [
        (2, "CREATE (a {x: 'one; \\' two'})"),
        (3, "CREATE (`a;b`)"),
        (3, 'MATCH (n) SET n.x = ";"'),
    ]


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("LOAD CSV FROM 'x' AS l CREATE (n)", "LOAD CSV"),
        ("CALL db.labels()", "CALL"),
        ("MATCH (n) CALL { WITH n SET n.x = 1 }", "CALL"),
        ("MATCH (n) /* */ DETACH DELETE n", "DELETE"),
        ("DROP DATABASE neo4j", "DROP"),
        ("CREATE USER x SET PASSWORD 'y'", "CREATE USER"),
        ("RETURN 1", "RETURN"),
        ("UNWIND [1] AS x \\u0043ALL f()", "\\\\"),
    ],
)
def test_a_script_may_not_do_everything(tmp_path: Path, statement: str, word: str) -> None:
    path = put(tmp_path, "x.cypher", f"CREATE (n);\n{statement};")
    with pytest.raises(BadInput, match=f":2: a script may not use {word}"):
        read_script(path)


def test_a_script_may_name_properties_like_keywords(tmp_path: Path) -> None:
    path = put(tmp_path, "x.cypher", ":begin\nCREATE (n:Call {delete: 1, s: 'CALL x'}) SET n.call = 2;\n:commit\n")
    assert [statement.line for statement in read_script(path)] == [2]


def test_an_open_string_in_a_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=":2: `'` is never closed"):
        read_script(put(tmp_path, "x.cypher", "CREATE (n);\nCREATE (n {x: 'open});\n"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"\x7fELF\0\0\0", "binary"),
        (b"PK\x03\x04abc", "zip"),
        ("a\tb\n".encode("utf-16"), "UTF-16"),
        (b"one two\nthree four\n", "no known format; columns in its first line: 1 by tab"),
        (gzip.compress(b"a\tb\tc\n" * 999, mtime=0)[:-12], "cut off or damaged"),
    ],
)
def test_files_that_cannot_be_used_are_refused_with_a_reason(tmp_path: Path, content: bytes, said: str) -> None:
    path = put(tmp_path, "x.txt", content)
    with pytest.raises(BadInput) as raised:
        list(detect(path).read(None))
    assert said in raised.value.message
    assert raised.value.remedy


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        detect(tmp_path / "none.tsv")
    with pytest.raises(BadInput, match="is a folder"):
        detect(tmp_path)


def test_progress_counts_the_bytes_of_the_file_as_stored(tmp_path: Path) -> None:
    path = put(tmp_path, "kb.tsv.gz", gzip.compress(b"".join(b"a%d\tr\tb\n" % i for i in range(9000))))
    seen: list[int] = []
    list(detect(path).read(seen.append))
    assert seen == sorted(seen)
    assert seen[-1] == path.stat().st_size
    assert len(seen) > 2


ONTOLOGY = """ex:Person a owl:Class ; rdfs:label "Person" ; rdfs:subClassOf ex:Agent .
ex:P31 a owl:ObjectProperty ; rdfs:label "works for" ; rdfs:domain ex:Person .
ex:Q5 a rdfs:Class ; rdfs:label "human being" .
"""
PEOPLE = """ex:ann a ex:Person ; rdfs:label "Ann" ; foaf:age 41 ; ex:P31 ex:acme .  # not foo:bar
ex:acme a ex:Q5 ; foaf:homepage <http://acme.org/a:b> ; ex:motto "say ex:yes: foo:no" .
"""


def test_usual_prefixes_are_assumed_and_the_schema_is_no_data(tmp_path: Path) -> None:
    found = detect(put(tmp_path, "x.ttl", ONTOLOGY + PEOPLE))
    made = [record for record in found.read(None) if isinstance(record, NodeRecord | EdgeRecord)]
    keys = {record.key for record in made if isinstance(record, NodeRecord)}
    assert keys == {"http://example.org/ann", "http://example.org/acme"}
    assert {record[:3] for record in made if isinstance(record, EdgeRecord)} == {
        ("http://example.org/ann", "works_for", "http://example.org/acme"),
        ("http://example.org/acme", "homepage", "http://acme.org/a:b"),
    }
    labels = {label for record in made if isinstance(record, NodeRecord) for label in record.labels}
    assert labels == {"Person", "Agent", "human_being"}  # A Person is an Agent, by `rdfs:subClassOf`.
    assert any("ex: <http://example.org/>, foaf: <http://xmlns.com/foaf/0.1/>" in note for note in found.notes)
    assert any(note.startswith("8 statements about 3 classes and properties") for note in found.notes)
    assert not any("foo" in note for note in found.notes)


def test_a_prefix_that_is_not_usual_is_an_error_with_its_line(tmp_path: Path) -> None:
    assert "x.ttl:6: not Turtle: Prefix" in (
        refusal(put(tmp_path, "x.ttl", ONTOLOGY + PEOPLE + "zzz:a a zzz:B .")) or ""
    )


def test_a_node_has_the_classes_above_its_own(tmp_path: Path) -> None:
    text = """@prefix : <http://h.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Psalter rdfs:subClassOf :Book, owl:Thing, [ a owl:Restriction ; owl:onProperty :leaves ] .
:Book rdfs:subClassOf :Work . :Work rdfs:subClassOf :Psalter . :p a :Psalter . :b a :Book .
"""
    lines = """<http://h.org/Psalter> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://h.org/Book> .
<http://h.org/p> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://h.org/Psalter> .
"""
    labels = {r.key: r.labels for r in records(put(tmp_path, "x.ttl", text)) if isinstance(r, NodeRecord) and r.labels}
    assert labels == {"http://h.org/p": ("Psalter", "Book", "Work"), "http://h.org/b": ("Book", "Work", "Psalter")}
    (node,) = records(put(tmp_path, "x.nt", lines))
    assert isinstance(node, NodeRecord)
    assert node.labels == ("Psalter", "Book")


def test_an_ontology_alone_is_the_data(tmp_path: Path) -> None:
    made = records(put(tmp_path, "x.ttl", ONTOLOGY))
    assert {record.key for record in made if isinstance(record, NodeRecord)} == {
        "http://example.org/Person", "http://example.org/P31", "http://example.org/Q5",
    }  # fmt: skip


def test_n_triples_leave_the_schema_out_too(tmp_path: Path) -> None:
    owl = "<http://www.w3.org/2002/07/owl#Class>"
    schema = f"<http://e.org/Person> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> {owl} .\n"
    named = '<http://e.org/Person> <http://www.w3.org/2000/01/rdf-schema#label> "Person" .\n'
    found = detect(put(tmp_path, "x.nt", named + NT + schema))
    (tmp_path / "plain").mkdir()
    plain = records(put(tmp_path / "plain", "x.nt", "\n" + NT))
    assert list(found.read(None))[:4] == plain[:4]
    assert [note.split(" statements")[0] for note in found.notes] == ["2"]


@pytest.mark.parametrize(("name", "bad", "good"), [
    ("a.jsonl", '{"type":"node","id":"1","properties":{"t\\uD800":"x"}}', '{"type":"node","id":"\\ud83d\\ude00"}'),
    ("a.nt", '<http://e.org/a> <http://e.org/p> "x\\uD800y" .', '<http://e.org/a> <http://e.org/p> "\\u00fc" .'),
])  # fmt: skip
def test_half_a_character_makes_a_line_bad(tmp_path: Path, name: str, bad: str, good: str) -> None:
    found = records(put(tmp_path, name, f"{bad}\n{good}\n"))
    assert isinstance(found[0], BadLine)
    assert "half a character" in found[0].reason
    assert not isinstance(found[1], BadLine)


def test_half_a_character_refuses_turtle(tmp_path: Path) -> None:
    path = put(tmp_path, "a.ttl", '@prefix e: <http://e.org/> .\ne:a e:q "fine" .\ne:a e:p "x\\uD800y" .\n')
    with pytest.raises(BadInput, match=r"a.ttl:3: .*half a character"):
        records(path)


ZOO_XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY xsd "http://www.w3.org/2001/XMLSchema#"> ]>
<rdf:RDF xmlns="http://z.org/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
 <Bird rdf:about="http://z.org/kiko"><rdfs:label>Kiko</rdfs:label>
  <weight rdf:datatype="&xsd;decimal">2.5</weight><livesIn rdf:resource="http://z.org/aviary"/></Bird>
</rdf:RDF>
"""
ZOO_JSON = """{"@context": "https://schema.org", "@graph": [
 {"@id": "http://z.org/kiko", "@type": "Bird", "name": "Kiko", "weight": 2.5,
  "livesIn": {"@id": "http://z.org/aviary"}}]}
"""
_XSD = '"http://www.w3.org/2001/XMLSchema#"'


@pytest.mark.parametrize(("name", "text", "kind"), [("zoo.owl", ZOO_XML, "rdf-xml"), ("zoo.json", ZOO_JSON, "json-ld")])
def test_rdf_xml_and_json_ld(tmp_path: Path, name: str, text: str, kind: str) -> None:
    found = detect(put(tmp_path, name, text))
    made = list(found.read(None))
    assert found.kind == kind
    assert {record[:3] for record in made if isinstance(record, EdgeRecord)} == {
        ("http://z.org/kiko", "livesIn", "http://z.org/aviary")
    }
    nodes = [record for record in made if isinstance(record, NodeRecord)]
    assert {label for node in nodes for label in node.labels} == {"Bird"}
    assert {"weight": 2.5} in [node.properties for node in nodes]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonld", '{"@context": "https://e.com/c", "@id": "http://z.org/a"}', "an import fetches nothing"),
        ("a.jsonld", '{"@context": {"@import": "http://e.com/c"}, "@id": "http://z.org/a"}', "fetches nothing"),
        ("a.jsonld", '{"@id": "http://z.org/a",', "a.jsonld:1: not JSON"),
        ("a.rdf", ZOO_XML.replace("</Bird>", ""), "a.rdf:7: not RDF/XML"),
        ("a.rdf", ZOO_XML.replace(_XSD, 'SYSTEM "file:///etc/hosts"'), "entities"),
        ("a.rdf", ZOO_XML.replace(_XSD, '"&b;&b;"'), "entities"),
        ("a.rdf", ZOO_XML.replace("2001/XMLSchema#", "x" * 400), "entities"),
    ],
)
def test_rdf_that_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        list(detect(put(tmp_path, name, text)).read(None))
