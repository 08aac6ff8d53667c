"""Pins against advisories, all of them made up: what is affected is found, and what could not be read is no pass."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from tools import advisories
from tools.advisories import LISTS, ROOT, Unknown, findings, is_affected, lies_in, main, pins

Steps = list[dict[str, str]]


def advisory(package: str, events: Steps, ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    affected = {
        "package": {"ecosystem": ecosystem, "name": package},
        "ranges": [{"type": "ECOSYSTEM", "events": events}],
    }
    return {"id": "MADE-UP-1", "summary": "Tells secrets", "affected": [affected], **more}


@pytest.mark.parametrize(
    ("events", "inside", "outside"),
    [
        ([{"introduced": "0"}, {"fixed": "2.0"}], ["0", "0.dev0", "1.9.9", "2.0rc1", "2.0.dev1"], ["2.0", "2.0.post1"]),
        ([{"introduced": "1.5"}, {"fixed": "1.10"}], ["1.5", "1.9", "1.9.post1"], ["1.4", "1.10", "1.5rc1", "2"]),
        ([{"introduced": "1.0"}, {"last_affected": "1.3"}], ["1.0", "1.3"], ["0.9", "1.3.1", "1.4"]),
        ([{"introduced": "1.0"}], ["1.0", "99"], ["0.9"]),
        ([{"introduced": "0"}], ["0.0.1", "99"], []),
        ([{"fixed": "2.0"}, {"introduced": "0"}], ["1.0"], ["2.0"]),
        (
            [{"introduced": "1.0"}, {"fixed": "1.2"}, {"introduced": "2.0"}, {"fixed": "2.2"}],
            ["1.1", "2.1"],
            ["0.1", "1.2", "1.9", "2.2"],
        ),
        ([{"introduced": "1!1.0"}, {"fixed": "1!2.0"}], ["1!1.5"], ["1.5"]),
        ([{"introduced": "1.0"}, {"limit": "1.4"}], ["1.3"], ["1.4"]),
        ([{"introduced": "0"}, {"limit": "*"}], ["0.1", "99"], []),
    ],
)
def test_a_version_lies_in_a_range_as_osv_has_it(events: Steps, inside: list[str], outside: list[str]) -> None:
    assert [each for each in inside if not lies_in(Version(each), events)] == []
    assert [each for each in outside if lies_in(Version(each), events)] == []


numbers = st.lists(st.integers(0, 40), min_size=1, max_size=6, unique=True).map(sorted)


@given(bounds=numbers, at=st.integers(0, 40), order=st.randoms(use_true_random=False))
def test_ranges_open_and_close_in_the_order_of_versions_however_they_are_written(
    bounds: list[int], at: int, order: Any
) -> None:
    events = [{"introduced" if place % 2 == 0 else "fixed": f"1.{bound}"} for place, bound in enumerate(bounds)]
    order.shuffle(events)
    assert lies_in(Version(f"1.{at}"), events) == (sum(bound <= at for bound in bounds) % 2 == 1)


def test_a_listed_version_is_affected_without_a_range() -> None:
    affected = {"versions": ["1.0", "1.0.1", "2004d"], "ranges": [{"type": "GIT", "events": [{"introduced": "0"}]}]}
    assert is_affected(Version("1.0.0"), affected)
    assert not is_affected(Version("1.0.2"), affected)


@pytest.mark.parametrize("event", [{"fixed": "2004d!"}, {"introduced": "soon"}, {"last_affected": ""}])
def test_a_range_that_cannot_be_read_is_no_pass(event: dict[str, str]) -> None:
    with pytest.raises(Unknown):
        lies_in(Version("1.0"), [{"introduced": "0"}, event])


def test_names_are_compared_as_the_index_does() -> None:
    pinned = [*pins("Foo_Bar==1.0\nzope.interface==5\nother[extra]==1.0 ; python_version > '3'  # why\n", "list")]
    known = [advisory(name, [{"introduced": "0"}]) for name in ("foo.bar", "Zope-Interface", "OTHER")]
    assert [found.pin.name for found in findings(pinned, known)] == ["foo-bar", "other", "zope-interface"]
    assert findings(pinned, [advisory("foo-bar-baz", [{"introduced": "0"}])]) == []


def test_advisories_of_elsewhere_and_those_taken_back_are_passed_over() -> None:
    pinned, everything = [*pins("foo==1.0", "list")], [{"introduced": "0"}]
    known = [
        advisory("bar", everything),
        advisory("foo", everything, ecosystem="npm"),
        advisory("foo", everything, withdrawn="2026-01-01T00:00:00Z"),
    ]
    assert findings(pinned, known) == []


@pytest.mark.parametrize("line", ["foo>=1.0", "foo", "foo==1.*", "foo==1.0,<2", "-r other.txt", "foo @ file:///x", "?"])
def test_a_line_that_pins_nothing_is_not_passed_over(line: str) -> None:
    with pytest.raises(Unknown):
        list(pins(f"bar==1.0\n{line}\n", "list"))


def test_the_command_says_what_is_affected_and_ends_accordingly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pinned, known = tmp_path / "pins.txt", tmp_path / "known"
    pinned.write_text("# why\nfoo==1.0\nbar==3.0\n")
    (known / "deep").mkdir(parents=True)
    made_up = advisory("foo", [{"introduced": "0"}, {"fixed": "1.1"}], aliases=["CVE-0"])
    (known / "deep" / "one.json").write_text(json.dumps(made_up))
    assert main([str(known), str(pinned)]) == 1
    told = "pins.txt: foo 1.0: MADE-UP-1 = CVE-0, fixed in 1.1: Tells secrets\n2 pins, 1 findings\n"
    assert capsys.readouterr().out == told
    pinned.write_text("foo==1.1\n")
    assert main([str(known), str(pinned)]) == 0


def test_an_archive_is_read_as_it_comes(tmp_path: Path) -> None:
    (tmp_path / "pins.txt").write_text("foo==1.0\n")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("MADE-UP-1.json", json.dumps(advisory("foo", [{"introduced": "0"}])))
    assert main([str(tmp_path), str(tmp_path / "pins.txt")]) == 1


@pytest.mark.parametrize("written", [None, "{", "[]", "{}", '{"id": 7}', json.dumps(advisory("x", [], "npm"))])
def test_what_cannot_be_read_and_nothing_to_read_are_no_pass(tmp_path: Path, written: str | None) -> None:
    (tmp_path / "pins.txt").write_text("foo==1.0\n")
    if written is not None:
        (tmp_path / "one.json").write_text(written)
    assert main([str(tmp_path), str(tmp_path / "pins.txt")]) == 2


def test_a_folder_a_list_or_an_archive_that_is_not_there_is_no_pass(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(advisory("foo", [])))
    assert main([]) == 2
    assert main([str(tmp_path), str(tmp_path / "nowhere.txt")]) == 2
    assert main([str(tmp_path / "nowhere")]) == 2
    (tmp_path / "all.zip").write_text("no archive")
    assert main([str(tmp_path)]) == 2


def test_every_list_of_pins_in_the_repository_is_read() -> None:
    found = {path.relative_to(ROOT).as_posix() for word in ("constraints", "requirements")
             for folder in (".", "tools", "benchmarks", "deploy", "examples", "training")
             for path in (ROOT / folder).glob(f"*{word}*.txt")}  # fmt: skip
    assert found == set(LISTS)
    for name in LISTS:
        assert len(list(pins((ROOT / name).read_text(encoding="utf-8"), name))) >= 10
    assert advisories.normal("PyJWT") in {pin.name for pin in pins((ROOT / LISTS[0]).read_text(), LISTS[0])}
