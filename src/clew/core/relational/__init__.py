"""Programs over sets and relations: what the relational language means, before any engine."""
