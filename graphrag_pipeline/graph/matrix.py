"""How many nodes there are in each Zachman cell, and that as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.zachman import Interrogative, Perspective

TITLE = 64
"""Characters of a title that fit."""
CELL_WIDTH, CELL_HEIGHT, LEFT, TOP = 92, 52, 132, 74


@dataclass(frozen=True, slots=True)
class Matrix:
    """Counts of nodes.

    Args:
        counts: Six rows of six columns, in the order of the Zachman matrix.
        row_only: Nodes of each row whose cell names no column.
        without: Nodes without a readable cell.
    """

    counts: tuple[tuple[int, ...], ...]
    row_only: tuple[int, ...]
    without: int

    @property
    def rows(self) -> dict[str, int]:
        """Nodes of each row, those without a column included."""
        return {
            row.value: sum(self.counts[place]) + self.row_only[place] for place, row in enumerate(Perspective)
        }

    @property
    def filled(self) -> int:
        """How many of the 36 cells hold a node."""
        return sum(count > 0 for row in self.counts for count in row)

    def below(self, floor: int, *, cells: bool = False) -> dict[str, int]:
        """Return the rows, or the cells, that hold fewer than ``floor`` nodes, with their counts."""
        counted = self.by_cell() if cells else self.rows
        return {name: count for name, count in counted.items() if count < floor}

    def by_cell(self) -> dict[str, int]:
        """Return the count of every cell by its coordinate, in row-major order."""
        return {
            f"{row.value}:{column.value}": self.counts[at][place]
            for at, row in enumerate(Perspective)
            for place, column in enumerate(Interrogative)
        }


def matrix_of(index: GraphIndex) -> Matrix:
    """Count a graph's nodes by cell."""
    rows, columns = index.perspectives.astype(np.int64), index.interrogatives.astype(np.int64)
    size = len(Interrogative)
    whole = (rows >= 0) & (columns >= 0)
    counts = np.bincount(rows[whole] * size + columns[whole], minlength=len(Perspective) * size)
    half = np.bincount(rows[(rows >= 0) & (columns < 0)], minlength=len(Perspective))
    without = int(((rows == NO_CODE) | (rows == UNREADABLE)).sum())
    return Matrix(
        tuple(tuple(row) for row in counts.reshape(len(Perspective), size).tolist()),
        tuple(half.tolist()),
        without,
    )


def matrix_svg(matrix: Matrix, title: str) -> str:
    """Return the matrix as an SVG image of its own: darker cells hold more nodes.

    Args:
        matrix: The counts.
        title: What it is of.
    """
    top = max((count for row in matrix.counts for count in row), default=0)
    width, height = LEFT + CELL_WIDTH * len(Interrogative) + 12, TOP + CELL_HEIGHT * len(Perspective) + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="system-ui, sans-serif" role="img">',
        f"<title>Zachman cells of {_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="28" font-size="16" font-weight="600" fill="#1c2733">{_text(_short(title))}</text>',
    ]
    for place, column in enumerate(Interrogative):
        middle = LEFT + CELL_WIDTH * place + CELL_WIDTH // 2
        parts.append(_label(middle, TOP - 12, column.value, "middle"))
    for at, row in enumerate(Perspective):
        parts.append(_label(LEFT - 12, TOP + CELL_HEIGHT * at + CELL_HEIGHT // 2 + 5, row.value, "end"))
        parts += [_cell(at, place, count, top) for place, count in enumerate(matrix.counts[at])]
    note = f"{matrix.filled} of 36 cells hold a node"
    if half := sum(matrix.row_only):
        note += f"; with a row only: {half}"
    note += f"; without a cell: {matrix.without}"
    parts.append(f'<text x="12" y="{height - 14}" font-size="12" fill="#52606d">{note}</text>')
    return "\n".join((*parts, "</svg>\n"))


def matrix_html(matrix: Matrix, title: str) -> str:
    """Return a page of its own with the image and the same counts as a table; it loads nothing."""
    head = "".join(f'<th scope="col">{column.value}</th>' for column in (*Interrogative,))
    rows = "".join(
        f'<tr><th scope="row">{row.value}</th>'
        + "".join(f"<td>{count}</td>" for count in (*matrix.counts[at], matrix.row_only[at]))
        + "</tr>\n"
        for at, row in enumerate(Perspective)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Zachman cells of {_text(title)}</title>\n<style>\n"
        "body{font:15px/1.5 system-ui,sans-serif;color:#1c2733;max-width:46rem;margin:2rem auto;"
        "padding:0 1rem}\n"
        "svg{max-width:100%;height:auto}table{border-collapse:collapse;margin-top:1rem}\n"
        "th,td{padding:.3rem .7rem;border-bottom:1px solid #d9e2ec;text-align:right}\n"
        'th[scope="row"]{text-align:left}\n</style></head><body>\n'
        f"{matrix_svg(matrix, title)}<table><thead><tr><th></th>{head}"
        f'<th scope="col">row only</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n</body></html>\n'
    )


def _cell(row: int, column: int, count: int, top: int) -> str:
    x, y = LEFT + CELL_WIDTH * column, TOP + CELL_HEIGHT * row
    # The square root keeps small counts apart from none beside a very large one.
    strength = (count / top) ** 0.5 if top else 0.0
    red, green, blue = (round(255 - (255 - end) * strength) for end in (20, 88, 138))
    ink = "#ffffff" if strength > 0.7 else "#1c2733" if count else "#9aa5b1"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL_WIDTH - 4}" height="{CELL_HEIGHT - 4}" rx="4" '
        f'fill="rgb({red},{green},{blue})" stroke="#d9e2ec"/>'
        f'<text x="{x + CELL_WIDTH // 2 - 2}" y="{y + CELL_HEIGHT // 2 + 4}" font-size="15" '
        f'text-anchor="middle" fill="{ink}">{count}</text>'
    )


def _label(x: int, y: int, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="13" text-anchor="{anchor}" fill="#52606d">{text}</text>'


def _short(title: str) -> str:
    """Return a title that fits the image; of a path, the end tells most."""
    return title if len(title) <= TITLE else f"…{title[1 - TITLE :]}"


def _text(text: str) -> str:
    return escape("".join(character if character.isprintable() else " " for character in text))
