"""Tests that attack: whatever a stranger, a neighbour or a text may try, tried."""
