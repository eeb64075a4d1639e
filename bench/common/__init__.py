"""What the comparisons share: finding models, running tools with limits, remembering answers."""
