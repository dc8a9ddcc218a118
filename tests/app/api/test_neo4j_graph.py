"""`clew.connect` with a graph of langchain-neo4j."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pytest

import clew
from clew.tools.errors import BadInput
from tests.conftest import NO_NEO4J


def test_a_neo4j_graph_is_asked_through_its_connection(tmp_path: Path) -> None:
    if not (url := os.environ.get("NEO4J_URI")):
        pytest.skip(NO_NEO4J)
    from langchain_neo4j import Neo4jGraph, Neo4jVector

    from clew.langchain import ClewEmbeddings

    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    lent = Neo4jGraph(url, user, password, refresh_schema=False)
    mark = f"m{uuid.uuid4().hex[:8]}"
    ferry, harbour = f"(:Ferry {{name: 'Grey Gull', {mark}: 1}})", f"(:Harbour {{name: 'Pell Haven', {mark}: 1}})"
    lent.query(f"CREATE {ferry}-[:SAILS_TO]->{harbour}")
    try:
        with clew.connect(lent, home=tmp_path) as graph:
            assert graph.name == "neo4j"
            assert [answer.name for answer in graph.ask("Where does Grey Gull sail to?")] == ["Pell Haven"]
            with pytest.raises(clew.QueryForbidden):
                graph.query("CREATE (:Ferry)")
        with clew.connect(lent, home=tmp_path / "other", vectors="neo4j") as graph:
            before, labels = graph.client.graphs(), graph.schema().labels
            graph.index(dense=True)
            assert graph.client.graphs() == before, "vectors are nodes of no graph"
            assert graph.client.files(graph.name).introspected().labels == labels
            assert graph.client.context(graph.name).tools.index.has_dense
            names = Neo4jVector.from_existing_index(ClewEmbeddings(graph), "ClewVectors_neo4j_names", graph=lent)
            assert "Pell Haven" in [found.page_content for found in names.similarity_search("Pell Haven", 3)]
            assert [answer.name for answer in graph.ask("Where does Grey Gull sail to?")] == ["Pell Haven"]
            graph.client.vectors(graph.name).drop()
            assert lent.query("MATCH (n:ClewVectors) WHERE n.graph = 'neo4j' RETURN n") == []
        assert lent.query("RETURN 1 AS one") == [{"one": 1}], "its owner closes it"
    finally:
        lent.query(f"MATCH (n {{{mark}: 1}}) DETACH DELETE n")


def test_what_is_no_graph_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="dict is neither the name of a graph nor a Neo4jGraph"):
        clew.connect({}, home=tmp_path)  # type: ignore[arg-type]
