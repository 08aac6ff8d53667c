"""How the extraction model is made: `python -m training.extraction DATA`."""
