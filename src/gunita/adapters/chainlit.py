"""Chainlit: a data layer that keeps threads, steps, feedback and users in Gunita.

@chainlit.data_layer
def keep() -> GunitaDataLayer:
    return GunitaDataLayer(gunita)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast
from uuid import UUID, uuid5
from weakref import WeakValueDictionary

try:
    from chainlit.data.base import BaseDataLayer
    from chainlit.data.storage_clients.base import BaseStorageClient
    from chainlit.data.utils import queue_until_user_message
    from chainlit.element import Element, ElementDict
    from chainlit.step import StepDict
    from chainlit.types import Feedback, PageInfo, PaginatedResponse, Pagination, ThreadDict, ThreadFilter
    from chainlit.user import PersistedUser, User
except ImportError as missing:
    raise ImportError("Chainlit is not installed; install it with: pip install 'gunita[chainlit]'") from missing

from gunita import ids
from gunita.app import Gunita
from gunita.errors import NotFoundError, ValidationError
from gunita.models import ANONYMOUS, Conversation, Role
from gunita.services.items import Item

WRITER = "chainlit"
"""Who writes the items; also the key of what Chainlit keeps beside a conversation and about a user."""
FAVOURITE = "chainlit.favourite."
"""Before a step's id, in the user memory of its thread's user: the thread that the favourite is in."""
LISTED_AT_ONCE = 200
LONGEST_NAME = 255
MOST_PLACES = 10_000
"""Steps of which it is known in this process which thread they are in."""
_ROLES = {"user_message": Role.USER, "assistant_message": Role.ASSISTANT}
_KINDS: dict[Role, Any] = {role: kind for kind, role in _ROLES.items()}

_F = TypeVar("_F", bound=Callable[..., Any])
# Chainlit keeps nothing of a thread in which nobody said anything; its own decorator has calls wait until then.
_once_the_user_spoke: Callable[[_F], _F] = queue_until_user_message()  # type: ignore[no-untyped-call, unused-ignore]

_log = logging.getLogger("gunita.chainlit")


class GunitaDataLayer(BaseDataLayer):
    """Keeps what Chainlit shows; a thread is a conversation with its id, and its user is the conversation's.

    Files go to a storage client of Chainlit's where one is given. Without one, an element is kept if it can be shown
    without its file: because it has an address, or is made of props.
    """

    def __init__(self, gunita: Gunita, *, storage_client: BaseStorageClient | None = None) -> None:
        if gunita.scope.user_id is not None:
            raise ValidationError("gunita", "is bound to a user; a data layer belongs to a tenant or to the system")
        self._gunita = gunita
        self._files = storage_client
        # Chainlit does not wait for a step to be kept before it sends the next; whoever comes first is first.
        self._places: dict[str, str] = {}
        self._turns: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    async def get_user(self, identifier: str) -> PersistedUser | None:
        kept = await asyncio.to_thread(self._gunita.users.get_memory, identifier, WRITER)
        return None if kept is None else PersistedUser(id=identifier, identifier=identifier, **kept)

    async def create_user(self, user: User) -> PersistedUser | None:
        """Keep who signs in; somebody who is known keeps the day they came."""
        known = await self.get_user(user.identifier)
        created = known.createdAt if known else ids.now().isoformat()
        kept: dict[str, Any] = {
            "createdAt": created,
            "display_name": user.display_name,
            "metadata": dict(user.metadata),
        }
        await asyncio.to_thread(self._gunita.users.set_memory, user.identifier, WRITER, kept)
        return PersistedUser(id=user.identifier, identifier=user.identifier, **kept)

    async def upsert_feedback(self, feedback: Feedback) -> str:
        """Keep what somebody thinks of a step, beside it; a step has one, under its own id."""
        thread_id = feedback.threadId or await asyncio.to_thread(self._thread_of, feedback.forId)
        if thread_id is None:
            raise NotFoundError("step", feedback.forId)
        told = {"id": feedback.forId, "forId": feedback.forId, "value": feedback.value, "comment": feedback.comment}
        await self._amended(thread_id, feedback.forId, lambda step: rated(step, told))
        return feedback.forId

    async def delete_feedback(self, feedback_id: str) -> bool:
        thread_id = await asyncio.to_thread(self._thread_of, feedback_id)
        return thread_id is not None and await self._amended(thread_id, feedback_id, lambda step: rated(step, None))

    @_once_the_user_spoke
    async def create_element(self, element: Element) -> None:
        if not element.for_id:
            return
        told = dict(element.to_dict())
        told["objectKey"] = await self._uploaded(element)
        if not (told["objectKey"] or element.url or told.get("props")):
            _log.warning("an element was not kept: it is a file, and no storage client is given")
            return
        is_known = self._note(element.id, element.thread_id)
        async with self._turn(element.thread_id):
            item = Item(payload={"element": told})
            await asyncio.to_thread(self._put, element.thread_id, item, element.id, is_known=is_known)

    async def get_element(self, thread_id: str, element_id: str) -> ElementDict | None:
        thread = await self.get_thread(thread_id)
        return next((one for one in (thread and thread["elements"]) or () if one["id"] == element_id), None)

    @_once_the_user_spoke
    async def delete_element(self, element_id: str, thread_id: str | None = None) -> None:
        place = thread_id or await asyncio.to_thread(self._thread_of, element_id)
        found = await self.get_element(place, element_id) if place else None
        if place and found:
            await self._delete_files([found])
            await self._amended(place, element_id, lambda _: None)

    @_once_the_user_spoke
    async def create_step(self, step_dict: StepDict) -> None:
        await self._keep(step_dict, is_known=self._note(step_dict["id"], step_dict["threadId"]))

    @_once_the_user_spoke
    async def update_step(self, step_dict: StepDict) -> None:
        """Keep what has become of a step; what is not told again stays as it was."""
        self._note(step_dict["id"], step_dict["threadId"])
        await self._keep(step_dict, is_known=True)

    @_once_the_user_spoke
    async def delete_step(self, step_id: str) -> None:
        """Delete a step with its elements."""
        thread_id = await asyncio.to_thread(self._thread_of, step_id)
        if thread_id is None:
            return
        thread = await self.get_thread(thread_id)
        for element in (thread and thread["elements"]) or ():
            if element.get("forId") == step_id:
                await self.delete_element(element["id"], thread_id)
        await self._amended(thread_id, step_id, lambda _: None)

    async def get_thread_author(self, thread_id: str) -> str:
        found = await asyncio.to_thread(self._conversation, thread_id)
        return found.user_id if found else ""

    async def delete_thread(self, thread_id: str) -> None:
        thread = await self.get_thread(thread_id)
        if thread is not None:
            await self._delete_files(thread["elements"] or [])
            await asyncio.to_thread(self._gunita.sessions.delete_session, thread_id)

    async def list_threads(self, pagination: Pagination, filters: ThreadFilter) -> PaginatedResponse[ThreadDict]:
        """List a user's threads, those used last first, from behind the cursor on."""
        found = await asyncio.to_thread(self._page, pagination, filters)
        shown = found[: pagination.first]
        first, last = (cursor_of(shown[0]), cursor_of(shown[-1])) if shown else (None, None)
        return PaginatedResponse(PageInfo(len(found) > len(shown), first, last), [thread_of(one) for one in shown])

    async def get_thread(self, thread_id: str) -> ThreadDict | None:
        """Give a thread with its steps in the order they began, and its elements."""
        found = await asyncio.to_thread(self._conversation, thread_id)
        if found is None:
            return None
        items = await asyncio.to_thread(self._gunita.items.read, found.id, writer=WRITER)
        thread = thread_of(found)
        steps = [step_of(item, found, place) for place, item in enumerate(items) if not element_of(item)]
        thread["steps"] = sorted(steps, key=lambda step: step.get("createdAt") or "")
        elements = [element for item in items if (element := element_of(item))]
        for element in elements:
            if self._files is not None and not element.get("url") and (key := element.get("objectKey")):
                element["url"] = await self._files.get_read_url(key)
        thread["elements"] = elements
        return thread

    async def update_thread(
        self,
        thread_id: str,
        name: str | None = None,
        user_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        tags: list[str] | None = None,
    ) -> None:
        """Begin a thread, or change what is given of it; metadata that is None under a key takes the key away."""
        async with self._turn(thread_id):
            await asyncio.to_thread(self._update, thread_id, name, user_id, metadata, tags)

    async def build_debug_url(self) -> str:
        return ""

    async def close(self) -> None:
        """Close the storage client; whoever opened the Gunita closes it."""
        if self._files is not None:
            await self._files.close()

    async def get_favorite_steps(self, user_id: str) -> list[StepDict]:
        kept = await asyncio.to_thread(self._gunita.users.get_all_memory, user_id)
        marked = {name.removeprefix(FAVOURITE): value for name, value in kept.items() if name.startswith(FAVOURITE)}
        threads = [await self.get_thread(thread_id) for thread_id in dict.fromkeys(marked.values())]
        return [step for thread in threads if thread for step in thread["steps"] if step["id"] in marked]

    def _turn(self, thread_id: str) -> asyncio.Lock:
        return self._turns.setdefault((id(asyncio.get_running_loop()), thread_id), asyncio.Lock())

    def _conversation(self, thread_id: str) -> Conversation | None:
        try:
            return self._gunita.conversations.get_conversation(thread_id)
        except (NotFoundError, ValidationError):
            return None

    def _thread_of(self, mark: str) -> str | None:
        found = self._places.get(mark) or self._gunita.items.conversation_holding(mark)
        return str(found) if found else None

    def _note(self, identity: str, thread_id: str) -> bool:
        """Note where something is before it is there, since it may be asked for on its way; tell if it was known."""
        is_known = identity in self._places
        self._places[identity] = thread_id
        if len(self._places) > MOST_PLACES:
            del self._places[next(iter(self._places))]
        return is_known

    async def _keep(self, step_dict: StepDict, *, is_known: bool) -> None:
        step: dict[str, Any] = {name: value for name, value in step_dict.items() if value is not None}
        thread_id, step_id = str(step["threadId"]), str(step["id"])
        async with self._turn(thread_id):
            await asyncio.to_thread(self._put, thread_id, item_of(step), step_id, is_known=is_known)
            favourite = (step.get("metadata") or {}).get("favorite")
            if favourite is not None:
                await asyncio.to_thread(self._mark, thread_id, step_id, is_favourite=bool(favourite))

    def _put(self, thread_id: str, item: Item, identity: str, *, is_known: bool) -> None:
        """Put an item in the place of the one with its id, or behind the last; a thread that is not there begins."""
        found = self._conversation(thread_id)
        owner = found.user_id if found else ANONYMOUS
        # Only what is known is looked for: that goes from the end back, and a new step would be looked for in vain.
        became = is_known and self._amend(thread_id, owner, identity, lambda was: merged(was, item))
        if not became:
            self._gunita.items.append(thread_id, owner, [item], writer=WRITER)

    def _amend(self, thread_id: str, owner: str, identity: str, become: Callable[[Item], Item | None]) -> bool:
        return self._gunita.items.amend(
            thread_id, owner or None, lambda was: identity_of(was) == identity, become, writer=WRITER
        )

    async def _amended(self, thread_id: str, identity: str, become: Callable[[Item], Item | None]) -> bool:
        """Change an item of a thread in its turn; tell whether there is such an item."""
        async with self._turn(thread_id):
            owner = await self.get_thread_author(thread_id)
            return await asyncio.to_thread(self._amend, thread_id, owner, identity, become)

    def _mark(self, thread_id: str, step_id: str, *, is_favourite: bool) -> None:
        owner, users = self._gunita.conversations.get_conversation(thread_id).user_id, self._gunita.users
        if is_favourite:
            users.set_memory(owner, FAVOURITE + step_id, thread_id)
        else:
            users.delete_memory(owner, FAVOURITE + step_id)

    def _update(
        self,
        thread_id: str,
        name: str | None,
        user_id: str | None,
        metadata: Mapping[str, Any] | None,
        tags: list[str] | None,
    ) -> None:
        found = self._conversation(thread_id)
        if found is None:
            self._begin(thread_id, user_id)
        elif user_id is not None and user_id != found.user_id:
            self._give(found, user_id)
        here = self._gunita.conversations.get_conversation(thread_id)
        kept = dict(here.metadata.get(WRITER) or {})
        changed = {**(kept.get("metadata") or {}), **(metadata or {})}
        kept["metadata"] = {key: value for key, value in changed.items() if value is not None}
        kept["tags"] = kept.get("tags") if tags is None else tags
        title = (name or "").strip()[:LONGEST_NAME] or here.title
        self._gunita.conversations.update_conversation(here.id, title=title, metadata={**here.metadata, WRITER: kept})

    def _begin(self, thread_id: UUID | str, user_id: str | None, title: str | None = None) -> None:
        own = self._gunita.scoped(self._gunita.scope.tenant_id, user_id or ANONYMOUS)
        own.sessions.get_or_create_session(thread_id, title)

    def _give(self, thread: Conversation, user_id: str) -> None:
        """Give a thread that began before it was known whose it is to its user; nobody's is taken away."""
        if thread.user_id != ANONYMOUS:
            raise ValidationError("user_id", "is not whose the thread is")
        items = self._gunita.items.read(thread.id, writer=WRITER)
        self._gunita.sessions.delete_session(thread.id)
        self._begin(thread.id, user_id, thread.title)
        self._gunita.items.append(thread.id, user_id, items, writer=WRITER)
        self._gunita.conversations.update_conversation(thread.id, metadata=thread.metadata)

    def _page(self, pagination: Pagination, filters: ThreadFilter) -> list[Conversation]:
        if not filters.userId:
            raise ValidationError("userId", "is needed: threads are listed for somebody")
        behind = (
            found
            for found in self._found(filters.userId, filters.search)
            if (pagination.cursor is None or cursor_of(found) < pagination.cursor)
            and (filters.feedback is None or self._has_feedback(found, filters.feedback))
        )
        return list(islice(behind, pagination.first + 1))

    def _found(self, user_id: str, search: str | None) -> Iterator[Conversation]:
        """Go through a user's threads by recency: all, or those that a search finds by title or by what was said."""
        if search and search.strip():
            found = self._gunita.conversations.search(search, LISTED_AT_ONCE, user_id=user_id)
            yield from sorted((one.conversation for one in found), key=cursor_of, reverse=True)
            return
        offset = 0
        while page := self._gunita.conversations.list_conversations(LISTED_AT_ONCE, offset, user_id=user_id):
            yield from page
            offset += LISTED_AT_ONCE

    def _has_feedback(self, thread: Conversation, value: int) -> bool:
        items = self._gunita.items.read(thread.id, writer=WRITER)
        return any(((item.payload or {}).get("feedback") or {}).get("value") == value for item in items)

    async def _uploaded(self, element: Element) -> str | None:
        """Give a file to the storage client, and tell under which key."""
        content = await asyncio.to_thread(Path(element.path).read_bytes) if element.path else element.content
        if self._files is None or content is None:
            return element.object_key
        key = f"threads/{element.thread_id}/files/{element.id}"
        await self._files.upload_file(object_key=key, data=content, mime=element.mime or "application/octet-stream")
        return key

    async def _delete_files(self, elements: list[ElementDict]) -> None:
        for element in elements:
            if self._files is not None and (key := element.get("objectKey")):
                await self._files.delete_file(object_key=key)


