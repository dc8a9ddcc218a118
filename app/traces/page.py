"""A trace as one HTML file: the inspector of the traces page, its styles and the run.

The file opens from a disk, without a server or a network. Its policy lets it load nothing and run only its own script.
"""

from __future__ import annotations

import hashlib
import html
import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from typing import Any

from clew.app.printable import printable_line
from clew.app.web.bundle import bundled, web_file

_STYLES = ("base.css", "parts.css", "picture.css", "cypher.css", "traces.css")
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Clew</title>
<style>{style}</style>
<script>{theme}</script>
</head>
<body class="traces-page">
<header class="masthead"><span class="brand">Clew</span><span class="small soft">a saved trace</span></header>
<main class="traces" id="view"><noscript><p class="empty">This file needs JavaScript.</p></noscript></main>
<script type="application/json" id="trace">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def trace_page(run: Mapping[str, Any]) -> str:
    """The page of a run, as `TraceStore.show` returns it."""
    style, theme, script = _files()
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(theme)} {_hash(script)}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )
    title = html.escape(printable_line(str(run["question"])))
    return _PAGE.format(policy=policy, title=title, style=style, theme=theme, data=embedded(run), script=script)


@cache
def _files() -> tuple[str, str, str]:
    """The styles, the script that sets the theme before the page is painted, and the script that shows the run."""
    return "\n".join(web_file(name) for name in _STYLES), web_file("theme.js"), bundled("trace_file_page.js")


def embedded(value: Any) -> str:
    """JSON that HTML cannot misread: ASCII, without <, > and &."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
