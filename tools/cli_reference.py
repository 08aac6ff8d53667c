"""Writes docs/reference/cli.md from the commands themselves, so that the page cannot fall behind them.

python -m tools.cli_reference          write the page
python -m tools.cli_reference --check  say whether it is up to date
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, get_args, get_type_hints

from typer.main import get_command

from gunita.cli.commands import app

TARGET = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"

HEAD = """# The command line

<!-- Written by tools/cli_reference.py from the commands; change those and run `python -m tools.cli_reference`. -->

`gunita COMMAND --help` says the same as this page. What holds for every command:

- **Where.** `--database` names a file or a `postgresql://…` address; else `DATABASE_URL` or `--config` does; else it is
  `gunita.db` in the folder one stands in. `--tenant` chooses a tenant, `--user` (or `GUNITA_USER`) a user of it.
- **For programs.** `--json` writes JSON to standard output and nothing else there; what is only said to people goes to
  standard error. Colours, bars and line breaks are for terminals: in a pipe there are none, and `NO_COLOR` turns
  colours off everywhere.
- **Exit codes.** 0: done. 1: refused or failed, with a sentence that says why. 2: the command was called wrongly.
- **What destroys** asks first. Where nobody can be asked it is refused unless `--yes` is given.

| command | |
| --- | --- |
"""

CHAT = """
In it, `/help`, `/new`, `/history`, `/memories` and `/quit` do what they say, and `/meant 2` notes that the last query
meant turn 2; Ctrl-C stops an answer, which is kept as far as it came; Ctrl-D leaves. An answer that points back shows
at what: `↩ turn 1 (93 %)`. Where Gunita asks back,
type the number of a choice, or say it in words. The arrow keys bring back lines typed before, which are kept in
`~/.local/state/gunita/typed-lines` (`XDG_STATE_HOME` moves it), unless `--no-line-history` is given. Lines piped
in are answered one after another; with `--json` every answer is one line.
"""

EXPORT = """
JSON Lines hold one record a line: `{"conversation": …, "messages": […]}`, `{"memory": …}`, `{"user_memory": …}`,
`{"user_state": …}`.
[How to move in and out](../how-to/import.md).
"""

REMARKS = {"gunita chat": CHAT, "gunita export": EXPORT}


def written() -> str:
    commands = list(walked(get_command(app), "gunita"))
    table = "".join(f"| [`{name}`](#{name.replace(' ', '-')}) | {command.help} |\n" for name, command in commands)
    return HEAD + table + "".join(section(name, command) for name, command in commands)


def walked(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Find the commands of a group, and of the groups within it, in their order."""
    for part, inner in command.commands.items():
        if hasattr(inner, "commands"):
            yield from walked(inner, f"{name} {part}")
        else:
            yield f"{name} {part}", inner


def section(name: str, command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    usage = " ".join([name, *(usage_of(argument) for argument in arguments), "[OPTIONS]"])
    hints = get_type_hints(inspect.unwrap(command.callback))
    rows = "".join(
        f"| {named(each, hints.get(each.name))} | {told(each)} |\n" for each in command.params if each.name != "help"
    )
    table = f"\n| | |\n| --- | --- |\n{rows}" if rows else ""
    return f"\n## {name}\n\n{command.help}\n\n```sh\n{usage}\n```\n{table}{REMARKS.get(name, '')}"


def usage_of(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()).strip("[]")
    return name if argument.required else f"[{name}]"


def named(parameter: Any, hint: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{usage_of(parameter)}`"
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    values = [value for kind in (hint, *get_args(hint)) if isinstance(kind, EnumType) for value in kind]
    return f"{names} {', '.join(values)}" if values else names


def told(parameter: Any) -> str:
    default = parameter.default
    shown = default is not None and not isinstance(default, bool) and not callable(default)
    said = f"; {getattr(default, 'value', default)} unless said" if shown else ""
    return f"{parameter.help or ''}{said}".replace("|", "\\|")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == written() else "run: python -m tools.cli_reference")
    TARGET.write_text(written(), encoding="utf-8")
