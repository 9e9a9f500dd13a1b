"""`python -m compiler`, and the script `chatc`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; say what to install where its packages are missing."""
    try:
        from compiler.cli import main as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("compiler", "runtime"):
            raise
        sys.exit(f"chatc needs {error.name}: install the extra, chatc[compiler]")
    run()


if __name__ == "__main__":
    main()
