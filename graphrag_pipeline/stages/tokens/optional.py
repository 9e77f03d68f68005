"""What the counters of real tokens share: optional packages, and text that they take."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from graphrag_pipeline.errors import PluginError


def need(module: str, extra: str, counter: str) -> Any:  # Any: a module
    """Import an optional package.

    Args:
        module: Its module.
        extra: The extra of this package that installs it.
        counter: The token counter that needs it.

    Raises:
        PluginError: It is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise PluginError(
            f"The token counter {counter!r} needs the package {module}, which is not installed.",
            hint=f'Install it: pip install "graphrag-pipeline[{extra}]"',
        ) from error


def encodable(text: str) -> str:
    """Return a text with lone surrogates, which no tokenizer takes, as replacement characters."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
