"""One request and its answer, with limits on everything a server can do."""

from __future__ import annotations

import email.utils
import http.client
import ssl
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from graphrag_lyra_http.address import Address
from graphrag_lyra_http.connection import Deadline, TimedConnection
from graphrag_lyra_http.failures import CallError

PIECE = 65_536
MAX_REDIRECTS = 3
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that may be others in a moment."""
MOVED = frozenset({301, 302, 307, 308})


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent.

    Args:
        method: ``POST`` or ``GET``.
        address: Where to.
        body: Its body; None with ``GET``.
        headers: All headers but those about the body's length and the host.
    """

    method: str
    address: Address
    body: bytes | None
    headers: Mapping[str, str]


def exchange(request: Request, deadline: Deadline, most: int) -> bytes:
    """Return the body of the answer: JSON, by its header.

    Redirects are followed on the same server alone, with the same method and body.

    Args:
        request: What is sent.
        deadline: When everything must be done.
        most: Longest body in bytes, unpacked.

    Raises:
        CallError: There is no such answer.
    """
    address = request.address
    for _ in range(MAX_REDIRECTS + 1):
        connection = TimedConnection(address, deadline)
        try:
            connection.request(request.method, address.path, request.body, dict(request.headers))
            with connection.getresponse() as response:
                if response.status in MOVED:
                    address = _moved(response, request.address, address)
                    continue
                _check(response, address)
                return _body(response, most, address)
        except CallError:
            raise
        except (OSError, http.client.HTTPException, UnicodeError, zlib.error) as error:
            raise _broken(error, address) from error
        finally:
            connection.close()
    raise CallError(f"more than {MAX_REDIRECTS} redirects", where=_place(request.address))


def _place(address: Address) -> str:
    """Return an address as messages show it: with ``GET``, what was asked stands behind the path."""
    return str(address).partition("?")[0]


def _moved(response: http.client.HTTPResponse, first: Address, now: Address) -> Address:
    location = response.getheader("Location", "")
    try:
        to = now.moved(location)
    except ValueError as error:
        raise CallError(f"a redirect to nowhere: {error}", where=_place(now)) from error
    if to.origin != first.origin:
        raise CallError(
            f"a redirect to another server, {to.scheme}://{to.host}:{to.port}, is not followed",
            where=_place(now),
            hint="Set base_url to where LYRA is now, if that is right.",
        )
    return to


def _check(response: http.client.HTTPResponse, address: Address) -> None:
    status = response.status
    if status != http.client.OK:
        passing = status in PASSING
        raise CallError(
            f"the server answered {status} {response.reason}".rstrip(),
            where=_place(address),
            hint="Set GRAPHRAG_LYRA_TOKEN to a token that is valid." if status in (401, 403) else "",
            may_pass=passing,
            is_servers=passing or status >= http.client.INTERNAL_SERVER_ERROR,
            after=_after(response.getheader("Retry-After", "")),
        )
    kind = response.headers.get_content_type() if response.getheader("Content-Type") else "nothing"
    if kind != "application/json" and not kind.endswith("+json"):
        raise CallError(f"the answer is no JSON but {kind}", where=_place(address))


def _after(value: str) -> float | None:
    """Return the seconds that ``Retry-After`` asks for (RFC 9110, 10.2.3); None when it makes no sense."""
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _body(response: http.client.HTTPResponse, most: int, address: Address) -> bytes:
    unpack = _unpacking(response.getheader("Content-Encoding", "identity"), address)
    if response.length is not None and response.length > most:
        raise _too_long(most, address)
    body = bytearray()
    while piece := response.read(PIECE):
        if unpack is None:
            body += piece
        else:
            body += unpack.decompress(piece, most + 1 - len(body))
        if len(body) > most:
            raise _too_long(most, address)
    # http.client says nothing of a body that is shorter than was promised, when it is read in pieces.
    if response.length or (unpack is not None and not unpack.eof):
        raise CallError("the answer ends in the middle", where=_place(address), may_pass=True)
    return bytes(body)


def _unpacking(encoding: str, address: Address) -> zlib._Decompress | None:
    """Return what unpacks a body that is packed though nobody asked for that; None for a plain one."""
    if encoding.strip().lower() in ("", "identity"):
        return None
    if encoding.strip().lower() not in ("gzip", "x-gzip"):
        raise CallError(
            f"the answer is packed as {encoding!r:.40}, and nobody asked for that", where=_place(address)
        )
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _too_long(most: int, address: Address) -> CallError:
    return CallError(
        f"the answer is longer than {most:,} bytes", where=_place(address), hint="Raise max_response_bytes."
    )


def _broken(error: Exception, address: Address) -> CallError:
    where = _place(address)
    if isinstance(error, TimeoutError):
        return CallError("no whole answer in time", where=where, may_pass=True)
    if isinstance(error, ssl.SSLCertVerificationError):
        return CallError(f"the certificate is not valid: {error.verify_message}", where=where)
    if isinstance(error, http.client.IncompleteRead):
        return CallError("the answer ends in the middle", where=where, may_pass=True)
    if isinstance(error, zlib.error):
        return CallError(f"the answer cannot be unpacked: {error}", where=where, may_pass=True)
    what = str(error) or type(error).__name__
    return CallError(f"the connection failed: {what}", where=where, may_pass=True)
