"""Turning what a plugin raised into one readable line and a place in its code."""

from __future__ import annotations

import inspect
import sys
import traceback
from pathlib import Path

from pydantic import ValidationError

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.model.faults import said_of


def plugin_errors() -> tuple[type[BaseException], ...]:
    """Return what counts as a plugin's own failure, for ``except``: it is asked when something was raised.

    ``sys.exit()`` in a plugin must not end the host, nor must a task of its own that was cancelled, nor what
    a library raises that is no ``Exception``, as pytest does to skip a test. Ctrl-C must, and a generator
    that is closed has to end.
    """
    ends = isinstance(sys.exception(), KeyboardInterrupt | GeneratorExit)
    return () if ends else (BaseException,)


def cause(error: BaseException) -> str:
    """Return type and message of an error, without a traceback."""
    if isinstance(error, GraphRAGError):
        return error.what
    if isinstance(error, ValidationError):
        return "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'parameters'}: {said_of(fault)}"
            for fault in error.errors(include_url=False)
        )
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def place(error: BaseException) -> str:
    """Return ``file:line`` where an error was raised; empty when that is not in a file."""
    if isinstance(error, GraphRAGError):
        return error.where
    if isinstance(error, ValidationError):
        return ""  # raised in pydantic, caused by the values
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno or 1}"
    # Frames of the import machinery and of this package say nothing about the plugin.
    own = str(Path(__file__).parent)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", own)) and "importlib" not in Path(frame.filename).parts
    ]
    return f"{shown(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""


def place_of(thing: object) -> str:
    """Return ``file:line`` where a function or class is defined; empty when that is unknown."""
    try:
        # Any: inspect refuses what has no source with TypeError, which is the answer wanted here.
        subject: object = inspect.unwrap(thing) if callable(thing) else thing
        file = inspect.getsourcefile(subject)  # type: ignore[arg-type]
        line = inspect.getsourcelines(subject)[1]  # type: ignore[arg-type]
    except (OSError, TypeError, ValueError):
        return ""
    return f"{shown(file)}:{line}" if file else ""


def shown(file: str | Path) -> str:
    """Return a path as people want to read it: relative when it is below the working directory."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(file)
