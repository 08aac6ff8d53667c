"""`gunita chat`: a talk in the terminal, or with whatever is piped in, a line at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import typer

from gunita.app import Gunita
from gunita.cli import history, memories
from gunita.cli.options import AsJson, Config, Database, Session, Speaker, Tenant, opened
from gunita.cli.talking import choices_of, picked, place_of, record_of, speak
from gunita.cli.telling import counted, err, note, say, told_plainly, write_line
from gunita.cli.typing_lines import typed_lines
from gunita.errors import GunitaError, ValidationError
from gunita.models import Conversation

New = Annotated[bool, typer.Option("--new", help="Begin a conversation; without it the latest goes on")]
NoLines = Annotated[bool, typer.Option("--no-line-history", help="Keep no typed lines for the arrow keys")]
SHOWN_TURNS = 20


@dataclass(slots=True)
class Talk:
    """A talk under way."""

    gunita: Gunita
    session_id: UUID | None
    as_json: bool
    choices: Sequence[Mapping[str, Any]] = ()
    """What the last answer offers to pick from."""
    turn_number: int = 0
    """The number of the last turn; 0 where nothing was said yet."""


def chat(
    session: Session = None,
    new: New = False,
    user: Speaker = None,
    tenant: Tenant = None,
    database: Database = None,
    config: Config = None,
    no_line_history: NoLines = False,
    as_json: AsJson = False,
) -> None:
    """Talk in the terminal; the latest conversation goes on unless told otherwise. /help says what can be done."""
    with told_plainly(), opened(config, database, tenant) as g:
        place = place_of(g, user, session, latest=not new)
        if g.settings.background is None:
            g.background.start()
        talk = Talk(place.gunita, place.session_id, as_json)
        if not sys.stdin.isatty():
            converse(talk, (line.rstrip("\n") for line in sys.stdin))
            return
        greet(talk)
        with closing(typed_lines("› ", keep=not no_line_history)) as lines:
            converse(talk, lines)


def converse(talk: Talk, lines: Iterable[str]) -> None:
    """Answer every line, and obey those that begin with a stroke, until /quit or the end."""
    for line in lines:
        if line.split()[:1] == ["/quit"]:
            return
        with going_on_after_trouble():
            if line.startswith("/"):
                obey(talk, line)
            elif line.strip():
                answer(talk, line)


@contextmanager
def going_on_after_trouble() -> Iterator[None]:
    """Tell somebody at a terminal what went wrong, and let them go on; a program is told by the exit code."""
    try:
        yield
    except GunitaError as problem:
        if not sys.stdin.isatty():
            raise
        say(f"! {problem}", "red", to=err)


def answer(talk: Talk, line: str) -> None:
    """Answer a line; the number of a choice stands for the choice. Ctrl-C stops the answer, not the talk."""
    choice = picked(talk.choices, line)
    query, number = (line, None) if choice is None else (str(choice["label"]), int(choice["turn_number"]))
    try:
        if talk.as_json:
            reply = talk.gunita.chat.reply(query, session_id=talk.session_id, choice=number)
            write_line(record_of(reply))
        else:
            reply = speak(talk.gunita.chat.stream(query, session_id=talk.session_id, choice=number))
    except KeyboardInterrupt:
        say("\n(stopped; what was said is kept)", "yellow", to=err)
        talk.session_id = talk.session_id or newest(talk.gunita)
        return
    talk.session_id, talk.turn_number, talk.choices = reply.session_id, reply.turn_number, choices_of(reply)
    if err.is_terminal and not talk.as_json:
        say("", to=err)


def greet(talk: Talk) -> None:
    found = None if talk.session_id is None else talk.gunita.conversations.get_conversation(talk.session_id)
    note(f"Gunita · {going_on(found)} · /help says what can be done")
    if talk.gunita.model is None:
        note("No language model is connected: answers come from memory alone.")


def going_on(conversation: Conversation | None) -> str:
    if conversation is None:
        return "a new conversation"
    title = conversation.title or "an untitled conversation"
    return f"going on with “{title}”, {counted(conversation.turn_count, 'turn')}"


def newest(gunita: Gunita) -> UUID | None:
    """Give the conversation that an answer stopped half-way has begun."""
    return next((found.id for found in gunita.conversations.list_conversations(limit=1, archived=False)), None)


def obey(talk: Talk, line: str) -> None:
    name, _, argument = line.partition(" ")
    if name not in ORDERS:
        say(f"There is no {name}; /help says what there is.", "yellow", to=err)
        return
    ORDERS[name][1](talk, argument.strip())


def tell_orders(talk: Talk, _: str) -> None:
    for name, (meaning, _order) in ORDERS.items():
        say(f"{name:<10} {meaning}", to=err)
    say(f"{'/quit':<10} leave; Ctrl-D does too, and Ctrl-C stops an answer", to=err)


def begin_anew(talk: Talk, _: str) -> None:
    talk.session_id, talk.turn_number, talk.choices = None, 0, ()
    note("A new conversation begins with what you say next.")


def correct(talk: Talk, numbers: str) -> None:
    """Keep which turns the last query meant, where it was taken for something else."""
    if talk.session_id is None or not talk.turn_number:
        raise ValidationError("/meant", "is about what you said last, and nothing was said yet")
    if not all(number.isdecimal() for number in numbers.split()):
        raise ValidationError("/meant", "takes the numbers of turns, as /history shows them; none for a new question")
    kept = talk.gunita.corrections.correct(talk.session_id, talk.turn_number, [int(each) for each in numbers.split()])
    note(f"Noted: turn {kept.turn_number} meant {numbers or 'no earlier turn'}.")


def tell_history(talk: Talk, _: str) -> None:
    turns = talk.gunita.sessions.get_session_history(talk.session_id, SHOWN_TURNS) if talk.session_id else []
    history.tell_turns(turns, as_json=talk.as_json)


def tell_memories(talk: Talk, _: str) -> None:
    memories.tell(talk.gunita.memories.get_memories(archived=False), as_json=talk.as_json)


ORDERS: dict[str, tuple[str, Callable[[Talk, str], None]]] = {
    "/help": ("say what can be done", tell_orders),
    "/new": ("begin a new conversation", begin_anew),
    "/history": ("show the latest turns of this one", tell_history),
    "/memories": ("show what is known about you", tell_memories),
    "/meant": ("say which turns you meant, if it was taken wrongly: /meant 2", correct),
}
