"""What an application keeps about a user: JSON under keys, and one mode."""

from __future__ import annotations

from typing import Any

from gunita.services import access
from gunita.services.access import Access
from gunita.store import userdata


class UserDataService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def set_memory(self, user_id: str, key: str, value: Any) -> None:
        """Keep a JSON value under a key, in place of what was there."""
        door = self._door
        name, checked = access.key_text("key", key), door.json_value("value", value)
        userdata.set_memory(door.db, door.user(user_id), name, checked, door.clock())

    def get_memory(self, user_id: str, key: str, default: Any = None) -> Any:
        name = access.key_text("key", key)
        return userdata.get_memory(self._door.db, self._door.user(user_id), name).get(name, default)

    def get_all_memory(self, user_id: str) -> dict[str, Any]:
        return userdata.all_memory(self._door.db, self._door.user(user_id))

    def delete_memory(self, user_id: str, key: str) -> bool:
        return userdata.delete_memory(self._door.db, self._door.user(user_id), access.key_text("key", key))

    def clear_all_memory(self, user_id: str) -> int:
        """Delete every key of the user; tell how many there were."""
        return userdata.clear_memory(self._door.db, self._door.user(user_id))

    def set_user_state(self, user_id: str, mode: str) -> None:
        door = self._door
        userdata.set_state(door.db, door.user(user_id), access.short_text("mode", mode), door.clock())

    def get_user_state(self, user_id: str) -> str | None:
        return userdata.get_state(self._door.db, self._door.user(user_id))

    def delete_user_state(self, user_id: str) -> bool:
        return userdata.delete_state(self._door.db, self._door.user(user_id))
