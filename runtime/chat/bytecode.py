"""Keeps the code of chat templates between processes, so that each is compiled once.

Code that was loaded can do anything, so it comes from one place only: a folder that the user alone
can write to. It never comes from a model's files. An entry is valid for one source text, one
interpreter, one version of jinja2 and one environment; whatever is missing, damaged, foreign or in
the way is as if it were not there, and the template is compiled. The environment variable
`CHATC_NO_BYTECODE`, set to anything, turns all of this off.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType
from typing import NamedTuple

_MARK = b"chatc bytecode 1\n"  # another number wherever the record or the generation tag changes
_DIGEST_SIZE = 32  # of sha256, in bytes
_MOST_ENTRIES = 1024


class TemplateRecord(NamedTuple):
    """What is known of a template once it is compiled."""

    code: CodeType  # as jinja2 makes it
    variables: frozenset[str]  # those that the template reads and does not set itself
    literal_text: str  # the texts that it may write of itself, with null characters between


class CodeOrigin(NamedTuple):
    """What decides which code a template becomes, besides the interpreter."""

    source: str
    jinja_version: str
    environment_file: str  # the file that defines the environment, by its path


def read_bytecode(origin: CodeOrigin) -> TemplateRecord | None:
    """The record kept of a template, None if there is no sound one."""
    with suppress(OSError, EOFError, TypeError, ValueError), _bytecode_folder() as folder:
        key = _record_key(origin)
        return _sound_record(key, _own_content(folder, key))
    return None


def write_bytecode(origin: CodeOrigin, make_record: Callable[[], TemplateRecord]) -> None:
    """Keep a template's record, at once or not at all; it is made only if it can be kept."""
    with suppress(OSError, ValueError), _bytecode_folder(make=True) as folder:
        key = _record_key(origin)
        _drop_oldest(folder)
        _write_whole(folder, key, _content(key, make_record()))


def _record_key(origin: CodeOrigin) -> str:
    """The name of an entry, 64 hexadecimal digits."""
    maker = _maker_digest(
        origin.environment_file,
        origin.jinja_version,
        sys.implementation.cache_tag,
        MAGIC_NUMBER,  # the cache tag alone does not tell pre-releases apart
        marshal.version,
    )
    return hashlib.sha256(maker + origin.source.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _maker_digest(environment_file: str, *versions: object) -> bytes:
    """32 bytes for all that turns a source into code."""
    content = Path(environment_file).read_bytes()
    return hashlib.sha256(repr(versions).encode() + b"\0" + content).digest()


@contextmanager
def _bytecode_folder(make: bool = False) -> Iterator[int]:
    """An open descriptor of the folder, which is made first if need be.

    Files are reached through the descriptor: a path may lead elsewhere after it was checked.
    Raises OSError where the folder cannot be trusted or there is to be none.
    """
    if os.environ.get("CHATC_NO_BYTECODE") or os.open not in os.supports_dir_fd:
        raise OSError("no bytecode is kept")
    base = _cache_home()
    if make:
        Path(base).mkdir(mode=0o700, parents=True, exist_ok=True)
    outer = _own_folder(f"{base}/chatc", None, make)
    try:
        inner = _own_folder("jinja", outer, make)
    finally:
        os.close(outer)
    try:
        yield inner
    finally:
        os.close(inner)


def _cache_home() -> str:
    """The user's folder of caches (XDG base directories 0.8: a relative one does not count)."""
    path = os.environ.get("XDG_CACHE_HOME", "")
    if path.startswith("/"):
        return path
    try:
        return f"{Path.home()}/.cache"
    except RuntimeError as error:
        raise OSError("the user has no home") from error


def _own_folder(path: str, parent: int | None, make: bool) -> int:
    """A descriptor of a folder which nobody else may write to; raises OSError for any other."""
    if make:
        with suppress(FileExistsError):
            os.mkdir(path, 0o700, dir_fd=parent)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        _require_own(os.fstat(folder))
    except OSError:
        os.close(folder)
        raise
    return folder


def _require_own(found: os.stat_result) -> None:
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise OSError("others can write to it")


def _own_content(folder: int, name: str) -> bytes:
    """The content of a file which nobody else may write to; raises OSError for any other."""
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        found = os.fstat(file)
        _require_own(found)
        return os.read(file, found.st_size)
    finally:
        os.close(file)


def _content(key: str, record: TemplateRecord) -> bytes:
    """The bytes of an entry: the mark, the checksum, the record."""
    body = marshal.dumps((record.code, tuple(sorted(record.variables)), record.literal_text))
    return _MARK + _checksum(key, body) + body


def _sound_record(key: str, content: bytes) -> TemplateRecord | None:
    """The record in an entry's bytes, None where they are not those that were written.

    The checksum comes first: to unmarshal damaged bytes can crash the interpreter.
    """
    body_start = len(_MARK) + _DIGEST_SIZE
    mark, checksum = content[: len(_MARK)], content[len(_MARK) : body_start]
    body = content[body_start:]
    if mark != _MARK or checksum != _checksum(key, body):
        return None
    code, variables, literal_text = marshal.loads(body)
    if not isinstance(code, CodeType):
        return None
    return TemplateRecord(code, frozenset(variables), literal_text)


def _checksum(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + body).digest()


def _write_whole(folder: int, name: str, content: bytes) -> None:
    """Write a file that readers see complete or not at all."""
    temporary = f"{name}.{os.getpid()}.{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(temporary, flags, 0o600, dir_fd=folder), "wb") as file:
        try:
            file.write(content)
            file.flush()
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise


def _drop_oldest(folder: int) -> None:
    """Halve a folder that has become full; what writers left unfinished goes with the rest."""
    names = os.listdir(folder)
    if len(names) < _MOST_ENTRIES:
        return
    ages = {name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime for name in names}
    for name in sorted(names, key=lambda name: ages[name])[: len(names) // 2]:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
