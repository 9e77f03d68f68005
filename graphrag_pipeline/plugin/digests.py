"""SHA-256 of a plugin's code, so that a manifest tells which code produced a result.

One file has the digest of its bytes. A package has the digest of a list: one line per file, its
digest and its name, sorted by name. Byte code and hidden files do not count.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType


def digest_of_path(path: Path) -> str:
    """Return the digest of a file, or of all files of a package directory."""
    if path.is_dir():
        return _digest({file.relative_to(path).as_posix(): file for file in _files(path)})
    return _digest({path.name: path})


def digest_of_library() -> str:
    """Return the digest of this package's own modules; not its YAML, which a checkout keeps elsewhere."""
    root = Path(__file__).parent.parent
    return _digest({file.relative_to(root).as_posix(): file for file in _files(root) if file.suffix == ".py"})


def digest_of_object(plugin: object, classes: tuple[object, ...] = ()) -> str | None:
    """Return the digest of an imported plugin, or None when its code is not in files.

    Args:
        plugin: A module or package, or an object defined in one.
        classes: Its components; the modules that define them count too, when they lie elsewhere.
    """
    module = plugin if isinstance(plugin, ModuleType) else sys.modules.get(type(plugin).__module__)
    if module is None:
        return None
    files = dict(_of_module(module))
    for owner in sorted({str(getattr(cls, "__module__", "")) for cls in classes}):
        # A package's own modules are in its directory already.
        if owner in sys.modules and not f"{owner}.".startswith(f"{module.__name__}."):
            files.update(_of_module(sys.modules[owner]))
    try:
        return _digest(files) if files else None
    except OSError:
        return None  # imported from an archive, or removed since


def _of_module(module: ModuleType) -> Iterator[tuple[str, Path]]:
    if not (file := getattr(module, "__file__", None)):
        return
    path = Path(file)
    if path.name == "__init__.py":
        for found in _files(path.parent):
            yield f"{module.__name__}/{found.relative_to(path.parent).as_posix()}", found
    else:
        yield module.__name__, path


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        yield from (Path(parent, name) for name in names if not name.startswith(".") and ".pyc" not in name)


def _digest(files: Mapping[str, Path]) -> str:
    each = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    if len(each) == 1:
        return next(iter(each.values()))
    listing = "".join(f"{each[name]}  {name}\n" for name in sorted(each))
    return hashlib.sha256(listing.encode()).hexdigest()
