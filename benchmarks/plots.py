"""Drawings and tables for the documentation, without a plotting library: readable in light and in dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

_Across: TypeAlias = Callable[[float], float]

_LABEL, _WIDTH, _ROW, _TOP = 430, 980, 20, 64
_COLOURS = ("#d9480f", "#1c7ed6", "#868e96", "#2b8a3e", "#9c36b5", "#e67700", "#0b7285", "#c2255c")

_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #212529 }
.title { font-weight: 600; font-size: 14px }
.grid { stroke: #dee2e6 }
.join { stroke: #adb5bd; stroke-width: 2 }
.paper { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e9ecef } .grid { stroke: #343a40 } .join { stroke: #495057 } .paper { fill: #16191d }
}
"""


@dataclass(frozen=True)
class Dot:
    name: str
    value: float


@dataclass(frozen=True)
class Row:
    label: str
    dots: Sequence[Dot]


def dot_plot(title: str, rows: Sequence[Row]) -> str:
    """Draw a line of dots for each row on one logarithmic scale."""
    values = [dot.value for row in rows for dot in row.dots]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    names = list(dict.fromkeys(dot.name for row in rows for dot in row.dots))
    colours = dict(zip(names, _COLOURS, strict=False))
    height = _TOP + _ROW * len(rows) + 30

    def across(value: float) -> float:
        return _LABEL + (math.log10(value) - low) / (high - low) * (_WIDTH - _LABEL - 40)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{height}"/>',
        f'<text class="title" x="12" y="22">{escape(title)}</text>',
        *_legend(colours),
        *_scale([10**power for power in range(low, high + 1)], across, height),
    ]
    for number, row in enumerate(rows):
        parts += _line(row, _TOP + _ROW * number + _ROW // 2, across, colours)
    return "\n".join([*parts, "</svg>", ""])


def _legend(colours: dict[str, str]) -> list[str]:
    parts, place = [], 16.0
    for name, colour in colours.items():
        parts.append(f'<circle cx="{place}" cy="40" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{place + 10}" y="44">{escape(name)}</text>')
        place += 34 + 6.6 * len(name)
    return parts


def _scale(ticks: Sequence[float], across: _Across, height: int) -> list[str]:
    parts = []
    for tick in ticks:
        at = across(tick)
        parts.append(f'<line class="grid" x1="{at:.1f}" y1="{_TOP - 6}" x2="{at:.1f}" y2="{height - 24}"/>')
        parts.append(f'<text x="{at:.1f}" y="{height - 8}" text-anchor="middle">{tick:,.0f}</text>')
    return parts


def _line(row: Row, y: float, across: _Across, colours: dict[str, str]) -> list[str]:
    places = [across(dot.value) for dot in row.dots]
    return [
        f'<text x="{_LABEL - 14}" y="{y + 4}" text-anchor="end">{escape(row.label)}</text>',
        f'<line class="join" x1="{min(places):.1f}" y1="{y}" x2="{max(places):.1f}" y2="{y}"/>',
        *(
            f'<circle cx="{place:.1f}" cy="{y}" r="5" fill="{colours[dot.name]}">'
            f"<title>{escape(dot.name)}: {dot.value:,.0f} µs</title></circle>"
            for place, dot in reversed(list(zip(places, row.dots, strict=True)))
        ),
    ]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Write a table whose first columns are words and whose others are numbers."""
    rule = ["---" if position < left else "---:" for position in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rows))
