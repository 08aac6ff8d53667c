"""How the shipped model is made; nothing here is imported by the package."""
