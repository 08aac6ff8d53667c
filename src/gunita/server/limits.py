"""How often one caller may ask: a bucket of requests for each, which fills again over a minute."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from gunita.server.problems import Problem

MOST_CALLERS = 10_000
"""Buckets remembered; the caller who was away longest is forgotten first, and finds a full bucket again."""


@dataclass(slots=True)
class Bucket:
    left: float
    at: float


class RateLimit:
    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, caller: str) -> None:
        """Take one request from the caller's bucket, or refuse and say when to come again."""
        now, a_second = self._clock(), self._per_minute / 60
        bucket = self._buckets.pop(caller, None) or Bucket(self._per_minute, now)
        bucket.left = min(bucket.left + (now - bucket.at) * a_second, self._per_minute)
        bucket.at = now
        self._buckets[caller] = bucket
        while len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        if bucket.left < 1:
            wait = max(math.ceil((1 - bucket.left) / a_second), 1)
            raise Problem(
                429,
                "rate_limited",
                f"More than {self._per_minute} requests in a minute; come again in {wait} s",
                headers={"Retry-After": str(wait)},
            )
        bucket.left -= 1
