"""Imports over HTTP: files in parts, plans that are edited, stopping, documents, and who may do what."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.serving.authentication import TokenFile
from clew.app.serving.errors import Busy, TooLarge
from clew.app.serving.uploads import UploadFolder, Uploads
from clew.tools.errors import BadInput, ClewError
from tests.app.serving.serving_world import serving, until

SHOP = {
    "shop/products.csv": "productID,productName,categoryID\n1,Chai,1\n2,Chang,1\n3,Syrup,2\n",
    "shop/categories.csv": "categoryID,categoryName\n1,Beverages\n2,Condiments\n",
}


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def secrets(tokens: TokenFile) -> dict[str, str]:
    return {
        "ann": tokens.add("ann", may_import=True)[1],
        "bob": tokens.add("bob")[1],
        "eve": tokens.add("eve", ("hers",), may_import=True)[1],
    }


@pytest.fixture(scope="module")
def url(clew_home: Path, tokens: TokenFile, secrets: dict[str, str]) -> Iterator[str]:
    with serving(clew_home, tokens, graphs=()) as url:
        yield url


@pytest.fixture(scope="module")
def local(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A user of this machine, of a server without tokens."""
    no_tokens = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    with serving(clew_home, no_tokens, graphs=()) as url, httpx.Client(base_url=url, timeout=60) as opened:
        yield opened


