"""What else is worth knowing: ranking what search and memory offer; pure."""
