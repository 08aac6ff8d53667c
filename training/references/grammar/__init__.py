"""Carrier grammars: how people point back, go on, or ask afresh, in five ways of speaking."""
