"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from graphrag_pipeline.errors import GraphSourceError

Write = Callable[[Path], None]


def write_text(path: Path, text: str, *, replace: bool = False) -> None:
    """Write a UTF-8 file.

    Args:
        path: Its name.
        text: Its content.
        replace: Whether a file of that name may be replaced.

    Raises:
        GraphSourceError: Something is there, or it cannot be written.
    """

    def write(made: Path) -> None:
        made.write_text(text, encoding="utf-8")

    write_file(path, write, replace=replace)


def write_file(path: Path, write: Write, *, replace: bool = False) -> None:
    """Write a file in a place of its own, and give it its name once it is whole.

    A link is followed: the file that it names is the one that is written.

    Args:
        path: Its name.
        write: Writes the file that it is given.
        replace: Whether a file of that name may be replaced; it keeps its permissions.

    Raises:
        GraphSourceError: Something is there that may not be replaced, or it cannot be written.
    """
    with _explained(path):
        target = _target(path)
        mode = check_file(path, replace=replace)
        with _building(target) as building:
            made = building / "made"
            write(made)
            made.chmod(0o666 & ~_umask() if mode is None else mode)
            if replace:
                made.replace(target)
                return
            try:
                # Unlike a rename, a link never replaces what appeared there meanwhile.
                os.link(made, target)
            except FileExistsError:
                raise _taken(path) from None
            except OSError:  # a file system without links
                check_file(path, replace=False)
                made.replace(target)


def write_folder(path: Path, write: Write, names: Set[str], *, replace: bool = False) -> None:
    """Write a folder of files in a place of its own, and give it its name once it is whole.

    Args:
        path: Its name.
        write: Writes the files into the folder that it is given.
        names: Names of the files; a folder that holds any other is never replaced.
        replace: Whether a folder of that name may be replaced; an empty one always may.

    Raises:
        GraphSourceError: Something is there that may not be replaced, or it cannot be written.
    """
    with _explained(path):
        target = _target(path)
        mode = check_folder(path, names, replace=replace)
        with _building(target) as building:
            made, before = building / "made", building / "before"
            made.mkdir()
            write(made)
            made.chmod(0o777 & ~_umask() if mode is None else mode)
            if target.exists():
                target.replace(before)
            try:
                if before.exists():
                    check_folder(before, names, replace=replace, shown=path)
                made.replace(target)
            except (OSError, GraphSourceError):
                if before.exists():
                    before.replace(target)
                raise


def check_file(path: Path, *, replace: bool) -> int | None:
    """Check that a file may be written, and return the permissions of the one that is there.

    Raises:
        GraphSourceError: It may not.
    """
    if not path.name:
        raise GraphSourceError("The file needs a name.", where=str(path))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise GraphSourceError("A folder is there, and a file is to be written.", where=str(path))
    if not stat.S_ISREG(mode):
        raise GraphSourceError("What is there is no file, but a device, a pipe or a socket.", where=str(path))
    if not replace:
        raise _taken(path)
    return stat.S_IMODE(mode)


def check_folder(path: Path, names: Set[str], *, replace: bool, shown: Path | None = None) -> int | None:
    """Check that a folder may be written, and return the permissions of the one that is there.

    Raises:
        GraphSourceError: It may not.
    """
    shown = shown or path
    if not path.name:
        raise GraphSourceError("The folder needs a name.", where=str(shown))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(mode):
        raise GraphSourceError("A file is there, and a folder is to be written.", where=str(shown))
    there = sorted(entry.name for entry in path.iterdir())
    if others := [name for name in there if name not in names]:
        what = f"The folder holds other files, such as {others[0]!r}."
        raise GraphSourceError(what, where=str(shown), hint="Name a new one.")
    if there and not replace:
        raise _taken(shown)
    return stat.S_IMODE(mode)


def _taken(path: Path) -> GraphSourceError:
    return GraphSourceError("There is something already.", where=str(path), hint="--force replaces it.")


def _target(path: Path) -> Path:
    """Return what a name stands for: of a link, the file that it names, whether that is there or not."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def _building(target: Path) -> Iterator[Path]:
    building = Path(mkdtemp(prefix=f".{target.name[:100]}-", dir=target.parent))
    try:
        yield building
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _umask() -> int:
    """Return which permissions the user takes away from new files; temporary files ignore it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn the errors of writing into one that names the file.

    Raises:
        GraphSourceError: The body could not write.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        hint = "" if path.parent.is_dir() else f"There is no folder {path.parent}."
        raise GraphSourceError(f"It cannot be written: {what}.", where=str(path), hint=hint) from error
