"""What `chatc verify` is given: a model's two templates, and the parser that a repository ships."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any, cast

from compiler.cli.chat_templates import FoundTemplate, NoChatTemplate, find_chat_template
from compiler.cli.parsers import ParserModule, find_parser
from compiler.cli.targets import is_name, models, unknown
from compiler.cli.terminal import Unusable
from compiler.diagnostics import TemplateError
from compiler.exporters.ship import PARSER_FILE
from compiler.exporters.verify import Difference, verify
from compiler.exporters.verify import Report as ShippedReport
from compiler.frontend.load import load
from compiler.frontend.validate import validate
from compiler.memory import compile_template
from compiler.models import Model, folder_name
from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.markers import markers, stand_on_lines
from compiler.round_trip.outcome import NotChecked, Report, Row
from compiler.round_trip.run import round_trip
from compiler.round_trip.shapes import TOOLS, Shape, shapes_for

_Parser = ParserModule | Difference | NotChecked  # or a mistake in its template

_NO_TEMPLATE = "RT003"  # the rule that a folder without a response template breaks


def verified(
    target: str, names: Sequence[str], chunkings: Sequence[str]
) -> tuple[Report, tuple[str, ...]]:
    """The report on MODEL or DIR, and warnings about where its chat template lies.

    `names`: the shapes to try, () for all. Raises Unusable.
    """
    model = _model(target)
    folder = Path(model.origin if model else target)
    if not folder.is_dir():
        raise _nothing_at(target)
    chat = _chat_template(folder)
    if isinstance(chat, NotChecked):
        parser: _Parser = chat
    else:
        parser = _generated_parser(model) if model else _compiled_parser(folder)
    rows = _round_trip(folder, chat, parser, names, chunkings)
    shipped = NotChecked("this is no model repository") if model else _shipped(folder, parser, rows)
    warnings = () if isinstance(chat, NotChecked) else chat.warnings
    told = tuple(f"{w.id} {w.file}: {w.message}" for w in warnings)
    name = model.name if model else folder.resolve().name
    return Report(name, _as_named(target), shipped, rows), told


def _model(target: str) -> Model | None:
    """The model of that name, whichever templates it has."""
    if not is_name(target):
        return None
    return next((model for model in models() if model.name == folder_name(target)), None)


def _nothing_at(target: str) -> Unusable:
    if is_name(target):
        return unknown(target, [model.name for model in models()])
    return Unusable(f"{target}: no such folder")


def _as_named(target: str) -> str:
    """The target for commands in reports, which others read: no path of this machine."""
    return "." if Path(target).is_absolute() else target


# -- the two templates


def _chat_template(folder: Path) -> FoundTemplate | NotChecked:
    try:
        return find_chat_template(folder.as_posix(), None, TOOLS, processor=False)
    except NoChatTemplate:
        return NotChecked("there is no chat template")
    except Unusable as error:
        return NotChecked(error.message, is_broken=True)


def _generated_parser(model: Model) -> _Parser:
    if model.response_template is None:
        return NotChecked("there is no response template")
    return find_parser(model.name).load()


def _compiled_parser(folder: Path) -> _Parser:
    try:
        source = load(folder)
        validate(source)
    except TemplateError as error:
        if error.diagnostics[0].rule == _NO_TEMPLATE:
            return NotChecked("there is no response template")
        return Difference("invalid", _file_of(error), str(error))
    return compile_template(cast(dict[str, Any], source.spec))


def _file_of(error: TemplateError) -> str:
    return PurePath(error.diagnostics[0].location.file).name


def _round_trip(
    folder: Path,
    chat: FoundTemplate | NotChecked,
    parser: _Parser,
    names: Sequence[str],
    chunkings: Sequence[str],
) -> tuple[Row, ...] | NotChecked:
    if isinstance(chat, NotChecked):
        return chat
    if isinstance(parser, NotChecked):
        return parser
    if isinstance(parser, Difference):
        return NotChecked("the response template has mistakes", is_broken=True)
    try:
        variables = chat.template.variables
    except Exception as error:  # of any class: it is the template's
        return NotChecked(f"the chat template cannot be compiled: {error}", is_broken=True)
    shapes = _shapes(folder, variables, tuple(names))
    return round_trip(
        BothWays(chat.template.render, chat.special_tokens, parser), shapes, chunkings
    )


def _shapes(folder: Path, variables: frozenset[str], names: tuple[str, ...]) -> tuple[Shape, ...]:
    template = validate(load(folder)).template
    shapes = shapes_for(variables, names, markers(template), stand_on_lines(template))
    if shapes:
        return shapes
    if shapes_for(variables, names, ("<",)):
        raise Unusable(f"{', '.join(names)}: the response template has no calls with strings")
    raise Unusable(f"{', '.join(names)}: the chat template reads no such variable")


# -- the shipped parser


def _shipped(
    folder: Path, parser: _Parser, rows: tuple[Row, ...] | NotChecked
) -> ShippedReport | NotChecked:
    """The report on it; where there was a round trip to check, a repository need not ship one."""
    report = verify(folder)
    found = report.differences
    if isinstance(parser, Difference) and not any(each.kind == "invalid" for each in found):
        return ShippedReport((parser, *found), report.diff)
    if isinstance(rows, NotChecked) or not any(map(_is_no_parser, found)):
        return report
    others = tuple(each for each in found if not _is_no_parser(each))
    return ShippedReport(others, report.diff) if others else NotChecked("there is none")


def _is_no_parser(difference: Difference) -> bool:
    return (difference.kind, difference.file) == ("missing", PARSER_FILE)
