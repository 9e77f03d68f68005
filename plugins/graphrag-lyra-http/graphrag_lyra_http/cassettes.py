"""Answers kept as files, one for each request, so that an experiment runs again offline and the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from graphrag_lyra_http.failures import CallError

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Question:
    """A call, as it is told apart from others: not by the server that is asked.

    Args:
        call: Name of the method.
        arguments: Its arguments.
    """

    call: str
    arguments: Mapping[str, Any]  # Any: JSON

    @property
    def key(self) -> str:
        """SHA-256 over call and arguments; the name of the cassette."""
        text = json.dumps([FORMAT, self.call, self.arguments], sort_keys=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


class Cassettes:
    """A directory of cassettes.

    Args:
        directory: Where they are; it is made when the first is kept.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def keep(self, question: Question, body: bytes) -> None:
        """Keep an answer; one that was kept before is replaced in one step.

        Raises:
            CallError: It cannot be written.
        """
        cassette = {
            "format": FORMAT,
            "call": question.call,
            "arguments": question.arguments,
            "sha256": hashlib.sha256(body).hexdigest(),
            "body": body.decode("utf-8"),
        }
        path = self._path(question)
        beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(cassette, indent=2, sort_keys=True) + "\n", "utf-8")
            beside.replace(path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise CallError(
                f"the answer cannot be kept: {error}", where=str(path), is_servers=False
            ) from error

    def find(self, question: Question) -> bytes:
        """Return the answer that was kept, byte for byte.

        Raises:
            CallError: There is none, or it is damaged.
        """
        path = self._path(question)
        try:
            cassette = json.loads(path.read_text("utf-8"))
        except FileNotFoundError as error:
            raise CallError(
                f"there is no cassette for this {question.call}, {path.name}",
                where=str(path),
                hint="Record it: cassette_mode=record, with a server.",
                is_servers=False,
            ) from error
        except (OSError, ValueError) as error:
            raise self._damaged(path, str(error)) from error
        if not isinstance(cassette, dict) or cassette.get("format") != FORMAT:
            raise self._damaged(path, "it is of another format")
        body = str(cassette.get("body")).encode("utf-8", "surrogatepass")
        if hashlib.sha256(body).hexdigest() != cassette.get("sha256"):
            raise self._damaged(path, "the answer in it is not the one that was kept")
        return body

    def _path(self, question: Question) -> Path:
        return self._directory / f"{question.key}.json"

    def _damaged(self, path: Path, why: str) -> CallError:
        return CallError(
            f"the cassette {path.name} is damaged: {why}",
            where=str(path),
            hint="Record it again.",
            is_servers=False,
        )
