"""A chart of several lines with logarithmic axes, as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import ceil, floor, log10

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 560, 320, 64, 34, 150, 44
_COLOURS = ("#2563a8", "#b8462c", "#3d7d3a", "#7a4ea3", "#8a6d1b", "#4a4a4a")


def chart(title: str, unit: str, below: str, lines: Mapping[str, Mapping[float, float]]) -> str:
    """Lines by name, each from x to y, both above 0."""
    xs = [x for line in lines.values() for x in line]
    ys = [y for line in lines.values() for y in line.values() if y > 0]
    x0, x1 = floor(log10(min(xs))), max(ceil(log10(max(xs))), floor(log10(min(xs))) + 1)
    y0, y1 = floor(log10(min(ys))), max(ceil(log10(max(ys))), floor(log10(min(ys))) + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        across, up = (log10(x) - x0) / (x1 - x0), (log10(y) - y0) / (y1 - y0)
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="11"><rect width="100%" height="100%" fill="white"/>',
        _text(_LEFT, 18, f"{title} ({unit})", size=13),
        _text(_LEFT + (_WIDTH - _LEFT - _RIGHT) / 2, _HEIGHT - 8, below, anchor="middle"),
    ]
    for power in range(x0, x1 + 1):
        x, bottom = place(10**power, 10**y0)
        parts += [_rule(x, _TOP, x, bottom), _text(x, bottom + 15, f"1e{power}", anchor="middle")]
    for power in range(y0, y1 + 1):
        left, y = place(10**x0, 10**power)
        parts += [_rule(left, y, _WIDTH - _RIGHT, y), _text(left - 6, y + 4, f"{10.0**power:,g}", anchor="end")]
    for number, (name, line) in enumerate(lines.items()):
        parts += _line(name, [place(x, y) for x, y in sorted(line.items()) if y > 0], number)
    return "".join([*parts, "</svg>"]) + "\n"


def _line(name: str, points: list[tuple[float, float]], number: int) -> list[str]:
    colour, height = _COLOURS[number % len(_COLOURS)], _TOP + 14 + 18 * number
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    key = f'<rect x="{_WIDTH - _RIGHT + 12}" y="{height - 8}" width="12" height="4" fill="{colour}"/>'
    line = f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return [line, *dots, key, _text(_WIDTH - _RIGHT + 29, height - 2, name)]


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
