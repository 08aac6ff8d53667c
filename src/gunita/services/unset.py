"""The difference between "leave it" and "make it None"."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unset(Enum):
    UNSET = "unset"


UNSET: Final = Unset.UNSET
