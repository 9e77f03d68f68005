"""Vectors kept from one run to the next, in one file each."""

from __future__ import annotations

import logging
import os
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import numpy as np

from graphrag_pipeline.graph.storage.cache import user_directory
from graphrag_pipeline.stages.dense.vectors import NodeVectors

logger = logging.getLogger(__name__)

SUFFIX = ".npz"
DRAFT = ".draft-"
STALE_SECONDS = 3_600.0
"""A draft that is this old was left behind by a process that died."""


def vector_directory() -> Path:
    """Return where this user's vectors are kept, beside the indexes."""
    return user_directory().parent / "vectors"


class VectorCache:
    """Finds and keeps vectors by a digest of all that they depend on.

    A file appears whole or not at all. Two processes may write the same one: both end well, and the last
    one's file stays. The format, an uncompressed ``.npz``, has a checksum for every array, which is compared
    when the array is read.

    Args:
        directory: Where files are kept; it may be removed at any time.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def find(self, digest: str, nodes: int) -> NodeVectors | None:
        """Return the vectors kept under a digest, or None when there are none of use.

        Args:
            digest: Digest of what they depend on, in hexadecimal.
            nodes: How many nodes they are for.
        """
        path = self._path(digest)
        try:
            # Opened here: numpy leaves a file that it was given by name open when it is broken.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                unit, row = kept["unit"], kept["row"]
        except FileNotFoundError:
            return None
        # zlib's own error is none of these; a broken header may raise anything that parsing raises.
        except (
            OSError,
            ValueError,
            KeyError,
            EOFError,
            SyntaxError,
            NotImplementedError,
            zipfile.BadZipFile,
        ) as error:
            _useless(path, str(error))
            return None
        fits = unit.dtype == np.float32 and unit.ndim == 2 and row.dtype == np.int32 and row.shape == (nodes,)
        if (
            not fits
            or not np.isfinite(unit).all()
            or row.max(initial=-1) >= len(unit)
            or row.min(initial=0) < -1
        ):
            _useless(path, "it holds something else")
            return None
        return NodeVectors(unit, row)

    def keep(self, digest: str, vectors: NodeVectors) -> None:
        """Write vectors for later runs; that they cannot be written is only worth a warning."""
        draft = self._directory / f"{DRAFT}{uuid4().hex[:12]}"
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._sweep()
            with draft.open("xb") as file:
                np.savez(file, unit=vectors.unit, row=vectors.row)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path(digest))
        except (OSError, ValueError) as error:
            logger.warning("The vectors are not kept; cache_dir=null ends this. %s", error)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._directory / f"{digest[:32]}{SUFFIX}"

    def _sweep(self) -> None:
        long_ago = time.time() - STALE_SECONDS
        for draft in self._directory.glob(f"{DRAFT}*"):
            with suppress(OSError):  # another process removed or renamed it meanwhile
                if draft.stat().st_mtime < long_ago:
                    draft.unlink()


def _useless(path: Path, why: str) -> None:
    logger.warning("Kept vectors are of no use, they are computed anew. %s (%s)", why, path)
