"""What whoever runs Gunita does with it: read anew, forget, delete and check, look at sizes, make copies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from gunita.app import Gunita
from gunita.cli.options import AsJson, Config, Database, Tenant, Yes, opened, settings_of
from gunita.cli.telling import bar, confirm, counted, say, say_table, told_plainly, write
from gunita.erasure import DeletionReceipt
from gunita.errors import ValidationError
from gunita.models import Scope
from gunita.store.backup import back_up

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would go")]
OfUser = Annotated[str | None, typer.Option("--user", "-u", help="A user, with everything about them")]
OfConversation = Annotated[str | None, typer.Option("--conversation", help="A conversation's id")]
OfMemory = Annotated[str | None, typer.Option("--memory", help="A memory's id")]
WholeTenant = Annotated[bool, typer.Option("--whole-tenant", help="Everything of the tenant, its keys too")]
WithMemories = Annotated[bool, typer.Option("--with-memories", help="With a conversation, what was learnt from it")]
Receipt = Annotated[str, typer.Argument(help="A receipt's id, or the file that `gunita delete --json` wrote")]
Subject = Annotated[str | None, typer.Option("--user", "-u", help="The user it was for, where only the id is given")]


def reembed(tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Read anew for search what another model has read; search goes on meanwhile, and so does a run cut short."""
    with told_plainly(), opened(config, database, tenant) as g:
        with bar("Reading") as progress:
            read = g.search.reembed(progress)
        left = g.search.count_waiting()
    if as_json:
        write({"read": read, "left": left})
    else:
        say(f"Read {counted(read, 'text')} anew{f'; {left:,} more by another process' if left else ''}.")


def cleanup(
    dry_run: DryRun = False,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Forget what is older than its retention: of every tenant, or of the one that is named."""
    with told_plainly(), opened(config, database, tenant) as g:
        result = g.cleanup.preview_cleanup() if dry_run else g.cleanup.run_cleanup()
    if as_json:
        write(_cleaned(result))
    elif result.skipped:
        say("Another process is cleaning; left to it.")
    else:
        would = "Would forget" if dry_run else "Forgot"
        conversations = counted(result.sessions_deleted, "conversation")
        say(f"{would} {counted(result.turns_deleted, 'turn')} and {conversations}.")
        for error in result.errors:
            say(error, "red")
    raise typer.Exit(1 if result.errors else 0)


def stats(tenant: Tenant = None, database: Database = None, config: Config = None, as_json: AsJson = False) -> None:
    """Say how much is kept, how long, how full the database is, and what cleanups did."""
    with told_plainly(), opened(config, database, tenant) as g:
        told = _statistics(g)
    if as_json:
        write(told)
    else:
        say_table(("", ""), [(name.replace("_", " "), _shown(value)) for name, value in told.items()])


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; one that is there is not written over")],
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Copy the whole database to a file while it is in use."""
    with told_plainly(), bar("Copying") as progress:
        size = back_up(settings_of(config, database_url=database), target, progress)
    if as_json:
        write({"target": str(target), "bytes": size})
    else:
        say(f"Copied to {target}, {size / 1e6:,.1f} MB.")


def delete(
    user: OfUser = None,
    conversation: OfConversation = None,
    memory: OfMemory = None,
    whole_tenant: WholeTenant = False,
    with_memories: WithMemories = False,
    yes: Yes = False,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Delete somebody or something everywhere, and get a receipt that can be checked."""
    with told_plainly():
        if sum(map(bool, (user, conversation, memory, whole_tenant))) != 1:
            raise ValidationError("--user", "name one of --user, --conversation, --memory, --whole-tenant")
        confirm("This cannot be undone. Delete it?", yes=yes)
        with opened(config, database, tenant) as g:
            receipt = _deleted(g, user, conversation, memory, with_memories=with_memories)
    if as_json:
        write(_receipt(receipt))
    else:
        say_table(("table", "rows"), [(table, count) for table, count in receipt.counts.items() if count])
        say(f"Receipt {receipt.id}; check it with: gunita verify-deletion {receipt.id}")


def verify_deletion(
    receipt: Receipt,
    user: Subject = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Check that what a deletion receipt is for is gone."""
    with told_plainly():
        number, subject = _read_receipt(receipt)
        with opened(config, database, tenant) as g:
            found = g.deletion.verify(number, subject=user or subject)
    if as_json:
        write({"receipt_id": str(found.receipt_id), "verified": found.verified, "intact": found.intact,
               "left": dict(found.left)})  # fmt: skip
    elif found.verified:
        say("Verified: nothing of it is left.")
    else:
        say("Not verified." if found.intact else "Not verified: the receipt itself was changed.", "red")
        say_table(("table", "rows left"), found.left.items())
    raise typer.Exit(0 if found.verified else 1)


def _deleted(
    g: Gunita, user: str | None, conversation: str | None, memory: str | None, *, with_memories: bool
) -> DeletionReceipt:
    if user is not None:
        return g.deletion.delete_user(user)
    if conversation is not None:
        return g.deletion.delete_conversation(conversation, with_memories=with_memories)
    if memory is not None:
        return g.deletion.delete_memory(memory)
    return g.deletion.delete_tenant()


def _read_receipt(told: str) -> tuple[UUID | str, str | None]:
    """Read a receipt from a file, which also says for whom it was; anything else is its id."""
    path = Path(told)
    if not path.is_file():
        return told, None
    try:
        receipt = json.loads(path.read_text(encoding="utf-8"))
        return str(receipt["id"]), str(receipt["subject"])
    except (ValueError, KeyError, TypeError) as problem:
        raise ValidationError("receipt", f"{path} is no deletion receipt") from problem


def _statistics(g: Gunita) -> dict[str, Any]:
    kept = g.statistics.count()
    rule, cleaned = g.cleanup.get_retention(), g.cleanup.get_cleanup_stats()
    told: dict[str, Any] = {
        "conversations": kept.conversations,
        "turns": kept.turns,
        "messages": kept.messages,
        "memories": kept.memories,
        "corrections": kept.corrections,
        "kept_for_hours": rule.kept_for.total_seconds() / 3600,
        "counted_from": rule.counted_from.value,
        "cleanups": cleaned.runs,
        "cleanups_failed": cleaned.failed_runs,
        "turns_forgotten": cleaned.turns_deleted,
        "last_cleanup": cleaned.last_run and cleaned.last_run.timestamp.isoformat(timespec="seconds"),
    }
    if g.scope == Scope():
        size = g.statistics.storage()
        told |= {
            "storage_bytes": size.bytes,
            "storage_budget_bytes": size.budget_bytes,
            "storage_share": round(size.share, 4),
        }
    return told


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value) if value is not None else "never"


def _cleaned(result: Any) -> dict[str, Any]:
    return {
        "sessions_deleted": result.sessions_deleted,
        "turns_deleted": result.turns_deleted,
        "execution_time": round(result.execution_time, 3),
        "errors": list(result.errors),
        "timestamp": result.timestamp.isoformat(),
        "skipped": result.skipped,
    }


def _receipt(receipt: DeletionReceipt) -> dict[str, Any]:
    return {
        "id": str(receipt.id),
        "kind": receipt.kind.value,
        "tenant_id": receipt.tenant_id,
        "subject": receipt.subject,
        "counts": dict(receipt.counts),
        "deleted_at": receipt.deleted_at.isoformat(),
        "digest": receipt.digest,
    }
