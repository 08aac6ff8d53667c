"""Moving a whole database from SQLite to PostgreSQL: what there is to move, where it comes from, where it goes."""
