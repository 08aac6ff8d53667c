"""A scope, once bound, only narrows; a setting that does not exist is not ignored."""

from __future__ import annotations

import pytest

from gunita import Gunita, OutOfScopeError, Scope, ValidationError
from gunita.services.access import narrowed

SHOP = Scope("shop", None)
ANA = Scope("shop", "ana")


def test_the_systems_own_service_reaches_every_scope() -> None:
    assert narrowed(Scope(), ANA) == ANA


def test_a_tenants_service_narrows_to_one_of_its_users() -> None:
    assert narrowed(SHOP, Scope(None, "ana")) == ANA
    assert narrowed(SHOP, Scope("shop", "ana")) == ANA


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        (SHOP, Scope("other", None)),
        (ANA, Scope("shop", "ben")),
        (ANA, Scope("other", "ana")),
        (Scope(None, "ana"), Scope("shop", "ana")),
    ],
)
def test_no_scope_widens(held: Scope, wanted: Scope) -> None:
    with pytest.raises(OutOfScopeError, match="does not reach"):
        narrowed(held, wanted)


def test_a_users_scope_stays_theirs_when_nothing_is_asked() -> None:
    assert narrowed(ANA, Scope()) == ANA


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(ValidationError, match="histroy_limit: is not a setting"):
        Gunita.open(":memory:", histroy_limit=5)
