"""Search over messages, turns, memories and conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime

from gunita.models import MemoryType, Role, SearchKind
from gunita.server.entry import Limit, Offset, OfUser, Visitor
from gunita.server.findings import FoundConversationPage, SearchPage, told_conversation, told_hit
from gunita.server.replies import reply
from gunita.server.schemas import problems

router = APIRouter(tags=["search"])

LONGEST_QUERY = 2_000
Sought = Annotated[
    str, Query(min_length=1, max_length=LONGEST_QUERY, description="What is looked for", examples=["kailan ang upa?"])
]
Found = TypeVar("Found")


@router.get("/api/search", summary="Find messages, turns or memories by words and meaning", response_model=SearchPage,
            responses=problems(404))  # fmt: skip
async def found(
    visit: Visitor,
    q: Sought,
    kind: SearchKind = SearchKind.MESSAGES,
    conversation_id: UUID | None = None,
    role: Annotated[Role | None, Query(description="Whose words; messages and turns alone")] = None,
    since: Annotated[AwareDatetime | None, Query(description="From this moment on")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Before this moment")] = None,
    memory_type: Annotated[MemoryType | None, Query(description="Memories of this type alone")] = None,
    user_id: OfUser = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Response:
    hits = await visit.acting_for(user_id).search.search(
        q,
        user_id=user_id,
        conversation_id=conversation_id,
        role=role,
        since=since,
        until=until,
        kind=kind,
        memory_type=memory_type,
        limit=limit + 1,
        offset=offset,
    )
    return _page(hits, told_hit, limit, offset, query=q, kind=kind)


@router.get("/api/conversations/search", summary="Find conversations by title and by what was said",
            response_model=FoundConversationPage, responses=problems())  # fmt: skip
async def found_conversations(
    visit: Visitor,
    q: Sought,
    archived: bool | None = None,
    user_id: OfUser = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Response:
    service = visit.acting_for(user_id).conversations
    found = await service.search(q, limit + 1, offset, user_id=user_id, archived=archived)
    return _page(found, told_conversation, limit, offset, query=q)


def _page(
    found: Sequence[Found], tell: Callable[[Found], dict[str, Any]], limit: int, offset: int, **beside: Any
) -> Response:
    """Answer with one page; one thing more was looked for than it holds, to know whether there is another."""
    following = offset + limit if len(found) > limit else None
    items = [tell(one) for one in found[:limit]]
    return reply({**beside, "items": items, "limit": limit, "offset": offset, "next_offset": following})