@pytest.fixture
def user(url: str, secrets: dict[str, str]) -> Iterator[Callable[[str], httpx.Client]]:
    opened: list[httpx.Client] = []

    def of(name: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {secrets[name]}"}
        opened.append(httpx.Client(base_url=url, headers=headers, timeout=60))
        return opened[-1]

    yield of
    for each in opened:
        each.close()


@pytest.fixture
def graph(local: httpx.Client) -> Iterator[str]:
    name = f"shop-{uuid.uuid4().hex[:8]}"
    yield name
    local.delete(f"/api/graphs/{name}")


def begun(client: httpx.Client, graph: str, files: dict[str, str], purpose: str = "graph", size: int = 40) -> str:
    """A new import whose files are sent in parts of `size` bytes; gives its id."""
    made = client.post("/api/imports", json={"graph": graph, "purpose": purpose})
    assert made.status_code == 201, made.text
    id = str(made.json()["id"])
    for path, text in files.items():
        data = text.encode()
        for offset in range(0, len(data), size):
            part = data[offset : offset + size]
            sent = client.put(f"/api/imports/{id}/files", params={"path": path, "offset": offset}, content=part)
            assert sent.json() == {"bytes": offset + len(part)}
    return id


def ended(client: httpx.Client, id: str, seconds: float = 60) -> dict[str, Any]:
    """The import when it works no more."""
    until(lambda: client.get(f"/api/imports/{id}").json()["state"] not in ("waiting", "planning", "importing"), seconds)
    found: dict[str, Any] = client.get(f"/api/imports/{id}").json()
    return found


def planned(client: httpx.Client, id: str, **body: Any) -> dict[str, Any]:
    assert client.post(f"/api/imports/{id}/plan", json=body).status_code == 202
    return ended(client, id)


def ran(client: httpx.Client, id: str, **body: Any) -> dict[str, Any]:
    assert client.post(f"/api/imports/{id}/run", json=body or None).status_code == 202
    return ended(client, id)


# ---- the way of an import -------------------------------------------------------------------------------------------


def test_tables_are_planned_edited_and_imported(local: httpx.Client, graph: str, clew_home: Path) -> None:
    id = begun(local, graph, SHOP)
    job = planned(local, id)
    assert (job["state"], job["plan"]["labels"]) == ("planned", {"Category": 2, "Product": 3})
    assert job["plan"]["edges"] == [{"source": "Product", "type": "HAS_CATEGORY", "target": "Category", "count": 3}]
    model = job["plan"]["model"]
    model["tables"]["products"]["node"] = "Article"
    model["tables"]["products"]["references"][0]["type"] = "IN"
    job = planned(local, id, model=model)
    assert job["plan"]["labels"] == {"Category": 2, "Article": 3}
    job = ran(local, id)
    assert (job["state"], job["report"]["nodes"], job["report"]["relations"]) == ("done", 5, {"IN": 3})
    assert str(clew_home) not in str(job)
    result = local.post(
        "/api/ask", json={"question": "Which articles are in Beverages?", "graph": graph, "stream": False}
    )
    assert {answer["name"] for answer in result.json()["answers"]} == {"Chai", "Chang"}
    assert not list((clew_home / "uploads").glob(f"{id}*"))


def test_a_bad_model_is_told_by_its_field_and_can_be_edited_on(local: httpx.Client, graph: str) -> None:
    id = begun(local, graph, SHOP)
    model = planned(local, id)["plan"]["model"]
    model["tables"]["products"]["node"] = "No Label"
    job = planned(local, id, model=model)
    assert job["state"] == "failed"
    assert "`tables.products.node`: `No Label` must be a letter" in job["error"]["detail"]
    assert job["plan"]["model"]["tables"]["products"]["node"] == "No Label"


def test_bad_lines_are_named_with_the_file_as_the_client_called_it(local: httpx.Client, graph: str) -> None:
    id = begun(local, graph, {"shop/products.csv": SHOP["shop/products.csv"] + "4,Tea\n"})
    assert planned(local, id)["plan"]["tables"]["products"]["bad"] == ["shop/products.csv:5: 2 columns instead of 3"]
    rows = "".join(f"{n},Product {n},1\n" for n in range(60)) + "99,Tea\n" * 20
    id = begun(local, graph, {"shop/products.csv": "productID,productName,categoryID\n" + rows}, size=5000)
    assert planned(local, id)["plan"]["tables"]["products"]["skipped"] == 20
    job = ran(local, id)
    assert job["state"] == "failed"
    assert "shop/products.csv:62: 2 columns instead of 3" in job["error"]["detail"]
    assert (job["error"]["bad"], job["error"]["lines"]) == (20, 80)
    assert "--" not in job["error"]["remedy"]
    assert graph not in [each["name"] for each in local.get("/api/graphs").json()]
    planned(local, id)
    job = ran(local, id, skip_bad=True)
    assert (job["state"], job["report"]["nodes"], job["report"]["bad"]) == ("done", 60, 20)


def test_values_become_nodes_where_it_is_wanted(local: httpx.Client, graph: str) -> None:
    countries = "".join(f"{n},Customer {n},{'France' if n % 2 else 'Peru'}\n" for n in range(40))
    id = begun(local, graph, {"customers.csv": "customerID,name,country\n" + countries}, size=5000)
    assert {"table": "customers", "column": "country", "values": 2} in planned(local, id)["plan"]["suggestions"]
    job = planned(local, id, value_nodes=[["customers", "country"]])
    assert [edge["target"] for edge in job["plan"]["edges"]] == ["Country"]


def test_a_sample_is_imported(local: httpx.Client, graph: str) -> None:
    assert [each["name"] for each in local.get("/api/samples").json()] == ["demo"]
    id = local.post("/api/imports", json={"graph": graph, "sample": "demo"}).json()["id"]
    assert planned(local, id)["state"] == "planned"
    assert ran(local, id)["report"]["nodes"] > 500


def test_a_database_is_read_by_its_url(local: httpx.Client, graph: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.execute("CREATE TABLE shipper (id INTEGER PRIMARY KEY, name TEXT)")
        db.execute("INSERT INTO shipper VALUES (1, 'Speedy')")
    id = local.post("/api/imports", json={"graph": graph, "url": f"sqlite:///{tmp_path}/shop.db"}).json()["id"]
    assert planned(local, id)["plan"]["labels"] == {"Shipper": 1}


@pytest.mark.parametrize("address", ["/etc/passwd", "file:///etc/passwd", "http://localhost/", "oracle://host/db"])
def test_other_addresses_are_refused(local: httpx.Client, address: str) -> None:
    found = local.post("/api/imports", json={"graph": "x", "url": address})
    assert found.status_code == 422
    assert "no URL of a database" in found.json()["detail"]


def test_passwords_are_not_told(local: httpx.Client) -> None:
    made = local.post("/api/imports", json={"graph": "x", "url": "postgresql://me:hush@127.0.0.1:1/shop"})
    job = planned(local, made.json()["id"])
    assert job["state"] == "failed"
    assert "hush" not in str(job)


# ---- stopping -------------------------------------------------------------------------------------------------------


def many(rows: int) -> dict[str, str]:
    return {"many.txt": "".join(f"node {n}\tknows\tnode {n * 7 % rows}\n" for n in range(rows))}


def test_a_stopped_import_leaves_no_graph(local: httpx.Client, graph: str, clew_home: Path) -> None:
    id = begun(local, graph, many(60_000), size=3_000_000)
    planned(local, id)
    local.post(f"/api/imports/{id}/run")
    until(lambda: "Writing" in str(local.get(f"/api/imports/{id}").json()["progress"]), 60)
    assert local.post(f"/api/imports/{id}/stop").status_code == 202
    assert ended(local, id)["state"] == "stopped"
    assert graph not in [each["name"] for each in local.get("/api/graphs").json()]
    assert not list((clew_home / "graphs" / graph).glob("import/*"))
    assert local.delete(f"/api/imports/{id}").status_code == 204
    assert local.get(f"/api/imports/{id}").status_code == 404


def test_a_graph_that_was_there_is_not_left_half_changed(local: httpx.Client, graph: str) -> None:
    id = begun(local, graph, {"a.txt": "Ann\tknows\tBob\n"})
    planned(local, id)
    assert ran(local, id)["state"] == "done"
    id = begun(local, graph, many(60_000), size=3_000_000)
    planned(local, id)
    local.post(f"/api/imports/{id}/run")
    until(lambda: "Reading" in str(local.get(f"/api/imports/{id}").json()["progress"]), 60)
    stopped = local.post(f"/api/imports/{id}/stop").status_code == 202
    job = ended(local, id)
    nodes = next(each["nodes"] for each in local.get("/api/graphs").json() if each["name"] == graph)
    assert (job["state"], nodes) == (("stopped", 2) if stopped else ("done", 60_002))


def test_a_replacement_is_stopped_while_it_writes_and_leaves_the_old_graph(local: httpx.Client, graph: str) -> None:
    id = begun(local, graph, {"a.txt": "Ann\tknows\tBob\n"})
    planned(local, id)
    assert ran(local, id)["state"] == "done"
    id = begun(local, graph, many(60_000), size=3_000_000)
    planned(local, id, replace=True)
    local.post(f"/api/imports/{id}/run")
    until(lambda: "Writing" in str(local.get(f"/api/imports/{id}").json()["progress"]), 60)
    assert local.post(f"/api/imports/{id}/stop").status_code == 202
    assert ended(local, id)["state"] == "stopped"
    assert [each["nodes"] for each in local.get("/api/graphs").json() if each["name"] == graph] == [2]


# ---- documents ------------------------------------------------------------------------------------------------------


def test_documents_are_added_listed_replaced_and_removed(local: httpx.Client, graph: str) -> None:
    notes = {"notes/heat.md": "# Heat\n\nMichael Mann directed Heat in 1995.\n"}
    assert ran(local, begun(local, graph, notes, "documents"))["report"]["added"] == 1
    changed = {"notes/heat.md": "# Heat\n\nMichael Mann wrote and directed Heat.\n"}
    assert ran(local, begun(local, graph, changed, "documents"))["report"]["changed"] == 1
    [document] = local.get(f"/api/graphs/{graph}/documents").json()
    assert (document["title"], document["source"]) == ("Heat", "heat.md")
    shown = local.get(f"/api/graphs/{graph}/documents/{document['id']}").json()
    assert (shown["title"], shown["source"], shown["more"]) == (document["title"], document["source"], 0)
    assert len(shown["chunks"]) == document["chunks"]
    assert all(edge["words"] and edge["chunk"] for chunk in shown["chunks"] for edge in chunk["edges"])
    assert local.get(f"/api/graphs/{graph}/documents/nothing").status_code == 404
    assert local.delete(f"/api/graphs/{graph}/documents/{document['id']}").status_code == 204
    assert local.get(f"/api/graphs/{graph}/documents").json() == []


# ---- rights and limits ----------------------------------------------------------------------------------------------


def test_tokens_import_only_if_they_may_and_only_their_graphs(user: Callable[[str], httpx.Client]) -> None:
    ann, bob, eve = user("ann"), user("bob"), user("eve")
    assert bob.post("/api/imports", json={"graph": "x"}).status_code == 403
    assert bob.delete("/api/graphs/x").status_code == 403
    assert bob.get("/api/me").json()["may_import"] is False
    assert eve.post("/api/imports", json={"graph": "x"}).status_code == 404
    assert eve.post("/api/imports", json={"graph": "hers"}).status_code == 201
    assert eve.delete("/api/graphs/x").status_code == 404
    for source in ("sqlite:////etc/shop.db", "postgresql://127.0.0.1/shop"):
        assert ann.post("/api/imports", json={"graph": "x", "url": source}).status_code == 403
    id = begun(ann, "x", {"a.csv": "id,name\n1,A\n"})
    assert eve.get(f"/api/imports/{id}").status_code == 404
    assert eve.get("/api/imports").json() == [job for job in eve.get("/api/imports").json() if job["graph"] == "hers"]
    assert [job["id"] for job in ann.get("/api/imports").json()] == [id]


def test_other_sites_and_large_bodies_are_refused(local: httpx.Client) -> None:
    id = local.post("/api/imports", json={"graph": "x"}).json()["id"]
    path = f"/api/imports/{id}/files"
    foreign = {"Origin": "https://example.org"}
    assert local.put(path, params={"path": "a.csv"}, content=b"x", headers=foreign).status_code == 403
    assert local.put(path, params={"path": "a.csv"}, content=bytes(4_100_000)).status_code == 413
    assert local.put(path, params={"path": "a.csv", "offset": 5}, content=b"x").status_code == 409
    assert local.post("/api/imports", json={"graph": "../x"}).status_code == 422


NAMES = st.one_of(
    st.text(), st.lists(st.sampled_from(["..", ".", "a", "/", "\\", "b.csv", "~", "C:", ""])).map("/".join)
)


@given(NAMES)
def test_no_name_leaves_the_folder(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("u", numbered=True) / "job"
    before = set(folder.parent.rglob("*"))
    try:
        UploadFolder(folder, 1000).write(name, 0, b"x")
    except ClewError:
        assert {path for path in folder.parent.rglob("*") if path.is_file()} == before
        return
    [written] = [path for path in folder.parent.rglob("*") if path.is_file()]
    assert folder.resolve() in written.resolve().parents


@given(st.binary(max_size=200), st.integers(1, 50))
def test_parts_make_up_the_file(tmp_path_factory: pytest.TempPathFactory, data: bytes, size: int) -> None:
    files = UploadFolder(tmp_path_factory.mktemp("u", numbered=True), 1000)
    for offset in range(0, max(1, len(data)), size):
        files.write("a/b.csv", offset, data[offset : offset + size])
        files.write("a/b.csv", offset, data[offset : offset + size])  # A part that is sent twice counts once.
    assert (files.folder / "a" / "b.csv").read_bytes() == data


def test_files_have_a_limit_together(tmp_path: Path) -> None:
    files = Uploads(tmp_path, 10).of("0a")
    files.write("a.csv", 0, bytes(6))
    with pytest.raises(TooLarge):
        files.write("b.csv", 0, bytes(6))
    with pytest.raises(Busy):
        files.write("a.csv", 7, b"x")
    with pytest.raises(BadInput):
        files.write("a.csv/b.csv", 0, b"x")
