"""The address of a server, checked."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a path on it.

    Args:
        scheme: ``http`` or ``https``.
        host: Its name or IP address.
        port: Its port.
        path: The path, and what stands behind it.
    """

    scheme: str
    host: str
    port: int
    path: str = "/"

    @classmethod
    def of(cls, url: str) -> Address:
        """Read an address.

        Raises:
            ValueError: It is none, or holds a name, a password, a query or a fragment.
        """
        if not url.isprintable() or " " in url or "\\" in url:
            raise ValueError("the address has a blank, a backslash or a character that cannot be seen")
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError("must begin with https:// or http:// and name a host")
        if "@" in parts.netloc:
            raise ValueError(
                "an address holds no name and no password; a token is read from GRAPHRAG_LYRA_TOKEN"
            )
        if parts.query or parts.fragment:
            raise ValueError("the address of a service has nothing behind ? or #")
        try:
            port = parts.port
        except ValueError as error:
            raise ValueError("the port must be a number up to 65535") from error
        return cls(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], parts.path or "/")

    @property
    def origin(self) -> tuple[str, str, int]:
        """What must be the same for two addresses to be one server."""
        return self.scheme, self.host, self.port

    @property
    def origin_url(self) -> str:
        """The server without a path, as a URL."""
        return str(Address(*self.origin, path=""))

    @property
    def is_this_machine(self) -> bool:
        """Whether what is sent there does not leave this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def below(self, path: str) -> Address:
        """Return an address below this one."""
        return Address(*self.origin, f"{self.path.rstrip('/')}/{path.lstrip('/')}")

    def moved(self, location: str) -> Address:
        """Return where a redirect leads to; relative ones start here.

        Raises:
            ValueError: It is no address, or one with a name and password.
        """
        parts = urlsplit(urljoin(str(self), location))
        plain = parts._replace(query="", fragment="").geturl()
        target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        return Address(*Address.of(plain).origin, target)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"
