"""`chatc lint`: what is likely not meant so in chat templates and response templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from compiler.cli.terminal import counted, say

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from compiler.lint.fixing import Linted
    from compiler.lint.problems import Problem
    from compiler.lint.selection import Selection


@click.command(
    "lint",
    epilog="Exit codes: 0 nothing was found, or all of it fixed; 1 something was found; "
    "2 wrong usage or unreadable input.",
)
@click.argument("targets", metavar="[MODEL|DIR|FILE]...", nargs=-1)
@click.option("--select", multiple=True, metavar="RULES", help="Only these: LT103, or LT1,LT203.")
@click.option("--ignore", multiple=True, metavar="RULES", help="None of these.")
@click.option("--fix", is_flag=True, help="Apply the fixes that change no rendered text.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="The findings as a JSON object.")
@click.option("--github", is_flag=True, help="The findings as annotations of GitHub Actions.")
@click.pass_context
def command(context: click.Context, /, targets: tuple[str, ...], **options: Any) -> None:
    """Find what is likely not meant so in templates.

    In chat templates: what only Python's Jinja reads, and what fails with conversations that
    clients send. In response templates: what other servers read differently, and text that gets
    lost. In model repositories: templates that are not the ones in use. Without a target, all
    models under grammars/.

    \b
    chatc lint my-model/chat_template.jinja
    chatc lint ~/models/my-model --ignore LT107 --fix
    chatc rule LT205          why, with a wrong and a right example
    """
    if sum(options[name] for name in ("diff", "fix")) > 1:
        raise click.UsageError("--fix or --diff, not both")
    if sum(options[name] for name in ("diff", "as_json", "github")) > 1:
        raise click.UsageError("one of --diff, --json and --github, not several")
    from compiler.cli.lint_targets import find_paths

    selection = _selection(options["select"], options["ignore"])
    paths = find_paths(targets)
    problems = _storage_problems(paths, selection)
    linted = _lint(paths, selection, fixing=options["fix"] or options["diff"])
    problems += [problem for each in linted for problem in each.left]
    fixed = [problem for each in linted for problem in each.fixed]
    if options["fix"]:
        _write(linted)
    _report(linted, problems, fixed, options)
    unfixed = problems or (fixed and not options["fix"])
    context.exit(1 if unfixed else 0)


def _selection(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    from compiler.lint.selection import Selection, read_prefixes

    try:
        return Selection(read_prefixes(select), read_prefixes(ignore))
    except LookupError as error:
        raise click.UsageError(str(error.args[0])) from None


def _storage_problems(paths: Iterable[Path], selection: Selection) -> list[Problem]:
    from compiler.cli.lint_storage import storage_problems

    folders = [path for path in paths if path.is_dir()]
    return [each for folder in folders for each in selection.of(storage_problems(folder))]


def _lint(paths: Iterable[Path], selection: Selection, fixing: bool) -> list[Linted]:
    from compiler.cli.lint_targets import template_files
    from compiler.lint.fixing import inspect, mend

    work = mend if fixing else inspect
    return [work(file, selection) for path in paths for file in template_files(path)]


def _write(linted: Iterable[Linted]) -> None:
    from compiler.exporters.file_changes import FileChange, apply_changes

    for each in linted:
        path = each.file.path
        if each.fixed:
            apply_changes(path.parent, [FileChange(path.name, each.file.text.encode("utf-8"))])


def _report(
    linted: list[Linted], problems: list[Problem], fixed: list[Problem], options: dict[str, Any]
) -> None:
    from compiler.cli import lint_reports as reports

    if options["as_json"]:
        reports.report_json(problems, fixed)
    elif options["github"]:
        reports.report_github(problems)
    elif options["diff"]:
        reports.report_diffs(linted)
    else:
        reports.report_text(problems)
    reports.report_fixed(fixed, "fixed" if options["fix"] else "would be fixed")
    say(f"{counted(len(linted), 'file')}: {_summary(problems, fixed, options['fix'])}")


def _summary(problems: list[Problem], fixed: list[Problem], has_fixed: bool) -> str:
    if fixed:
        left = counted(len(problems), "problem") if problems else "nothing"
        return f"{len(fixed)} {'fixed' if has_fixed else 'to be fixed'}, {left} left"
    fixable = sum(problem.fix is not None for problem in problems)
    found = counted(len(problems), "problem") if problems else "nothing found"
    return f"{found}, {fixable} of them fixed by --fix" if fixable else found
