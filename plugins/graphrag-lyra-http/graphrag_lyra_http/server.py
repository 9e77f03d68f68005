"""Which server is asked, and whether it may have the token.

A config may come from a stranger, and may name a server. So the environment says whose token it is.
"""

from __future__ import annotations

import os

from graphrag_lyra_http.address import Address

TOKEN = "GRAPHRAG_LYRA_TOKEN"  # the name of a variable
URL = "GRAPHRAG_LYRA_URL"


def token() -> str:
    """Return the token; empty when there is none."""
    return os.environ.get(TOKEN, "").strip()


def address_of(base_url: str | None) -> Address | None:
    """Return the server of a config, or else that of the environment; None when neither names one.

    Raises:
        ValueError: It is no address.
    """
    return _named() if base_url is None else Address.of(base_url)


def token_fault(address: Address) -> str:
    """Return why the token must not go to an address, and what to do; empty when it may, or there is none.

    Raises:
        ValueError: What the environment names is no address.
    """
    if not token():
        return ""
    named = _named()
    if named is not None and named.origin == address.origin:
        return ""
    asked = address.origin_url
    other = "no variable says whose it is" if named is None else f"{URL} names another server"
    return (
        f"{TOKEN} is set, {other}, and a config cannot have it sent to {asked}: "
        f"set {URL}={asked} if that is the token's server, or take {TOKEN} out of the environment"
    )


def _named() -> Address | None:
    text = os.environ.get(URL, "").strip()
    try:
        return Address.of(text) if text else None
    except ValueError as error:
        raise ValueError(f"the environment variable {URL}: {error}") from error
