"""A PostgreSQL server's address: read before the driver does, which would quote a password that it stumbles over."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from gunita.errors import StorageError

SECRET = ("password", "sslpassword", "passfile", "sslkey")
_HALF_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})")
UNREADABLE = (
    "the address of PostgreSQL cannot be read; it looks like postgresql://user:password@host:5432/database, where "
    "characters such as @ : / ? # % in a password are written as %40 %3A %2F %3F %23 %25"
)


def readable(url: str) -> str:
    """Give an address back, or refuse it without saying what stands in it."""
    try:
        parts = urlsplit(url)
        hosts = parts.netloc.rpartition("@")[2]
        # Several servers may be named, with commas between; each may have a port.
        ports = [port for host in hosts.split(",") if (port := host.rpartition("]")[2].partition(":")[2])]
    except ValueError:
        raise StorageError(UNREADABLE) from None
    if parts.netloc.count("@") > 1 or not all(port.isdigit() for port in ports) or _HALF_ENCODED.search(url):
        raise StorageError(UNREADABLE)
    return url


def without_secrets(url: str) -> str:
    """Give an address that may be shown: no user, no password, wherever they stand."""
    try:
        parts = urlsplit(readable(url))
    except StorageError:
        return "an address that cannot be read"
    shown = [(name, value) for name, value in parse_qsl(parts.query) if name.lower() not in SECRET]
    return urlunsplit(
        (parts.scheme, parts.netloc.rpartition("@")[2], parts.path, urlencode(shown, quote_via=quote), "")
    )
