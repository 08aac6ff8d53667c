"""`gunita memories`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from gunita.app import Gunita
from gunita.cli.history import conversation_of
from gunita.cli.options import AsJson, Config, Database, Limit, Owner, Speaker, Tenant, Yes, opened
from gunita.cli.telling import bar, confirm, note, say, say_table, told_plainly, write
from gunita.models import Conversation, Memory, MemoryType
from gunita.services.moving_out import memory_record

app = typer.Typer(no_args_is_help=True, help="List, add, pin and forget what is known about users.")

AT_ONCE = 500
MemoryId = Annotated[str, typer.Argument(help="The memory's id, as `gunita memories list` shows it")]


@app.command("list")
def list_memories(
    text: Annotated[str | None, typer.Option(help="Only those that hold this text")] = None,
    memory_type: Annotated[MemoryType | None, typer.Option("--type", help="Only those of one type")] = None,
    category: Annotated[str | None, typer.Option(help="Only those of one category")] = None,
    pinned: Annotated[bool | None, typer.Option("--pinned/--not-pinned", help="Only pinned ones, or others")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that hold no longer")] = False,
    limit: Limit = 100,
    user: Owner = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first."""
    with told_plainly(), opened(config, database, tenant, user) as g:
        found = g.memories.get_memories(
            memory_type=memory_type, category=category, pinned=pinned, archived=archived, text=text, limit=limit
        )
        tell(found, as_json=as_json)


@app.command("add")
def add_memory(
    content: Annotated[str, typer.Argument(help="What to remember, in words", show_default=False)],
    memory_type: Annotated[MemoryType, typer.Option("--type", help="What kind of thing it is")] = MemoryType.FACT,
    category: Annotated[str | None, typer.Option(help="Whatever sorts it: home, work, food")] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Have it in every context")] = False,
    user: Speaker = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Remember something about a user."""
    with told_plainly(), opened(config, database, tenant, user) as g:
        tell_changed(g.memories.create_memory(None, content, memory_type, category=category, pinned=pin), as_json)


@app.command("pin")
def pin_memory(
    memory_id: MemoryId,
    unpin: Annotated[bool, typer.Option("--off", help="Take the pin away")] = False,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Have a memory in every context, or with --off only where it matters."""
    with told_plainly(), opened(config, database, tenant) as g:
        tell_changed(g.memories.update_memory(memory_id, pinned=not unpin), as_json)


@app.command("forget")
def forget_memory(
    memory_id: MemoryId,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a memory for good; it is not learnt again from what it came from."""
    with told_plainly(), opened(config, database, tenant) as g:
        memory = g.memories.get_memory(memory_id)
        confirm(f"Forget “{memory.content}” for good?", yes=yes)
        receipt = g.deletion.delete_memory(memory.id)
    if as_json:
        write({"forgotten": str(memory.id), "receipt": str(receipt.id)})
    else:
        say("Forgotten.")
        note(f"receipt {receipt.id}")


@app.command("extract")
def extract_memories(
    session: Annotated[str | None, typer.Argument(help="A conversation's id, or `latest`; without it all")] = None,
    user: Owner = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Learn from what was said and not read yet; show the memories that came or changed."""
    with told_plainly(), opened(config, database, tenant, user) as g, bar("Reading") as progress:
        found = [conversation_of(g, session)] if session else every_conversation(g)
        learnt: list[Memory] = []
        for number, conversation in enumerate(found, start=1):
            learnt += g.memories.extract_memories(conversation.id)
            progress(number, len(found))
    tell(learnt, as_json=as_json)


def every_conversation(gunita: Gunita) -> list[Conversation]:
    found: list[Conversation] = []
    while page := gunita.conversations.list_conversations(limit=AT_ONCE, offset=len(found)):
        found += page
    return found


def tell(found: Sequence[Memory], *, as_json: bool) -> None:
    if as_json:
        write([memory_record(memory) for memory in found])
    elif not found:
        note("No memories.")
    else:
        rows = [
            (one.id, "pinned" if one.pinned else "", one.memory_type.value, one.category, one.user_id, one.content)
            for one in found
        ]
        say_table(("id", "", "type", "category", "user", "memory"), rows)


def tell_changed(memory: Memory, as_json: bool) -> None:
    if as_json:
        write(memory_record(memory))
    else:
        say(f"{memory.content}{' (pinned)' if memory.pinned else ''}")
        note(f"memory {memory.id}")
