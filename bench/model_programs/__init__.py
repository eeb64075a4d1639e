"""Model programs: figures for bench/RESULTS.md. See the modules."""
