"""`clew lsp`: what every language knows of its texts, for editors that speak the Language Server Protocol.

`documents` is a text being edited; `answers` makes the objects of the protocol from what the language says; `server`
listens; `runs` starts checks and simulations in processes of their own, which `child` carries out.
"""
