"""Types by inference, measured: whole corpora, mutants, long models, and the answers of the language server."""
