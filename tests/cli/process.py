"""Commands as processes of their own: with their streams in pipes, or in a terminal that somebody types into."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from gunita.cli.commands import app

COMMAND = [sys.executable, "-c", "from gunita.cli import main; main()"]
PATIENCE = 60
"""Seconds after which a terminal that says nothing has hung."""
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|[\x01\x02\r]")


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GUNITA_", "DATABASE_", "XDG_", "COLUMNS", "LINES"))
    }
    return kept | {"HOME": str(folder), "OMP_NUM_THREADS": "1"} | more


def gunita(folder: Path, *arguments: str, said: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a process; on PostgreSQL in this one, where it does the same without most of the time."""
    if any(argument.startswith("postgresql://") for argument in arguments):
        return _in_this_process(folder, arguments, said, environment(folder, **env))
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, **env),
        input=said,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )


def _in_this_process(
    folder: Path, arguments: Sequence[str], said: str, env: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    unset = dict.fromkeys(os.environ.keys() - env.keys())
    with chdir(folder):
        ended = CliRunner().invoke(app, arguments, input=said, env=unset | env)
    return subprocess.CompletedProcess(arguments, ended.exit_code, ended.stdout, ended.stderr)


def done(folder: Path, *arguments: str, said: str = "", **env: str) -> str:
    """Run a command that must succeed; give what it writes."""
    ended = gunita(folder, *arguments, said=said, **env)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def told(folder: Path, *arguments: str, said: str = "", **env: str) -> Any:
    """Run a command that must succeed, and read the JSON it writes."""
    return json.loads(done(folder, *arguments, "--json", said=said, **env))


class Terminal:
    """A command in a terminal."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self._process = process
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.raw = ""
        self._read_to = 0

    @property
    def shown(self) -> str:
        """Everything that was shown, without colours and the like."""
        return _STEERING.sub("", self.raw)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> str:
        """Wait until a text is shown, behind what was waited for before; give what was shown up to it."""
        until = time.monotonic() + PATIENCE
        while (at := self.shown.find(text, self._read_to)) < 0:
            assert time.monotonic() < until, f"{text!r} was not shown; this was: {self.shown[self._read_to :]}"
            assert self._hear(), f"it ended without {text!r}: {self.shown[self._read_to :]}"
        before, self._read_to = self.shown[self._read_to : at], at + len(text)
        return before

    def press_ctrl_c_until(self, text: str) -> None:
        """Press Ctrl-C, again where nothing happens: readline may miss one just before it waits for keys."""
        until = time.monotonic() + PATIENCE
        while text not in self.shown[self._read_to :]:
            assert time.monotonic() < until, f"{text!r} was not shown; this was: {self.shown[self._read_to :]}"
            self.type("\x03")
            for _ in range(20):
                if text not in self.shown[self._read_to :]:
                    assert self._hear(), f"it ended without {text!r}: {self.shown[self._read_to :]}"
        self.wait_for(text)

    def wait_for_end(self) -> int:
        while self._hear():
            pass
        return self._process.wait(PATIENCE)

    def _hear(self) -> bool:
        """Take what is shown next; tell whether there may be more."""
        ready, _, _ = select.select([self._master], [], [], 0.1)
        if not ready:
            return self._process.poll() is None
        try:
            heard = os.read(self._master, 65_536)
        except OSError:
            # So a terminal says that nobody is left on its other side.
            return False
        self.raw += self._decode(heard)
        return bool(heard)


def _at_the_keyboard() -> None:
    """Take the terminal, and hear Ctrl-C also where whoever started the tests in the background does not."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def terminal(folder: Path, *arguments: str, **env: str) -> Iterator[Terminal]:
    """Start a command in a terminal of its own."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, TERM="xterm-256color", COLUMNS="120", LINES="50", **env),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_at_the_keyboard,
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)
