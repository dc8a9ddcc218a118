"""Nothing from a graph, a model or a file acts on the terminal, a log or a Markdown file."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import unicodedata
from pathlib import Path
from threading import Thread

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.cli import terminal
from clew.app.printable import markdown_line, markdown_text, printable, printable_json, printable_line
from clew.app.sessions.export import as_markdown
from tests.command_processes import ROOT, CommandProcess

HOSTILE = {
    "clipboard": "Ann\x1b]52;c;ZXZpbA==\x07",
    "clear": "Bea\x1b[2J\x1b[H",
    "c1": "Cem\x9b2J\x9d52;c;eA==\x9c\x85next",
    "nul": "Dan\x00\x7f",
    "override": "Eve\u202egnp.exe\u2066x\u2069",
    "lines": "Flo\nError: your graph is gone\r\x1b[Aover\u2028there",
    "bold": "Gus\x1b[1mloud\x1b[0m",
}
LETTERS = (
    "Zoë Ångström", "Михаил", "Ελένη", "שָׁלוֹם", "مُحَمَّد\u200cبن", "नमस्ते क्\u200dष", "ไทย\u200bคำ",
    "ខ្មែរ", "한글", "日本語", "龍\U00020000", "e\u0301",
    "👩\u200d👩\u200d👧 👍🏽", "A\u200e\u200fB", "soft\u00adhyphen",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
)  # fmt: skip
ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u206f\ud800-\udfff]")
OWN = re.compile("\x1b\\[[012]m")
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60) | st.text(
    st.sampled_from("".join(HOSTILE.values()) + "🏴\U000e0067\U000e007f\ud800a<]\\!["), max_size=30
)


@given(ANY_TEXT)
def test_no_character_acts(text: str) -> None:
    for cleaned in (printable(text), printable_line(text)):
        assert not ACTS.search(cleaned.replace("\t", ""))
        cleaned.encode()
    assert not ACTS.search(printable_line(text))
    assert "\n" not in printable_line(text)
    assert printable(printable(text)) == printable(text)
    assert printable_line(printable_line(text)) == printable_line(text) == printable_line(printable(text))
    assert not ACTS.search(markdown_line(text))


@given(ANY_TEXT)
def test_letters_stay(text: str) -> None:
    def kept(text: str) -> list[str]:
        return [c for c in text if unicodedata.category(c)[0] in "LMNPS" or c in "\u200b\u200c\u200d\u200e\u200f"]

    shown = iter(printable_line(text))
    assert all(c in shown for c in kept(text)), "each of them, in their order"


@pytest.mark.parametrize("name", LETTERS)
def test_names_of_every_script_are_as_they_were(name: str) -> None:
    assert printable_line(name) == printable(name) == name


@given(st.recursive(ANY_TEXT | st.integers(), lambda v: st.lists(v) | st.dictionaries(ANY_TEXT, v), max_leaves=5))
def test_json_is_exact(value: object) -> None:
    text = printable_json(value)
    assert json.loads(text) == value
    assert printable(text) == text
    assert not ACTS.search(text)


@given(ANY_TEXT)
def test_styles_are_ours_alone(text: str) -> None:
    shown: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click, "echo", lambda text, **_: shown.append(text))
        terminal.echo(f"{terminal.bold(text)} {terminal.dim(text)}")
    assert len(OWN.findall(shown[0])) == 4
    assert not ACTS.search(OWN.sub("", shown[0]).replace("\t", ""))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![x](http://evil/y.png)", r"\![x\](`http://evil/y.png`)"),
        (r"[x\](http://evil)", r"[x\\\](`http://evil`)"),
        (r"[x\\](http://evil)", r"[x\\\\\](`http://evil`)"),
        ("<img src=x>", r"\<img src=x>"),
        ("[1]: http://evil", r"[1\]: `http://evil`"),
        ("Heat [1][2]", "Heat [1][2]"),
    ],
)
def test_markdown_has_no_image_link_or_html(text: str, shown: str) -> None:
    from markdown_it import MarkdownIt

    assert markdown_text(text) == shown
    html = MarkdownIt("commonmark").render(shown)
    assert not re.search("<(?!/?(?:p|code)>)", html)


AUTOLINKS = re.compile(r"(?:https?|ftp)://[\w-]|www\.\w|(?:mailto|xmpp):\w|[\w.+-]@[\w-]+\.\w", re.I)
"""What renderers of GFM make links of in plain text, wherever it stands."""
ACTIVE = [
    "![", "[", "](", "]:", "<", ">", "http://", "www.", "a@b.co", "javascript:", "`", "```", "~~~", "\\", "&lt;",
    "&#x68;", "ttp", ":", "//", "evil.co/?q=1",
    "\n", " ", "*", "_", '"', "img src=", "\u00e9", "(", ")", "HTTPS://x", "!",
]  # fmt: skip


@given(st.lists(st.sampled_from(ACTIVE), max_size=14).map("".join) | ANY_TEXT)
def test_no_text_acts_in_markdown(text: str) -> None:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(markdown_text(text))
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "fence"}, kinds
    blocks = ([child.content if child.type == "text" else " " for child in token.children or ()] for token in tokens)
    plain = "\n".join(map("".join, blocks))
    assert not AUTOLINKS.search(plain), plain


def test_an_exported_conversation_is_clean() -> None:
    evil = HOSTILE["lines"] + HOSTILE["clipboard"] + "\n# Heading\n![i](http://evil)"
    result = {"answers": [], "explanation": evil, "graph": "g", "trace_id": "1"}
    text = as_markdown("s", [{"number": 1, "asked": 0.0, "question": evil, "result": result}])
    assert not ACTS.search(text)
    assert "![i](" not in text
    assert len([line for line in text.splitlines() if line.startswith("## ")]) == 1


def test_logs_are_clean(caplog: pytest.LogCaptureFixture) -> None:
    formatter = terminal.LogFormatter("%(levelname)s %(message)s")
    try:
        raise ValueError(HOSTILE["clipboard"])
    except ValueError:
        logging.getLogger("clew").exception("node %s", HOSTILE["lines"])
    text = formatter.format(caplog.records[-1])
    assert not ACTS.search(text)
    assert text.splitlines()[1].startswith("Traceback"), "the message takes one line"


def test_commands_print_through_the_terminal_module_alone() -> None:
    """`warm_client` and the package itself print constant texts before anything is imported."""
    direct = re.compile(r"click\.(?:echo|secho|style|confirm|prompt)\(|(?<![\w.])print\(")
    exempt = {"terminal.py", "warm_client.py", "__init__.py"}
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "app").rglob("*.py")
        if path.name not in exempt and direct.search(path.read_text())
    ]
    assert found == []


def at_terminal(home: Path, *arguments: str) -> str:
    """What a command writes to a pseudo-terminal."""
    ours, theirs = pty.openpty()
    seen: list[bytes] = []

    def read() -> None:
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:
                return
            if not chunk:
                return
            seen.append(chunk)

    reader = Thread(target=read, daemon=True)
    reader.start()
    process = CommandProcess(home, *arguments, terminal=theirs)
    process.wait(120)
    os.close(theirs)
    reader.join(5)
    os.close(ours)
    return b"".join(seen).decode()


def test_hostile_names_at_a_terminal(clew_home: Path, tmp_path: Path) -> None:
    """Imported, listed, asked for, traced and quoted in errors; --json has them exactly."""
    source = tmp_path / "people.jsonl"
    names = ["Acme", *HOSTILE.values()]
    rows = [
        {"type": "node", "id": str(n), "labels": ["Person" if n else "Firm"], "properties": {"name": name}}
        for n, name in enumerate(names)
    ]
    ends = [({"id": "0", "labels": ["Firm"]}, {"id": str(n), "labels": ["Person"]}) for n in range(1, len(names))]
    rows += [{"type": "relationship", "label": "EMPLOYS", "start": a, "end": b} for a, b in ends]
    source.write_text("\n".join(map(json.dumps, rows)))
    graph = "hostile"
    # Rich draws the progress bar of an import: its own sequences move the cursor on the line, hide and show it.
    imported = at_terminal(clew_home, "import", str(source), "--graph", graph)
    shown = {"import": re.sub("\x1b\\[(?:[0-9;]*m|\\?25[lh]|[0-9]*[AK])|\r", "", imported)}
    for name, arguments in {
        "ask": ["ask", "Who does Acme employ?", "--graph", graph],
        "question": ["ask", f"Who is {HOSTILE['clipboard']}?", "--graph", graph],
        "error": ["ask", "x", "--graph", HOSTILE["clear"]],
        "usage": ["ask", "x", HOSTILE["clear"], "--graph", graph],
        "graphs": ["graphs"],
        "schema": ["schema", "--graph", graph],
        "traces": ["trace", "list"],
    }.items():
        shown[name] = at_terminal(clew_home, *arguments).replace("\r\n", "\n")
    for name, text in shown.items():
        assert not ACTS.search(OWN.sub("", text)), name
        assert "Error: your graph is gone" not in text.splitlines(), name
    for name in ("Ann", "Bea", "Cem", "Dan", "Eve", "Flo", "Gus"):
        assert name in shown["ask"], shown["ask"]
    assert r"Ann\x1b]52;c" in shown["ask"]
    as_json = at_terminal(clew_home, "ask", "Who does Acme employ?", "--graph", graph, "--json")
    assert not ACTS.search(as_json.replace("\r\n", "\n"))
    assert {answer["name"] for answer in json.loads(as_json)["answers"]} == {name.strip() for name in HOSTILE.values()}
