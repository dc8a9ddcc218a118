"""The user's own labels for relation ends: lines of `relation,subject|object,Label`."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from clew.tools.errors import BadInput
from clew.tools.ingest import source
from clew.tools.ingest.classes import End
from clew.tools.ingest.formats.delimited import split
from clew.tools.ingest.relation_words import Side

_FORM = "Write lines of relation,subject,Label or relation,object,Label."


def read_labels(path: Path) -> dict[End, str]:
    """From (relation, side) to label. Raises BadInput naming the first line that is of another form."""
    source.check(path)
    found: dict[End, str] = {}
    for number, text in source.lines(path):
        if text is not None and (not text.strip() or text.lstrip().startswith("#")):
            continue
        fields = [field.strip() for field in split(text, ",", quoted=True) or []] if text is not None else []
        if len(fields) != 3 or fields[1] not in ("subject", "object") or not fields[0] or not fields[2]:
            raise BadInput(f"{path}:{number}: not relation, side and label.", _FORM)
        found[fields[0], cast(Side, fields[1])] = fields[2]
    return found
