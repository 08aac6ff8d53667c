"""A wire that can be cut: passes bytes on between a client and a server, late, not at all, or only some of them."""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress

_RESET = struct.pack("ii", 1, 0)
"""Close at once and tell the other side so, without the bytes that are on their way."""


class TcpProxy:
    """Listens on a port of loopback and passes everything on to another."""

    def __init__(self, target_port: int) -> None:
        self._target = ("127.0.0.1", target_port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.delay = 0.0
        """Seconds that what the server says is kept back."""
        self.bytes_left: int | None = None
        """How much the server may still say before the wire is cut in the middle of it."""
        self._is_cut = False
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, server_url: str) -> str:
        return server_url.replace(f":{self._target[1]}/", f":{self.port}/")

    def cut(self) -> None:
        """Reset every connection, and every new one."""
        self._is_cut = True
        with self._lock:
            for end in list(self._sockets):
                _reset(end)
            self._sockets.clear()

    def mend(self) -> None:
        self._is_cut, self.bytes_left, self.delay = False, None, 0.0

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._is_cut:
                _reset(client)
                continue
            try:
                server = socket.create_connection(self._target)
            except OSError:
                _reset(client)
                continue
            with self._lock:
                self._sockets |= {client, server}
            threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, True), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):
            while said := source.recv(65_536):
                if is_answer and self.delay:
                    time.sleep(self.delay)
                if is_answer and self.bytes_left is not None:
                    said = said[: self.bytes_left]
                    self.bytes_left -= len(said)
                    sink.sendall(said)
                    if self.bytes_left == 0:
                        self.cut()
                        return
                    continue
                sink.sendall(said)
        for end in (source, sink):
            with self._lock:
                self._sockets.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def _reset(end: socket.socket) -> None:
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        end.shutdown(socket.SHUT_RDWR)
    end.close()
