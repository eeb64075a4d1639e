"""Results for people and machines: text, JSON, sequence charts, graphs."""
