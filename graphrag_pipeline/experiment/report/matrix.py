"""The 36 Zachman cells with the relevant nodes in each."""

from __future__ import annotations

from graphrag_pipeline.experiment.report.elements import Cell, Column, counted, note, section, table
from graphrag_pipeline.experiment.report.tallies import FOUND, GOLD, KEPT, ROW_ONLY, Tally
from graphrag_pipeline.model.zachman import Interrogative, Perspective

LEVELS = 5


def coverage_matrix(tally: Tally | None) -> str:
    """Return the section of the matrix; nothing where no relevant node has a cell."""
    if tally is None or not tally.counts.any():
        return ""
    row_only = bool(tally.counts[GOLD, :, ROW_ONLY].any())
    width = ROW_ONLY + row_only
    names = [*(column.value for column in Interrogative), "row only"][:width]
    rows = [
        (row.value, *(_cell(tally, at, place) for place in range(width)), _total(tally, at))
        for at, row in enumerate(Perspective)
    ]
    filled = int((tally.counts[GOLD, :, :ROW_ONLY] > 0).sum())
    lost = int((tally.counts[KEPT] < tally.counts[GOLD]).sum())
    return section(
        "cells",
        "Zachman cells",
        note(
            "Each cell has the share of its relevant nodes that are in the context, and below it how many "
            "are in the context, in the result, and relevant at all; a node counts once for each query that "
            f"it is relevant to. {filled} of 36 cells hold a relevant node; in {counted(lost, 'cell')} one "
            "is missing from a context."
        ),
        table(
            "Relevant nodes by cell: in the context / in the result / relevant",
            [Column("perspective"), *map(Column, names), Column("all")],
            rows,
            name="cell-matrix",
        ),
        note(f"{counted(tally.without, 'pair')} of a query and a relevant node without a cell are not in it.")
        if tally.without
        else "",
    )


def _cell(tally: Tally, row: int, column: int) -> str | Cell:
    gold, found, kept = (int(tally.counts[what, row, column]) for what in (GOLD, FOUND, KEPT))
    return _share(gold, found, kept)


def _total(tally: Tally, row: int) -> str:
    gold, found, kept = (int(tally.counts[what, row].sum()) for what in (GOLD, FOUND, KEPT))
    return _share(gold, found, kept)


def _share(gold: int, found: int, kept: int) -> str:
    if not gold:
        return '<span class="cell none">—</span>'
    level = kept * (LEVELS - 1) // gold
    return (
        f'<span class="cell level{level}"><b>{100 * kept / gold:.0f} %</b>'
        f"<small>{kept}&#8201;/&#8201;{found}&#8201;/&#8201;{gold}</small></span>"
    )
