"""What callers use: each service works for the scope it was made with."""
