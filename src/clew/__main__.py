"""`python -m clew` is the `clew` command."""

from clew.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
