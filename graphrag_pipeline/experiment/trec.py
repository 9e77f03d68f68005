"""Reading TREC run files and qrels, strictly: what a file does not say plainly is an error, never a guess.

A run file has six columns, ``query Q0 document rank score tag``; qrels have four, ``query iteration
document relevance``. Columns are parted by blanks or tabs. A byte order mark, Windows line ends and
empty lines are let pass, since editors add them; nothing else is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.errors import DatasetError, GraphSourceError
from graphrag_pipeline.graph.reading.files import read_text

RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
QRELS_COLUMNS = ("query", "iteration", "document", "relevance")
LARGEST = 1_000_000
"""Largest relevance and rank: trec_eval sets aside memory for every level of relevance up to the largest."""
# Python's float() and int() take more than the format does: 1_000, digits of any script, "infinity".
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,7}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Qrels:
    """The judgements of a question set.

    Args:
        path: The file they were read from.
        relevance: By query id, then by document id; 0 and less is not relevant. Whole numbers are ints.
    """

    path: str
    relevance: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class RunFile:
    """What one system answered.

    Args:
        name: What the run is called in results.
        path: The file it was read from.
        rankings: By query id, the document ids, best first.
    """

    name: str
    path: str
    rankings: Mapping[str, tuple[str, ...]]


def read_qrels(path: Path) -> Qrels:
    """Read judgements.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, a document is judged twice, or none is.
    """
    relevance: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, (query, _, document, level) in _rows(path, QRELS_COLUMNS):
        _refuse_repeated(lines, (query, document), path, line, "is judged twice")
        relevance.setdefault(query, {})[document] = level_of(level, f"{path}:{line}")
    if not relevance:
        raise DatasetError("The file holds no judgement.", where=str(path))
    return Qrels(str(path), relevance)


def read_run(path: Path, name: str) -> RunFile:
    """Read a run; documents come in the order of :func:`_best_first`.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, a query ranks a document twice, or
            nothing is ranked.
    """
    found: dict[str, list[tuple[float, int, str]]] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, (query, _, document, rank, score, _) in _rows(path, RUN_COLUMNS):
        _refuse_repeated(lines, (query, document), path, line, "is ranked twice")
        entry = (_score(score, path, line), _integer(rank, "rank", path, line), document)
        found.setdefault(query, []).append(entry)
    if not found:
        raise DatasetError("The file holds no ranking.", where=str(path))
    return RunFile(name, str(path), {query: _best_first(entries) for query, entries in found.items()})


def _best_first(entries: list[tuple[float, int, str]]) -> tuple[str, ...]:
    """Order by score, the highest first; equal scores by rank, and equal ranks as the file has them.

    The score decides, as in trec_eval. That breaks ties by document id, which says nothing about the
    system; the file's own ranking is what the system meant.
    """
    return tuple(document for _, _, document in sorted(entries, key=lambda entry: (-entry[0], entry[1])))


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    try:
        text = read_text(path)
    except GraphSourceError as error:
        raise DatasetError(error.what, where=error.where, hint=error.hint) from error
    # Not splitlines() and not split(): ids may hold characters that Unicode calls line ends or blanks.
    for line, row in enumerate(text.split("\n"), start=1):
        cells = [cell for cell in re.split("[ \t]+", row.removesuffix("\r")) if cell]
        if not cells:
            continue
        if len(cells) != len(columns):
            raise DatasetError(
                f"The line has {len(cells)} column{'' if len(cells) == 1 else 's'}, not {len(columns)}.",
                where=f"{path}:{line}",
                hint=f"A line is: {' '.join(columns)}.{_likely(len(cells), columns)}",
            )
        yield line, cells


def _likely(found: int, columns: tuple[str, ...]) -> str:
    if found == len(QRELS_COLUMNS) and columns is RUN_COLUMNS:
        return " Four columns are those of qrels."
    if found == len(RUN_COLUMNS) and columns is QRELS_COLUMNS:
        return " Six columns are those of a run file."
    if found == 3 and columns is QRELS_COLUMNS:
        return " For qrels of BEIR, leave out the first line and put a 0 in as second column."
    return ""


def _refuse_repeated(
    lines: dict[tuple[str, str], int], key: tuple[str, str], path: Path, line: int, what: str
) -> None:
    first = lines.setdefault(key, line)
    if first != line:
        raise DatasetError(
            f"Document {key[1]!r} {what} for query {key[0]!r}.",
            where=f"{path}:{line}",
            hint=f"The first time is line {first}; leave one of them out.",
        )


def _score(text: str, path: Path, line: int) -> float:
    score = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(score):
        raise DatasetError(f"The score {text!r} is no finite number.", where=f"{path}:{line}")
    return score


def level_of(text: str, at: str) -> float:
    """Return a level of relevance: an int, or a float where it has a fraction.

    Raises:
        DatasetError: It is no number, or is too large.
    """
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not abs(number) <= LARGEST:
        raise DatasetError(f"The relevance {text!r:.60} is no number of at most {LARGEST}.", where=at)
    return int(number) if number.is_integer() else number


def _integer(text: str, what: str, path: Path, line: int) -> int:
    number = int(text) if _INTEGER.fullmatch(text) else LARGEST + 1
    if abs(number) > LARGEST:
        raise DatasetError(
            f"The {what} {text!r} is no whole number of at most {LARGEST}.", where=f"{path}:{line}"
        )
    return number
