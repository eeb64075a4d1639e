"""The Explorer: a server on this machine for one user's browser. What it knows is in `clew.report.explorer`."""
