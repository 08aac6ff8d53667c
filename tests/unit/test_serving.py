"""How `gunita serve` listens."""

from __future__ import annotations

from pathlib import Path

from gunita.cli.serving import config_of
from gunita.settings import Settings

LOAD_BALANCERS_WAIT = 60


def test_an_idle_connection_is_closed_by_a_load_balancer_before_we_do(tmp_path: Path) -> None:
    config = config_of(Settings(database_url=str(tmp_path / "gunita.db")))
    assert config.timeout_keep_alive > LOAD_BALANCERS_WAIT
