"""The semantic core: values, expressions, views, results. Nothing here knows an input language or an engine."""
