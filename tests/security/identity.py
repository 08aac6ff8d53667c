"""An identity service that publishes its keys over HTTP, may withdraw one, and counts who asks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass
class IdentityService:
    keys: dict[str, Private] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Addresses that were asked for."""
    url: str = ""

    def published(self) -> bytes:
        return json.dumps({"keys": [as_jwk(name, key) for name, key in self.keys.items()]}).encode()


def as_jwk(name: str, key: Private) -> dict[str, Any]:
    if isinstance(key, rsa.RSAPrivateKey):
        written, algorithm = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()), "RS256"
    else:
        written, algorithm = jwt.algorithms.ECAlgorithm.to_jwk(key.public_key()), "ES256"
    return json.loads(written) | {"kid": name, "alg": algorithm, "use": "sig"}


def public_forms(key: Private) -> list[bytes]:
    """A public key in every form that somebody might take for a shared secret."""
    public, plain = key.public_key(), serialization.PublicFormat.SubjectPublicKeyInfo
    pem = public.public_bytes(serialization.Encoding.PEM, plain)
    return [pem, pem.strip(), public.public_bytes(serialization.Encoding.DER, plain)]


@contextmanager
def identifying() -> Iterator[IdentityService]:
    identity = IdentityService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            identity.asked.append(self.path)
            said = identity.published()
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    identity.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield identity
    finally:
        server.shutdown()
        server.server_close()
