"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from graphrag_pipeline.errors import GraphSourceError


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file, in place of one that is there.

    Raises:
        GraphSourceError: It cannot be written.
    """
    with explained(path):
        if path.is_dir() or not path.name:
            raise GraphSourceError("There is a folder of that name.", where=str(path))
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name[:100]}-", delete=False
        ) as file:
            building = Path(file.name)
            try:
                file.write(text)
                file.close()
                building.chmod(0o666 & ~umask())
                building.replace(path)
            finally:
                building.unlink(missing_ok=True)


def umask() -> int:
    """Return which permissions the user takes away from new files; temporary files ignore it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn the errors of writing into one that names the file.

    Raises:
        GraphSourceError: The body could not write.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise GraphSourceError(f"The graph cannot be written: {what}.", where=str(path)) from error
