"""The command line: `chatc COMMAND`, one module a command, loaded when it is called.

Exit codes: 0 all is well, 1 something was found (a mistake, a stale file, a text that cannot be
parsed), 2 the command could not be carried out (wrong usage, unreadable input, a defect of chatc).
Data goes to stdout, everything said about it to stderr.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from compiler.cli.terminal import failed
from compiler.version import VERSION

# Command -> the module whose `command` it is.
COMMANDS = {
    "generate": "compiler.cli.generate",
    "check": "compiler.cli.check",
    "parse": "compiler.cli.parse",
    "render": "compiler.cli.render",
    "explain": "compiler.cli.explain",
    "list": "compiler.cli.list",
    "lint": "compiler.cli.lint",
    "rule": "compiler.cli.rule",
    "bundle": "compiler.cli.bundle",
    "verify": "compiler.cli.verify",
    "upgrade": "compiler.cli.upgrade",
    "export": "compiler.cli.export",
    "bench": "compiler.cli.bench",
}

INTERRUPTED = 130  # as shells report a process that Ctrl-C ended


class _Commands(click.Group):
    """A group whose commands are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # `list` is a command here: the module, once it is imported

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:  # click knows only commands that are loaded
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all is well; 1 something was found; 2 wrong usage or unreadable input.",
)
@click.version_option(VERSION, prog_name="chatc", message="%(prog)s %(version)s")
def commands() -> None:
    """Compile chat response templates into streaming parsers, and render chat templates.

    \b
    chatc generate qwen3              grammars/qwen3 -> generated/qwen3
    chatc generate ./my-model         any model repository with a response template
    chatc parse qwen3 reply.txt       the message as JSON
    chatc render qwen3 --messages -   the prompt, of messages as JSON
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command (of `sys.argv` unless given) and exit."""
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    """Carry the command out; a reader that closes stdout early ends it quietly (click)."""
    try:
        code = commands.main(arguments, prog_name="chatc", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        failed(f"{place}{error.strerror or error}")
    except Exception:
        traceback.print_exc()
        failed("this is a defect of chatc, please report it")
    else:
        return code if isinstance(code, int) else 0
    return 2
