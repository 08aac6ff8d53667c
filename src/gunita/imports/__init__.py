"""Reads what other chat programs, and Gunita itself, write out; knows nothing of the store."""
