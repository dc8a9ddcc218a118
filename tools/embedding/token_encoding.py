"""The encoding by which tokens are counted, from a file or from a package; nothing is fetched.

tiktoken would download the encodings that it knows. Here the file is handed over: `NAME.tiktoken`, as OpenAI publishes
it, or the `tokenizer.json` of a model of Hugging Face. Encodings of packages that extend tiktoken are known by name.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any

from clew.tools.errors import BadInput

Count = Callable[[str], int]
_REMEDY = (
    "CLEW_TOKEN_ENCODING is a file NAME.tiktoken or tokenizer.json, or the name of an encoding of a package that "
    "extends tiktoken."
)
_PUBLIC = "tiktoken_ext.openai_public"
"""Its encodings are downloads."""
_lock = Lock()


def count_by(given: str) -> Count:
    """Counts the tokens of a text by a file, or by the encoding of that name in a package. Raises BadInput."""
    path = Path(given).expanduser()
    if path.suffix == ".json":
        return _count_by_tokenizer(path)
    if path.suffix == ".tiktoken":
        return _counting(_of_ranks(path.stem, _ranks(path), path))
    return _counting(_of_package(given))


def _counting(encoding: Any) -> Count:
    encode = encoding.encode_ordinary
    return lambda text: len(encode(text))


def _count_by_tokenizer(path: Path) -> Count:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises nothing more special
        raise BadInput(f"{path} is not a tokenizer.json: {error}.", _REMEDY) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _ranks(path: Path) -> dict[bytes, int]:
    """The tokens of a file with their numbers; one of each line, in base 64."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error}.", _REMEDY) from None
    found: dict[bytes, int] = {}
    for number, line in enumerate(lines, 1):
        try:
            token, rank = line.split()
            found[base64.b64decode(token, validate=True)] = int(rank)
        except (ValueError, binascii.Error):
            message = f"{path}:{number} is not a line of an encoding: a token in base 64 and its number."
            raise BadInput(message, _REMEDY) from None
    if any(bytes([byte]) not in found for byte in range(256)):
        raise BadInput(f"{path} is not whole: it does not have every byte.", _REMEDY)
    return found


def _of_ranks(name: str, ranks: dict[bytes, int], path: Path) -> Any:
    """tiktoken's encoding of that name with these tokens: the way in which it cuts texts into words is tiktoken's."""
    import tiktoken
    from tiktoken_ext import openai_public

    make = openai_public.ENCODING_CONSTRUCTORS.get(name)
    if make is None:
        known = ", ".join(openai_public.ENCODING_CONSTRUCTORS)
        raise BadInput(f"{path}: tiktoken has no encoding {name}; it has {known}.", "Name the file after its encoding.")
    # The function that reads the file of the encoding is replaced by one that has read it.
    local = {**make.__globals__, "load_tiktoken_bpe": lambda *_, **__: ranks}
    fields = FunctionType(make.__code__, local, make.__name__)()
    fields.pop("explicit_n_vocab", None)
    fields["special_tokens"] = {}
    return tiktoken.Encoding(**fields)


def _of_package(name: str) -> Any:
    import tiktoken
    from tiktoken import registry

    with _lock:
        names = tiktoken.list_encoding_names()
    makers = registry.ENCODING_CONSTRUCTORS or {}
    own = [each for each in names if makers[each].__module__ != _PUBLIC]
    if name not in own:
        there = f"there are {', '.join(own)}" if own else "there is no such package"
        raise BadInput(f"No installed package has the encoding {name}: {there}.", _REMEDY)
    return tiktoken.get_encoding(name)
