"""The relational language: sets and relations, procedures and constraints, assertions in CTL."""
