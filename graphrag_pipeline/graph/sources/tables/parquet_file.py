"""Parquet files as batches of columns; every damage is a refusal that names the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import need
from graphrag_pipeline.graph.sources.tables.arrow_cells import cells, unfolded_size
from graphrag_pipeline.graph.sources.tables.cells import Batch
from graphrag_pipeline.graph.sources.tables.columns import check_names
from graphrag_pipeline.graph.sources.tables.parquet_footer import DAMAGED, Footer, read_footer
from graphrag_pipeline.graph.sources.tables.parquet_limits import (
    LONG,
    LONGEST_ROW,
    most_long,
    too_good,
    too_long,
)
from graphrag_pipeline.graph.sources.tables.parquet_pages import held_in

if TYPE_CHECKING:
    import pyarrow

BATCH = 65_536
"""Rows that are Python objects at a time, if they are short."""
HELD = LONGEST_ROW
"""Bytes that are Python objects at a time."""
STREAM = 1 << 20
LARGE = 16 << 20
PACKED = 200
"""How often larger than the file an honest file's content is at most, once it is :data:`LARGE`."""
MANY = 1 << 17
SQUEEZED = 20
"""How many values a byte of an honest file holds at most, once they are :data:`MANY`."""


@dataclass(slots=True)
class ParquetTable:
    """One Parquet file.

    Args:
        path: Where it is.
        wanted: Tells of a column whether to read it.
    """

    path: Path
    wanted: Callable[[str], bool] = lambda _: True
    all_columns: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    row_count: int = 0
    _file: Any = None  # Any: pyarrow has no types
    _rows: int = 0
    _left: int = 0
    _left_long: int = 0

    def __post_init__(self) -> None:
        parquet = need("pyarrow.parquet", "arrow", "Parquet files")
        footer = read_footer(self.path)
        folded = self._examine(footer)
        with refused(self.where):
            self._file = parquet.ParquetFile(
                str(self.path), read_dictionary=folded, pre_buffer=False, buffer_size=STREAM
            )
            names = self._file.schema_arrow.names
            check_names(names, self.where)
            self.all_columns = tuple(names)
            self.columns = tuple(name for name in names if self.wanted(name))
            self.row_count = footer.rows

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def where(self) -> str:
        """The file."""
        return str(self.path)

    def batches(self) -> Iterator[Batch]:
        """Read the rows.

        Raises:
            GraphSourceError: The file is damaged, or holds a value that is too long.
        """
        first = 1
        for batch in self._arrow_batches():
            size = self._size(batch)
            for part in _parts(batch, size, Places(self.where, first)):
                with refused(self.where):
                    columns = {name: cells(part.column(at)) for at, name in enumerate(part.schema.names)}
                yield Batch(columns, part.num_rows, Places(self.where, first))
                first += part.num_rows

    def _arrow_batches(self) -> Iterator[pyarrow.RecordBatch]:
        # One group after the other: Arrow joins no dictionaries of two groups inside lists.
        for group in range(self._file.num_row_groups):
            with refused(self.where):
                found = self._file.iter_batches(self._rows, row_groups=[group], columns=list(self.columns))
            while True:
                with refused(self.where):
                    batch = next(found, None)
                    if batch is None:
                        break
                    batch.validate(full=True)
                yield batch

    def _size(self, batch: pyarrow.RecordBatch) -> int:
        """Return how many bytes a batch unfolds to; refuse it when the file cannot honestly hold as many."""
        size = sum(unfolded_size(column) for column in batch.columns)
        self._left -= size
        self._left_long -= size if size > LONG * batch.num_rows else 0
        if min(self._left, self._left_long) < 0:
            raise too_good(self.where)
        return size

    def _examine(self, footer: Footer) -> list[str]:
        """Refuse what cannot be true, and return the columns that are read as their dictionaries."""
        self._left, self._rows = max(LARGE, PACKED * footer.size), BATCH
        self._left_long = most_long(footer.size)
        values: Counter[str] = Counter()
        for chunk in footer.chunks:
            values[chunk.path] += chunk.values
            if values[chunk.path] > max(MANY, SQUEEZED * footer.size):
                raise too_good(self.where, chunk.path)
        if sum(chunk.unpacked for chunk in footer.chunks) > self._left:
            raise too_good(self.where)
        held = held_in(self.path, footer, self._left)
        for column in held:
            if column.longest:
                self._rows = min(self._rows, LARGE // column.longest)
        size = sum(column.size for column in held)
        self._rows = max(1, min(self._rows, HELD // 2 * max(footer.rows, 1) // max(size, 1)))
        folded = [chunk.path for chunk, column in zip(footer.chunks, held, strict=True) if column.folded]
        return list(dict.fromkeys(folded))


@dataclass(frozen=True, slots=True)
class Places:
    """Names the rows of a batch.

    Args:
        where: The file.
        first: The number of the batch's first row, counted from one.
    """

    where: str
    first: int

    def __call__(self, at: int) -> str:
        """Return the place of a row of the batch."""
        return f"{self.where}: row {self.first + at}"


@contextmanager
def refused(where: str) -> Iterator[None]:
    """Turn what Arrow raises for a damaged file into a refusal.

    Raises:
        GraphSourceError: Something was raised.
    """
    try:
        yield
    except GraphSourceError:
        raise
    except MemoryError as error:
        raise GraphSourceError("The file needs more memory than there is.", where=where) from error
    except Exception as error:  # pyarrow raises children of seven classes, and says not which
        raise GraphSourceError(
            f"The Parquet file cannot be read: {' '.join(str(error).split())[:300]}.",
            where=where,
            hint=DAMAGED,
        ) from error


def _parts(batch: pyarrow.RecordBatch, size: int, places: Places) -> Iterator[pyarrow.RecordBatch]:
    """Cut a batch into parts that are small enough to hold as Python objects."""
    if size <= HELD:
        yield batch
        return
    if batch.num_rows == 1:
        raise too_long(places(0))
    half = batch.num_rows // 2
    for part, first in ((batch.slice(0, half), 0), (batch.slice(half), half)):
        yield from _parts(
            part, sum(map(unfolded_size, part.columns)), Places(places.where, places.first + first)
        )
