"""Keys: what is kept of them, and for how long one is believed without the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gunita import Gunita
from gunita.server.auth import KEY_KNOWN_FOR
from tests.api.service import serving
from tests.faults.conftest import quick, wire  # noqa: F401
from tests.faults.tcp_proxy import TcpProxy
from tests.raw_sql import run
from tests.security.people import Town


def test_keys_are_kept_as_hashes_alone(town: Town) -> None:
    """Whoever reads the whole table learns no key, nor a part of one that would shorten the guessing."""
    kept = str(run(town.service.database, "SELECT * FROM api_keys"))
    assert kept.count("acme") > 1
    for secret in town.keys.values():
        assert secret[:16] not in kept
        assert secret[-16:] not in kept


def test_two_keys_have_nothing_in_common_but_their_beginning(gunita: Gunita) -> None:
    secrets = [gunita.keys.create_key("same name").secret for _ in range(50)]
    assert {secret[:7] for secret in secrets} == {"gunita_"}
    # 256 bits, in letters of six.
    assert {len(secret) for secret in secrets} == {7 + 43}
    assert len({secret[7:15] for secret in secrets}) == 50


def test_a_key_that_was_good_stays_good_for_a_quarter_of_an_hour_without_the_database(
    wire: TcpProxy,  # noqa: F811
    new_postgres_url: str,
    quick: dict[str, Any],  # noqa: F811
) -> None:
    with Gunita.open(new_postgres_url) as g:
        good, revoked, unseen = (g.keys.create_key(name) for name in ("good", "revoked", "unseen"))
        g.keys.revoke_key(revoked.key.id)
    with serving(wire.url(new_postgres_url), require_auth=True, **quick) as service:
        statuses = {
            name: lambda key=key: service.as_(key.secret).get("/api/about").status_code
            for name, key in (("good", good), ("revoked", revoked), ("unseen", unseen))
        }
        assert (statuses["good"](), statuses["revoked"]()) == (200, 401)
        wire.cut()
        # A revoked key was seen too, and is remembered as what it is.
        assert [ask() for ask in statuses.values()] == [200, 401, 503]
        seen = service.app.state.running.doorkeeper._seen
        for passed, expected in ((KEY_KNOWN_FOR - 60, 200), (120, 503)):
            for known, (owner, at) in list(seen.items()):
                seen[known] = owner, at - passed
            assert statuses["good"]() == expected
    assert KEY_KNOWN_FOR == 15 * 60


def test_whom_a_proxy_on_this_machine_lets_through_is_asked_who_they_are(tmp_path: Path) -> None:
    """Everybody comes from this machine then, and a careless proxy sends its own name along as the host."""
    with serving(str(tmp_path / "gunita.db"), background=False) as service:
        assert service.client.get("/api/about").status_code == 200
        for header in ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"):
            assert service.client.get("/api/about", headers={header: "127.0.0.1"}).status_code == 401, header
