"""`#1`, `#2` … in the place of the names of entities, for models that are too small to copy names.

A name is what stands as `{name: "…"}` in a query, or as `name: …` on a line of the prompt and as a candidate of its
own. Those that the prompt names have the first numbers, in the order in which it names them; of names that overlap
there, the longest counts. So a query about an entity that the prompt does not name is known by its higher number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.tools.learning.generation.examples import Example

_QUOTED = re.compile(r'(\{name: ")((?:[^"\\]|\\.)*)(")')


@dataclass(frozen=True, slots=True)
class NumberedNames:
    """The names of one prompt and its candidates; the first is #1."""

    names: tuple[str, ...]
    spans: tuple[tuple[int, int, str], ...]
    """The positions of the names in the prompt."""

    @classmethod
    def of(cls, prompt: str, texts: Sequence[str]) -> NumberedNames:
        lines = set(prompt.splitlines())
        quoted = [_unquoted(match[2]) for text in (prompt, *texts) for match in _QUOTED.finditer(text)]
        names = list(dict.fromkeys([*quoted, *(text for text in texts if f"name: {text}" in lines)]))
        spans: list[tuple[int, int, str]] = []
        taken = bytearray(len(prompt))
        for name in sorted(names, key=len, reverse=True):
            for match in _occurrences(name, prompt):
                if not any(taken[match.start() : match.end()]):
                    taken[match.start() : match.end()] = b"\1" * len(match[0])
                    spans.append((match.start(), match.end(), name))
        spans.sort()
        first = dict.fromkeys(name for _, _, name in spans)
        return cls((*first, *(name for name in names if name not in first)), tuple(spans))

    def in_prompt(self, prompt: str) -> str:
        numbers, parts, done = self._numbers(), [], 0
        for start, end, name in self.spans:
            parts += [prompt[done:start], f"#{numbers[name]}"]
            done = end
        return "".join([*parts, prompt[done:]])

    def in_text(self, text: str) -> str:
        """A candidate with numbers for these names; other names stay."""
        numbers = self._numbers()
        if text in numbers:
            return f"#{numbers[text]}"

        def number(match: re.Match[str]) -> str:
            name = _unquoted(match[2])
            return f"{match[1]}#{numbers[name]}{match[3]}" if name in numbers else match[0]

        return _QUOTED.sub(number, text)

    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names, start=1)}


def with_numbers(example: Example) -> Example:
    """The example with numbers, for a model that reads and writes numbers."""
    prompt, texts = asked_with_numbers(example.prompt, [*example.candidates, example.target])
    return Example(prompt, texts[-1], tuple(texts[:-1]))


def asked_with_numbers(prompt: str, texts: Sequence[str]) -> tuple[str, list[str]]:
    """A prompt and its candidates, in their order, with numbers."""
    numbered = NumberedNames.of(prompt, texts)
    return numbered.in_prompt(prompt), [numbered.in_text(text) for text in texts]


def _occurrences(name: str, prompt: str) -> Iterable[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", prompt, re.IGNORECASE) if name.strip() else ()


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
