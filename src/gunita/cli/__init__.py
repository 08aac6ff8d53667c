"""The command line: `gunita …`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run a command; without the packages that commands need, say how to get them."""
    try:
        from gunita.cli.commands import app
    except ImportError as missing:
        sys.exit(f"The command line needs {missing.name}; install it with: pip install 'gunita[server]'")
    app()
