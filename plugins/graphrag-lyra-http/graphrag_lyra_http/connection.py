"""A connection with one time limit for everything, from connecting to the last byte.

A time limit of a socket holds for each piece that arrives, so that a server that sends a byte now and then
could keep a caller for ever. Here the socket is given what is left of the whole before each piece.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from graphrag_lyra_http.address import Address


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment, on the monotonic clock.

    Args:
        at: When; infinity is never.
    """

    at: float

    @classmethod
    def within(cls, seconds: float) -> Deadline:
        """Return the moment so many seconds from now."""
        return cls(time.monotonic() + seconds)

    def left(self) -> float:
        """Return the seconds that are left.

        Raises:
            TimeoutError: None are.
        """
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


class TimedConnection(HTTPConnection):
    """An HTTP connection that keeps a deadline; it knows no proxies.

    Args:
        address: The server.
        deadline: When everything must be done.
    """

    def __init__(self, address: Address, deadline: Deadline) -> None:
        super().__init__(address.host, address.port)
        self._address = address
        self._deadline = deadline

    def connect(self) -> None:
        """Connect, and encrypt where the address says so; certificates and names are checked."""
        address, deadline = self._address, self._deadline
        plain = socket.create_connection((address.host, address.port), timeout=deadline.left())
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if address.scheme == "https":
                plain.settimeout(deadline.left())
                plain = ssl.create_default_context().wrap_socket(plain, server_hostname=address.host)
        except BaseException:
            plain.close()
            raise
        # http.client asks of its socket no more than _TimedSocket has.
        self.sock = _TimedSocket(plain, deadline)


class _TimedSocket:
    """The part of a socket that http.client uses."""

    def __init__(self, plain: socket.socket, deadline: Deadline) -> None:
        self._plain = plain
        self._deadline = deadline
        self._is_read = False

    def sendall(self, data: bytes) -> None:
        self._plain.settimeout(self._deadline.left())
        self._plain.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        self._is_read = True
        return io.BufferedReader(_TimedReader(self._plain, self._deadline))

    def close(self) -> None:
        # http.client closes its socket when it has the headers; whoever reads the body then closes it.
        if not self._is_read:
            self._plain.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, plain: socket.socket, deadline: Deadline) -> None:
        self._plain = plain
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        self._plain.settimeout(self._deadline.left())
        return self._plain.recv_into(buffer)

    def close(self) -> None:
        self._plain.close()
        super().close()
