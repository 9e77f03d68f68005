"""Grows a column of few distinct names."""

from __future__ import annotations

from array import array

from graphrag_pipeline.graph.columns.values import NameColumn

_WIDER = {"B": "H", "H": "i"}


class NameBuilder:
    """Numbers names in order of first use, in as few bytes a row as their number allows."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._rows = array("B")
        self._replaced = False

    def put(self, position: int, name: str) -> None:
        """Set the name of a row: one that is there, or the next."""
        code = self._codes.setdefault(name, len(self._codes))
        if code >> (8 * self._rows.itemsize) and self._rows.typecode in _WIDER:
            self._rows = array(_WIDER[self._rows.typecode], self._rows)
        if position < len(self._rows):
            self._replaced |= self._rows[position] != code
            self._rows[position] = code
        else:
            self._rows.append(code)

    def finish(self) -> NameColumn:
        """Return the column; the builder is used up."""
        if not self._replaced:
            return NameColumn.of(self._rows, self._codes)
        # A name that only replaced rows had must leave no trace: equal graphs have equal columns.
        names, again = list(self._codes), NameBuilder()
        for position, code in enumerate(self._rows):
            again.put(position, names[code])
        return again.finish()
