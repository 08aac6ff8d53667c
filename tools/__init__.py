"""Programs that keep the house in order."""
