"""`chatc render`: the text that a chat template makes of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from compiler.cli.chat_templates import (
    ChatTemplate,
    Span,
    StorageWarning,
    find_chat_template,
    with_image_blocks,
)
from compiler.cli.conversations import Conversation, read_conversation, read_variables
from compiler.cli.terminal import Unusable, data, data_json, failed, json_text, say, warned


@click.command(
    "render",
    epilog="Exit codes: 0 rendered; 1 the template has a mistake or refuses the conversation; "
    "2 wrong usage or unreadable input.",
)
@click.argument("model", metavar="MODEL|DIR|FILE")
@click.option(
    "--messages",
    metavar="FILE",
    multiple=True,
    required=True,
    help="The conversation as JSON; - is stdin. Of several files, one after another.",
)
@click.option("--tools", metavar="FILE", help="A JSON array of tool schemas.")
@click.option("--documents", metavar="FILE", help="A JSON array of documents.")
@click.option("--kwargs", metavar="JSON|@FILE", default="{}", help="More variables: an object.")
@click.option("--add-generation-prompt", is_flag=True, help="End where the model is to begin.")
@click.option(
    "--continue-final-message",
    metavar="[FIELD]",
    is_flag=False,
    flag_value="content",
    help="End inside the last message, after its content or another field.",
)
@click.option("--name", metavar="TEMPLATE", help="Which of several templates.")
@click.option("--processor", is_flag=True, help="Choose and render as a processor does.")
@click.option("--show-spans", is_flag=True, help="Tell on stderr what generation blocks wrote.")
@click.option("--json", "as_json", is_flag=True, help="Text, spans, warnings, failure as JSON.")
@click.pass_context
def command(context: click.Context, /, model: str, **options: Any) -> None:
    """Render a conversation into the text that the model reads.

    MODEL has its template under grammars/; DIR is a model repository, whose special tokens become
    variables; FILE is a template. The text is written as it is: no line break is added.

    The messages are a list, a single message, or an object with `messages` and, if need be, its
    own `tools` and `documents`.

    \b
    chatc render qwen3 --messages chat.json --add-generation-prompt
    chatc render ~/models/my-model --messages chat.json --tools tools.json
    chatc parse qwen3 reply.txt | chatc render qwen3 --messages chat.json --messages -
    """
    _check_usage(options)
    as_json, processor = options["as_json"], options["processor"]
    chat = read_conversation(options["messages"], options["tools"], options["documents"])
    variables = read_variables(options["kwargs"])
    found = find_chat_template(model, options["name"], chat.tools, processor)
    _warn(found.warnings, as_json)
    try:
        arguments = {**found.special_tokens, **variables, **_arguments(chat, options)}
        text, spans = _rendered(found.template, arguments, options["show_spans"])
    except ImportError as error:
        raise Unusable(str(error)) from None
    except Exception as error:  # of any class: it is the template's
        _tell_failure(error, as_json)
        context.exit(1)
    _tell(text, spans, as_json)


def _check_usage(options: dict[str, Any]) -> None:
    if options["continue_final_message"] is None:
        return
    for name in ("add_generation_prompt", "show_spans"):
        if options[name]:
            option = name.replace("_", "-")
            raise click.UsageError(f"--continue-final-message goes without --{option}")


def _arguments(chat: Conversation, options: dict[str, Any]) -> dict[str, Any]:
    """What the options say, as the arguments of rendering that have names of their own."""
    arguments = {
        "messages": with_image_blocks(chat.messages) if options["processor"] else chat.messages,
        "tools": chat.tools,
        "documents": chat.documents,
        "add_generation_prompt": options["add_generation_prompt"],
    }
    field = options["continue_final_message"]
    return arguments if field is None else {**arguments, "continue_final_message": field}


def _rendered(
    template: ChatTemplate, arguments: dict[str, Any], show_spans: bool
) -> tuple[str, list[Span] | None]:
    if show_spans:
        return template.render_with_spans(**arguments)
    return template.render(**arguments), None


def _warn(warnings: Sequence[StorageWarning], as_json: bool) -> None:
    if as_json and warnings:
        rows = [{"id": w.id, "file": w.file, "message": w.message} for w in warnings]
        say(json_text({"warnings": rows}))
    elif not as_json:
        for warning in warnings:
            warned(f"{warning.id} {warning.file}: {warning.message}")


def _tell(text: str, spans: list[Span] | None, as_json: bool) -> None:
    if as_json:
        data_json({"text": text} if spans is None else {"text": text, "spans": spans}, indent=2)
        return
    data(text)
    if spans is not None:
        say(json_text(spans))


def _tell_failure(error: Exception, as_json: bool) -> None:
    """The class, the text, and the line of the template where it failed, if it has one."""
    kind, line = type(error).__name__, getattr(error, "template_line", None)
    if as_json:
        described = {"class": kind, "message": str(error), "template_line": line}
        say(json_text({"error": described}))
    else:
        place = "" if line is None else f"line {line}: "
        failed(f"{place}{kind}: {error}")
