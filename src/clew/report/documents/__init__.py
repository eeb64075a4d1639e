"""Reports to send to others: a page, JUnit, SARIF, Markdown. All are made of a `Material`, not of a search."""
