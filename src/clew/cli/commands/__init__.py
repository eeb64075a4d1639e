"""One module per command, each with `run(arguments, console) -> exit status`. Imported when the command is used."""
