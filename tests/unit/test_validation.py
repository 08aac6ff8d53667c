"""The checks at the door, without a database."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import InvalidRoleError, Role, ValidationError
from gunita.services import access

NAME = "field"


@given(st.uuids())
def test_a_uuid_is_taken_in_its_usual_spellings(made: UUID) -> None:
    for spelling in (made, str(made), str(made).upper(), made.hex):
        assert access.identifier(NAME, spelling) == made


@given(st.text(max_size=50))
def test_any_other_text_is_no_uuid(text: str) -> None:
    with pytest.raises(ValidationError, match="is not a UUID") as refusal:
        access.identifier(NAME, f"{text}.")
    assert refusal.value.field == NAME


@pytest.mark.parametrize("odd", ["{%s}", "urn:uuid:%s", " %s", "%s\n", "%s-"])
def test_decorated_uuids_are_refused(odd: str) -> None:
    with pytest.raises(ValidationError):
        access.identifier(NAME, odd % uuid4())


@given(st.text(max_size=30))
def test_text_is_kept_as_it_is_or_refused_with_a_reason(text: str) -> None:
    storable = bool(text) and not text.isspace() and "\0" not in text
    storable = storable and not any(0xD800 <= ord(character) < 0xE000 for character in text)
    if storable:
        assert access.filled_text(NAME, text, 30) == text
    else:
        with pytest.raises(ValidationError) as refusal:
            access.filled_text(NAME, text, 30)
        assert refusal.value.field == NAME


def test_the_length_limit_counts_characters() -> None:
    assert access.filled_text(NAME, "🙂" * 10, 10)
    with pytest.raises(ValidationError, match="is 11 characters long; the limit is 10"):
        access.filled_text(NAME, "🙂" * 11, 10)


def test_names_kept_in_an_index_are_limited_in_bytes_too() -> None:
    assert access.key_text(NAME, "🙂" * 200)
    with pytest.raises(ValidationError, match="is 804 bytes long in UTF-8; the limit is 800"):
        access.key_text(NAME, "🙂" * 201)


@given(limit=st.integers(1, access.MAX_PAGE), offset=st.integers(0))
def test_a_page_is_taken_within_its_bounds(limit: int, offset: int) -> None:
    assert access.page(limit, offset) == (limit, min(offset, 2**31 - 1))


@pytest.mark.parametrize("role", list(Role))
def test_the_two_roles_are_taken_by_name_or_as_they_are(role: Role) -> None:
    assert access.role(role) is role
    assert access.role(role.value) is role


@pytest.mark.parametrize("role", ["system", "tool", "USER", "", None, 5, [], {}])
def test_another_role_is_refused_with_advice(role: object) -> None:
    with pytest.raises(InvalidRoleError, match="use 'user' or 'assistant'") as refusal:
        access.role(role)
    assert refusal.value.field == "role"


@given(st.floats(0, 1) | st.sampled_from([0, 1]))
def test_a_fraction_is_taken_as_a_float(value: float) -> None:
    assert access.fraction(NAME, value) == value
    assert isinstance(access.fraction(NAME, value), float)


def test_a_scope_is_made_of_checked_names() -> None:
    assert access.scope(None, None).is_service
    assert not access.scope("acme", "juan").is_service
    for tenant, user, field in (("", None, "tenant_id"), (" ", "juan", "tenant_id"), ("acme", "", "user_id")):
        with pytest.raises(ValidationError) as refusal:
            access.scope(tenant, user)
        assert refusal.value.field == field
