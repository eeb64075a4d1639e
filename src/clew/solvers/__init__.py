"""One small wrapper per decision procedure; no model checking in here."""
