"""An embedder as stages use it: checked, its rows of length 1, its last answers remembered."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import GraphRAGError, StageError
from graphrag_pipeline.stages.embedders.contract import Embedder

UnitRows: TypeAlias = NDArray[np.float32]
"""One row per text, of length 1; zeros where the embedder knows nothing of the text."""

CHUNK = 1024
"""Texts that an embedder is given at once."""
REMEMBERED = 1024
"""Texts whose rows are kept, so that the stages of one query do not embed it again each."""
FEW = 64
"""Calls with more texts than this, such as those of a whole graph, are not remembered."""


class Embedding:
    """Unit vectors of texts; safe to share between threads.

    A pipeline makes one for all components that name the same embedder with the same parameters, and hands
    it to them. In code of your own: ``Embedding(Hashing())``.

    Args:
        embedder: Where vectors come from.
        name: How messages call it; empty means its ``name``.
        origin: What tells it from another embedder of that name, such as the version of its plugin; asked
            for when vectors are first kept or looked for.
    """

    def __init__(
        self, embedder: Embedder, name: str = "", origin: Callable[[], Sequence[object]] | None = None
    ) -> None:
        self.embedder = embedder
        self.name = name or str(getattr(embedder, "name", type(embedder).__name__))
        self._origin = origin
        self._identity = ""
        self._dim = 0
        self._lock = Lock()
        self._rows: OrderedDict[str, UnitRows] = OrderedDict()

    @property
    def identity(self) -> str:
        """What vectors are kept under: who made them, and the embedder's own fingerprint.

        Raises:
            StageError: The embedder's fingerprint is no text, or it failed.
        """
        with self._lock:
            if not self._identity:
                print_: object = self._guarded(self.embedder.fingerprint)
                if not isinstance(print_, str) or not print_:
                    self._refuse(f"has the fingerprint {print_!r:.60}, which is not a text")
                origin = [type(self.embedder).__qualname__] if self._origin is None else self._origin()
                self._identity = json.dumps([*origin, print_])
            return self._identity

    def row(self, text: str) -> UnitRows | None:
        """Return the row of a text, or None for a blank one and where the embedder knows nothing of it."""
        if not text.strip():
            return None
        row = self.rows([text])[0]
        return row if row.any() else None

    def rows(self, texts: Sequence[str]) -> UnitRows:
        """Return one row per text.

        Args:
            texts: Texts, none of them blank.

        Raises:
            StageError: The embedder failed, or its answer is not what its contract says.
        """
        # What no file and no model can hold, a lone surrogate, is written as a question mark.
        clean = [text if text.isascii() else text.encode("utf-8", "replace").decode() for text in texts]
        with self._lock:
            if len(clean) > FEW:
                return self._asked(clean)
            asked = list(dict.fromkeys(text for text in clean if text not in self._rows))
            known = dict(zip(asked, self._asked(asked), strict=True))
            for text in clean:
                if text in self._rows:
                    self._rows.move_to_end(text)
                else:
                    self._rows[text] = known[text].copy()  # a view would keep all the others, too
            found = [self._rows[text] for text in clean]
            while len(self._rows) > REMEMBERED:
                self._rows.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, self._dim), dtype=np.float32)

    def _asked(self, texts: Sequence[str]) -> UnitRows:
        chunks = [self._chunk(texts[at : at + CHUNK]) for at in range(0, len(texts), CHUNK)]
        return np.concatenate(chunks) if chunks else np.zeros((0, self._dim), dtype=np.float32)

    def _chunk(self, texts: Sequence[str]) -> UnitRows:
        given: object = self._guarded(lambda: self.embedder.embed(texts))
        if not isinstance(given, np.ndarray) or given.dtype.kind != "f":
            what = str(given.dtype) if isinstance(given, np.ndarray) else type(given).__name__
            self._refuse(f"returned {what}, not an array of floating-point numbers")
        if given.ndim != 2 or given.shape[0] != len(texts) or not given.shape[1]:
            self._refuse(f"returned an array of shape {given.shape} for {len(texts)} texts")
        if self._dim and given.shape[1] != self._dim:
            self._refuse(f"returned rows of {given.shape[1]} numbers, and of {self._dim} before")
        rows = given.astype(np.float64)
        if not np.isfinite(rows).all():
            at = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
            self._refuse(f"returned a number that is not finite for the text {texts[at]!r:.60}")
        self._dim = given.shape[1]
        # The largest number goes first, so that no square is too large or too small to hold.
        scale = np.abs(rows).max(axis=1, keepdims=True)
        rows /= np.where(scale > 0, scale, 1.0)
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        rows /= np.where(length > 0, length, 1.0)
        return rows.astype(np.float32)

    def _guarded(self, call: Callable[[], object]) -> object:
        try:
            return call()
        except GraphRAGError:
            raise
        except Exception as error:
            raise StageError(
                f"The embedder {self.name!r} failed: {type(error).__name__}: {error}",
                where=f"embedder {self.name}",
                hint="The embedder raised this; run with --debug to see where.",
            ) from error

    def _refuse(self, what: str) -> NoReturn:
        raise StageError(
            f"The embedder {self.name!r} {what}.",
            where=f"embedder {self.name}",
            hint="This is a fault of the embedder; see its kind in docs/plugins.md.",
        )


def needed(embedding: Embedding | None, component: str) -> Embedding:
    """Return what a component was given.

    Raises:
        StageError: It was given nothing.
    """
    if embedding is None:
        raise StageError(
            f"{component} needs an Embedding, and was made without one",
            where=f"component {component}",
            hint="A pipeline gives it; in code of your own: embedding=Embedding(Hashing()).",
        )
    return embedding
