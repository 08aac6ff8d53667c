"""Understanding text: plain functions and small classes, no input or output beyond loading the model once."""
