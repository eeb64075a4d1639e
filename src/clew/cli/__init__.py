"""The `clew` command. Thin: arguments in, text or JSON and an exit status out."""
