"""Archi's native format when the model has images: a ZIP archive with ``model.xml`` in it."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import opened

MEMBER = "model.xml"
LARGEST = 512 << 20
"""Most bytes that the model may have when it is unpacked."""
STEEPEST = 200
"""How many times its packed size it may have; XML is packed 5 to 30 times smaller."""
HARMLESS = 10 << 20
"""Below this many bytes, however well it was packed does not matter."""

MOST_MEMBERS = 20_000
ENTRY = b"PK\x01\x02"
"""What each entry of an archive's directory begins with."""
PIECE = 1 << 20

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


@contextmanager
def model_in_zip(path: Path) -> Iterator[BinaryIO]:
    """Open the model in an archive; it is unpacked piece by piece while it is read.

    Raises:
        GraphSourceError: The file is no archive, is damaged, has no model, or one that is too large.
    """
    _refuse_crowded(path)
    try:
        with (
            opened(path) as file,
            zipfile.ZipFile(file) as archive,
            archive.open(_member(archive, path)) as model,
        ):
            yield cast(BinaryIO, model)
    except _BROKEN as error:
        raise GraphSourceError(
            f"The ZIP archive cannot be read: {str(error) or 'it ends too early'}.",
            where=str(path),
            hint="Copy or download it again, or save the model without images.",
        ) from error


def _refuse_crowded(path: Path) -> None:
    """Refuse an archive of a great many members before a list of them is made."""
    entries = 0
    with opened(path) as file:
        while piece := file.read(PIECE):
            entries += piece.count(ENTRY)
    if entries > MOST_MEMBERS:
        raise GraphSourceError(
            f"The ZIP archive has some {entries:,} members.",
            where=str(path),
            hint=f"A model of Archi is {MEMBER} and a few images. Unpack it, and read {MEMBER}.",
        )


def _member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    names = archive.namelist()
    if MEMBER not in names:
        listed = ", ".join(names[:8]) or "nothing"
        raise GraphSourceError(
            f"The ZIP archive has no {MEMBER}, so it is no model of Archi.",
            where=str(path),
            hint=f"It holds: {listed}"[:300],
        )
    member = archive.getinfo(MEMBER)
    where = f"{path}: {MEMBER}"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # The other methods unpack a few bytes into megabytes at once, whatever is asked for.
        raise GraphSourceError("The model is packed by a method that Archi does not use.", where=where)
    steep = member.file_size > HARMLESS and member.file_size > STEEPEST * member.compress_size
    if member.file_size > LARGEST or steep:
        raise GraphSourceError(
            f"The model would have {member.file_size:,} bytes, unpacked from {member.compress_size:,}.",
            where=where,
            hint="Such an archive is made to fill the memory. Unpack it yourself if it is a real model.",
        )
    return member
