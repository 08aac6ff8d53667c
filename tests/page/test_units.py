"""The page's own modules, tested by node's test runner; Playwright brings a node along."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

UNIT = Path(__file__).parent / "unit"


def test_state_markdown_events_and_words_keep_their_promises() -> None:
    node, _ = compute_driver_executable()
    files = sorted(str(path) for path in UNIT.glob("*.test.mjs"))
    command = [node, "--import", str(UNIT / "resolve.mjs"), "--test", "--test-reporter=spec", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ fail 0" in done.stdout
