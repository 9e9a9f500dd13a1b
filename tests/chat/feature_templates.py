"""Small templates, a few features each: together all that the environment offers or refuses."""

from __future__ import annotations

_EACH = "{% for m in messages %}"
_END = "{% endfor %}"

FEATURES = {
    # Blocks and white space
    "blocks cut": "a\n  {% if true %}\n  b\n  {% endif %}\n c",
    "dashes": "a \n {%- if true -%} \n b \n {%- endif -%} \n c",
    "plus": "a\n  {%+ if true +%}\n b {% endif %}",
    "comments": "a {# not {{ shown }} #} b {#- cut -#} c",
    "raw": "{% raw %}{{ messages }}{% endraw %}",
    "final newline": "{{ messages|length }}\n",
    "final newlines": "{{ messages|length }}\n\n\n",
    "carriage returns": "a\r\n{% if true %}\r\nb\r{% endif %}\rc",
    "line ends in texts": "{{ 'a\\r\\nb' }}|{{ \"c\nd\" }}",
    # Loops
    "loop fields": _EACH + "{{ loop.index }}{{ loop.index0 }}{{ loop.revindex0 }}"
    "{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}"
    "{{ loop.cycle('a', 'b') }}{{ loop.changed(m.role) }}{{ loop.previtem is defined }}"
    "{{ (loop.nextitem or {}).role }}" + _END,
    "loop filter": "{% for m in messages if m.role == 'user' %}{{ loop.index }}{% else %}-" + _END,
    "loop controls": _EACH + "{% if loop.index == 2 %}{% continue %}{% endif %}"
    "{% if loop.index > 3 %}{% break %}{% endif %}{{ m.role }}" + _END,
    "break outside": "{% break %}",
    "recursion": "{% for x in [1, [2, [3]]] recursive %}"
    "{{ loop(x) if x is iterable else x }}" + _END,
    "unpacking": _EACH + "{% for key, value in m.items() %}{{ key }}={{ value }};" + _END + _END,
    "scopes": "{% set x = 0 %}" + _EACH + "{% set x = x + 1 %}" + _END + "{{ x }}",
    "with": "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a }}",
    # Namespaces and globals
    "namespace": "{% set ns = namespace(n=0, self=4) %}"
    + _EACH
    + "{% set ns.n = ns.n + 1 %}"
    + _END
    + "{{ ns.n }}{{ ns.self }}{{ ns }}{{ ns.missing }}",
    "namespace from a dict": "{{ namespace({'a': 1}, b=2).b }}{{ namespace }}",
    "namespace of numbers": "{{ namespace(1) }}",
    "hidden name": "{% set ns = namespace() %}\n{% set ns._a = 1 %}",
    "hidden names": "{{ namespace({'__class__': 1}) }}",
    "no namespace": "{% set m = {} %}{% set m.x = 1 %}",
    "dict": "{{ dict(a=1) }}{{ dict([('b', 2)]) }}{{ dict.fromkeys(['c'], 3) }}",
    "dict attribute": "{{ dict.from_keys(['c']) }}",
    "dict of numbers": "{{ dict(1, 2) }}",
    "range": "{{ range(3)|list }}{{ range(1, 7, 2)|sum }}",
    "range too long": "{{ range(100001)|length }}",
    "cycler, joiner": "{% set c = cycler('a', 'b') %}{% set j = joiner(', ') %}"
    + _EACH
    + "{{ j() }}{{ c.next() }}"
    + _END
    + "{{ c.current }}",
    "the date": "{{ strftime_now('%Y') | length }}",
    "no format": "{{ strftime_now() }}",
    "number as format": "{{ strftime_now(5) }}",
    "refusal": _EACH
    + "\n{% if loop.last %}{{ raise_exception('Not ' ~ m.role) }}{% endif %}"
    + _END,
    "refusal without a word": "{{ raise_exception() }}",
    "refusal with data": "{{ raise_exception({'a': [1]}) }}",
    "unknown function": "{{ now() }}",
    # Macros and captures
    "macro": "{% macro show(m, mark='*') %}{{ mark }}{{ m.role }}{{ varargs }}{{ kwargs }}"
    "{% endmacro %}" + _EACH + "{{ show(m) }}{{ show(m, '+', 1, x=2) }}" + _END + "{{ show.name }}",
    "macro misused": "{% macro show(m) %}{{ m }}{% endmacro %}{{ show(1, 2, 3) }}",
    "macro without its argument": "{% macro show(m) %}{{ m.role }}{% endmacro %}{{ show() }}",
    "call block": "{% macro box(x) %}[{{ caller(x) }}]{% endmacro %}"
    "{% call(y) box('a') %}{{ y }}b{% endcall %}",
    "endless macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "set block": "{% set x %}  a{{ messages|length }} {% endset %}<{{ x }}><{{ x|trim }}>",
    "set block, filter": "{% set x | upper %}abc{% endset %}{{ x }}",
    "filter block": "{% filter upper|replace('A', 'x') %}abc{% endfilter %}",
    "block": "{% block b %}in{% endblock %}{{ self.b() }}",
    # JSON
    "tojson": "{{ messages|tojson }}{{ tools|tojson }}{{ documents|tojson }}",
    "tojson options": "{{ messages|tojson(ensure_ascii=True, indent=2, sort_keys=True) }}"
    "{{ tools|tojson(separators=(',', ':')) }}",
    "tojson by position": "{{ messages|tojson(true, 1, ('; ', ' = '), true) }}",
    "tojson unknown option": "{{ messages|tojson(cls=1) }}",
    "tojson of nothing": "{{ missing|tojson }}",
    "tojson of odd values": "{{ [1.0, 1e400, -1e400] | tojson }}"
    "{{ [1e400 - 1e400, none, true, '<&>\\''] | tojson }}",
    "tojson joined": "{{ '<' + (messages[0]|tojson) + '>' }}",
    "unknown filter": "{{ messages|from_json }}",
    "unknown filter in a branch": "{% if missing %}{{ 1|from_json }}{% endif %}ok",
    "unknown filter in a branch taken": "{% if messages %}{{ 1|from_json }}{% endif %}",
    "unknown test": "{{ messages is odder }}",
    # Undefined values
    "undefined printed": "{{ missing }}{{ messages[0].missing }}{{ missing is defined }}",
    "undefined added": _EACH + "\n{{ m.role + ': ' + m.content }}" + _END,
    "undefined deeper": "{{ missing.a.b }}",
    "undefined item": "{{ messages[99] }}{{ messages[0]['x']['y'] }}",
    "undefined called": "{{ messages[0].nothing() }}",
    "undefined in conditions": "{{ 'e' if not missing }}{{ missing|length }}{{ 'a' in missing }}"
    "{{ missing|default('d') }}{{ none|default('d', true) }}{{ missing == missing }}",
    "undefined looped": "{% for x in missing %}x{% else %}none" + _END,
    "undefined compared": "{{ missing < 1 }}",
    # Values
    "given by default": "{{ tools is none }}{{ documents is none }}{{ add_generation_prompt }}",
    "given never": "{{ chat_template is defined }}{{ continue_final_message is defined }}",
    "special tokens": "{{ bos_token }}{{ eos_token ~ 1 }}{{ pad_token }}",
    "types": _EACH + "{{ m.content is string }}{{ m.content is mapping }}{{ m.content is none }}"
    "{{ m.content is sequence }}{{ m.content is iterable }}{{ m.content is number }}"
    "{{ m.content is true }}{{ m.content is boolean }}{{ m is mapping }}" + _END,
    "constants": "{{ True }}{{ true }}{{ None }}{{ none }}{{ 1.0 }}{{ 1_000 }}"
    "{{ 2 ** 3 // 3 % 2 }}",
    "arithmetic": "{{ 1 / 0 }}",
    "mixed": "{{ 1 + '1' }}",
    "joining": "{{ 1 ~ none ~ 'a' ~ [1] ~ missing }}",
    "slices": "{{ messages[::-1][0].role }}{{ messages[1:]|length }}{{ 'abcdef'[1:-1:2] }}",
    "comparisons": "{{ 1 < 2 <= 2 != 3 }}{{ 'a' in 'abc' }}{{ 'role' in messages[0] }}"
    "{{ not true }}",
    "conditional": "{{ 'a' if messages|length > 1 else 'b' }}{{ 'c' if false }}",
    "data printed": "{{ messages }}{{ (1, 2) }}{{ {'a': None} }}",
    "attribute or item": "{% set d = {'items': 1, 'x': 2} %}{{ d['items'] }}{{ d.x }}"
    "{{ d.items()|list }}",
    "text methods": "{{ ' aB '.strip().lower().title() }}{{ 'a,b'.split(',') }}"
    "{{ 'ab'.startswith('a') }}"
    "{{ 'a-b'.replace('-', '+').rsplit('+', 1)[-1] }}{{ 'x'.join(['1', '2']) }}"
    "{{ 'ab'.find('b') }}",
    "text method missing": "{{ 'a'.trim() }}",
    "text method misused": "{{ 'a'.split(1) }}",
    "thinking split off": _EACH + "{% if m.content is string and '</think>' in m.content %}"
    "{{ m.content.split('</think>')[-1].lstrip('\\n') }}{% endif %}" + _END,
    "reasoning": _EACH
    + "{{ m.reasoning_content }}|{{ m.thinking }}|{{ m.reasoning }}|{{ m|list }}"
    + _END,
    "parts": _EACH + "{% for part in m.content %}{% if part.type == 'text' %}{{ part.text }}"
    "{% elif part.type == 'image' or 'image' in part %}<image>{% endif %}" + _END + _END,
    "calls": _EACH + "{% for c in m.tool_calls or [] %}{{ c.function.name }}"
    "{% for k, v in c.function.arguments|items %}{{ k }}={{ v|tojson }}" + _END + _END + _END,
    # Filters
    "filters": "{{ messages|map(attribute='role')|unique|sort|join('/') }}"
    "{{ messages|selectattr('role', 'equalto', 'user')|list|length }}"
    "{{ messages|rejectattr('content')|list|length }}{{ messages[0]|dictsort }}"
    "{{ [3, 1, 2]|sort(reverse=true)|first }}{{ 'a b'|title|replace(' ', '_')|upper }}"
    "{{ [1, 2]|sum }}{{ 3.7|int }}{{ '5'|float }}{{ [[1], [2]]|sum(start=[]) }}",
    "grouping": "{% for role, group in messages|groupby('role') %}{{ role }}{{ group|length }}"
    + _END,
    "batches": "{{ [1, 2, 3]|batch(2, 0)|list }}{{ 'abcd'|list|reverse|list }}"
    "{{ 'a\nb'|indent(2) }}",
    "escaping": "{{ '<a>'|e }}{{ '<b>'|safe }}{{ ('<c>'|e) + '<d>' }}{{ '<e>' ~ ('<f>'|safe) }}",
    "format filter": "{{ '%s-%d'|format('a', 1) }}{{ '%d'|format('a') }}",
    "pretty": "{{ {'b': 1, 'a': [1, 2]}|pprint }}{{ 'abc'|truncate(2, true) }}"
    "{{ 'a b c'|wordcount }}",
    "items of a text": "{{ 'a'|items|list }}",
    # Refused
    "append": "{% set x = [] %}{{ x.append(1) }}",
    "update": "{% set x = {} %}{% set _ = x.update({'a': 1}) %}",
    "caller's data": "{{ messages.append(1) }}",
    "class": "{{ ''.__class__ }}|{{ ''['__class__'] }}|{{ messages.__init__ }}",
    "class used": "{{ ''.__class__.__mro__ }}",
    "class called": "{{ ().__class__() }}",
    "format": "{{ '{0.__class__}'.format(messages) }}",
    "format map": "{{ '{a[__class__]}'.format_map({'a': ''}) }}{{ '{a} {b:>3}'.format(a=1, b=2) }}",
    "format by attr": "{{ ('{0.__class__}'|attr('format'))(messages) }}",
    "function globals": "{{ raise_exception.__globals__ }}|{{ namespace.__init__ }}|"
    "{{ namespace.mro }}",
    "generator frame": "{{ (messages|map('upper')).gi_frame }}",
    "map to attribute": "{{ messages|map(attribute='__class__')|list }}",
    "include": "{% include 'x' %}",
    "import": "{% import 'x' as y %}",
    "extends": "{% extends 'x' %}",
    "do": "{% do messages.append(1) %}",
    "translation": "{% trans %}a{% endtrans %}",
    # Generation blocks
    "generation": _EACH
    + "<{{ m.role }}>{% if m.role == 'assistant' %}{% generation %}{{ m.content }}"
    "{% endgeneration %}{% else %}{{ m.content }}{% endif %}\n" + _END,
    "generation, cut": _EACH
    + "a {%- generation -%} {{ loop.index }} {%- endgeneration -%} b"
    + _END,
    "generation, kept": "a\n  {%+ generation +%}\n b {% endgeneration %}",
    "generation, empty": "a{% generation %}{% endgeneration %}b",
    "generation, scope": "{% set x = 1 %}{% generation %}{% set x = 2 %}{{ x }}"
    "{% endgeneration %}{{ x }}",
    "generation, loop": _EACH
    + "{% generation %}{{ loop.index }}{{ caller is defined }}{% endgeneration %}"
    + _END,
    "generation, failing": "{% generation %}\n{{ missing.a.b }}{% endgeneration %}",
    "generation, not closed": "{% generation %}a",
    "generation, not open": "a{% endgeneration %}",
    # No templates
    "no end": "{% for m in messages %}a",
    "no expression": "a\n{{ }}",
    "open expression": "a {{ messages",
    "odd character": "{{ a ? b }}",
    "wrong end": "{% if true %}{% endfor %}",
    "plain text": "tool_use",
    "empty": "",
}
