"""Model programs: the model is a Python module; `clew.model` is what it imports."""
