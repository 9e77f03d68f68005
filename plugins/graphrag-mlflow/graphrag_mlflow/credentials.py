"""Whose credentials the environment holds: a config may come from a stranger, and may name a server."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

URI = "MLFLOW_TRACKING_URI"
CREDENTIALS = (
    *("MLFLOW_TRACKING_USERNAME", "MLFLOW_TRACKING_PASSWORD", "MLFLOW_TRACKING_TOKEN"),
    *("MLFLOW_TRACKING_AWS_SIGV4", "MLFLOW_TRACKING_AUTH", "MLFLOW_TRACKING_CLIENT_CERT_PATH"),
)
"""Variables by which MLflow tells a server who asks."""


def fault(tracking_uri: str | None) -> str:
    """Return why credentials must not go to a server, and what to do; empty when they may, or there are none.

    Args:
        tracking_uri: What a config names; None for the server that the environment names.
    """
    held = [name for name in CREDENTIALS if os.environ.get(name)]
    if tracking_uri is None or not held or urlsplit(tracking_uri).scheme not in ("http", "https"):
        return ""
    if _origin(os.environ.get(URI, "")) == _origin(tracking_uri):
        return ""
    return (
        f"{held[0]} is set, and a config cannot have it sent to a server that {URI} does not name: "
        f"set {URI}, or take {held[0]} out of the environment"
    )


def _origin(uri: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(uri)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