def item_of(step: Mapping[str, Any]) -> Item:
    """Read a step: who says what in it, and the whole of it."""
    role = _ROLES.get(str(step.get("type")))
    return Item(str(step.get("output") or "") if role else "", role, dict(step))


def merged(was: Item, item: Item) -> Item:
    """Tell a step anew: what the newer does not say stays, and so does its kind."""
    before, after = dict(was.payload or {}), dict(item.payload or {})
    if "element" in before:
        return item
    told = item_of({**before, **after, "type": before.get("type", after.get("type"))})
    return Item(told.text, was.role, told.payload)


def rated(step: Item, feedback: Mapping[str, Any] | None) -> Item:
    return Item(step.text, step.role, {**(step.payload or {}), "feedback": feedback})


def identity_of(item: Item) -> str | None:
    identity: str | None = (element_of(item) or item.payload or {}).get("id")
    return identity


def element_of(item: Item) -> ElementDict | None:
    element: ElementDict | None = (item.payload or {}).get("element")
    return element


def step_of(item: Item, thread: Conversation, place: int) -> StepDict:
    """Write an item as a step; one that was not said through Chainlit is a message like any other."""
    if item.payload is not None:
        return cast("StepDict", dict(item.payload))
    return {
        "id": str(uuid5(thread.id, str(place))),
        "threadId": str(thread.id),
        "type": _KINDS[item.role or Role.ASSISTANT],
        "name": thread.user_id if item.role is Role.USER else "Assistant",
        "output": item.text,
        "createdAt": thread.created_at.isoformat(),
    }


def thread_of(conversation: Conversation) -> ThreadDict:
    """Write a conversation as a thread, without what was said in it."""
    kept = conversation.metadata.get(WRITER) or {}
    return ThreadDict(
        id=str(conversation.id),
        createdAt=conversation.created_at.isoformat(),
        name=conversation.title,
        userId=conversation.user_id,
        userIdentifier=conversation.user_id,
        tags=kept.get("tags") or [],
        metadata=kept.get("metadata") or {},
        steps=[],
        elements=[],
    )


def cursor_of(conversation: Conversation) -> str:
    """Name a thread's place among those of its user; the order of names is the order of last use."""
    return f"{conversation.updated_at:%Y-%m-%dT%H:%M:%S.%f} {conversation.id}"
