"""Gunita inside other frameworks: one file each, imported by whoever has that framework."""
