"""Read a chat template: the text of a Jinja file, and what is said where it is none."""

from __future__ import annotations

from pathlib import Path

from compiler.diagnostics import Diagnostic, Location, TemplateError


def load_chat_template(path: Path) -> str:
    """The text of the file as transformers reads it: every line ends in a line feed.

    Raises TemplateError (RT001) for what is not UTF-8; OSError.
    """
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        message = f"not UTF-8 text: byte 0x{byte:02x} at offset {error.start}"
        raise _refused("RT001", message, Location(path.as_posix())) from None


def not_jinja(path: Path, message: str, line: int) -> TemplateError:
    """The error for a file that jinja2 refuses: its message, and the line that it names."""
    return _refused("LT001", f"this is not Jinja: {message}", Location(path.as_posix(), line))


def _refused(rule: str, message: str, where: Location) -> TemplateError:
    return TemplateError([Diagnostic(rule, "error", message, "", None, where)])
