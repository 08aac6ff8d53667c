"""Keeping working: retries, a circuit, a journal of what waits, and what is held for when the database is away."""
