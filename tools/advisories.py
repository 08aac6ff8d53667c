"""Says which pinned versions have known holes, without a network: the advisories are files, in OSV's form.

python -m tools.advisories FOLDER            every list of pins in the repository
python -m tools.advisories FOLDER FILE ...   these lists

FOLDER holds OSV's JSON files, however deep, or OSV's own archive (all.zip of the ecosystem PyPI) as it comes. Ends
with 0 when no pin is affected, with 1 when one is, and with 2 when that could not be found out.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parent.parent
LISTS = (
    "constraints.txt",
    "adapters-constraints.txt",
    "chainlit-constraints.txt",
    "tools/docs-requirements.txt",
    "benchmarks/peers-requirements.txt",
)
ECOSYSTEM = "PyPI"
BEFORE_EVERYTHING, NEVER = "0", "*"
"""What OSV writes where a range has no first version, and where it has no limit."""
Json = Mapping[str, Any]


class Unknown(Exception):
    """Whether pins are affected cannot be said; a check that read nothing must not pass for a good one."""


@dataclass(frozen=True, order=True)
class Pin:
    name: str
    version: Version
    listed_in: str


@dataclass(frozen=True, order=True)
class Finding:
    pin: Pin
    advisory: str
    fixed_in: tuple[str, ...]
    summary: str

    def __str__(self) -> str:
        remedy = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no fix is known"
        return f"{self.pin.listed_in}: {self.pin.name} {self.pin.version}: {self.advisory}, {remedy}: {self.summary}"


def normal(name: str) -> str:
    """Write a package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str, listed_in: str) -> Iterator[Pin]:
    """Read a list of pins; a line that pins nothing is an error, because it could not be checked."""
    for line in text.splitlines():
        wanted = re.sub(r"(^|\s)#.*", "", line).strip()
        if not wanted:
            continue
        try:
            [exactly] = Requirement(wanted).specifier
            assert exactly.operator == "=="
            yield Pin(normal(Requirement(wanted).name), Version(exactly.version), listed_in)
        except (InvalidRequirement, InvalidVersion, ValueError, AssertionError) as problem:
            raise Unknown(f"{listed_in}: {line!r} pins no version") from problem


def advisories(folder: Path) -> Iterator[Json]:
    """Read every advisory under a folder, from files and from archives of them."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".json":
            yield read(path.read_bytes(), str(path))
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield read(archive.read(name), f"{path}/{name}")


def read(written: bytes, where: str) -> Json:
    try:
        advisory = json.loads(written)
    except ValueError as problem:
        raise Unknown(f"{where} is not JSON") from problem
    if not isinstance(advisory, dict) or not isinstance(advisory.get("id"), str):
        raise Unknown(f"{where} is no advisory in OSV's form")
    return advisory


def about(advisory: Json) -> Iterator[Json]:
    """Give the parts of an advisory that are about packages of Python's index; none of one that was taken back."""
    if not advisory.get("withdrawn"):
        yield from (one for one in advisory.get("affected", ()) if one.get("package", {}).get("ecosystem") == ECOSYSTEM)


def is_affected(version: Version, affected: Json) -> bool:
    """Say whether a version is one of those listed, or lies in one of the ranges."""
    ranges = (each for each in affected.get("ranges", ()) if each.get("type") == "ECOSYSTEM")
    is_listed = any(_same(version, each) for each in affected.get("versions", ()))
    return is_listed or any(lies_in(version, each.get("events", ())) for each in ranges)


def _same(version: Version, listed: str) -> bool:
    try:
        return Version(listed) == version
    except InvalidVersion:
        # A name of before versions had a form, which no pin has.
        return False


def lies_in(version: Version, events: Sequence[Mapping[str, str]]) -> bool:
    """Walk along a range's events in the order of their versions, and say what holds at this one.

    As OSV has it: `introduced` opens, `fixed` and `limit` close at their version, `last_affected` closes after it.
    """
    inside = False
    steps = [(place(at), kind) for event in events for kind, at in event.items() if at != NEVER]
    for at, kind in sorted(steps, key=lambda step: (step[0], step[1] != "introduced")):
        if kind == "introduced" and at <= version:
            inside = True
        elif (kind in {"fixed", "limit"} and at <= version) or (kind == "last_affected" and at < version):
            inside = False
    return inside


def place(version: str) -> Version:
    if version == BEFORE_EVERYTHING:
        return Version("0.dev0")
    try:
        return Version(version)
    except InvalidVersion as problem:
        raise Unknown(f"a range begins or ends at {version!r}, which is no version") from problem


def fixes(affected: Json) -> tuple[str, ...]:
    events = (event for each in affected.get("ranges", ()) for event in each.get("events", ()))
    return tuple(sorted({event["fixed"] for event in events if "fixed" in event}, key=place))


def findings(pinned: Iterable[Pin], known: Iterable[Json]) -> list[Finding]:
    """Hold every pin against every advisory about its package."""
    of_package: dict[str, list[tuple[Json, Json]]] = {}
    for advisory in known:
        for affected in about(advisory):
            of_package.setdefault(normal(affected["package"]["name"]), []).append((advisory, affected))
    if not of_package:
        raise Unknown(f"no advisory is about a package of {ECOSYSTEM}")
    return sorted(
        Finding(pin, named(advisory), fixes(affected), advisory.get("summary", "(no summary)"))
        for pin in pinned
        for advisory, affected in of_package.get(pin.name, ())
        if is_affected(pin.version, affected)
    )


def named(advisory: Json) -> str:
    return " = ".join([advisory["id"], *advisory.get("aliases", ())])


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    folder, *lists = map(Path, arguments)
    try:
        chosen = lists or [ROOT / name for name in LISTS]
        pinned = [pin for path in chosen for pin in pins(path.read_text(encoding="utf-8"), path.name)]
        found = findings(pinned, advisories(folder))
    except (Unknown, OSError, zipfile.BadZipFile) as problem:
        print(problem, file=sys.stderr)
        return 2
    for finding in found:
        print(finding)
    print(f"{len(pinned)} pins, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
