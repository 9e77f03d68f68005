"""The parameters of the bridge."""

from __future__ import annotations

import re
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from graphrag_lyra_http.address import Address
from graphrag_lyra_http.server import URL, address_of, token_fault
from graphrag_pipeline import BridgeParams

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # RFC 9110, 5.6.2
_PATH = r"[A-Za-z0-9._~/-]*"
_KEPT = frozenset(
    {"authorization", "proxy-authorization", "cookie", "host", "connection", "transfer-encoding"}
    | {"content-length", "content-type", "accept", "accept-encoding", "expect", "te", "upgrade"}
)
"""Headers that the bridge writes itself, or that hold secrets."""


class LyraHttpParams(BridgeParams):
    """Where LYRA is, and how long to wait for it."""

    base_url: str | None = None
    """Address that the paths below are added to, ``https://host/path``; null is that of GRAPHRAG_LYRA_URL."""
    attempt_timeout_s: float = Field(default=4.0, gt=0, le=3600)
    """Seconds for one attempt, from connecting to the last byte; ``timeout_s`` is for all of them."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often an attempt is repeated that failed for a reason that may pass."""
    backoff_s: float = Field(default=0.2, ge=0, le=60)
    """Seconds before the first retry; doubled for each further one."""
    backoff_max_s: float = Field(default=5.0, ge=0, le=600)
    """Most seconds before a retry."""
    seed: int = 0
    """Seed of the jitter: waits are the same for the same request and attempt."""
    breaker_failures: int = Field(default=5, ge=1)
    """Failed calls in a row after which calls fail at once, without asking."""
    breaker_reset_s: float = Field(default=30.0, gt=0)
    """Seconds until one call is let through again, to see."""
    max_response_bytes: int = Field(default=5_000_000, ge=1, le=1_000_000_000)
    """Longest answer, unpacked."""
    method: Literal["POST", "GET"] = "POST"
    """Whether arguments are a JSON body, or stand behind the path."""
    query_path: str = Field(default="graph-of-thought", pattern=f"^{_PATH}$")
    """Where ``graph_of_thought_query`` is."""
    vocab_path: str = Field(default="vocab-lookup", pattern=f"^{_PATH}$")
    """Where ``vocab_lookup`` is."""
    expand_path: str = Field(default="harmonic-expand", pattern=f"^{_PATH}$")
    """Where ``harmonic_expand`` is."""
    headers: dict[str, str] = Field(default_factory=dict)
    """More headers, and no secrets: a config cannot read them."""
    cassette_mode: Literal["off", "record", "replay"] = "off"
    """Whether answers are kept, or taken from what was kept."""
    cassette_dir: str | None = Field(default=None, min_length=1)
    """Directory that they are kept in."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None:
            Address.of(value)
        return value

    @field_validator("headers")
    @classmethod
    def _are_headers(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not re.fullmatch(_TOKEN, name):
                raise ValueError(f"{name!r} is no name of a header")
            if name.lower() in _KEPT:
                raise ValueError(f"{name} cannot be set here; a token is read from GRAPHRAG_LYRA_TOKEN")
            if not text.isascii() or not text.isprintable():
                raise ValueError(f"{name} must be printable ASCII")
        return value

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.cassette_mode != "off" and self.cassette_dir is None:
            raise ValueError("cassette_mode needs a directory: cassette_dir=DIR")
        if self.cassette_mode == "replay":
            return self  # nobody is asked
        address = address_of(self.base_url)
        if address is None:
            raise ValueError(f"base_url is needed, such as bridge.base_url=https://HOST, or {URL}")
        if fault := token_fault(address):
            raise ValueError(fault)
        return self
