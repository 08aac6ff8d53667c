"""Everything that speaks SQL, and nothing else does."""
