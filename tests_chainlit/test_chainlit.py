"""Chainlit's data layer: what its own server, messages, steps and elements ask of one, over Gunita."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import chainlit
import pytest
from chainlit.auth import create_jwt
from chainlit.config import config
from chainlit.data.storage_clients.base import BaseStorageClient
from chainlit.element import CustomElement, File, Image
from chainlit.server import app
from chainlit.types import Feedback
from fastapi.testclient import TestClient

from gunita import Gunita, ValidationError
from gunita.adapters.chainlit import GunitaDataLayer
from tests_chainlit.threads import inside, keep_in, listed, send


@pytest.fixture
def layer(gunita: Gunita) -> GunitaDataLayer:
    return GunitaDataLayer(gunita)


@pytest.fixture
def thread_id() -> str:
    return str(uuid4())


@pytest.fixture
def browser(layer: GunitaDataLayer) -> Iterator[TestClient]:
    """Chainlit's own server, which asks who is there."""
    keep_in(layer)
    config.code.header_auth_callback = lambda _: None
    yield TestClient(app)
    config.code.header_auth_callback = None


def signed_in(user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {create_jwt(chainlit.User(identifier=user))}"}


def thread(layer: GunitaDataLayer, thread_id: str) -> Any:
    return asyncio.run(layer.get_thread(thread_id))


class Shelf(BaseStorageClient):
    """Files in a folder, as a storage client of Chainlit's keeps them elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.closed = False

    def at(self, key: str) -> Path:
        return self.folder / key.replace("/", "_")

    async def upload_file(
        self,
        object_key: str,
        data: bytes | str,
        mime: str = "application/octet-stream",
        overwrite: bool = True,
        content_disposition: str | None = None,
    ) -> dict[str, Any]:
        self.at(object_key).write_bytes(data if isinstance(data, bytes) else data.encode())
        return {"object_key": object_key}

    async def delete_file(self, object_key: str) -> bool:
        self.at(object_key).unlink()
        return True

    async def get_read_url(self, object_key: str) -> str:
        return f"shelf:{object_key}"

    async def close(self) -> None:
        self.closed = True


def test_somebody_who_signs_in_again_is_the_same(layer: GunitaDataLayer) -> None:
    assert asyncio.run(layer.get_user("juan")) is None
    first = asyncio.run(layer.create_user(chainlit.User(identifier="juan", metadata={"role": "admin"})))
    again = asyncio.run(layer.create_user(chainlit.User(identifier="juan", metadata={"role": "user"})))
    assert first is not None
    assert again is not None
    assert (again.id, again.createdAt, again.metadata) == (first.id, first.createdAt, {"role": "user"})
    assert asyncio.run(layer.get_user("juan")) == again


def test_what_ran_in_between_is_kept_in_order_and_is_no_turn(
    layer: GunitaDataLayer, gunita: Gunita, thread_id: str
) -> None:
    async def talk() -> None:
        await chainlit.Message("Magkano ang pamasahe?", type="user_message").send()
        async with chainlit.Step(name="fare", type="tool") as step:
            step.input, step.output = {"to": "Davao"}, "4000"
        answer = chainlit.Message("")
        for word in ("Mga ", "₱4,000."):
            await answer.stream_token(word)
        await answer.send()
        answer.content = "Mga ₱4,000 po."
        await answer.update()

    inside(layer, thread_id, "juan", talk())
    steps = thread(layer, thread_id)["steps"]
    assert [(step["type"], step["output"]) for step in steps] == [
        ("user_message", "Magkano ang pamasahe?"),
        ("tool", "4000"),
        ("assistant_message", "Mga ₱4,000 po."),
    ]
    assert '"to": "Davao"' in steps[1]["input"]
    [turn] = gunita.sessions.get_session_history(thread_id)
    assert (turn.user_id, turn.query_text, turn.response_text) == ("juan", "Magkano ang pamasahe?", "Mga ₱4,000 po.")


def test_a_message_that_is_removed_is_gone(layer: GunitaDataLayer, gunita: Gunita, thread_id: str) -> None:
    async def talk() -> None:
        await chainlit.Message("Tanong", type="user_message").send()
        await chainlit.Message("Una").send()
        regretted = await chainlit.Message("Hindi pala").send()
        await regretted.remove()

    inside(layer, thread_id, "juan", talk())
    assert [step["output"] for step in thread(layer, thread_id)["steps"]] == ["Tanong", "Una"]
    assert gunita.search.search("pala", limit=5) == []


def test_a_thread_that_began_before_its_user_was_known_becomes_theirs_and_nobody_elses(
    layer: GunitaDataLayer, thread_id: str
) -> None:
    inside(layer, thread_id, None, send([("Kumusta?", "Mabuti.")]))
    asyncio.run(layer.update_thread(thread_id, name="Pagbati", user_id="juan", tags=["hi"]))
    assert asyncio.run(layer.get_thread_author(thread_id)) == "juan"
    found = thread(layer, thread_id)
    assert (found["name"], found["tags"], len(found["steps"])) == ("Pagbati", ["hi"], 2)
    with pytest.raises(ValidationError):
        asyncio.run(layer.update_thread(thread_id, user_id="eve"))
    assert asyncio.run(layer.get_thread_author(thread_id)) == "juan"


def test_metadata_is_added_changed_and_taken_away_by_key(layer: GunitaDataLayer, thread_id: str) -> None:
    asyncio.run(layer.update_thread(thread_id, user_id="juan", metadata={"a": 1, "b": 2}))
    asyncio.run(layer.update_thread(thread_id, metadata={"a": None, "c": [3]}))
    assert thread(layer, thread_id)["metadata"] == {"b": 2, "c": [3]}


def test_threads_are_listed_a_page_at_a_time_for_their_user_alone(layer: GunitaDataLayer) -> None:
    threads = [str(uuid4()) for _ in range(7)]
    for number, thread_id in enumerate(threads):
        asyncio.run(layer.update_thread(thread_id, name=f"Thread {number}", user_id="juan"))
    asyncio.run(layer.update_thread(str(uuid4()), name="Another's", user_id="maria"))
    seen, cursor = [], None
    for _ in threads:
        page = listed(layer, "juan", first=3, cursor=cursor)
        seen += [found["id"] for found in page.data]
        # What is used meanwhile moves ahead, and makes nobody behind the cursor be told twice or left out.
        asyncio.run(layer.update_thread(threads[-1], name="Used again"))
        cursor = page.pageInfo.endCursor
        if not page.pageInfo.hasNextPage:
            break
    assert seen == threads[::-1]
    with pytest.raises(ValidationError):
        listed(layer, "")


def test_threads_are_found_by_name_and_by_what_was_said(layer: GunitaDataLayer) -> None:
    rent, food = str(uuid4()), str(uuid4())
    inside(layer, rent, "juan", send([("Who do I pay the rent to?", "Your landlord.")]))
    inside(layer, food, "juan", send([("How do I cook adobo?", "With vinegar.")]))
    asyncio.run(layer.update_thread(food, name="Hapunan"))
    assert [found["id"] for found in listed(layer, "juan", search="landlord").data][:1] == [rent]
    assert [found["id"] for found in listed(layer, "juan", search="hapunan").data][:1] == [food]
    assert listed(layer, "maria", search="adobo").data == []


def test_feedback_stands_at_its_step_and_filters_threads(
    layer: GunitaDataLayer, gunita: Gunita, thread_id: str
) -> None:
    inside(layer, thread_id, "juan", send([("Kumusta?", "Mabuti.")]))
    inside(layer, str(uuid4()), "juan", send([("Iba", "Iba rin")]))
    answer = thread(layer, thread_id)["steps"][1]
    # The page names no thread, and another process may have kept the step.
    layer = GunitaDataLayer(gunita)
    given = asyncio.run(layer.upsert_feedback(Feedback(forId=answer["id"], value=1, comment="Salamat")))
    assert asyncio.run(layer.upsert_feedback(Feedback(forId=answer["id"], id=given, value=0, comment="Hm"))) == given
    kept = thread(layer, thread_id)["steps"][1]["feedback"]
    assert (kept["id"], kept["value"], kept["comment"]) == (given, 0, "Hm")
    assert [found["id"] for found in listed(layer, "juan", feedback=0).data] == [thread_id]
    assert listed(layer, "juan", feedback=1).data == []
    assert asyncio.run(layer.delete_feedback(given))
    assert thread(layer, thread_id)["steps"][1]["feedback"] is None
    assert not asyncio.run(layer.delete_feedback(str(uuid4())))


def test_favourites_are_found_until_they_are_none_or_gone(layer: GunitaDataLayer, thread_id: str) -> None:
    inside(layer, thread_id, "juan", send([("Kumusta?", "Mabuti."), ("Magkano?", "Libre.")]))
    first, _, second, _ = thread(layer, thread_id)["steps"]
    for step in (first, second):
        inside(layer, thread_id, "juan", layer.set_step_favorite(step, True))
    assert [step["output"] for step in asyncio.run(layer.get_favorite_steps("juan"))] == ["Kumusta?", "Magkano?"]
    inside(layer, thread_id, "juan", layer.set_step_favorite(first, False))
    assert [step["output"] for step in asyncio.run(layer.get_favorite_steps("juan"))] == ["Magkano?"]
    asyncio.run(layer.delete_thread(thread_id))
    assert asyncio.run(layer.get_favorite_steps("juan")) == []


def test_elements_are_kept_where_they_can_be_shown(
    layer: GunitaDataLayer, thread_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    shown = [
        Image(name="map", url="https://example.org/map.png", thread_id=thread_id),
        CustomElement(name="Card", props={"fare": 4000}, thread_id=thread_id),
        File(name="notes.txt", content=b"only bytes", thread_id=thread_id),
    ]

    async def talk() -> None:
        await chainlit.Message("Tingnan mo", type="user_message").send()
        for element in shown:
            element.for_id = "a-step"
            await layer.create_element(element)

    inside(layer, thread_id, "juan", talk())
    kept = thread(layer, thread_id)["elements"]
    assert [(element["name"], element["url"], element["props"] or {}) for element in kept] == [
        ("map", "https://example.org/map.png", {}),
        ("Card", None, {"fare": 4000}),
    ]
    assert "no storage client is given" in caplog.text
    inside(layer, thread_id, "juan", layer.delete_element(shown[0].id, thread_id))
    assert asyncio.run(layer.get_element(thread_id, shown[0].id)) is None
    assert asyncio.run(layer.get_element(thread_id, shown[1].id)) == kept[1]


def test_files_go_to_the_storage_client_and_from_it(gunita: Gunita, thread_id: str, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "files")
    shelf.folder.mkdir()
    layer = GunitaDataLayer(gunita, storage_client=shelf)

    async def talk() -> None:
        said = await chainlit.Message("Basahin mo", type="user_message").send()
        for name in ("kept", "removed", "with its step"):
            element = File(name=name, content=f"{name}!".encode(), thread_id=thread_id)
            element.for_id = said.id if name == "with its step" else "another"
            await layer.create_element(element)

    inside(layer, thread_id, "juan", talk())
    kept, removed, _ = thread(layer, thread_id)["elements"]
    assert kept["url"] == f"shelf:{kept['objectKey']}"
    assert shelf.at(kept["objectKey"]).read_text() == "kept!"
    inside(layer, thread_id, "juan", layer.delete_element(removed["id"], thread_id))
    [said] = thread(layer, thread_id)["steps"]
    inside(layer, thread_id, "juan", layer.delete_step(said["id"]))
    assert [path.read_text() for path in shelf.folder.iterdir()] == ["kept!"]
    asyncio.run(layer.delete_thread(thread_id))
    assert list(shelf.folder.iterdir()) == []
    asyncio.run(layer.close())
    assert shelf.closed


def test_the_page_reads_renames_rates_and_deletes_what_is_its_users_own(
    layer: GunitaDataLayer, browser: TestClient, thread_id: str
) -> None:
    inside(layer, thread_id, "juan", send([("Kumusta?", "Mabuti.")]))
    juan, eve = signed_in("juan"), signed_in("eve")
    wanted = {"pagination": {"first": 10}, "filter": {}}
    assert [found["id"] for found in browser.post("/project/threads", json=wanted, headers=juan).json()["data"]] == [
        thread_id
    ]
    assert browser.post("/project/threads", json=wanted, headers=eve).json()["data"] == []
    assert browser.get(f"/project/thread/{thread_id}", headers=eve).status_code == 401
    assert browser.get(f"/project/thread/{uuid4()}", headers=juan).status_code == 404
    assert browser.get("/project/thread/no-uuid", headers=juan).status_code == 404

    steps = browser.get(f"/project/thread/{thread_id}", headers=juan).json()["steps"]
    assert [step["output"] for step in steps] == ["Kumusta?", "Mabuti."]
    rated = {"feedback": {"forId": steps[1]["id"], "value": 1}, "sessionId": "none"}
    assert browser.put("/feedback", json=rated, headers=juan).json()["success"]
    renamed = browser.put("/project/thread", json={"threadId": thread_id, "name": "Pagbati"}, headers=juan)
    assert renamed.json() == {"success": True}
    found = browser.get(f"/project/thread/{thread_id}", headers=juan).json()
    assert (found["name"], found["steps"][1]["feedback"]["value"]) == ("Pagbati", 1)

    assert browser.request("DELETE", "/project/thread", json={"threadId": thread_id}, headers=eve).status_code == 401
    assert browser.request("DELETE", "/project/thread", json={"threadId": thread_id}, headers=juan).status_code == 200
    assert browser.get(f"/project/thread/{thread_id}", headers=juan).status_code == 404


def test_what_the_chat_said_in_the_same_conversation_is_shown_too(layer: GunitaDataLayer, gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    gunita.sessions.store_turn(session, "juan", "Kumusta?", "Mabuti naman.")
    inside(layer, str(session), "juan", send([("Magkano?", "Libre.")]))
    steps = thread(layer, str(session))["steps"]
    assert [(step["type"], step["output"]) for step in steps] == [
        ("user_message", "Kumusta?"),
        ("assistant_message", "Mabuti naman."),
        ("user_message", "Magkano?"),
        ("assistant_message", "Libre."),
    ]


def test_deleting_the_user_leaves_nothing_of_their_threads(
    layer: GunitaDataLayer, gunita: Gunita, thread_id: str
) -> None:
    inside(layer, thread_id, "juan", send([("Kumusta?", "Mabuti.")]))
    inside(layer, thread_id, "juan", layer.set_step_favorite(thread(layer, thread_id)["steps"][0], True))
    receipt = gunita.deletion.delete_user("juan")
    assert gunita.deletion.verify(receipt.id, subject="juan").verified
    assert thread(layer, thread_id) is None
    assert asyncio.run(layer.get_user("juan")) is None
    assert asyncio.run(layer.get_favorite_steps("juan")) == []


def test_a_layer_belongs_to_a_tenant_and_to_no_user(gunita: Gunita) -> None:
    with pytest.raises(ValidationError):
        GunitaDataLayer(gunita.scoped(user_id="juan"))


def test_the_code_of_the_adapters_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parent.parent / "docs" / "how-to" / "adapters.md"
    blocks = re.findall(r"^```py\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if "chainlit" in block]
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(block, "adapters.md", "exec"), namespace)
    assert config.code.data_layer is not None
    assert isinstance(config.code.data_layer(), GunitaDataLayer)
    config.code.data_layer = None
    namespace["gunita"].close()
