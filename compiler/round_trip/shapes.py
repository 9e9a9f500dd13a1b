"""The messages that are sent there and back: data, one `Shape` each.

To add one, add a row to `SHAPES`; it becomes a row of every report and of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """An assistant message to send there and back.

    `variables`: what the chat template gets besides; a template that reads none of them has no use
    for the shape.
    """

    name: str  # as --shape takes it
    message: Message
    variables: Mapping[str, Any] = field(default_factory=dict)


def _tool(name: str, description: str, required: tuple[str, ...], **properties: Any) -> Any:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def _call(name: str, **arguments: Any) -> Any:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


QUESTION: Message = {"role": "user", "content": "When does the next ferry leave Bodø?"}

_YEARS = {
    "properties": {
        "from": {"type": "number", "description": "The first"},
        "to": {"type": "number", "description": "The last"},
        "deep": {
            "type": "array",
            "description": "What else",
            "items": {
                "type": "object",
                "description": "A detail",
                "properties": {
                    "k": {"type": "array", "items": {"type": "string"}, "description": "Its names"},
                },
            },
        },
    },
    "additionalProperties": {"type": "number"},
}

TOOLS: list[Any] = [
    _tool(
        "find_ferry",
        "Looks up the next ferry.",
        ("harbour",),
        harbour={"type": "string", "description": "Where it leaves"},
        seats={"type": "integer", "description": "How many travel"},
    ),
    _tool(
        "search_archive",
        "Finds old timetables.",
        ("words",),
        words={"type": "array", "items": {"type": "string"}, "description": "What they name"},
        years={"type": "object", "description": "A span", **_YEARS},
        exact={"type": "boolean", "description": "No other spelling"},
    ),
    _tool("list_piers", "Names all piers.", ()),
]

_FERRY = _call("find_ferry", harbour="Bodø", seats=2)
_ARCHIVE = _call(
    "search_archive",
    words=["a<b", "'c' & \"d\"", "{x}\\n", "古い地図 \U0001f600"],
    years={"from": 1.5, "to": None, "deep": [{"k": []}, {}]},
    exact=True,
)
_ANSWER = "At 17:40.\n\n- Pier 3 <b>\n- 12 € & {more}"
_THOUGHT = "Look.\n\nAsk 船."


def _said(**fields: Any) -> Message:
    return {"role": "assistant", **fields}


CALL = _said(content="", tool_calls=[_FERRY])  # a simple one


def _thinking_shapes(variable: str) -> Iterator[Shape]:
    """What a model may write with its thinking switched on and off, by the variable's name."""
    on, off = {variable: True}, {variable: False}
    thought = _said(reasoning_content=_THOUGHT, content=_ANSWER)
    yield Shape(f"{variable}_on", thought, on)
    yield Shape(f"{variable}_on_call", _said(reasoning_content=_THOUGHT, tool_calls=[_FERRY]), on)
    yield Shape(f"{variable}_off", _said(content=_ANSWER), off)
    yield Shape(f"{variable}_off_call", _said(tool_calls=[_FERRY]), off)


SHAPES: tuple[Shape, ...] = (
    Shape("content", _said(content=_ANSWER)),
    Shape("reasoning_and_content", _said(reasoning_content=_THOUGHT, content=_ANSWER)),
    Shape("one_call", _said(tool_calls=[_FERRY])),
    Shape("content_and_call", _said(content="One moment.", tool_calls=[_FERRY])),
    Shape("reasoning_and_call", _said(reasoning_content=_THOUGHT, tool_calls=[_FERRY])),
    Shape("parallel_calls", _said(tool_calls=[_FERRY, _ARCHIVE, _FERRY])),
    Shape("call_without_arguments", _said(tool_calls=[_call("list_piers")])),
    Shape("nested_arguments", _said(tool_calls=[_ARCHIVE])),
    Shape("unicode_argument", _said(tool_calls=[_call("find_ferry", harbour="é ж 港 \U0001f6a2")])),
    Shape("lines_in_an_argument", _said(tool_calls=[_call("find_ferry", harbour="\n a\n\nb \n")])),
    Shape("empty_content", _said(content="")),
    Shape("reasoning_alone", _said(reasoning_content=_THOUGHT, content="")),
    Shape("space_around", _said(content=" \n At 17:40.\n\n")),
    *_thinking_shapes("enable_thinking"),
    *_thinking_shapes("thinking"),
)


def marker_shapes(markers: Sequence[str], on_lines: bool = True) -> tuple[Shape, ...]:
    """Calls with the markers of their own format in their arguments, plain and behind quotes.

    `on_lines`: also each on a line of its own.
    """
    text = ("From", *markers, "on")
    words = [f'"}}] {marker} \\' for marker in markers]
    lines = _said(tool_calls=[_call("find_ferry", harbour="\n".join(text))])
    return (
        Shape(
            "markers_in_an_argument",
            _said(tool_calls=[_call("find_ferry", harbour=" ".join(text))]),
        ),
        Shape("markers_and_quotes", _said(tool_calls=[_call("search_archive", words=words)])),
        *((Shape("markers_on_lines", lines),) if on_lines else ()),
    )


SHAPE_NAMES = tuple(shape.name for shape in (*SHAPES, *marker_shapes(())))


def shapes_for(
    variables: frozenset[str],
    names: tuple[str, ...] = (),
    markers: Sequence[str] = (),
    on_lines: bool = True,
) -> tuple[Shape, ...]:
    """The shapes, or those of these names, for a chat template that reads `variables`.

    `markers`: of the response template; those that arguments must be able to hold, `on_lines` of
    their own as well.
    """
    return tuple(
        shape
        for shape in (*SHAPES, *(marker_shapes(markers, on_lines) if markers else ()))
        if (not names or shape.name in names) and shape.variables.keys() <= variables
    )
