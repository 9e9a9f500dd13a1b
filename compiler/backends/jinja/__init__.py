"""Chat templates -> specialised Python: `specialise.py` is the file to read first."""
