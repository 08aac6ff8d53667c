"""The page about the commands says what the commands say."""

from __future__ import annotations

from tools import cli_reference


def test_the_reference_is_written_from_the_commands() -> None:
    assert cli_reference.TARGET.read_text(encoding="utf-8") == cli_reference.written(), "python -m tools.cli_reference"


def test_every_option_says_what_it_does() -> None:
    commands = cli_reference.walked(cli_reference.get_command(cli_reference.app), "gunita")
    silent = [
        f"{name} {each.name}"
        for name, command in commands
        for each in command.params
        if not each.help and each.name != "help"
    ]
    assert silent == []
