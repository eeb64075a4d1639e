"""One package per input language; each turns text into one of the views of `clew.core`."""
