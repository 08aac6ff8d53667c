"""Speed and quality, measured; nothing here is imported by the package."""
