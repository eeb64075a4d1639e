"""The terminal twin of the explorer: `clew simulate --tui`. Needs textual, which is installed with `clew[tui]`."""
