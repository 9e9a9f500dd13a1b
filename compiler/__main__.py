"""`python -m compiler` is `chatc`."""

from compiler.cli import main

if __name__ == "__main__":
    main()
