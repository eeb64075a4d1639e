"""What the Explorer in the browser knows: states on demand, graphs, watches. `clew.web` serves it."""
