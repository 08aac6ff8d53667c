"""The code of the pages about other frameworks and about Supabase runs."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from gunita import Gunita

PAGES = Path(__file__).parent.parent / "docs" / "how-to"
_FRAMEWORK_CODE = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SQL = re.compile(r"^ *```sql\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EVERY_BLOCK = _FRAMEWORK_CODE.findall((PAGES / "adapters.md").read_text(encoding="utf-8"))
BLOCKS = [block for block in EVERY_BLOCK if "chainlit" not in block]  # which has an environment of its own


def test_every_framework_has_its_block() -> None:
    assert (len(BLOCKS), len(EVERY_BLOCK)) == (6, 7)


@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_the_code_of_the_adapters_page_runs(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(BLOCKS[place], "adapters.md", "exec"), {"__name__": "__main__"})


def test_a_token_of_supabase_sees_its_own_turns_and_may_write_none(new_postgres_url: str) -> None:
    [block] = _SQL.findall((PAGES / "supabase.md").read_text(encoding="utf-8"))
    begin, role, claims, select, rollback = (s.strip() for s in block.strip().removesuffix(";").split(";\n"))
    with psycopg.connect(new_postgres_url, autocommit=True) as owner:
        owner.execute("DO $$ BEGIN CREATE ROLE authenticated NOLOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
        with Gunita.open(new_postgres_url) as gunita:
            for user in ("juan", "maria"):
                session = gunita.sessions.create_session(user)
                gunita.sessions.store_turn(session, user, f"Ako si {user}.", "Kumusta!")
        for statement in (begin, role, claims):
            owner.execute(statement.encode())
        assert [row[2] for row in owner.execute(select.encode()).fetchall()] == ["Ako si juan."]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("DELETE FROM messages")
        owner.execute(rollback.encode())
